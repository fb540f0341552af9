package flags

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// A Format is one layout of table files, as --from, --to and the extension of a
// file choose it.
type Format struct {
	Name  formats.Format
	About string // for the help of convert

	// Extensions of its files, lower case; compressed files have .gz behind it.
	// The first format with an extension writes files of that name.
	Extensions []string
	// flags of Input and Rules that it has a use for. A flag that some
	// format names is an error for the formats that do not.
	flags []string
	// Style are the flags of Style that its writer heeds, and flag.
	Style []string
	// recognises tells its files where the extension does not decide; nil: never.
	recognises func(path string) bool
	// read reads a table. stdin is not nil where path is "-".
	read func(path string, stdin io.Reader, f *Input, o formats.Options) (*formats.Input, error)
	// Write writes a whole table to the file, or files, called path: every value that
	// is known, withheld or not. It fails where the format cannot hold the table.
	Write func(path string, in *formats.Input, c *Conversion) error
}

// A Conversion is how a table is written in another format.
type Conversion struct {
	Inputs  Input
	Bounds  Rules  // only these of them
	Lossy   bool   // what has no place may be left out
	Mask    bool   // values of withheld cells are
	Options string // the options of the output types of τ-ARGUS
}

// Formats is the list of them all. To add one, add it here.
var Formats = []*Format{
	{
		Name: formats.Tidy, About: "CSV, one line a cell", Extensions: []string{".csv"},
		flags: []string{"encoding", "total", "hierarchy", "lead", "flat", "decimal", "thousands", "withheld", "nil", "margins", "column", "dims", "response"},
		Style: []string{"symbol"},
		read:  readText,
		Write: stream(formats.WriteTidy),
	}, {
		Name: formats.CrossTab, About: "CSV, a two-way table as it is printed", Extensions: []string{".csv"},
		flags: []string{"encoding", "total", "hierarchy", "lead", "flat", "decimal", "thousands", "withheld", "nil", "margins", "magnitude"},
		Style: []string{"symbol"},
		read:  readText,
		Write: writeCrossTab,
	}, {
		Name: formats.JJ, About: "the instance format of the field", Extensions: []string{".jj"},
		read:  readText,
		Write: stream(formats.WriteJJ),
	}, {
		Name: tableio.SDMX, About: "SDMX-CSV 2.0, reads 1.0", Extensions: []string{".csv"},
		flags:      []string{"total", "hierarchy", "lead", "flat", "decimal", "thousands", "withheld", "nil", "margins", "column", "dims", "select"},
		Style:      []string{"symbol", "flag", "reason", "secondary-reason"},
		recognises: is(tableio.SDMX),
		read:       readOf(tableio.SDMX),
		Write:      styled("an SDMX-CSV file", tableio.SDMX),
	}, {
		Name: tableio.XLSX, About: "Excel: a sheet of values, one of statuses", Extensions: []string{".xlsx"},
		flags: []string{"total", "hierarchy", "lead", "flat", "decimal", "thousands", "withheld", "nil", "margins", "column", "dims", "magnitude", "sheet"},
		Style: []string{"symbol", "flag", "reason", "secondary-reason"},
		read:  readOf(tableio.XLSX),
		Write: func(path string, in *formats.Input, c *Conversion) error { return c.saveStyled(path, in, tableio.XLSX) },
	}, {
		Name: xlsx.ODS, About: "OpenDocument spreadsheet, as Excel", Extensions: []string{".ods"},
		flags: []string{"total", "hierarchy", "lead", "flat", "decimal", "thousands", "withheld", "nil", "margins", "column", "dims", "magnitude", "sheet"},
		Style: []string{"symbol", "flag", "reason", "secondary-reason"},
		read:  readOf(xlsx.ODS),
		Write: func(path string, in *formats.Input, c *Conversion) error { return c.saveStyled(path, in, xlsx.ODS) },
	}, {
		Name: tableio.PX, About: "PC-Axis", Extensions: []string{".px"},
		flags: []string{"encoding", "total", "hierarchy", "lead", "flat", "withheld", "nil", "margins", "magnitude", "select"},
		Style: []string{"symbol", "flag", "reason", "secondary-reason"},
		read:  readOf(tableio.PX),
		Write: styled("a PX file", tableio.PX),
	}, {
		Name: tableio.Argus, About: "τ-ARGUS table with its metadata, .rda", Extensions: []string{".tab"},
		flags:      []string{"encoding", "margins", "column", "dims", "meta", "readtable"},
		recognises: is(tableio.Argus),
		read:       readArgus,
		Write:      writeArgus,
	},
	{
		Name: layout.Format, About: "CSV, Excel or PX with title, headers of several rows, subtotals, notes and marks, as offices lay them out",
		flags:      append([]string{"encoding", "decimal", "thousands", "margins", "magnitude", "sheet", "select", "column", "response"}, layoutFlags...),
		Style:      []string{"symbol", "drop-unsearched", "keep-unsearched"},
		recognises: recognisesLayout,
		read:       readLayout,
	},
	{
		Name: tableio.SDMXJSON, About: "SDMX-JSON 2.0, reads 1.0",
		flags:      []string{"total", "hierarchy", "lead", "flat", "withheld", "nil", "margins", "column", "dims", "select"},
		Style:      []string{"flag", "reason", "secondary-reason"},
		recognises: is(tableio.SDMXJSON),
		read:       readOf(tableio.SDMXJSON),
		Write:      styled("an SDMX-JSON file", tableio.SDMXJSON),
	},
	{Name: "tau-matrix", About: "τ-ARGUS output type 1", Write: writeOutput(argus.Matrix)},
	{Name: "tau-pivot", About: "τ-ARGUS output type 2", Write: writeOutput(argus.Pivot)},
	{Name: "tau-codevalue", About: "τ-ARGUS output type 3", Write: writeOutput(argus.CodeValue)},
	{Name: "tau-sbs", About: "τ-ARGUS output type 4", Write: writeOutput(argus.SBS)},
}

// readText reads text formats, which their reader tells apart itself.
func readText(path string, stdin io.Reader, f *Input, o formats.Options) (*formats.Input, error) {
	switch {
	case stdin != nil:
		return formats.ReadFrom(stdin, "stdin", o)
	case f.InPlay:
		return formats.ReadInPlay(path, o)
	}
	return formats.Read(path, o)
}

// is reports whether name or first bytes of a file tell a format.
func is(f formats.Format) func(string) bool {
	return func(path string) bool { return tableio.FormatOf(path) == f }
}

// readOf reads a format of one file that has a package of its own.
func readOf(f formats.Format) func(string, io.Reader, *Input, formats.Options) (*formats.Input, error) {
	return func(path string, stdin io.Reader, _ *Input, o formats.Options) (*formats.Input, error) {
		o.From = string(f)
		if stdin != nil {
			return tableio.ReadFrom(stdin, "stdin", o)
		}
		return tableio.Read(path, o)
	}
}

// styled writes one file in the house style, with the values of withheld cells
// unless they are to be masked. Statuses are kept as flags.
func styled(what string, f formats.Format) func(string, *formats.Input, *Conversion) error {
	return func(path string, in *formats.Input, c *Conversion) error {
		lost := slices.DeleteFunc(c.beyondValues(in), func(s string) bool { return s == "statuses" })
		if len(lost) > 0 && !c.Lossy {
			return i18n.Errorf("%s has no place for %s; --lossy leaves them out", i18n.Term(what), terms(lost))
		}
		return c.saveStyled(path, in, f)
	}
}

// saveStyled writes a file anew, one without values of withheld cells as what is published.
func (c *Conversion) saveStyled(path string, in *formats.Input, f formats.Format) error {
	style := in.Style
	style.Flag = !c.Mask
	do := func(w io.Writer) error { return tableio.WriteTable(w, in.Table, f, style) }
	if style.Flag {
		return formats.SaveNew(in, path, do)
	}
	withheld := make([]bool, in.Table.Len())
	for i, st := range in.Table.Status {
		withheld[i] = st == table.Sensitive || st == table.Withheld || !in.Table.Known(i)
	}
	return formats.SavePublished(in, path, withheld, do)
}

// stream writes one file.
func stream(write func(io.Writer, *table.Table) error) func(string, *formats.Input, *Conversion) error {
	return func(path string, in *formats.Input, _ *Conversion) error {
		return formats.SaveNew(in, path, func(w io.Writer) error { return write(w, in.Table) })
	}
}

// terms are words of the program in a list.
func terms(words []string) (list i18n.List) {
	for _, w := range words {
		list.Items = append(list.Items, i18n.Term(w))
	}
	return list
}

// writeCrossTab refuses to leave out what a cross-tab has no place for.
func writeCrossTab(path string, in *formats.Input, c *Conversion) error {
	if what := c.beyondValues(in); len(what) > 0 && !c.Lossy {
		return i18n.Errorf("a cross-tab has no place for %s; --lossy leaves them out", terms(what))
	}
	return stream(formats.WriteCrossTab)(path, in, c)
}

// beyondValues names what an input holds besides codes and values. Bounds that the flags gave are
// nothing of it.
func (c *Conversion) beyondValues(in *formats.Input) []string {
	var what []string
	t := in.Table
	add := func(name string, v []int64, unset int64) {
		if slices.ContainsFunc(v, func(x int64) bool { return x != unset }) {
			what = append(what, name)
		}
	}
	add("contributors", t.Freq, -1)
	if len(t.Max) > 0 {
		what = append(what, "largest contributions")
	}
	if slices.ContainsFunc(t.Status, func(s table.Status) bool { return s == table.Sensitive || s == table.Published }) || keepsWithheld(t) {
		what = append(what, "statuses")
	}
	if in.HasCosts {
		what = append(what, "costs")
	}
	if in.HasBounds && c.Bounds.Policy.Lower == nil && c.Bounds.Policy.Upper == nil {
		what = append(what, "bounds")
	}
	add("lower levels", t.LPL, 0)
	add("upper levels", t.UPL, 0)
	add("widths", t.Width, 0)
	return what
}

// keepsWithheld reports whether some withheld cell has a value, so that only its status tells.
func keepsWithheld(t *table.Table) bool {
	for i, s := range t.Status {
		if s == table.Withheld && t.Known(i) {
			return true
		}
	}
	return false
}

// FormatNames lists the formats that are read, or written, for flags.
func FormatNames(read bool) []string {
	var names []string
	for _, f := range Formats {
		if read && f.read != nil || !read && f.Write != nil {
			names = append(names, string(f.Name))
		}
	}
	return names
}

// FormatNamed returns a format by its name.
func FormatNamed(name formats.Format) *Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return &Format{Name: name}
}

// formatFlags returns every flag that only some formats have a use for.
func formatFlags() []string {
	var flags []string
	for _, f := range Formats {
		for _, flag := range f.flags {
			if !slices.Contains(flags, flag) {
				flags = append(flags, flag)
			}
		}
	}
	return flags
}

// FormatExtensions returns every extension, without its dot, for shells to complete.
func FormatExtensions() []string {
	var all []string
	for _, f := range Formats {
		for _, e := range f.Extensions {
			if !slices.Contains(all, e[1:]) {
				all = append(all, e[1:])
			}
		}
	}
	return append(all, "jj.gz")
}

// FormatsOf returns the formats that the extension of a file stands for.
func FormatsOf(path string) []*Format {
	return sets.Where(Formats, func(f *Format) bool { return slices.Contains(f.Extensions, "."+extension(path)) })
}

// readInput reads the table in the file called path, "-" for standard input, in the
// format that --from names, else the first that recognises it, else the only one
// with its extension, else as the reader of text finds out.
func readInput(cmd Call, path string, flags *Input, o formats.Options) (in *formats.Input, err error) {
	defer func() {
		if in != nil {
			in.LeftAside = flags.layout.leave
		}
	}()
	var stdin io.Reader
	if path == "-" {
		stdin = cmd.InOrStdin()
	}
	if flags.from == "" && flags.Meta != "" {
		return readArgus(path, stdin, flags, o)
	}
	if flags.from != "" {
		return FormatNamed(formats.Format(flags.from)).read(path, stdin, flags, o)
	}
	if flags.layout.given() {
		if stdin == nil && recognisesTidy(path, flags.Responses) { // a layout would leave aside what it tells of sensitive cells
			if err := flags.fits(cmd, formats.Tidy, path); err != nil {
				return nil, err
			}
		}
		return readLayout(path, stdin, flags, o)
	}
	in, err = readPlain(path, stdin, flags, o)
	untold := err == nil && untold(in)
	if err == nil && !untold || stdin != nil || errors.Is(err, formats.ErrEnds) {
		return in, err
	}
	if plain := flags.plain(); len(plain) > 0 {
		return in, flags.laidOut(path, plain, err)
	}
	s, bad := flags.Source(path, nil)
	if untold && bad == nil && s.Reading.Doubts() { // which the plain reader would count once more
		return readLayout(path, nil, flags, o)
	}
	var ask *layout.AmbiguityError
	var sum *table.AdditivityError
	var unlaid interface{ NoCrossTab() }
	if err != nil && errors.As(bad, &ask) && !errors.As(err, &sum) && !totalled(path, flags, o, err) { // a table is there, and the layout is what has to be asked about
		return nil, bad
	}
	refused := errors.As(err, &unlaid)
	if bad != nil && (refused || errors.Is(bad, xlsx.ErrResult)) {
		return nil, bad
	}
	if bad == nil && s.Wide() { // what adds up there is no list, and no sheet of a plain workbook
		book := s.Reading.File.Format == "xlsx" || s.Reading.File.Format == "ods"
		refused = refused || err != nil && (book || errors.As(err, &sum) && s.Fits(true) && !s.Tidy())
	}
	if refused && !s.Fits(true) && s.Reading.Found() { // what the reader of layouts asks is nearer to an answer
		if _, ask := readLayout(path, nil, flags, o); ask != nil {
			return nil, ask
		}
	}
	if refused && s.Wide() && s.Reading.Apart() {
		return nil, i18n.Errorf("%s: a table was found, and nothing in it adds up, as in tables of rates; --from layout reads it so, each number by itself; else say where the table stands (--range, --header-rows, --label-columns)", path)
	}
	if bad != nil || !s.Fits(refused) && !((untold || errors.Is(err, xlsx.ErrSheets) || errors.Is(err, formats.ErrTotal) && !flags.Asks) && s.Reading.One()) {
		return in, err
	}
	return readLayout(path, nil, flags, o)
}

// totalled reports whether a fault is a total that nobody has named, and the plain reader reads the file once it is.
func totalled(path string, flags *Input, o formats.Options, err error) bool {
	var fault *formats.Error
	if !errors.Is(err, formats.ErrTotal) || !errors.As(err, &fault) {
		return false
	}
	o.Total, o.Say = fault.Value, nil
	_, err = readPlain(path, nil, flags, o)
	return err == nil
}

// untold reports whether a cross-tab has a dimension of which the file tells no total: it may be there under a name that the plain reader does
// not know, with others of its sums.
func untold(in *formats.Input) bool {
	if in.Format != formats.CrossTab && in.Layout != formats.CrossTab {
		return false
	}
	told := make([]bool, len(in.Table.Dims))
	for i := range in.Table.Len() {
		for d, code := range in.Table.CellCodes(i) {
			told[d] = told[d] || in.Line(i) > 0 && code == in.Table.Dims[d].Codes[0]
		}
	}
	return slices.Contains(told, false)
}

// readPlain reads a file in the format that recognises it, or that its name tells.
func readPlain(path string, stdin io.Reader, flags *Input, o formats.Options) (*formats.Input, error) {
	if stdin == nil {
		for _, f := range Formats {
			if f.recognises != nil && f.recognises(path) {
				return f.read(path, nil, flags, o)
			}
		}
		if of := FormatsOf(path); len(of) == 1 && of[0].recognises == nil {
			return of[0].read(path, nil, flags, o)
		}
	}
	return readText(path, stdin, flags, o)
}

// TableFiles completes arguments with table files.
func TableFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return FormatExtensions(), cobra.ShellCompDirectiveFilterFileExt
}
