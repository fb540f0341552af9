package attack_test

import (
	"errors"
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/table"
)

var bruteTables = flag.Int("brute", 1200, "number of random tables on which the attack is compared with brute force")

// The oracle knows nothing of packages solver, interval and nullspace.
// It lists the candidates by nested loops, and for each of them all patterns. A
// pattern is a set of bits, the first of the cells that may be withheld being the
// highest: of two patterns the smaller number is the smaller in cell order, that
// which publishes the first cell where they differ.

// A shape is what patterns depend on but values do not.
type shape struct {
	rel    *table.Relations
	may    []int  // cells that may be withheld
	closed []uint // patterns without a relation that has exactly one withheld cell
	prober prober
}

// bit returns the bit of the position p in s.may.
func (s *shape) bit(p int) uint { return 1 << (len(s.may) - 1 - p) }

// newShape lists the closed patterns. A cell withheld alone on a relation is
// determined, so a pattern that is not closed either has a sensitive cell that
// everybody can compute, or a cell that protects nothing.
func newShape(t *table.Table, lo, hi []int64) *shape {
	s := &shape{rel: t.Rel}
	at := make([]int, t.Len())
	for i, st := range t.Status {
		at[i] = -1
		if st != table.Published {
			at[i] = len(s.may)
			s.may = append(s.may, i)
		}
	}
	if len(s.may) > 16 {
		return nil
	}
	rows := make([]uint, s.rel.Len())
	for j := range rows {
		cell, _ := s.rel.Row(j)
		for _, i := range cell {
			if at[i] >= 0 {
				rows[j] |= s.bit(at[i])
			}
		}
	}
	for m := range uint(1) << len(s.may) {
		if !slices.ContainsFunc(rows, func(r uint) bool { return bits.OnesCount(r&m) == 1 }) {
			s.closed = append(s.closed, m)
		}
	}
	if s.prober = newFlow(s.rel, lo, hi); s.prober.(*flow) == nil {
		s.prober = &vertices{rel: s.rel, lo: lo, hi: hi, kernels: map[string][][]int64{}}
	}
	return s
}

// An office is Office on one table, in units of a hundredth of the values' unit
// where levels are concerned.
type office struct {
	attack.Office
	*shape
	t        *table.Table
	refuting []uint // patterns that refuted a candidate, the latest first
	inside   []bool
}

// A demand is what a sensitive cell needs.
type demand struct {
	cell         int
	dn, up, wide int64 // hundredths
}

// sensitive is the rule.
func (o *office) sensitive(i int, v int64) bool {
	if o.Below == 0 {
		return o.t.Status[i] == table.Sensitive
	}
	return o.t.Status[i] != table.Published && v < o.Below && (v >= 1 || v == 0 && o.Zeros)
}

// demands returns the sensitive cells of y.
func (o *office) demands(y []int64) []demand {
	var ds []demand
	for i, v := range y {
		if o.sensitive(i, v) {
			ds = append(ds, o.demand(i, v))
		}
	}
	return ds
}

// demand returns what cell i needs at the value v.
func (o *office) demand(i int, v int64) demand {
	of := func(own []int64, l *table.Level, most int64) int64 {
		switch {
		case own[i] != 0:
			return 100 * own[i]
		case l == nil:
			return 0
		case l.Percent && l.Scale == 0 && l.Unscaled > 0:
			return min(most, max(100, v*l.Unscaled))
		case l.Percent || l.Scale > o.t.Decimals:
			panic("a level that the oracle does not know")
		}
		return 100 * l.Unscaled * table.Pow10(o.t.Decimals-l.Scale)
	}
	return demand{i, of(o.t.LPL, o.Levels.LPL, 100*v), of(o.t.UPL, o.Levels.UPL, far), of(o.t.Width, o.Levels.Width, far)}
}

// verdict is what attack.Cell says of Verdict, for cell i and its effective interval.
func (o *office) verdict(i int, r attack.Range) attack.Verdict {
	if r.Empty {
		return attack.Safe
	}
	if v := o.t.Value[i]; o.t.Known(i) {
		if o.sensitive(i, v) && !o.met(o.demand(i, v), ratio{r.Hi - v, 1}, ratio{v - r.Lo, 1}) {
			return attack.Unsafe
		}
		return attack.Safe
	}
	for v := r.Lo; v <= r.Hi; v++ {
		d := o.demand(i, v)
		d.wide, d.dn, d.up = max(d.wide, d.dn+d.up), 0, 0
		if o.sensitive(i, v) && !o.met(d, ratio{r.Hi - r.Lo, 1}, ratio{0, 1}) {
			return attack.Unsafe
		}
	}
	return attack.Safe
}

// met reports whether reach and demand agree.
func (o *office) met(d demand, up, dn ratio) bool {
	sum := ratio{up.num*dn.den + dn.num*up.den, up.den * dn.den}
	return 100*up.num >= d.up*up.den && 100*dn.num >= d.dn*dn.den &&
		(100*sum.num > d.wide*sum.den || !o.strict() && 100*sum.num == d.wide*sum.den)
}

func (o *office) strict() bool { return o.Strict || o.t.Strict }

// protects reports whether the pattern m meets all demands on y.
func (o *office) protects(y []int64, m uint, ds []demand) bool {
	for p, i := range o.may {
		o.inside[i] = m&o.bit(p) != 0
	}
	// A cell of a sum of cells ≥ lo lies between lo and lo + Σ (y − lo): no look at
	// the network is needed where that is too narrow already.
	for _, d := range ds {
		for j := range o.rel.Len() {
			cell, coef := o.rel.Row(j)
			width, in, sum := int64(0), false, true
			for s, i := range cell {
				if o.inside[i] {
					width += y[i] - o.t.Lower[i]
					in = in || int(i) == d.cell
					sum = sum && coef[s] == 1
				}
			}
			if in && sum && (100*width < d.wide || o.strict() && 100*width == d.wide) {
				return false
			}
		}
	}
	for _, d := range ds {
		if up, dn := o.prober.reach(y, o.inside, d.cell); !o.met(d, up, dn) {
			return false
		}
	}
	return true
}

// prices returns what withholding costs, by position in may.
func (o *office) prices(y []int64) []int64 {
	w := make([]int64, len(o.may))
	for p, i := range o.may {
		switch o.Cost.Kind {
		case "", "count":
			w[p] = 1
		case "value":
			w[p] = max(table.Pow10(o.t.Decimals), y[i])
		case "freq":
			w[p] = max(1, y[i])
		case "given":
			w[p] = o.t.Cost[i]
		}
	}
	return w
}

// patterns calls yield with the patterns that can be canonical for y: those that
// hold the sensitive cells. free says that a sensitive cell has no demand, so that
// it may be alone on its relation.
func (o *office) patterns(ds []demand, yield func(m uint) bool) {
	p, free := uint(0), false
	for _, d := range ds {
		p |= o.bit(slices.Index(o.may, d.cell))
		free = free || d.dn == 0 && d.up == 0 && d.wide == 0 && !o.strict()
	}
	if free {
		for m := range uint(1) << len(o.may) {
			if m&p == p && !yield(m) {
				return
			}
		}
		return
	}
	for _, m := range o.closed {
		if m&p == p && !yield(m) {
			return
		}
	}
}

func price(w []int64, m uint) int64 {
	sum := int64(0)
	for ; m != 0; m &= m - 1 {
		sum += w[len(w)-1-bits.TrailingZeros(m)]
	}
	return sum
}

// best returns the canonical pattern for y.
func (o *office) best(y []int64) (best uint, ok bool) {
	ds, w := o.demands(y), o.prices(y)
	cost := int64(far)
	o.patterns(ds, func(m uint) bool {
		if c := price(w, m); (c < cost || c == cost && m < best) && o.protects(y, m, ds) {
			best, cost, ok = m, c, true
		}
		return true
	})
	return best, ok
}

// matches says whether s is a cheapest pattern for y, and the canonical one.
func (o *office) matches(y []int64, s uint) (cheapest, canonical bool) {
	ds := o.demands(y)
	if len(ds) == 0 {
		return false, false
	}
	for _, d := range ds {
		if p := slices.Index(o.may, d.cell); s&o.bit(p) == 0 {
			return false, false
		}
	}
	if !o.protects(y, s, ds) {
		return false, false
	}
	w := o.prices(y)
	cost := price(w, s)
	cheapest, canonical = true, true
	need := uint(0)
	for _, d := range ds {
		need |= o.bit(slices.Index(o.may, d.cell))
	}
	kill := func(m uint) bool { // m may beat s
		if c := price(w, m); c > cost || c == cost && (m >= s || !canonical) || !o.protects(y, m, ds) {
			return false
		} else if c < cost {
			cheapest = false
		}
		canonical = false
		return !cheapest
	}
	for n, m := range o.refuting {
		if m&need == need && kill(m) {
			copy(o.refuting[1:n+1], o.refuting[:n])
			o.refuting[0] = m
			return false, false
		}
	}
	o.patterns(ds, func(m uint) bool {
		if kill(m) {
			o.refuting = append([]uint{m}, o.refuting...)
			return false
		}
		return true
	})
	return cheapest, canonical && cheapest
}

// A bruteAnswer is what the oracle finds, intervals by withheld cell.
type bruteAnswer struct {
	candidates int64
	feasible   []attack.Range
	matching   map[attack.Match]int64
	effective  map[attack.Match][]attack.Range
}

// errTooMany stops the oracle.
var errTooMany = errors.New("too many candidates")

// bruteForce is the attack by the letter of package attack's comment.
func bruteForce(t *table.Table, withheld []bool, opt *attack.Options, most int64) (*bruteAnswer, error) {
	lo, hi := slices.Clone(t.Lower), slices.Clone(t.Upper)
	for i := range hi {
		lo[i], hi[i] = max(lo[i], -far), min(hi[i], far)
	}
	o := &office{Office: opt.Office, t: t, shape: newShape(t, lo, hi), inside: make([]bool, t.Len())}
	if o.shape == nil {
		return nil, errors.New("more than 16 cells may be withheld")
	}
	var cells []int
	s := uint(0)
	for i, w := range withheld {
		if w {
			cells = append(cells, i)
			s |= o.bit(slices.Index(o.may, i))
		}
	}
	a := &bruteAnswer{matching: map[attack.Match]int64{}, effective: map[attack.Match][]attack.Range{}}
	blank := func() []attack.Range { return slices.Repeat([]attack.Range{{Empty: true}}, len(cells)) }
	a.feasible, a.effective[attack.Any], a.effective[attack.Exact] = blank(), blank(), blank()
	all, seen := true, int64(0)
	bounded := fibre(t.Rel, cells, t.Value, lo, hi, func(y []int64) bool {
		seen++
		if all = seen <= most; !all {
			return false
		}
		for k, i := range cells {
			grow(&a.feasible[k], y[i])
		}
		for i, v := range opt.Knows {
			if y[i] != v {
				return true // the feasible intervals are what is published leaves, without this knowledge
			}
		}
		a.candidates++
		cheapest, canonical := o.matches(y, s)
		for k, i := range cells {
			if cheapest {
				grow(&a.effective[attack.Any][k], y[i])
			}
			if canonical {
				grow(&a.effective[attack.Exact][k], y[i])
			}
		}
		if cheapest {
			a.matching[attack.Any]++
		}
		if canonical {
			a.matching[attack.Exact]++
		}
		return true
	})
	if !bounded || !all {
		return nil, errTooMany
	}
	return a, nil
}

func grow(r *attack.Range, v int64) {
	if r.Empty {
		*r = attack.Range{Lo: v, Hi: v}
	}
	r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
}

// TestBruteForce compares every answer of Run with that of the oracle.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	most := int64(4000)
	tables := heavy.Draws(*bruteTables)
	if testing.Short() {
		tables = min(tables, 60)
	}
	rng := rand.New(rand.NewPCG(4, 2))
	done, matched, candidates := 0, int64(0), int64(0)
	for draws := 0; done < tables && draws < 40*tables; draws++ {
		s := drawScenario(rng)
		if s == nil {
			continue
		}
		want, err := bruteForce(s.t, s.withheld, s.opt, most)
		if err != nil || want.candidates == 0 {
			continue
		}
		done++
		candidates += want.candidates
		matched += want.matching[attack.Any]
		for _, m := range []attack.Match{attack.Any, attack.Exact} {
			for _, count := range []attack.Counting{attack.CountAll, attack.CountNone} {
				opt := *s.opt
				opt.Match, opt.Count, opt.Workers = m, count, 1+draws%3
				compare(t, s, &opt, want)
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d tables, %d candidates, %d matching", done, candidates, matched)
	if done < tables {
		t.Errorf("%d tables, want %d", done, tables)
	}
}

// compare runs the attack with opt and compares it with the oracle's answer.
func compare(t *testing.T, s *scenario, opt *attack.Options, want *bruteAnswer) {
	t.Helper()
	bad := func(format string, args ...any) {
		t.Helper()
		t.Errorf("match %v, count %d: %s\n%s", opt.Match, opt.Count, fmt.Sprintf(format, args...), s)
	}
	r, err := attack.Run(t.Context(), attack.Published(s.t, s.withheld), opt)
	if err != nil {
		bad("%v", err)
		return
	}
	r.Judge(s.t)
	if !r.Complete || opt.Count == attack.CountAll && !r.Counted {
		bad("complete %v, counted %v without a limit", r.Complete, r.Counted)
	}
	if r.Candidates == nil || r.Candidates.Int64() != want.candidates {
		bad("%v candidates, want %d", r.Candidates, want.candidates)
	}
	if n := r.Matching.Int64(); n > want.matching[opt.Match] || r.Counted && n != want.matching[opt.Match] {
		bad("%d matching, want %d", n, want.matching[opt.Match])
	}
	k := 0
	for i, w := range s.withheld {
		if !w {
			continue
		}
		if k == len(r.Cells) {
			bad("%d cells, want more", k)
			return
		}
		c := &r.Cells[k]
		feasible, effective := want.feasible[k], want.effective[opt.Match][k]
		if c.Index != i {
			bad("cell %d is %s, want %s", k, s.t.CellName(c.Index), s.t.CellName(i))
		}
		if c.Lo == nil || c.Hi == nil || !c.Lo.IsInt() || !c.Hi.IsInt() || c.Lo.Num().Int64() != feasible.Lo || c.Hi.Num().Int64() != feasible.Hi {
			bad("%s: feasible [%v, %v], want %+v", s.t.CellName(i), c.Lo, c.Hi, feasible)
		}
		if c.Outer != effective || c.Inner != effective {
			bad("%s: effective %+v, found %+v, want %+v", s.t.CellName(i), c.Outer, c.Inner, effective)
		}
		judge := &office{Office: opt.Office, t: s.t}
		if want := judge.verdict(i, effective); c.Verdict != want {
			bad("%s: %+v is %v, want %v", s.t.CellName(i), effective, c.Verdict, want)
		}
		k++
	}
	if k != len(r.Cells) {
		bad("%d cells, want %d", len(r.Cells), k)
	}
}
