package protect

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// mostAnswers is how many cells a question about pairs explains and names; a run with these withheld asks about the
// rest.
const mostAnswers = 8

// theLarger is what readers know of the cells of a pair.
var theLarger = i18n.T("readers know which of two cells is the larger, of a memo item and its whole or of rows sorted by their values")

// An openError says that cells are not protected from readers who know pairs.
type openError struct {
	rep      *interval.Report // of a table with remainders
	of       []int            // which of its cells are not protected
	n        int              // the table without them: how many cells, and which are withheld
	withheld []bool
	pairs    [][2]int
	name     func(i int) string
}

func (e *openError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *openError) Message() i18n.Text {
	return i18n.T("%d withheld cells are not protected, %s among them, as %s", len(e.of), e.name(e.rep.Cells[e.of[0]].Index), theLarger)
}

// Within returns an error if pairs reveal more about cells of t (those in the list, which its sums protect) than levels
// and statuses allow: readers know for each pair that the first cell is at most the second (Input.AtMost). The error is
// a *FieldError that asks for cells of such pairs to be withheld. t does not contain the pairs; the audit is of
// protection.AtMost. name returns what the user calls a cell. Pairs of which both cells are published reveal nothing.
// Cost: that of an audit of the cells, none if no pair is left.
func Within(ctx context.Context, t *table.Table, withheld []bool, cells []int, pairs [][2]int, name func(i int) string, opt interval.Options) error {
	err := within(ctx, t, withheld, cells, pairs, name, opt)
	if e, ok := errors.AsType[*openError](err); ok {
		return e.asks(ctx, opt.Workers)
	}
	return err
}

// within is Within with an *openError that has not looked yet for what to ask.
func within(ctx context.Context, t *table.Table, withheld []bool, cells []int, pairs [][2]int, name func(i int) string, opt interval.Options) error {
	pairs = touching(pairs, withheld)
	if len(pairs) == 0 || len(cells) == 0 {
		return nil
	}
	flat := *t // cells of a stack keep their numbers
	flat.Layers = 0
	opt.Cells = cells
	rep, err := interval.Audit(ctx, protection.AtMost(&flat, pairs), append(slices.Clone(withheld), slices.Repeat([]bool{true}, len(pairs))...), &opt)
	if err != nil {
		return err
	}
	e := &openError{rep: rep, n: t.Len(), withheld: withheld, pairs: pairs, name: name}
	for k := range rep.Cells {
		if !rep.Cells[k].Protected {
			e.of = append(e.of, k)
		}
	}
	if e.of == nil {
		return nil
	}
	return e
}

// asks returns e as an error that asks for cells to be withheld.
func (e *openError) asks(ctx context.Context, workers int) error {
	found, err := e.rep.Explain(ctx, e.of[:min(len(e.of), mostAnswers)], workers)
	if err != nil {
		return err
	}
	var answers []int
	for _, all := range found {
		for _, c := range all {
			for _, i := range loosening(&c, e.n, e.withheld, e.pairs) {
				if len(answers) < mostAnswers && !slices.Contains(answers, i) {
					answers = append(answers, i)
				}
			}
		}
	}
	if answers == nil {
		return e
	}
	var more i18n.Text
	for k, i := range answers {
		if k > 0 {
			more = more.Plus(" ")
		}
		more = more.Plus("{withhold} %s", strconv.Quote(e.name(i)))
	}
	return wrong("withhold", "%w; withhold these as well (%s)", e, more)
}

// touching returns the pairs of which a cell is withheld, each once.
func touching(pairs [][2]int, withheld []bool) (some [][2]int) {
	have := map[[2]int]bool{}
	for _, p := range pairs {
		if (withheld[p[0]] || withheld[p[1]]) && !have[p] {
			have[p] = true
			some = append(some, p)
		}
	}
	return some
}

// loosening returns the published cells of the pairs whose remainders, numbered from n, c uses. If there are none,
// because both cells of each such pair are withheld, it returns the memo items among the terms of c or, failing these,
// the cell of the least number.
func loosening(c *interval.Combination, n int, withheld []bool, pairs [][2]int) (cells []int) {
	for _, term := range c.Bounds {
		if term.Cell < n {
			continue
		}
		for _, i := range pairs[term.Cell-n] {
			if !withheld[i] {
				cells = append(cells, i)
			}
		}
	}
	if cells != nil || len(c.Terms) == 0 {
		return cells
	}
	for _, term := range c.Terms {
		if slices.ContainsFunc(pairs, func(p [2]int) bool { return p[0] == term.Cell }) {
			cells = append(cells, term.Cell)
		}
	}
	if cells == nil {
		cells = []int{slices.MinFunc(c.Terms, func(a, b interval.Term) int { return a.Value.Cmp(b.Value) }).Cell}
	}
	return cells
}

// pair collects what readers know of pairs of cells of the inputs, by the cells of the problem. Values that only the
// join with what is published already has supplied may contradict a pair, which then says nothing.
func (r *problem) pair(inputs []Input) {
	t, layer := r.whole(), r.Table.Len()/max(1, r.Table.Layers)
	have := map[[2]int]bool{}
	for k, in := range inputs {
		first := max(0, slices.Index(r.Responses, in.Response)) * layer
		for _, p := range in.AtMost {
			i, j := first+int(r.Cells[k][p[0]]), first+int(r.Cells[k][p[1]])
			if p := [2]int{i, j}; i != j && !have[p] && !(t.Known(i) && t.Known(j) && t.Value[i] > t.Value[j]) {
				have[p], r.pairs = true, append(r.pairs, p)
			}
		}
	}
}

// restShare is the share of what is left of the time limit that is kept for a search with all pairs while some are not
// part of the problem. Range 0 to 1; judgement.
const restShare = 0.4

// beside finds a pattern that protects also where readers know pairs. Most patterns that protect by the sums alone do,
// so pairs become part of the problem, by their remainders (protection.AtMost), only once a pattern fails: first those
// connected with its withheld cells, then all; all at once under a time limit, and for a certificate, which is about a
// problem that others have to find. What is cheapest with some of them, and protected beside all, is cheapest.
func (r *problem) beside(ctx context.Context) (found, error) {
	p, t := r.policy, r.Table
	if r.simulates() {
		r.taken = r.pairs
	}
	lower, upper := slices.Clone(t.Lower), slices.Clone(t.Upper)
	for {
		f, stop := r.protect(ctx)
		if none, ok := errors.AsType[*NoPatternError](stop); ok && r.taken != nil && is[*solver.UnprotectableError](none.Err) {
			stop = &NoPatternError{i18n.Errorf("%w; %s", none.Err, theLarger)}
		}
		if len(r.pairs) == 0 || f.Solution == nil || f.Pattern == nil || stop != nil && !errors.Is(stop, ctx.Err()) {
			return f, stop
		}
		pattern, taken := r.own(f.Pattern), sets.Of(r.taken)
		if !slices.ContainsFunc(touching(r.pairs, pattern), func(p [2]int) bool { return !taken[p] }) {
			return f, stop // all that matter are part of the problem
		}
		e, err := r.open(ctx, pattern)
		if e == nil {
			return f, cmp.Or(err, stop)
		}
		if stop != nil || p.Defence != "" || r.opt.Found != nil {
			return f, e.asks(context.WithoutCancel(ctx), r.opt.Workers)
		}
		if r.taken == nil {
			r.opt.say(t, "by the sums alone %d withheld cells would not be protected, %s among them, as %s; the pattern protects from these readers", len(e.of), e.name(e.rep.Cells[e.of[0]].Index), theLarger)
		}
		if r.taken != nil || r.opt.Certificate || p.Partial || p.TimeLimit > 0 {
			r.taken = r.pairs
		} else {
			r.taken = connected(r.pairs, e.pairs)
		}
		copy(t.Lower, lower) // which intervals have taken the place of
		copy(t.Upper, upper)
	}
}

// simulates reports whether a defence chooses with the pairs, which are then public like the relations: all of them and
// whatever it would choose without them, as that depends on what it publishes. Classes are of the cells of the table
// alone, and so is what a defence knows beside earlier releases.
func (r *problem) simulates() bool {
	return r.policy.Defence != "" && !r.policy.Quantised() && r.Joint == nil
}

// open audits what readers who know the pairs learn of the sensitive cells of a pattern over r.whole. It returns nil if
// they are protected. The pattern of a search that was stopped is audited all the same.
func (r *problem) open(ctx context.Context, pattern []bool) (*openError, error) {
	t, layer := r.whole(), r.Table.Len()/max(1, r.Table.Layers)
	var cells []int
	for i, w := range pattern {
		if w && t.Status[i] == table.Sensitive {
			cells = append(cells, i)
		}
	}
	name := t.CellName
	if r.Responses != nil { // their cells are named by the tables of each response
		name = func(i int) string { return r.Tables[i/layer].CellName(i % layer) }
	}
	before := ctx.Err()
	if before != nil {
		ctx = context.WithoutCancel(ctx)
	}
	err := within(ctx, t, pattern, cells, r.pairs, name, interval.Options{LP: r.policy.LP, Workers: r.opt.Workers})
	e, ok := errors.AsType[*openError](err)
	switch {
	case ok:
		return e, nil
	case err != nil && ctx.Err() != nil:
		return nil, i18n.Errorf("%w: %w", ErrAudit, err)
	}
	return nil, err
}

// connected returns the pairs that share cells with some of them, directly or by other pairs. Cost linear in the length
// of pairs for the lines of a table.
func connected(pairs, some [][2]int) (all [][2]int) {
	has := map[int]bool{}
	for _, p := range some {
		has[p[0]], has[p[1]] = true, true
	}
	for n := 0; len(has) > n; { // lines run upwards or downwards
		n = len(has)
		for k := range 2 * len(pairs) {
			if p := pairs[min(k, 2*len(pairs)-1-k)]; has[p[0]] != has[p[1]] {
				has[p[0]], has[p[1]] = true, true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(pairs), func(p [2]int) bool { return !has[p[0]] })
}

// posed returns the table that is searched and audited: the whole one with the remainders of the pairs taken.
func (r *problem) posed() *table.Table {
	if len(r.taken) == 0 {
		return r.whole()
	}
	return protection.AtMost(r.whole(), r.taken)
}

// own returns the part of a pattern over r.posed that is over r.whole.
func (r *problem) own(pattern []bool) []bool {
	if len(r.taken) == 0 {
		return pattern
	}
	return protection.WithoutRemainders(r.whole(), pattern)
}
