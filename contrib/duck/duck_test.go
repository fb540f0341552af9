package duck

import (
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// parquet writes the result of a query to a file of a new folder.
func parquet(t *testing.T, query string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "it's.parquet")
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("COPY (" + query + ") TO " + quote(path)); err != nil {
		t.Fatal(err)
	}
	return path
}

// read is what do writes.
func read(t *testing.T, do func(out *os.File) error) (string, error) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		text <- string(b)
	}()
	err = do(w)
	w.Close()
	return <-text, err
}

func TestRowsKeepValues(t *testing.T) {
	path := parquet(t, `SELECT * FROM (VALUES
		('01', 12345678901234567.89::DECIMAL(20,2), 0.1::DOUBLE, 'a "b", c', DATE '2024-02-29'),
		('',   -0.10, NULL, NULL, NULL)) AS t("地域,コード", x, y, "say ""so""", d)`)
	got, err := read(t, func(out *os.File) error {
		return Rows(t.Context(), out, Query{Files: []string{path}})
	})
	want := "\"地域,コード\",x,y,\"say \"\"so\"\"\",d\n01,12345678901234567.89,0.1,\"a \"\"b\"\", c\",2024-02-29\n\"\",-0.10,,,\n"
	if err != nil || got != want {
		t.Errorf("rows: %v\n%swanted\n%s", err, got, want)
	}
}

func TestClassesCount(t *testing.T) {
	path := parquet(t, "SELECT (i % 3)::VARCHAR AS a, CASE WHEN i < 4 THEN NULL ELSE 'x' END AS b FROM range(10) t(i)")
	got, err := read(t, func(out *os.File) error {
		return Classes(t.Context(), out, Query{Files: []string{path}, Columns: []string{"b", "a"}, Count: "n"})
	})
	want := "b,a,n\n,0,2\n,1,1\n,2,1\nx,0,2\nx,1,2\nx,2,2\n"
	if err != nil || got != want {
		t.Errorf("classes: %v\n%swanted\n%s", err, got, want)
	}
}

func TestTextStaysText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("code,n\n01,1\n1,2\n01,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := read(t, func(out *os.File) error {
		return Classes(t.Context(), out, Query{Files: []string{path}, Columns: []string{"code"}, Count: "count", Threads: 1, Memory: "200MB"})
	})
	if want := "code,count\n01,2\n1,1\n"; err != nil || got != want {
		t.Errorf("classes: %v\n%swanted\n%s", err, got, want)
	}
}

func TestErrorsSayWhatWasWanted(t *testing.T) {
	good := parquet(t, "SELECT 1 AS a, [1, 2] AS list")
	torn := filepath.Join(t.TempDir(), "torn.parquet")
	if err := os.WriteFile(torn, []byte("PAR1 not really"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		q    Query
		want string
	}{
		"column":    {Query{Files: []string{good}, Columns: []string{"b"}}, good + `: column "b": wanted a column of the file`},
		"twice":     {Query{Files: []string{good}, Columns: []string{"a", "a"}}, good + `: column "a": wanted each column once`},
		"nested":    {Query{Files: []string{good}}, good + `: column "list": wanted text, a number or a date, not INTEGER[]`},
		"extension": {Query{Files: []string{"duck.go"}}, "duck.go: " + ErrFormat.Error()},
		"no input":  {Query{}, "no input"},
		"torn":      {Query{Files: []string{torn}}, torn + ": Invalid Input Error: No magic bytes found at end of file '" + torn + "'"},
	} {
		_, err := read(t, func(out *os.File) error { return Rows(t.Context(), out, c.q) })
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %q, wanted %q", name, err, c.want)
		}
	}
	_, err := read(t, func(out *os.File) error {
		return Rows(t.Context(), out, Query{Files: []string{good, "duck.go"}})
	})
	if !errors.Is(err, ErrFormat) {
		t.Errorf("mixed formats: %v, wanted %v", err, ErrFormat)
	}
}

func TestSQLGivesDocuments(t *testing.T) {
	data := parquet(t, "SELECT i % 2 AS a, i::DECIMAL(5,2) / 2 AS x, NULL AS n FROM range(5) t(i)")
	people := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(people, []byte("a,c\n0,10\n1,20\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	query := `SELECT r.a AS "a ""b""", p.c, sum(x)::DECIMAL(8,2) AS x, max(n) AS n, 0.5::DOUBLE AS h FROM records r JOIN population p ON r.a::VARCHAR = p.a GROUP BY ALL ORDER BY ALL`
	err := SQL(t.Context(), &got, Query{Files: []string{data}}, Query{Files: []string{people}}, query)
	want := `{"a \"b\"":0,"c":"10","x":3,"n":null,"h":0.5}` + "\n" + `{"a \"b\"":1,"c":"20","x":2,"n":null,"h":0.5}` + "\n"
	if err != nil || got.String() != want {
		t.Errorf("%v\n%swanted\n%s", err, got.String(), want)
	}
	err = SQL(t.Context(), &got, Query{Files: []string{data}}, Query{}, "SELECT * FROM read_csv('/etc/passwd')")
	if err == nil || !strings.Contains(err.Error(), "Permission Error") {
		t.Errorf("reading another file: %v, wanted a refusal", err)
	}
}

// A column name is data: it may not reach the machine's other files.
func TestNamesAreNotSQL(t *testing.T) {
	path := parquet(t, `SELECT 1 AS "a"" FROM read_csv('/etc/passwd') --"`)
	got, err := read(t, func(out *os.File) error { return Rows(t.Context(), out, Query{Files: []string{path}}) })
	if err != nil || !strings.HasSuffix(got, "\n1\n") {
		t.Errorf("rows: %v\n%s", err, got)
	}
}
