package flags

import (
	"bytes"
	"maps"
	"slices"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// ResponseGroup returns the flag for the columns that one mask protects.
func (f *Input) ResponseGroup() Group {
	return In(InputGroup, []Flag{
		{Name: "response", To: &f.Responses, Split: true, Text: "`COLUMNS` of a tidy file that are values of the same cells: each is withheld where the others are; RESPONSE.FIELD is a field of one of them", More: "See [responses.md](responses.md)"},
	})
}

// A FileSet holds the files that are protected as one. Each of their responses is read as a table of its own.
type FileSet struct {
	Responses []string           // empty for a single response without a name
	Read      [][]*formats.Input // indexed by response and file
}

// ReadSet reads every response of the files. ready, if not nil, is called with every file read.
func (f *Input) ReadSet(cmd Call, paths []string, r *Rules, ready func(k int, in *formats.Input) error) (*FileSet, error) {
	s := &FileSet{Responses: f.Responses}
	f.Spare = len(paths) > 1
	err := f.EachResponse(cmd, paths[0], func(string) error {
		var inputs []*formats.Input
		for k, path := range paths {
			in, err := f.Read(cmd, path, r)
			if err != nil {
				return err
			}
			if ready != nil {
				if err := ready(k, in); err != nil {
					return err
				}
			}
			inputs = append(inputs, in)
		}
		s.Read = append(s.Read, inputs)
		return nil
	})
	return s, err
}

// EachResponse calls one for every response, with the flags set to read it, or once if there are none. Standard input
// is read only once.
func (f *Input) EachResponse(cmd Call, path string, one func(response string) error) error {
	if len(f.Responses) == 0 {
		return one("")
	}
	var text []byte
	if path == "-" && len(f.Responses) > 1 {
		var err error
		if text, err = budget.ReadAll(cmd.InOrStdin(), budget.Whole); err != nil {
			return err
		}
	}
	defer func() { f.Response = "" }()
	for _, f.Response = range f.Responses {
		if text != nil {
			cmd.SetIn(bytes.NewReader(text))
		}
		if err := one(f.Response); err != nil {
			return err
		}
	}
	return nil
}

// Named returns an error for the first dimension that was given a total or hierarchy but that no table has.
func (f *Input) Named(t *table.Table) error {
	o, err := f.Options(&Rules{})
	if err != nil {
		return err
	}
	for _, m := range []struct {
		flag string
		of   map[string]string
	}{{"--total", o.Totals}, {"--hierarchy", o.Hierarchies}} {
		for _, name := range slices.Sorted(maps.Keys(m.of)) {
			if !slices.ContainsFunc(t.Dims, func(d table.Dimension) bool { return d.Name == name }) {
				return i18n.Errorf("%s %s=%s: no table has this dimension", m.flag, name, m.of[name])
			}
		}
	}
	return nil
}

// Inputs describes the tables for package protect.
func (s *FileSet) Inputs() []protect.Input {
	var all []protect.Input
	for r, inputs := range s.Read {
		for _, in := range inputs {
			p := InputOf(in)
			p.AtMost = layout.Within(in)
			if len(s.Responses) > 0 {
				p.Response = s.Responses[r]
			}
			all = append(all, p)
		}
	}
	return all
}

// Protected returns the files to be written. If there are several responses, the same cells are withheld in each, and
// statuses are those of the mask.
func (s *FileSet) Protected(res *protect.Result) []*formats.Input {
	if len(s.Responses) == 0 {
		return s.Read[0]
	}
	var files []*formats.Input
	for k, first := range s.Read[0] {
		in, t := *first, *first.Table
		t.Status = make([]table.Status, t.Len())
		in.Mask = &formats.Mask{By: make([]string, t.Len())}
		for i, c := range res.Cells[k] {
			t.Status[i], in.Mask.By[i] = res.Table.Status[c], res.By[c]
			if res.By[c] != "" {
				t.Status[i] = table.Sensitive
			}
		}
		for _, inputs := range s.Read {
			in.Mask.Tables = append(in.Mask.Tables, inputs[k].Table)
		}
		in.Table = &t
		files = append(files, &in)
	}
	return files
}
