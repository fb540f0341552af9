// Package firewall reads a file that is meant for publication once more before it gets its name, and looks for
// what must not be in it: the value of a withheld cell, in any spelling and place, or a value for a cell that the
// input flags as confidential. It knows neither the code that writes files nor their layouts: since it looks for
// faults of that code, it shares none with it.
//
// A number is identified by its significant digits: its digits without signs, separators, exponents and zeros at
// either end. 21312, 21,312.0, "2.1312E4" and 21312000 are the same. It reports:
//
//   - on the line of a withheld cell, found by its codes: its value in another column;
//   - anywhere: four or more digits of a withheld value that occur more often than published cells have them;
//   - in a copy of the input: a value of any length that was not reduced by as many occurrences as cells are
//     withheld;
//   - a value where the input has CONF_STATUS, EMBARGO_TIME or DATANOTECELL.
//
// It does not find numbers composed of several cells, nor short values repeated outside the lines of their cells.
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

// A Cell is a cell of the release as the office knows it.
type Cell struct {
	Codes    []string // by dimension; nil in a table without dimensions
	Values   []string // decimals, by response; unknown ones are left out
	Ends     []string // the ends of the interval that is published instead of the values
	Withheld bool
	InFile   bool // the input has a line for it; else it was computed
}

// A Release describes what a file should be.
type Release struct {
	Input string // path of the file it was made from; empty: there is none
	// Original is that file with the results added for formulas that have none stored; nil: the file as it is.
	Original []byte
	Codes    [][]string      // by dimension
	Texts    map[string]bool // labels of codes and names of dimensions: numbers in them are no values
	Cells    iter.Seq[Cell]
	// Aside says that somebody has looked at what stands beside the cells, so that numbers there are accepted.
	Aside bool
	// Again says that a published value may be repeated, as in a page.
	Again bool
}

// A Leak says where a file meant for publication reveals a withheld value. It does not give the value.
type Leak struct {
	File  string
	Place i18n.Text
	Cell  []string // its codes; nil if the table has none
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

// maxPart bounds the unpacked size of a compressed part, in bytes.
const maxPart = 1 << 30

var errLarge = i18n.New("a part unpacks to more than a gigabyte")

// Watch, unless nil, is called with every content that is checked, so that tests of the command can see what was
// not.
var Watch func(content []byte)

// Check reports the first withheld value that content, to be published under the name file, reveals. Time and
// memory are linear in the sizes of content and input and in the number of withheld cells.
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

// A wall is one check of a file.
type wall struct {
	file   string
	r      *Release
	out    *document
	of     map[string]*secret // withheld values, by their significant digits
	byCode map[string][]string
}

// A secret is what is known about the cells whose values have the same digits.
type secret struct {
	stood     int // how many of these cells are in the input
	published int // other numbers of the release with these digits
	computed  int // those of published that are not in the input
	codes     []string
}

// secrets collects the withheld values and counts how often other numbers have the same digits.
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
			for _, e := range c.Ends { // an end of the interval may equal the value
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
		if !c.InFile { // a line is added for it
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

// open unpacks content and detects its kind.
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
