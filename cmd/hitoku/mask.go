package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// addResponses adds the flag of the columns that one mask protects.
func (f *inputFlags) addResponses(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.responses, "response", nil, "`COLUMNS` of a tidy file that are values of the same cells: each is withheld where the others are; RESPONSE.FIELD is a field of one of them")
}

// A stack is a file with several responses, or several such files linked, each response read
// as a table of its own, and all of them as one of layers.
type stack struct {
	*table.Table
	tables []*table.Table     // by response
	inputs [][]*tableio.Input // by response and file
	cell   [][]int32          // by file: the cell of tables that is cell i
	by     []string           // by cell of tables: the responses by which it is sensitive
}

// readStack reads every response of the files, links it if there are several, and applies
// the rules to it. ready, if not nil, is called with every file that was read.
func (f *inputFlags) readStack(cmd *cobra.Command, paths []string, r *ruleFlags, ready func(k int, in *tableio.Input) error) (*stack, error) {
	s := &stack{}
	words := cmd.ErrOrStderr()
	f.spare = len(paths) > 1
	name := ""
	err := f.eachResponse(cmd, paths[0], func(response string) error {
		var inputs []*tableio.Input
		var names []string
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
			f.openCounts(in)
			inputs, names = append(inputs, in), append(names, in.Table.Name)
		}
		name = strings.Join(names, "+")
		t, cell, err := f.join(name+"."+response, inputs, r, words)
		if err != nil {
			return err
		}
		if len(s.tables) > 0 && !r.eachPays(inputs[0]) {
			clear(t.Cost)
		}
		s.tables, s.inputs, s.cell = append(s.tables, t), append(s.inputs, inputs), cell
		return nil
	})
	if err != nil {
		return nil, err
	}
	if s.Table, err = table.Stack(name, f.responses, s.tables); err != nil {
		return nil, fmt.Errorf("%s: %w", paths[0], err)
	}
	s.by = make([]string, s.tables[0].Len())
	for i := range s.by {
		var names []string
		for r, t := range s.tables {
			if t.Status[i] == table.Sensitive {
				names = append(names, f.responses[r])
			}
		}
		s.by[i] = strings.Join(names, "+")
		for r, t := range s.tables {
			if t.Status[i] == table.Published && t.Value[i] != 0 && s.Status[i] != table.Published {
				say(words, s.Table, "cell %s must stay published in %s, but another response withholds it", t.CellName(i), f.responses[r])
			}
		}
	}
	return s, nil
}

// join makes one table of one response, to which the rules have been applied.
func (f *inputFlags) join(name string, inputs []*tableio.Input, r *ruleFlags, words io.Writer) (t *table.Table, cell [][]int32, err error) {
	if len(inputs) == 1 {
		in := inputs[0]
		own := in.Table.Name
		in.Table.Name = name // in what is said of it
		defer func() { in.Table.Name = own }()
		cell = [][]int32{make([]int32, in.Table.Len())}
		for i := range cell[0] {
			cell[0][i] = int32(i)
		}
		return in.Table, cell, r.apply(in, words)
	}
	var tables []*table.Table
	for _, in := range inputs {
		if r.publishesMargins(in.Laid()) {
			in.Table.PublishMargins()
		}
		tables = append(tables, in.Table)
	}
	l, err := table.Link(name, tables)
	if err != nil {
		return nil, nil, err
	}
	if err := f.named(l.Table); err != nil {
		return nil, nil, err
	}
	return l.Table, l.Cell, r.set(l.Table, false, words)
}

// eachResponse calls one for every response, with the flags set to read it. Standard input
// is read once.
func (f *inputFlags) eachResponse(cmd *cobra.Command, path string, one func(response string) error) error {
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

// openCounts publishes the cells without contributors where numbers of contributors are
// not among the responses: these stay published, and tell that nobody is there.
func (f *inputFlags) openCounts(in *tableio.Input) {
	t := in.Table
	if t.Freq == nil || slices.ContainsFunc(f.responses, func(r string) bool { return strings.EqualFold(r, "freq") }) {
		return
	}
	for i, n := range t.Freq {
		if n == 0 && t.Status[i] == table.Safe {
			t.Status[i] = table.Published
		}
	}
}

// eachPays reports whether the price of a cell is made of the responses' own, which add
// up; else it is one price whatever the number of responses.
func (r *ruleFlags) eachPays(in *tableio.Input) bool {
	switch kind, _, _ := strings.Cut(r.cost, ":"); kind {
	case "value", "power":
		return true
	case "", "given":
		return in.OwnCosts || !in.HasCosts
	}
	return false
}

// checkResponses reports what --response does not go with.
func (s *suppression) checkResponses() error {
	switch {
	case len(s.inputs.responses) == 0:
	case s.insiders:
		return errors.New("--response and --insiders do not go together")
	case s.singles.kind != "none":
		return errors.New("--response and --singletons do not go together")
	case s.defence.kind != "":
		return errors.New("--response and --defence do not go together")
	case s.method == "modular":
		return errors.New("--response and --method modular: a common mask is found for the whole table at once")
	}
	return nil
}

// mask protects all responses of the files, one or several linked, by one mask.
func (s *suppression) mask(cmd *cobra.Command, paths, outputs []string) (exitCode, error) {
	start := time.Now()
	ctx, stdout, words := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	st, err := s.inputs.readStack(cmd, paths, &s.rules, func(k int, in *tableio.Input) error {
		return s.checkOutput(cmd, in, paths[k], outputs[k])
	})
	if err != nil {
		return 0, err
	}
	t := st.Table
	if countSensitive(t) == 0 {
		say(words, t, "no cell is sensitive, so nothing needs to be withheld; --below or a column status says which are")
	}
	sol, why, err := s.solve(ctx, t, start, !s.quiet && isTerminal(words), words)
	switch {
	case err != nil && ctx.Err() != nil:
		say(words, t, "interrupted, nothing to report")
		return exitLimit, nil
	case err != nil:
		return 0, err
	}
	r := newSuppressReport(t, sol)
	var mask []bool
	if sol.Pattern != nil {
		idle, err := s.audit(ctx, t, sol, r, start, words)
		if err == errInterrupted {
			return exitLimit, nil
		} else if err != nil {
			return 0, err
		}
		r.remark(st.tables[0], idle)
		mask = sol.Pattern[:len(st.by)]
	}
	r.masked(st, s.inputs.responses, mask)
	r.weighed(s.rules.factor, t, sol.Pattern)
	var files []*tableio.Input
	var own [][]bool
	for k := range paths {
		if mask == nil {
			break
		}
		pattern := make([]bool, len(st.cell[k]))
		for i, c := range st.cell[k] {
			pattern[i] = mask[c]
		}
		files, own = append(files, st.file(k)), append(own, pattern)
	}
	if r.Audit == document.Protected && s.output != "" {
		if err := s.saveAll(words, files, own, outputs); err != nil {
			return 0, err
		}
	}
	if !s.json {
		for k, pattern := range own {
			st.print(stdout, k, pattern, s.inputs.responses)
		}
	}
	if err := s.saveProof(sol, r, words, t); err != nil {
		return 0, err
	}
	if s.json {
		err = document.Write(stdout, r)
	} else {
		err = r.printLine(stdout, mask)
	}
	if err != nil {
		return 0, err
	}
	if why != nil {
		fmt.Fprintf(words, "hitoku: %v\n", why)
	}
	return s.verdict(sol, r), nil
}

// print writes the responses of file k one after another.
func (st *stack) print(w io.Writer, k int, mask []bool, responses []string) {
	for r, inputs := range st.inputs {
		t := *inputs[k].Table
		t.Name += "." + responses[r]
		t.Status = make([]table.Status, t.Len())
		for i, c := range st.cell[k] {
			t.Status[i] = st.tables[r].Status[c]
		}
		printTable(w, &t, mask)
	}
}

// file returns file k to be written with every response withheld alike. Statuses are those
// of the mask.
func (st *stack) file(k int) *tableio.Input {
	in := *st.inputs[0][k]
	t := *in.Table
	t.Status = make([]table.Status, t.Len())
	in.Mask = &tableio.Mask{By: make([]string, t.Len())}
	for i, c := range st.cell[k] {
		t.Status[i], in.Mask.By[i] = st.Status[c], st.by[c]
		if st.by[c] != "" {
			t.Status[i] = table.Sensitive
		}
	}
	for _, inputs := range st.inputs {
		in.Mask.Tables = append(in.Mask.Tables, inputs[k].Table)
	}
	in.Table = &t
	return &in
}
