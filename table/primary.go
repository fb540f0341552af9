package table

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// MaxTop is the largest number of contributions that a rule may use.
const MaxTop = 100

// A Dominance is the (n,k)-dominance rule (占有性ルール), NK(n,k): a cell is sensitive if its n largest
// contributions make up more than k % of it,
//
//	100·(x_1 + … + x_n) > k·X        where X > 0.
type Dominance struct {
	N       int
	K       Decimal
	Holding bool // contributors are holdings, not records
}

// A PQ is the p %-rule P(p,n), q = 100, and the pq-rule P(p,q,n): a cell is
// sensitive if the n largest contributors but the first, together, can estimate
// the first more closely than p/q of it,
//
//	(p/q)·x_1 + (x_1 + … + x_{n+1}) − X > 0.
type PQ struct {
	P, Q    Decimal
	N       int
	Holding bool
}

// A MinFreq is the rule FREQ(m): a cell is sensitive if 0 < contributors < m. If Rules.Weighted, records count with
// their weights; holdings and Respondents count once. Range is the percentage of the value to protect; nil sets no
// level.
type MinFreq struct {
	M           int64
	Range       *Decimal
	Holding     bool
	Respondents bool // the rule RESP(m)
}

// A Request is the rule REQ(p1,p2,m): a cell is sensitive if its largest contributor asked for protection in the first
// way (then p = p1) or the second (then p = p2) and contributes more than p % of it, or if any contributor asked and
// contributors < m. Margin is the percentage of the value to protect.
type Request struct {
	P       [2]Decimal
	M       int64
	Margin  Decimal
	Holding bool
}

// Rules are the primary rules. The first field whose rule hits gives the reason; the zero value marks nothing.
type Rules struct {
	Dominance []Dominance
	PQ        []PQ
	Measure   []Measure
	Request   []Request
	MinFreq   []MinFreq
	Zero      *Decimal // a cell of value 0 with contributors is sensitive; this is its UPL

	// Manual is the percentage of the value to protect in cells that the input marks as sensitive. nil: 20 where a
	// dominance or p %-rule gives no distance of its own, and cells marked by the input are left alone.
	Manual *Decimal
	// MissingSafe exempts cells with a missing code from all rules.
	MissingSafe bool
	// Weighted counts each contribution as often as its weight says.
	Weighted bool
	// Absolute makes X the total of the absolute contributions instead of the net total.
	Absolute bool
}

// A Contribution is one contributor's amount |x| with its weight (in units of 10^−WeightDecimals) and its request for
// protection: 0 none, 1 or 2 as in Request.
type Contribution struct {
	X       int64
	W       int64
	Request uint8
}

// A Group is a cell seen by its records, or by its holdings.
type Group struct {
	N   int64          // contributors, −1 unknown
	Top []Contribution // the largest, in descending order
	Ask bool           // some contributor asked for protection

	// Waived is how many contributors consented to disclosure (a waiver) and Target, if some did, the largest
	// contribution of the others. Weights do not apply to them.
	Waived, Target int64
}

// Facts are what the primary rules need to know of a cell.
type Facts struct {
	Value    int64 // the response in units of 10^−Decimals
	Decimals int
	Freq     bool // the response is a frequency

	// X is the total of the variable behind the contributions, in units of 10^−(XDecimals+WeightDecimals);
	// contributions are in units of 10^−XDecimals. Absolute is the total of their absolute values, nil if unknown.
	X, Absolute    *big.Int
	XDecimals      int
	WeightDecimals int
	Weight         int64 // Σ weights, in units of 10^−WeightDecimals

	Records, Holdings Group
	Missing           bool // some code is a missing code
}

// A Verdict is the rules' judgement of a cell; with NoReason it is safe.
type Verdict struct {
	Reason   Reason
	LPL, UPL Decimal
}

// Top returns how many of the largest contributions the rules look at, by record
// and by holding.
func (r *Rules) Top() (records, holdings int) {
	need := func(n int, holding bool) {
		if holding {
			holdings = max(holdings, n)
		} else {
			records = max(records, n)
		}
	}
	for _, d := range r.Dominance {
		need(d.N, d.Holding)
	}
	for _, p := range r.PQ {
		need(p.N+1, p.Holding)
	}
	for _, m := range r.Measure {
		need(len(m.W)-1, m.Holding)
	}
	for _, q := range r.Request {
		need(1, q.Holding)
	}
	return records, holdings
}

// Empty reports whether no rule can mark a cell.
func (r *Rules) Empty() bool {
	return r == nil || len(r.Dominance)+len(r.PQ)+len(r.Measure)+len(r.Request)+len(r.MinFreq) == 0 && r.Zero == nil
}

// Holdings reports whether some rule counts by holding.
func (r *Rules) Holdings() bool {
	_, h := r.Top()
	for _, f := range r.MinFreq {
		if f.Holding {
			return true
		}
	}
	for _, q := range r.Request {
		if q.Holding {
			return true
		}
	}
	return h > 0
}

// ByHolding returns the rules with holdings instead of records as contributors.
func (r *Rules) ByHolding() *Rules {
	out := *r
	out.Dominance, out.PQ, out.Measure = slices.Clone(r.Dominance), slices.Clone(r.PQ), slices.Clone(r.Measure)
	out.Request, out.MinFreq = slices.Clone(r.Request), slices.Clone(r.MinFreq)
	for i := range out.Dominance {
		out.Dominance[i].Holding = true
	}
	for i := range out.PQ {
		out.PQ[i].Holding = true
	}
	for i := range out.Measure {
		out.Measure[i].Holding = true
	}
	for i := range out.Request {
		out.Request[i].Holding = true
	}
	for i := range out.MinFreq {
		out.MinFreq[i].Holding = true
	}
	return &out
}

// Check reports parameters out of range.
func (r *Rules) Check() error {
	percent := func(d Decimal) bool {
		u, ok := Decimal{100, 0}.At(d.Scale)
		return d.Unscaled > 0 && ok && d.Unscaled <= u
	}
	for _, d := range r.Dominance {
		if d.N < 1 || d.N > MaxTop || !percent(d.K) {
			return i18n.Errorf("dominance rule NK(%d,%s): want 1 to %d contributors and 0 < k ≤ 100", d.N, d.K, MaxTop)
		}
	}
	for _, p := range r.PQ {
		if p.N < 1 || p.N > MaxTop-1 || p.P.Unscaled <= 0 || p.Q.Unscaled <= 0 || p.ratio().Cmp(big.NewRat(1, 1)) > 0 {
			return i18n.Errorf("p-percent rule P(%s,%s,%d): want 0 < p ≤ q and 1 to %d intruders", p.P, p.Q, p.N, MaxTop-1)
		}
	}
	for i := range r.Measure {
		if err := r.Measure[i].check(); err != nil {
			return err
		}
	}
	for _, f := range r.MinFreq {
		if f.M < 1 || f.Range != nil && f.Range.Unscaled < 0 {
			return i18n.Errorf("minimum-frequency rule FREQ(%d): want at least 1 contributor and a range ≥ 0", f.M)
		}
	}
	for _, q := range r.Request {
		if !percent(q.P[0]) || !percent(q.P[1]) || q.M < 0 || q.Margin.Unscaled < 0 {
			return i18n.Errorf("request rule REQ(%s,%s,%d,%s): want percentages in (0, 100], contributors and margin ≥ 0", q.P[0], q.P[1], q.M, q.Margin)
		}
	}
	if r.Zero != nil && r.Zero.Unscaled < 0 {
		return i18n.Errorf("zero rule ZERO(%s): want a range ≥ 0", r.Zero)
	}
	if r.Manual != nil && r.Manual.Unscaled < 0 {
		return i18n.Errorf("manual margin MAN(%s): want a percentage ≥ 0", r.Manual)
	}
	return nil
}

func (p *PQ) ratio() *big.Rat {
	return new(big.Rat).Quo(rat(p.P), rat(p.Q))
}

// rat returns d as a fraction.
func rat(d Decimal) *big.Rat { return scaled(big.NewInt(d.Unscaled), d.Scale) }

// scaled returns v·10^−scale.
func scaled(v *big.Int, scale int) *big.Rat {
	return new(big.Rat).SetFrac(v, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
}

// Places returns x_1 + … + x_m, in units of 10^−(XDecimals+WeightDecimals): m places are filled from the largest
// contribution down, where a contribution of weight w takes w places and the last one what is left.
func (f *Facts) Places(top []Contribution, m int) *big.Int {
	one := Pow10(f.WeightDecimals)
	left := int64(m) * one
	sum, term, w := new(big.Int), new(big.Int), new(big.Int)
	for _, c := range top {
		if left == 0 {
			break
		}
		take := min(c.W, left)
		left -= take
		sum.Add(sum, term.Mul(term.SetInt64(c.X), w.SetInt64(take)))
	}
	return sum
}

// group returns the contributors that a rule counts.
func (f *Facts) group(holding bool) *Group {
	if holding {
		return &f.Holdings
	}
	return &f.Records
}

// lead is Places of a group's contributions with the first place given to a contributor who has not consented to
// disclosure, as that is who must not be estimated (Handbook on Statistical Disclosure Control, 2nd edition, section
// 4.2.2, Waivers). open is false if all have consented.
func (f *Facts) lead(g *Group) (places func(m int) *big.Int, open bool) {
	if g.Waived == 0 {
		return func(m int) *big.Int { return f.Places(g.Top, m) }, true
	}
	return func(m int) *big.Int {
		s := f.Places(g.Top, m-1)
		last := g.Target
		switch n := len(g.Top); {
		case m <= n:
			last = min(last, g.Top[m-1].X)
		case n > 0 && last >= g.Top[n-1].X: // he is among the n largest anyway
			last = 0
		}
		return s.Add(s, big.NewInt(last))
	}, g.N < 0 || g.N > g.Waived
}

// total returns the X of the rules.
func (r *Rules) total(f *Facts) *big.Int {
	if r.Absolute && f.Absolute != nil {
		return f.Absolute
	}
	return f.X
}

// same reports that X is the value, that is, that the contributions add up to the value itself.
func (f *Facts) same() bool {
	return scaled(f.X, f.XDecimals+f.WeightDecimals).Cmp(scaled(big.NewInt(f.Value), f.Decimals)) == 0
}

// concentrated applies the concentration rules: it returns the first that hits and the largest UPLtotal of all that
// hit, in units of X.
func (r *Rules) concentrated(f *Facts) (reason Reason, total *big.Rat) {
	if f.X == nil {
		return NoReason, nil
	}
	whole := r.total(f)
	x := new(big.Rat).SetInt(whole)
	hit := func(why Reason, upl *big.Rat) {
		if upl.Cmp(x) <= 0 {
			return
		}
		if reason == NoReason {
			reason = why
		}
		if total == nil || upl.Cmp(total) > 0 {
			total = upl
		}
	}
	for _, d := range r.Dominance {
		lead, open := f.lead(f.group(d.Holding))
		if s := lead(d.N); open && s.Sign() > 0 && whole.Sign() > 0 { // UPLtotal = (100/k)·Σ, and the rule is UPLtotal > X
			upl := new(big.Rat).SetFrac64(100, 1)
			hit(ByDominance, upl.Mul(upl.Quo(upl, rat(d.K)), new(big.Rat).SetInt(s)))
		}
	}
	for _, p := range r.PQ {
		if lead, open := f.lead(f.group(p.Holding)); open {
			upl := p.ratio()
			upl.Mul(upl, new(big.Rat).SetInt(lead(1)))
			hit(ByPercent, upl.Add(upl, new(big.Rat).SetInt(lead(p.N+1))))
		}
	}
	for k := range r.Measure {
		m := &r.Measure[k]
		if lead, open := f.lead(f.group(m.Holding)); open {
			hit(ByMeasure, m.total(lead))
		}
	}
	return reason, total
}

// Judge applies the rules to one cell, exactly. Each level is the largest of the rules that hit, and at least one unit
// of the response's last decimal. Levels are exact up to three decimals more than the response has, and rounded up
// beyond; LPL is at most |value|. Cost: a few products of big integers.
func (r *Rules) Judge(f *Facts) (Verdict, error) {
	if f.Records.N == 0 || f.Missing && r.MissingSafe {
		return Verdict{}, nil
	}
	reason, total := r.concentrated(f)
	few := r.few(f)
	value := scaled(big.NewInt(num.Abs(f.Value)), f.Decimals)
	share := func(percent Decimal) *big.Rat {
		v := new(big.Rat).Mul(value, rat(percent))
		return v.Quo(v, big.NewRat(100, 1))
	}
	if reason != NoReason {
		d := new(big.Rat).Sub(total, new(big.Rat).SetInt(r.total(f)))
		var level *big.Rat
		switch {
		case d.Sign() > 0 && r.Absolute && f.same():
			level = d.Mul(d, scaled(big.NewInt(1), f.XDecimals+f.WeightDecimals))
		case d.Sign() > 0 && f.X.Sign() == 0:
			level = value
		case d.Sign() > 0:
			level = d.Abs(d.Quo(d, new(big.Rat).SetInt(f.X)))
			level.Mul(level, value)
		case few != nil && few.Range != nil:
			level = share(*few.Range)
		default:
			level = share(r.manual())
		}
		return f.verdict(reason, level, level)
	}
	for i := range r.Request {
		if q := &r.Request[i]; q.hits(f) {
			l := share(q.Margin)
			return f.verdict(ByRequest, l, l)
		}
	}
	if few != nil {
		if few.Range == nil {
			return Verdict{Reason: ByFrequency}, nil
		}
		l := share(*few.Range)
		return f.verdict(ByFrequency, l, l)
	}
	if r.Zero != nil && f.Value == 0 && f.Records.N != 0 {
		return f.verdict(ByZero, new(big.Rat), rat(*r.Zero))
	}
	return Verdict{}, nil
}

// manual returns the percentage for cells without a distance of their own.
func (r *Rules) manual() Decimal {
	if r.Manual != nil {
		return *r.Manual
	}
	return Decimal{20, 0}
}

// few returns the first minimum-frequency rule that the cell violates.
func (r *Rules) few(f *Facts) *MinFreq {
	for i := range r.MinFreq {
		m := &r.MinFreq[i]
		g := f.group(m.Holding)
		switch n := g.N; {
		case g.Waived > 0 && g.Waived >= n: // everybody consented
		case r.Weighted && !m.Holding && !m.Respondents:
			if f.Weight > 0 && new(big.Int).Mul(big.NewInt(m.M), big.NewInt(Pow10(f.WeightDecimals))).Cmp(big.NewInt(f.Weight)) > 0 {
				return m
			}
		case n > 0 && n < m.M:
			return m
		}
	}
	return nil
}

func (q *Request) hits(f *Facts) bool {
	g := f.group(q.Holding)
	if g.Ask && g.N >= 0 && g.N < q.M {
		return true
	}
	if len(g.Top) == 0 || g.Top[0].Request == 0 || f.X == nil || f.X.Sign() <= 0 {
		return false
	}
	// 100·x_1 > p·X
	x := new(big.Rat).SetInt(f.Places(g.Top, 1))
	x.Mul(x, big.NewRat(100, 1))
	return x.Cmp(new(big.Rat).Mul(rat(q.P[g.Top[0].Request-1]), new(big.Rat).SetInt(f.X))) > 0
}

// verdict rounds the levels as documented at Judge.
func (f *Facts) verdict(reason Reason, lpl, upl *big.Rat) (v Verdict, err error) {
	v.Reason = reason
	if v.LPL, err = f.level(lpl); err != nil {
		return v, err
	}
	if v.UPL, err = f.level(upl); err != nil {
		return v, err
	}
	if rat(v.LPL).Cmp(scaled(big.NewInt(num.Abs(f.Value)), f.Decimals)) > 0 {
		v.LPL = Decimal{num.Abs(f.Value), f.Decimals}
	}
	return v, nil
}

// level returns a distance as a decimal number.
func (f *Facts) level(r *big.Rat) (Decimal, error) {
	floor := Decimal{1, f.Decimals}
	if f.Freq {
		floor = Decimal{1, 0}
	}
	if r.Cmp(rat(floor)) <= 0 {
		return floor, nil
	}
	scale := min(f.Decimals+3, MaxDecimals)
	num := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	num.Mul(num, r.Num())
	rem := new(big.Int)
	if num.QuoRem(num, r.Denom(), rem); rem.Sign() > 0 {
		num.Add(num, big.NewInt(1))
	}
	for ten := big.NewInt(10); scale > 0; scale-- {
		q, rem := new(big.Int).QuoRem(num, ten, new(big.Int))
		if rem.Sign() != 0 {
			break
		}
		num = q
	}
	for ; !num.IsInt64() || num.Int64() > maxMagnitude; scale-- {
		if scale == 0 {
			return Decimal{}, i18n.Errorf("protection level %s: %w", r.FloatString(0), ErrOutOfRange)
		}
		if num.QuoRem(num, big.NewInt(10), rem); rem.Sign() > 0 {
			num.Add(num, big.NewInt(1))
		}
	}
	return Decimal{num.Int64(), scale}, nil
}

// Marked is the outcome of ApplyRules.
type Marked struct {
	By      [len(reasonWords)]int // cells marked, by reason
	Skipped []int                 // cells that a rule hits although they must stay published
}

// ApplyRules marks as sensitive, with reason and levels, the cells that a rule hits and that may be withheld; the
// contributions in Max are taken as contributions to the values. Cells that the input marks as sensitive keep their
// levels, or get r.Manual if they have none. The table is rescaled if levels need more decimals. It fails if the table
// lacks something a rule needs.
func (t *Table) ApplyRules(r *Rules) (*Marked, error) {
	if err := t.checkRules(r); err != nil {
		return nil, err
	}
	out := &Marked{}
	type level struct {
		cell int
		Verdict
	}
	var levels []level
	decimals := t.Decimals
	one := []Contribution{}
	for i := range t.Len() {
		bare := t.LPL[i] == 0 && t.UPL[i] == 0 && t.Width[i] == 0
		if !t.Known(i) {
			if t.Status[i] == Sensitive {
				t.setReason(i, t.ReasonOf(i))
			}
			continue
		}
		f := t.facts(i, one[:0])
		one = f.Records.Top
		v, err := r.Judge(&f)
		if err != nil {
			return nil, i18n.Errorf("table %s: cell %s: %w", t.Name, t.CellName(i), err)
		}
		switch {
		case t.Status[i] == Sensitive:
			if v.Reason == NoReason || t.Reason != nil && t.Reason[i] != NoReason {
				t.setReason(i, t.ReasonOf(i))
				if !bare || r.Manual == nil {
					continue
				}
				l := scaled(big.NewInt(num.Abs(t.Value[i])), t.Decimals)
				l.Mul(l, rat(*r.Manual)).Quo(l, big.NewRat(100, 1))
				if v, err = f.verdict(t.Reason[i], l, l); err != nil {
					return nil, i18n.Errorf("table %s: cell %s: %w", t.Name, t.CellName(i), err)
				}
			}
		case v.Reason == NoReason:
			continue
		case t.Status[i] == Published:
			out.Skipped = append(out.Skipped, i)
			continue
		}
		t.Status[i] = Sensitive
		t.setReason(i, v.Reason)
		out.By[v.Reason]++
		if bare && (v.LPL.Unscaled != 0 || v.UPL.Unscaled != 0) {
			levels = append(levels, level{i, v})
			decimals = max(decimals, v.LPL.Scale, v.UPL.Scale)
		}
	}
	if err := t.Rescale(decimals); err != nil {
		return nil, err
	}
	for _, l := range levels {
		var okL, okU bool
		t.LPL[l.cell], okL = l.LPL.At(t.Decimals)
		t.UPL[l.cell], okU = l.UPL.At(t.Decimals)
		if !okL || !okU {
			return nil, i18n.Errorf("table %s: cell %s: level %s: %w", t.Name, t.CellName(l.cell), l.UPL, ErrOutOfRange)
		}
	}
	return out, nil
}

// facts returns what t knows of cell i. top is a buffer that the result uses.
func (t *Table) facts(i int, top []Contribution) Facts {
	f := Facts{Value: t.Value[i], Decimals: t.Decimals, Freq: t.Counts, X: big.NewInt(t.Value[i]), XDecimals: t.Decimals}
	f.Records.N = -1
	switch {
	case t.Freq != nil:
		f.Records.N = t.Freq[i]
	case t.Counts:
		f.Records.N = t.Value[i]
	}
	for r := range t.Max {
		top = append(top, Contribution{X: num.Abs(t.Max[r][i]), W: 1})
	}
	f.Records.Top = top
	if c := t.Contributors; c != nil {
		if c.Absolute != nil && c.Absolute[i] != NegInf {
			f.Absolute = big.NewInt(c.Absolute[i])
		}
		if c.Waived != nil {
			f.Records.Waived, f.Records.Target = c.Waived[i], c.Target[i]
		}
	}
	f.Holdings = f.Records // a finished table has one kind of contributors
	f.Weight = max(f.Records.N, 0)
	return f
}

// checkRules reports what the table lacks for the rules.
func (t *Table) checkRules(r *Rules) error {
	if err := r.Check(); err != nil {
		return i18n.Errorf("table %s: %w", t.Name, err)
	}
	if len(r.MinFreq) > 0 {
		if err := t.counted(); err != nil {
			return err
		}
	}
	if len(r.Request) > 0 {
		return i18n.Errorf("table %s: the request rule needs microdata; apply it with hitoku tabulate", t.Name)
	}
	if c := t.Contributors; r.Absolute && (c == nil || c.Absolute == nil) {
		return i18n.Errorf("table %s: absolute totals need what the contributions add up to in absolute value (a column absolute, as hitoku tabulate writes it)", t.Name)
	}
	records, holdings := r.Top()
	if need := max(records, holdings); need > len(t.Max) {
		for i := range t.Len() { // cells with fewer contributors list all of them
			if t.Known(i) && (t.Freq == nil || t.Freq[i] < 0 || t.Freq[i] > int64(len(t.Max))) {
				return i18n.Errorf("table %s: the rules look at the %d largest contributions; want columns max1 … max%s", t.Name, need, strconv.Itoa(need))
			}
		}
	}
	return nil
}
