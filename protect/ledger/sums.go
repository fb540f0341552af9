package ledger

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Sum is a stated relation Σ Times·Code = 0: between codes of the dimension Dim, at all codes of the other
// dimensions, or between single cells.
type Sum struct {
	File  string
	Line  int
	Text  string
	Dim   string // "": the only dimension that has any of the codes
	Terms []SumTerm
}

// A SumTerm is a code, or a cell given by codes of some dimensions, at the total of the others.
type SumTerm struct {
	Times int32
	Code  string
	Cell  map[string]string
}

func (s *Sum) wrong(format string, args ...any) error {
	return &formats.Error{File: s.File, Line: s.Line, Want: i18n.T(format, args...)}
}

const wantSum = `want a line like "dimension: A = B + C" or "[region=N, size=S] = [zone=1] + [zone=2]"`

// ReadSums reads a file of sums, one a line:
//
//	activity: salads = batavia + mache        # codes of one dimension, whatever the codes of the others
//	period: 2024H1 = 2024Q1 + 2024Q2
//	[region=N, activity=food] = [zone=Z1, activity=food] + [zone=Z2, activity=food]
//
// The dimension may be omitted if only one has any code of the line. Codes that contain a blank or one of : = + * # [ ]
// , are written in double quotes; 2*A is twice A, and − or - between blanks subtracts. Errors are *tableio.Error.
func ReadSums(r io.Reader, file string) ([]Sum, error) {
	var all []Sum
	in := bufio.NewScanner(r)
	in.Buffer(nil, int(budget.Line))
	n := 1
	for ; in.Scan(); n++ {
		s := Sum{File: file, Line: n}
		tokens, err := s.scan(strings.TrimPrefix(in.Text(), "\ufeff"))
		if err != nil {
			return nil, err
		}
		if len(tokens) == 0 {
			continue
		}
		if err := s.parse(tokens); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, &formats.Error{File: file, Line: n, Want: i18n.T("line longer than %d bytes", budget.Line)}
	} else if err != nil {
		return nil, i18n.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// A token is a punctuation mark, or a word if mark is 0.
type token struct {
	mark rune
	word string
}

// scan splits a line into tokens.
func (s *Sum) scan(line string) (all []token, err error) {
	text := []rune(line)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '#':
			i = len(text)
		case c == ' ' || c == '\t' || c == '\r' || c == '　':
		case strings.ContainsRune("=+*:[],", c):
			all = append(all, token{mark: c})
		case (c == '-' || c == '−') && (i+1 == len(text) || text[i+1] == ' '):
			all = append(all, token{mark: '-'})
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				end++
			}
			if end == len(text) {
				return nil, s.wrong(`%s: the quotation marks are not closed`, string(text[i:]))
			}
			all = append(all, token{word: string(text[i+1 : end])})
			i = end
		default:
			end := i
			for end < len(text) && !strings.ContainsRune(" \t\r　=+*:[],#\"", text[end]) {
				end++
			}
			all = append(all, token{word: string(text[i:end])})
			i = end - 1
		}
	}
	if len(all) > 0 {
		s.Text, _, _ = strings.Cut(line, "#")
		s.Text = strings.TrimSpace(s.Text)
	}
	return all, nil
}

// parse parses the tokens of a line.
func (s *Sum) parse(tokens []token) error {
	if len(tokens) > 2 && tokens[0].mark == 0 && tokens[1].mark == ':' {
		s.Dim, tokens = tokens[0].word, tokens[2:]
	}
	side, sign, term, equals := int32(1), int32(1), true, 0
	for i := 0; i < len(tokens); {
		if !term {
			switch tokens[i].mark {
			case '=':
				side, sign, equals = -1, 1, equals+1
			case '+':
				sign = 1
			case '-':
				sign = -1
			default:
				return s.wrong("%q: %s", s.Text, wantSum)
			}
			term = true
			i++
			continue
		}
		if tokens[i].mark == '-' && sign == 1 {
			sign = -1
			i++
			continue
		}
		x := SumTerm{Times: side * sign}
		if i+1 < len(tokens) && tokens[i].mark == 0 && tokens[i+1].mark == '*' {
			n, err := strconv.ParseInt(tokens[i].word, 10, 16)
			if err != nil || n < 1 {
				return s.wrong("%q: want a whole number from 1 to 32767 before *", tokens[i].word)
			}
			x.Times *= int32(n)
			i += 2
		}
		n, err := s.term(&x, tokens[i:])
		if err != nil {
			return err
		}
		i += n
		s.Terms, term = append(s.Terms, x), false
	}
	if equals != 1 || term || len(s.Terms) < 2 {
		return s.wrong("%q: %s", s.Text, wantSum)
	}
	cells := sets.Count(s.Terms, func(x SumTerm) bool { return x.Cell != nil })
	if cells > 0 && (cells < len(s.Terms) || s.Dim != "") {
		return s.wrong("%q: codes of a dimension and single cells do not stand in one line", s.Text)
	}
	return s.merge()
}

// term parses a code or a cell and returns the number of tokens used.
func (s *Sum) term(x *SumTerm, tokens []token) (int, error) {
	switch {
	case len(tokens) == 0:
		return 0, s.wrong("%q: %s", s.Text, wantSum)
	case tokens[0].mark == 0:
		x.Code = tokens[0].word
		return 1, nil
	case tokens[0].mark != '[':
		return 0, s.wrong("%q: %s", s.Text, wantSum)
	}
	x.Cell = map[string]string{}
	for i := 1; i+3 < len(tokens); i += 4 {
		dim, eq, code, end := tokens[i], tokens[i+1], tokens[i+2], tokens[i+3]
		if dim.mark != 0 || eq.mark != '=' || code.mark != 0 {
			break
		}
		if _, twice := x.Cell[dim.word]; twice {
			return 0, s.wrong("%q: %s twice in one cell", s.Text, dim.word)
		}
		x.Cell[dim.word] = code.word
		if end.mark == ']' {
			return i + 4, nil
		}
		if end.mark != ',' {
			break
		}
	}
	return 0, s.wrong("%q: want a cell like [region=N, size=S]", s.Text)
}

// merge adds up the coefficients of codes that occur twice.
func (s *Sum) merge() error {
	var once []SumTerm
	for _, x := range s.Terms {
		k := slices.IndexFunc(once, func(y SumTerm) bool { return y.Code == x.Code && maps.Equal(x.Cell, y.Cell) })
		if k < 0 {
			once = append(once, x)
			continue
		}
		once[k].Times += x.Times
	}
	s.Terms = slices.DeleteFunc(once, func(x SumTerm) bool { return x.Times == 0 })
	if len(s.Terms) < 2 {
		return s.wrong("%q: it says nothing", s.Text)
	}
	return nil
}

// A stated is a sum at one place: groups by term, nil if no table has a cell there.
type stated struct {
	sum   *Sum
	coord [][]int32 // by term
}

// sums adds the stated relations.
func (x *joiner) sums() error {
	var todo []stated
	for k := range x.opt.Sums {
		s := &x.opt.Sums[k]
		at, err := x.places(s)
		if err != nil {
			return err
		}
		todo = append(todo, at...)
	}
	for again := true; again; { // a cell that only sums name may complete another sum
		again = false
		rest := todo[:0]
		for _, at := range todo {
			done, err := x.state(at)
			if err != nil {
				return err
			}
			if again = again || done; !done {
				rest = append(rest, at)
			}
		}
		todo = rest
	}
	return nil
}

// places returns where a sum holds: at the coordinates of all cells that have one of its codes.
func (x *joiner) places(s *Sum) ([]stated, error) {
	if s.Terms[0].Cell != nil {
		at := stated{sum: s}
		for _, term := range s.Terms {
			coord := slices.Clone(x.sources[0].base)
			for _, name := range sortedKeys(term.Cell) {
				d, c, err := codeOf(x.Dims, name, term.Cell[name])
				if err != nil {
					return nil, s.wrong("%q: %v", s.Text, err)
				}
				coord[d] = c
			}
			at.coord = append(at.coord, coord)
		}
		return []stated{at}, nil
	}
	d, err := x.dimensionOf(s)
	if err != nil {
		return nil, err
	}
	codes := make([]int32, len(s.Terms))
	for k, term := range s.Terms {
		c := slices.Index(x.Dims[d].Codes, term.Code)
		if c < 0 { // no table has it: it becomes a code below the total
			c = len(x.Dims[d].Codes)
			x.Dims[d].Codes, x.Dims[d].Parent = append(slices.Clone(x.Dims[d].Codes), term.Code), append(slices.Clone(x.Dims[d].Parent), 0)
		}
		codes[k] = int32(c)
	}
	var all []stated
	seen := map[string]bool{}
	for _, g := range x.order {
		if !slices.Contains(codes, g.coord[d]) {
			continue
		}
		coord := slices.Clone(g.coord)
		coord[d] = -1
		if seen[key(coord)] {
			continue
		}
		seen[key(coord)] = true
		at := stated{sum: s}
		for _, c := range codes {
			one := slices.Clone(coord)
			one[d] = c
			at.coord = append(at.coord, one)
		}
		all = append(all, at)
	}
	return all, nil
}

// dimensionOf finds the dimension of a sum.
func (x *joiner) dimensionOf(s *Sum) (int, error) {
	if s.Dim != "" {
		for d := range x.Dims {
			if x.Dims[d].Name == s.Dim {
				return d, x.knows(s, d)
			}
		}
		return 0, s.wrong("%q: no table has the dimension %q", s.Text, s.Dim)
	}
	found := -1
	for d := range x.Dims {
		if x.knows(s, d) != nil {
			continue
		}
		if found >= 0 {
			return 0, s.wrong("%q: its codes are those of %s and of %s; say which, as in %q", s.Text, x.Dims[found].Name, x.Dims[d].Name, x.Dims[d].Name+": "+s.Text)
		}
		found = d
	}
	if found < 0 {
		return 0, s.wrong("%q: no dimension has any of its codes", s.Text)
	}
	return found, nil
}

// knows fails if no code of s is a code of dimension d.
func (x *joiner) knows(s *Sum, d int) error {
	for _, term := range s.Terms {
		if slices.Contains(x.Dims[d].Codes, term.Code) {
			return nil
		}
	}
	return s.wrong("%q: dimension %s has none of its codes", s.Text, x.Dims[d].Name)
}

// state adds a sum at one place if all its cells, or all but one, exist; the missing one is added as a cell that only
// sums name. done means that nothing is left to add.
func (x *joiner) state(at stated) (done bool, err error) {
	var cell, coef []int32
	missing := -1
	for k, coord := range at.coord {
		g := x.groups[key(coord)]
		switch {
		case g != nil && len(g.members()) > 0:
			cell, coef = append(cell, g.members()[0]), append(coef, at.sum.Terms[k].Times)
		case slices.ContainsFunc(x.sources, func(s *placed) bool { return s.covers(coord) }): // an empty cell
		case missing >= 0:
			return false, nil
		default:
			missing = k
		}
	}
	if len(cell) == 0 {
		return true, nil
	}
	if missing >= 0 {
		c, err := x.imply(at, missing, cell, coef)
		if err != nil {
			return false, err
		}
		cell, coef = append(cell, c), append(coef, at.sum.Terms[missing].Times)
	} else if err := x.holds(at.sum, cell, coef); err != nil {
		return false, err
	}
	x.relate(cell, coef, 0, -1, -1, i18n.T("%s:%d: %s", at.sum.File, at.sum.Line, at.sum.Text))
	return true, nil
}

// holds fails if all values of the sum are known and do not add up.
func (x *joiner) holds(s *Sum, cell, coef []int32) error {
	sum, ok := x.total(cell, coef)
	if !ok || sum.Sign() == 0 || x.Rounded() {
		return nil
	}
	names := sets.Each(cell, func(c int32) string { return x.Where(int(c)) + " = " + table.FormatDecimal(x.Value[c], x.Decimals) })
	return s.wrong("%q: it does not hold: %s, the two sides differ by %s", s.Text, strings.Join(names, ", "), table.FormatRat(new(big.Rat).SetInt(sum.Abs(sum)), x.Decimals))
}

// total returns Σ coef·value; ok is false unless all values are known.
func (x *joiner) total(cell, coef []int32) (*big.Int, bool) {
	sum := new(big.Int)
	for e, c := range cell {
		if x.Missing[c] {
			return nil, false
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(coef[e])), big.NewInt(x.Value[c])))
	}
	return sum, true
}

// imply adds the cell at.coord[k], which is in no table: nobody publishes it, but it may follow from the sum. Its value
// and number of contributors are computed from those of the others if these are known. It is sensitive unless its
// contributors are known to be enough, or none.
func (x *joiner) imply(at stated, k int, cell, coef []int32) (int32, error) {
	c := int32(x.Len())
	times := at.sum.Terms[k].Times
	lower, upper := int64(0), int64(table.PosInf)
	for _, e := range cell {
		lower = min(lower, x.Lower[e])
	}
	value, known := int64(0), false
	if sum, ok := x.total(cell, coef); ok {
		v, rest := new(big.Int).QuoRem(sum.Neg(sum), big.NewInt(int64(times)), new(big.Int))
		if !v.IsInt64() || rest.Sign() != 0 {
			return 0, at.sum.wrong("%q: what is left for %s is no number with %d decimals", at.sum.Text, at.sum.Terms[k].Code, x.Decimals)
		}
		if value, known = v.Int64(), true; value < lower && !x.Rounded() {
			return 0, at.sum.wrong("%q: what is left for %s is %s, below its bound %s", at.sum.Text, at.sum.Terms[k].Code, table.FormatDecimal(value, x.Decimals), table.FormatDecimal(lower, x.Decimals))
		}
	}
	freq := int64(0)
	for e, i := range cell {
		if x.Freq[i] < 0 || freq == -1 {
			freq = -1
			break
		}
		freq -= int64(coef[e]) * x.Freq[i]
	}
	if freq >= 0 {
		freq /= int64(times)
	} else if x.Counts && known {
		freq = value
	} else {
		freq = -1
	}
	x.coord = append(x.coord[:0], at.coord[k]...)
	g := x.group()
	g.hid = c
	x.Coord = append(x.Coord, x.coord...)
	x.Value, x.Missing = append(x.Value, value), append(x.Missing, !known)
	x.Status, x.Withheld = append(x.Status, table.Sensitive), append(x.Withheld, true)
	x.LPL, x.UPL, x.Width = append(x.LPL, 0), append(x.UPL, 0), append(x.Width, 0)
	x.Lower, x.Upper = append(x.Lower, lower), append(x.Upper, upper)
	x.Cost, x.Freq = append(x.Cost, 0), append(x.Freq, freq)
	x.origin = append(x.origin, origin{-1, -1})
	if freq == 0 || x.opt.Below > 0 && freq >= x.opt.Below {
		x.Status[c] = table.Withheld
	} else {
		x.guard(c)
	}
	return c, nil
}
