import unittest
from fractions import Fraction

from .support import Case, hitoku

PERSONS = [{"id": n, "zip": z, "age": a, "disease": d} for n, (z, a, d) in enumerate([
    ("47677", "2*", "flu"), ("47677", "2*", "cold"), ("47602", "2*", "flu"), ("47602", "2*", "flu"), ("47602", "2*", "ulcer")])]
QI = ["zip", "age"]


class Risk(Case):
    def test_k_anonymity(self):
        m = hitoku.k_anonymity(PERSONS, QI, drop=["id"], min_k=3)
        self.assertEqual((m["k"], m["classes"], m.kept), (2, 2, False))
        self.assertIn("k 2", str(m))
        self.assertEqual(hitoku.k_anonymity(PERSONS, "zip", entity="id")["k"], 2)

    def test_diversity_and_closeness(self):
        self.assertEqual(hitoku.l_diversity(PERSONS, QI, "disease")["distinct_l"], 2)
        self.assertEqual(hitoku.t_closeness(PERSONS, QI, ["disease"]).exact("t"), Fraction(3, 10))

    def test_population(self):
        people = [{"zip": z, "age": "2*", "people": n} for z, n in (("47677", 8), ("47602", 4))]
        m = hitoku.k_map(PERSONS, QI, population=people, count="people")
        self.assertEqual((m["k_map"], m.exact("delta_max")), (4, Fraction(3, 4)))
        self.assertEqual(hitoku.delta_presence(PERSONS, QI, population=people, count="people").exact("delta_max"), Fraction(3, 4))
        shares = [{"zip": "47677", "share": 0.25}, {"zip": "47602", "share": 0.75}]
        self.assertEqual(hitoku.k_map(PERSONS, ["zip"], aux=[shares], population_size=1000).exact("k_map_estimate"), 250)
        self.assertEqual(hitoku.k_map(PERSONS, QI, population_size=1000, model="thinning").metric, "k_map")

    def test_survey_and_uniques(self):
        self.assertGreater(hitoku.survey([dict(p, w=20) for p in PERSONS], QI, "w")["max_risk"], 0)
        self.assertEqual(hitoku.uniques(PERSONS, QI, 1000)["status"], "ok")

    def test_measure(self):
        self.assertEqual(hitoku.measure("sampling", n=100, n0=10, m=5).metric, "sampling")

    def test_column_that_is_not_there(self):
        with self.assertRaises(hitoku.HitokuError) as caught:
            hitoku.k_anonymity(PERSONS, ["zip", "moat"])
        self.assertIn("moat", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
