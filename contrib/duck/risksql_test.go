package duck

import (
	"database/sql"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/risksql"
	"github.com/hitoku/hitoku/risk"
)

// The measures of package risk and its queries for DuckDB are written apart: each is the
// other's oracle here, on records with missing values, ties and classes of all sizes.

// A sheet is some records drawn at random with what package risk makes of them.
type sheet struct {
	rows [][]string // a, b, s, id
	db   *sql.DB
}

func drawSheet(t *rapid.T, db *sql.DB) *sheet {
	value := func(name string, values ...string) *rapid.Generator[string] { return rapid.SampledFrom(values) }
	n := rapid.IntRange(1, 40).Draw(t, "n")
	s := &sheet{db: db}
	for range n {
		s.rows = append(s.rows, []string{
			value("a", "x", "y", "it's", "").Draw(t, "a"),
			value("b", "1", "01", "*").Draw(t, "b"),
			value("s", "10", "9", "2.5", "-1", "").Draw(t, "s"),
			value("id", "p", "q", "r", "").Draw(t, "id"),
		})
	}
	s.exec(t, `CREATE OR REPLACE TABLE "da ta" ("a" VARCHAR, "b""" VARCHAR, s VARCHAR, id VARCHAR)`)
	for _, r := range s.rows {
		var text []string
		for k, v := range r {
			if v == "" && k%2 == 0 {
				text = append(text, "NULL") // the same as the empty text
			} else {
				text = append(text, quote(v))
			}
		}
		s.exec(t, `INSERT INTO "da ta" VALUES (`+strings.Join(text, ", ")+")")
	}
	return s
}

func (s *sheet) exec(t *rapid.T, query string) {
	if _, err := s.db.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// row runs a query that gives one row and returns it by column; NULL is left out.
func (s *sheet) row(t *rapid.T, query string, err error) map[string]float64 {
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil || !rows.Next() {
		t.Fatalf("%s: no row, %v", query, err)
	}
	values := make([]any, len(names))
	at := make([]any, len(names))
	for k := range values {
		at[k] = &values[k]
	}
	if err := rows.Scan(at...); err != nil {
		t.Fatal(err)
	}
	m := map[string]float64{}
	for k, v := range values {
		switch v := v.(type) {
		case nil:
		case int64:
			m[names[k]] = float64(v)
		case float64:
			m[names[k]] = v
		case *big.Int:
			f, _ := new(big.Float).SetInt(v).Float64()
			m[names[k]] = f
		default:
			t.Fatalf("%s: %s is a %T", query, names[k], v)
		}
	}
	if rows.Next() {
		t.Fatalf("%s: more than one row", query)
	}
	return m
}

// agree compares a row with what package risk says; nil numbers are to be NULL.
func agree(t *rapid.T, query string, got map[string]float64, want map[string]any) {
	for name, w := range want {
		g, ok := got[name]
		var f float64
		switch w := w.(type) {
		case nil:
			if ok {
				t.Errorf("%s is %v, wanted NULL\n%s", name, g, query)
			}
			continue
		case uint64:
			f = float64(w)
		case float64:
			f = w
		case *big.Rat:
			f, _ = w.Float64()
		}
		if !ok || math.Abs(g-f) > 1e-9*max(1, math.Abs(f)) {
			t.Errorf("%s is %v (%v), wanted %v\n%s", name, g, ok, f, query)
		}
	}
}

// rat keeps a nil pointer nil.
func rat(r *big.Rat) any {
	if r == nil {
		return nil
	}
	return r
}

func open(t *testing.T) *sql.DB {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func columns(t *rapid.T, names ...string) *risk.Columns {
	c, err := risk.NewColumns(names...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func modes(t *rapid.T) risk.Missing {
	return risk.Missing{Mode: rapid.SampledFrom([]risk.MissingMode{risk.Own, risk.Drop}).Draw(t, "mode"), Markers: []string{"", "*"}}
}

func TestClassesInSQL(t *testing.T) {
	db := open(t)
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, db)
		missing := modes(t)
		q := risksql.Query{Dialect: risksql.DuckDB, Table: "da ta", QI: []string{"a", `b"`}, Missing: missing}
		c := risk.NewClasses(columns(t, "a", "b"), 2)
		e := risk.NewEntities(columns(t, "a", "b", "id"))
		for _, r := range s.rows {
			if err := c.Add(1, r[0], r[1]); err != nil {
				t.Fatal(err)
			}
			if err := e.Add(1, r[0], r[1], r[3]); err != nil {
				t.Fatal(err)
			}
		}
		k, err := c.KAnonymity(t.Context(), missing, 0)
		if err != nil {
			t.Fatal(err)
		}
		text, err := q.KAnonymity()
		got := s.row(t, text, err)
		want := map[string]any{"records": k.Records, "excluded": k.Excluded, "classes": k.Classes, "sample_uniques": k.Uniques}
		if k.Records > 0 {
			want["k"], want["max_class"], want["prosecutor_max_risk"], want["average_risk"] = k.K, k.MaxClass, k.MaxRisk, k.AverageRisk
		} else {
			want["k"], want["prosecutor_max_risk"] = nil, nil
		}
		agree(t, text, got, want)

		q.Entity = "id"
		ke, err := e.KAnonymity(t.Context(), missing, 0)
		if err != nil {
			t.Fatal(err)
		}
		text, err = q.KAnonymity()
		got = s.row(t, text, err)
		want = map[string]any{"entities": ke.Entities, "rows": ke.Records, "excluded": ke.Excluded, "without_id": ke.WithoutID, "classes": ke.Classes, "uniques": ke.Uniques}
		if ke.Entities > 0 {
			want["k"], want["max_class"] = ke.K, ke.MaxClass
		}
		agree(t, text, got, want)
	})
}

func TestSensitiveInSQL(t *testing.T) {
	db := open(t)
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, db)
		missing := modes(t)
		ignore := rapid.Bool().Draw(t, "ignore")
		q := risksql.Query{Dialect: risksql.DuckDB, Table: "da ta", QI: []string{"a", `b"`}, Sensitive: "s", Missing: missing,
			IgnoreMissing: ignore, L: rapid.IntRange(1, 4).Draw(t, "l")}
		c := risk.NewSensitive(columns(t, "a", "b", "s"), 2)
		for _, r := range s.rows {
			if err := c.Add(1, r[0], r[1], r[2]); err != nil {
				t.Fatal(err)
			}
		}
		ls, err := c.LDiversity(t.Context(), missing, !ignore, []uint64{uint64(q.L)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		l := ls[0]
		text, err := q.LDiversity()
		want := map[string]any{"classes": l.Classes}
		if l.Classes > 0 {
			want["distinct_l"], want["entropy_l"], want["alpha"] = l.Distinct, l.Entropy, rat(l.Alpha)
			want["c_infimum"] = nil
			for _, r := range l.Recursive {
				if r.L == uint64(q.L) {
					want["c_infimum"] = rat(r.Infimum)
				}
			}
		}
		agree(t, text, s.row(t, text, err), want)

		for _, q.Distance = range []risk.Distance{risk.Equal, risk.Ordered} {
			if q.Distance == risk.Ordered && !ignore {
				continue // the empty text is no number
			}
			ts, err := c.TCloseness(t.Context(), missing, !ignore, []risk.Distance{q.Distance}, 0)
			if err != nil {
				t.Fatal(err)
			}
			tc := ts[0]
			text, err := q.TCloseness()
			want := map[string]any{"distinct_values": tc.Values, "t_float": rat(tc.T)}
			agree(t, text, s.row(t, text, err), want)
		}
	})
}

func TestKMapInSQL(t *testing.T) {
	db := open(t)
	rapid.Check(t, func(t *rapid.T) {
		s := drawSheet(t, db)
		q := risksql.Query{Dialect: risksql.DuckDB, Table: "da ta", QI: []string{"a", `b"`}, Population: "people", Count: "n", Missing: risk.Missing{Mode: risk.Own}}
		c := risk.NewClasses(columns(t, "a", "b"), 2)
		for _, r := range s.rows {
			if err := c.Add(1, r[0], r[1]); err != nil {
				t.Fatal(err)
			}
		}
		people := risk.NewPopulation(c, nil)
		s.exec(t, `CREATE OR REPLACE TABLE people ("a" VARCHAR, "b""" VARCHAR, n BIGINT)`)
		complete := rapid.Bool().Draw(t, "complete")
		for g := range c.Len() {
			tuple := c.Tuple(g)
			n := rapid.IntRange(0, 60).Draw(t, "people")
			if complete {
				n++
			}
			for _, part := range []int{n / 2, n - n/2} { // in two rows
				if err := people.Add(uint64(part), tuple...); err != nil {
					t.Fatal(err)
				}
				s.exec(t, fmt.Sprintf("INSERT INTO people VALUES (%s, %s, %d)", quote(tuple[0]), quote(tuple[1]), part))
			}
		}
		k := people.KMap(0)
		text, err := q.KMap()
		want := map[string]any{"records": k.Records, "tuples": k.Classes, "k_map": k.K,
			"tuples_absent_from_population": k.Absent, "tuples_with_population_below_sample": k.Below,
			"delta_max": nil, "journalist_max_risk": nil, "marketer_risk": nil, "journalist_avg_risk": nil}
		if k.Absent == 0 {
			want["delta_max"] = rat(k.Presence.Max)
			want["journalist_max_risk"], want["marketer_risk"], want["journalist_avg_risk"] = rat(k.Journalist.Max), k.Journalist.Marketer, k.Journalist.Average
		}
		agree(t, text, s.row(t, text, err), want)
	})
}

// The queries read files as well as tables.
func TestSQLOnParquet(t *testing.T) {
	path := parquet(t, "SELECT (i % 7)::VARCHAR AS a, (i % 3)::VARCHAR AS b FROM range(100) t(i)")
	db := open(t)
	if _, err := db.Exec("CREATE VIEW v AS SELECT * FROM read_parquet(" + quote(path) + ")"); err != nil {
		t.Fatal(err)
	}
	text, err := (&risksql.Query{Dialect: risksql.DuckDB, Table: "v", QI: []string{"a", "b"}}).Histogram()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var size, classes, records int64
		if err := rows.Scan(&size, &classes, &records); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(size, classes, records))
	}
	if want := "4 5 20,5 16 80"; strings.Join(got, ",") != want {
		t.Errorf("histogram %q, wanted %q", got, want)
	}
}
