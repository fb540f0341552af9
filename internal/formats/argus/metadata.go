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
	"github.com/hitoku/hitoku/table"
)

// A Kind says what metadata describe; their lines about variables differ.
type Kind uint8

const (
	Microdata Kind = iota // name, start and length (no start with a separator), missing codes
	Tabular               // name and missing codes
)

// Metadata are the content of an .rda file.
type Metadata struct {
	File string
	Kind Kind

	// Separator separates the fields of the data file; empty: fixed columns.
	Separator string
	// SPSS says that the data are in an SPSS file, which this package does not read.
	SPSS bool
	// Safe, Unsafe and Protect are the symbols used in the status column.
	Safe, Unsafe, Protect string

	Variables []Variable

	// Moved says which files that are Elsewhere were replaced by files of the same name here.
	Moved []string
}

// A Variable is one column of the data file.
type Variable struct {
	Name string
	Line int // its line in the .rda file

	// Start is the first byte, from 1, of the column in a file with fixed columns, else 0. Length is its number
	// of bytes, and elsewhere the width to which codes are padded. Both are 0 in the metadata of tables.
	Start, Length int
	// Missing are the codes, at most two, that stand for a missing value. Like other codes they are leaves
	// below the total.
	Missing []string

	// Fields of a variable that spans tables.
	Recodeable   bool
	TotCode      string // Total if the file gives none
	Codelist     string // resolved path of the file of labels; empty: none
	Hierarchical bool
	HierLevels   []int  // number of digits of a code that each level takes
	HierCodelist string // resolved path of the .hrc file; empty: none
	Lead         string // the characters that indent a code in that file: "." if the file gives none
	// Labels maps the names given to codes that the hierarchy lists again to the codes as they are written.
	// Nil: such codes are errors.
	Labels    map[string]string
	Distance  []int // costs of withholding at distance 1, 2, … on this variable
	Truncable bool

	// Fields of a numeric variable.
	Numeric  bool
	Decimals int

	// Roles of a variable of microdata.
	Weight  bool
	Holding bool
	Request []string // codes, at most two, by which contributors ask for protection

	// Roles of a variable of a table.
	Frequency, Shadow, Cost, MaxScore, Status, LowerPL, UpperPL bool

	// CellKey maps the keywords of the cell key method to the words that follow them.
	CellKey map[string][]string
}

// A keywordRule says how many values follow a keyword, and how they are stored.
type keywordRule struct {
	least, most int // bounds on the number of values
	set         func(p *metadataReader, v *Variable, values []string) error
}

func flag(to func(v *Variable) *bool) keywordRule {
	return keywordRule{0, 0, func(_ *metadataReader, v *Variable, _ []string) error {
		*to(v) = true
		return nil
	}}
}

func cellKeyMethod(name string) keywordRule {
	return keywordRule{0, 9, func(_ *metadataReader, v *Variable, values []string) error {
		if v.CellKey == nil {
			v.CellKey = map[string][]string{}
		}
		v.CellKey[name] = values
		return nil
	}}
}

// ofVariable are the keywords that follow a variable.
var ofVariable = map[string]keywordRule{
	"RECODEABLE":   flag(func(v *Variable) *bool { return &v.Recodeable }),
	"RECODABLE":    flag(func(v *Variable) *bool { return &v.Recodeable }),
	"HIERARCHICAL": flag(func(v *Variable) *bool { return &v.Hierarchical }),
	"TRUNCABLE":    flag(func(v *Variable) *bool { return &v.Truncable }),
	"NUMERIC":      flag(func(v *Variable) *bool { return &v.Numeric }),
	"WEIGHT":       flag(func(v *Variable) *bool { return &v.Weight }),
	"HOLDING":      flag(func(v *Variable) *bool { return &v.Holding }),
	"FREQUENCY":    flag(func(v *Variable) *bool { return &v.Frequency }),
	"SHADOW":       flag(func(v *Variable) *bool { return &v.Shadow }),
	"COST":         flag(func(v *Variable) *bool { return &v.Cost }),
	"COSTVAR":      flag(func(v *Variable) *bool { return &v.Cost }),
	"MAXSCORE":     flag(func(v *Variable) *bool { return &v.MaxScore }),
	"STATUS":       flag(func(v *Variable) *bool { return &v.Status }),
	"LOWERPL":      flag(func(v *Variable) *bool { return &v.LowerPL }),
	"UPPERPL":      flag(func(v *Variable) *bool { return &v.UpperPL }),
	"TOTCODE": {1, 1, func(p *metadataReader, v *Variable, s []string) error {
		if strings.TrimSpace(s[0]) == "" {
			return p.fault(`""`, "<TOTCODE>: want the code of the total")
		}
		v.TotCode = strings.TrimSpace(s[0])
		// sdcTable writes these quotes
		if n := len(v.TotCode); n > 2 && v.TotCode[0] == '\'' && v.TotCode[n-1] == '\'' {
			v.TotCode = v.TotCode[1 : n-1]
		}
		return nil
	}},
	"CODELIST": {1, 1, func(p *metadataReader, v *Variable, s []string) error {
		return p.file(&v.Codelist, "CODELIST", s[0])
	}},
	"HIERCODELIST": {1, 1, func(p *metadataReader, v *Variable, s []string) error {
		return p.file(&v.HierCodelist, "HIERCODELIST", s[0])
	}},
	"HIERLEADSTRING": {1, 1, func(p *metadataReader, v *Variable, s []string) error {
		if strings.TrimSpace(s[0]) == "" {
			return p.fault(formats.Show(s[0]), "<HIERLEADSTRING>: want a string that is not blank")
		}
		v.Lead = strings.TrimSpace(s[0])
		return nil
	}},
	"HIERLEVELS": {1, 10, func(p *metadataReader, v *Variable, s []string) (err error) {
		v.HierLevels, err = p.numbers("HIERLEVELS", s, 0, 100)
		return err
	}},
	"DISTANCE": {1, 5, func(p *metadataReader, v *Variable, s []string) (err error) {
		v.Distance, err = p.numbers("DISTANCE", s, 0, 1<<30)
		return err
	}},
	"DECIMALS": {1, 1, func(p *metadataReader, v *Variable, s []string) error {
		n, err := p.numbers("DECIMALS", s, 0, table.MaxDecimals)
		if err == nil {
			v.Decimals = n[0]
		}
		return err
	}},
	"REQUEST": {1, 2, func(_ *metadataReader, v *Variable, s []string) error {
		v.Request = s
		return nil
	}},
	"RECORDKEY": cellKeyMethod("RECORDKEY"), "PFILE": cellKeyMethod("PFILE"), "PFILE_FREQ": cellKeyMethod("PFILE_FREQ"),
	"PFILE_CONT": cellKeyMethod("PFILE_CONT"), "PFILE_SEP": cellKeyMethod("PFILE_SEP"), "CKM": cellKeyMethod("CKM"),
	"INCLUDEZEROS": cellKeyMethod("INCLUDEZEROS"), "PARITY": cellKeyMethod("PARITY"), "SCALING": cellKeyMethod("SCALING"),
	"SEPARATION": cellKeyMethod("SEPARATION"),
}

// ofFile are the keywords that precede the first variable.
var ofFile = map[string]keywordRule{
	"SEPARATOR": {1, 1, func(p *metadataReader, _ *Variable, s []string) error {
		if len(s[0]) != 1 || s[0] == `"` || s[0] == "\r" {
			return p.fault(formats.Show(s[0]), "<SEPARATOR>: want one ASCII character, and not a quote")
		}
		p.m.Separator = s[0]
		return nil
	}},
	"SPSS":    {0, 1, func(p *metadataReader, _ *Variable, _ []string) error { p.m.SPSS = true; return nil }},
	"SAFE":    {1, 1, func(p *metadataReader, _ *Variable, s []string) error { return p.symbol(&p.m.Safe, "SAFE", s[0]) }},
	"UNSAFE":  {1, 1, func(p *metadataReader, _ *Variable, s []string) error { return p.symbol(&p.m.Unsafe, "UNSAFE", s[0]) }},
	"PROTECT": {1, 1, func(p *metadataReader, _ *Variable, s []string) error { return p.symbol(&p.m.Protect, "PROTECT", s[0]) }},
}

// maxVariables is the largest number of variables of a file.
const maxVariables = 4096

// metadataReader reads one .rda file.
type metadataReader struct {
	m    *Metadata
	line int
	seen map[string]int // line of each keyword of the current variable
	at   map[string]int // line of each variable, by its name with case folded
}

// Lists returns the code lists and trees that m names.
func (m *Metadata) Lists() []string {
	var files []string
	for _, v := range m.Variables {
		for _, f := range [2]string{v.Codelist, v.HierCodelist} {
			if f != "" {
				files = append(files, f)
			}
		}
	}
	return files
}

// ReadMetadata reads the .rda file path. encoding is as for formats.NewLines.
func ReadMetadata(path string, kind Kind, encoding string) (*Metadata, error) {
	f, err := formats.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadMetadataFrom(f, path, kind, encoding)
}

// ReadMetadataFrom reads metadata from r, which messages call file. Files that the metadata name are looked for
// beside file; they are not opened.
func ReadMetadataFrom(r io.Reader, file string, kind Kind, encoding string) (*Metadata, error) {
	p := &metadataReader{m: &Metadata{File: file, Kind: kind, Safe: "S", Unsafe: "U", Protect: "P"}, seen: map[string]int{}, at: map[string]int{}}
	err := eachLine(r, file, encoding, true, func(line int, text string) error {
		p.line = line
		all, err := tokens(file, line, text)
		if err != nil {
			return err
		}
		if _, ok := all[0].keyword(); ok {
			return p.keywords(all)
		}
		return p.variable(all)
	})
	if err != nil {
		return nil, err
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	return p.m, nil
}

func (p *metadataReader) fault(value, want string, args ...any) error {
	return fault(p.m.File, p.line, value, want, args...)
}

// keywords reads a line of keywords with their values.
func (p *metadataReader) keywords(all []token) error {
	for len(all) > 0 {
		name, ok := all[0].keyword()
		if !ok {
			return p.fault(formats.Show(all[0].text), "want a keyword like <NUMERIC>")
		}
		var values []string
		for all = all[1:]; len(all) > 0; all = all[1:] {
			if _, next := all[0].keyword(); next {
				break
			}
			values = append(values, all[0].text)
		}
		if err := p.keyword(name, values); err != nil {
			return err
		}
	}
	return nil
}

func (p *metadataReader) keyword(name string, values []string) error {
	if first := p.seen[name]; first > 0 && name != "TOTCODE" { // sdcTable writes TOTCODE twice; the last one counts
		return p.fault("<"+name+">", "given twice, first on line %d", first)
	}
	p.seen[name] = p.line
	var v *Variable
	rule, ok := ofVariable[name]
	if _, global := ofFile[name]; global {
		if len(p.m.Variables) > 0 {
			return p.fault("<"+name+">", "want it before the first variable")
		}
		rule = ofFile[name]
	} else {
		switch {
		case !ok:
			return p.fault("<"+name+">", "unknown keyword%s", p.nearest(name))
		case len(p.m.Variables) == 0:
			return p.fault("<"+name+">", "want the variable that this describes on a line before it")
		}
		v = &p.m.Variables[len(p.m.Variables)-1]
	}
	switch n := len(values); {
	case n >= rule.least && n <= rule.most:
	case rule.most == 0:
		return p.fault(formats.ShowList(values), "<%s> takes no value", name)
	case n == 0:
		return p.fault("<"+name+">", "want a value behind it")
	default:
		return p.fault(formats.ShowList(values), "<%s> takes %s", name, atMost(rule.most))
	}
	return rule.set(p, v, values)
}

func atMost(n int) i18n.Text {
	if n == 1 {
		return i18n.T("one value")
	}
	return i18n.T("at most %d values", n)
}

// nearest suggests a keyword that begins like the unknown one.
func (p *metadataReader) nearest(name string) i18n.Text {
	var near []string
	for _, m := range []map[string]keywordRule{ofFile, ofVariable} {
		for k := range m {
			if len(name) >= 4 && len(k) >= 4 && k[:4] == name[:4] {
				near = append(near, "<"+k+">")
			}
		}
	}
	if len(near) == 0 {
		return i18n.Text{}
	}
	slices.Sort(near)
	names := i18n.T("%s", near[0])
	for _, name := range near[1:] {
		names = names.Plus(" or %s", name)
	}
	return i18n.T(" (did you mean %s?)", names)
}

// variable reads the line that introduces a variable.
func (p *metadataReader) variable(all []token) error {
	v := Variable{Name: strings.TrimSpace(all[0].text), Line: p.line, TotCode: defaultTotal, Lead: "."}
	if v.Name == "" {
		return p.fault(`""`, "want the name of a variable")
	}
	name := formats.Fold(v.Name)
	if first, twice := p.at[name]; twice {
		return p.fault(formats.Show(v.Name), "variable given twice, first on line %d", first)
	}
	p.at[name] = p.line
	if len(p.m.Variables) == maxVariables {
		return p.fault(formats.Show(v.Name), "more than %d variables", maxVariables)
	}
	all = all[1:]
	number := func(what i18n.Text) (n int, err error) {
		if len(all) == 0 {
			return 0, p.fault(formats.Show(v.Name), "want %s behind the name", what)
		}
		n, err = strconv.Atoi(strings.TrimSpace(all[0].text))
		if err != nil || n < 1 || n > 1<<20 {
			return 0, p.fault(formats.Show(all[0].text), "want %s as a whole number from 1", what)
		}
		all = all[1:]
		return n, nil
	}
	var err error
	if p.m.Kind == Microdata {
		what := i18n.T("the length")
		if p.m.Separator == "" && !p.m.SPSS {
			what = i18n.T("start and length")
			if v.Start, err = number(what); err != nil {
				return err
			}
		}
		if v.Length, err = number(what); err != nil {
			return err
		}
	}
	for _, t := range all {
		if _, ok := t.keyword(); ok {
			return p.fault(t.text, "want keywords on lines of their own")
		}
		v.Missing = append(v.Missing, t.text)
	}
	if len(v.Missing) > 2 {
		return p.fault(formats.ShowList(v.Missing), "want at most two missing codes")
	}
	p.m.Variables = append(p.m.Variables, v)
	clear(p.seen)
	return nil
}

// file resolves the name of a file and stores its path.
func (p *metadataReader) file(to *string, keyword, name string) error {
	if strings.TrimSpace(name) == "" {
		return p.fault(`""`, "<%s>: want a file", keyword)
	}
	name = strings.TrimSpace(name)
	*to = Resolve(p.m.File, name)
	if dir := filepath.Dir(p.m.File); Elsewhere(name) && filepath.Dir(*to) == dir {
		p.m.Moved = append(p.m.Moved, fmt.Sprintf("%s is not there; %s is read", name, *to))
	}
	return nil
}

// symbol sets a status symbol. τ-ARGUS compares data in upper case, so a lower-case symbol never matches there;
// here case does not matter.
func (p *metadataReader) symbol(to *string, keyword, s string) error {
	if strings.TrimSpace(s) == "" {
		return p.fault(`""`, "<%s>: want a symbol", keyword)
	}
	*to = strings.TrimSpace(s)
	return nil
}

func (p *metadataReader) numbers(keyword string, values []string, least, most int) ([]int, error) {
	n := make([]int, len(values))
	for i, s := range values {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(s)); err != nil || n[i] < least || n[i] > most {
			return nil, p.fault(formats.Show(s), "<%s>: want whole numbers from %d to %d", keyword, least, most)
		}
	}
	return n, nil
}

// finish makes the checks that need the whole file.
func (p *metadataReader) finish() error {
	m := p.m
	if len(m.Variables) == 0 {
		return fault(m.File, 0, "", "no variables")
	}
	symbols := []string{m.Safe, m.Unsafe, m.Protect}
	for i, s := range symbols {
		for _, other := range symbols[:i] {
			if strings.EqualFold(s, other) {
				return fault(m.File, 0, formats.Show(s), "one symbol for two statuses")
			}
		}
	}
	roles := map[string]string{}
	for n := range m.Variables {
		v := &m.Variables[n]
		bad := func(want string, args ...any) error {
			return fault(m.File, v.Line, formats.Show(v.Name), want, args...)
		}
		switch {
		case v.Hierarchical && v.HierCodelist == "" && len(v.HierLevels) == 0:
			return bad("<HIERARCHICAL> without <HIERLEVELS> or <HIERCODELIST>")
		case v.HierCodelist != "" && len(v.HierLevels) > 0:
			return bad("both <HIERLEVELS> and <HIERCODELIST>; want one of them")
		case !v.Hierarchical && (v.HierCodelist != "" || len(v.HierLevels) > 0):
			return bad("a hierarchy but no <HIERARCHICAL>")
		}
		sum := 0
		for _, l := range v.HierLevels {
			sum += l
		}
		if len(v.HierLevels) > 0 && v.Length > 0 && sum != v.Length {
			return bad("<HIERLEVELS> add up to %d digits, but the code has %d", sum, v.Length)
		}
		if len(v.HierLevels) > 0 && v.HierLevels[0] == 0 {
			return bad("<HIERLEVELS>: the first level has no digits")
		}
		for _, r := range []struct {
			name string
			has  bool
		}{
			{"FREQUENCY", v.Frequency}, {"STATUS", v.Status}, {"LOWERPL", v.LowerPL}, {"UPPERPL", v.UpperPL}, {"WEIGHT", v.Weight}, {"HOLDING", v.Holding}, {"REQUEST", v.Request != nil},
		} {
			if !r.has {
				continue
			}
			if first, dup := roles[r.name]; dup {
				return bad("a second variable with <%s>, after %s", r.name, first)
			}
			roles[r.name] = v.Name
		}
	}
	return nil
}

// AllowRepeated allows hierarchies to list a code more than once; the repeated ones are in Labels of their
// variable.
func (m *Metadata) AllowRepeated() {
	for k := range m.Variables {
		if v := &m.Variables[k]; v.HierCodelist != "" {
			v.Labels = map[string]string{}
		}
	}
}

// Find returns the variable of that name, ignoring case, or nil.
func (m *Metadata) Find(name string) *Variable {
	for n := range m.Variables {
		if strings.EqualFold(m.Variables[n].Name, name) {
			return &m.Variables[n]
		}
	}
	return nil
}

// Names returns the names of the variables that keep accepts; a nil keep accepts all.
func (m *Metadata) Names(keep func(*Variable) bool) []string {
	var names []string
	for n := range m.Variables {
		if keep == nil || keep(&m.Variables[n]) {
			names = append(names, m.Variables[n].Name)
		}
	}
	return names
}
