// Package risksql writes the measures of package risk as SQL, for records that are in a warehouse and stay
// there. A query gives one row, with columns named as in the JSON documents of hitoku risk.
//
// Queries have the semantics of package risk: values are compared byte by byte as text, NULL is the empty text,
// and a missing quasi-identifier is either a value of its own or its record is dropped. They use common table
// expressions, aggregates and window functions that DuckDB, BigQuery and Spark share; only quoting, the name of
// the text type and integer division differ. Shares are in double precision.
package risksql

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Dialect is a dialect of SQL.
type Dialect string

// Dialects.
const (
	DuckDB   Dialect = "duckdb"
	BigQuery Dialect = "bigquery"
	Spark    Dialect = "spark"
)

// Dialects lists all dialects.
var Dialects = []Dialect{DuckDB, BigQuery, Spark}

// Check returns an error if the dialect does not exist.
func (d Dialect) Check() error {
	if !slices.Contains(Dialects, d) {
		return i18n.Errorf("dialect %q: want duckdb, bigquery or spark", string(d))
	}
	return nil
}

// name quotes the name of a column or of one part of a table's name.
func (d Dialect) name(s string) (string, error) {
	if s == "" || strings.ContainsAny(s, "\x00\n\r") {
		return "", i18n.Errorf("name %q: want a text of one line", s)
	}
	switch d {
	case BigQuery:
		if strings.ContainsAny(s, "`\\") {
			return "", i18n.Errorf("name %q: BigQuery's names have no ` or \\", s)
		}
		return "`" + s + "`", nil
	case Spark:
		return "`" + strings.ReplaceAll(s, "`", "``") + "`", nil
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`, nil
}

// table quotes the name of a table, whose parts are separated by points.
func (d Dialect) table(s string) (string, error) {
	parts := strings.Split(s, ".")
	for k := range parts {
		q, err := d.name(parts[k])
		if err != nil {
			return "", i18n.Errorf("table %q: %w", s, err)
		}
		parts[k] = q
	}
	return strings.Join(parts, "."), nil
}

// text quotes a value.
func (d Dialect) text(s string) string {
	if d == DuckDB {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`).Replace(s) + "'"
}

// asText returns a column as text, with NULL as the empty text.
func (d Dialect) asText(column string) string {
	return "COALESCE(CAST(" + column + " AS " + d.textType() + "), '')"
}

func (d Dialect) textType() string {
	if d == DuckDB {
		return "VARCHAR"
	}
	return "STRING"
}

// real returns an expression converted to a double.
func (d Dialect) real(x string) string {
	kind := "DOUBLE"
	if d == BigQuery {
		kind = "FLOAT64"
	}
	return "CAST(" + x + " AS " + kind + ")"
}
