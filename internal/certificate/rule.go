package certificate

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Rule derives one valid row from the table, from duals and from other rows. Each family of cuts has a file with its
// rule: how it is checked, and how it is written to and read from a certificate file. Rows are identified by the
// pointer to their rule, so each rule is derived and written once.
type Rule interface {
	// row derives the row, or returns why it does not follow.
	row(b *book) (*row, error)
	// write writes to a file the rows and duals that the rule needs, and returns its own line.
	write(w *writer) line
}

// kinds lists how rules are read, by the name of their family.
var kinds = map[string]func(r *reader, l *line) (Rule, error){
	"level":      readLevel,
	"cover":      readCover,
	"bottleneck": readBottleneck,
	"round":      readRound,
	"bridge":     readBridge,
	"exclude":    readPattern,
}

// one is 1 in the unit of the coefficients of rows, which are multiples of 2^−52.
const (
	oneBits = 52
	one     = int64(1) << oneBits
)

// A row is Σ coef·x ≥ rhs over free cells, in units of 2^−52. Rows without negative
// coefficients have rhs = one and coefficients in (0, one].
type row struct {
	idx  []int32
	coef []int64 // nil: all are one
	rhs  int64
	neg  bool // some coefficient is negative
}

// at returns the coefficient of entry t.
func (r *row) at(t int) int64 {
	if r.coef == nil {
		return one
	}
	return r.coef[t]
}

var (
	errNothing      = i18n.New("says nothing: its right-hand side is not positive")
	errLarge        = i18n.New("numbers too large")
	errCells        = i18n.New("its duals are of different cells")
	errNoDual       = i18n.New("has no dual")
	errNotSensitive = i18n.New("its cell is not sensitive")
	errNotFree      = i18n.New("its cells are not all free to be withheld")
	errOwn          = i18n.New("its dual says nothing of its own cell")
	errNegative     = i18n.New("rests on a row with negative coefficients")
	errParents      = i18n.New("rests on the wrong number of rows or weights")
	errWeight       = i18n.New("has a weight that is not positive")
)

// normal makes Σ coef·x ≥ rhs with coef ≥ 0, rhs > 0 a row: coefficients are capped at rhs, since x is 0 or
// 1, divided by it and rounded up, since x ≥ 0.
func normal(idx []int32, coef []int64, rhs int64) (*row, error) {
	if rhs <= 0 {
		return nil, errNothing
	}
	r := &row{rhs: one}
	all := true
	for t, c := range coef {
		if c == 0 {
			continue
		}
		v := one
		if c < rhs {
			v = ratio(num.Uint128{Lo: uint64(c)}, num.Uint128{Lo: uint64(rhs)})
		}
		all = all && v == one
		r.idx, r.coef = append(r.idx, idx[t]), append(r.coef, v)
	}
	if all {
		r.coef = nil
	}
	return r, nil
}

// ratio returns ⌈one·c/r⌉, at most one, for r > 0; if r has more than 63 bits, both are first shortened to 63 bits,
// rounding towards a larger ratio.
func ratio(c, r num.Uint128) int64 {
	if s := r.Len() - 63; s > 0 {
		var rest bool
		r, _ = r.Shift(s)
		if c, rest = c.Shift(s); rest {
			c.Lo++ // a carry would not matter: c is compared with r < 2^63 next
			if c.Lo == 0 {
				return one
			}
		}
	}
	if !c.Less(r) {
		return one
	}
	q, rest := bits.Div64(c.Lo>>(64-oneBits), c.Lo<<oneBits, r.Lo)
	if rest != 0 {
		q++
	}
	return int64(q)
}

// A Dual is γ = Mult/Den on the relations Rel. It gives d = e_k − Mᵀγ for the cell
// k = Cell, with z_k = Σ d_i z_i for every z with M z = 0.
type Dual struct {
	Cell int32
	Den  int64
	Rel  []int32
	Mult []int64
}

// A book derives the rows of one problem and stores them.
type book struct {
	p       *problem
	rows    map[Rule]*row
	entries int // number of entries of all rows together
	most    int // limit on entries

	d     []int64 // by cell, zero between uses: Den·d of a dual
	hit   []int32
	mark  []bool        // by cell, false between uses
	sum   []num.Uint128 // by cell, zero between uses
	wide  []wide        // by cell, zero between uses
	reach *reach        // reach of the last Pattern
}

func newBook(p *problem) *book {
	return &book{p: p, rows: map[Rule]*row{}, most: maxNumbers(p), d: make([]int64, p.n), mark: make([]bool, p.n)}
}

// A derived is a rule whose row is known. Verify keeps nothing else of a rule.
type derived struct{ r *row }

func (d *derived) row(*book) (*row, error) { return d.r, nil }
func (d *derived) write(*writer) line      { panic("certificate: a row that was read is not written") }

// derive returns the row of rule.
func (b *book) derive(rule Rule) (*row, error) {
	if d, ok := rule.(*derived); ok {
		return d.r, nil
	}
	if r, ok := b.rows[rule]; ok {
		if r == nil {
			return nil, errUnderivable
		}
		return r, nil
	}
	r, err := b.once(rule)
	b.rows[rule] = r
	return r, err
}

// once derives the row of rule without storing it.
func (b *book) once(rule Rule) (*row, error) {
	r, err := rule.row(b)
	if err != nil {
		return nil, err
	}
	if b.entries += overhead + len(r.idx); b.entries > b.most {
		return nil, i18n.Errorf("more than %d coefficients in all rows", b.most)
	}
	return r, nil
}

var errUnderivable = i18n.New("rests on a row that does not follow")

// maxDen bounds the denominators of duals.
const maxDen = 1 << 61

// open stores Den·d of the dual in b.d and its cells in b.hit; close clears both.
func (b *book) open(d *Dual) error {
	if d.Den < 1 || d.Den > maxDen {
		return errLarge
	}
	rel := b.p.t.Rel
	b.touch(d.Cell, d.Den)
	for s, j := range d.Rel {
		cell, coef := rel.Row(int(j))
		for t, i := range cell {
			hi, lo := bits.Mul64(num.Magnitude(d.Mult[s]), num.Magnitude(int64(coef[t])))
			if hi != 0 || lo > 1<<61 {
				return errLarge
			}
			v := int64(lo)
			if (d.Mult[s] < 0) == (coef[t] < 0) {
				v = -v
			}
			if b.touch(i, v); num.Magnitude(b.d[i]) > 1<<61 {
				return errLarge
			}
		}
	}
	return nil
}

func (b *book) touch(i int32, v int64) {
	if !b.mark[i] {
		b.mark[i] = true
		b.hit = append(b.hit, i)
	}
	b.d[i] += v
}

func (b *book) close() {
	for _, i := range b.hit {
		b.d[i], b.mark[i] = 0, false
	}
	b.hit = b.hit[:0]
}
