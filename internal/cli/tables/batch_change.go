package tables

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// A changer is what a job does to tables by hitoku round or hitoku adjust. Its options are read once, for many tables.
type changer interface {
	command() *cobra.Command
	// prepare checks the options of tasks like t.
	prepare(fs *pflag.FlagSet, t *batch.Task) error
	policy() *protect.Policy
	// change does the task; line sums up what was done. It does not change the receiver.
	change(ctx context.Context, call flags.Call, t *batch.Task) (doc *document.BatchAltered, line i18n.Text, code cli.Code, err error)
}

// changerOf is nil for tasks of hitoku suppress.
func changerOf(t *batch.Task) changer {
	switch batch.VerbOf(t.Options) {
	case batch.Round:
		return &roundingRun{}
	case batch.Adjust:
		return &adjustment{}
	}
	return nil
}

// change does a task.
func change(ctx context.Context, c changer, fs *pflag.FlagSet, t *batch.Task) (r batch.Result) {
	call := &tableCall{flags: fs}
	doc, line, code, err := c.change(ctx, call, t)
	if err != nil {
		code = cli.Usage
		call.words.Hear(i18n.T("%v", err))
		if batch.OfMachine(err) {
			r.Fault = err
		}
	}
	r.Exit, r.Altered, r.Wrote = int(code), doc, wrote(t.Output)
	if r.Why, r.Said = call.words.why(i18n.English), call.words.why(cli.Speaks()); r.Why == "" && code != cli.Done {
		r.Why, r.Said = inBoth(line)
	}
	return r
}

// alone makes c do a table of a job, whose tables share the processors.
func (c *changing) alone(fs *pflag.FlagSet) {
	c.quiet = true
	if !fs.Changed("workers") {
		c.engine.Workers = 1
	}
}

func (c *changing) policy() *protect.Policy { return &c.rules.Policy }

func (r *roundingRun) prepare(fs *pflag.FlagSet, t *batch.Task) error {
	r.alone(fs)
	return r.check(fs, []string{t.Input})
}

func (r *roundingRun) change(ctx context.Context, call flags.Call, t *batch.Task) (*document.BatchAltered, i18n.Text, cli.Code, error) {
	one := *r
	one.output = t.Output
	d, _, _, code, err := one.do(ctx, call, t.Input)
	if err != nil {
		return nil, i18n.Text{}, code, err
	}
	return &document.BatchAltered{Verb: batch.Round, Altered: d.Altered}, roundingLine(d), code, nil
}

func (a *adjustment) prepare(fs *pflag.FlagSet, t *batch.Task) error {
	a.alone(fs)
	return a.check(fs, []string{t.Input})
}

func (a *adjustment) change(ctx context.Context, call flags.Call, t *batch.Task) (*document.BatchAltered, i18n.Text, cli.Code, error) {
	one := *a
	one.output = t.Output
	d, _, _, code, err := one.do(ctx, call, t.Input)
	if err != nil {
		return nil, i18n.Text{}, code, err
	}
	return &document.BatchAltered{Verb: batch.Adjust, Altered: d.Altered}, adjustmentLine(d), code, nil
}
