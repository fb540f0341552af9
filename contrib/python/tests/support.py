import os
import pathlib
import shutil
import sys
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "contrib" / "python" / "src"))

import hitoku  # noqa: E402

DATA = ROOT / "testdata"

ROWS = [
    {"region": "N", "branch": "a", "turnover": 10, "firms": 2},
    {"region": "N", "branch": "b", "turnover": 20, "firms": 5},
    {"region": "N", "branch": "c", "turnover": 30, "firms": 9},
    {"region": "S", "branch": "a", "turnover": 15, "firms": 4},
    {"region": "S", "branch": "b", "turnover": 25, "firms": 6},
    {"region": "S", "branch": "c", "turnover": 35, "firms": 8},
]
TABLE = {"dims": ["region", "branch"], "value": "turnover", "freq": "firms"}
RULES = {"min_freq": 3, "lpl": "15%", "upl": "15%"}
WITHHELD = {("N", "a"), ("N", "b"), ("S", "a"), ("S", "b")}


def columns(rows):
    return {name: [r[name] for r in rows] for name in rows[0]}


def has_program():
    return shutil.which(os.environ.get("HITOKU") or "hitoku") is not None


@unittest.skipUnless(has_program(), "no program hitoku: set HITOKU")
class Case(unittest.TestCase):
    def setUp(self):
        catch = warnings.catch_warnings()
        catch.__enter__()
        self.addCleanup(catch.__exit__, None, None, None)
        warnings.simplefilter("ignore", hitoku.HitokuWarning)
