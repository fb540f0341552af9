package tables

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// changerOf returns the changer of a task, nil for tasks of hitoku suppress.
func changerOf(t *batch.Task) changer {
	switch batch.VerbOf(t.Options) {
	case batch.Round:
		return &roundingRun{}
	case batch.Adjust:
		return &adjustment{}
	}
	return nil
}

// change performs a task of hitoku round or hitoku adjust.
func change(ctx context.Context, c changer, fs *pflag.FlagSet, t *batch.Task) (r batch.Result) {
	call := &tableCall{ctx: ctx, flags: fs}
	x, err := c.do(ctx, call, t.Input, t.Output)
	r.Wrote = wrote(t.Output)
	if err != nil {
		r.Exit = int(cli.Usage)
		call.words.Hear(i18n.T("%v", err))
		if batch.OfMachine(err) {
			r.Fault = err
		}
		r.Why, r.Said = call.words.why(i18n.English), call.words.why(cli.Speaks())
		return r
	}
	r.Exit, r.Altered = int(x.code), &document.BatchAltered{Verb: batch.VerbOf(t.Options), Altered: *x.Altered}
	if r.Why, r.Said = call.words.why(i18n.English), call.words.why(cli.Speaks()); r.Why == "" && x.code != cli.Done {
		r.Why, r.Said = inBoth(x.line)
	}
	return r
}

func (c *changing) alone(fs *pflag.FlagSet) {
	c.quiet = true
	if !fs.Changed("workers") {
		c.engine.Workers = 1
	}
}

func (c *changing) policy() *protect.Policy { return &c.rules.Policy }
