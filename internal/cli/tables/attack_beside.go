package tables

import (
	"io"
	"math/big"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
)

// beside attacks a table of an office that takes into account what is already published. Candidates agree with all
// tables, and a candidate matches if the office, with these tables beside it, would withhold exactly these cells.
func (a *assault) beside(cmd *cobra.Command, path string, in *formats.Input, withheld []bool, opt *attack.Options) (*attack.Result, []document.EarlierRelease, error) {
	ctx, t, begun := cmd.Context(), in.Table, time.Now()
	p := a.rules.Policy
	set, err := a.inputs.Released(cmd, &a.rules, &p, nil)
	if err != nil {
		return nil, nil, err
	}
	if set = set.Published(); len(set.Releases)+len(set.Sums)+len(set.Changes) == 0 {
		res, err := attack.Run(ctx, attack.Published(t, withheld), opt)
		return res, nil, err
	}
	o := ledger.Options{Withheld: withheld, Below: p.Below}
	if x := p.Width; x != nil && !x.Percent {
		o.Width = &x.Decimal
	}
	j, err := set.Join(&ledger.Release{Table: t, File: path}, o)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range j.Skipped {
		render.Say(cmd.ErrOrStderr(), t, "%s", s)
	}
	rep, err := interval.Audit(ctx, j.Table, j.Withheld, &interval.Options{LP: a.engine.LP, Workers: a.engine.Workers, Told: true, Cells: j.Asked()})
	if err != nil {
		return nil, nil, err
	}
	if j.Decimals > t.Decimals {
		return nil, nil, i18n.Errorf("the tables beside it have %d decimals, this one %d; candidates are tables of its own units", j.Decimals, t.Decimals)
	}
	var lo, hi []*big.Rat
	for k := range rep.Cells {
		if c := &rep.Cells[k]; c.Index < t.Len() {
			lo, hi = append(lo, c.Lo), append(hi, c.Hi)
		}
	}
	if p.Cost.Kind == "" && !in.HasCosts {
		p.Cost.Kind = "value"
	}
	if opt.Below == 0 { // statuses show the sensitive cells
		p.Below, p.ZerosSensitive = 0, false
	}
	p.Canonical = a.match == "exact"
	run := flags.RuleOptions(io.Discard)
	run.Workers = 1
	run.Ledger = func(*protect.Policy) (*ledger.Set, error) { return set, nil }
	try := protect.Trial(protect.Input{Table: t, CrossTab: in.Format == formats.CrossTab, Source: path}, withheld, p, run)
	if opt.TimeLimit > 0 {
		opt.TimeLimit = max(time.Nanosecond, opt.TimeLimit-time.Since(begun))
	}
	res, err := attack.Through(ctx, attack.Published(t, withheld), opt, lo, hi, try)
	return res, releasesOf(set.Releases, j.Shared), err
}
