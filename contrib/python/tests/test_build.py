import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from .support import ROOT

PROJECT = ROOT / "contrib" / "python"


class Build(unittest.TestCase):
    """The package is built with the standard library alone, and what is built can be imported."""

    def test_wheel_and_source(self):
        spec = importlib.util.spec_from_file_location("backend", PROJECT / "build_backend" / "backend.py")
        backend = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(backend)
        with tempfile.TemporaryDirectory() as folder:
            wheel = pathlib.Path(folder, backend.build_wheel(folder))
            content = wheel.read_bytes()
            backend.build_wheel(folder)
            self.assertEqual(wheel.read_bytes(), content)
            with zipfile.ZipFile(wheel) as z:
                names = set(z.namelist())
                self.assertLessEqual({"hitoku/__init__.py", "hitoku/py.typed"}, names)
                self.assertEqual({line.split(",")[0] for line in z.read(next(n for n in names if n.endswith("RECORD"))).decode().split()}, names)
            code = "import sys; sys.path.insert(0, sys.argv[1]); import hitoku; print(hitoku.__version__)"
            done = subprocess.run([sys.executable, "-I", "-c", code, str(wheel)], capture_output=True, text=True, check=True)
            self.assertIn(f"-{done.stdout.strip()}-", wheel.name)
            self.assertTrue(pathlib.Path(folder, backend.build_sdist(folder)).exists())


if __name__ == "__main__":
    unittest.main()
