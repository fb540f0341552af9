package argus

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Shown is what an output shows of a cell.
type Shown struct {
	Line         int    // line of the file; 0: no line is about the cell
	Value        string // a number with a decimal point, x (withheld) or - (empty)
	Contributors string // empty if the output does not show them
	Sign         string // the status as this type of output writes it; empty if it does not
}

// A Standing is the meaning of a status, whatever the type of output.
type Standing uint8

// The standings.
const (
	Unlisted  Standing = iota // no line is about the cell
	Empty                     // there is nothing to publish
	Open                      // published
	Hidden                    // withheld, for a reason that is not told
	Secondary                 // withheld to protect others
	Primary                   // sensitive
)

// standings maps the status signs of all types of output, which do not clash: numbers in types 2 and 3, letters
// in SBS and Intermediate, lower-case letters in JJ.
var standings = map[string]Standing{
	"1": Open, "2": Open, "3": Primary, "4": Primary, "5": Primary, "6": Primary, "7": Primary, "8": Primary, "9": Primary, "10": Open, "11": Secondary, "12": Secondary, "13": Empty, "14": Empty,
	"V": Open, "A": Primary, "B": Primary, "C": Primary, "F": Primary, "D": Secondary,
	"S": Open, "U": Primary, "P": Open, "M": Secondary, "E": Empty,
	"s": Open, "u": Primary, "z": Open, "m": Secondary,
}

// Standing returns the standing of a cell.
func (s *Shown) Standing() Standing {
	switch {
	case s.Line == 0:
		return Unlisted
	case s.Sign != "":
		return standings[s.Sign]
	case s.Value == "x":
		return Hidden
	case s.Value == "-":
		return Empty
	}
	return Open
}

// A Showing is an output as its readers see it.
type Showing struct {
	grid
	// Cells has one entry for each combination of codes, in the order in which outputs list them.
	Cells []Shown
	// Faults are the errors of the first lines that are about no cell or cannot be read; Faulty is the number
	// of all such lines.
	Faults []error
	Faulty int

	t    *table.Table
	file string
	out  Output
	// labels has for each dimension the codes by label as outputs write it: several if a hierarchy repeats one
	labels []map[string][]int
	sep    byte
	layer  [][]int // for Matrix: the codes of the current layer
	head   [][]int // the codes of the columns
}

// mostFaults is how many errors a Showing keeps.
const mostFaults = 20

// Cell returns the cell of the table at a place, −1 if the table has none there, so that the combination of
// codes is empty.
func (s *Showing) Cell(place int) int { return int(s.at[place]) - 1 }

// Codes returns the codes of a place.
func (s *Showing) Codes(place int) []string {
	code := make([]int, len(s.size))
	s.codes(place, code)
	return sets.List(len(code), func(d int) string { return s.dims[d].Codes[code[d]] })
}

func newShowing(t *table.Table, out Output, o WriteOptions, file string) (*Showing, error) {
	if len(t.Dims) == 0 || out.Type < Matrix || out.Type > JJ || out.Trivial {
		return nil, i18n.New("outputs of this kind are not read")
	}
	dims := o.listed(t, out)
	g, err := newGrid(t, dims)
	if err != nil {
		return nil, err
	}
	s := &Showing{grid: g, Cells: make([]Shown, len(g.at)), t: t, file: file, out: out}
	for d := range dims {
		labels := map[string][]int{"": {0}} // old versions write an empty code for the total
		for c := range dims[d].Codes {
			label := strings.TrimSpace(o.label(dims, d, c, false))
			labels[label] = append(labels[label], c)
		}
		s.labels = append(s.labels, labels)
	}
	return s, nil
}

// Show returns what readers see of the output that WriteOutput writes.
func Show(t *table.Table, pattern []bool, out Output, o WriteOptions) (*Showing, error) {
	s, err := newShowing(t, out, o, t.Name)
	if err != nil {
		return nil, err
	}
	o.Encoding, o.CRLF = "utf-8", false
	var content []byte
	switch out.Type {
	case JJ:
		u := withholding(t, pattern)
		for place, i := range s.at {
			if i > 0 {
				s.Cells[place] = Shown{Line: place + 1, Value: table.FormatDecimal(u.Value[i-1], u.Decimals), Sign: u.Status[i-1].String()}
			}
		}
		return s, nil
	case Intermediate:
		f := newIntermediate(t, newNames(t, o), o, out)
		order, err := f.order()
		if err != nil {
			return nil, err
		}
		content, err = lines(&o, func(w *text) { f.cells(w, order, pattern) })
		if err != nil {
			return nil, err
		}
	default:
		p, err := newPrinter(t, pattern, out, o)
		if err != nil {
			return nil, err
		}
		if content, err = p.text(); err != nil {
			return nil, err
		}
	}
	err = s.read(bytes.NewReader(content), "utf-8")
	return s, err
}

// ReadShown reads an output for the table t, whoever wrote it. Lines may be in any order; numbers may have a
// decimal point or, where commas do not separate fields, a decimal comma. Lines that do not fit the table are
// in Faults.
func ReadShown(path string, t *table.Table, out Output, o WriteOptions, encoding string) (*Showing, error) {
	s, err := newShowing(t, out, o, path)
	if err != nil {
		return nil, err
	}
	f, err := formats.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = s.read(f, encoding)
	return s, err
}

// read reads all lines.
func (s *Showing) read(r io.Reader, encoding string) error {
	if s.out.Type == JJ {
		return s.jj(r, encoding)
	}
	first := true
	return eachLine(r, s.file, encoding, false, func(line int, text string) error {
		if first {
			s.sniff(text)
		}
		f, err := splitFields(nil, s.file, line, text, s.sep)
		if err != nil {
			s.fail(err)
			return nil
		}
		for n := range f {
			f[n] = strings.TrimSpace(f[n])
		}
		for n := len(f); n > 1 && f[n-1] == ""; n-- { // τ-ARGUS ends the lines of matrices with separators
			f = f[:n-1]
		}
		if s.out.Type == Matrix {
			s.row(line, f)
		} else {
			s.line(line, f, first)
		}
		first = false
		return nil
	})
}

// sniff finds the separator from the first line.
func (s *Showing) sniff(text string) {
	least := len(s.size) + 1
	if s.out.Type == Matrix {
		least = 2
	}
	for _, s.sep = range []byte(";\t,") {
		if f, err := splitFields(nil, s.file, 1, text, s.sep); err == nil && len(f) >= least {
			return
		}
	}
}

// fail records an error.
func (s *Showing) fail(err error) {
	if s.Faulty++; s.Faulty <= mostFaults {
		s.Faults = append(s.Faults, err)
	}
}

// number returns text as a number with a decimal point.
func number(text string) (string, bool) {
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	_, err := table.ParseDecimal(text)
	return text, err == nil
}

// line reads the fields of a line of types 2 to 5.
func (s *Showing) line(line int, f []string, first bool) {
	k, step := len(s.size), 1
	if s.out.Type == SBS && s.out.Levels {
		step = 2
	}
	at := k * step
	need := at + map[int]int{SBS: 3, Intermediate: 4}[s.out.Type]
	switch {
	case need == at && s.out.AddStatus:
		need += 2
	case need == at:
		need++
	}
	if first && s.out.FirstLine && s.out.Type <= CodeValue && len(f) > k {
		if _, ok := s.amount(f[k]); !ok {
			return // a line with the names of the columns
		}
	}
	if len(f) < need {
		s.fail(fault(s.file, line, "", "%d fields, want %d at least", len(f), need))
		return
	}
	codes, names := make([][]int, k), make([]string, k)
	for d := range k {
		names[d] = f[d*step]
		codes[d] = s.labels[d][names[d]]
	}
	x := Shown{Line: line}
	switch s.out.Type {
	case SBS:
		x.Contributors, x.Sign = f[at+1], f[at+2]
	case Intermediate:
		n := len(f) - 1
		for n > at && (standings[f[n]] == Unlisted || isNumber(f[n])) {
			n--
		}
		if x.Sign = f[n]; s.t.Freq != nil {
			x.Contributors = f[at+1]
		}
	default:
		if len(f) > at+1 { // the output may have a status even if the batch did not ask for it
			x.Sign = f[at+1]
		}
	}
	s.put(x, f[at], codes, names)
}

func isNumber(text string) bool {
	_, ok := number(text)
	return ok
}

// amount returns the value that a field of an output shows.
func (s *Showing) amount(text string) (string, bool) {
	switch text {
	case "x", "X":
		return "x", true
	case "-":
		return "-", true
	}
	return number(text)
}

// put stores what a line says about the cell with the given codes. If a label stands for several codes, it
// takes the first such cell that no earlier line is about.
func (s *Showing) put(x Shown, value string, codes [][]int, names []string) {
	var ok bool
	if x.Value, ok = s.amount(value); !ok {
		s.fail(fault(s.file, x.Line, formats.Show(value), "want a number, x or -"))
		return
	}
	if x.Contributors != "" {
		if x.Contributors, ok = number(x.Contributors); !ok {
			s.fail(fault(s.file, x.Line, formats.Show(x.Contributors), "want a number of contributors"))
			return
		}
	}
	if x.Sign != "" && standings[x.Sign] == Unlisted {
		s.fail(fault(s.file, x.Line, formats.Show(x.Sign), "want a status of this type of output"))
		return
	}
	if slices.ContainsFunc(codes, func(c []int) bool { return len(c) == 0 }) {
		s.fail(fault(s.file, x.Line, formats.Show(strings.Join(names, "/")), "the table of the batch has no such cell"))
		return
	}
	var free func(d, place int) bool
	free = func(d, place int) bool {
		if d == len(codes) {
			if s.Cells[place].Line > 0 {
				return false
			}
			s.Cells[place] = x
			return true
		}
		return slices.ContainsFunc(codes[d], func(c int) bool { return free(d+1, place*s.size[d]+c) })
	}
	if !free(0, 0) {
		s.fail(fault(s.file, x.Line, formats.Show(strings.Join(names, "/")), "a cell that an earlier line told of"))
	}
}

// row reads the fields of a line of type 1: the codes of a layer, those of the columns, or a row of values.
func (s *Showing) row(line int, f []string) {
	k := len(s.size)
	if k > 2 && strings.HasPrefix(f[0], "Var ") {
		s.layer, s.head = nil, nil
		for d := range k - 2 {
			var c []int
			if n := 2*d + 1; n < len(f) {
				c = s.labels[d][f[n]]
			}
			s.layer = append(s.layer, c)
		}
		return
	}
	if s.head == nil || k > 1 && f[0] == "" {
		s.head = [][]int{}
		for _, code := range f[1:] {
			c := s.labels[k-1][code]
			if len(c) == 0 {
				s.fail(fault(s.file, line, formats.Show(code), "the table of the batch has no such code"))
			}
			s.head = append(s.head, c)
		}
		return
	}
	if len(f)-1 != len(s.head) {
		s.fail(fault(s.file, line, "", "%d values, but %d columns", len(f)-1, len(s.head)))
		return
	}
	codes := slices.Clone(s.layer)
	for len(codes) < k-2 { // no line has named a layer
		codes = append(codes, nil)
	}
	if k > 1 {
		codes = append(codes, s.labels[k-2][f[0]])
	}
	for n, c := range s.head {
		if len(c) > 0 { // otherwise the column's code has been reported already
			s.put(Shown{Line: line}, f[n+1], append(slices.Clip(codes), c), []string{f[0]})
		}
	}
}

// jj reads the cells of type 6. They are those of the table or all combinations of codes, in order.
func (s *Showing) jj(r io.Reader, encoding string) error {
	n := 0
	var places []int
	return eachLine(r, s.file, encoding, false, func(line int, text string) error {
		f := strings.Fields(text)
		if len(f) == 0 {
			return nil
		}
		switch n++; {
		case n == 1:
		case n == 2:
			count, _ := strconv.Atoi(f[0])
			for place, i := range s.at {
				if i > 0 || count == len(s.at) {
					places = append(places, place)
				}
			}
			if count != len(places) {
				return fault(s.file, line, formats.Show(f[0]), "want the number of cells, %d, or of all combinations of codes, %d", len(places), len(s.at))
			}
		case n <= 2+len(places):
			if len(f) < 4 || f[0] != strconv.Itoa(n-3) {
				return fault(s.file, line, formats.Show(f[0]), "want cell %d", n-3)
			}
			x := Shown{Line: line, Sign: f[3]}
			var ok bool
			if x.Value, ok = number(f[1]); !ok || standings[x.Sign] == Unlisted {
				return fault(s.file, line, formats.Show(text), "want a value and a status")
			}
			s.Cells[places[n-3]] = x
		}
		return nil
	})
}
