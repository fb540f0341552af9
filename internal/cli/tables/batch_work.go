package tables

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
)

// works holds what a job does to its tables: options of hitoku suppress, which are read and checked once, as data. What
// the solver has learned is kept for the next table with the same relations.
type works struct {
	of     map[string]*work // keyed by the options as text
	memory chan *solver.Memory
	kept   *keeping // nil if the job has no ledger
}

func newWorks() *works {
	return &works{of: map[string]*work{}, memory: make(chan *solver.Memory, 1024)}
}

// A work is what is done to a table: how its file is read, the policy, and how the output is written.
type work struct {
	suppression
	change changer        // the changer used instead of suppression, or nil
	flags  *pflag.FlagSet // the given flags; only read from here on
}

// work returns the work for t.
func (w *works) work(t *batch.Task) *work { return w.of[strings.Join(t.Args(), "\x00")] }

// read reads and checks the options of t, and sets its policy. The error is one with which suppress would end whatever
// the table.
func (w *works) read(t *batch.Task) error {
	id := strings.Join(t.Args(), "\x00")
	if w.of[id] == nil {
		one, err := readWork(t)
		if err != nil {
			return err
		}
		w.of[id] = one
	}
	t.Policy = w.of[id].rules.Policy
	if c := w.of[id].change; c != nil {
		t.Policy = *c.policy()
	}
	return w.known(t)
}

func readWork(t *batch.Task) (*work, error) {
	if err := t.CheckFlags(); err != nil {
		return nil, err
	}
	w := &work{change: changerOf(t)}
	cmd := w.command()
	if w.change != nil {
		cmd = w.change.command()
	}
	for _, name := range slices.Sorted(maps.Keys(t.Options)) {
		f := cmd.Flags().Lookup(name)
		if f == nil {
			continue
		}
		if flags.OfRun(f) {
			return nil, i18n.Errorf("%s: not to be set in a job", name)
		}
		if err := flags.CheckList(f, t.Options[name]); err != nil {
			return nil, err
		}
	}
	cmd.SetFlagErrorFunc(flags.FlagError)
	if err := cmd.ParseFlags(t.Args()); err != nil {
		return nil, flags.FlagError(cmd, err)
	}
	w.flags = cmd.Flags()
	if err := w.flags.Set("output", t.Output); err != nil {
		return nil, err
	}
	if err := flags.Check(cmd, []string{t.Input}); err != nil {
		return nil, err
	}
	if w.change != nil {
		w.change.alone(w.flags)
		return w, w.change.check(w.flags, []string{t.Input})
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	w.quiet = true
	if !w.flags.Changed("workers") && t.Stated == "" { // tables of a job share the processors, unless they are done one after another
		w.engine.Workers = 1
	}
	return w, nil
}

// do protects one table, whose options have been read. A bug that shows at one table does not end the others.
func (w *works) do(ctx context.Context, _ int, t *batch.Task) (r batch.Result) {
	failed := func(err error) batch.Result {
		r := batch.Result{Exit: int(cli.Usage), Why: err.Error(), Said: cli.Speaks().Say(err)}
		if batch.OfMachine(err) {
			r.Fault = err
		}
		return r
	}
	defer func() {
		if fault := recover(); fault != nil {
			os.Remove(t.Output)
			r = batch.Result{Exit: int(cli.Usage)}
			r.Why, r.Said = inBoth(i18n.T("a fault of hitoku: %v", fault))
		}
	}()
	if err := prepareOutput(t.Output); err != nil {
		return failed(err)
	}
	one := *w.work(t)
	if one.change != nil {
		return change(ctx, one.change, one.flags, t)
	}
	one.rules.Policy, one.output = t.Policy, t.Output
	if w.kept != nil {
		var err error
		if one.book, err = w.kept.before(w, t); err != nil {
			return failed(err)
		}
	}
	select {
	case one.memory = <-w.memory:
	default:
		one.memory = new(solver.Memory)
	}
	call := &tableCall{ctx: ctx, flags: one.flags}
	var p *procedure
	var code cli.Code
	err := one.checkSecret(one.flags, []string{t.Input})
	if err == nil {
		p, code, err = one.protect(ctx, call, []string{t.Input}, []string{t.Output})
	}
	switch {
	case err != nil:
		code = cli.Usage
		call.words.Hear(i18n.T("%v", err))
		if batch.OfMachine(err) {
			r.Fault = err
		}
	case p != nil:
		r.Report = &document.BatchReport{Suppression: p.report.Suppression}
		if p.why != nil {
			call.words.Hear(i18n.T("%v", p.why))
		}
	}
	r.Exit, r.Wrote = int(code), wrote(t.Output)
	r.Why, r.Said = call.words.why(i18n.English), call.words.why(cli.Speaks())
	if r.Wrote {
		r.Beside = one.trees
	}
	switch {
	case r.Why != "" || code != cli.Limit:
	case p != nil && p.report.Partial != nil && p.report.Partial.Told > 0:
		r.Why, r.Said = inBoth(i18n.T("protected, but of %d sensitive cells who knows how ends are drawn may tell more than their levels allow", p.report.Partial.Told))
	default:
		r.Why, r.Said = inBoth(i18n.T("stopped at a limit with a protected pattern, not proved cheapest"))
	}
	w.memory <- one.memory
	return r
}

// A tableCall is the flags.Call of a table in a job: its messages are kept, and it has no standard input.
type tableCall struct {
	ctx   context.Context
	flags *pflag.FlagSet
	words heard
}

func (c *tableCall) Context() context.Context { return c.ctx }
func (c *tableCall) Flags() *pflag.FlagSet    { return c.flags }
func (c *tableCall) InOrStdin() io.Reader     { return new(bytes.Reader) }
func (c *tableCall) SetIn(io.Reader)          {}
func (c *tableCall) ErrOrStderr() io.Writer   { return &c.words }

// heard collects the messages of a table in a job.
type heard []i18n.Text

func (h *heard) Hear(t i18n.Text) { *h = append(*h, t) }

// Write keeps text that is not a message.
func (h *heard) Write(b []byte) (int, error) {
	h.Hear(i18n.T("%s", string(b)))
	return len(b), nil
}

// why returns what was said, in a language and on one line.
func (h heard) why(l *i18n.Language) string {
	var why []string
	for _, t := range h {
		for line := range strings.Lines(l.Say(t)) {
			why = append(why, strings.TrimSpace(line))
		}
	}
	return strings.Join(why, "; ")
}

// inBoth returns a message in English and in the language of the run.
func inBoth(t i18n.Text) (english, own string) { return t.String(), cli.Speaks().Say(t) }

// prepareOutput makes the folder of an output and removes an older one. An older τ-ARGUS table is replaced by an empty
// file: if it were missing, metadata left by the older one, or by a run that was killed between the two files, would
// seem to belong to somebody else, and such metadata are not replaced.
func prepareOutput(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if strings.EqualFold(filepath.Ext(strings.TrimSuffix(path, ".gz")), ".tab") {
		return os.WriteFile(path, nil, 0o600)
	}
	return nil
}

// wrote reports whether there is an output now, and removes an empty one.
func wrote(path string) bool {
	info, err := os.Stat(path)
	if err == nil && info.Size() == 0 {
		os.Remove(path)
		return false
	}
	return err == nil
}
