package formats

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// maxToken is the longest number in a JJ file.
const maxToken = 64

// tokens splits a JJ file into words. Parentheses and colons are words of their own; blanks and line ends only
// separate.
type tokens struct {
	r    *Text
	file string
	line int // line of the word returned last
	buf  []byte
}

// next returns the next word, or "" at the end. It is valid until the next call.
func (t *tokens) next() (string, error) {
	t.buf = t.buf[:0]
	for blank := 0; ; blank++ {
		if blank == maxLine {
			return "", t.fault("", "", i18n.T("more than %d blanks in a row", maxLine))
		}
		c, err := t.r.ReadByte()
		if err == io.EOF {
			return string(t.buf), nil
		}
		if err != nil {
			return "", err
		}
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if len(t.buf) > 0 {
				t.r.UnreadByte()
				return string(t.buf), nil
			}
			if c == '\n' {
				t.line++
			}
		case c == '(' || c == ')' || c == ':':
			if len(t.buf) > 0 {
				t.r.UnreadByte()
				return string(t.buf), nil
			}
			return string(rune(c)), nil
		default:
			if len(t.buf) == maxToken {
				return "", t.fault("", string(t.buf), i18n.T("a word longer than %d bytes; not a JJ file?", maxToken))
			}
			t.buf = append(t.buf, c)
		}
	}
}

func (t *tokens) fault(column, value string, want i18n.Text) error {
	e := &Error{File: t.file, Line: t.line, Field: column, Want: want}
	if value != "" {
		e.Value = Show(value)
	}
	return e
}

// word returns the next word, which must exist; part says for a message where the file ended otherwise.
func (t *tokens) word(part func() i18n.Text) (string, error) {
	s, err := t.next()
	if err == nil && s == "" {
		err = t.fault("", "", i18n.T("the file ends %s", part()))
	}
	return s, err
}

// whole returns the next word as an integer in lo … hi.
func (t *tokens) whole(column string, lo, hi int, part func() i18n.Text) (int, error) {
	s, err := t.word(part)
	if err != nil {
		return 0, err
	}
	d, err := table.ParseDecimal(s)
	if v, ok := d.At(0); err == nil && ok && v >= int64(lo) && v <= int64(hi) && strings.IndexByte(s, ',') < 0 {
		return int(v), nil
	}
	return 0, t.fault(column, s, i18n.T("want an integer from %d to %d", lo, hi))
}

// decimal returns the next word as a number. If bound is set, a number of more than 18 digits is an infinite
// bound.
func (t *tokens) decimal(column string, bound bool, part func() i18n.Text) (table.Number, error) {
	s, err := t.word(part)
	if err != nil {
		return table.Number{}, err
	}
	if bound {
		// Solvers' usual infinities (1e20, 1e30, inf) all mean that there is no bound.
		if f, err := strconv.ParseFloat(s, 64); (err == nil || errors.Is(err, strconv.ErrRange)) && math.Abs(f) > 1e18 {
			n := table.Number{Set: true, Inf: 1}
			if f < 0 {
				n.Inf = -1
			}
			return n, nil
		}
	}
	d, err := table.ParseDecimal(s)
	switch {
	case err != nil:
		return table.Number{}, t.fault(column, s, i18n.T("%s", err))
	case strings.IndexByte(s, ',') >= 0:
		return table.Number{}, t.fault(column, s, i18n.T("want a decimal point"))
	}
	return table.Number{Decimal: d, Set: true}, nil
}

// expect reads a word, which must be want.
func (t *tokens) expect(want string, part func() i18n.Text) error {
	s, err := t.word(part)
	if err == nil && s != want {
		err = t.fault("", s, i18n.T("want %s", want))
	}
	return err
}

// jjColumns are the numbers of a line of a cell; its status is between weight and lb.
var jjColumns = [...]string{"value", "weight", "lb", "ub", "LPL", "UPL", "SPL"}

var jjStatus = map[string]table.Status{"s": table.Safe, "u": table.Sensitive, "z": table.Published, "m": table.Withheld}

// readJJ reads
//
//	0
//	n
//	index value weight status lb ub LPL UPL SPL      n lines
//	m
//	rhs terms : index (coef) index (coef) …          m lines
func readJJ(in *Input, r *Text) error {
	t := &tokens{r: r, file: in.File, line: 1}
	if b, _ := r.Peek(len(records.Mark)); string(b) == string(records.Mark) {
		r.Discard(len(records.Mark))
	}
	head := func() i18n.Text { return i18n.T("before its number of cells") }
	first, err := t.next()
	if err != nil {
		return err
	}
	if first == "" {
		return &Error{File: in.File, Want: i18n.T("the file is empty, want a JJ file")}
	}
	if first != "0" {
		return t.fault("", first, i18n.T("want 0 on the first line of a JJ file"))
	}
	n, err := t.whole("", 1, int(budget.Cells.Max()), head)
	if err != nil {
		return err
	}
	cells, err := in.jjCells(t, n)
	if err != nil {
		return err
	}
	rel, lines, err := jjRelations(t, n)
	if err != nil {
		return err
	}
	if s, err := t.next(); err != nil {
		return err
	} else if s != "" {
		return t.fault("", s, i18n.T("text behind the last relation"))
	}
	return in.jjTable(cells, rel, lines)
}

// jjCells holds the columns of the lines of cells, indexed as jjColumns.
type jjCells struct {
	number [len(jjColumns)][]table.Number
	status []table.Status
}

func (in *Input) jjCells(t *tokens, n int) (*jjCells, error) {
	c := &jjCells{}
	for i := range n {
		part := func() i18n.Text { return i18n.T("after %d of %d cells", i, n) }
		if s, err := t.word(part); err != nil {
			return nil, err
		} else if s != strconv.Itoa(i) {
			return nil, t.fault("index", s, i18n.T("want %d, cells are numbered from 0 in order", i))
		}
		if want := t.r.Room(i + 1); !want.IsZero() {
			return nil, t.fault("", "", want)
		}
		in.lines = append(in.lines, int32(t.line))
		for k, name := range jjColumns {
			if name == "lb" {
				s, err := t.word(part)
				if err != nil {
					return nil, err
				}
				st, ok := jjStatus[s]
				if !ok {
					return nil, t.fault("status", s, i18n.T("want s, u, z or m"))
				}
				c.status = append(c.status, st)
			}
			v, err := t.decimal(name, name == "lb" || name == "ub", part)
			if err != nil {
				return nil, err
			}
			switch {
			case v.Unscaled >= 0 || v.Inf != 0:
			case name == "weight":
				return nil, t.fault(name, v.String(), i18n.T("costs must be ≥ 0"))
			case name == "LPL" || name == "UPL" || name == "SPL":
				return nil, t.fault(name, v.String(), i18n.T("protection levels must be ≥ 0"))
			}
			c.number[k] = append(c.number[k], v)
		}
	}
	return c, nil
}

// jjTerms holds the relations until the number of decimals is known.
type jjTerms struct {
	*table.Relations
	rhs []table.Number
}

func jjRelations(t *tokens, n int) (*jjTerms, []int32, error) {
	head := func() i18n.Text { return i18n.T("before its number of relations") }
	m, err := t.whole("", 0, int(budget.Terms.Max()), head)
	if err != nil {
		return nil, nil, err
	}
	rel := &jjTerms{Relations: table.NewRelations(n)}
	var lines, cell, coef []int32
	seen := make([]int32, n) // 1 + the last relation that has the cell
	for j := range m {
		part := func() i18n.Text { return i18n.T("after %d of %d relations", j, m) }
		rhs, err := t.decimal("rhs", false, part)
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, int32(t.line))
		terms, err := t.whole("terms", 1, n, part)
		if err != nil {
			return nil, nil, err
		}
		if err := t.expect(":", part); err != nil {
			return nil, nil, err
		}
		cell, coef = cell[:0], coef[:0]
		for range terms {
			i, err := t.whole("index", 0, n-1, part)
			if err != nil {
				return nil, nil, err
			}
			if seen[i] == int32(j)+1 {
				return nil, nil, t.fault("index", strconv.Itoa(i), i18n.T("cell given twice in a relation"))
			}
			seen[i] = int32(j) + 1
			if err := t.expect("(", part); err != nil {
				return nil, nil, err
			}
			c, err := t.whole("coef", math.MinInt32+1, math.MaxInt32, part)
			if err != nil {
				return nil, nil, err
			}
			if c == 0 {
				return nil, nil, t.fault("coef", "0", i18n.T("want an integer other than 0"))
			}
			if err := t.expect(")", part); err != nil {
				return nil, nil, err
			}
			cell, coef = append(cell, int32(i)), append(coef, int32(c))
		}
		if budget.Terms.Passed(len(rel.Cell) + len(cell)) {
			return nil, nil, t.fault("", "", i18n.T("more than %d terms in all relations%s", budget.Terms.Max(), budget.Remedy()))
		}
		rel.Add(cell, coef, 0)
		rel.rhs = append(rel.rhs, rhs)
	}
	return rel, lines, nil
}

// jjTable makes the table, with all numbers at one scale.
func (in *Input) jjTable(c *jjCells, rel *jjTerms, relLine []int32) error {
	n := len(c.status)
	t := &table.Table{Name: in.name(), Status: c.status, Rel: rel.Relations}
	for k, column := range c.number {
		to := &t.Decimals
		if jjColumns[k] == "weight" {
			to = &t.CostDecimals
		}
		for _, v := range column {
			*to = max(*to, v.Scale)
		}
	}
	for _, v := range rel.rhs {
		t.Decimals = max(t.Decimals, v.Scale)
	}
	for k, to := range []*[]int64{&t.Value, &t.Cost, &t.Lower, &t.Upper, &t.LPL, &t.UPL, &t.Width} {
		*to = make([]int64, n)
		scale := t.Decimals
		if jjColumns[k] == "weight" {
			scale = t.CostDecimals
		}
		for i, v := range c.number[k] {
			u, ok := scaled(v, scale)
			if !ok && (jjColumns[k] == "lb" || jjColumns[k] == "ub") {
				u, ok = scaled(table.Number{Inf: sign(v.Unscaled)}, scale)
			}
			if !ok {
				return &Error{File: in.File, Line: in.Line(i), Field: jjColumns[k], Value: v.String(), Want: tooManyDigits(scale)}
			}
			(*to)[i] = u
		}
	}
	for i := range n {
		t.Give(i, table.LowerSide|table.UpperSide)
	}
	for j, v := range rel.rhs {
		u, ok := scaled(v, t.Decimals)
		if !ok {
			return &Error{File: in.File, Line: int(relLine[j]), Field: "rhs", Value: v.String(), Want: tooManyDigits(t.Decimals)}
		}
		rel.RHS[j] = u
	}
	in.HasCosts, in.HasStatus, in.HasLevels, in.HasBounds = true, true, true, true
	if bad := t.CheckAdditive(1); bad != nil {
		return &Error{File: in.File, Line: int(relLine[bad[0].Index]), Err: bad[0],
			Want: i18n.T("%s: its terms add up to %s, want %s", bad[0].Relation, bad[0].Got, bad[0].Want)}
	}
	if err := t.Validate(); err != nil {
		e := &Error{File: in.File, Want: i18n.T("%s", err), Err: err}
		var bad *table.CellError
		if errors.As(err, &bad) {
			i, _ := strconv.Atoi(bad.Cell)
			e.Line, e.Field, e.Value, e.Want = in.Line(i), jjField(bad.Column), bad.Value, bad.Want
		}
		return e
	}
	in.Table = t
	return nil
}

func scaled(v table.Number, scale int) (int64, bool) {
	switch v.Inf {
	case 1:
		return table.PosInf, true
	case -1:
		return table.NegInf, true
	}
	return v.At(scale)
}

func sign(v int64) int8 {
	if v < 0 {
		return -1
	}
	return 1
}

func tooManyDigits(scale int) i18n.Text {
	return i18n.T("does not fit beside numbers with %d decimals in 18 digits", scale)
}

// jjField returns the JJ column for a field of a tidy file.
func jjField(field string) string {
	switch field {
	case "cost":
		return "weight"
	case "lower":
		return "lb"
	case "upper":
		return "ub"
	}
	return field
}
