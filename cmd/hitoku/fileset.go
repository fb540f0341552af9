package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// addResponses adds the flag of the columns that one mask protects.
func (f *inputFlags) addResponses(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.responses, "response", nil, "`COLUMNS` of a tidy file that are values of the same cells: each is withheld where the others are; RESPONSE.FIELD is a field of one of them")
}

// A fileSet are the files that are protected as one, each response of them read as a table of its own.
type fileSet struct {
	responses []string           // none: of one response, without a name
	read      [][]*tableio.Input // by response and file
}

// readSet reads every response of the files. ready, if not nil, is called with every file that was read.
func (f *inputFlags) readSet(cmd *cobra.Command, paths []string, r *ruleFlags, ready func(k int, in *tableio.Input) error) (*fileSet, error) {
	s := &fileSet{responses: f.responses}
	f.spare = len(paths) > 1
	err := f.eachResponse(cmd, paths[0], func(string) error {
		var inputs []*tableio.Input
		for k, path := range paths {
			in, err := f.read(cmd, path, r)
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
		s.read = append(s.read, inputs)
		return nil
	})
	return s, err
}

// eachResponse calls one for every response, with the flags set to read it, or once where there
// are none. Standard input is read once.
func (f *inputFlags) eachResponse(cmd *cobra.Command, path string, one func(response string) error) error {
	if len(f.responses) == 0 {
		return one("")
	}
	var text []byte
	if path == "-" && len(f.responses) > 1 {
		var err error
		if text, err = io.ReadAll(cmd.InOrStdin()); err != nil {
			return err
		}
	}
	defer func() { f.response = "" }()
	for _, f.response = range f.responses {
		if text != nil {
			cmd.SetIn(bytes.NewReader(text))
		}
		if err := one(f.response); err != nil {
			return err
		}
	}
	return nil
}

// named reports the first dimension with a total or hierarchy of its own that no table has.
func (f *inputFlags) named(t *table.Table) error {
	o, err := f.options(&ruleFlags{})
	if err != nil {
		return err
	}
	for _, m := range []struct {
		flag string
		of   map[string]string
	}{{"--total", o.Totals}, {"--hierarchy", o.Hierarchies}} {
		for _, name := range slices.Sorted(maps.Keys(m.of)) {
			if !slices.ContainsFunc(t.Dims, func(d table.Dimension) bool { return d.Name == name }) {
				return fmt.Errorf("%s %s=%s: no table has this dimension", m.flag, name, m.of[name])
			}
		}
	}
	return nil
}

// inputs tells package protect about the tables.
func (s *fileSet) inputs() []protect.Input {
	var all []protect.Input
	for r, inputs := range s.read {
		for _, in := range inputs {
			p := inputOf(in)
			if len(s.responses) > 0 {
				p.Response = s.responses[r]
			}
			all = append(all, p)
		}
	}
	return all
}

// protected returns the files to be written. Of several responses every one is withheld alike, and
// statuses are those of the mask.
func (s *fileSet) protected(res *protect.Result) []*tableio.Input {
	if len(s.responses) == 0 {
		return s.read[0]
	}
	var files []*tableio.Input
	for k, first := range s.read[0] {
		in, t := *first, *first.Table
		t.Status = make([]table.Status, t.Len())
		in.Mask = &tableio.Mask{By: make([]string, t.Len())}
		for i, c := range res.Cells[k] {
			t.Status[i], in.Mask.By[i] = res.Table.Status[c], res.By[c]
			if res.By[c] != "" {
				t.Status[i] = table.Sensitive
			}
		}
		for _, inputs := range s.read {
			in.Mask.Tables = append(in.Mask.Tables, inputs[k].Table)
		}
		in.Table = &t
		files = append(files, &in)
	}
	return files
}
