package flags

import (
	"io"
	"maps"
	"os"
	"slices"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
)

// readArgus reads a τ-ARGUS table. The metadata name its columns; --column names those of value, cost and shadow if the
// metadata leave them open.
func readArgus(path string, stdin io.Reader, f *Input, o formats.Options) (*formats.Input, error) {
	mode, err := argus.ParseMode(f.readTable)
	if err != nil {
		return nil, i18n.Errorf("--readtable %w", err)
	}
	a := argus.Options{Metadata: f.Meta, Encoding: o.Encoding, Mode: mode, Dims: o.Dims, Lower: o.Lower, Upper: o.Upper, Cost: o.CostColumn}
	for _, field := range slices.Sorted(maps.Keys(o.Columns)) {
		switch name := o.Columns[field]; field {
		case "value":
			a.Response = name
		case "cost":
			a.Cost = name
		default:
			return nil, i18n.Errorf("--column %s: the metadata of a τ-ARGUS table name that column; want value or cost", field)
		}
	}
	var t *argus.Table
	switch {
	case stdin == nil:
		t, err = argus.ReadTable(path, a)
	case a.Metadata == "":
		return nil, i18n.New("stdin: a τ-ARGUS table without metadata; say --meta FILE.rda")
	default:
		var m *argus.Metadata
		if m, err = argus.ReadMetadata(a.Metadata, argus.Tabular, a.Encoding); err == nil {
			t, err = argus.ReadTableFrom(stdin, "stdin", m, a)
		}
	}
	if err != nil {
		return nil, err
	}
	f.Tau = t
	return t.Input, nil
}

// sayChanged reports which margins of a τ-ARGUS table did not add up.
func (f *Input) sayChanged(w io.Writer, in *formats.Input) {
	const most = 10
	if f.Tau == nil || f.Tau.Input != in {
		return
	}
	for n, c := range f.Tau.Changed {
		if n == most {
			render.Say(w, in.Table, "%d margins more do not add up", len(f.Tau.Changed)-most)
			break
		}
		render.Say(w, in.Table, "%s: given %s, its parts add up to %s", c.Cell, c.Given, c.Computed)
	}
}

// FileExists reports whether there is a file of that name.
func FileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// writeArgus writes the table and its metadata.
func writeArgus(path string, in *formats.Input, c *Conversion) error {
	if in.Format == argus.Format && in.Behind == nil { // the original metadata say more about the table
		return formats.WriteFile(path, in, nil)
	}
	return argus.WriteTable(path, in.Table, nil, argus.WriteOptions{Lossy: c.Lossy, Behind: in.Behind})
}

// writeOutput writes an output type of τ-ARGUS. Withheld cells are masked unless the options ask for their values.
func writeOutput(kind int) func(string, *formats.Input, *Conversion) error {
	return func(path string, in *formats.Input, c *Conversion) error {
		out, err := argus.ParseOutput(kind, c.Options)
		if err != nil {
			return i18n.Errorf("--options: %w", err)
		}
		var o argus.WriteOptions
		if c.Inputs.Tau != nil {
			o = c.Inputs.Tau.WriteOptions()
		}
		o.Behind = in.Behind
		return argus.WriteOutput(path, in.Table, nil, out, o)
	}
}
