package argus

import (
	"cmp"
	"errors"
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

// number reads a field; for an empty field, - and . the number is not Set.
func (p *tableReader) number(column int, fields []string) (table.Number, error) {
	s := Code(fields[column])
	if s == "" || s == "-" || s == "." { // the last is SAS's missing value
		return table.Number{}, nil
	}
	// Tables of τ-ARGUS use either decimal mark, and no separator of thousands.
	how := table.Notation{}
	if strings.Contains(s, ",") {
		switch {
		case !how.Either(s):
			p.certain = true
		case p.either == nil:
			p.either = p.fault(column, s, "thousands, or decimals behind a comma? No number of the file tells; say <DECIMALS> 3 in the metadata, or leave out what stands between thousands")
		}
		how.Decimal = ','
	}
	d, err := how.Parse(s, p.line, "")
	if err != nil {
		return table.Number{}, p.fault(column, s, "%v", err)
	}
	if strings.Contains(s, ",") {
		if p.point > 0 {
			return table.Number{}, p.fault(column, s, "a decimal comma, but line %d has a decimal point; want one of them throughout", p.point)
		}
		p.comma = cmp.Or(p.comma, p.line)
	} else if strings.Contains(s, ".") {
		if p.comma > 0 {
			return table.Number{}, p.fault(column, s, "a decimal point, but line %d has a decimal comma; want one of them throughout", p.comma)
		}
		p.point = cmp.Or(p.point, p.line)
	}
	return table.Number{Decimal: d, Set: true}, nil
}

// atLeast reads a number that must be ≥ 0 and, if whole is set, an integer.
func (p *tableReader) atLeast(column int, fields []string, what string, whole bool) (table.Number, error) {
	v, err := p.number(column, fields)
	switch {
	case err != nil:
	case v.Unscaled < 0:
		err = p.fault(column, fields[column], "%s must be ≥ 0", what)
	case whole && v.Scale > 0:
		err = p.fault(column, fields[column], "%s must be whole numbers", what)
	}
	return v, err
}

// numbers reads all fields other than codes.
func (p *tableReader) numbers(rec *table.Record, fields []string) (err error) {
	if p.counts {
		rec.Value, err = p.atLeast(p.response, fields, "frequencies", true)
	} else {
		rec.Value, err = p.number(p.response, fields)
	}
	if err != nil {
		return err
	}
	empty := !rec.Value.Set
	if empty {
		rec.Value = table.Num(0, 0)
	}
	for _, f := range []struct {
		column int
		to     *table.Number
		what   string
		whole  bool
	}{
		{p.freq, &rec.Freq, "frequencies", true}, {p.cost, &rec.Cost, "costs", false},
		{p.lower, &rec.LPL, "protection levels", false}, {p.upper, &rec.UPL, "protection levels", false},
	} {
		if f.column < 0 {
			continue
		}
		if *f.to, err = p.atLeast(f.column, fields, f.what, f.whole); err != nil {
			return err
		}
	}
	if empty && rec.Freq.Set && rec.Freq.Unscaled > 0 {
		return p.fault(p.response, fields[p.response], "an empty cell with %s contributors", rec.Freq)
	}
	if rec.Freq.Set && rec.Freq.Unscaled == 0 {
		if rec.Value.Unscaled != 0 {
			return p.fault(p.response, fields[p.response], "a value other than 0 without contributors")
		}
		empty = true
	}
	if err := p.statusOf(rec, fields, empty); err != nil {
		return err
	}
	p.empty = empty || p.status >= 0 && strings.EqualFold(Code(fields[p.status]), "E")
	if rec.Status != table.Sensitive { // τ-ARGUS writes levels for all cells, but they count for sensitive ones only
		rec.LPL, rec.UPL = table.Number{}, table.Number{}
	}
	formats.Bound(rec, p.o.Lower, p.o.Upper)
	shadow := rec.Value
	if p.shadow >= 0 {
		if shadow, err = p.number(p.shadow, fields); err != nil {
			return err
		}
		p.shadows = append(p.shadows, shadow)
	}
	return p.contributions(rec, fields, shadow)
}

// statusOf reads the status. empty says that the cell has no contributors.
func (p *tableReader) statusOf(rec *table.Record, fields []string, empty bool) error {
	if empty {
		rec.Status = table.Published
	}
	if p.status < 0 {
		return nil
	}
	m := p.t.Meta
	s := Code(fields[p.status])
	symbol := func(to string) bool { return strings.EqualFold(s, to) }
	switch {
	case symbol(m.Safe), s == "" && empty:
	case symbol(m.Unsafe):
		if empty {
			return p.fault(p.status, s, "an empty cell cannot be unsafe")
		}
		rec.Status = table.Sensitive
	case symbol(m.Protect):
		rec.Status = table.Published
	case symbol("M"):
		if empty {
			return p.fault(p.status, s, "an empty cell cannot be suppressed")
		}
		rec.Status = table.Withheld
	case symbol("E"):
		if rec.Value.Unscaled != 0 {
			return p.fault(p.status, s, "an empty cell with the value %s", rec.Value)
		}
		rec.Status = table.Published
	default:
		return p.fault(p.status, s, "want %s (safe), %s (unsafe), %s (protected), M (secondary) or E (empty)", m.Safe, m.Unsafe, m.Protect)
	}
	return nil
}

// contributions reads the largest contributions. They must not increase, nor add up to more than the total that
// they are part of, if that is ≥ 0.
func (p *tableReader) contributions(rec *table.Record, fields []string, total table.Number) error {
	if len(p.scores) == 0 {
		return nil
	}
	rec.Max = make([]table.Number, len(p.scores))
	for r, c := range p.scores {
		v, err := p.number(c, fields)
		if err != nil {
			return err
		}
		switch {
		case !v.Set || r == 0:
		case !rec.Max[r-1].Set:
			return p.fault(c, fields[c], "a contribution behind a missing larger one")
		case less(abs(rec.Max[r-1].Decimal), abs(v.Decimal)):
			return p.fault(c, fields[c], "larger than the contribution %s before it", rec.Max[r-1])
		}
		rec.Max[r] = v
	}
	if !total.Set || total.Unscaled < 0 || !rec.Max[0].Set {
		return nil
	}
	sum := table.Decimal{}
	for _, v := range rec.Max {
		if v.Unscaled < 0 {
			return nil
		}
		var ok bool
		if sum, ok = add(sum, v.Decimal); !ok {
			return p.fault(p.scores[0], fields[p.scores[0]], "the contributions add up to a number with more than 18 digits")
		}
	}
	if less(total.Decimal, sum) {
		return p.fault(p.scores[0], fields[p.scores[0]], "the largest contributions add up to %s, more than the total %s", sum, total)
	}
	return nil
}

func abs(d table.Decimal) table.Decimal {
	d.Unscaled = max(d.Unscaled, -d.Unscaled)
	return d
}

// less reports whether a < b. It compares the unscaled numbers if the two are too large for a common scale.
func less(a, b table.Decimal) bool {
	scale := max(a.Scale, b.Scale)
	x, okA := a.At(scale)
	y, okB := b.At(scale)
	switch {
	case okA && okB:
		return x < y
	case okA:
		return b.Unscaled > 0
	}
	return !okB && a.Unscaled < b.Unscaled || okB && a.Unscaled < 0
}

func add(a, b table.Decimal) (table.Decimal, bool) {
	scale := max(a.Scale, b.Scale)
	x, okA := a.At(scale)
	y, okB := b.At(scale)
	if !okA || !okB {
		return table.Decimal{}, false
	}
	return table.Decimal{Unscaled: x + y, Scale: scale}, x+y <= 1e18 && x+y >= -1e18
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

// build makes the table.
func (p *tableReader) build() (*Table, error) {
	dims := make([]table.Dimension, len(p.dims))
	var err error
	p.t.whole = make([]table.Dimension, len(dims))
	for d, v := range p.t.Vars {
		if p.t.whole[d], err = v.tree(p.file, p.used[d].codes, p.used[d].lines, p.o.Encoding); err != nil {
			return nil, err
		}
		dims[d] = formats.Prune(p.t.whole[d], p.used[d].codes)
	}
	if p.either != nil && !p.certain && !slices.ContainsFunc(p.t.Meta.Variables, func(v Variable) bool { return v.Decimals >= 3 }) {
		return nil, p.either
	}
	switch p.o.Mode {
	case Recompute, Keep:
		err = p.recompute(dims)
	case Accept:
		var bad []*table.AdditivityError
		p.t.Input, bad, err = formats.BuildInexact(p.file, Format, dims, p.records, p.counts, layout{p})
		for _, e := range bad {
			p.t.Changed = append(p.t.Changed, Change{Cell: e.Relation.String(), Given: e.Want, Computed: e.Got, Line: p.t.Line(e.Margin)})
		}
	default:
		p.t.Input, err = formats.BuildForeign(p.file, Format, dims, p.records, p.counts, false, layout{p})
	}
	if err != nil {
		var bad *table.AdditivityError
		var e *formats.Error
		if errors.As(err, &bad) && errors.As(err, &e) {
			e.Want = i18n.T("%s; READTABLE 1 or 1T computes margins, 2 accepts them", e.Want)
		}
		return nil, err
	}
	p.t.HasStatus = p.status >= 0
	p.t.HasLevels = p.lower >= 0 || p.upper >= 0
	p.t.HasCosts = p.cost >= 0
	p.t.Dialect.DecimalComma = p.comma > 0
	p.t.Dialect.Separator = p.sep
	if err := p.takeShadows(); err != nil {
		return nil, err
	}
	if slices.Contains(p.fixed, true) {
		p.t.Fixed = append(p.fixed, make([]bool, p.t.Table.Len()-len(p.fixed))...)
	}
	formats.SavedBy(p.t.Input, p.t.save)
	return p.t, nil
}

// recompute builds the table from its leaves and compares the result with the margins given.
func (p *tableReader) recompute(dims []table.Dimension) error {
	leaf := make([]map[string]bool, len(dims))
	for d := range dims {
		leaf[d] = map[string]bool{}
		for i, l := range dims[d].Leaves() {
			leaf[d][dims[d].Codes[i]] = l
		}
	}
	var inner, margins []table.Record
	var shadows, marginShadows []table.Number
	var fixed []bool
	for i, rec := range p.records {
		isLeaf := true
		for d, c := range rec.Codes {
			isLeaf = isLeaf && leaf[d][c]
		}
		to, sh := &margins, &marginShadows
		if isLeaf {
			to, sh = &inner, &shadows
			fixed = append(fixed, p.fixed[i])
		}
		*to = append(*to, rec)
		if p.shadows != nil {
			*sh = append(*sh, p.shadows[i])
		}
	}
	if len(inner) == 0 {
		return fault(p.file, 0, "", "no cell without margin codes, so margins cannot be computed")
	}
	var err error
	if p.t.Input, err = formats.BuildForeign(p.file, Format, dims, inner, p.counts, false, layout{p}); err != nil {
		return err
	}
	p.shadows, p.fixed = shadows, fixed
	t := p.t.Table
	for i := len(inner); i < t.Len() && t.Freq != nil; i++ {
		if t.Freq[i] == 0 && t.Value[i] == 0 {
			t.Status[i] = table.Published // a margin of empty cells is empty
		}
	}
	at := cellIndex(t)
	for k := range margins {
		rec := &margins[k]
		name := strings.Join(rec.Codes, "/")
		i, ok := at[cellKey(rec.Codes)]
		if !ok {
			if rec.Value.Unscaled != 0 {
				p.t.Changed = append(p.t.Changed, Change{name, rec.Value.String(), "0", rec.Line})
			}
			continue
		}
		same := t.Freq == nil || !rec.Freq.Set || rec.Freq.Decimal == table.Decimal{Unscaled: t.Freq[i]}
		if got := (table.Decimal{Unscaled: t.Value[i], Scale: t.Decimals}); less(got, rec.Value.Decimal) || less(rec.Value.Decimal, got) {
			same = false
			p.t.Changed = append(p.t.Changed, Change{name, rec.Value.String(), got.String(), rec.Line})
		}
		if p.o.Mode != Keep && !same || t.Freq != nil && t.Freq[i] == 0 && t.Value[i] == 0 {
			continue // an empty margin stays empty
		}
		t.Status[i] = rec.Status
		if rec.Status == table.Sensitive {
			if err := p.keepLevels(i, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellKey joins codes into a key that is different for each cell.
func cellKey(codes []string) string { return strings.Join(codes, "\x00") }

// cellIndex maps the cellKey of each cell to its number.
func cellIndex(t *table.Table) map[string]int {
	at := make(map[string]int, t.Len())
	for i := range t.Len() {
		at[cellKey(t.CellCodes(i))] = i
	}
	return at
}

// keepLevels gives the computed margin i the protection levels of its line.
func (p *tableReader) keepLevels(i int, rec *table.Record) error {
	t := p.t.Table
	if err := t.Rescale(max(t.Decimals, rec.LPL.Scale, rec.UPL.Scale)); err != nil {
		return &formats.Error{File: p.file, Line: rec.Line, Want: i18n.T("%s", err), Err: err}
	}
	for _, l := range []struct {
		from table.Number
		to   []int64
		name string
	}{{rec.LPL, t.LPL, "lpl"}, {rec.UPL, t.UPL, "upl"}} {
		v, ok := l.from.At(t.Decimals)
		if !ok {
			return &formats.Error{File: p.file, Line: rec.Line, Field: layout{p}.Column(0, l.name), Value: l.from.String(),
				Want: i18n.T("does not fit beside numbers with %d decimals in 18 digits", t.Decimals)}
		}
		l.to[i] = v
	}
	return nil
}

// takeShadows stores the shadow values of the records, and the sums of these for computed margins.
func (p *tableReader) takeShadows() error {
	if p.shadow < 0 {
		return nil
	}
	t := p.t.Table
	for _, s := range p.shadows {
		p.t.ShadowDecimals = max(p.t.ShadowDecimals, s.Scale)
	}
	p.t.ShadowValue = make([]int64, t.Len())
	for i, s := range p.shadows {
		v, ok := s.At(p.t.ShadowDecimals)
		if !ok {
			return &formats.Error{File: p.file, Line: p.t.Line(i), Field: p.t.Shadow.Name, Value: s.String(),
				Want: i18n.T("does not fit beside numbers with %d decimals in 18 digits", p.t.ShadowDecimals)}
		}
		p.t.ShadowValue[i] = v
	}
	return p.t.sumShadows(len(p.shadows))
}

// HasShadow reports whether the shadow value of some cell differs from its value.
func (t *Table) HasShadow() bool {
	for i, s := range t.ShadowValue {
		v := table.Decimal{Unscaled: t.Table.Value[i], Scale: t.Table.Decimals}
		w := table.Decimal{Unscaled: s, Scale: t.ShadowDecimals}
		if less(v, w) || less(w, v) {
			return true
		}
	}
	return false
}

// sumShadows computes the shadow values of the cells from n on. These are margins, ordered such that for each
// some relation makes it the sum of earlier cells.
func (t *Table) sumShadows(n int) error {
	rel := t.Table.Rel
	done := make([]bool, t.Table.Len())
	for i := range n {
		done[i] = true
	}
	of := make([][]int32, t.Table.Len()-n) // relations of each margin
	for j := range rel.Len() {
		if m := int(rel.Margin[j]); m >= n {
			of[m-n] = append(of[m-n], int32(j))
		}
	}
	for m := n; m < t.Table.Len(); m++ {
	relations:
		for _, j := range of[m-n] {
			cell, _ := rel.Row(int(j))
			sum := int64(0)
			for _, i := range cell {
				if int(i) == m {
					continue
				}
				if !done[i] {
					continue relations
				}
				if sum += t.ShadowValue[i]; sum > 1e18 || sum < -1e18 {
					return &formats.Error{File: t.File, Field: t.Shadow.Name, Want: i18n.T("the shadow of margin %s has more than 18 digits", t.Table.CellName(m))}
				}
			}
			t.ShadowValue[m], done[m] = sum, true
			break
		}
	}
	return nil
}
