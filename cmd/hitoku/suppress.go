package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// suppression is one run of hitoku suppress.
type suppression struct {
	inputs    inputFlags
	rules     ruleFlags
	engine    engineFlags
	limit     time.Duration
	gap       float64
	canonical bool
	seed      uint64
	json      bool
	quiet     bool
	output    string
	uniform   bool
	style     styleFlags
	flag      bool
	proof     string
	linked    bool
	insiders  bool
	coalition int
	guarded   *attack.Guarded // of the last input, with --insiders
	singles   singletonFlags
	method    string
	defence   defenceFlags
	memory    *solver.Memory // of runs before, where batch has one
	fault     error          // of the last input, for batch
}

// newSuppress is hitoku suppress.
func newSuppress() *cobra.Command { return new(suppression).command() }

func (s *suppression) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "suppress INPUT...",
		Short: "Find a cheapest set of cells to withhold so that every sensitive cell is protected",
		Long: `Withhold the sensitive cells of each table and, as cheaply as possible, such
others that nobody can compute a sensitive cell more closely than its protection
levels allow. Every pattern is audited before it is printed or written: for each
level of each sensitive cell there is a table that agrees with everything published
and shows the distance, and its numbers are added up. hitoku audit computes what an
intruder can find out in full.

What is printed, with --json or without, is for the office only: from the cost of a pattern
readers of the table may compute what it withholds. What -o writes may be published, but for
JJ and τ-ARGUS files and with --flag, which keep all values.`,
		Example: `  hitoku suppress --below 5 --width 8 table.csv
  hitoku suppress --lpl 15% --upl 15% --cost count --json table.csv
  hitoku suppress --time-limit 10m -o protected/ *.jj.gz
  hitoku suppress --below 5 --width 8 --defence quantised table.csv`,
		Args:              inputArgs,
		ValidArgsFunction: tableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(cmd.Flags()); err != nil {
				return err
			}
			if err := s.defence.check(s, cmd.Flags(), args); err != nil {
				return err
			}
			if err := s.checkProof(args); err != nil {
				return err
			}
			if err := s.checkLinked(args); err != nil {
				return err
			}
			if err := s.singles.check(s); err != nil {
				return err
			}
			if err := s.checkMethod(cmd.Flags()); err != nil {
				return err
			}
			if err := s.checkResponses(); err != nil {
				return err
			}
			outputs, err := outputPaths(s.output, args)
			if err != nil {
				return err
			}
			for _, path := range outputs { // in a folder
				if in := overwritten(cmd, path); in != "" {
					return fmt.Errorf("-o %s: %s would overwrite the input %s", s.output, path, in)
				}
			}
			if s.linked {
				link := s.link
				if len(s.inputs.responses) > 0 {
					link = s.mask
				}
				code, err := link(cmd, args, outputs)
				if err != nil {
					return err
				}
				return code.result()
			}
			one := s.one
			if len(s.inputs.responses) > 0 {
				one = func(cmd *cobra.Command, path, output string) (exitCode, error) {
					return s.mask(cmd, []string{path}, []string{output})
				}
			}
			return eachInput(cmd, args, !s.json, func(n int) (code exitCode, err error) {
				code, err = one(cmd, args[n], outputs[n])
				s.fault = err
				return code, err
			})
		},
	}
	f := cmd.Flags()
	s.inputs.add(cmd)
	s.inputs.addResponses(cmd)
	s.rules.add(cmd)
	s.rules.primary.add(cmd)
	s.rules.apriori.add(cmd)
	s.rules.addCost(cmd)
	s.engine.add(cmd)
	f.DurationVar(&s.limit, "time-limit", 0, "stop after this time with the best pattern found, like 30s or 10m (default: none)")
	f.Float64Var(&s.gap, "gap", 0, "stop once (cost − bound)/cost is at most this; 0 proves optimality")
	f.BoolVar(&s.canonical, "canonical", false, "of all cheapest patterns the one that publishes the first cell where two differ")
	f.Uint64Var(&s.seed, "seed", 0, "in place of --seed-file, for trials: others can read it on the command line and guess it; nothing but --defence random is random")
	f.BoolVar(&s.json, "json", false, "print one JSON document a table")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no progress on a terminal")
	f.StringVarP(&s.output, "output", "o", "", "write the protected table to this `file`, or into this directory for several inputs")
	f.BoolVar(&s.uniform, "uniform", false, "with -o: mark all withheld cells of a tidy file alike, so that it does not tell the sensitive ones")
	s.style.add(cmd)
	f.BoolVar(&s.flag, "flag", false, "with -o: keep the values of withheld cells of PX, SDMX and XLSX files beside their flags, for a confidential transmission")
	f.StringVar(&s.proof, "certificate", "", "write a proof of pattern and bound, for hitoku verify, to this `file` (.gz: compressed)")
	f.BoolVar(&s.linked, "linked", false, "protect all inputs as one: cells with the same codes are the same, and a table lacking a dimension stands at its total")
	f.BoolVar(&s.insiders, "insiders", false, "also: no only contributor of a withheld cell computes another sensitive cell from the relations")
	f.IntVar(&s.coalition, "coalition", 1, "with --insiders: nor do up to `M` of them together")
	s.singles.add(cmd)
	s.method = "auto"
	f.Var(choiceValue{&s.method, methods}, "method", "exact: the whole table at once; modular: sub-table by sub-table, for large tables; auto: modular above "+strconv.Itoa(autoCells)+" cells")
	complete(cmd, "method", methods...)
	s.defence.add(cmd)
	completeFiles(cmd, "output", "csv", "jj", "jj.gz")
	completeFiles(cmd, "certificate", "jsonl", "jsonl.gz")
	return cmd
}

func (s *suppression) check(flags *pflag.FlagSet) error {
	switch {
	case s.limit < 0:
		return fmt.Errorf("--time-limit %s: want 0 or more", s.limit)
	case !(s.gap >= 0 && s.gap < 1):
		return fmt.Errorf("--gap %g: want a value in [0, 1)", s.gap)
	case s.coalition < 1:
		return fmt.Errorf("--coalition %d: want 1 or more", s.coalition)
	case flags.Changed("coalition") && !s.insiders:
		return errors.New("--coalition needs --insiders")
	case s.insiders && s.proof != "":
		return errors.New("--insiders and --certificate: a certificate knows nothing of insiders")
	case s.insiders && s.defence.kind != "":
		return errors.New("--insiders and --defence do not go together")
	case s.output == "":
		for _, name := range []string{"uniform", "symbol", "flag", "reason", "secondary-reason"} {
			if flags.Changed(name) {
				return fmt.Errorf("--%s needs -o", name)
			}
		}
	}
	if _, err := s.style.style(s.inputs.null); err != nil {
		return err
	}
	if err := s.rules.check(flags); err != nil {
		return err
	}
	return s.engine.check()
}

// checkProof reports a certificate that has no place to go.
func (s *suppression) checkProof(args []string) error {
	switch {
	case s.proof == "":
	case len(args) > 1:
		return fmt.Errorf("--certificate takes one input, not %d", len(args))
	}
	return nil
}

// one protects the table in the file called path.
func (s *suppression) one(cmd *cobra.Command, path, output string) (exitCode, error) {
	start := time.Now()
	ctx, stdout, words := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	in, err := s.open(cmd, path, output)
	if err != nil {
		return 0, err
	}
	if err := s.rules.apply(in, words); err != nil {
		return 0, err
	}
	t := in.Table
	if countSensitive(t) == 0 && !s.defence.quantised() {
		say(words, t, "no cell is sensitive, so nothing needs to be withheld; --below or a column status says which are")
	}
	show := !s.quiet && isTerminal(words)
	sol, defended, why, err := s.choose(cmd, t, start, show)
	switch {
	case err != nil && ctx.Err() != nil:
		say(words, t, "interrupted, nothing to report")
		return exitLimit, nil
	case err != nil:
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	r := newSuppressReport(t, sol)
	if defended != nil {
		r.defended(defended)
	}
	r.guarded(s.guarded, s.coalition)
	r.Singletons = s.singles.report
	r.weighed(s.rules.factor, t, sol.Pattern)
	if sol.Pattern != nil {
		idle, err := s.audit(ctx, t, sol, r, start, words)
		if err == errInterrupted {
			return exitLimit, nil
		} else if err != nil {
			return 0, fmt.Errorf("%s: %w", path, err)
		}
		r.remark(t, idle)
	}
	if r.Audit == document.Protected && output != "" {
		if err := s.save(words, in, sol.Pattern, output); err != nil {
			return 0, err
		}
	}
	if err := s.saveProof(sol, r, words, t); err != nil {
		return 0, err
	}
	if s.json {
		err = document.Write(stdout, r)
	} else {
		err = r.print(stdout, t, sol.Pattern)
	}
	if err != nil {
		return 0, err
	}
	if why != nil {
		fmt.Fprintf(words, "hitoku: %v\n", why)
	}
	if show && defended == nil {
		fmt.Fprintf(words, "%s: %.1fs, first protected pattern after %.1fs\n", t.Name, sol.Seconds, sol.FirstSeconds)
	}
	return s.verdict(sol, r), nil
}

// open reads the table in the file called path and checks that it can be written to
// output, if that is not empty.
func (s *suppression) open(cmd *cobra.Command, path, output string) (*tableio.Input, error) {
	in, err := s.inputs.read(cmd, path, &s.rules)
	if err != nil {
		return nil, err
	}
	return in, s.checkOutput(cmd, in, path, output)
}

// checkOutput fails where the table of the file called path cannot be written to output.
func (s *suppression) checkOutput(cmd *cobra.Command, in *tableio.Input, path, output string) error {
	if output == "" {
		return nil
	}
	if err := checkFormat(output, in.Format); err != nil {
		return err
	}
	if err := s.style.fits(cmd.Flags(), in.Format); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// saveProof writes the certificate, if one was asked for.
func (s *suppression) saveProof(sol *solver.Solution, r *suppressReport, words io.Writer, t *table.Table) error {
	if c := sol.Certificate; c != nil && (sol.Pattern == nil || r.Audit == document.Protected) {
		return tableio.Save(s.proof, c.Write)
	}
	if s.proof != "" {
		say(words, t, "no certificate is written: no dual in short fractions shows why no pattern protects the table")
	}
	return nil
}

// save writes the protected table and says what else of its file is blanked.
func (s *suppression) save(words io.Writer, in *tableio.Input, pattern []bool, output string) (err error) {
	if in.Style, err = s.style.style(s.inputs.null); err != nil {
		return err
	}
	in.Style.Flag, in.Hasty = s.flag, s.memory != nil // a batch, whose journal has a hash of the output
	in.Uniform = s.uniform || s.defence.quantised()   // which does not take it that statuses are public
	sayFormulas(words, in.Table, output, in.Format)
	if err := tableio.WriteFile(output, in, pattern); err != nil {
		return err
	}
	for _, what := range in.Repeats(pattern) {
		say(words, in.Table, "%s is blanked, as it holds the value of a withheld cell or a number about one", what)
	}
	return nil
}

// saveAll writes tables that were protected together, all or none of them: they are written to a
// folder of their own first, where what cannot be written shows.
func (s *suppression) saveAll(words io.Writer, inputs []*tableio.Input, patterns [][]bool, outputs []string) error {
	if len(inputs) > 1 {
		trial, err := os.MkdirTemp("", "hitoku")
		if err != nil {
			return err
		}
		defer os.RemoveAll(trial)
		for k, in := range inputs {
			if err := s.save(io.Discard, in, patterns[k], filepath.Join(trial, filepath.Base(outputs[k]))); err != nil {
				return err
			}
		}
	}
	for k, in := range inputs {
		if err := s.save(words, in, patterns[k], outputs[k]); err != nil {
			return err
		}
	}
	return nil
}

// errInterrupted says that Ctrl-C ended an audit.
var errInterrupted = errors.New("interrupted")

// audit says whether the pattern of sol protects t: at once where the search names a table
// for every level and they add up, else (of a defence always, which does not search) by the
// intervals. That no limit holds for these is said. Ctrl-C ends them. It notes the verdict in r, and returns
// the superfluous cells of the input as far as the time limit allows.
func (s *suppression) audit(ctx context.Context, t *table.Table, sol *solver.Solution, r *suppressReport, start time.Time, words io.Writer) (idle []int, err error) {
	opt := &interval.Options{LP: s.engine.lp, Workers: s.engine.workers}
	told := sync.OnceFunc(func() {
		if s.defence.kind == "" {
			say(words, t, "the tables that the search names do not show every level, so the audit computes the intervals of all withheld cells, which no --time-limit ends")
		}
	})
	show := newAuditProgress(words).show
	opt.Progress = func(done, total int) {
		if told(); !s.quiet && isTerminal(words) {
			show(done, total)
		}
	}
	before := ctx.Err()
	verdict, err := sol.Audit(ctx, t, opt)
	r.Audit = document.Verdict(verdict)
	switch {
	case err != nil && before == nil && ctx.Err() != nil:
		say(words, t, "interrupted while the pattern was audited, nothing to report")
		return nil, errInterrupted
	case err != nil:
		return nil, fmt.Errorf("audit: %w", err)
	}
	if s.limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, start.Add(s.limit))
		defer stop()
	}
	opt.Progress = nil
	idle, err = sol.Superfluous(ctx, t, opt)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	return idle, nil
}

// choose finds the pattern, by the search or as a defence does.
func (s *suppression) choose(cmd *cobra.Command, t *table.Table, start time.Time, show bool) (sol *solver.Solution, defended *document.Defence, why, err error) {
	if s.defence.kind == "" {
		sol, why, err = s.solve(cmd.Context(), t, start, show, cmd.ErrOrStderr())
		return sol, nil, why, err
	}
	opt, err := s.defence.options(cmd, s, t)
	if err != nil {
		return nil, nil, nil, err
	}
	if show {
		opt.Progress = decided(cmd.ErrOrStderr(), opt.Kind)
	}
	return s.defence.run(cmd.Context(), t, opt)
}

// solve runs the search. why explains a solution without a pattern.
func (s *suppression) solve(ctx context.Context, t *table.Table, start time.Time, show bool, words io.Writer) (sol *solver.Solution, why, err error) {
	opt := &solver.Options{LP: s.engine.lp, Workers: s.engine.workers, Gap: s.gap, Canonical: s.canonical,
		Certificate: s.proof != ""}
	if s.canonical { // which the memory does not change
		opt.Memory = s.memory
	}
	if s.limit > 0 {
		opt.TimeLimit = searchTime(s.limit, time.Since(start))
	}
	if show {
		limit := "none"
		if s.limit > 0 {
			limit = s.limit.String()
		}
		fmt.Fprintf(words, "table %s   %d cells, %d relations, %d sensitive; %s, gap %g, limit %s\n",
			t.Name, t.Len(), t.Rel.Len(), countSensitive(t), s.engine.lp, s.gap, limit)
		opt.Progress = (&progress{w: words}).show
	}
	if s.insiders {
		var g *attack.Guarded
		g, err = attack.Guard(ctx, t, opt, &attack.InsiderOptions{Coalition: s.coalition, LP: s.engine.lp, Workers: s.engine.workers})
		sol, s.guarded = g.Solution, g
	} else {
		sol, err = s.singles.suppress(ctx, t, opt, s.search(t), &s.rules)
	}
	var impossible *solver.UnprotectableError
	switch {
	case errors.As(err, &impossible):
		return sol, err, nil
	case errors.Is(err, solver.ErrNoSolution):
		return sol, fmt.Errorf("table %s: %w", t.Name, err), nil
	}
	return sol, nil, err
}

// searchTime is what a limit leaves for the search after reading: a tenth of the time of that
// is kept for the audit, which adds up the witnesses in a fifteenth or less of it.
func searchTime(limit, reading time.Duration) time.Duration {
	return max(time.Nanosecond, limit-reading-reading/10)
}

// verdict is the exit code for what was found: a search that stopped short of
// the gap asked for met a limit.
func (s *suppression) verdict(sol *solver.Solution, r *suppressReport) exitCode {
	switch {
	case sol.Status == solver.None:
		return exitLimit
	case r.Audit != document.Protected:
		return exitVerdict
	case s.gap == 0 && sol.Engine == modular.Engine && (s.limit == 0 || sol.Seconds < s.limit.Seconds()):
		// Sub-tables promise no optimum; they came to their end.
	case sol.Status == solver.Feasible && sol.Gap() > s.gap && r.Defence == nil:
		return exitLimit
	}
	return exitDone
}
