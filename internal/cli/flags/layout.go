package flags

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/table"
)

// A layoutChoice holds corrections of what is inferred about the layout of a file.
type layoutChoice struct {
	area         string
	headerRows   int
	labelColumns int
	fillDown     bool
	derived      []string
	noTotal      []string
	note, blank  []string
	tolerance    string
	file, save   string
	freq         string

	fill   *bool           // nil if not given
	source *layout.Source  // the file read last
	leave  bool            // leave numbers outside all tables as they are
	path   string          // the path of source, as responses of one file are read one by one
	said   map[string]bool // by path: whether remarks on it have been shown
	values bool            // all values are needed
	below  int64           // cells of fewer contributors are sensitive

	ctx context.Context // the context of the command that reads
}

// LayoutGroup returns the flags of layouts.
func (f *Input) LayoutGroup() Group {
	l := &f.layout
	return In(LayoutGroup, []Flag{
		{Name: "layout", To: &l.file, Files: []string{"toml"}, Text: "read the table inside the layout that this `FILE`.toml tells, of --save-layout"},
		{Name: "save-layout", To: &l.save, Files: []string{"toml"}, Writes: true, Text: "write the layout understood to this `file`, to be edited and used again"},
		{Name: "range", To: &l.area, Text: "the table stands in this `RECTANGLE`, header and labels included, like A3:K40 or Data!A3:K40"},
		{Name: "header-rows", Rare: true, To: &l.headerRows, Text: "the header has `N` rows", Else: "inferred"},
		{Name: "label-columns", Rare: true, To: &l.labelColumns, Text: "`N` columns hold labels and codes", Else: "inferred"},
		{Name: "fill-down", Rare: true, To: &l.fillDown, Text: "an empty label repeats the one above; --fill-down=false: it does not", Else: "inferred"},
		{Name: "derived", Rare: true, To: &l.derived, Text: "`COLUMN`, by letter, number or header, or code whose numbers are computed from others"},
		{Name: "note", Rare: true, To: &l.note, Text: "numbers of notes, which stay: `H8`, Data!H8:H12, Data!H or a sheet"},
		{Name: "blank", Rare: true, To: &l.blank, Text: "numbers that the copy lacks: `H8`, likewise"},
		{Name: "no-total", Rare: true, To: &l.noTotal, Text: "`DIM`: its codes add up to nothing"},
		{Name: "tolerance", To: &l.tolerance, Text: "values are rounded: sums may miss their total by this `number`, and intervals are as wide as the rounding leaves them. 0: values are exact", Else: "as rounded as sums that miss show"},
		{Name: "leave-aside", Rare: true, To: &l.leave, Text: "somebody has looked at the numbers of the file that are in no table: leave them as they are, covered by no verdict"},
		{Name: "freq", To: &l.freq, Text: "`MEASURE`, or column of a long table, that counts the contributors of the others", Else: "the one that counts establishments, farms or the like"},
	})
}

// layoutFlags are flags that only layouts use.
var layoutFlags = []string{"layout", "save-layout", "range", "header-rows", "label-columns", "fill-down", "derived", "note", "blank", "no-total", "tolerance", "freq"}

// given reports whether some flag asks for a layout.
func (l *layoutChoice) given() bool {
	return l.file != "" || l.save != "" || l.area != "" || l.headerRows != 0 || l.labelColumns != 0 || l.fill != nil || l.derived != nil || l.note != nil || l.blank != nil || l.noTotal != nil || l.tolerance != "" || l.freq != ""
}

// LayoutOptions returns the corrections as options of package layout.
func (f *Input) LayoutOptions() (layout.Options, error) {
	l := &f.layout
	o := layout.Options{Sheet: f.sheet, LeaveAside: l.leave, Values: l.values, Range: l.area, HeaderRows: l.headerRows, LabelColumns: l.labelColumns, FillDown: l.fill, Derived: l.derived, Note: l.note, Blank: l.blank, NoTotal: l.noTotal, Tolerance: l.tolerance, Decimal: f.decimal, Thousands: f.thousands, Freq: l.freq, Below: l.below}
	for _, s := range f.column {
		if name, ok := strings.CutPrefix(s, "freq="); ok && o.Freq == "" {
			o.Freq = name
		}
	}
	if o.Measures = slices.Clone(f.Responses); o.Freq != "" {
		o.Measures = append(o.Measures, o.Freq)
	}
	if _, err := table.ParseNotation(f.decimal, f.thousands); err != nil {
		return o, i18n.Errorf("--decimal, --thousands: %w", err)
	}
	if l.headerRows < 0 || l.labelColumns < 0 {
		return o, i18n.Errorf("--header-rows, --label-columns: want 1 or more")
	}
	if l.file == "" {
		return o, nil
	}
	file, err := os.Open(l.file)
	if err == nil {
		defer file.Close()
		o.From, err = layout.ReadSaved(file)
	}
	if err != nil {
		return o, i18n.Errorf("--layout %s: %w", l.file, err)
	}
	return o, nil
}

// NeedValues says that a table with values already withheld cannot be used.
func (f *Input) NeedValues() { f.layout.values = true }

// TextGroup returns the flags of a verb that only reads layouts.
func (f *Input) TextGroup() Group {
	return In(InputGroup, []Flag{
		Encoding(&f.encoding, "text files"),
		{Name: "sheet", To: &f.sheet, Text: "`NAME` of the sheet to read", Else: "all"},
		decimalFlag(&f.decimal),
		{Name: "thousands", To: &f.thousands, Text: "`MARK` between the thousands of numbers in text", Else: "found out"},
	})
}

// Inspect reads a file and infers its layout.
func (f *Input) Inspect(cmd Call, path string, stdin io.Reader) (*layout.Source, error) {
	f.given(cmd)
	return f.Source(path, stdin)
}

// given records which flags were given, and the context of the command.
func (f *Input) given(cmd Call) {
	f.layout.ctx = cmd.Context()
	if f.layout.fill = nil; cmd.Flags().Changed("fill-down") {
		f.layout.fill = &f.layout.fillDown
	}
}

// Source reads a file and infers its layout, once per path.
func (f *Input) Source(path string, stdin io.Reader) (*layout.Source, error) {
	if f.layout.source != nil && f.layout.path == path {
		return f.layout.source, nil
	}
	o, err := f.LayoutOptions()
	if err != nil {
		return nil, err
	}
	name, in := "stdin", stdin
	if f.Asks && stdin == nil && !f.layout.given() && f.from == "" && Large(path) {
		return nil, &formats.Error{File: path, Want: i18n.T("a text of more than 16 MB, in which no layout is looked for unless --range or --layout says where; of a tidy file --column value=NAME and --dims say what its columns are")}
	}
	if stdin == nil {
		file, err := os.Open(path)
		if err != nil {
			return nil, formats.OSError(path, err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, &formats.Error{File: path, Want: i18n.T("is a directory, want a file")}
		}
		name, in = path, file
	}
	s, err := f.layout.open(in, name, f.encoding, o)
	if err != nil {
		return nil, err
	}
	f.layout.source, f.layout.path = s, path
	return s, f.saveLayout(s.Reading.Layout)
}

// open reads a file, and returns when the command ends; what is still being read then is dropped.
func (c *layoutChoice) open(in io.Reader, name, encoding string, o layout.Options) (*layout.Source, error) {
	if c.ctx == nil || c.ctx.Done() == nil {
		return layout.Open(in, name, encoding, "", o)
	}
	var s *layout.Source
	var err error
	var fault any
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer func() { fault = recover() }()
		s, err = layout.Open(in, name, encoding, "", o)
	}()
	select {
	case <-read:
	case <-c.ctx.Done():
		return nil, i18n.Errorf("%s: interrupted while it was read", name)
	}
	if fault != nil {
		panic(fault)
	}
	return s, err
}

// Large reports whether a file is a text so large that the page does not look for a layout unasked: it would take a
// minute and more memory than machines have to spare, and such files are tidy or have a known format.
func Large(path string) bool {
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) {
	case ".csv", ".tsv", ".txt":
		info, err := os.Stat(path)
		return err == nil && info.Size() > 16<<20 && !recognisesLayout(path)
	}
	return false
}

// saveLayout writes the layout to the file of --save-layout.
func (f *Input) saveLayout(l *layout.Layout) error {
	if f.layout.save == "" || l == nil {
		return nil
	}
	return formats.Save(f.layout.save, l.Save)
}

// readLayout reads a table by the layout of an office's file.
func readLayout(path string, stdin io.Reader, f *Input, o formats.Options) (*formats.Input, error) {
	s, err := f.Source(path, stdin)
	if err != nil {
		return nil, err
	}
	if f.layout.freq != "" {
		if o.Columns["freq"] != "" {
			return nil, i18n.Errorf("--freq %s beside --column freq=%s: want one of them", f.layout.freq, o.Columns["freq"])
		}
		if err := put(&o.Columns, "--freq", "freq", f.layout.freq); err != nil {
			return nil, err
		}
	}
	in, err := s.Input(o)
	if err != nil {
		return nil, err
	}
	if o.Say != nil && !f.layout.said[path] {
		if f.layout.said == nil {
			f.layout.said = map[string]bool{}
		}
		f.layout.said[path] = true
		for _, line := range s.Reading.Words() {
			o.Say(line)
		}
	}
	return in, nil
}

// recognisesTidy recognises a tidy file by a column of levels or contributions beside that of values or, beside columns
// of responses, also by one of statuses.
func recognisesTidy(path string, responses []string) bool {
	line, _, _ := strings.Cut(string(formats.Head(path, 4096)), "\n")
	names := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",;\t\r\"", r) })
	named := func(any ...string) bool {
		return slices.ContainsFunc(names, func(s string) bool { return slices.Contains(any, strings.ToLower(s)) })
	}
	measured := len(responses) > 0 && !slices.ContainsFunc(responses, func(s string) bool { return !slices.Contains(names, s) })
	return (named("value") || measured) && (named("lpl", "upl", "spl", "max1") || measured && named("status"))
}

// recognisesLayout recognises the formats of offices that other readers would take for plain tables: those of Eurostat
// and of Statistics Canada.
func recognisesLayout(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	if !strings.HasSuffix(name, ".tsv") && !strings.HasSuffix(name, ".csv") {
		return false
	}
	head := string(formats.Head(path, 4096))
	line, _, _ := strings.Cut(head, "\n")
	first, _, _ := strings.Cut(line, "\t")
	return strings.Contains(first, ",") && strings.Contains(first, "\\TIME") || strings.Contains(line, "REF_DATE") && strings.Contains(line, "VECTOR") && strings.Contains(line, "VALUE")
}

// plain returns the given flags that only plain files use. If there are none, a file that the plain reader rejects may
// have a layout.
func (f *Input) plain() []string {
	var given []string
	for _, of := range []struct {
		flag string
		set  bool
	}{
		{"--total", f.total != nil}, {"--hierarchy", f.hierarchy != nil}, {"--flat", f.flat != nil}, {"--lead", f.lead != ""}, {"--dims", f.dims != nil},
		{"--withheld", f.withheld != nil}, {"--nil", f.Null != nil}, {"--meta", f.Meta != ""}, {"--readtable", f.readTable != ""},
		{"--column", slices.ContainsFunc(f.column, func(s string) bool { return !strings.HasPrefix(s, "freq=") && !strings.HasPrefix(s, "value=") })},
	} {
		if of.set {
			given = append(given, of.flag)
		}
	}
	return given
}

// laidOut adds to the plain reader's error that the file could be read by its layout but for some flags. A sum that
// does not hold is reported as it is: with a layout it might pass for a rounded one.
func (f *Input) laidOut(path string, plain []string, err error) error {
	var sum *table.AdditivityError
	if err == nil || errors.As(err, &sum) || Large(path) {
		return err
	}
	if s, bad := f.Source(path, nil); bad != nil || s.Tidy() || !s.Fits(true) {
		return err
	}
	return i18n.Errorf("%w; as an office lays it out it is read without %s", err, i18n.Names("", plain))
}
