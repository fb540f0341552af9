// Package risksql writes the measures of package risk as SQL, for records that are in
// a warehouse and stay there. One query gives one row, whose columns are called as in the JSON
// documents of hitoku risk.
//
// Queries keep the meaning of package risk: values are compared byte by byte as text,
// NULL is the empty text, a missing quasi-identifier is a value of its own or its record is
// dropped. They use common table expressions, aggregates and window functions, and nothing that
// DuckDB, BigQuery and Spark do not share but quoting, the name of the text type and integer
// division. Shares are double precision.
package risksql

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Dialect is a kind of SQL.
type Dialect string

// Dialects.
const (
	DuckDB   Dialect = "duckdb"
	BigQuery Dialect = "bigquery"
	Spark    Dialect = "spark"
)

// Dialects are all of them.
var Dialects = []Dialect{DuckDB, BigQuery, Spark}

// Check wants a dialect that exists.
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

// asText is a column as text, NULL as the empty one.
func (d Dialect) asText(column string) string {
	return "COALESCE(CAST(" + column + " AS " + d.textType() + "), '')"
}

func (d Dialect) textType() string {
	if d == DuckDB {
		return "VARCHAR"
	}
	return "STRING"
}

// real is an expression as a double.
func (d Dialect) real(x string) string {
	kind := "DOUBLE"
	if d == BigQuery {
		kind = "FLOAT64"
	}
	return "CAST(" + x + " AS " + kind + ")"
}
