package risksql

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// KAnonymity measures k-anonymity of records or, with Entity, of entities, where those with equal multisets of
// tuples form a class. One row: records, excluded, classes, k, max_class, sample_uniques, prosecutor_max_risk,
// average_risk; or entities, rows, without_id and so on. A record without an entity's id is an entity of its
// own.
func (q *Query) KAnonymity() (string, error) {
	if q.Entity != "" {
		return q.entities()
	}
	with, err := q.classes()
	if err != nil {
		return "", err
	}
	return finish(with, `SELECT
  (SELECT COUNT(*) FROM records) AS records,
  (SELECT COUNT(*) FROM raw) - (SELECT COUNT(*) FROM records) AS excluded,
  COUNT(*) AS classes,
  MIN(f) AS k,
  MAX(f) AS max_class,
  COALESCE(SUM(CASE WHEN f = 1 THEN 1 ELSE 0 END), 0) AS sample_uniques,
  1 / `+q.Dialect.real("MIN(f)")+` AS prosecutor_max_risk,
  `+q.Dialect.real("COUNT(*)")+` / NULLIF(SUM(f), 0) AS average_risk
FROM classes`), nil
}

// Histogram lists the class sizes of KAnonymity without Entity: size, classes, records.
func (q *Query) Histogram() (string, error) {
	with, err := q.classes()
	if err != nil {
		return "", err
	}
	return finish(with, "SELECT f AS size, COUNT(*) AS classes, SUM(f) AS records FROM classes GROUP BY f ORDER BY f"), nil
}

// classes counts the records of each class.
func (q *Query) classes() ([]string, error) {
	with, keys, err := q.base()
	return append(with, "classes AS (SELECT "+keys+", COUNT(*) AS f FROM records GROUP BY "+keys+")"), err
}

// entities compares multisets as texts: each tuple is given by its number among the sorted tuples, and by how
// often the entity has it.
func (q *Query) entities() (string, error) {
	with, keys, err := q.base(q.Entity)
	if err != nil {
		return "", err
	}
	kind := q.Dialect.textType()
	glue := "STRING_AGG(CONCAT(CAST(t AS " + kind + "), ':', CAST(m AS " + kind + ")), ',' ORDER BY t)"
	if q.Dialect == Spark {
		glue = "ARRAY_JOIN(TRANSFORM(ARRAY_SORT(COLLECT_LIST(STRUCT(t, m))), e -> CONCAT(CAST(e.t AS STRING), ':', CAST(e.m AS STRING))), ',')"
	}
	with = append(with,
		"tuples AS (SELECT "+keys+", ROW_NUMBER() OVER (ORDER BY "+keys+") AS t FROM (SELECT DISTINCT "+keys+" FROM records) AS d)",
		"held AS (SELECT r.x1 AS entity, u.t AS t, COUNT(*) AS m FROM records AS r JOIN tuples AS u ON "+same(keys, "r", "u")+" WHERE r.x1 <> '' GROUP BY r.x1, u.t)",
		"sets AS (SELECT entity, "+glue+" AS s FROM held GROUP BY entity)",
		// A record without id is an entity that has one tuple, once.
		"loose AS (SELECT CONCAT(CAST(u.t AS "+kind+"), ':1') AS s FROM records AS r JOIN tuples AS u ON "+same(keys, "r", "u")+" WHERE r.x1 = '')",
		"every AS (SELECT s FROM sets UNION ALL SELECT s FROM loose)",
		"classes AS (SELECT s, COUNT(*) AS f FROM every GROUP BY s)")
	return finish(with, `SELECT
  (SELECT COUNT(*) FROM every) AS entities,
  (SELECT COUNT(*) FROM records) AS `+rowsName(q.Dialect)+`,
  (SELECT COUNT(*) FROM raw) - (SELECT COUNT(*) FROM records) AS excluded,
  (SELECT COUNT(*) FROM loose) AS without_id,
  COUNT(*) AS classes,
  MIN(f) AS k,
  MAX(f) AS max_class,
  COALESCE(SUM(CASE WHEN f = 1 THEN 1 ELSE 0 END), 0) AS uniques
FROM classes`), nil
}

// rowsName returns rows quoted, as it is a reserved word.
func rowsName(d Dialect) string {
	n, _ := d.name("rows")
	return n
}

// LDiversity measures the diversity of one sensitive attribute. One row: records, classes, distinct_l,
// entropy_l, alpha, and c_infimum for the given l, NULL if some class has fewer than l values.
func (q *Query) LDiversity() (string, error) {
	if q.Sensitive == "" {
		return "", i18n.New("no sensitive attribute")
	}
	l := cmp.Or(q.L, 2)
	if l < 1 {
		return "", i18n.Errorf("l = %d: want 1 or more", l)
	}
	with, keys, err := q.base(q.Sensitive)
	if err != nil {
		return "", err
	}
	d := q.Dialect
	with = append(with,
		"every AS (SELECT "+keys+", COUNT(*) AS f FROM records GROUP BY "+keys+")",
		"held AS (SELECT "+keys+", x1, COUNT(*) AS r FROM records WHERE "+q.counts()+" GROUP BY "+keys+", x1)",
		"ranked AS (SELECT "+keys+", r, SUM(r) OVER (PARTITION BY "+keys+") AS n, MAX(r) OVER (PARTITION BY "+keys+") AS top, "+
			"ROW_NUMBER() OVER (PARTITION BY "+keys+" ORDER BY r DESC, x1) AS place, "+
			"SUM(r) OVER (PARTITION BY "+keys+" ORDER BY r DESC, x1 ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS tail FROM held)",
		"classes AS (SELECT "+keys+", COUNT(*) AS m, EXP(-SUM("+d.real("r")+" / n * LN("+d.real("r")+" / n))) AS e, "+
			"MAX("+d.real("top")+" / n) AS a, MAX(CASE WHEN place = "+fmt.Sprint(l)+" THEN "+d.real("top")+" / tail END) AS c FROM ranked GROUP BY "+keys+")",
		// A class without a value has l = 0.
		"whole AS (SELECT v.f AS f, COALESCE(c.m, 0) AS m, COALESCE(c.e, 0) AS e, c.a AS a, c.c AS c FROM every AS v LEFT JOIN classes AS c ON "+same(keys, "v", "c")+")")
	return finish(with, `SELECT
  SUM(f) AS records,
  COUNT(*) AS classes,
  MIN(m) AS distinct_l,
  MIN(e) AS entropy_l,
  MAX(a) AS alpha,
  CASE WHEN COUNT(c) = COUNT(*) THEN MAX(c) END AS c_infimum
FROM whole`), nil
}

// counts returns the condition that a record counts for a sensitive attribute.
func (q *Query) counts() string {
	if q.IgnoreMissing {
		return "NOT (" + q.isMissing("x1") + ")"
	}
	return "TRUE"
}

// TCloseness measures how far the distribution of one sensitive attribute in a class is from that in all
// records. One row: records, classes, t_float, distinct_values. Cost: one pass, and sorts of the pairs of class
// and value.
func (q *Query) TCloseness() (string, error) {
	if q.Sensitive == "" {
		return "", i18n.New("no sensitive attribute")
	}
	with, keys, err := q.base(q.Sensitive)
	if err != nil {
		return "", err
	}
	d := q.Dialect
	value := "x1"
	switch q.Distance {
	case "", risk.Equal:
	case risk.Ordered:
		value = d.real("x1")
	default:
		return "", i18n.Errorf("distance %q: want equal or ordered", string(q.Distance))
	}
	with = append(with,
		"used AS (SELECT "+keys+", "+value+" AS v FROM records WHERE "+q.counts()+")",
		"size AS (SELECT COUNT(*) AS n, COUNT(DISTINCT v) AS m FROM used)",
		"whole AS (SELECT v, COUNT(*) AS p FROM used GROUP BY v)",
		"classes AS (SELECT "+keys+", COUNT(*) AS n FROM used GROUP BY "+keys+")",
		"held AS (SELECT "+keys+", v, COUNT(*) AS r FROM used GROUP BY "+keys+", v)")
	if q.Distance != risk.Ordered {
		// If a class has a smaller share of some values than all records, it has a larger share of others: the
		// surplus is half of the absolute differences.
		with = append(with, "far AS (SELECT "+prefix(keys, "h")+", SUM(GREATEST("+d.real("h.r")+" / c.n - "+d.real("w.p")+" / s.n, 0)) AS t "+
			"FROM held AS h JOIN classes AS c ON "+same(keys, "h", "c")+" JOIN whole AS w ON h.v = w.v CROSS JOIN size AS s GROUP BY "+prefix(keys, "h")+")")
	} else {
		// t is Σ |H − P_i| / (m − 1) over the values i of the file, where P is their distribution function and
		// H that of the class. H is constant from one value of the class, a, up to the one before its next, b −
		// 1, while P increases: up to some x, P is at most H, so the sum follows from partial sums S of P. One
		// sort of all H and all P gives x, so that nothing grows with the number of classes times that of
		// values.
		const before = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
		none := strings.Repeat("'', ", strings.Count(keys, ",")+1)
		at := func(name string) string { return "COALESCE(" + name + ".s, 0)" }
		with = append(with,
			"ranks AS (SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS i, "+d.real("SUM(p) OVER (ORDER BY v "+before+")")+" / n AS p FROM whole CROSS JOIN size)",
			"sums AS (SELECT v, i, p, SUM(p) OVER (ORDER BY i "+before+") AS s FROM ranks)",
			"steps AS (SELECT "+prefix(keys, "h")+", u.i AS a, LEAD(u.i) OVER (PARTITION BY "+prefix(keys, "h")+" ORDER BY u.i) AS b, "+
				d.real("SUM(h.r) OVER (PARTITION BY "+prefix(keys, "h")+" ORDER BY u.i "+before+")")+" / c.n AS e "+
				"FROM held AS h JOIN sums AS u ON h.v = u.v JOIN classes AS c ON "+same(keys, "h", "c")+")",
			"marks AS (SELECT 1 AS kind, "+keys+", a, COALESCE(b, m + 1) AS b, e FROM steps CROSS JOIN size UNION ALL SELECT 0, "+none+"i, 0, p FROM sums)",
			"met AS (SELECT kind, "+keys+", a, b, e, MAX(CASE WHEN kind = 0 THEN a ELSE 0 END) OVER (ORDER BY e, kind "+before+") AS x FROM marks)",
			"cut AS (SELECT "+keys+", a, b, e, GREATEST(a - 1, LEAST(b - 1, x)) AS x, ROW_NUMBER() OVER (PARTITION BY "+keys+" ORDER BY a) AS nth FROM met WHERE kind = 1)",
			"parts AS (SELECT "+prefix(keys, "k")+", k.e * (2 * k.x - k.a - k.b + 2) + "+at("l")+" + "+at("r")+" - 2 * "+at("x")+" + CASE WHEN k.nth = 1 THEN "+at("l")+" ELSE 0 END AS t "+
				"FROM cut AS k LEFT JOIN sums AS l ON l.i = k.a - 1 LEFT JOIN sums AS r ON r.i = k.b - 1 LEFT JOIN sums AS x ON x.i = k.x)",
			"far AS (SELECT "+prefix(keys, "u")+", CASE WHEN MAX(s.m) > 1 THEN SUM(u.t) / (MAX(s.m) - 1) ELSE 0 END AS t FROM parts AS u CROSS JOIN size AS s GROUP BY "+prefix(keys, "u")+")")
	}
	return finish(with, `SELECT
  (SELECT COUNT(*) FROM records) AS records,
  (SELECT COUNT(*) FROM (SELECT DISTINCT `+keys+` FROM records) AS d) AS classes,
  MAX(t) AS t_float,
  (SELECT m FROM size) AS distinct_values
FROM far`), nil
}

// KMap measures k-map and δ-presence against a population without wildcards. One row: records, tuples, k_map,
// delta_max, tuples_absent_from_population, tuples_with_population_below_sample, journalist_max_risk,
// marketer_risk, journalist_avg_risk. If a tuple is absent, k_map is 0, and delta and risks are NULL.
func (q *Query) KMap() (string, error) {
	if q.Population == "" {
		return "", i18n.New("no population")
	}
	with, keys, err := q.base()
	if err != nil {
		return "", err
	}
	d := q.Dialect
	list, _, err := q.columns(nil)
	if err != nil {
		return "", err
	}
	from, err := d.table(q.Population)
	if err != nil {
		return "", err
	}
	count := "1"
	if q.Count != "" {
		c, err := d.name(q.Count)
		if err != nil {
			return "", err
		}
		kind := "BIGINT"
		if d == BigQuery {
			kind = "INT64"
		}
		count = "CAST(" + c + " AS " + kind + ")"
	}
	with = append(with,
		"data AS (SELECT "+keys+", COUNT(*) AS f FROM records GROUP BY "+keys+")",
		"people AS (SELECT "+list+", "+count+" AS c FROM "+from+")",
		"counted AS (SELECT "+keys+", SUM(c) AS g FROM people GROUP BY "+keys+")",
		"tuples AS (SELECT d.f AS f, COALESCE(p.g, 0) AS g FROM data AS d LEFT JOIN counted AS p ON "+same(keys, "d", "p")+")")
	whole := func(x string) string { return "CASE WHEN MIN(g) > 0 THEN " + x + " END" }
	share := "LEAST(1, " + d.real("f") + " / NULLIF(g, 0))"
	marketer := "SUM(" + share + ") / SUM(f)"
	return finish(with, `SELECT
  SUM(f) AS records,
  COUNT(*) AS tuples,
  MIN(g) AS k_map,
  `+whole("MAX("+share+")")+` AS delta_max,
  SUM(CASE WHEN g = 0 THEN 1 ELSE 0 END) AS tuples_absent_from_population,
  SUM(CASE WHEN g < f THEN 1 ELSE 0 END) AS tuples_with_population_below_sample,
  `+whole("1 / "+d.real("MIN(g)"))+` AS journalist_max_risk,
  `+whole(marketer)+` AS marketer_risk,
  `+whole("GREATEST("+d.real("COUNT(*)")+" / SUM(g), "+marketer+")")+` AS journalist_avg_risk
FROM tuples`), nil
}
