package risk

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
)

// withheld is the value that stands for any value.
const withheld = "*"

// A Hierarchy defines how the values of a column become coarser step by step. Level 0 is the value itself. Values that
// agree at one level agree at all further levels.
type Hierarchy struct {
	Kind  string // kind of the steps: none, file, band, prefix or withheld
	Names []string
	said  []i18n.Text
	steps []func(value string) (string, error)
}

// Levels returns the number of levels, including that of the values themselves.
func (h *Hierarchy) Levels() int { return len(h.steps) + 1 }

// value returns what a value becomes at a level.
func (h *Hierarchy) value(value string, level int) (string, error) {
	if level == 0 {
		return value, nil
	}
	return h.steps[level-1](value)
}

// NewHierarchy returns the hierarchy whose only level is the values themselves.
func NewHierarchy() *Hierarchy {
	return &Hierarchy{Kind: "none", Names: []string{"as it is"}, said: []i18n.Text{i18n.T("as it is")}}
}

// Said returns the name of a level for readers.
func (h *Hierarchy) Said(level int) fmt.Stringer { return h.said[level] }

func (h *Hierarchy) add(name i18n.Text, step func(string) (string, error)) {
	h.Names, h.said, h.steps = append(h.Names, name.String()), append(h.said, name), append(h.steps, step)
}

// Withhold adds a step at which every value becomes *, unless the last step already does that.
func (h *Hierarchy) Withhold() *Hierarchy {
	if n := len(h.Names); h.Names[n-1] != withheld {
		h.add(i18n.Term(withheld), func(string) (string, error) { return withheld, nil })
	}
	return h
}

// maxHierarchy is the largest size of a hierarchy file in bytes.
const maxHierarchy = 1 << 28

// ReadHierarchy reads a file without a header, in ARX's format: each line is a value followed by what it becomes at
// each step, as CSV with semicolons, commas or tabs. Values equal at one step must be equal at all later ones. The
// empty value stays unless a line has it.
func ReadHierarchy(path string, l Layout) (*Hierarchy, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer in.Close()
	b, _, err := records.Open(in, blockSize, nil)
	if err == nil {
		b, _ = records.Carriage(b)
		b, l.Encoding, _, err = records.Begin(b, l.Encoding)
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(b, maxHierarchy+1))
	}
	if err != nil {
		return nil, formats.InFile(path, err)
	}
	if len(text) > maxHierarchy {
		return nil, &formats.Error{File: path, Want: i18n.T("more than 256 MiB, too much for a hierarchy")}
	}
	return parseHierarchy(text, path, l)
}

func parseHierarchy(text []byte, path string, l Layout) (*Hierarchy, error) {
	if l.Separator == 0 {
		first, _, _ := bytes.Cut(text, []byte{'\n'})
		l.Separator = records.Separator(first)
	}
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(text, '\n')
	}
	split := records.Splitter{Sep: l.Separator}
	rows := map[string][]string{}
	width, line := 0, 1
	for at := 0; at < len(text); {
		if n := records.Blank(text[at:]); n > 0 {
			at += n
			line++
			continue
		}
		next, want := split.Split(text, at)
		if !want.IsZero() {
			return nil, &formats.Error{File: path, Line: line, Want: want}
		}
		var row []string
		for _, f := range split.Fields {
			v, ok := records.Decode(f, l.Encoding)
			if !ok {
				return nil, &formats.Error{File: path, Line: line, Value: fmt.Sprintf("%q", f), Want: records.Not(l.Encoding)}
			}
			row = append(row, v)
		}
		switch old, twice := rows[row[0]]; {
		case width == 0:
			width = len(row)
		case len(row) != width:
			return nil, &formats.Error{File: path, Line: line, Value: fmt.Sprintf("%d fields", len(row)), Want: i18n.T("want %d as in the lines before", width)}
		case twice && !slices.Equal(old, row):
			return nil, &formats.Error{File: path, Line: line, Value: formats.Show(row[0]), Want: i18n.T("the value stands on an earlier line with other steps")}
		}
		rows[row[0]] = row
		line += bytes.Count(text[at:next], []byte{'\n'})
		at = next
	}
	if width == 0 {
		return nil, &formats.Error{File: path, Want: i18n.T("no values, want lines like 34;30-39;*")}
	}
	h := NewHierarchy()
	h.Kind = "file"
	for k := 1; k < width; k++ {
		h.add(i18n.T("step %d", k), func(v string) (string, error) {
			row, ok := rows[v]
			if !ok && v == "" {
				return v, nil
			}
			if !ok {
				return "", i18n.Errorf("%s: not among the values of the hierarchy", formats.Show(v))
			}
			return row[k], nil
		})
	}
	return h, nil
}

// NewBands turns numbers into intervals [a,b) of the given widths, one step for each width, that begin at multiples of
// it; each width is a multiple of the one before. At every step numbers below bottom become <bottom and those from top
// on ≥top (in ASCII), if these are given; they must be multiples of the largest width. Without widths there is one
// step, which does only that. Empty values stay.
func NewBands(widths []*big.Rat, bottom, top *big.Rat) (*Hierarchy, error) {
	h := NewHierarchy()
	h.Kind = "band"
	for i, w := range widths {
		switch {
		case w.Sign() <= 0:
			return nil, i18n.Errorf("width %s, want one above 0", decimalText(w))
		case i > 0 && !new(big.Rat).Quo(w, widths[i-1]).IsInt():
			return nil, i18n.Errorf("width %s is no multiple of %s, so that its intervals would not be made of those before", decimalText(w), decimalText(widths[i-1]))
		}
		for _, end := range []*big.Rat{bottom, top} {
			if end != nil && !new(big.Rat).Quo(end, w).IsInt() {
				return nil, i18n.Errorf("%s is no multiple of the width %s, so that it would cut an interval", decimalText(end), decimalText(w))
			}
		}
		h.add(i18n.T("width %s", decimalText(w)), band(w, bottom, top))
	}
	switch {
	case bottom != nil && top != nil && bottom.Cmp(top) > 0:
		return nil, i18n.Errorf("the bottom %s is above the top %s", decimalText(bottom), decimalText(top))
	case len(widths) == 0 && (bottom != nil || top != nil):
		h.add(i18n.T("coded at the ends"), band(nil, bottom, top))
	case len(widths) == 0:
		return nil, i18n.New("no widths")
	}
	return h, nil
}

// band is one step of NewBands; without w, numbers between the ends stay.
func band(w, bottom, top *big.Rat) func(string) (string, error) {
	return func(v string) (string, error) {
		if v == "" || v == withheld {
			return v, nil
		}
		x, err := num.ParseNumber(v)
		if err != nil {
			return "", i18n.Errorf("%s: want a number for an interval", formats.Show(v))
		}
		switch {
		case bottom != nil && x.Cmp(bottom) < 0:
			return "<" + decimalText(bottom), nil
		case top != nil && x.Cmp(top) >= 0:
			return ">=" + decimalText(top), nil
		case w == nil:
			return v, nil
		}
		from := new(big.Rat).SetInt(num.Floor(new(big.Rat).Quo(x, w)))
		from.Mul(from, w)
		return "[" + decimalText(from) + "," + decimalText(new(big.Rat).Add(from, w)) + ")", nil
	}
}

// decimalText returns x as a decimal if possible, else as a fraction.
func decimalText(x *big.Rat) string {
	if n, exact := x.FloatPrec(); exact {
		return x.FloatString(n)
	}
	return x.RatString()
}

// NewPrefixes keeps the first characters of a value, fewer at each step, and replaces every other character by *.
func NewPrefixes(lengths []int) (*Hierarchy, error) {
	h := NewHierarchy()
	h.Kind = "prefix"
	for i, n := range lengths {
		if n < 0 || i > 0 && n >= lengths[i-1] {
			return nil, i18n.New("want numbers of characters that fall, like 4,3,0")
		}
		h.add(i18n.T("%d characters", n), func(v string) (string, error) {
			at := 0
			for k := range v {
				if at == n {
					return v[:k] + strings.Repeat(withheld, utf8.RuneCountInString(v[k:])), nil
				}
				at++
			}
			return v, nil
		})
	}
	if len(lengths) == 0 {
		return nil, i18n.New("no lengths")
	}
	return h, nil
}

// A tree is a hierarchy applied to the values of a column, as a tree of numbers.
type tree struct {
	parent [][]int // by level and number at that level: the number one level up
	leaf   map[uint32]int
	count  []int // how many different numbers each level has
}

// tree applies h to values. It fails if values that agree at some step differ at a later one.
func (h *Hierarchy) tree(c *Columns, column int, values []uint32) (*tree, error) {
	t := &tree{leaf: map[uint32]int{}}
	number := sets.List(h.Levels(), func(_ int) map[string]int { return map[string]int{} })
	t.parent = make([][]int, h.Levels()-1)
	values = slices.Clone(values)
	// Sorted, so that errors do not depend on the order of records.
	slices.SortFunc(values, func(a, b uint32) int { return strings.Compare(c.Value(column, a), c.Value(column, b)) })
	for _, id := range values {
		v := c.Value(column, id)
		below := -1
		for level := range number {
			x, err := h.value(v, level)
			if err != nil {
				return nil, i18n.Errorf("column %s: %w", c.names[column], err)
			}
			n, ok := number[level][x]
			if !ok {
				n = len(number[level])
				number[level][x] = n
				if level < len(t.parent) {
					t.parent[level] = append(t.parent[level], -1)
				}
			}
			switch {
			case level == 0:
				t.leaf[id] = n
			case t.parent[level-1][below] < 0:
				t.parent[level-1][below] = n
			case t.parent[level-1][below] != n:
				return nil, i18n.Errorf("column %s: %s agrees with another value at step %d and not at step %d; steps must be made of those before", c.names[column], formats.Show(v), level-1, level)
			}
			below = n
		}
	}
	for _, n := range number {
		t.count = append(t.count, len(n))
	}
	return t, nil
}
