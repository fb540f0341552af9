// Package firewall reads a file that is meant for publication once more before it gets its name, and finds
// what may not stand in it: the value of a withheld cell, in any spelling and any place, and a value beside a
// cell that the input flags as confidential. It knows neither the writers nor the layouts of files: a fault of
// theirs is what it looks for, so it shares no code with them.
//
// A number is known by its significant digits alone, its digits without signs, separators, exponents and outer zeros: 21312,
// 21,312.0, "2.1312E4" and 21312000 are one. What is looked for:
//
//   - on the line of a withheld cell, known by its codes: its value in another column;
//   - anywhere: digits of a withheld value, four or more, that stand there more often than published cells have them;
//   - in a copy of the input: a value of any length that is not rarer than in the input by the cells withheld;
//   - a value where the input says CONF_STATUS, EMBARGO_TIME or DATANOTECELL.
//
// What it does not find: numbers made of several cells, and short values told again outside the lines of their cells.
package firewall

import (
	"bytes"
	"compress/gzip"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Cell is a cell of what is released as the office knows it.
type Cell struct {
	Codes    []string // by dimension, nil in a table without
	Values   []string // decimals, by response; those that are not known are left out
	Ends     []string // of the interval that is published in place of the values
	Withheld bool
	InFile   bool // the input has a line of it; else it was computed
}

// A Release is what a file should be.
type Release struct {
	Input string // path of the file it was made from; empty: made anew
	// Original is that file with the results of formulas of which it holds none; nil: as it stands.
	Original []byte
	Codes    [][]string      // of each dimension
	Texts    map[string]bool // labels of codes, names of dimensions: what these hold is no value
	Cells    iter.Seq[Cell]
	// Aside: somebody has looked at what stands beside the cells, so that a number there is no fault.
	Aside bool
	// Again: a published value may stand there more than once, as in a page.
	Again bool
}

// A Leak says where a file meant for publication tells a withheld value. It does not say the value.
type Leak struct {
	File  string
	Place i18n.Text
	Cell  []string // its codes, nil where the table has none
	Why   i18n.Text
}

func (l *Leak) Error() string { return l.Message().String() }

func (l *Leak) Message() i18n.Text {
	cell := i18n.T("a cell")
	if l.Cell != nil {
		cell = i18n.T("cell %s", strings.Join(l.Cell, "/"))
	}
	return i18n.T("%s: %s: %s, %s; nothing is written. Blank it in the input, or say --leave-aside if it only happens to be equal", l.File, l.Place, cell, l.Why)
}

// maxPart bounds what one part of a compressed file may unpack to, in bytes.
const maxPart = 1 << 30

var errLarge = i18n.New("a part unpacks to more than a gigabyte")

// Watch, if not nil, is told of every content that is looked at: tests of the command learn by it what was not.
var Watch func(content []byte)

// Check reports the first withheld value that content, to be published under the name file, tells. Time and memory are linear
// in content, input and withheld cells.
func Check(file string, content []byte, r *Release) error {
	if Watch != nil {
		Watch(content)
	}
	out, err := open(content)
	if err != nil {
		return i18n.Errorf("%s: cannot be read again: %w", file, err)
	}
	w := &wall{file: file, r: r, out: out}
	w.secrets()
	var in *document
	original := r.Original
	if r.Input != "" && original == nil {
		if original, err = os.ReadFile(r.Input); err != nil {
			original = nil
		}
	}
	if original != nil {
		if in, err = open(original); err != nil || in.kind != out.kind {
			in = nil
		}
	}
	for _, look := range []func() error{w.onLines, w.anywhere, func() error { return w.against(in) }, func() error { return w.flagged(in) }} {
		if err := look(); err != nil {
			return err
		}
	}
	return nil
}

// wall is one look at a file.
type wall struct {
	file   string
	r      *Release
	out    *document
	of     map[string]*secret // by significant digits of withheld values
	byCode map[string][]string
}

// A secret is what is known of the cells that have the same digits.
type secret struct {
	stood     int // of these cells, those that stand in the input
	published int // other numbers of the release with these digits
	computed  int // of them, those that do not stand in the input
	codes     []string
}

// secrets collects the withheld values and how often others have the same digits.
func (w *wall) secrets() {
	w.of, w.byCode = map[string]*secret{}, map[string][]string{}
	for c := range w.r.Cells {
		if !c.Withheld {
			continue
		}
		var all []string
		for _, v := range c.Values {
			d := digits(v)
			if d == "" {
				continue
			}
			all = append(all, d)
			s := w.of[d]
			if s == nil {
				s = &secret{codes: c.Codes}
				w.of[d] = s
			}
			if c.InFile {
				s.stood++
			}
		}
		if c.Codes != nil && all != nil {
			for _, e := range c.Ends { // an end may be the value
				for k := range all {
					if all[k] == digits(e) {
						all[k] = ""
					}
				}
			}
			w.byCode[strings.Join(c.Codes, "\x00")] = all
		}
	}
	for c := range w.r.Cells {
		texts := c.Values
		if c.Withheld {
			texts = c.Ends
		}
		if !c.InFile { // a line of its own is added
			for _, code := range c.Codes {
				numbers(code, false, func(d string) {
					if s := w.of[d]; s != nil {
						s.computed++
					}
				})
			}
		}
		for _, v := range texts {
			if s := w.of[digits(v)]; s != nil {
				s.published++
				if !c.InFile || c.Withheld {
					s.computed++
				}
			}
		}
	}
}

// open unpacks content and finds out what it is.
func open(b []byte) (*document, error) {
	if bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		if b, err = io.ReadAll(io.LimitReader(z, maxPart+1)); err != nil {
			return nil, err
		}
		if len(b) > maxPart {
			return nil, errLarge
		}
	}
	if bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		return openBook(b)
	}
	return openText(plain(b)), nil
}
