package oracle

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/rational"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// ErrInexact is returned if exact arithmetic gave up: its steps are bounded.
var ErrInexact = i18n.New("interval: no exact solution within the steps allowed")

// ErrInconsistent is returned if no table satisfies what is published.
var ErrInconsistent = i18n.New("interval: no table satisfies the published numbers and bounds")

// A Contradiction is an ErrInconsistent that names relations which no values of the withheld cells within their bounds
// can satisfy together: those in the combination that proves it (Farkas).
type Contradiction struct {
	Relations []int
	Name      func(relation int) i18n.Text
}

func (c *Contradiction) Error() string { return c.Message().String() }

// Unwrap makes c an ErrInconsistent.
func (c *Contradiction) Unwrap() error { return ErrInconsistent }

// Message names the first few of the relations.
func (c *Contradiction) Message() i18n.Text {
	list := i18n.List{}
	for n, j := range c.Relations {
		if n == 8 { // listing more would not help a reader
			list.Items = append(list.Items, "…")
			break
		}
		list.Items = append(list.Items, c.Name(j))
	}
	if len(list.Items) == 0 {
		return i18n.T("%s", ErrInconsistent)
	}
	return i18n.T("%s; what cannot hold together: %s", ErrInconsistent, list)
}

// Exact answers (1) for integer capacities with exact witnesses: on a network by integer max-flow, otherwise by the
// simplex engine, whose vertex and duals are rounded to small denominators. If these do not suffice, its basis is
// solved exactly and a simplex method in exact arithmetic continues from there (package rational). It is not safe for
// concurrent use.
type Exact struct {
	s      *System
	flow   *flow
	simp   *simplexEngine
	up, dn []int64
	fup    []float64
	fdn    []float64
	ones   []float64
	zero   []int64 // right-hand sides
	fixed  []int64
	z      []float64
	basis  lp.Basis
	total  int64           // greater than every sum of finite capacities, or 2^61
	fine   *refiner        // refines the capacities; nil until needed
	grid   *refiner        // the same for integer searches
	dual   *Dual           // the dual that the last Max found by refinement, if it fits 64 bits
	ctx    context.Context // the context of the last Max
}

// NewExact opens the exact engine over the engine called name ("": the one that fits).
func (s *System) NewExact(name, backend string) (*Exact, error) {
	in, err := s.NewIntruder(name, backend)
	if err != nil {
		return nil, err
	}
	return s.exactOver(in), nil
}

// exactOver returns the exact engine over in.
func (s *System) exactOver(in Intruder) *Exact {
	n := s.Rel.N
	e := &Exact{s: s, up: make([]int64, n), dn: make([]int64, n), zero: make([]int64, s.Rel.Len())}
	switch in := in.(type) {
	case *flow:
		e.flow = in
	case *simplexEngine:
		e.simp = in
		e.fup, e.fdn = make([]float64, n), make([]float64, n)
		e.ones = slices.Repeat([]float64{1}, n)
		e.fixed, e.z = make([]int64, n), make([]float64, n)
	}
	return e
}

// Name returns the name of the underlying engine.
func (e *Exact) Name() string {
	if e.flow != nil {
		return "network"
	}
	return "simplex"
}

// Close frees the LP back end.
func (e *Exact) Close() error {
	if e.simp != nil {
		return e.simp.Close()
	}
	return nil
}

// SetCapacities sets integer capacities (table.PosInf: none), which are copied. Values above clamp need not be
// distinguished.
func (e *Exact) SetCapacities(up, dn []int64, clamp int64) {
	e.setBounds(up, dn, clamp)
	if e.flow == nil {
		Tighten(e.s.Rel, e.up, e.dn)
		e.model()
	}
}

// SetGiven is SetCapacities for callers whose duals must prove bounds with the capacities as given; SetCapacities first
// tightens them by the relations, which is better for linear programs.
func (e *Exact) SetGiven(up, dn []int64, clamp int64) {
	e.setBounds(up, dn, clamp)
	if e.flow == nil {
		e.model()
	}
}

// setBounds copies the capacities and passes them to a network.
func (e *Exact) setBounds(up, dn []int64, clamp int64) {
	copy(e.up, up)
	copy(e.dn, dn)
	e.total = 1
	for i := range up {
		for _, v := range [2]int64{up[i], dn[i]} {
			if v != table.PosInf {
				e.total = min(e.total+v, 1<<61)
			}
		}
	}
	e.fine, e.grid, e.dual = nil, nil, nil
	if e.flow != nil {
		e.flow.SetInt(e.up, e.dn, clamp)
	}
}

// model passes the capacities of e to the simplex engine and drops everything that depended on earlier ones.
func (e *Exact) model() {
	e.fine, e.grid, e.dual = nil, nil, nil
	for i := range e.up {
		e.fup[i], e.fdn[i] = capacity(e.up[i]), capacity(e.dn[i])
	}
	e.simp.SetCapacities(e.fup, e.fdn, e.ones)
}

func capacity(v int64) float64 {
	if v == table.PosInf {
		return inf
	}
	return float64(v)
}

// An End is the answer to one question: z = Num/Den over the cells Idx, which are ascending unless a network found it,
// attains sign·z_k = Value. Bound ≥ Value is proved by a dual; if the end is exact, both are equal.
type End struct {
	Idx   []int32
	Num   []int64
	Den   int64
	Wide  *rational.Vector // z over Idx if it does not fit 64 bits; then Num is nil, Den 0
	Value *big.Rat
	// Bound is nil if no upper bound is proved.
	Bound *big.Rat
	// Endless says that a ray proves sign·z_k unbounded; z is a point at or beyond the limit.
	Endless bool
	// Dual proves Bound for the tightened capacities; nil if unknown.
	Dual *Dual
}

// Exact reports whether the end is proved from both sides, or proved infinite.
func (e *End) Exact() bool {
	return e.Endless || e.Bound != nil && e.Bound.Cmp(e.Value) == 0
}

// At returns z at the t-th cell of Idx.
func (e *End) At(t int) *big.Rat {
	if e.Wide != nil {
		return new(big.Rat).SetFrac(e.Wide.Num[t], e.Wide.Den)
	}
	return big.NewRat(e.Num[t], e.Den)
}

// set makes z, given over cells, the point of e, without zeros.
func (e *End) set(z *rational.Vector) {
	g, widest := new(big.Int).Set(z.Den), z.Den.BitLen()
	var idx []int32
	var num []*big.Int
	for t, v := range z.Num {
		if v != nil && v.Sign() != 0 {
			idx, num = append(idx, e.Idx[t]), append(num, new(big.Int).Set(v))
			g.GCD(nil, nil, g, new(big.Int).Abs(v))
			widest = max(widest, v.BitLen())
		}
	}
	den := new(big.Int).Quo(z.Den, g)
	for _, v := range num {
		v.Quo(v, g)
	}
	e.Idx = idx
	if widest-g.BitLen()+1 > 62 {
		e.Wide = &rational.Vector{Num: num, Den: den}
		return
	}
	e.Den, e.Num = den.Int64(), make([]int64, len(num))
	for t, v := range num {
		e.Num[t] = v.Int64()
	}
}

// Max maximises sign·z_k. Values from limit on are not distinguished. With proof, the answer is exact unless its value
// reached limit or the search was given up after very many steps (see End.Exact). Without proof, z and its value are
// exact, but the maximum may be larger.
func (e *Exact) Max(ctx context.Context, k, sign int, limit int64, proof bool) (*End, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	e.dual = nil
	var end *End
	var err error
	if e.flow != nil {
		end, err = e.byFlow(k, sign, limit)
		e.flow.spend(ctx)
	} else {
		end, err = e.byVertex(ctx, k, sign, limit, proof)
	}
	switch {
	case ctx.Err() != nil: // perhaps the reason why it was not found or not proved
		return nil, context.Cause(ctx)
	case err == nil && (!proof || end.Exact() || e.flow != nil && end.Value.Cmp(new(big.Rat).SetInt64(limit)) >= 0):
		return end, nil
	}
	if end, err = e.refine(ctx, k, sign, limit, end); err != nil {
		return nil, err
	}
	e.dual = end.Dual
	return end, nil
}

// byFlow answers Max on a network.
func (e *Exact) byFlow(k, sign int, limit int64) (*End, error) {
	v := e.flow.ReachInt(k, sign, limit)
	end := &End{Den: 1, Value: new(big.Rat).SetInt64(v)}
	end.Idx, end.Num = e.flow.WitnessInt(nil, nil)
	switch {
	case v < min(limit, e.flow.clamp):
		end.Bound = end.Value // max-flow = min-cut, both integers
	case v >= e.total && e.total < 1<<61:
		end.Endless = true // no cut with finite capacity is that large
	case v >= limit:
	default:
		return end, ErrInexact // the clamp hides the answer
	}
	return end, nil
}

// byVertex answers Max by the simplex engine, if short fractions suffice.
func (e *Exact) byVertex(ctx context.Context, k, sign int, limit int64, proof bool) (*End, error) {
	e.ctx, e.simp.proof = ctx, proof
	v, err := e.simp.Reach(ctx, k, sign, float64(limit))
	if err != nil {
		return nil, err
	}
	end, err := e.vertex(k, sign, limit, proof)
	if errors.Is(err, ErrInexact) && !proof && v >= float64(limit) {
		end, err = e.nearer(k, sign, limit)
	}
	if err != nil {
		return nil, err
	}
	if proof && !end.Endless {
		for _, d := range e.simp.Duals() {
			if b := d.Bound(e.up, e.dn, sign); b != nil && (end.Bound == nil || b.Cmp(end.Bound) < 0) {
				end.Bound, end.Dual = b, d
			}
		}
	}
	return end, nil
}

// nearer looks for an exact point with sign·z_k ≥ limit if the optimum lies far beyond and its numbers are too large:
// with capacities reduced to a small multiple of limit, vertices have smaller numbers.
func (e *Exact) nearer(k, sign int, limit int64) (*End, error) {
	up, dn := slices.Clone(e.up), slices.Clone(e.dn)
	defer func() {
		copy(e.up, up)
		copy(e.dn, dn)
		e.model()
	}()
	for T := limit; ; T *= 8 {
		cut := false
		for i := range up {
			e.up[i], e.dn[i] = min(up[i], T), min(dn[i], T)
			cut = cut || e.up[i] < up[i] || e.dn[i] < dn[i]
		}
		if !cut {
			return nil, ErrInexact
		}
		e.model()
		v, err := e.simp.Reach(e.ctx, k, sign, float64(limit))
		if err != nil {
			return nil, err
		}
		if v >= float64(limit)*(1-1e-9) {
			end, err := e.vertex(k, sign, limit, false)
			if err == nil && end.Value.Cmp(new(big.Rat).SetInt64(limit)) >= 0 || err != nil && !errors.Is(err, ErrInexact) {
				return end, err
			}
		}
		if T > math.MaxInt64/8 {
			return nil, ErrInexact
		}
	}
}

// Duals returns duals of the last call of Max with proof for cell k, if they can be written in 64-bit fractions.
func (e *Exact) Duals(k int) []*Dual {
	switch {
	case e.dual != nil:
		return []*Dual{e.dual}
	case e.flow != nil:
		return e.flow.Duals()
	}
	return e.fractions(k)
}

// fractions returns the duals behind the last answer of the simplex engine.
func (e *Exact) fractions(k int) []*Dual {
	duals := e.simp.Duals()
	if d := e.basisDual(k); d != nil {
		duals = append(duals, d)
	}
	return duals
}

// Bound evaluates (2) in direction sign exactly for integer capacities
// (table.PosInf: none); nil if infinite.
func (d *Dual) Bound(up, dn []int64, sign int) *big.Rat {
	sum, c := new(big.Int), new(big.Int)
	for t, i := range d.Idx {
		v := d.Coef[t] * int64(sign)
		cap := up[i]
		if v < 0 {
			v, cap = -v, dn[i]
		}
		if cap == table.PosInf {
			return nil
		}
		sum.Add(sum, c.Mul(big.NewInt(v), big.NewInt(cap)))
	}
	return new(big.Rat).SetFrac(sum, big.NewInt(d.Den))
}

// vertex turns the last answer of the simplex engine into an exact point. If its fractions are not short, it leaves
// that to the exact simplex method.
func (e *Exact) vertex(k, sign int, limit int64, proof bool) (*End, error) {
	clear(e.z)
	idx, val := e.simp.Witness(nil, nil)
	unbounded := e.simp.res.Status == lp.Unbounded
	for t, i := range idx {
		e.z[i] = val[t]
	}
	if unbounded {
		return e.beyond(k, sign, limit)
	}
	if end := e.rounded(k, sign); end != nil {
		return end, nil
	}
	if !proof {
		if end := e.basic(k, sign); end != nil && end.Wide == nil {
			return end, nil
		}
	}
	return nil, ErrInexact
}

// rounded tries small denominators on the floating-point vertex itself, which usually suffices.
func (e *Exact) rounded(k, sign int) *End {
	num := e.fixed
	for _, den := range denominators[:6] {
		d := float64(den)
		ok := true
		for i, v := range e.z {
			r := math.Round(v * d)
			if math.Abs(float64(v*d)-r) > 1e-3 || math.Abs(r) > 1<<50 {
				ok = false
				break
			}
			num[i] = int64(r)
		}
		if ok && e.within(num, den) && holds(e.s.Rel, num, e.zero, den) {
			return e.end(k, sign, num, den)
		}
	}
	return nil
}

func (e *Exact) end(k, sign int, num []int64, den int64) *End {
	end := &End{Den: den, Value: big.NewRat(int64(sign)*num[k], den)}
	for i, v := range num {
		if v != 0 {
			end.Idx, end.Num = append(end.Idx, int32(i)), append(end.Num, v)
		}
	}
	return end
}

// within checks −dn·den ≤ num ≤ up·den without overflow.
func (e *Exact) within(num []int64, den int64) bool {
	for i, v := range num {
		up, dn := e.up[i], e.dn[i]
		if up != table.PosInf && v > 0 && (v-1)/den >= up || dn != table.PosInf && v < 0 && (-v-1)/den >= dn {
			return false
		}
	}
	return true
}

// beyond makes an exact point with sign·z_k ≥ limit from a ray.
func (e *Exact) beyond(k, sign int, limit int64) (*End, error) {
	// e.z is the ray scaled to z_k = ±limit; rays of table matrices are small rationals, so divide by z_k and snap.
	if e.z[k] == 0 {
		return nil, ErrInexact
	}
	ratio := make([]float64, len(e.z))
	for i, v := range e.z {
		ratio[i] = v / math.Abs(e.z[k])
	}
	num := e.fixed
	den := snap(ratio, num, 1e-6)
	for i, v := range num { // a ray meets no finite bound
		if v > 0 && e.up[i] != table.PosInf || v < 0 && e.dn[i] != table.PosInf {
			return nil, ErrInexact
		}
	}
	if den > 1<<12 || !holds(e.s.Rel, num, e.zero, 1) {
		return nil, ErrInexact
	}
	far := limit
	if limit == table.PosInf {
		far = 1 << 40
	}
	for i, v := range num { // num/den is the ray with |z_k| = 1
		if hi, lo := bits.Mul64(uint64(abs64(v)), uint64(far)); hi != 0 || lo > 1<<62 {
			return nil, ErrInexact
		}
		num[i] = v * far
	}
	end := e.end(k, sign, num, den)
	if end.Value.Sign() <= 0 {
		return nil, ErrInexact
	}
	end.Endless = true
	return end, nil
}

func abs64(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
