// Package tableio reads and writes tables in files of all formats that docs/formats.md describes: tidy CSV,
// cross-tabulations, JJ, SDMX-CSV and SDMX-JSON, Excel, PC-Axis and τ-ARGUS.
//
// Readers stop at the first fault with an [*Error] that names its place and what was wanted; nothing is guessed
// silently and nothing is rounded. They refuse input beyond fixed limits, so damaged or hostile files fail early and in
// bounded memory. The cost is linear in the input; a table takes about 300 bytes a cell while it is built.
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

// FormatOf returns the format told by the name of a file, for SDMX by its first bytes, and for τ-ARGUS by metadata
// beside it. "" means text: [Read] finds out whether it is tidy or a cross-tab.
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

// Read reads the table in the file path, plain or compressed with gzip, in the format Options.From or, if that is
// empty, [FormatOf]. A fault in the file is an [*Error].
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

// ReadFrom reads a table from r, as text unless Options.From names another single-file format. name stands for r in
// messages, names the table and, by its extension, selects JJ. Text compressed with gzip is recognised by its content.
// A fault in the input is an [*Error]; an error of r itself is returned unchanged.
func ReadFrom(r io.Reader, name string, o Options) (*Input, error) {
	if s, ok := streams[Format(o.From)]; ok {
		return s.read(r, name, o)
	}
	return formats.ReadFrom(r, name, o)
}

// Write writes in back in the format and dialect it was read from. suppressed, of length in.Table.Len(), marks the
// cells to suppress; if it misses a sensitive or suppressed cell, or holds one that must stay published, nothing is
// written. nil writes the table as it is, with all known values.
//
// Tidy: the lines of the file with the status column updated (appended if missing), then a line for each computed
// margin. On every line all columns are blank except codes, statuses, value and freq of published cells, and columns of
// bounds or unread columns that are the same on every line. Cross-tab: the lines of the file with blanks, and the
// computed margins appended. JJ is the office's own format and keeps all values. Other formats copy the file without
// anything that tells a suppressed value.
//
// The numbers of published cells are those of the file, character by character; of later changes to in.Table, only
// those to Status are written. The output is read once more before w sees any of it.
func Write(w io.Writer, in *Input, suppressed []bool) error { return formats.Write(w, in, suppressed) }

// WriteFile is [Write] to the file path, which is either complete or untouched, and compressed if its name ends in .gz.
// For τ-ARGUS the metadata are written beside it.
func WriteFile(path string, in *Input, suppressed []bool) error {
	return formats.WriteFile(path, in, suppressed)
}

// WriteTable writes t anew in a single-file format. Unless Style.Flag is set, nothing tells the value of a sensitive or
// suppressed cell: formats that have the marks of Style mask it, and text formats refuse a table with such a value.
// Costs, levels and contributions are written in tidy and JJ files only.
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

// SaveTable is [WriteTable] to the file path, which is either complete or untouched; it also writes τ-ARGUS, with
// metadata and trees beside it.
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

// open refuses, unless the style asks for them, a table with values of suppressed cells, which f would expose.
func open(t *table.Table, f Format, s Style) error {
	for i, st := range t.Status {
		if (st == table.Sensitive || st == table.Withheld) && t.Known(i) && !s.Flag {
			return i18n.Errorf("table %s: cell %s is suppressed and has a value, which a %s file would tell: take it out, or ask for all values (Style.Flag)", t.Name, t.CellName(i), f)
		}
	}
	return nil
}
