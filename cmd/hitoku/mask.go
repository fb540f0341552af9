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

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// addResponses adds the flag of the columns that one mask protects.
func (f *inputFlags) addResponses(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.responses, "response", nil, "`COLUMNS` of a tidy file that are values of the same cells: each is withheld where the others are; RESPONSE.FIELD is a field of one of them")
}

// A stack is a file with several responses, each read as a table of its own, and all of
// them as one of layers.
type stack struct {
	*table.Table
	inputs []*tableio.Input // by response
	by     []string         // by cell: the responses by which it is sensitive
}

// readStack reads every response and applies the rules to it.
func (f *inputFlags) readStack(cmd *cobra.Command, path string, r *ruleFlags) (*stack, error) {
	s := &stack{}
	words := cmd.ErrOrStderr()
	err := f.eachResponse(cmd, path, func(response string) error {
		in, err := f.read(cmd, path, r)
		if err != nil {
			return err
		}
		name := in.Table.Name
		in.Table.Name += "." + response
		f.openCounts(in)
		if err := r.apply(in, words); err != nil {
			return err
		}
		in.Table.Name = name
		if len(s.inputs) > 0 && !r.eachPays(in) {
			clear(in.Table.Cost)
		}
		s.inputs = append(s.inputs, in)
		return nil
	})
	if err != nil {
		return nil, err
	}
	tables := make([]*table.Table, len(s.inputs))
	for r, in := range s.inputs {
		tables[r] = in.Table
	}
	if s.Table, err = table.Stack(tables[0].Name, f.responses, tables); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.by = make([]string, tables[0].Len())
	for i := range s.by {
		var names []string
		for r, t := range tables {
			if t.Status[i] == table.Sensitive {
				names = append(names, f.responses[r])
			}
		}
		s.by[i] = strings.Join(names, "+")
	}
	return s, nil
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
	case s.linked:
		return errors.New("--response and --linked do not go together")
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

// mask protects all responses of the file called path by one mask.
func (s *suppression) mask(cmd *cobra.Command, path, output string) (exitCode, error) {
	start := time.Now()
	ctx, stdout, words := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	st, err := s.inputs.readStack(cmd, path, &s.rules)
	if err != nil {
		return 0, err
	}
	first := st.inputs[0]
	if err := s.checkOutput(cmd, first, path, output); err != nil {
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
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	r := newSuppressReport(t, sol)
	var mask []bool
	if sol.Pattern != nil {
		if r.Audit, err = s.audit(ctx, t, sol); err != nil {
			return 0, fmt.Errorf("%s: audit: %w", path, err)
		}
		mask = sol.Pattern[:first.Table.Len()]
		if !s.json {
			for k, in := range st.inputs {
				shown := *in.Table
				shown.Name += "." + s.inputs.responses[k]
				printTable(stdout, &shown, mask)
			}
		}
	}
	r.masked(st, s.inputs.responses, mask)
	r.weighed(s.rules.factor, t, sol.Pattern)
	if r.Audit == "protected" {
		if err := st.save(s, mask, output); err != nil {
			return 0, err
		}
	}
	if err := s.saveProof(sol, r, words, t); err != nil {
		return 0, err
	}
	if s.json {
		err = writeJSON(stdout, r)
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

// save writes the file with every response withheld alike. Statuses are those of the mask.
func (st *stack) save(s *suppression, mask []bool, output string) error {
	if output == "" {
		return nil
	}
	in := *st.inputs[0]
	t := *in.Table
	t.Status = slices.Clone(st.Status[:t.Len()])
	in.Mask = &tableio.Mask{By: st.by}
	for i, by := range st.by {
		if by != "" {
			t.Status[i] = table.Sensitive
		}
	}
	for _, one := range st.inputs {
		in.Mask.Tables = append(in.Mask.Tables, one.Table)
	}
	in.Table = &t
	return s.save(&in, mask, output)
}

// A maskedResponse is the part of the report about one response.
type maskedResponse struct {
	Response  string `json:"response"`
	Sensitive int    `json:"sensitive"`
}

// masked makes r one about the mask: cells are counted and named once, not once a response.
func (r *suppressReport) masked(st *stack, responses []string, mask []bool) {
	first := st.inputs[0].Table
	r.Cells, r.Relations, r.Sensitive, r.Suppressed, r.Secondary, r.Pattern = first.Len(), first.Rel.Len(), 0, 0, 0, []string{}
	for i, by := range st.by {
		if by != "" {
			r.Sensitive++
		}
		if mask == nil || !mask[i] {
			continue
		}
		r.Suppressed++
		r.Pattern = append(r.Pattern, first.CellName(i))
		if st.Status[i] == table.Safe {
			r.Secondary++
		}
	}
	for k, in := range st.inputs {
		r.Responses = append(r.Responses, maskedResponse{responses[k], countSensitive(in.Table)})
	}
}
