package argus

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/table"
)

// Format is the name of τ-ARGUS tables among the formats of package formats.
const Format formats.Format = "tauargus"

// A Mode says how to treat margins: the argument of <READTABLE>.
type Mode uint8

const (
	Check     Mode = iota // 0: they must add up
	Recompute             // 1: computed from the leaves; margins that add up keep their statuses and levels
	Keep                  // 1T: computed from the leaves; all margins keep their statuses and levels
	Accept                // 2: taken as given even if they do not add up
)

// ParseMode reads 0, 1 (also 1F), 1T or 2; an empty text means 0.
func ParseMode(s string) (Mode, error) {
	switch strings.ToUpper(strings.TrimSpace(s)) {
	case "", "0":
		return Check, nil
	case "1", "1F":
		return Recompute, nil
	case "1T":
		return Keep, nil
	case "2":
		return Accept, nil
	}
	return 0, i18n.Errorf("%s: want 0 (margins must add up), 1 (recompute them), 1T (recompute, keep statuses) or 2 (accept them)", formats.Show(s))
}

// Options say how to read a table.
type Options struct {
	// Metadata is the .rda file. Empty: the one named like the table.
	Metadata string
	Encoding string // as for formats.NewLines
	Mode     Mode
	// Dims are the spanning variables in the table's order. Empty: all <RECODEABLE> variables, in the order of
	// the metadata.
	Dims []string
	// Response names the variable of the values. Empty: the <NUMERIC> variable without another role, else the
	// <FREQUENCY> variable, so that the table is one of counts.
	Response string
	// Shadow and Cost name variables. Empty: those with that role in the metadata.
	Shadow, Cost string
	// Repeated allows a hierarchy to list a code more than once; each repeated one is a code of its own
	// (Variable.Labels).
	Repeated bool
	// Lower and Upper are the intruder's bounds for all cells. Nil: 0 and +∞.
	Lower, Upper *table.Decimal
}

// A Table is a file of τ-ARGUS: a table, and what package table has no place for.
type Table struct {
	*formats.Input
	Meta *Metadata
	Vars []*Variable // variables of the dimensions
	// Response is the variable of the values; the others are nil if the file has none.
	Response, Freq, Shadow, Cost *Variable
	// ShadowValue has the shadow value of each cell in units of 10^−ShadowDecimals; nil without a shadow
	// variable.
	ShadowValue    []int64
	ShadowDecimals int
	// Spelling[d] maps codes of dimension d to their padded form in the file, where it pads them.
	Spelling []map[string]string
	// Fixed marks cells of value 0 that are not known to have no contributors and that the input protects: they
	// stay published, but are not empty. Nil: none.
	Fixed []bool
	// Changed are the margins that did not add up and that a mode other than Check accepted or recomputed.
	Changed []Change

	whole []table.Dimension // the dimensions including codes that no line uses
}

// A Change is a margin that does not add up.
type Change struct {
	Cell, Given, Computed string
	Line                  int // 0 if no line gives the margin
}

// ReadTable reads the table in the file path.
func ReadTable(path string, o Options) (*Table, error) {
	if o.Metadata == "" {
		o.Metadata = MetadataOf(path)
	}
	m, err := ReadMetadata(o.Metadata, Tabular, o.Encoding)
	if err != nil {
		return nil, err
	}
	if o.Repeated {
		m.AllowRepeated()
	}
	f, err := formats.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadTableFrom(f, path, m, o)
}

// MetadataOf returns the .rda file that belongs to a data file: the one of the same name.
func MetadataOf(path string) string {
	base := path
	if s := strings.TrimSuffix(base, ".gz"); filepath.Base(s) != "" {
		base = s
	}
	return Resolve(path, filepath.Base(strings.TrimSuffix(base, filepath.Ext(base))+".rda"))
}

// A tableReader reads one table.
type tableReader struct {
	o    Options
	t    *Table
	file string
	n    int // the number of variables
	line int
	sep  byte

	columnsOf
	decimalMarks
	used    []usedCodes
	counts  bool
	free    []string // space for the codes of the records to come
	records []table.Record
	shadows []table.Number
	fixed   []bool // for each record, whether it is a zero that has contributors and stays published
	empty   bool   // the cell just read has no contributors
}

// columnsOf holds the columns of the file by their use, −1 where there is none.
type columnsOf struct {
	dims                                 []int
	response, freq, shadow, cost, status int
	lower, upper                         int
	scores                               []int
}

// decimalMarks is what the numbers read so far tell about the decimal mark.
type decimalMarks struct {
	point, comma int   // the first lines with a decimal point and with a decimal comma
	either       error // the error for the first number such as 1,234 or 1.234, whose mark may separate thousands
	certain      bool  // some other number certainly has a decimal comma
}

type usedCodes struct {
	at    map[string]int
	codes []string
	lines []int
}

// ReadTableFrom reads from r, which messages call file, a table whose columns m describes.
func ReadTableFrom(r io.Reader, file string, m *Metadata, o Options) (*Table, error) {
	p := &tableReader{o: o, t: &Table{Meta: m}, file: file, n: len(m.Variables)}
	if err := p.columns(); err != nil {
		return nil, err
	}
	var fields []string
	err := eachLine(r, file, o.Encoding, false, func(line int, text string) (err error) {
		p.line = line
		if fields, err = splitFields(fields[:0], file, line, text, p.sep); err != nil {
			return err
		}
		return p.cell(fields)
	})
	if err != nil {
		return nil, err
	}
	if len(p.records) == 0 {
		return nil, fault(file, 0, "", "the file is empty, want cells")
	}
	return p.build()
}

// fault returns an error about a variable's field on the current line.
func (p *tableReader) fault(column int, value, want string, args ...any) error {
	return &formats.Error{File: p.file, Line: p.line, Field: p.t.Meta.Variables[column].Name, Value: formats.Show(value), Want: i18n.T(want, args...)}
}

// columns finds the column for every role.
func (p *tableReader) columns() error {
	m := p.t.Meta
	switch {
	case m.Kind != Tabular:
		return p.badMeta("", "metadata of microdata, want those of a table")
	case m.Separator == "":
		return p.badMeta("", "no <SEPARATOR>, which a table needs")
	}
	p.sep = m.Separator[0]
	index := func(keep func(v *Variable) bool) int {
		return slices.IndexFunc(m.Variables, func(v Variable) bool { return keep(&v) })
	}
	p.freq = index(func(v *Variable) bool { return v.Frequency })
	p.status = index(func(v *Variable) bool { return v.Status })
	p.lower = index(func(v *Variable) bool { return v.LowerPL })
	p.upper = index(func(v *Variable) bool { return v.UpperPL })
	for n := range m.Variables {
		if m.Variables[n].MaxScore {
			p.scores = append(p.scores, n)
		}
	}
	if err := p.spanning(); err != nil {
		return err
	}
	if err := p.roles(); err != nil {
		return err
	}
	if len(p.scores) > 10 {
		return p.badMeta("", "%d variables with <MAXSCORE>, want at most 10", len(p.scores))
	}
	return nil
}

// badMeta returns an error about the metadata.
func (p *tableReader) badMeta(value, want string, args ...any) error {
	return fault(p.t.Meta.File, 0, value, want, args...)
}

// named returns the column of the variable called name.
func (p *tableReader) named(name, what string) (int, error) {
	m := p.t.Meta
	i := slices.IndexFunc(m.Variables, func(v Variable) bool { return strings.EqualFold(v.Name, name) })
	if i < 0 {
		return i, p.badMeta(formats.Show(name), "no such variable for %s%s; the variables are %s", what, near.Hint(name, m.Names(nil), ""), formats.ShowList(m.Names(nil)))
	}
	return i, nil
}

// spanning finds the columns of the dimensions: those that the options name, which must be all variables that
// span the table, else all these.
func (p *tableReader) spanning() error {
	m := p.t.Meta
	spanning := m.Names(func(v *Variable) bool { return v.Recodeable })
	dims := p.o.Dims
	if len(dims) == 0 {
		dims = spanning
	}
	if len(dims) == 0 {
		return p.badMeta("", "no <RECODEABLE> variable spans the table; the variables are %s", formats.ShowList(m.Names(nil)))
	}
	for _, name := range dims {
		i, err := p.named(name, "a dimension")
		if err != nil {
			return err
		}
		if slices.Contains(p.dims, i) {
			return p.badMeta(formats.Show(name), "named twice as a dimension")
		}
		p.dims = append(p.dims, i)
		p.t.Vars = append(p.t.Vars, &m.Variables[i])
	}
	for _, name := range spanning {
		if i, _ := p.named(name, ""); !slices.Contains(p.dims, i) {
			return p.badMeta(formats.Show(name), "spans the table but is not among the dimensions chosen: %s", formats.ShowList(dims))
		}
	}
	p.used = make([]usedCodes, len(p.dims))
	p.t.Spelling = make([]map[string]string, len(p.dims))
	for d := range p.dims {
		p.used[d].at = map[string]int{}
		p.t.Spelling[d] = map[string]string{}
	}
	return nil
}

// roles finds the columns of the response, the shadow and the cost. The options may assign these to other
// variables than the metadata do.
func (p *tableReader) roles() error {
	m := p.t.Meta
	var err error
	if p.response, err = p.role(p.o.Response, "the response", isPlainNumber); err != nil {
		return err
	}
	if p.response < 0 {
		p.response = p.freq
	}
	if p.response < 0 {
		return p.badMeta("", "no <NUMERIC> variable for the response")
	}
	if slices.Contains(p.dims, p.response) {
		return p.badMeta(m.Variables[p.response].Name, "named as a dimension and as the response")
	}
	if p.shadow, err = p.role(p.o.Shadow, "the shadow", func(v *Variable) bool { return v.Shadow }); err != nil {
		return err
	}
	if p.cost, err = p.role(p.o.Cost, "the cost", func(v *Variable) bool { return v.Cost }); err != nil {
		return err
	}
	p.counts = p.response == p.freq
	if p.counts {
		p.freq = -1
	}
	at := func(i int) *Variable {
		if i < 0 {
			return nil
		}
		return &m.Variables[i]
	}
	p.t.Response, p.t.Freq, p.t.Shadow, p.t.Cost = at(p.response), at(p.freq), at(p.shadow), at(p.cost)
	return nil
}

// role returns the column called name or, without a name, the only one with the keyword, −1 if there is none.
func (p *tableReader) role(name, what string, byKeyword func(v *Variable) bool) (int, error) {
	if name != "" {
		i, err := p.named(name, what)
		if err == nil && p.t.Meta.Variables[i].Status {
			numbers := p.t.Meta.Names(func(v *Variable) bool { return v.Numeric || v.Frequency })
			return -1, p.badMeta(formats.Show(name), "holds statuses, and %s needs numbers, which are in %s", what, formats.ShowList(numbers))
		}
		return i, err
	}
	with := p.t.Meta.Names(byKeyword)
	switch len(with) {
	case 0:
		return -1, nil
	case 1:
		return p.named(with[0], what)
	}
	return -1, p.badMeta(formats.ShowList(with), "several variables could be %s; name one", what)
}

// isPlainNumber reports whether a variable is numeric and has no other role.
func isPlainNumber(v *Variable) bool {
	return v.Numeric && !v.Recodeable && !v.Frequency && !v.Shadow && !v.Cost && !v.MaxScore && !v.Status && !v.LowerPL && !v.UpperPL &&
		!v.Weight && !v.Holding && v.Request == nil
}

// cell reads the line of a cell.
func (p *tableReader) cell(fields []string) error {
	if len(fields) != p.n {
		var between i18n.Text
		if len(fields) == 1 {
			between = i18n.T(", with the separator %c between them", p.sep)
		}
		return fault(p.file, p.line, fmt.Sprintf("%d fields", len(fields)), "want %d, one for each variable of %s%s", p.n, p.t.Meta.File, between)
	}
	if len(p.records) == 0 && p.isHeader(fields) {
		return fault(p.file, p.line, "", "a header; τ-ARGUS has none, as the metadata name the columns")
	}
	if len(p.free) < len(p.dims) {
		p.free = make([]string, 1024*len(p.dims))
	}
	rec := table.Record{Line: p.line, Codes: p.free[:len(p.dims):len(p.dims)]}
	p.free = p.free[len(p.dims):]
	for d, c := range p.dims {
		code := Code(fields[c])
		if code == "" {
			code = p.t.Vars[d].TotCode
		} else if code != fields[c] && code != p.t.Vars[d].TotCode && p.t.Spelling[d][code] == "" {
			p.t.Spelling[d][strings.Clone(code)] = strings.Clone(strings.TrimRight(fields[c], " \t"))
		}
		rec.Codes[d] = p.used[d].add(code, p.line)
	}
	if err := p.numbers(&rec, fields); err != nil {
		return err
	}
	p.records = append(p.records, rec)
	p.fixed = append(p.fixed, rec.Status == table.Published && !p.empty && rec.Value.Unscaled == 0)
	return nil
}

// add returns a string equal to code, always the same one, so that each code is stored once.
func (u *usedCodes) add(code string, line int) string {
	i, ok := u.at[code]
	if !ok {
		i = len(u.codes)
		code = strings.Clone(code)
		u.at[code] = i
		u.codes, u.lines = append(u.codes, code), append(u.lines, line)
	}
	return u.codes[i]
}

func (p *tableReader) isHeader(fields []string) bool {
	for i, f := range fields {
		if !strings.EqualFold(Code(f), p.t.Meta.Variables[i].Name) {
			return false
		}
	}
	return true
}

// layout names the columns of a table in messages.
type layout struct{ p *tableReader }

func (l layout) Column(_ int, field string) string {
	column := -1
	switch field {
	case "value":
		column = l.p.response
	case "freq":
		column = l.p.freq
	case "cost":
		column = l.p.cost
	case "lpl":
		column = l.p.lower
	case "upl":
		column = l.p.upper
	}
	if r, ok := strings.CutPrefix(field, "max"); ok {
		if n, err := strconv.Atoi(r); err == nil && n >= 1 && n <= len(l.p.scores) {
			column = l.p.scores[n-1]
		}
	}
	if column < 0 {
		return field
	}
	return l.p.t.Meta.Variables[column].Name
}

func (l layout) Write(io.Writer, *formats.Input, []bool) error {
	return i18n.New("a τ-ARGUS table is written to files")
}
