package tables

import (
	"context"
	"errors"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// assault is one run of hitoku attack.
type assault struct {
	inputs flags.Input
	rules  flags.Rules
	engine flags.Engine
	match  string
	count  string
	knows  []string
	limit  time.Duration

	rounded, kind string
	json          bool
	quiet         bool
}

func NewAttack() *cobra.Command {
	a := &assault{match: "any", count: "auto"}
	cmd := &cobra.Command{
		Use:   "attack PUBLISHED...",
		Short: "Find out what a published table tells an intruder who knows how the office works",
		Long: `Run the office's procedure on every table that agrees with what is published. Only
those for which it withholds the very cells that are withheld can be the true one, so
that withheld values are narrowed down further than by the published numbers alone.

The procedure is given by the flags of suppress: the rule, the levels and the cost.
Withheld are the cells without a value and those of status u or m. Without --below
the statuses tell the sensitive cells, and everybody sees them.

With --rounded the procedure is that of round: only those tables can be the true one
whose best rounding, which keeps the levels of their sensitive cells, is what is published.`,
		Example: `  hitoku attack --below 5 --width 8 --cost count published.csv
  hitoku attack --below 5 --width 8 --match exact --knows M2/P3=1 published.csv
  hitoku attack --width 10% --time-limit 1m --json protected/*.csv`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.check(); err != nil {
				return err
			}
			return cli.EachInput(cmd, args, !a.json, func(n int) (cli.Code, error) { return a.one(cmd, args[n]) })
		},
	}
	flags.Declare(cmd,
		a.inputs.Group(),
		a.inputs.LayoutGroup(),
		a.rules.Flags(flags.Below, flags.Levels, flags.Margins, flags.Cost, flags.Ledger, flags.Lost).
			Saying("margins", "withhold: margins may be withheld; publish: they may not", "").
			Saying("cost", "price of a withheld cell: count, value, freq, or the `column` that holds it", ""),
		flags.In(flags.IntruderGroup, []flags.Flag{
			{Name: "match", To: &a.match, Default: "any", From: []string{"any", "exact"}, Text: "a table explains the pattern if it is one of its cheapest, whatever breaks ties, or exactly the canonical one of them (suppress --canonical)"},
			{Name: "count", To: &a.count, Default: "auto", From: []string{"auto", "all", "none"}, Text: "count the tables that match: if there are not too many (2,000,000), all, or none beyond what the intervals need"},
			{Name: "rounded", To: flags.Decimal(&a.rounded), Excludes: []string{"margins"}, Why: "no cell of a rounded table is withheld", Text: "all values are published, rounded to multiples of this as hitoku round does", More: "Then --cost is that of hitoku round, and every table behind the rounded one is rounded anew: for small tables"},
			{Name: "kind", Rare: true, To: &a.kind, Default: controlled, From: []string{controlled, smallCounts}, Needs: []string{"rounded"}, Text: "controlled: every cell to one of its two nearest multiples; small: only inner counts below the base"},
			{Name: "knows", To: &a.knows, Text: "`CELL=VALUE`: what the intruder knows beside what is published", More: "These cells are not listed; feasible intervals are those without this knowledge"},
		}),
		a.engine.Group(),
		flags.In(flags.SearchGroup, []flags.Flag{
			{Name: "time-limit", To: &a.limit, Range: "[0, ∞)", Text: "stop after this `time` with what is proved by then, like 30s or 10m", Else: "none", More: "Reading counts"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			flags.JSON(&a.json, "print one JSON document a table"),
			flags.Quiet(&a.quiet),
		}),
	)
	flags.Common(cmd, "--below 5", "--width 8", "--cost count", "--match exact", "--total 合計")
	return cmd
}

func (a *assault) check() error {
	if _, err := a.procedure(new(table.Table)); err != nil {
		return err
	}
	if a.rounded != "" && flags.Joins(&a.rules.Policy) {
		return i18n.New("--rounded: a rounded table is attacked by itself; hitoku audit --rounded takes what is published beside it")
	}
	for _, s := range a.knows {
		if k := parseKnown(s); k.value == nil || k.name == "" {
			return i18n.Errorf("--knows %q: want CELL=VALUE", s)
		}
	}
	if err := a.rules.Check(); err != nil {
		return err
	}
	return a.engine.Check()
}

// one attacks the table in the file called path.
func (a *assault) one(cmd *cobra.Command, path string) (cli.Code, error) {
	start := time.Now()
	ctx, words := cmd.Context(), cmd.ErrOrStderr()
	in, err := a.inputs.Read(cmd, path, &a.rules)
	if err != nil {
		return 0, err
	}
	withheld := WithheldCells(in.Table)
	if a.rounded != "" {
		withheld = nil
	}
	if i, n := a.intervals(in.Table, withheld); n > 0 {
		return 0, i18n.Errorf("%s: %d cells have bounds in place of their value, %s first, as hitoku suppress --partial publishes them; an attack knows how marks are chosen, not how intervals are. hitoku audit says what they tell; bounds that readers know beforehand stand beside the values, in the office's own file",
			path, n, in.Table.CellName(i))
	}
	in.Table = attack.Published(in.Table, withheld).Table() // an office's file may contain more
	t := in.Table
	published := t
	var opt *attack.Options
	base := int64(0)
	if a.rounded == "" {
		opt, err = a.options(in, withheld, words)
	} else if opt, base, err = a.roundedOptions(in, words); err == nil {
		t, err = attack.Behind(published, base, a.kind == smallCounts)
		withheld = slices.Repeat([]bool{true}, published.Len())
	}
	if err == nil {
		err = a.know(t, withheld, opt)
	}
	if err != nil {
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	if a.limit > 0 { // minus the time that reading took
		opt.TimeLimit = max(time.Nanosecond, a.limit-time.Since(start))
	}
	if !a.quiet && render.ShowsProgress(words) {
		opt.Progress = (&attackProgress{w: words}).show
	}
	var res *attack.Result
	var beside []document.EarlierRelease
	switch {
	case flags.Joins(&a.rules.Policy):
		res, beside, err = a.beside(cmd, path, in, withheld, opt)
	case a.rounded == "":
		res, err = attack.Run(ctx, attack.Published(t, withheld), opt)
	default:
		res, err = attack.Rounded(ctx, attack.Published(published, nil), &attack.RoundedOptions{Options: *opt, Base: base, Small: a.kind == smallCounts})
	}
	switch {
	case res != nil && ctx.Err() != nil: // interrupted, with what was found by then
	case err != nil && ctx.Err() != nil:
		render.Say(words, t, "interrupted, nothing to report")
		return cli.Limit, nil
	case errors.Is(err, context.DeadlineExceeded):
		render.Say(words, t, "stopped by --time-limit before the attack began, nothing to report")
		return cli.Limit, nil
	case errors.Is(err, attack.ErrUnbounded):
		return 0, i18n.Errorf("%s: %w, so the candidates are infinitely many; --upper bounds them", path, err)
	case err != nil:
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	if res.Candidates != nil && res.Candidates.Sign() == 0 {
		return 0, i18n.Errorf("%s: %s", path, a.impossible(t))
	}
	r := NewAttackReport(t, res, opt)
	if r.rounded, r.Releases = a.rounded != "", beside; r.rounded {
		r.Intruder = newIntruder(published, sets.Upto(published.Len()), table.Intruder{Procedure: true, Whole: true, Kind: a.kind, Base: base})
	}
	if a.json {
		err = document.Write(cmd.OutOrStdout(), r)
		if r.unexplained {
			render.Say(words, t, "%s", r.why())
		}
	} else {
		err = r.print(cmd.OutOrStdout(), t)
	}
	return r.code(opt), err
}

// intervals returns the first and the number of cells that are published as intervals: they have no value, and bounds
// other than those of every cell.
func (a *assault) intervals(t *table.Table, withheld []bool) (first, n int) {
	lower, upper := int64(0), int64(table.PosInf)
	for to, v := range map[*int64]*table.Decimal{&lower: a.rules.Policy.Lower, &upper: a.rules.Policy.Upper} {
		if v != nil {
			*to, _ = v.At(t.Decimals)
		}
	}
	for i := t.Len() - 1; i >= 0; i-- {
		if withheld != nil && withheld[i] && !t.Known(i) && (t.Lower[i] != lower && t.Lower[i] != table.NegInf || t.Upper[i] != upper && t.Upper[i] != table.PosInf) {
			first, n = i, n+1
		}
	}
	return first, n
}

// WithheldCells returns which cells are not published.
func WithheldCells(t *table.Table) []bool {
	w := make([]bool, t.Len())
	for i, st := range t.Status {
		w[i] = !t.Known(i) || st == table.Sensitive || st == table.Withheld
	}
	return w
}

// AttackOptions returns the options of a matching attack on the table of in, whose cells withheld are not published, by
// an intruder who knows policy and compares in the way named match.
func AttackOptions(in *formats.Input, withheld []bool, policy protect.Policy, match string) (*attack.Options, error) {
	as := &assault{match: match, count: "auto", rules: flags.Rules{Policy: policy}}
	return as.options(in, withheld, io.Discard)
}

// procedure returns the office's procedure, as the flags describe it, without what is published besides the table and
// without options that only change how the same patterns are found.
func (a *assault) procedure(t *table.Table) (attack.Office, error) {
	f := &a.rules.Policy
	p := protect.Policy{Below: f.Below, ZerosSensitive: f.ZerosSensitive, LPL: f.LPL, UPL: f.UPL, Width: f.Width, Strict: f.Strict, LevelsAsGiven: f.LevelsAsGiven,
		Cost: f.Cost, Margins: f.Margins, Canonical: a.match == "exact"}
	o, err := p.Office(t)
	return o, flags.Flagged(err)
}

// options converts the flags to options of the attack, and prepares the statuses of the table. Costs and levels are
// left to the attack, because they depend on values.
func (a *assault) options(in *formats.Input, withheld []bool, words io.Writer) (*attack.Options, error) {
	t, p := in.Table, &a.rules.Policy
	if !slices.Contains(withheld, true) {
		return nil, i18n.New("no cell is withheld; want a published table, with cells that have no value or status u or m")
	}
	opt, err := a.plain(in)
	if err != nil {
		return nil, err
	}
	if err := a.margins(in, withheld, words); err != nil {
		return nil, err
	}
	if err := a.sensitive(t, withheld, words); err != nil {
		return nil, err
	}
	if p.Cost.Kind == "" && in.HasCosts {
		opt.Cost.Kind = "given"
	}
	if i := slices.Index(withheld, true); opt.Cost.Kind == "freq" && t.Freq != nil {
		for ; i < t.Len(); i++ {
			if withheld[i] && t.Freq[i] < 0 {
				return nil, i18n.Errorf("--cost freq: the number of contributors of %s is not in the table", t.CellName(i))
			}
		}
	}
	a.sayStrict(t, opt, words)
	return opt, nil
}

// sayStrict says where the procedure requires widths above 0 because there is no level.
func (a *assault) sayStrict(t *table.Table, opt *attack.Options, words io.Writer) {
	if opt.Strict && !a.rules.Policy.Strict && !t.Strict {
		render.Say(words, t, "no protection level is given; the office is supposed to guard against exact disclosure only (width > 0)")
	}
}

// plain returns the options that do not depend on what is withheld; it sets the bounds of the table.
func (a *assault) plain(in *formats.Input) (*attack.Options, error) {
	t := in.Table
	office, err := a.procedure(t)
	if err != nil {
		return nil, err
	}
	opt := &attack.Options{LP: a.engine.LP, Workers: a.engine.Workers, Office: office}
	switch a.count {
	case "all":
		opt.Count = attack.CountAll
	case "none":
		opt.Count = attack.CountNone
	}
	if t.Counts && t.Decimals > 0 {
		return nil, i18n.Errorf("the table has counts, but levels or bounds with %d decimals; want whole numbers", t.Decimals)
	}
	return opt, a.bounds(t)
}

// bounds sets the intruder's bounds. They must not make the unit of the values, whose multiples are the candidates,
// finer.
func (a *assault) bounds(t *table.Table) error {
	for _, b := range []struct {
		flag string
		v    *table.Decimal
	}{{"--lower", a.rules.Policy.Lower}, {"--upper", a.rules.Policy.Upper}} {
		if b.v != nil && b.v.Scale > t.Decimals {
			return i18n.Errorf("%s %s: want at most %d decimals, as the values have", b.flag, b.v, t.Decimals)
		}
	}
	return t.SetBounds(a.rules.Policy.Lower, a.rules.Policy.Upper)
}

// margins applies --margins. Cross-tabs publish their margins, unless one is withheld.
func (a *assault) margins(in *formats.Input, withheld []bool, words io.Writer) error {
	t, margins := in.Table, a.rules.Policy.Margins.Kind
	if margins == "withhold" || margins == "" && in.Format != formats.CrossTab {
		return nil
	}
	leaves := t.Leaves()
	for i, w := range withheld {
		switch {
		case !w || !t.IsMargin(i, leaves):
		case margins == "":
			render.Say(words, t, "the margin %s is withheld, so the office is supposed to withhold margins where that is cheaper (--margins withhold)", t.CellName(i))
			return nil
		default:
			return i18n.Errorf("--margins publish, but the margin %s is withheld", t.CellName(i))
		}
	}
	t.PublishMargins()
	return nil
}

// sensitive decides which cells are sensitive: in a table of counts those that the rule selects in each candidate, else
// those that public frequencies or statuses show.
func (a *assault) sensitive(t *table.Table, withheld []bool, words io.Writer) error {
	p, told := &a.rules.Policy, slices.Contains(t.Status, table.Sensitive)
	switch {
	case p.Below > 0 && t.Counts:
		if told && t.Missing != nil {
			render.Say(words, t, "--below says which cells are sensitive, and the statuses that tell them are not used; leave it out where they are public")
		}
		return nil
	case p.Below > 0:
		below := protect.Policy{Below: p.Below, ZerosSensitive: p.ZerosSensitive, LevelsAsGiven: true}
		if err := below.Mark(t, flags.RuleOptions(words)); err != nil {
			return err
		}
		for i, st := range t.Status {
			if st == table.Sensitive && !withheld[i] {
				return i18n.Errorf("cell %s is published although it has %d contributors, and --below %d makes it sensitive", t.CellName(i), t.Freq[i], p.Below)
			}
		}
		if !slices.Contains(t.Status, table.Sensitive) {
			return i18n.Errorf("--below %d: no withheld cell is sensitive; want their contributors (column freq), or statuses", p.Below)
		}
	case !told:
		return i18n.New("which cells are sensitive is not known; want --below N for a table of counts, or statuses u (column status)")
	}
	return nil
}

// know adds what --knows says. A value must be possible for its cell.
func (a *assault) know(t *table.Table, withheld []bool, opt *attack.Options) error {
	names := sets.Each(a.knows, func(s string) string { return parseKnown(s).name })
	cells, err := findCells(t, names)
	if err != nil || len(cells) == 0 {
		return err
	}
	var list []int32
	at := make([]int, t.Len())
	for i, w := range withheld {
		if w {
			at[i] = len(list)
			list = append(list, int32(i))
		}
	}
	f, err := nullspace.New(t.Rel, list, t.Value, t.Lower, t.Upper)
	if err != nil {
		return err
	}
	opt.Knows = make(map[int]int64, len(cells))
	for k, i := range cells {
		d := parseKnown(a.knows[k]).value
		v, ok := d.At(t.Decimals)
		first, twice := opt.Knows[i]
		lo, hi, some := f.Bounds(at[i])
		switch {
		case !ok:
			return i18n.Errorf("--knows %s: want at most %d decimals, as the values have", a.knows[k], t.Decimals)
		case !withheld[i] && v == t.Value[i]:
			continue
		case !withheld[i]:
			return i18n.Errorf("--knows %s: the cell is published as %s", a.knows[k], render.Value(t, i))
		case twice && first != v:
			return i18n.Errorf("--knows given twice for %s: %s and %s", names[k], render.Decimal(first, t.Decimals), d)
		case some && !within(lo, v, hi):
			return i18n.Errorf("--knows %s: not possible, as what is published leaves %s", a.knows[k], span(render.Ratio(lo, t.Decimals), render.Ratio(hi, t.Decimals)))
		}
		opt.Knows[i] = v
	}
	return nil
}

// impossible explains why there is no candidate.
func (a *assault) impossible(t *table.Table) i18n.Text {
	what := i18n.T("what is published")
	if len(a.knows) > 0 {
		what = i18n.T("--knows %s and what is published", strings.Join(a.knows, " --knows "))
	}
	unit := i18n.T("whole numbers")
	if t.Decimals > 0 {
		unit = i18n.T("numbers with %d decimals", t.Decimals)
	}
	return i18n.T("no table of %s within the bounds agrees with %s", unit, what)
}

// within reports whether lo ≤ v ≤ hi; nil is infinite.
func within(lo *big.Rat, v int64, hi *big.Rat) bool {
	x := new(big.Rat).SetInt64(v)
	return (lo == nil || lo.Cmp(x) <= 0) && (hi == nil || x.Cmp(hi) <= 0)
}
