package tables

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
)

// batchRun is one run of hitoku batch.
type batchRun struct {
	shard   string
	part    batch.Shard
	workers int
	retry   bool
	json    bool
	quiet   bool
	works   *works
	wall    flags.Clock

	named []batch.BadLine // bad lines already reported
	more  bool            // whether it was said that there are more
}

func NewBatch() *cobra.Command {
	b := &batchRun{}
	cmd := &cobra.Command{
		Use:   "batch JOB.toml",
		Short: "Protect thousands of tables, and go on where a killed run ended",
		Long: `Protect every table that a job file names, several at a time. The job file says
where the tables are, what hitoku suppress does to them and where results go:

  inputs = ["tables/*.csv"]
  output = "protected"
  timeout = "10m"           # of a table, reading and audit included
  memory = "4GB"            # of Go objects in the process

  [options]                 # flags of hitoku suppress
  below = 5
  width = 8
  cost = "count"

  [[override]]
  match = "big*.csv"
  options = { time-limit = "5m", width = false }

Paths are relative to the job file. The folder output gets protected tables and nothing
else. What is for the office only has the folder office (by default the name of
output with .office): a journal, by which a run that was interrupted or killed goes on;
results.jsonl, one document an input, the same however the job was run; index.html; and
the protected tables whose format keeps the values of withheld cells (JJ, τ-ARGUS,
--flag). A table is done again when it, its options, a file they name or the program has
changed.

With ledger = "releases.toml" the tables are protected one after another, each with what
the ledger lists and those before it publish, and the ledger lists them afterwards.

A table whose options have base is done by hitoku round, one whose options have norm by hitoku
adjust; options are the flags of that verb then.`,
		Example: `  hitoku batch job.toml
  hitoku batch --shard 2/8 job.toml   # on the second of eight machines
  hitoku batch merge job.toml         # when all are done`,
		Args: jobArg,
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd, args[0]) },
	}
	flags.Declare(cmd,
		flags.In(flags.InputGroup, []flags.Flag{
			{Name: "shard", To: &b.shard, Text: "only part `I/N` of the tables; hitoku batch merge puts the results of all parts together"},
			{Name: "retry", Rare: true, To: &b.retry, Text: "do tables again that failed or met a limit"},
		}),
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "workers", Rare: true, To: &b.workers, Text: "`N` tables at a time; 0 means one a processor. The result does not depend on it"},
			b.wall.Flag(),
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			flags.JSON(&b.json, "print the results, one JSON document a table, for the office only"),
			flags.Quiet(&b.quiet),
		}),
	)
	completeJob := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	cmd.ValidArgsFunction = completeJob

	m := &batchRun{}
	merge := &cobra.Command{
		Use:               "merge JOB.toml",
		Short:             "Put the results of all shards of a job together",
		Long:              "Look up every table of a job in the journals of all its shards and write results.jsonl and index.html. Tables that no shard has done are an error.",
		Args:              jobArg,
		ValidArgsFunction: completeJob,
		RunE:              func(cmd *cobra.Command, args []string) error { return m.merge(cmd, args[0]) },
	}
	flags.Declare(merge, flags.In(flags.OutputGroup, []flags.Flag{flags.JSON(&m.json, "print the results, one JSON document a table")}))
	cmd.AddCommand(merge, newTask())
	return cmd
}

func jobArg(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return i18n.Errorf("%s: want one job file; see %s --help", flags.Verb(cmd), cmd.CommandPath())
	}
	return nil
}

// read reads the job and changes to its folder, to which its paths are relative.
func (b *batchRun) read(file string) (job *batch.Job, tasks []*batch.Task, err error) {
	if b.shard != "" {
		if b.part, err = batch.ParseShard(b.shard); err != nil {
			return nil, nil, i18n.Errorf("--shard %w", err)
		}
	}
	if b.workers < 0 {
		return nil, nil, i18n.Errorf("--workers %d: want 0 or more", b.workers)
	}
	if job, err = batch.ReadJob(file); err != nil {
		return nil, nil, err
	}
	if err := os.Chdir(filepath.Dir(file)); err != nil {
		return nil, nil, err
	}
	if tasks, err = job.Plan(b.part); err != nil {
		return nil, nil, err
	}
	b.works = newWorks()
	if b.works.kept, err = keep(job, tasks); err != nil {
		return nil, nil, &batch.JobError{File: file, Key: "ledger", Want: i18n.T("%s", err)}
	}
	for _, t := range tasks {
		if err := b.works.read(t); err != nil {
			return nil, nil, &batch.JobError{File: file, Key: "options of " + t.Input, Want: i18n.T("%s", err)}
		}
	}
	return job, tasks, nil
}

func (b *batchRun) run(cmd *cobra.Command, file string) error {
	job, tasks, err := b.read(file)
	if err != nil {
		return err
	}
	if err := drawSeeds(cmd.ErrOrStderr(), tasks); err != nil {
		return err
	}
	journal, err := batch.OpenJournal(job.OfficeDir(), b.part)
	if err != nil {
		return err
	}
	defer journal.Close()
	words := cmd.ErrOrStderr()
	ctx, stop := b.wall.Start(cmd.Context(), words)
	defer stop()
	b.torn(words, journal.Bad())
	program, err := ownProgram()
	if err != nil {
		return err
	}
	opt := batch.Options{Workers: b.workers, Timeout: job.Timeout, Memory: job.Memory, Version: program, Retry: b.retry, Language: cli.Speaks()}
	opt.Do = b.works.do
	if b.works.kept != nil {
		opt.Begin = b.works.kept.begin
	}
	line := &jobProgress{w: words}
	if !b.quiet && render.ShowsProgress(words) {
		opt.Progress = line.show
	}
	err = batch.Run(ctx, tasks, journal, opt)
	line.end()
	if err != nil { // what was published must be in the ledger even after an error
		if err := b.record(job, tasks, program); err != nil {
			return err
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		cli.Note(words, "interrupted; the same command goes on from here")
		return cli.Limit
	case batch.OfMachine(err):
		return i18n.Errorf("%w; the run has stopped, and the same command goes on from here", err)
	case err != nil:
		return err
	}
	return b.end(cmd, job, tasks, b.part.N == 0)
}

// record adds what a job with a ledger has published to the ledger.
func (b *batchRun) record(job *batch.Job, tasks []*batch.Task, program string) error {
	if b.works.kept == nil {
		return nil
	}
	entries, _, err := batch.Merge(tasks, job.OfficeDir(), program)
	if err != nil {
		return err
	}
	return b.works.kept.add(b.works, entries)
}

// drawSeeds draws the missing seed files before anything else is done: they count as content of the tables, which would
// be done again if a seed file appeared meanwhile.
func drawSeeds(words io.Writer, tasks []*batch.Task) error {
	for _, t := range tasks {
		for _, path := range t.Options["seed-file"] {
			if flags.FileExists(path) {
				continue
			}
			if _, err := (&flags.Seed{File: path}).Secret(words); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *batchRun) merge(cmd *cobra.Command, file string) error {
	job, tasks, err := b.read(file)
	if err != nil {
		return err
	}
	return b.end(cmd, job, tasks, true)
}

// ownProgram identifies this program in keys.
func ownProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return batch.Program(cli.Version(), self)
}

// end sums up, writes results and index if save is set, and returns the worst exit code of a table.
func (b *batchRun) end(cmd *cobra.Command, job *batch.Job, tasks []*batch.Task, save bool) error {
	program, err := ownProgram()
	if err != nil {
		return err
	}
	entries, sum, err := batch.Merge(tasks, job.OfficeDir(), program)
	if err != nil {
		return err
	}
	b.torn(cmd.ErrOrStderr(), sum.Bad)
	var last *batch.Entry
	if k := b.works.kept; k != nil {
		if err := k.add(b.works, entries); err != nil {
			return err
		}
		last = k.waits(entries)
	}
	if save && sum.Missing == 0 {
		if err := report.SaveJob(cli.Speaks().Tag, job, entries, sum); err != nil {
			return err
		}
	}
	if b.json {
		err = batch.WriteResults(cmd.OutOrStdout(), entries)
	} else {
		err = printBatch(cmd.OutOrStdout(), entries, sum)
	}
	if err != nil {
		return err
	}
	code := cli.Done
	for exit := range sum.Exits {
		code = cli.Worst(code, cli.Code(exit))
	}
	if sum.Missing > 0 && last != nil {
		cli.Note(cmd.ErrOrStderr(), "%s: the tables behind it wait, as they count with what it publishes; put it right, or place it before those that tell its cells, protect it with them by hitoku suppress --linked, or give it the option lost, which gives up what is told already; the same command goes on from here", last.Input)
		return code.Result()
	}
	if sum.Missing > 0 {
		for k, e := range entries {
			if e == nil {
				return i18n.Errorf("%d tables are in no journal, %s among them; run them, or their shard", sum.Missing, tasks[k].Input)
			}
		}
	}
	return code.Result()
}

// torn reports the lines of journals that do not count, each once.
func (b *batchRun) torn(words io.Writer, bad []batch.BadLine) {
	more := 0
	for _, l := range bad {
		switch {
		case slices.Contains(b.named, l):
		case len(b.named) < maxFailures:
			b.named = append(b.named, l)
			cli.Note(words, "%s", l.Message())
		default:
			more++
		}
	}
	if more > 0 && !b.more {
		b.more = true
		cli.Note(words, "and %d such lines more", more)
	}
}

// maxFailures is how many failures are printed one by one.
const maxFailures = 20

// printBatch lists the tables that did not end well and counts the rest.
func printBatch(w io.Writer, entries []*batch.Entry, sum *batch.Summary) error {
	shown, idle := 0, 0
	for _, e := range entries {
		if e != nil && e.Report != nil && e.Report.Audit == document.Nothing {
			idle++
		}
		if e == nil || e.Exit == int(cli.Done) {
			continue
		}
		if shown++; shown > maxFailures {
			continue
		}
		why := cmp.Or(e.Said[i18n.Of(w).Tag], e.Why)
		if strings.HasPrefix(why, e.Input) {
			render.Tell(w, "%s\n", why)
		} else {
			render.Tell(w, "%s: %s\n", e.Input, why)
		}
	}
	if shown > maxFailures {
		render.Tell(w, "and %d more, see %s\n", shown-maxFailures, report.ResultsName)
	}
	tables := i18n.T("%d tables", sum.Tasks)
	if sum.Tasks == 1 {
		tables = i18n.T("1 table")
	}
	counts := i18n.List{Items: []any{i18n.T("%d done", sum.Done)}}
	if idle > 0 {
		counts.Items[0] = i18n.T("%d done (%d with nothing to protect)", sum.Done, idle)
	}
	if n := sum.Exits[int(cli.Verdict)]; n > 0 {
		counts.Items = append(counts.Items, i18n.T("%d not protectable", n))
	}
	if n := sum.Exits[int(cli.Usage)]; n > 0 {
		counts.Items = append(counts.Items, i18n.T("%d failed", n))
	}
	if n := sum.Exits[int(cli.Limit)]; n > 0 {
		counts.Items = append(counts.Items, i18n.T("%d stopped at a limit", n))
	}
	if sum.Missing > 0 {
		counts.Items = append(counts.Items, i18n.T("%d not yet run", sum.Missing))
	}
	return render.Tell(w, "%s: %s\n", tables, counts)
}

// jobProgress keeps a line on a terminal up to date.
type jobProgress struct {
	w     io.Writer
	next  time.Time
	shown bool
}

func (b *jobProgress) show(p batch.Progress) {
	now := time.Now()
	if now.Before(b.next) && p.Done < p.Total {
		return
	}
	b.next, b.shown = now.Add(render.Pause/4), true
	line := fmt.Sprintf("%d of %d tables", p.Done, p.Total)
	if p.Old > 0 {
		line += fmt.Sprintf(" (%d before)", p.Old)
	}
	if p.Failed > 0 {
		line += fmt.Sprintf(", %d failed", p.Failed)
	}
	if p.Left >= 0 {
		line += fmt.Sprintf(", %v, about %v left", p.Elapsed.Round(time.Second), p.Left.Round(time.Second))
	}
	fmt.Fprint(render.Under(b.w), "\r\x1b[K")
	fmt.Fprint(b.w, line)
}

func (b *jobProgress) end() {
	if b.shown {
		fmt.Fprintln(b.w)
	}
}
