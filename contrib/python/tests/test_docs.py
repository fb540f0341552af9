"""Runs what the pages of docs show of Python."""

import doctest
import os
import re
import tempfile
import unittest

from .support import DATA, ROOT, Case

try:
    import pandas
except ImportError:
    pandas = None


class Docs(Case):
    def run_page(self, name):
        text = (ROOT / "docs" / name).read_text("utf-8")
        blocks = [(text[: m.start()].count("\n"), m.group(1)) for m in re.finditer(r"^```pycon\n(.*?)^```$", text, re.S | re.M)]
        self.assertGreater(len(blocks), 0)
        runner, found, globs = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False), [], {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.symlink(DATA, "testdata")
            try:
                for line, block in blocks:
                    test = doctest.DocTestParser().get_doctest(block, globs, name, name, line)
                    runner.run(test, out=found.append, clear_globs=False)
                    globs = test.globs
            finally:
                os.chdir(before)
        self.assertEqual(runner.failures, 0, "".join(found))

    @unittest.skipIf(pandas is None, "no pandas")
    def test_python(self):
        self.run_page("python.md")

    @unittest.skipIf(pandas is None, "no pandas")
    def test_same_in(self):
        self.run_page("same-in.md")


if __name__ == "__main__":
    unittest.main()
