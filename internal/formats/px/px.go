// Package px reads and writes tables as PC-Axis files (.px).
//
// A PC-Axis file is a list of keywords and one block DATA of numbers, row by row over the variables of STUB and
// HEADING. A file that was read is written back with every keyword in its place: only what is withheld is
// blanked in DATA, and so are notes that contain a withheld value.
//
// Source: PC-Axis file format specification, Statistics Sweden. docs/formats.md says what is read and written.
// Faults of a file are *formats.Error.
package px

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// PX is the name of the format in formats.Options.From.
const PX formats.Format = "px"

// Limits of a file.
const (
	maxVars = 256 // variables; all but a few must have a single value
)

// notesMean is a part of the NOTE that this package writes. It tells that marks in DATANOTECELL are statuses;
// marks in other files follow house rules that cannot be guessed.
const notesMean = "CL_CONF_STATUS"

// defaultSymbol is the mark of a withheld value if neither the options nor the file have one.
const defaultSymbol = ".."

// dots are PX's marks of missing values.
var dots = []string{".", "..", "...", "....", ".....", "......"}

// ReadFrom reads a PX file from r; name stands for it in messages. Of the options it uses Encoding, Total,
// Totals, Hierarchies, Lead, Select, Withheld, Nil, Magnitude, Lower and Upper.
func ReadFrom(r io.Reader, name string, o formats.Options) (*formats.Input, error) {
	p, err := open(r, name, &o)
	if err != nil {
		return nil, err
	}
	return p.read()
}

// open decodes a file and prepares its parser.
func open(r io.Reader, name string, o *formats.Options) (*parser, error) {
	b, err := formats.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	raw, err := budget.ReadAll(b, budget.Whole)
	if err != nil {
		return nil, formats.InFile(name, err)
	}
	text, enc, told, err := decode(raw, name, o.Encoding)
	if err != nil {
		return nil, err
	}
	p := &parser{lexer: lexer{file: name, text: text, line: 1, room: b.Room}, o: o, enc: enc, bom: bytes.HasPrefix(raw, records.Mark), found: map[int]string{}}
	if !told.IsZero() {
		p.told = append(p.told, told)
	}
	return p, nil
}

// A variable is a variable of STUB or HEADING with its values.
type variable struct {
	name        string
	texts       []string
	codes       []string
	index       map[string]int // index of each code
	byText      map[string]int
	line        int
	keys        bool // rows of the data begin with the code of a value
	keysByText  bool // rows of the data begin with the text of a value
	elimination string
	tree        *statement // the HIERARCHIES statement
	several     string     // why its values do not add up: they are periods or measures
	only        int        // index of the selected value, −1 for all
	dim         int        // number of its dimension in the table, −1 if it has one value only
}

// code finds a value by its code, else by its text.
func (v *variable) code(s string) (int, bool) {
	if i, ok := v.index[s]; ok {
		return i, true
	}
	i, ok := v.byText[s]
	return i, ok
}

// parser reads one file.
type parser struct {
	lexer
	o     *formats.Options
	enc   encoding.Encoding
	bom   bool
	head  []*statement
	vars  []*variable // first those of STUB, then those of HEADING
	stub  int         // number of variables in STUB
	data  *statement
	notes []*statement // DATANOTECELL statements that tell statuses
	found map[int]string

	withheld, null []string
	recs           []table.Record
	codes          []string // space for the codes of the next records
	span           [][2]int
	mark           string // the first mark found in the data
	decimals       bool
	told           []i18n.Text // says what was read in another way than the file declares
}

func (p *parser) read() (*formats.Input, error) {
	if err := p.readHead(); err != nil {
		return nil, err
	}
	if err := p.variables(); err != nil {
		return nil, err
	}
	if p.o.Say != nil {
		for _, words := range p.told {
			p.o.Say(i18n.T("%s: %s", p.file, words))
		}
	}
	if err := p.selected(); err != nil {
		return nil, err
	}
	if err := p.cells(); err != nil {
		return nil, err
	}
	if err := p.statuses(); err != nil {
		return nil, err
	}
	if err := p.intervals(); err != nil {
		return nil, err
	}
	dims, err := p.dimensions()
	if err != nil {
		return nil, err
	}
	counts := !p.o.Magnitude && !p.decimals
	if counts {
		for i := range p.recs {
			if v := p.recs[i].Value; v.Set && (v.Unscaled < 0 || v.Scale > 0) {
				what := i18n.T("negative")
				if v.Scale > 0 {
					what = i18n.T("not whole")
				}
				return nil, &formats.Error{File: p.file, Line: p.recs[i].Line, Field: strings.Join(p.recs[i].Codes, "/"), Value: v.String(),
					Want: i18n.T("%s, but the table has DECIMALS=0 and is taken for counts; say --magnitude if these are amounts", what)}
			}
		}
	}
	if err := formats.CheckFlat(p.file, dims, p.recs, p.o); err != nil {
		return nil, err
	}
	p.label(dims)
	return formats.BuildForeign(p.file, PX, dims, p.recs, counts, p.o.Rounded, &layout{p})
}

// label labels the codes of the dimensions with the texts of their values.
func (p *parser) label(dims []table.Dimension) {
	for d := range dims {
		for _, v := range p.vars {
			if v.name != dims[d].Name {
				continue
			}
			for i, code := range v.codes {
				if text := v.texts[i]; text != code {
					if dims[d].Labels == nil {
						dims[d].Labels = map[string]string{}
					}
					dims[d].Labels[code] = text
				}
			}
		}
	}
}

// readHead reads the statements before the data.
func (p *parser) readHead() error {
	for {
		s, ok, err := p.statement()
		if err != nil {
			return err
		}
		if !ok {
			if len(p.head) == 0 {
				return p.fault(0, "", i18n.T("the file is empty, want PX statements"))
			}
			return p.fault(p.line, "", i18n.T("the file ends without DATA"))
		}
		if s.key == "DATA" {
			p.data = s
			return nil
		}
		p.head = append(p.head, s)
	}
}

// find returns the statements with a keyword, in the main language.
func (p *parser) find(key string) []*statement {
	return sets.Where(p.head, func(s *statement) bool { return s.key == key && s.lang == "" })
}

// variables reads STUB, HEADING and what the head says about each variable.
func (p *parser) variables() error {
	for _, key := range []string{"STUB", "HEADING"} {
		for _, s := range p.find(key) {
			for _, name := range s.texts() {
				for _, v := range p.vars {
					if v.name == name {
						return p.fault(s.line, key, i18n.T("the variable %s stands in STUB and HEADING twice", formats.Show(name)))
					}
				}
				if len(p.vars) == maxVars {
					return p.fault(s.line, key, i18n.T("more than %d variables", maxVars))
				}
				p.vars = append(p.vars, &variable{name: name, line: s.line, only: -1, dim: -1})
			}
		}
		if key == "STUB" {
			p.stub = len(p.vars)
		}
	}
	if len(p.vars) == 0 {
		return p.fault(0, "", i18n.T("no STUB and no HEADING, want one of them with variables"))
	}
	of := func(s *statement) (*variable, error) {
		if len(s.args) != 1 {
			return nil, p.fault(s.line, formats.Show(s.name()), i18n.T("want one variable in parentheses"))
		}
		for _, v := range p.vars {
			if v.name == s.args[0] {
				return v, nil
			}
		}
		names := sets.Each(p.vars, func(v *variable) string { return v.name })
		return nil, p.fault(s.line, formats.Show(s.name()), i18n.T("not a variable of STUB or HEADING; they are %s", formats.ShowList(names)))
	}
	conts := p.find("CONTVARIABLE")
	for _, s := range p.head {
		if s.lang != "" {
			continue
		}
		switch s.key {
		case "VALUES", "CODES", "KEYS", "TIMEVAL", "ELIMINATION", "HIERARCHIES":
		case "DECIMALS":
			p.decimals = s.text() != "0"
			continue
		case "NOTE", "NOTEX":
			if len(s.args) == 0 && strings.Contains(s.text(), notesMean) {
				p.notes = []*statement{s}
			}
			continue
		default:
			continue
		}
		v, err := of(s)
		if err != nil {
			return err
		}
		switch s.key {
		case "VALUES":
			v.texts, v.line = s.texts(), s.line
		case "CODES":
			v.codes = s.items()
		case "KEYS":
			switch strings.ToUpper(s.text()) {
			case "CODES":
				v.keys = true
			case "VALUES":
				v.keys, v.keysByText = true, true
			default:
				return p.fault(s.line, formats.Show(s.name()), i18n.T("want CODES or VALUES"))
			}
		case "TIMEVAL":
			v.several = "periods"
		case "ELIMINATION":
			if x := s.text(); !(strings.EqualFold(x, "YES") || strings.EqualFold(x, "NO")) || s.value[0].quoted {
				v.elimination = x
			}
		case "HIERARCHIES":
			v.tree = s
		}
	}
	for _, s := range conts {
		for _, v := range p.vars {
			if v.name == s.text() {
				v.several = "measures"
			}
		}
	}
	for n, v := range p.vars {
		if err := p.values(v); err != nil {
			return err
		}
		if v.keys && n >= p.stub {
			return p.fault(v.line, formats.Show(`KEYS("`+v.name+`")`), i18n.T("not a variable of the stub"))
		}
	}
	return nil
}

// values checks the values of a variable and indexes them.
func (p *parser) values(v *variable) error {
	name := func(key string) string { return formats.Show(key + `("` + v.name + `")`) }
	switch {
	case len(v.texts) == 0 && len(v.codes) == 0:
		return p.fault(v.line, name("VALUES"), i18n.T("missing or empty, want the values of every variable"))
	case len(v.texts) == 0:
		v.texts = v.codes
	case len(v.codes) == 0:
		v.codes = v.texts
	case len(v.codes) != len(v.texts):
		return p.fault(v.line, name("CODES"), i18n.T("%d codes for %d values", len(v.codes), len(v.texts)))
	}
	v.index, v.byText = make(map[string]int, len(v.codes)), make(map[string]int, len(v.texts))
	for i := range v.codes {
		if v.codes[i] == left {
			v.codes[i] = v.texts[i]
			p.told = append(p.told, i18n.T("%s has no code for %s, which is its own code", name("CODES"), formats.Show(v.texts[i])))
		}
		if v.codes[i] = strings.TrimSpace(v.codes[i]); v.codes[i] == "" {
			return p.fault(v.line, name("VALUES"), i18n.T("value %d is empty, want a code", i+1))
		}
		if first, dup := v.index[v.codes[i]]; dup {
			return p.fault(v.line, name("VALUES"), i18n.T("code %s given twice, as values %d and %d", formats.Show(v.codes[i]), first+1, i+1))
		}
		v.index[v.codes[i]] = i
		if _, dup := v.byText[v.texts[i]]; !dup {
			v.byText[v.texts[i]] = i
		}
	}
	return nil
}

// selected applies Options.Select and numbers the dimensions.
func (p *parser) selected() error {
	names := sets.Each(p.vars, func(v *variable) string { return v.name })
	for name, code := range p.o.Select {
		n := slices.Index(names, name)
		if n < 0 {
			return p.fault(0, formats.Show(name), i18n.T("--select names no variable of the file%s; they are %s", near.Hint(name, names, ""), formats.ShowList(names)))
		}
		i, ok := p.vars[n].code(code)
		if !ok {
			return p.fault(p.vars[n].line, formats.Show(code), i18n.T("--select: not a value of %s%s; they are %s", formats.Show(name), near.Hint(code, p.vars[n].codes, ""), formats.ShowList(p.vars[n].codes)))
		}
		p.vars[n].only = i
	}
	dims := 0
	for _, v := range p.vars {
		if len(v.codes) == 1 {
			v.only = 0
		}
		if v.only >= 0 {
			continue
		}
		if v.several != "" && v.tree == nil && p.o.Totals[v.name] == "" && p.o.Hierarchies[v.name] == "" {
			return p.fault(v.line, formats.Show(v.name), i18n.T("holds %d %s, which do not add up to a table; choose one with --select %s=CODE, or say --from layout to read all; the codes are %s", len(v.codes), v.several, v.name, formats.ShowList(v.codes)))
		}
		v.dim = dims
		dims++
	}
	if dims == 0 { // the table has a single cell
		v := p.vars[len(p.vars)-1]
		v.dim, dims = 0, 1
	}
	if dims > 6 {
		return p.fault(0, fmt.Sprintf("%d dimensions", dims), i18n.T("want 1 to 6; fix some with --select VARIABLE=CODE"))
	}
	return p.bounded()
}

// bounded refuses a file with more cells than are allowed.
func (p *parser) bounded() error {
	cells := 1
	for _, v := range p.vars {
		cells *= len(v.codes)
		if want := p.room(cells); !want.IsZero() {
			return p.fault(0, "", want)
		}
	}
	return nil
}

// reserve allocates space for as many cells as the variables say, but for no more than the rest of the text can
// hold.
func (p *parser) reserve() {
	most := (len(p.text)-p.pos)/2 + 1 // each takes at least a digit and a blank
	n := 1
	for _, v := range p.vars {
		if v.only < 0 {
			n = min(n*max(1, len(v.codes)), most)
		}
	}
	p.recs, p.span = make([]table.Record, 0, n), make([][2]int, 0, n)
}

// cells reads the data.
func (p *parser) cells() error {
	p.withheld, p.null = p.o.Withheld, p.o.Nil
	if p.withheld == nil {
		p.withheld = append(formats.DefaultWithheld(), dots...)
	}
	if p.null == nil {
		p.null = formats.DefaultNil()
	}
	p.reserve()
	if err := p.each(p.cell); err != nil {
		return err
	}
	if len(p.recs) == 0 {
		return p.fault(p.data.line, "", i18n.T("no data"))
	}
	return nil
}

// each calls one for every cell of the data, with the values that it is for; at is reused between calls.
func (p *parser) each(one func(at []int, d datum) error) error {
	rows, width := 1, 1
	keys := slices.ContainsFunc(p.vars, func(v *variable) bool { return v.keys })
	for n, v := range p.vars {
		if n < p.stub {
			rows *= len(v.codes)
		} else {
			width *= len(v.codes)
		}
	}
	if keys {
		for _, v := range p.vars[:p.stub] {
			if !v.keys {
				return p.fault(v.line, formats.Show(v.name), i18n.T("no KEYS, but other variables of the stub have; want all of them or none"))
			}
		}
	}
	at := make([]int, len(p.vars))
	seen := map[int]int{}
	for row := 0; keys || row < rows; row++ {
		if keys {
			done, err := p.rowKeys(at)
			if err != nil {
				return err
			}
			if done {
				break
			}
			key := p.number(at[:p.stub])
			if first, dup := seen[key]; dup {
				return p.fault(p.line, "", i18n.T("row given twice, first on line %d", first))
			}
			seen[key] = p.line
		} else {
			for n, r := p.stub-1, row; n >= 0; n-- {
				at[n], r = r%len(p.vars[n].codes), r/len(p.vars[n].codes)
			}
		}
		for c := range width {
			for n, r := len(p.vars)-1, c; n >= p.stub; n-- {
				at[n], r = r%len(p.vars[n].codes), r/len(p.vars[n].codes)
			}
			d, err := p.datum()
			if err != nil {
				return err
			}
			if d.finished {
				return p.fault(d.line, "", i18n.T("the data end at %s; want %d numbers, %d a row", p.cellName(at), rows*width, width))
			}
			if err := one(at, d); err != nil {
				return err
			}
		}
	}
	if d, err := p.datum(); err != nil {
		return err
	} else if !d.finished {
		return p.fault(d.line, formats.Show(d.text), i18n.T("data behind the last of the %d cells; do VALUES leave out one?", rows*width))
	}
	return nil
}

// number returns the number of the row that belongs to values of STUB.
func (p *parser) number(at []int) int {
	n := 0
	for v, i := range at {
		n = n*len(p.vars[v].codes) + i
	}
	return n
}

// rowKeys reads the keys with which a row begins.
func (p *parser) rowKeys(at []int) (done bool, err error) {
	for n, v := range p.vars[:p.stub] {
		d, err := p.datum()
		if err != nil {
			return false, err
		}
		if d.finished {
			if n > 0 {
				return false, p.fault(d.line, "", i18n.T("the data end within the keys of a row"))
			}
			return true, nil
		}
		index := v.index
		if v.keysByText {
			index = v.byText
		}
		i, ok := index[strings.TrimSpace(d.text)]
		if !ok {
			what := i18n.T("code")
			if v.keysByText {
				what = i18n.T("value")
			}
			return false, &formats.Error{File: p.file, Line: d.line, Field: v.name, Value: formats.Show(d.text), Want: i18n.T("not a %s of the variable; want the key of a row", what)}
		}
		at[n] = i
	}
	return false, nil
}

// cell reads one datum into a record, unless it is outside what is selected.
func (p *parser) cell(at []int, d datum) error {
	rec := table.Record{Line: d.line}
	first := len(p.codes)
	for n, v := range p.vars {
		if v.only >= 0 && at[n] != v.only {
			return nil
		}
		if v.dim >= 0 {
			if len(p.codes) == cap(p.codes) { // a new block
				p.codes = append(make([]string, 0, 1<<14), p.codes[first:]...)
				first = 0
			}
			p.codes = append(p.codes, v.codes[at[n]])
		}
	}
	rec.Codes = p.codes[first:len(p.codes):len(p.codes)]
	text := strings.TrimSpace(d.text)
	switch {
	case slices.Contains(p.withheld, text):
		p.mark = cmp.Or(p.mark, text)
	case slices.Contains(p.null, text):
		rec.Value, rec.Status = table.Num(0, 0), table.Published
	default:
		v, err := table.ParseDecimal(text)
		switch {
		case err == nil && d.quoted:
			err = i18n.Errorf("want a number without quotes")
		case err != nil && (strings.Trim(text, ".") == "" || strings.Trim(text, "-–") == ""):
			err = i18n.Errorf("want a number, or a mark for withheld values (%s) or structural zeros (%s)",
				formats.ShowList(p.withheld), formats.ShowList(p.null))
		}
		if err != nil {
			return &formats.Error{File: p.file, Line: d.line, Field: p.cellName(at), Value: formats.Show(d.text), Want: i18n.T("%s", err)}
		}
		rec.Value = table.Number{Decimal: v, Set: true}
	}
	formats.Bound(&rec, p.o.Lower, p.o.Upper)
	p.recs = append(p.recs, rec)
	p.span = append(p.span, [2]int{d.at, d.end})
	return nil
}

func (p *parser) cellName(at []int) string {
	codes := make([]string, len(p.vars))
	for n, v := range p.vars {
		codes[n] = v.codes[at[n]]
	}
	return strings.Join(codes, "/")
}

// statuses reads the marks beside cells, if a note says that they are codes of CL_CONF_STATUS.
func (p *parser) statuses() error {
	if len(p.notes) == 0 {
		return nil
	}
	cell := p.byCodes()
	return p.eachStatus(func(s *statement, at []int, st table.Status) {
		p.notes = append(p.notes, s)
		var codes []string
		other := false
		for n, v := range p.vars {
			other = other || v.only >= 0 && at[n] != v.only
			if v.dim >= 0 {
				codes = append(codes, v.codes[at[n]])
			}
		}
		i, ok := cell[strings.Join(codes, "\x00")]
		switch {
		case other || !ok: // the mark is for a cell outside the selection or in a row that is left out
		case p.recs[i].Value.Set || st != table.Safe:
			p.recs[i].Status, p.recs[i].Reason = st, formats.ConfReason(s.text())
			p.found[i] = s.text()
		}
	})
}

// eachStatus calls f for every mark beside a cell that is a code of CL_CONF_STATUS, with the cell's values of
// all variables.
func (p *parser) eachStatus(f func(s *statement, at []int, st table.Status)) error {
	for _, s := range p.find("DATANOTECELL") {
		st, ok := formats.ConfStatus(s.text())
		if !ok {
			return p.fault(s.line, formats.Show(s.text()), formats.ConfWant())
		}
		if len(s.args) != len(p.vars) {
			return p.fault(s.line, formats.Show(s.name()), i18n.T("%d values for %d variables", len(s.args), len(p.vars)))
		}
		at := make([]int, len(p.vars))
		for n, a := range s.args {
			if at[n], ok = p.vars[n].code(a); !ok {
				return p.fault(s.line, formats.Show(a), i18n.T("not a value of %s; a mark that is a status names one cell", formats.Show(p.vars[n].name)))
			}
		}
		f(s, at, st)
	}
	return nil
}

// byCodes indexes the records by their codes.
func (p *parser) byCodes() map[string]int {
	cell := make(map[string]int, len(p.recs))
	for i := range p.recs {
		cell[strings.Join(p.recs[i].Codes, "\x00")] = i
	}
	return cell
}

// dimensions makes the trees: from the options, else from HIERARCHIES, else flat.
func (p *parser) dimensions() ([]table.Dimension, error) {
	o := *p.o
	o.Totals = map[string]string{}
	var used []formats.Used
	var trees []*variable
	for _, v := range p.vars {
		if v.dim < 0 {
			continue
		}
		u := formats.Used{Name: v.name}
		if total, ok := p.o.Totals[v.name]; ok {
			o.Totals[v.name] = total
			if i, ok := v.code(total); ok {
				o.Totals[v.name] = v.codes[i]
			}
		} else if i, ok := v.total(p.o); ok {
			o.Totals[v.name] = v.codes[i]
		}
		used = append(used, u)
		trees = append(trees, v)
	}
	seen := sets.List(len(used), func(_ int) map[string]bool { return map[string]bool{} })
	for i := range p.recs {
		for d, code := range p.recs[i].Codes {
			if !seen[d][code] {
				seen[d][code] = true
				used[d].Codes, used[d].Lines = append(used[d].Codes, code), append(used[d].Lines, trees[d].line)
			}
		}
	}
	for d, v := range trees {
		// A single code is its own total. The file's tree is used if the options have none.
		if len(used[d].Codes) == 1 && o.Hierarchies[v.name] == "" {
			o.Totals[v.name] = used[d].Codes[0]
		}
	}
	dims, err := formats.Dimensions(p.file, used, p.withoutTrees(&o, trees))
	if err != nil {
		return nil, err
	}
	for d, v := range trees {
		if v.tree != nil && p.o.Hierarchies[v.name] == "" && len(used[d].Codes) > 1 {
			if dims[d], err = p.tree(v, used[d].Codes); err != nil {
				return nil, err
			}
		}
	}
	// Totals may also be given for variables that are no dimensions.
	for name := range p.o.Totals {
		if !slices.ContainsFunc(p.vars, func(v *variable) bool { return v.name == name }) {
			return nil, p.fault(0, formats.Show(name), i18n.T("a total code for a variable that the file does not have"))
		}
	}
	return dims, nil
}

// withoutTrees returns options with which variables that have a tree in the file are not checked as flat.
func (p *parser) withoutTrees(o *formats.Options, trees []*variable) *formats.Options {
	for _, v := range trees {
		if v.tree != nil && o.Hierarchies[v.name] == "" && o.Totals[v.name] == "" {
			o.Totals[v.name] = v.codes[0]
		}
	}
	return o
}

// total returns the index of the value that is the total: by the options, by ELIMINATION, or by default.
func (v *variable) total(o *formats.Options) (int, bool) {
	for _, s := range []string{o.Total, v.elimination, formats.DefaultTotal} {
		if i, ok := v.code(s); s != "" && ok {
			return i, true
		}
	}
	return 0, false
}

// tree reads HIERARCHIES("var")="root","parent":"child",… The root need not be a value of the variable; it is
// then a margin that the file leaves out.
func (p *parser) tree(v *variable, used []string) (table.Dimension, error) {
	s := v.tree
	fail := func(want i18n.Text) (table.Dimension, error) {
		return table.Dimension{}, p.fault(s.line, formats.Show(s.name()), want)
	}
	var edges []table.Edge
	root := ""
	for k := 0; k < len(s.value); k++ {
		t := s.value[k]
		if t.mark {
			return fail(i18n.T("want \"root\",\"parent\":\"child\",…"))
		}
		switch {
		case k+2 < len(s.value) && s.value[k+1].mark && s.value[k+1].text == ":" && !s.value[k+2].mark:
			edges = append(edges, table.Edge{Parent: v.named(t.text), Code: v.named(s.value[k+2].text), Line: s.line})
			k += 2
		case root == "":
			root = v.named(t.text)
		default:
			return fail(i18n.T("two roots, %s and %s", formats.Show(root), formats.Show(t.text)))
		}
		if k++; k < len(s.value) && s.value[k].text != "," {
			return fail(i18n.T("want , between the pairs"))
		}
	}
	if root == "" {
		return fail(i18n.T("no root, want \"root\",\"parent\":\"child\",…"))
	}
	d, err := table.NewDimension(v.name, root, edges)
	if err != nil {
		return fail(i18n.T("%s", err))
	}
	known := sets.Of(d.Codes)
	for _, code := range used {
		if !known[code] {
			return fail(i18n.T("the value %s stands in no pair", formats.Show(code)))
		}
	}
	return formats.Prune(d, used), nil
}

// named returns the code of a value that is given by its code or its text.
func (v *variable) named(s string) string {
	if i, ok := v.code(s); ok {
		return v.codes[i]
	}
	return s
}
