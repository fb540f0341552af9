package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// checkLinked reports what --linked does not go with.
func (s *suppression) checkLinked(args []string) error {
	switch {
	case !s.linked:
	case len(args) < 2:
		return errors.New("--linked takes two inputs or more")
	case s.proof != "":
		return errors.New("--linked and --certificate: a certificate is about one table")
	case s.defence.kind != "":
		return errors.New("--linked and --defence do not go together")
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

// link protects the tables in the files as one.
func (s *suppression) link(cmd *cobra.Command, args, outputs []string) (exitCode, error) {
	start := time.Now()
	ctx, stdout, words := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	inputs := make([]*tableio.Input, len(args))
	tables := make([]*table.Table, len(args))
	var names []string
	s.inputs.spare = true
	for k, path := range args {
		in, err := s.open(cmd, path, outputs[k])
		if err != nil {
			return 0, err
		}
		// A cell that is no margin in its own table may stand at the total of a
		// dimension which others have.
		if s.rules.publishesMargins(in.Laid()) {
			in.Table.PublishMargins()
		}
		inputs[k], tables[k] = in, in.Table
		names = append(names, in.Table.Name)
	}
	l, err := table.Link(strings.Join(names, "+"), tables)
	if err != nil {
		return 0, err
	}
	t := l.Table
	if err := s.inputs.named(t); err != nil {
		return 0, err
	}
	if err := s.rules.set(t, false, words); err != nil {
		return 0, err
	}
	if countSensitive(t) == 0 {
		say(words, t, "no cell is sensitive, so nothing needs to be withheld; --below or a column status says which are")
	}
	show := !s.quiet && isTerminal(words)
	sol, why, err := s.solve(ctx, t, start, show, words)
	switch {
	case err != nil && ctx.Err() != nil:
		say(words, t, "interrupted, nothing to report")
		return exitLimit, nil
	case err != nil:
		return 0, err
	}
	r := newSuppressReport(t, sol)
	r.guarded(s.guarded, s.coalition)
	r.Singletons = s.singles.report
	r.weighed(s.rules.factor, t, sol.Pattern)
	if sol.Pattern != nil {
		idle, err := s.audit(ctx, t, sol, r, start, words)
		if err == errInterrupted {
			return exitLimit, nil
		} else if err != nil {
			return 0, err
		}
		r.remark(t, idle)
	}
	var patterns [][]bool
	for k, in := range inputs {
		if sol.Pattern == nil {
			break
		}
		pattern := make([]bool, in.Table.Len())
		for i, c := range l.Cell[k] {
			pattern[i] = sol.Pattern[c]
			in.Table.Status[i] = t.Status[c]
		}
		patterns = append(patterns, pattern)
	}
	if r.Audit == document.Protected && s.output != "" {
		if err := s.saveAll(words, inputs, patterns, outputs); err != nil {
			return 0, err
		}
	}
	if !s.json {
		for k, pattern := range patterns {
			printTable(stdout, inputs[k].Table, pattern)
		}
	}
	if s.json {
		err = document.Write(stdout, r)
	} else {
		err = r.printLine(stdout, sol.Pattern)
	}
	if err != nil {
		return 0, err
	}
	if why != nil {
		fmt.Fprintf(words, "hitoku: %v\n", why)
	}
	return s.verdict(sol, r), nil
}
