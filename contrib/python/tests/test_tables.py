import os
import pathlib
import tempfile
import unittest
import unittest.mock
from decimal import Decimal

import warnings

from .support import DATA, ROWS, RULES, TABLE, WITHHELD, Case, columns, hitoku
from hitoku._program import Folder


class Protect(Case):
    def test_rows(self):
        done = hitoku.protect(ROWS, **TABLE, **RULES)
        self.assertEqual((done.status, done.cost, done.bound), ("optimal", 60, 60))
        self.assertEqual({c.codes for c in done.withheld}, WITHHELD)
        self.assertEqual({(r["region"], r["branch"]) for r in done.table if r["turnover"] is None}, WITHHELD)
        self.assertEqual([r["turnover"] for r in done.table if r["region"] == r["branch"] == "Total"], [135])
        first = done.withheld[0]
        self.assertEqual((first.status, first.reason, first.value, first.lpl, first.lower), ("sensitive", "frequency", 10, Decimal("1.5"), None))
        self.assertIn("protected, 4 of 12 cells withheld (1 sensitive, 3 secondary)", str(done))

    def test_columns_and_dims_by_place(self):
        done = hitoku.protect(columns(ROWS), value="turnover", freq="firms", **RULES)
        self.assertEqual(done.table["region"][0], "N")
        self.assertEqual(done.table["turnover"].count(None), 4)

    def test_intervals_are_those_of_the_audit(self):
        done = hitoku.protect(ROWS, **TABLE, **RULES, intervals=True)
        audit = hitoku.audit(done.table, **TABLE, width=3)
        self.assertTrue(audit.protected)
        self.assertEqual([(c.codes, c.lower, c.upper) for c in done.withheld], [(c.codes, c.lower, c.upper) for c in audit.cells])
        self.assertEqual([r["verdict"] for r in audit.frame()], ["protected"] * 4)

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.csv"
            done = hitoku.protect(DATA / "frequency.csv", below=5, width=8, margins="publish", total="合計", output=out)
            self.assertEqual(done.cost, 25)
            self.assertIsNone(done.table)
            self.assertEqual(out.read_text("utf-8").splitlines()[2], "M2,72,20,,30,,133")

    def test_hierarchies(self):
        rows = [{"r": r, "value": v} for r, v in (("N1", 4), ("N2", 9), ("S1", 7), ("S2", 8))]
        for tree in ({"N": {"N1": None, "N2": None}, "S": ["S1", "S2"]}, {"N": None, "S": None, "N1": "N", "N2": "N", "S1": "S", "S2": "S"}):
            done = hitoku.protect(rows, dims=["r"], hierarchies={"r": tree}, publish=["S1"], withhold=["N1"])
            self.assertEqual({r["r"]: r["value"] for r in done.table if r["value"] is not None}, {"N2": 9, "S1": 7, "S2": 8, "N": 13, "S": 15, "Total": 28})
            self.assertEqual(done.withheld[0].status, "withheld")

    def test_decimals(self):
        rows = [{"r": "a", "value": 0.1}, {"r": "b", "value": 0.2}, {"r": "Total", "value": 0.1 + 0.2}]
        with self.assertRaises(hitoku.InputError):
            hitoku.audit(rows, dims=["r"])
        self.assertEqual(hitoku.audit(rows, dims=["r"], decimals=1).verdict, "nothing")

    def test_certificate(self):
        with tempfile.TemporaryDirectory() as folder:
            proof = pathlib.Path(folder) / "proof.jsonl.gz"
            hitoku.protect(ROWS, **TABLE, **RULES, certificate=proof)
            self.assertEqual(hitoku.verify(proof, ROWS, **TABLE, **RULES)["verdict"], "confirmed")
            other = [dict(r, turnover=r["turnover"] + (r["branch"] == "c")) for r in ROWS]
            self.assertEqual(hitoku.verify(proof, other, **TABLE, **RULES)["verdict"], "refuted")

    def test_explain(self):
        found = hitoku.explain(["S", "b"], ROWS, **TABLE, **RULES)
        self.assertEqual((found["is"], found["guards"][0]["codes"]), ("secondary", ["N", "a"]))

    def test_no_pattern(self):
        with self.assertRaises(hitoku.NoPattern) as caught:
            hitoku.protect(ROWS, **TABLE, min_freq=3, upl=10, margins="publish", publish=["N/b", "N/c"])
        self.assertEqual((caught.exception.exit_code, caught.exception.documents[0]["status"]), (1, "unprotectable"))

    def test_columns_called_like_fields(self):
        rows = [{"status": s, "branch": b, "n": n, "cost": c} for s, b, n, c in (("single", "a", 10, 9), ("single", "b", 2, 9), ("single", "c", 30, 1),
                                                                             ("married", "a", 15, 9), ("married", "b", 25, 9), ("married", "c", 35, 9))]
        own = dict(dims=["status", "branch"], value="n", freq="n", below=3, width=5)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            done = hitoku.protect(rows, **own)
        self.assertIn("not read as the field that its name is: cost", " ".join(str(w.message) for w in caught))
        self.assertEqual({r["status"] for r in done.table}, {"single", "married", "Total"})
        for columns in (["cost"], {"cost": "cost"}):
            self.assertNotEqual(hitoku.protect(rows, **own, columns=columns).cost, done.cost)

    def test_folder(self):
        with tempfile.TemporaryDirectory() as place, unittest.mock.patch.dict(os.environ, HITOKU_FOLDER=place):
            folder = Folder()
            self.assertEqual(os.path.dirname(folder.path), place)
            del folder  # as the end of a session does
            self.assertEqual(os.listdir(place), [])
            self.assertEqual(hitoku.protect(ROWS, **TABLE, **RULES).cost, 60)
            self.assertEqual(os.listdir(place), [])

    def test_remarks(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            done = hitoku.protect(ROWS, **TABLE, below=3)
        self.assertIn("no protection level", done.remarks[0])
        self.assertTrue(any(issubclass(w.category, hitoku.HitokuWarning) for w in caught))


class Audit(Case):
    def test_published(self):
        audit = hitoku.audit(DATA / "4x4-published.csv", width=8, total="計")
        self.assertEqual(audit.verdict, "unprotected")
        self.assertEqual([c.name for c in audit.cells if c.verdict == "disclosed"], ["A1/B1"])
        self.assertEqual(audit.cells[0].document["follows"][0]["result"], 7)
        self.assertIn("9 cells withheld, 1 unprotected, 1 of them disclosed", str(audit))

    def test_attack(self):
        known = dict(below=5, width=8, cost="count", match="exact", total="Sum")
        attack = hitoku.attack(DATA / "4x4-candidates.csv", **known)
        self.assertIs(attack.safe, False)
        self.assertEqual([(c.name, c.effective) for c in attack.cells if c.verdict == "unsafe"], [("M2/P4", (1, 4)), ("M4/P2", (1, 4))])
        closer = hitoku.attack(DATA / "4x4-candidates.csv", knows={"M2/P2": 20}, **known)
        self.assertLess(len(closer.cells), len(attack.cells))
        with self.assertRaises(hitoku.UsageError):
            hitoku.attack(DATA / "4x4-published.csv", below=5, width=8, total="計")

    def test_inspect(self):
        self.assertEqual(hitoku.inspect(DATA / "establishments.xlsx")["file"]["format"], "xlsx")

    def test_schema_and_version(self):
        self.assertEqual(hitoku.schema("audit")["title"], "hitoku/audit/1")
        self.assertIn("simplex", hitoku.version()["lp"])


if __name__ == "__main__":
    unittest.main()
