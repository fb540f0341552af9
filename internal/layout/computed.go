package layout

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A computed number is one that other numbers of the file explain. It is no cell of a table, but it reveals something
// about the cells that it is computed from.
type computed struct {
	at  fieldAt
	how string
	of  []fieldAt

	in map[fieldAt]bool // of as a set, made where it is long

	said  bool      // its header, label or format says that it is computed
	own   []fieldAt // one number twice if it may be the share of that number of itself
	other bool      // it may be computed from others, too
	base  fieldAt   // the divisor of a quotient, where it stands in a line of its own
}

// How numbers are computed.
const (
	asColumnShare = "per cent of the column total"
	asRowShare    = "per cent of another column"
	asGrandShare  = "per cent of the grand total"
	asQuotient    = "quotients"
	asChange      = "changes in per cent"
	asDifference  = "differences"
	asRank        = "ranks"
	asRepeat      = "repeated values"
	asCumulated   = "sum of columns"
	asRounded     = "rounded values"
	asMeasure     = "of another measure"
	asTold        = "computed, as somebody says"
)

// mostTried bounds how many formulas are tried in one file.
const mostTried = 1 << 26

// mostLooked bounds how many lines and numbers of one file are looked at to find formulas worth trying.
const mostLooked = 1 << 26

// A figureOf is a number of a grid and how many decimals it is written with.
type figureOf struct {
	v      float64
	places int
	ok     bool
}

// A surveyor looks for numbers that are computed from others, by the numbers alone.
type surveyor struct {
	sheets []*numbers
	tried  int
	looked int
	half   float64 // how far off a number may be by rounding, where others were computed from it before it was rounded
	found  map[fieldAt]*computed
}

// survey finds the numbers of the grids that are computed from others, and returns the grids without these, and what
// was found.
func (r *Reading) survey(grids []*Grid, o *Options, style func(*Grid) *numberStyle) ([]*Grid, []*computed) {
	s := &surveyor{found: map[fieldAt]*computed{}}
	// three roundings make a sum of two parts miss by one unit at most, so t is taken for the unit
	if t, err := strconv.ParseFloat(o.Tolerance, 64); err == nil && t > 0 {
		s.half = t / 2
	} else {
		s.half = float64(o.rounded) / 2
	}
	for _, g := range grids {
		n := numbersOf(g, style(g))
		n.found = s.found
		s.sheets = append(s.sheets, n)
	}
	for _, n := range s.sheets {
		s.hidden(n)
	}
	s.wholes()
	for _, n := range s.sheets {
		for _, k := range n.tables {
			columns := k.columns()
			s.lines(n, columns, math.MaxInt)
			s.cumulated(k, columns)
			s.means(columns)
		}
		for _, p := range n.parts {
			if len(n.parts) > len(n.tables) {
				columns := p.columns()
				s.lines(n, columns, math.MaxInt)
				s.cumulated(p, columns)
			}
			rows := p.rowLines()
			s.lines(n, rows, 3)
			s.means(rows)
			s.ranks(p)
		}
	}
	s.wholes() // now some of what is left may be computed from parts of others, or repeat them
	if s.tried > mostTried || s.looked > mostLooked {
		r.unlooked(o)
	}
	s.ground()
	if len(s.found) == 0 {
		return grids, nil
	}
	left := make([]*Grid, len(grids))
	for i, n := range s.sheets {
		left[i] = n.without(s.found)
	}
	r.labels = map[address]bool{}
	for _, n := range s.sheets {
		n.labels(r.labels)
	}
	r.bases = map[fieldAt]bool{}
	var all []*computed
	for _, f := range s.found {
		if f.base != (fieldAt{}) {
			r.bases[f.base] = true
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *computed) int { return a.at.compare(b.at) })
	return left, all
}

// unlooked asks about numbers that may be computed from others where there are too many to compare them all.
func (r *Reading) unlooked(o *Options) {
	if o.LeaveAside {
		return
	}
	r.open = append(r.open, &AmbiguityError{File: r.File.Name, Ambiguity: Ambiguity{
		Question: i18n.T("more numbers than are compared with each other: some may be computed from others, which would tell what is withheld"),
		Readings: []i18n.Text{i18n.T("somebody has looked, and none is"), i18n.T("the table is a part of them")},
		Options:  []string{"--leave-aside", "--sheet, --range"},
	}})
}

func (f fieldAt) compare(g fieldAt) int {
	return cmp.Or(strings.Compare(f.sheet, g.sheet), f.r-g.r, f.c-g.c)
}

// add notes what a number is computed from, a number twice for its share of itself. A formula that needs the number
// computed does not explain it.
func (s *surveyor) add(at fieldAt, said bool, how string, of ...fieldAt) {
	if slices.Contains(of, at) {
		return
	}
	f := s.found[at]
	if f == nil {
		f = &computed{at: at, how: how}
		s.found[at] = f
	}
	f.said = f.said || said
	switch self := len(of) == 2 && of[0] == of[1]; {
	case !self && (how != asCumulated || s.found[of[0]] == nil): // the shares of the parts add up to that of the whole
		f.other = true
	case self && f.own == nil:
		f.own = slices.Clone(of)
	}
	if len(f.of) == 0 {
		f.of = slices.Clip(of) // other numbers may share the slice
		return
	}
	for _, o := range of {
		if !f.has(o) {
			f.of = append(f.of, o)
			if f.in != nil {
				f.in[o] = true
			}
		}
	}
}

// has reports whether a number is computed from the one at o.
func (f *computed) has(o fieldAt) bool {
	if len(f.of) < 32 {
		return slices.Contains(f.of, o)
	}
	if f.in == nil {
		f.in = map[fieldAt]bool{}
		for _, x := range f.of {
			f.in[x] = true
		}
	}
	return f.in[o]
}
