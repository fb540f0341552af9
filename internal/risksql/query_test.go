package risksql

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/risk"
)

// What the queries compute is checked against package risk on DuckDB, in module duck.

func TestQuoting(t *testing.T) {
	for d, want := range map[Dialect][2]string{
		DuckDB:   {`"a""b"."it's"`, `'it''s \ x'`},
		Spark:    {"`a\"b`.`it's`", `'it\'s \\ x'`},
		BigQuery: {"`a\"b`.`it's`", `'it\'s \\ x'`},
	} {
		name, err := d.table(`a"b.it's`)
		if err != nil || name != want[0] {
			t.Errorf("%s: table %s, %v, wanted %s", d, name, err, want[0])
		}
		if got := d.text(`it's \ x`); got != want[1] {
			t.Errorf("%s: text %s, wanted %s", d, got, want[1])
		}
	}
}

func TestEveryMeasureInEveryDialect(t *testing.T) {
	for _, d := range Dialects {
		q := Query{Dialect: d, Table: "t", QI: []string{"a", "b"}, Sensitive: "s", Population: "p", Count: "n", Missing: risk.Missing{Mode: risk.Drop, Markers: []string{"", "-"}}}
		entity := q
		entity.Entity = "id"
		ordered := q
		ordered.Distance = risk.Ordered
		for name, make := range map[string]func() (string, error){
			"k-anonymity": q.KAnonymity, "entities": entity.KAnonymity, "histogram": q.Histogram,
			"l-diversity": q.LDiversity, "t-closeness": q.TCloseness, "ordered": ordered.TCloseness, "k-map": q.KMap,
		} {
			text, err := make()
			if err != nil {
				t.Errorf("%s, %s: %v", d, name, err)
				continue
			}
			foreign := []string{"VARCHAR", `"a"`}
			if d == DuckDB {
				foreign = []string{"STRING)", "`", "INT64", "FLOAT64"}
			}
			for _, f := range foreign {
				if strings.Contains(text, f) {
					t.Errorf("%s, %s: has %s\n%s", d, name, f, text)
				}
			}
			if strings.Count(text, "(") != strings.Count(text, ")") || !strings.HasPrefix(text, "WITH\n") || !strings.HasSuffix(text, "\n") {
				t.Errorf("%s, %s:\n%s", d, name, text)
			}
		}
	}
}

func TestBadQueries(t *testing.T) {
	good := Query{Dialect: DuckDB, Table: "t", QI: []string{"a"}, Missing: risk.Missing{Mode: risk.Own}}
	for want, change := range map[string]func(*Query){
		`dialect "mysql": want duckdb, bigquery or spark`:                        func(q *Query) { q.Dialect = "mysql" },
		`no quasi-identifiers`:                                                   func(q *Query) { q.QI = nil },
		`column "a" is named twice`:                                              func(q *Query) { q.QI = []string{"a", "b", "a"} },
		`name "a\nb": want a text of one line`:                                   func(q *Query) { q.QI = []string{"a\nb"} },
		`table "t.": name "": want a text of one line`:                           func(q *Query) { q.Table = "t." },
		"name \"a`\": BigQuery's names have no ` or \\":                          func(q *Query) { q.Dialect, q.QI = BigQuery, []string{"a`"} },
		`missing values as wildcards are not to be had in SQL; want own or drop`: func(q *Query) { q.Missing.Mode = risk.Wildcard },
	} {
		q := good
		change(&q)
		if _, err := q.KAnonymity(); err == nil || err.Error() != want {
			t.Errorf("error %q, wanted %q", err, want)
		}
	}
	for want, make := range map[string]func() (string, error){
		"no sensitive attribute": good.LDiversity,
		"no population":          good.KMap,
	} {
		if _, err := make(); err == nil || err.Error() != want {
			t.Errorf("error %q, wanted %q", err, want)
		}
	}
}
