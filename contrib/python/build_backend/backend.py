"""A build backend (PEP 517) for one pure package, of the standard library alone, so that a build downloads nothing."""

import base64
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STAMP = (2026, 1, 1, 0, 0, 0)  # the same files give the same bytes


def _field(name):
    return re.search(r'^%s = "([^"]*)"$' % name, (ROOT / "pyproject.toml").read_text("utf-8"), re.M).group(1)


def _metadata():
    head = ["Metadata-Version: 2.1", "Name: " + _field("name"), "Version: " + _field("version"),
            "Summary: " + _field("description"), "License: Apache-2.0",
            "Requires-Python: " + _field("requires-python"), "Description-Content-Type: text/markdown"]
    return "\n".join(head) + "\n\n" + (ROOT / "README.md").read_text("utf-8")


def _sources():
    return sorted(p for p in (ROOT / "src").rglob("*") if p.suffix == ".py" or p.name == "py.typed")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, version = _field("name"), _field("version")
    info = f"{name}-{version}.dist-info/"
    files = {p.relative_to(ROOT / "src").as_posix(): p.read_bytes() for p in _sources()}
    files[info + "METADATA"] = _metadata().encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: hitoku\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as z:
        for path, content in files.items():
            z.writestr(zipfile.ZipInfo(path, STAMP), content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    top = f"{_field('name')}-{_field('version')}"
    files = {p.relative_to(ROOT).as_posix(): p.read_bytes() for p in _sources()}
    for extra in ("pyproject.toml", "README.md", "build_backend/backend.py"):
        files[extra] = (ROOT / extra).read_bytes()
    files["PKG-INFO"] = _metadata().encode()
    with tarfile.open(pathlib.Path(sdist_directory) / (top + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as t:
        for path, content in sorted(files.items()):
            member = tarfile.TarInfo(f"{top}/{path}")
            member.size = len(content)
            t.addfile(member, io.BytesIO(content))
    return top + ".tar.gz"
