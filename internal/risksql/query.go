package risksql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// A Query says what to measure.
type Query struct {
	Dialect   Dialect
	Table     string   // its name, with parts separated by points
	QI        []string // quasi-identifiers
	Entity    string   // for KAnonymity: column of the entities' id; empty: records
	Sensitive string   // for LDiversity and TCloseness
	L         int      // for LDiversity: the l of recursive (c,l)-diversity; 0: 2
	Distance  risk.Distance
	// Population is the table with which KMap compares. It has the columns QI; if Count is named, that column
	// says how many people a row stands for.
	Population, Count string
	Missing           risk.Missing // Own or Drop
	// IgnoreMissing leaves records without a sensitive value out of the values of their class.
	IgnoreMissing bool
}

// base returns the part common to all queries: the records that count, with quasi-identifiers q1, q2, … as
// text.
func (q *Query) base(more ...string) (with []string, keys string, err error) {
	if err := q.Dialect.Check(); err != nil {
		return nil, "", err
	}
	switch {
	case len(q.QI) == 0:
		return nil, "", i18n.New("no quasi-identifiers")
	case q.Missing.Mode == risk.Wildcard:
		return nil, "", i18n.New("missing values as wildcards are not to be had in SQL; want own or drop")
	}
	for _, c := range append(slices.Clone(q.QI), more...) {
		if n := len(slices.DeleteFunc(append(slices.Clone(q.QI), more...), func(o string) bool { return o != c })); n > 1 {
			return nil, "", i18n.Errorf("column %q is named twice", c)
		}
	}
	list, keys, err := q.columns(more)
	if err != nil {
		return nil, "", err
	}
	from, err := q.Dialect.table(q.Table)
	if err != nil {
		return nil, "", err
	}
	with = append(with, "raw AS (SELECT "+list+" FROM "+from+")")
	where := "TRUE"
	if q.Missing.Mode == risk.Drop {
		where = "NOT (" + q.missing() + ")"
	}
	return append(with, "records AS (SELECT * FROM raw WHERE "+where+")"), keys, nil
}

// columns returns the quasi-identifiers as q1, q2, … and further columns as x1, x2, ….
func (q *Query) columns(more []string) (list, keys string, err error) {
	var out, names []string
	add := func(column, as string) error {
		c, err := q.Dialect.name(column)
		out = append(out, q.Dialect.asText(c)+" AS "+as)
		return err
	}
	for k, c := range q.QI {
		as := fmt.Sprintf("q%d", k+1)
		names = append(names, as)
		if err := add(c, as); err != nil {
			return "", "", err
		}
	}
	for k, c := range more {
		if err := add(c, fmt.Sprintf("x%d", k+1)); err != nil {
			return "", "", err
		}
	}
	return strings.Join(out, ", "), strings.Join(names, ", "), nil
}

// missing returns the condition that some quasi-identifier is missing.
func (q *Query) missing() string {
	any := sets.List(len(q.QI), func(k int) string { return q.isMissing(fmt.Sprintf("q%d", k+1)) })
	return strings.Join(any, " OR ")
}

// isMissing returns the condition that a column holds a marker of missing values.
func (q *Query) isMissing(column string) string {
	if len(q.Missing.Markers) == 0 {
		return "FALSE"
	}
	markers := sets.Each(q.Missing.Markers, q.Dialect.text)
	return column + " IN (" + strings.Join(markers, ", ") + ")"
}

// finish joins the parts of a query.
func finish(with []string, last string) string {
	return "WITH\n  " + strings.Join(with, ",\n  ") + "\n" + last + "\n"
}

// same returns the condition that two rows, of a and b, have the same keys.
func same(keys, a, b string) string {
	return strings.Join(sets.Each(strings.Split(keys, ", "), func(k string) string { return a + "." + k + " = " + b + "." + k }), " AND ")
}

// prefix qualifies the columns of keys by the name of a table.
func prefix(keys, table string) string {
	return table + "." + strings.ReplaceAll(keys, ", ", ", "+table+".")
}
