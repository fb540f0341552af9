import os
import pathlib
import sys
import tempfile
import unittest

from .support import DATA, ROWS, RULES, TABLE, Case, hitoku


class Errors(Case):
    def test_input(self):
        rows = [dict(r) for r in ROWS]
        rows[3]["turnover"] = "zwei"
        with self.assertRaises(hitoku.InputError) as caught:
            hitoku.protect(rows, **TABLE, **RULES)
        e = caught.exception
        self.assertEqual((e.file, e.line, e.row, e.field, e.value, e.exit_code), ("table.csv", 5, 3, "turnover", "zwei", 2))
        self.assertIn("number", e.wanted)
        self.assertIn("row 3", str(e))

    def test_usage(self):
        with self.assertRaises(hitoku.UsageError) as caught:
            hitoku.protect(ROWS, **TABLE, moat=3)
        self.assertIn("unknown flag: --moat", str(caught.exception))
        with self.assertRaises(KeyError):
            hitoku.protect(ROWS, dims=["region", "moat"])
        with self.assertRaises(TypeError):
            hitoku.protect(3)
        with self.assertRaises(ValueError):
            hitoku.protect(ROWS, **TABLE, publish=["a\nb"])

    def test_system(self):
        with self.assertRaises(hitoku.SystemFault) as caught:
            hitoku.audit(DATA / "none.csv")
        self.assertTrue(caught.exception.file.endswith("none.csv"))

    def test_program(self):
        with self.assertRaises(hitoku.ProgramNotFound):
            hitoku.version(program="/nowhere/hitoku")
        with self.assertRaises(hitoku.ProgramNotFound):
            hitoku.version(program=sys.executable)


@unittest.skipIf(os.name == "nt", "a shell script stands in for the program")
class Confidential(Case):
    """A stand-in for the program writes down what others could see of it."""

    def test_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            spy, seen = pathlib.Path(folder, "spy"), pathlib.Path(folder, "seen")
            real = hitoku.find_program()
            spy.write_text(f'#!/bin/sh\nfor last; do :; done\n(echo "$@"; stat -c %a "$(dirname "$last")"; dirname "$last") > "{seen}"\nexec "{real}" "$@"\n')
            spy.chmod(0o700)
            hitoku.attack(DATA / "4x4-candidates.csv", total="Sum", below=5, width=8, cost="count", knows={"M2/P2": 20}, program=spy)
            command, mode, private = seen.read_text().splitlines()
            self.assertRegex(command, r"^attack --json-errors --args-from \S+/arguments$")
            self.assertEqual(mode, "700")
            self.assertFalse(os.path.exists(private))

    def test_folder_goes_with_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            before, tempfile.tempdir = tempfile.tempdir, folder
            try:
                with self.assertRaises(hitoku.UsageError):
                    hitoku.protect(ROWS, **TABLE, moat=3)
            finally:
                tempfile.tempdir = before
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
