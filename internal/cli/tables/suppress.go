// Package tables provides the verbs about tables: tabulate, suppress, batch, audit, attack, verify, report, convert and
// generate, and also schema and version.
package tables

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// suppression is one run of hitoku suppress.
type suppression struct {
	inputs flags.Input
	rules  flags.Rules
	engine flags.Engine
	files  flags.PolicyFile
	secret flags.Seed
	seed   uint64
	json   bool
	quiet  bool
	published
	style    flags.Style
	proof    string
	linked   bool
	wall     flags.Clock
	statuses string
	stream   bool
	ends     bool
	memory   *solver.Memory // what earlier runs of a batch have learned; nil outside a batch
	book     *flags.Book    // the part of the ledger that counts, if set by batch
	trees    []string       // files of trees written beside outputs
}

// published says where and how a protected table is written.
type published struct {
	output        string
	uniform, flag bool
}

func NewSuppress() *cobra.Command { return new(suppression).command() }

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
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		PreRunE:           func(cmd *cobra.Command, _ []string) error { return s.files.Load(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(); err != nil {
				return err
			}
			if err := s.checkSecret(cmd.Flags(), args); err != nil {
				return err
			}
			if err := s.files.Write(s.rules.Policy, protect.Change{}); err != nil {
				return err
			}
			outputs, err := flags.OutputPaths(s.output, args)
			if err != nil {
				return err
			}
			inputs := flags.Inputs(cmd, flags.BesideTable)
			for _, path := range outputs { // paths in a folder follow from the inputs, so they are checked here
				if in, is := inputs.Find(path); is {
					return i18n.Errorf("-o %s: %s would overwrite the input %s", s.output, path, in)
				}
			}
			if s.linked {
				return cli.End(s.one(cmd, args, outputs))
			}
			return cli.EachInput(cmd, args, !s.json, func(n int) (cli.Code, error) {
				return s.one(cmd, args[n:n+1], outputs[n:n+1])
			})
		},
	}
	s.declare(cmd)
	return cmd
}

// declare gives the verb its flags.
func (s *suppression) declare(cmd *cobra.Command) {
	response := s.inputs.ResponseGroup()
	response[0].Clashes = protect.Clashes("response")
	flags.Declare(cmd,
		s.inputs.Group(),
		s.inputs.LayoutGroup(),
		response,
		flags.In(flags.InputGroup, []flags.Flag{
			{Name: "linked", To: &s.linked, Inputs: 2, Text: "protect all inputs as one: cells with the same codes are the same, and a table lacking a dimension stands at its total", More: "See below"},
			{Name: "stream", Rare: true, To: &s.stream, Text: "read a tidy file twice instead of keeping the cells whose status says that they stay published", Else: "for files of 256 MiB and more, if no other flag asks for those cells", More: "See [modular.md](modular.md#most-cells-published)"},
		}),
		s.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Apriori),
		s.files.Group(&s.rules),
		s.rules.Flags(flags.Margins, flags.Cost, flags.ByHand, flags.Ledger, flags.Lost, flags.Fields{"insiders", "coalition", "singletons"}, flags.Unions),
		s.defences(),
		s.rules.Flags(flags.Fields{"effort", "method", "time-limit", "gap", "canonical", "partial", "ends", "max-width", "partial-cost"}),
		flags.In(flags.SearchGroup, []flags.Flag{
			s.wall.Flag(),
		}),
		s.engine.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &s.output, Files: flags.FormatExtensions(), Writes: true, Text: "write the protected table to this `file`, or under its own name into this directory, which several inputs need", More: "A hierarchy that another file gave is written beside it as NAME.DIM.hrc, where hitoku audit finds it"},
			{Name: "uniform", To: &s.uniform, Needs: []string{"output"}, Text: "mark all withheld cells of a tidy file alike, so that it does not tell the sensitive ones"},
			{Name: "flag", To: &s.flag, Needs: []string{"output"}, Text: "keep the values of withheld cells of PX, SDMX and XLSX files beside their flags, for a confidential transmission"},
		}),
		s.style.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "status-file", To: &s.statuses, Files: []string{"csv"}, Writes: true, Inputs: 1, Text: "write value, status and cost of every cell, with its address, to this `file`, for the office only", More: "Only its owner can read it"},
			{Name: "certificate", To: &s.proof, Files: []string{"jsonl", "jsonl.gz"}, Writes: true, Inputs: 1, Clashes: protect.Clashes("certificate"), Text: "write a proof of pattern and bound, for hitoku verify, to this `file` (.gz: compressed)", More: "See [certificate.md](certificate.md)"},
		}),
		s.files.SaveGroup(),
		s.printed(),
	)
	flags.Common(cmd, "--below 5", "--width 8", "--total 合計", "--cost count", "-o protected.csv")
}

// printed returns the flags about what is printed.
func (s *suppression) printed() flags.Group {
	return flags.In(flags.OutputGroup, []flags.Flag{
		flags.JSON(&s.json, "print one JSON document a table"),
		{Name: "intervals", To: &s.ends, Needs: []string{"json"}, Excludes: []string{"response"}, Text: "compute the feasibility interval of every withheld cell, as hitoku audit does", More: "It takes its time after the search, and no time limit holds for it"},
		flags.Quiet(&s.quiet),
	})
}

func (s *suppression) check() error {
	if _, err := s.style.Style(s.inputs.Null); err != nil {
		return err
	}
	s.rules.Policy.LP = s.engine.LP
	var beside []string
	for _, b := range []struct {
		name string
		is   bool
	}{{"certificate", s.proof != ""}, {"response", len(s.inputs.Responses) > 0}, {"linked", s.linked}} {
		if b.is {
			beside = append(beside, b.name)
		}
	}
	if err := s.rules.Check(beside...); err != nil {
		return err
	}
	return s.engine.Check()
}

// one protects the table in the only file, or the tables in several files as one, and prints the result.
func (s *suppression) one(cmd *cobra.Command, paths, outputs []string) (cli.Code, error) {
	stdout, words := cmd.OutOrStdout(), cmd.ErrOrStderr()
	p, code, err := s.protect(cmd.Context(), cmd, paths, outputs)
	if p == nil {
		return code, err
	}
	res, r := p.Result, p.report
	if s.json {
		err = document.Write(stdout, r)
	} else {
		if res.Partial != nil {
			printPartial(stdout, res)
		} else {
			printSet(stdout, p.files, res)
		}
		err = r.printLine(stdout, res.Solution.Pattern)
	}
	if err != nil {
		return 0, err
	}
	if p.why != nil {
		cli.Say(words, p.why)
	}
	if sol := res.Solution; s.shows(words) && len(paths) == 1 && res.Responses == nil && res.Defence == nil {
		render.Tell(words, "%s: %.1fs, first protected pattern after %.1fs\n", res.Table.Name, sol.Seconds, sol.FirstSeconds)
	}
	return code, nil
}

// A procedure is the result of protect.Run for some files.
type procedure struct {
	*protect.Result
	files  *flags.FileSet
	report *suppressReport
	why    error // why there is no pattern
}

// protect reads the files, has them protected and writes the result. The procedure is nil if there is an error, and if
// an interrupt leaves nothing to report.
func (s *suppression) protect(ctx context.Context, call flags.Call, paths, outputs []string) (*procedure, cli.Code, error) {
	words := call.ErrOrStderr()
	ctx, stop := s.wall.Start(ctx, words)
	defer stop()
	var err error
	if s.inputs.InPlay, err = s.streamed(paths); err != nil {
		return nil, 0, err
	}
	s.inputs.NeedValues()
	files, err := s.inputs.ReadSet(call, paths, &s.rules, func(k int, in *formats.Input) error {
		if err := layout.Withheld(in); err != nil {
			return err
		}
		return s.checkOutput(call, in, paths[k], outputs[k])
	})
	if err != nil {
		return nil, 0, err
	}
	spare(files)
	res, err := protect.Run(ctx, files.Inputs(), s.rules.Policy, s.options(call))
	var why *protect.NoPatternError
	switch {
	case errors.As(err, &why):
	case errors.Is(err, protect.ErrAudit):
		render.Say(words, res.Table, "interrupted while the pattern was audited, nothing to report")
		return nil, cli.Limit, nil
	case err != nil && ctx.Err() != nil && res.Verdict != "": // the search was interrupted, and its result is audited
	case err != nil && ctx.Err() != nil && res.Table != nil:
		render.Say(words, res.Table, "interrupted, nothing to report")
		return nil, cli.Limit, nil
	case err != nil:
		return nil, 0, flags.Flagged(err)
	}
	p := &procedure{Result: res, files: files, report: NewSuppressReport(res)}
	if s.ends && res.Solution.Pattern != nil {
		if err := p.report.intervals(ctx, res, &interval.Options{LP: s.engine.LP, Workers: s.engine.Workers}); err != nil {
			if ctx.Err() == nil {
				return nil, 0, err
			}
			render.Say(words, res.Table, "interrupted before the intervals were computed")
		}
	}
	if w := files.Read[0][0].Whole; w != nil {
		p.report.Cells, p.report.Relations = w.Cells, w.Relations
	}
	if why != nil {
		p.why = flags.Flagged(why)
	}
	protected := res.Verdict == interval.Protected
	if protected && s.output != "" {
		if err := s.saveAll(words, files.Protected(res), res.Patterns, outputs); err != nil {
			return nil, 0, err
		}
	}
	if protected && s.statuses != "" {
		if err := s.saveStatuses(files, res); err != nil {
			return nil, 0, err
		}
	}
	if err := s.saveProof(res, words); err != nil {
		return nil, 0, err
	}
	switch {
	case res.Solution.Status == solver.None:
		return p, cli.Limit, nil
	case !protected:
		return p, cli.Verdict, nil
	case !res.Complete:
		return p, cli.Limit, nil
	}
	return p, cli.Done, nil
}

// shows reports whether progress is drawn.
func (s *suppression) shows(words io.Writer) bool { return !s.quiet && render.ShowsProgress(words) }

// options returns the options of a run besides its policy.
func (s *suppression) options(call flags.Call) *protect.Options {
	words := call.ErrOrStderr()
	o := flags.RuleOptions(words)
	o.Workers, o.Certificate, o.Memory = s.engine.Workers, s.proof != "", s.memory
	o.Joined = s.inputs.Named
	o.Secret = func() ([32]byte, error) { return s.draw(words) }
	o.Weights = s.inputs.Older(call, &s.rules)
	o.Ledger = func(p *protect.Policy) (*ledger.Set, error) { return s.inputs.Released(call, &s.rules, p, s.book) }
	if s.shows(words) {
		o.Progress = s.progress(words)
	}
	return o
}

// progress returns a function that draws the progress of a run.
func (s *suppression) progress(words io.Writer) func(protect.Progress) {
	var show func(protect.Progress)
	return func(p protect.Progress) {
		switch {
		case !p.Begin:
			show(p)
		case p.Stage == protect.Searching:
			limit := i18n.T("none")
			if d := s.rules.Policy.TimeLimit; d > 0 {
				limit = i18n.T("%v", d)
			}
			render.Tell(words, "table %s   %d cells, %d relations, %d sensitive; %s, gap %g, limit %s\n",
				p.Table.Name, p.Table.Len(), p.Table.Rel.Len(), render.CountSensitive(p.Table), s.engine.LP, s.rules.Policy.Gap, limit)
			lines := &render.SearchProgress{W: words}
			show = func(p protect.Progress) { lines.Show(p.Search) }
		case p.Stage == protect.Defending:
			show = decided(words, s.rules.Policy.Defence)
		case p.Stage == protect.Auditing:
			lines := render.NewAuditProgress(words)
			show = func(p protect.Progress) { lines.Show(p.Done, p.Total) }
		}
	}
}

// checkOutput returns an error if the table of the file called path cannot be written to output.
func (s *suppression) checkOutput(call flags.Call, in *formats.Input, path, output string) error {
	if output == "" {
		return nil
	}
	if err := flags.CheckFormat(output, in.Format); err != nil {
		return err
	}
	if err := s.style.Fits(call.Flags(), in.Format); err != nil {
		return i18n.Errorf("%s: %w", path, err)
	}
	trees := treesBeside(in, output)
	if trees == nil {
		return nil
	}
	inputs, outputs := flags.Inputs(call, nil), flags.Outputs(call)
	for _, d := range trees {
		file := formats.TreeFile(output, d.Name)
		if from, is := inputs.Find(file); is && !formats.SameFile(file, in.Trees[d.Name]) {
			return i18n.Errorf("-o %s: %s, the hierarchy of %s beside it, would overwrite the input %s", output, file, d.Name, from)
		}
		if _, is := outputs.Find(file); is {
			return i18n.Errorf("-o %s: %s, the hierarchy of %s beside it, would overwrite another file of this run", output, file, d.Name)
		}
	}
	return nil
}

// treesBeside returns the dimensions whose trees readers of the output need in files of their own: the input's file
// does not contain them, so a file in its format does not either.
func treesBeside(in *formats.Input, output string) (dims []*table.Dimension) {
	if info, err := os.Stat(output); output == formats.Stdout || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	for d := range in.Table.Dims {
		if dim := &in.Table.Dims[d]; in.Trees[dim.Name] != "" {
			dims = append(dims, dim)
		}
	}
	return dims
}

// saveTrees writes the trees that readers of the output need beside it.
func (s *suppression) saveTrees(words io.Writer, in *formats.Input, output string) {
	for _, d := range treesBeside(in, output) {
		if err := formats.SaveTree(output, d, in.Dialect); err != nil {
			render.Say(words, in.Table, "the hierarchy is not written beside %s: %v", output, err)
			continue
		}
		s.trees = append(s.trees, formats.TreeFile(output, d.Name))
	}
}

// saveProof writes the certificate, if one was asked for.
func (s *suppression) saveProof(res *protect.Result, words io.Writer) error {
	if c := res.Solution.Certificate; c != nil && (res.Solution.Pattern == nil || res.Verdict == interval.Protected) {
		return formats.Save(s.proof, c.Write)
	}
	if s.proof != "" {
		render.Say(words, res.Table, "no certificate is written: no dual in short fractions shows why no pattern protects the table")
	}
	return nil
}

// save writes the protected table and reports what else in its file was blanked.
func (s *suppression) save(words io.Writer, in *formats.Input, pattern []bool, output string) (err error) {
	if in.Style, err = s.style.Style(s.inputs.Null); err != nil {
		return err
	}
	in.Style.Flag, in.NoSync = s.flag, s.memory != nil // in a batch, whose journal has a hash of the output
	in.Intervals = s.rules.Policy.Partial
	in.Uniform = s.uniform || s.rules.Policy.Quantised() // then statuses are not assumed to be public
	sayFormulas(words, in.Table, output, in.Format)
	if err := formats.WriteFile(output, in, pattern); err != nil {
		return err
	}
	s.saveTrees(words, in, output)
	for _, what := range formats.Repeats(in, pattern) {
		render.Say(words, in.Table, "%s is blanked, as it holds the value of a withheld cell or a number about one", what)
	}
	for _, change := range formats.Changes(in) {
		render.Say(words, in.Table, "%s", change)
	}
	if file := layout.Copied(in); file != nil {
		render.Say(words, in.Table, "protected: %s, %s", filepath.Base(output), file.Words())
	}
	return nil
}

// saveAll writes tables that were protected together, all or none: they are first written to a temporary folder, where
// it shows if one cannot be written.
func (s *suppression) saveAll(words io.Writer, inputs []*formats.Input, patterns [][]bool, outputs []string) error {
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
