import unittest

from .support import ROWS, RULES, TABLE, Case, columns, hitoku

try:
    import pandas
except ImportError:
    pandas = None
try:
    import polars
except ImportError:
    polars = None


@unittest.skipIf(pandas is None, "no pandas")
class Pandas(Case):
    def test_frame(self):
        done = hitoku.protect(pandas.DataFrame(ROWS), **TABLE, **RULES)
        self.assertIsInstance(done.table, pandas.DataFrame)
        self.assertEqual(int(done.table["turnover"].isna().sum()), 4)
        self.assertEqual(str(done.table["turnover"].dtype), "Int64")
        self.assertEqual(list(done.frame()["status"]), ["sensitive", "secondary", "secondary", "secondary"])
        audit = hitoku.audit(done.table, **TABLE, width=3)
        self.assertTrue(audit.protected)
        self.assertIsInstance(audit.frame(), pandas.DataFrame)

    def test_group_by(self):
        records = pandas.DataFrame([{"region": r["region"], "branch": r["branch"], "turnover": r["turnover"] / 2} for r in ROWS for _ in range(2)])
        series = records.groupby(["region", "branch"])["turnover"].sum()
        done = hitoku.protect(series, dims=["region", "branch"], value="turnover", withhold=["N/a"])
        self.assertEqual(done.withheld[0].value, 10)

    def test_missing(self):
        frame = pandas.DataFrame({"r": ["a", "b", "c", "Total"], "value": [1.5, float("nan"), None, 9.0]})
        self.assertEqual([(c.name, c.value) for c in hitoku.audit(frame, dims=["r"]).cells], [("b", None), ("c", None)])
        frame["value"] = frame["value"].astype("Float64")
        self.assertEqual(len(hitoku.audit(frame, dims=["r"]).cells), 2)

    def test_categories_and_numbers_as_codes(self):
        frame = pandas.DataFrame({"year": [1.0, 2.0], "sex": pandas.Categorical(["f", "m"]), "value": [3, 4]})
        self.assertEqual(hitoku.protect(frame, dims=["year", "sex"]).table["year"][0], "1")

    def test_risk(self):
        self.assertEqual(hitoku.k_anonymity(pandas.DataFrame(ROWS), ["region"])["k"], 3)


class StandIn:
    """Stands in for polars.DataFrame where there is no Polars: the part of its documented interface that the client uses."""

    __module__ = "polars.dataframe.frame"

    def __init__(self, data, strict=True):
        self._data = {k: list(v) for k, v in data.items()}
        for values in self._data.values():
            if strict and len({type(v) for v in values if v is not None}) > 1:
                raise TypeError("unexpected value while building Series")

    @property
    def columns(self):
        return list(self._data)

    def to_dict(self, *, as_series=True):
        if as_series:
            raise AssertionError("lists are wanted")
        return dict(self._data)


class LazyStandIn(StandIn):
    """Stands in for polars.LazyFrame."""

    __module__ = "polars.lazyframe.frame"

    def collect(self):
        return StandIn(self._data)


class ArrowStandIn:
    """Stands in for pyarrow.Table."""

    __module__ = "pyarrow.lib"

    def __init__(self, data):
        self._data = data

    def to_pydict(self):
        return self._data

    @classmethod
    def from_pydict(cls, data):
        return cls(data)


class Polars(Case):
    def both(self, frame, kind, content):
        done = hitoku.protect(frame, **TABLE, **RULES)
        self.assertIsInstance(done.table, kind)
        self.assertEqual(list(content(done.table)["turnover"]).count(None), 4)
        self.assertIsInstance(done.frame(), kind)
        self.assertTrue(hitoku.audit(done.table, **TABLE, width=3).protected)

    @unittest.skipIf(polars is None, "no Polars; a stand-in is tried")
    def test_polars(self):
        self.both(polars.DataFrame(ROWS), polars.DataFrame, lambda f: f.to_dict(as_series=False))
        self.both(polars.DataFrame(ROWS).lazy(), polars.DataFrame, lambda f: f.to_dict(as_series=False))

    def test_stand_in_of_polars(self):
        self.both(StandIn(columns(ROWS)), StandIn, lambda f: f.to_dict(as_series=False))
        self.both(LazyStandIn(columns(ROWS)), StandIn, lambda f: f.to_dict(as_series=False))

    def test_stand_in_of_arrow(self):
        self.both(ArrowStandIn(columns(ROWS)), ArrowStandIn, lambda f: f.to_pydict())


if __name__ == "__main__":
    unittest.main()
