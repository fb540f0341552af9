package tabulate

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Split returns one spec, called NAME.RESPONSE, for each of the comma-separated variables of p.Response; p alone if
// there is only one.
func (p Spec) Split() ([]Spec, error) {
	if !strings.Contains(p.Response, ",") {
		return []Spec{p}, nil
	}
	var out []Spec
	for _, name := range strings.Split(p.Response, ",") {
		q := p
		if q.Response = strings.TrimSpace(name); q.Response == "" || strings.EqualFold(q.Response, "<freq>") {
			return nil, i18n.Errorf("%q: want variables; the numbers of records are a column freq in any case", "response "+p.Response)
		}
		q.Name = cmp.Or(q.Name, strings.Join(p.Dims, "_"))
		q.Name += "." + q.Response
		out = append(out, q)
	}
	return out, nil
}

// WriteCSV writes a table as tidy CSV: the dimensions; value and freq (freq alone for counts of records); cost if the
// spec has one; status, reason, lpl and upl if there are rules; and the largest contributions. Cells without
// contributors are left out. Several results are tables of different responses over the same cells and make one file:
// the dimensions, freq, cost, then for every response its values and its other columns, prefixed with its name and a
// point. The summaries are those of the tables, in order.
func WriteCSV(w io.Writer, results ...*Result) ([]Summary, error) {
	if len(results) == 1 {
		sum, err := results[0].write(w)
		return []Summary{sum}, err
	}
	o, first := newCSV(w), results[0]
	o.header(first)
	o.field("freq")
	if first.Spec.Cost != "" {
		o.field("cost")
	}
	sums := make([]Summary, len(results))
	for k, r := range results {
		if r.Len() != first.Len() {
			return nil, i18n.Errorf("table %s: other cells than %s", r.Spec.Name, first.Spec.Name)
		}
		o.field(r.Spec.Response)
		r.head(o, r.Spec.Response+".")
		sums[k].By = map[table.Reason]int{}
	}
	o.end()
	var codes []string
	for n := range first.Len() {
		for k, r := range results {
			c, err := r.Cell(n)
			if err != nil {
				return nil, err
			}
			if k == 0 {
				codes = c.Codes
				for _, code := range codes {
					o.field(code)
				}
				o.field(strconv.FormatInt(c.Freq, 10))
				if r.Spec.Cost != "" {
					o.field(c.Cost.String())
				}
			} else if !slices.Equal(c.Codes, codes) {
				return nil, i18n.Errorf("table %s: other cells than %s", r.Spec.Name, first.Spec.Name)
			}
			o.field(c.Value.String())
			r.judged(o, &c, &sums[k])
		}
		o.end()
	}
	return sums, o.Flush()
}
