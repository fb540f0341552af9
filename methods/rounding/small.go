package rounding

import (
	"context"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// errCounts is wrapped if small counts are to be rounded in a table that has no counts ≥ 0 or no dimensions.
var errCounts = i18n.New("small counts are rounded in tables of counts with dimensions")

// Small rounds inner counts from 1 to Base − 1 to 0 or Base, keeps all other inner counts and recomputes margins from
// these, so that the table adds up and no inner count from 1 to Base − 1 is left; Σ w|y − a| over all cells is minimal.
// (Langsrud and Heldal's small count rounding, PSD 2018, minimises sums of squares by a heuristic.) Steps and Protect
// have no meaning here. Errors and cost are those of Round.
func Small(ctx context.Context, t *table.Table, opt *Options) (*Result, error) {
	if opt == nil {
		opt = new(Options)
	}
	return timed(ctx, t, opt, func(ctx context.Context) (*Result, error) {
		l, err := small(t, opt)
		if err != nil {
			return nil, err
		}
		o := *opt
		o.Protect = false
		res, err := l.solve(ctx, t, newNet(t.Rel), &o)
		if err != nil {
			return nil, err
		}
		res.Steps = 0
		return res, nil
	})
}

// small returns the lattice of the roundings of small counts.
func small(t *table.Table, opt *Options) (*lattice, error) {
	n, k := t.Len(), len(t.Dims)
	if !t.Counts || k == 0 || t.Rel.Dim == nil || t.Layers > 1 {
		return nil, i18n.Errorf("table %s: %w", t.Name, errCounts)
	}
	l := &lattice{rel: t.Rel, b: opt.Base, a: t.Value, off: make([]int64, n), w: opt.Weights, lo: make([]int64, n), up: make([]int64, n)}
	copy(l.off, t.Value)
	places := make(map[string]int, n)
	key := make([]byte, 4*k)
	put := func(d int, c int32) {
		key[4*d], key[4*d+1], key[4*d+2], key[4*d+3] = byte(c), byte(c>>8), byte(c>>16), byte(c>>24)
	}
	for i := range n {
		for d := range k {
			put(d, t.Coord[i*k+d])
		}
		places[string(key)] = i
	}
	leaves := t.Leaves()
	for i, v := range t.Value {
		if v < 0 {
			return nil, i18n.Errorf("table %s: cell %s: %d: %w", t.Name, t.CellName(i), v, errCounts)
		}
		if v == 0 || v >= l.b || t.IsMargin(i, leaves) {
			continue
		}
		var above func(d int)
		above = func(d int) {
			if d == k {
				if m, ok := places[string(key)]; ok {
					l.off[m] -= v
					l.up[m]++
				}
				return
			}
			for c := t.Coord[i*k+d]; c >= 0; c = t.Dims[d].Parent[c] {
				put(d, c)
				above(d + 1)
			}
		}
		above(0)
	}
	return l, l.cut(t)
}

// SmallRange returns what a reader of y knows about a table whose small counts were rounded to base: an inner 0 was
// below base, an inner base from 1 to base, and other inner counts are unchanged; margins are known only through these.
func SmallRange(t *table.Table, y []int64, base int64) Range {
	r := Within(y, 0)
	leaves := t.Leaves()
	for i, v := range y {
		switch {
		case t.IsMargin(i, leaves):
			r.Lo[i], r.Up[i] = 0, table.PosInf
		case v == 0:
			r.Up[i] = base - 1
		case v == base:
			r.Lo[i] = 1
		}
	}
	return r
}

// PublishedSmall is Published for a table whose small counts were rounded to base. Inner counts from 1 to base − 1 are
// an error.
func PublishedSmall(t *table.Table, base int64) (*table.Table, error) {
	leaves := t.Leaves()
	for i, v := range t.Value {
		if v > 0 && v < base && !t.IsMargin(i, leaves) {
			return nil, i18n.Errorf("table %s: cell %s: %s is below %s: a small count that was not rounded", t.Name, t.CellName(i), table.FormatDecimal(v, t.Decimals), table.FormatDecimal(base, t.Decimals))
		}
	}
	return opened(t, SmallRange(t, t.Value, base), false)
}
