// Package duck reads record files with DuckDB: Parquet, which the main module does not read, and files of
// records too large for one pass over their text.
//
// It is a module of its own because DuckDB is a C++ library of some 60 MB. hitoku finds and runs the command
// hitoku-duck, which is built from it, if the name of an input ends in .parquet.
package duck

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	duckdb "github.com/duckdb/duckdb-go/v2" // also the driver called "duckdb"
)

// ErrFormat is returned for a file whose format is not read here.
var ErrFormat = errors.New("file name ends in neither .parquet, .csv, .tsv, .csv.gz nor .tsv.gz")

// A ColumnError says which column is missing from a file, or is not a text or number.
type ColumnError struct {
	File   string
	Column string
	Want   string
}

// Error has the form file: column "x": what was wanted.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("%s: column %q: wanted %s", e.File, e.Column, e.Want)
}

// Query says which records to read, and how many resources to use.
type Query struct {
	Files   []string // all Parquet, or all text, with the same columns
	Columns []string // in the order wanted; empty: all, in the order of the first file
	Count   string   // for Classes: the name of the column of counts; Rows ignores it
	Threads int      // 0: one for each core
	Memory  string   // as DuckDB writes it, "4GB"; empty: DuckDB's default, 80 % of the machine's
	Spill   string   // folder for what does not fit into Memory; empty: none
}

// Rows writes the records of the files to out as CSV (RFC 4180, UTF-8, LF), with a header, in the order of the
// files. Decimal and integer values are exact, binary floating-point values are the shortest decimals that read
// back as the same numbers; dates are ISO 8601; NULL is an empty field, and an empty string is "" in quotes.
// out must be a file or a pipe with a descriptor.
func Rows(ctx context.Context, out *os.File, q Query) error {
	return q.copy(ctx, out, false)
}

// Classes writes one line for each combination of values of q.Columns that occurs, with the number of its
// records at the end, in the format of Rows. The lines are sorted, NULL first. Memory is proportional to the
// number of combinations.
func Classes(ctx context.Context, out *os.File, q Query) error {
	if len(q.Columns) == 0 {
		return errors.New("classes: no columns named")
	}
	if slices.Contains(q.Columns, q.Count) {
		return &ColumnError{q.Files[0], q.Count, "another name for the column of counts"}
	}
	return q.copy(ctx, out, true)
}

func (q *Query) copy(ctx context.Context, out *os.File, group bool) (err error) {
	from, err := q.from()
	if err != nil {
		return err
	}
	db, err := q.open(ctx, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	columns, err := q.columns(ctx, db, from)
	if err != nil {
		return err
	}
	list := strings.Join(columns, ", ")
	query := "SELECT " + list + " FROM " + from
	if group {
		query = fmt.Sprintf("SELECT %s, count(*) AS %s FROM %s GROUP BY ALL ORDER BY ALL NULLS FIRST", list, quoteName(q.Count), from)
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("COPY (%s) TO %s (FORMAT csv, HEADER true)", query, quote(device(out))))
	return q.explain(err)
}

// SQL runs a query on the records of the files, which are the table records, and on those of population, if it
// has files, which are the table population. It writes a JSON document for each row, an object with the columns
// in the query's order.
func SQL(ctx context.Context, out io.Writer, q, population Query, query string) (err error) {
	tables := []string{}
	files := slices.Clone(q.Files)
	for name, t := range map[string]*Query{"records": &q, "population": &population} {
		if name == "population" && len(t.Files) == 0 {
			continue
		}
		from, err := t.from()
		if err != nil {
			return err
		}
		tables = append(tables, "CREATE VIEW "+name+" AS SELECT * FROM "+from)
	}
	q.Files = append(q.Files, population.Files...)
	db, err := q.open(ctx, nil)
	if err != nil {
		return err
	}
	q.Files = files
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, t := range tables {
		if _, err := db.ExecContext(ctx, t); err != nil {
			return q.explain(err)
		}
	}
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return q.explain(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values, at := make([]any, len(names)), make([]any, len(names))
	for k := range values {
		at[k] = &values[k]
	}
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return err
		}
		var doc bytes.Buffer
		for k, v := range values {
			if d, ok := v.(duckdb.Decimal); ok {
				v = json.Number(d.String())
			}
			name, _ := json.Marshal(names[k])
			value, err := json.Marshal(v)
			if err != nil {
				return fmt.Errorf("column %q: %w", names[k], err)
			}
			if k == 0 {
				doc.WriteByte('{')
			} else {
				doc.WriteByte(',')
			}
			doc.Write(name)
			doc.WriteByte(':')
			doc.Write(value)
		}
		doc.WriteString("}\n")
		if _, err := out.Write(doc.Bytes()); err != nil {
			return err
		}
	}
	return q.explain(rows.Err())
}

// open opens an empty database that can access the files of q, and out if that is not nil, but nothing else on
// the machine or outside it.
func (q *Query) open(ctx context.Context, out *os.File) (*sql.DB, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // settings belong to the connection
	var paths []string
	if out != nil {
		paths = append(paths, quote(device(out)))
	}
	for _, f := range q.Files {
		paths = append(paths, quote(f))
	}
	set := []string{
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET allowed_paths = [" + strings.Join(paths, ", ") + "]",
	}
	if q.Spill == "" {
		set = append(set, "SET temp_directory = ''")
	} else {
		set = append(set, "SET temp_directory = "+quote(q.Spill))
	}
	if q.Threads > 0 {
		set = append(set, fmt.Sprintf("SET threads = %d", q.Threads))
	}
	if q.Memory != "" {
		set = append(set, "SET memory_limit = "+quote(q.Memory))
	}
	set = append(set, "SET enable_external_access = false", "SET lock_configuration = true")
	for _, s := range set {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", s, err), db.Close())
		}
	}
	return db, nil
}

// from returns the table function that reads the files. Text stays text: the code 01 is not taken for the
// number 1.
func (q *Query) from() (string, error) {
	if len(q.Files) == 0 {
		return "", errors.New("no input")
	}
	var list []string
	parquet := 0
	for _, f := range q.Files {
		if _, err := os.Stat(f); err != nil {
			return "", err
		}
		switch name := strings.TrimSuffix(strings.ToLower(f), ".gz"); filepath.Ext(name) {
		case ".parquet":
			parquet++
		case ".csv", ".tsv":
		default:
			return "", fmt.Errorf("%s: %w", f, ErrFormat)
		}
		list = append(list, quote(f))
	}
	files := "[" + strings.Join(list, ", ") + "]"
	switch parquet {
	case len(q.Files):
		return "read_parquet(" + files + ")", nil
	case 0:
		return "read_csv(" + files + ", all_varchar = true, header = true)", nil
	}
	return "", fmt.Errorf("%s: inputs must all be Parquet or all be text", q.Files[0])
}

// columns returns the wanted columns, quoted for SQL.
func (q *Query) columns(ctx context.Context, db *sql.DB, from string) ([]string, error) {
	rows, err := db.QueryContext(ctx, "DESCRIBE SELECT * FROM "+from)
	if err != nil {
		return nil, q.explain(err)
	}
	defer rows.Close()
	types := map[string]string{}
	var names []string
	for rows.Next() {
		var name, kind string
		var rest [4]sql.NullString
		if err := rows.Scan(&name, &kind, &rest[0], &rest[1], &rest[2], &rest[3]); err != nil {
			return nil, err
		}
		types[name] = kind
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, q.explain(err)
	}
	if len(q.Columns) > 0 {
		names = q.Columns
	}
	quoted := make([]string, len(names))
	for k, name := range names {
		kind, ok := types[name]
		switch {
		case !ok:
			return nil, &ColumnError{q.Files[0], name, "a column of the file"}
		case slices.Contains(names[:k], name):
			return nil, &ColumnError{q.Files[0], name, "each column once"}
		case nested(kind):
			return nil, &ColumnError{q.Files[0], name, "text, a number or a date, not " + kind}
		}
		quoted[k] = quoteName(name)
	}
	return quoted, nil
}

// nested reports whether values of a type cannot be written as one field of text.
func nested(kind string) bool {
	if strings.HasSuffix(kind, "]") || kind == "BLOB" {
		return true
	}
	return slices.ContainsFunc([]string{"STRUCT", "MAP", "UNION", "VARIANT"}, func(p string) bool { return strings.HasPrefix(kind, p) })
}

// explain adds the file to an error if DuckDB does not name it. DuckDB's message begins with the kind of fault
// and ends with a copy of the query, which is ours and does not help the user.
func (q *Query) explain(err error) error {
	var fault *duckdb.Error
	if !errors.As(err, &fault) {
		return err
	}
	words, _, _ := strings.Cut(fault.Msg, "\n\nLINE ")
	return fmt.Errorf("%s: %s", strings.Join(q.Files, ", "), words)
}

// device returns the name under which DuckDB can open a descriptor that is open here.
func device(out *os.File) string { return fmt.Sprintf("/dev/fd/%d", out.Fd()) }

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
