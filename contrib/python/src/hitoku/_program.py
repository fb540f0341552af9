"""Runs the program. Nothing confidential is on a command line: tables, and arguments too, are in a folder that only their owner
can enter and that is gone afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import warnings
import weakref
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import Document, HitokuWarning, ProgramNotFound, error_of

Path = Union[str, "os.PathLike[str]"]
One = Union[bool, int, float, str, Decimal, "os.PathLike[str]"]
#: An option of the program: True sets a flag, False unsets it, None is none; a sequence repeats the flag, a mapping gives it as NAME=VALUE.
Option = Union[None, One, Sequence[One], Mapping[str, One]]


def find_program(program: Optional[Path] = None) -> str:
    """The program: as given, else of the environment variable HITOKU, else hitoku in PATH."""
    wanted = os.fspath(program) if program is not None else os.environ.get("HITOKU") or "hitoku"
    found = shutil.which(wanted)
    if found is None:
        raise ProgramNotFound(f"no program {wanted}: give program=, set the environment variable HITOKU, or put hitoku into PATH")
    return os.path.abspath(found)


def text_of(value: object) -> str:
    """A value as the program reads it: numbers written out, exactly."""
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value)


def arguments(options: Mapping[str, Option]) -> List[str]:
    """Options as flags: time_limit="10m" is --time-limit=10m."""
    found: List[str] = []
    for name, value in options.items():
        flag = "--" + name.strip("_").replace("_", "-")
        if value is None:
            continue
        if isinstance(value, Mapping):
            found += [f"{flag}={key}={_plain(one)}" for key, one in value.items()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            found += [f"{flag}={_plain(one)}" for one in value]
        elif value is True:
            found.append(flag)
        elif value is False:
            found.append(flag + "=false")
        else:
            found.append(f"{flag}={_plain(value)}")
    return found


def _plain(value: object) -> str:
    return str(os.fspath(value)) if isinstance(value, os.PathLike) else text_of(value)


class Folder:
    """A private folder for one run, in the one that the environment variable HITOKU_FOLDER names or that for temporary files. ``with`` removes it."""

    def __init__(self) -> None:
        place = os.environ.get("HITOKU_FOLDER") or None
        self.path = tempfile.mkdtemp(prefix="hitoku-", dir=place)  # has mode 0700: only its owner has access
        self._remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)  # also when the session ends

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, *_: object) -> None:
        self._remove()

    def file(self, name: str, content: Union[str, bytes, None] = None) -> str:
        path = os.path.join(self.path, name)
        if content is not None:
            with open(path, "wb") as f:
                f.write(content.encode("utf-8") if isinstance(content, str) else content)
        return path


@dataclass(frozen=True)
class Run:
    """What a run printed."""

    exit_code: int
    documents: Tuple[Document, ...]
    problem: Optional[Document]
    output: str

    def check(self, rows_of: Optional[str] = None) -> None:
        """Raises the error of a run that failed, and warns of what was remarked. rows_of is the file that holds a frame."""
        if self.exit_code == 2:
            problem = self.problem or {"kind": "usage", "message": "hitoku failed", "exit_code": 2}
            row = None
            if rows_of is not None and problem.get("file") == rows_of and problem.get("line", 0) >= 2:
                row = problem["line"] - 2
            raise error_of(problem, self.documents, row)
        for remark in self.remarks:
            warnings.warn(remark, HitokuWarning, stacklevel=3)

    @property
    def remarks(self) -> Tuple[str, ...]:
        return tuple(self.problem.get("said", ())) if self.problem else ()


def run(verb: Sequence[str], args: Sequence[str], folder: Folder, program: Optional[Path] = None, stdin: bytes = b"") -> Run:
    """Runs one verb. Other users see nothing of it but its verb."""
    exe = find_program(program)
    for a in args:
        if "\n" in a or "\r" in a:
            raise ValueError(f"{a!r}: no argument holds an end of line")
    given = folder.file("arguments", "".join(a + "\n" for a in args))
    try:
        done = subprocess.run([exe, *verb, "--json-errors", "--args-from", given], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as err:
        raise ProgramNotFound(f"{exe}: {err.strerror or err}") from err
    prefix = os.path.join(folder.path, "")
    out, words = (_without(prefix, b.decode("utf-8", "replace")) for b in (done.stdout, done.stderr))
    problem: Optional[Document] = None
    try:
        if words.strip():
            problem = json.loads(words)
        if not isinstance(problem, (dict, type(None))):
            raise ValueError
    except ValueError:
        raise ProgramNotFound(f"{exe}: is no hitoku of this version: {words.strip()[:200]}") from None
    if done.returncode not in (0, 1, 2, 3):
        raise ProgramNotFound(f"{exe}: ended with {done.returncode}")
    documents: List[Document] = []
    for line in out.splitlines():
        if line.startswith('{"'):
            documents.append(json.loads(line, parse_float=Decimal))
    return Run(done.returncode, tuple(documents), problem, out)


def _without(prefix: str, text: str) -> str:
    """Paths of the private folder are of no use to a reader: their names are left."""
    return text.replace(json.dumps(prefix)[1:-1], "").replace(prefix, "")


def number(value: Any) -> Any:
    """A number of a document: int, Decimal, Fraction where no short decimal is exact, None for null."""
    if isinstance(value, str):
        from fractions import Fraction

        return Fraction(value)
    return value
