package sdmx

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// endColumns are the attributes with the ends of an interval that is published in place of a value. They are
// this package's own, since SDMX defines none.
var endColumns = [2]string{"LOWER", "UPPER"}

// Intervals implements formats.Intervaller.
func (s *reader) Intervals() error {
	for k, name := range endColumns {
		if s.ends[k] < 0 && slices.Contains(s.name, name) {
			return i18n.Errorf("%s: %s is a column of another kind, but intervals are written to one of that name; rename it", s.file, name)
		}
	}
	return nil
}

// interval reads the interval of line i, which has no value.
func (s *reader) interval(i int, rec *table.Record) error {
	for k, to := range [2]*table.Number{&rec.Lower, &rec.Upper} {
		c := s.ends[k]
		if c < 0 || s.rows[i][c] == "" {
			continue
		}
		switch strings.ToLower(s.rows[i][c]) {
		case "-inf":
			*to = table.Number{Set: true, Inf: -1}
			continue
		case "inf":
			*to = table.Number{Set: true, Inf: 1}
			continue
		}
		v, err := s.decimal(i, c)
		if err != nil {
			return s.badEnd(i, c, i18n.T("want a number, or -inf or inf"))
		}
		*to = table.Number{Decimal: v, Set: true}
	}
	if lo, up := &rec.Lower, &rec.Upper; lo.Set && up.Set && (lo.Inf > 0 || up.Inf < 0 || lo.Inf == 0 && up.Inf == 0 && rat(lo).Cmp(rat(up)) > 0) {
		return s.badEnd(i, s.ends[0], i18n.T("want at most %s", endColumns[1]))
	}
	return nil
}

func (s *reader) badEnd(i, c int, want i18n.Text) error {
	return &formats.Error{File: s.file, Line: s.line[i], Field: s.name[c], Value: formats.Show(s.rows[i][c]), Want: want, Err: formats.ErrEnds}
}

func rat(v *table.Number) *big.Rat { return new(big.Rat).SetFrac64(v.Unscaled, table.Pow10(v.Scale)) }

// endsOf returns the interval that is published for cell i.
func (s *reader) endsOf(in *formats.Input, i int) (lower, upper string) {
	lower, upper = formats.Interval(in, i)
	return s.point(lower), s.point(upper)
}

// jsonEnds holds the ends of intervals as attributes of observations.
type jsonEnds struct {
	ends [][2]string // for each cell
	used [2][]string
}

func newJSONEnds(ends [][2]string) *jsonEnds {
	x := &jsonEnds{ends: ends}
	for k := range x.used {
		for _, e := range ends {
			if e[k] != "" {
				x.used[k] = append(x.used[k], e[k])
			}
		}
		slices.Sort(x.used[k])
		x.used[k] = slices.Compact(x.used[k])
	}
	return x
}

// attributes returns the descriptions of the two attributes.
func (x *jsonEnds) attributes() []jsonAttribute {
	var all []jsonAttribute
	for k, id := range endColumns {
		a := jsonAttribute{ID: id, Relationship: map[string]struct{}{"observation": {}}}
		for _, end := range x.used[k] {
			a.Values = append(a.Values, jsonCode{Value: end})
		}
		if x.ends != nil {
			all = append(all, a)
		}
	}
	return all
}

// of returns the attributes of observation i, which follow its statuses.
func (x *jsonEnds) of(i int) string {
	text := ""
	for k := range x.used {
		switch {
		case x.ends == nil:
		case x.ends[i][k] == "":
			text += ",null"
		default:
			at, _ := slices.BinarySearch(x.used[k], x.ends[i][k])
			text += "," + strconv.Itoa(at)
		}
	}
	return text
}
