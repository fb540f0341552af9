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

// A Format is a format of table files, chosen by --from, --to or the extension of a file.
type Format struct {
	Name  formats.Format
	About string // for the help of convert

	// Extensions are those of its files, in lower case; compressed files add .gz. The first format with an extension
	// writes files of that name.
	Extensions []string
	// flags are the flags of Input and Rules that it uses. A flag that some format lists is an error for the formats
	// that do not.
	flags []string
	// Style lists the flags of Style that its writer respects, or flag.
	Style []string
	// recognises recognises its files where the extension does not decide; nil: never.
	recognises func(path string) bool
	// read reads a table. stdin is not nil if path is "-".
	read func(path string, stdin io.Reader, f *Input, o formats.Options) (*formats.Input, error)
	// Write writes a whole table to the file, or files, called path, with every known value, withheld or not. It fails
	// if the format cannot hold the table.
	Write func(path string, in *formats.Input, c *Conversion) error
}

// A Conversion says how a table is written in another format.
type Conversion struct {
	Inputs  Input
	Bounds  Rules  // only its bounds are used
	Lossy   bool   // leave out what the format has no place for
	Mask    bool   // mask the values of withheld cells
	Options string // the options of the output types of τ-ARGUS
}

// Formats lists all formats. To add one, add it here.
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

// readText reads text formats, which its reader tells apart by itself.
func readText(path string, stdin io.Reader, f *Input, o formats.Options) (*formats.Input, error) {
	switch {
	case stdin != nil:
		return formats.ReadFrom(stdin, "stdin", o)
	case f.InPlay:
		return formats.ReadInPlay(path, o)
	}
	return formats.Read(path, o)
}

// is returns a function that reports whether the name or the first bytes of a file show a format.
func is(f formats.Format) func(string) bool {
	return func(path string) bool { return tableio.FormatOf(path) == f }
}

// readOf returns the reader of a one-file format that has a package of its own.
func readOf(f formats.Format) func(string, io.Reader, *Input, formats.Options) (*formats.Input, error) {
	return func(path string, stdin io.Reader, _ *Input, o formats.Options) (*formats.Input, error) {
		o.From = string(f)
		if stdin != nil {
			return tableio.ReadFrom(stdin, "stdin", o)
		}
		return tableio.Read(path, o)
	}
}

// styled returns a writer of one file in the house style, with the values of withheld cells unless they are to be
// masked. Statuses are kept as flags.
func styled(what string, f formats.Format) func(string, *formats.Input, *Conversion) error {
	return func(path string, in *formats.Input, c *Conversion) error {
		lost := slices.DeleteFunc(c.beyondValues(in), func(s string) bool { return s == "statuses" })
		if len(lost) > 0 && !c.Lossy {
			return i18n.Errorf("%s has no place for %s; --lossy leaves them out", i18n.Term(what), terms(lost))
		}
		return c.saveStyled(path, in, f)
	}
}

// saveStyled writes a file; one without values of withheld cells is written as a publication.
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

// stream returns a writer of one file.
func stream(write func(io.Writer, *table.Table) error) func(string, *formats.Input, *Conversion) error {
	return func(path string, in *formats.Input, _ *Conversion) error {
		return formats.SaveNew(in, path, func(w io.Writer) error { return write(w, in.Table) })
	}
}

// terms returns words of the program as a list.
func terms(words []string) (list i18n.List) {
	for _, w := range words {
		list.Items = append(list.Items, i18n.Term(w))
	}
	return list
}

// writeCrossTab writes a cross-tab, and fails rather than leave out what it has no place for.
func writeCrossTab(path string, in *formats.Input, c *Conversion) error {
	if what := c.beyondValues(in); len(what) > 0 && !c.Lossy {
		return i18n.Errorf("a cross-tab has no place for %s; --lossy leaves them out", terms(what))
	}
	return stream(formats.WriteCrossTab)(path, in, c)
}

// beyondValues names what an input holds besides codes and values, not counting bounds that came from flags.
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

// keepsWithheld reports whether some withheld cell has a value, so that only its status shows that it is withheld.
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

// formatFlags returns every flag that only some formats use.
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

// readInput reads the table in the file called path, "-" for standard input. The format is that of --from, else the
// first that recognises the file, else the only one with its extension, else what the reader of text finds.
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
		if stdin == nil && recognisesTidy(path, flags.Responses) { // a layout would ignore what the file says about sensitive cells
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
	if untold && bad == nil && s.Reading.Doubts() { // the plain reader would count such a total once more
		return readLayout(path, nil, flags, o)
	}
	var ask *layout.AmbiguityError
	var sum *table.AdditivityError
	var unlaid interface{ NoCrossTab() }
	if errors.As(bad, &ask) && !errors.As(err, &sum) && (untold || !totalled(path, flags, o, err)) { // there is a table, and what has to be asked is about its layout
		return nil, bad
	}
	refused := errors.As(err, &unlaid)
	found := errors.Is(err, xlsx.ErrSheets) && !errors.Is(bad, layout.ErrNone) // one of the sheets has a table
	if bad != nil && (refused || found || errors.Is(bad, xlsx.ErrResult)) {
		return nil, bad
	}
	if bad == nil && s.Wide() { // if numbers add up there, it is neither a list nor a sheet of a plain workbook
		book := s.Reading.File.Format == "xlsx" || s.Reading.File.Format == "ods"
		refused = refused || err != nil && (book || errors.As(err, &sum) && s.Fits(true) && !s.Tidy())
	}
	if refused && !s.Fits(true) && s.Reading.Found() { // the question of the layout reader is closer to an answer
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

// totalled reports whether the error is an unnamed total, with which the plain reader can read the file once it is
// named.
func totalled(path string, flags *Input, o formats.Options, err error) bool {
	var fault *formats.Error
	if !errors.Is(err, formats.ErrTotal) || !errors.As(err, &fault) {
		return false
	}
	o.Total, o.Say = fault.Value, nil
	_, err = readPlain(path, nil, flags, o)
	return err == nil
}

// untold reports whether a cross-tab has a dimension without a recognised total: the total may have a name that the
// plain reader does not know, and other sums with it.
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

// readPlain reads a file in the format that recognises it, or that its name implies.
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
