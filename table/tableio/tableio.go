// Package tableio reads and writes tables in files of all formats that docs/formats.md describes: tidy CSV, cross-tabulations, JJ, SDMX-CSV and
// SDMX-JSON, Excel, PC-Axis and τ-ARGUS.
//
// Readers stop at the first fault with an [*Error] that names its place and what was wanted; nothing is guessed silently and nothing is
// rounded. They refuse input beyond fixed limits, so damaged or hostile files fail early and in bounded memory. The cost is linear in the
// input; a table takes about 300 bytes a cell while it is built.
package tableio

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/formats/px"
	"github.com/hitoku/hitoku/internal/formats/sdmx"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/table"
)

type (
	// An Input is a table together with the file it came from, so that it can be written back as it was found.
	Input = formats.Input
	// Options say how to read an input. The zero value detects what it can.
	Options = formats.Options
	// A Format is the layout of a table's file, as Options.From names it.
	Format = formats.Format
	// A Style is how an office marks suppressed cells in what it writes. The zero value publishes.
	Style = formats.Style
	// An Error says where an input is wrong and what was wanted there.
	Error = formats.Error
)

// The formats.
const (
	Tidy     = formats.Tidy     // CSV, one line a cell
	CrossTab = formats.CrossTab // CSV, a two-way table as it is printed
	JJ       = formats.JJ       // the field's format of instances
	SDMX     = sdmx.SDMX        // SDMX-CSV 2.0; 1.0 is read
	SDMXJSON = sdmx.JSON        // SDMX-JSON 2.0; 1.0 is read
	XLSX     = xlsx.XLSX        // Excel: a sheet of values, one of statuses
	PX       = px.PX            // PC-Axis
	Argus    = argus.Format     // τ-ARGUS: the table and beside it its metadata, .rda
)

// streams are the formats of one file that have a package of their own.
var streams = map[Format]struct {
	read  func(io.Reader, string, Options) (*Input, error)
	write func(io.Writer, *table.Table, Style) error
}{
	SDMX: {sdmx.ReadFrom, sdmx.Write}, SDMXJSON: {sdmx.ReadJSONFrom, sdmx.WriteJSON}, XLSX: {xlsx.ReadFrom, xlsx.Write}, xlsx.ODS: {xlsx.ReadFrom, xlsx.WriteODS}, PX: {px.ReadFrom, px.Write},
}

// FormatOf returns the format that the name of a file or, for SDMX, its first bytes tell, and that of τ-ARGUS where metadata stand beside
// it. "" is text: [Read] finds out whether it is tidy or a cross-tab.
func FormatOf(path string) Format {
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")) {
	case ".csv":
		if sdmx.Recognises(formats.Head(path, 64)) {
			return SDMX
		}
	case ".json":
		if sdmx.RecognisesJSON(formats.Head(path, 64)) {
			return SDMXJSON
		}
	case ".tab":
		if _, err := os.Stat(argus.MetadataOf(path)); err == nil {
			return Argus
		}
	case ".xlsx":
		return XLSX
	case ".ods":
		return xlsx.ODS
	case ".px":
		return PX
	case ".jj":
		return JJ
	}
	return ""
}

// Read reads the table in the file path, plain or compressed with gzip, in the format Options.From or else that of [FormatOf]. A fault of the
// file is an [*Error].
func Read(path string, o Options) (*Input, error) {
	format := Format(o.From)
	if format == "" {
		format = FormatOf(path)
	}
	switch s, ok := streams[format]; {
	case ok:
		return formats.ReadPath(path, o, s.read)
	case format == Argus:
		t, err := argus.ReadTable(path, argus.Options{Encoding: o.Encoding, Dims: o.Dims, Lower: o.Lower, Upper: o.Upper, Response: o.Columns["value"], Cost: o.CostColumn})
		if err != nil {
			return nil, err
		}
		return t.Input, nil
	}
	return formats.Read(path, o)
}

// ReadFrom reads a table from r, as text unless Options.From names another format of one file; name stands for it in messages, gives the
// table its name and, by its extension, tells JJ. Text compressed with gzip is recognised by its content. A fault of the input is an
// [*Error], one of r itself is returned as it is.
func ReadFrom(r io.Reader, name string, o Options) (*Input, error) {
	if s, ok := streams[Format(o.From)]; ok {
		return s.read(r, name, o)
	}
	return formats.ReadFrom(r, name, o)
}

// Write writes in in the format and dialect it was read from. suppressed, of length in.Table.Len(), marks the cells to suppress; it must hold
// every sensitive and every suppressed cell and none that must stay published, else nothing is written. Nil writes the table as it is, all
// known values included.
//
// Tidy: the lines of the file with the column status brought up to date (appended if there is none), then a line for each computed margin.
// All columns but codes, statuses, and value and freq of published cells are blank on every line, unless they are bounds or unread and the
// same on every line. Cross-tab: the lines of the file with blanks, and the computed margins appended. JJ is the office's own format and
// keeps all values. Other formats copy the file without what tells a suppressed value.
//
// The numbers of published cells are those of the file, character by character; changes made to in.Table since, other than to Status, are not
// written. What suppressed leaves is read once more before w sees any of it.
func Write(w io.Writer, in *Input, suppressed []bool) error { return formats.Write(w, in, suppressed) }

// WriteFile is [Write] to the file path, which is complete or untouched, and compressed where its name ends in .gz. τ-ARGUS writes its
// metadata beside it.
func WriteFile(path string, in *Input, suppressed []bool) error {
	return formats.WriteFile(path, in, suppressed)
}

// WriteTable writes t anew in a format of one file. Without Style.Flag nothing tells the value of a cell whose status is sensitive or
// suppressed: formats whose marks Style names mask them, and text formats refuse a table that has such a value. Costs, levels and
// contributions are in tidy and JJ files only.
func WriteTable(w io.Writer, t *table.Table, f Format, s Style) error {
	if to, ok := streams[f]; ok {
		return to.write(w, t, s)
	}
	if err := open(t, f, s); err != nil {
		return err
	}
	switch f {
	case Tidy:
		return formats.WriteTidy(w, t)
	case CrossTab:
		return formats.WriteCrossTab(w, t)
	case JJ:
		return formats.WriteJJ(w, t)
	}
	return i18n.Errorf("table %s: a %s table is written to files, not to a stream", t.Name, f)
}

// SaveTable is [WriteTable] to the file path, which is complete or untouched; it writes τ-ARGUS too, whose metadata and trees go beside it.
func SaveTable(path string, t *table.Table, f Format, s Style) error {
	if f != Argus {
		kind := &private.Output{Public: f != JJ && !s.Flag}
		return formats.SaveAs(kind, path, func(w io.Writer) error { return WriteTable(w, t, f, s) })
	}
	if err := open(t, f, s); err != nil {
		return err
	}
	return argus.WriteTable(path, t, nil, argus.WriteOptions{Lossy: true})
}

// open refuses a table with values of suppressed cells, all of which f would hold, unless the style asks for them.
func open(t *table.Table, f Format, s Style) error {
	for i, st := range t.Status {
		if (st == table.Sensitive || st == table.Withheld) && t.Known(i) && !s.Flag {
			return i18n.Errorf("table %s: cell %s is suppressed and has a value, which a %s file would tell: take it out, or ask for all values (Style.Flag)", t.Name, t.CellName(i), f)
		}
	}
	return nil
}
