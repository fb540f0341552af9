package nullspace

import (
	"context"
	"iter"
	"math/big"
	"math/bits"
	"time"

	"github.com/hitoku/hitoku/internal/work"
)

// Points visits every point of F once, in the lexicographic order of the kernel coefficients, with the last block
// varying fastest; the order depends on the arguments of New alone. The slice it yields holds the values in the order
// of Cells and is reused for the next point, so copy what you keep. No list is made and nothing is allocated between
// points: memory is O(n·d).
//
// The sequence ends early when ctx is done (see ctx.Err). It is empty if F is empty or cannot be enumerated; call Check
// or Empty first. It may be ranged over repeatedly and by several goroutines at once.
func (f *Fibre) Points(ctx context.Context) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		if plans, reason, err := f.prepare(ctx); err == nil && reason == None {
			f.visit(ctx, plans, nil, yield)
		}
	}
}

// A share is the part of F with the first coefficients fixed and the next one in [from, to]; coefficients are numbered
// across all blocks.
type share struct {
	pin      []int64
	from, to int64
	whole    bool // all coefficients are fixed by pin
}

// walkers returns one walker for each block over a shared point.
func (f *Fibre) walkers(ctx context.Context, plans []*plan, s *share) []*walker {
	y := append([]int64(nil), f.fixed...)
	all := make([]*walker, len(plans))
	offset := 0 // number of coefficients of earlier blocks
	for k, p := range plans {
		w := p.walker(ctx, y)
		if d := len(p.levels); s != nil && len(s.pin) >= offset {
			w.pin = s.pin[offset:min(len(s.pin), offset+d)]
			w.part = !s.whole && len(w.pin) < d
			w.from, w.to = s.from, s.to
		}
		offset += len(p.levels)
		all[k] = w
	}
	return all
}

// visit runs through the product of the blocks; it returns false if stopped.
func (f *Fibre) visit(ctx context.Context, plans []*plan, s *share, yield func([]int64) bool) bool {
	if ctx.Err() != nil {
		return false
	}
	all := f.walkers(ctx, plans, s)
	if len(all) == 0 {
		return yield(append([]int64(nil), f.fixed...))
	}
	last := all[len(all)-1]
	y := last.y
	for _, w := range all {
		w.reset()
	}
	// As in an odometer, all walkers before k stand on a point. A walker without any point makes the product empty.
	first := true
	for k := 0; k >= 0; {
		w := all[k]
		fresh := w.at < 0
		if !w.next() {
			if w.ended {
				return false
			}
			if fresh && first {
				return true
			}
			w.reset()
			k--
			continue
		}
		if k++; k < len(all) {
			continue
		}
		first = false
		for points := 1; ; points++ {
			if !yield(y) || points&4095 == 0 && ctx.Err() != nil {
				return false
			}
			if !w.next() {
				break
			}
		}
		if w.ended {
			return false
		}
		w.reset()
		k = len(all) - 2
	}
	return true
}

// Count returns the number of points of F, or limit, with exact false, as soon as the number is certain to be at least
// limit; limit is at least 1, nil counts to the end. The points on a line along the last coefficient of a block are
// counted at once, and the numbers of blocks are multiplied, so this is far cheaper than Points. An error is ctx.Err()
// or one of Check.
func (f *Fibre) Count(ctx context.Context, limit *big.Int) (n *big.Int, exact bool, err error) {
	if reason, err := f.Empty(ctx); err != nil || reason != None {
		return new(big.Int), err == nil, err
	}
	plans, _, _ := f.prepare(ctx)
	// No block is empty, so one block that reaches the limit suffices.
	n = big.NewInt(1)
	y := append([]int64(nil), f.fixed...)
	for _, p := range plans {
		w := p.walker(ctx, y)
		w.reset()
		c, done := w.count(limit)
		if !done && ctx.Err() != nil {
			return n, false, ctx.Err()
		}
		n.Mul(n, c)
		if limit != nil && n.Cmp(limit) >= 0 {
			return new(big.Int).Set(limit), false, nil
		}
	}
	return n, true, nil
}

// eachRange is the work of computing the range of one coefficient.
const eachRange = 30 * time.Nanosecond

// count counts the remaining points of w, up to limit or slightly more; done is false if it stopped early.
func (w *walker) count(limit *big.Int) (n *big.Int, done bool) {
	bounded := limit != nil && limit.IsUint64() // a larger limit is out of reach
	var stop uint64
	if bounded {
		stop = limit.Uint64()
	}
	n = new(big.Int)
	last := len(w.levels) - 1
	total, carry := uint64(0), uint64(0)
	for from := w.work; w.nextLine(); {
		if ranges := w.work - from; ranges >= 1024 {
			work.Spend(w.ctx, time.Duration(ranges)*eachRange)
			from = w.work
		}
		var over uint64
		total, over = bits.Add64(total, uint64(w.hi[last]-w.t[last])+1, 0)
		carry += over
		if bounded && (carry > 0 || total >= stop) {
			break
		}
	}
	n.SetUint64(carry)
	n.Lsh(n, 64)
	n.Add(n, new(big.Int).SetUint64(total))
	return n, w.at < 0 && !w.ended
}

// A Part is a subset of F.
type Part struct {
	f      *Fibre
	plans  []*plan
	shares []share
}

// Points is Fibre.Points for this part.
func (p *Part) Points(ctx context.Context) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		for k := range p.shares {
			if !p.f.visit(ctx, p.plans, &p.shares[k], yield) {
				return
			}
		}
	}
}

// sharesPerPart is the number of pieces of each part; using several makes parts more equal in size.
const sharesPerPart = 8

// Parts splits F into at most n disjoint parts for workers. Visited one after another, they give the points of F in the
// order of Fibre.Points. The split depends on n and F alone; parts differ in size, so ask for several times as many as
// there are workers. There are none if F is known to be empty. Errors are those of Check.
func (f *Fibre) Parts(ctx context.Context, n int) ([]*Part, error) {
	plans, reason, err := f.prepare(ctx)
	if n < 1 || err != nil || reason != None {
		return nil, err
	}
	total := 0
	for _, p := range plans {
		total += len(p.levels)
	}
	shares := []share{{whole: true}}
	for depth := 0; depth < total; depth++ {
		// Ranges of the next coefficient below each prefix.
		var open []share
		width := uint64(0)
		for _, s := range shares {
			if lo, hi, ok := f.next(plans, s.pin); ok {
				open = append(open, share{pin: s.pin, from: lo, to: hi})
				width = addCap(width, uint64(hi-lo), 1)
			}
		}
		most := uint64(n) * sharesPerPart
		if width > 4*most {
			shares = chop(open, width, most)
			break
		}
		shares = shares[:0]
		for _, s := range open {
			for t := s.from; ; t++ {
				pin := append(append([]int64(nil), s.pin...), t)
				shares = append(shares, share{pin: pin, whole: true})
				if t == s.to {
					break
				}
			}
		}
		if uint64(len(shares)) >= most {
			break
		}
	}
	var parts []*Part
	for k := range n {
		if from, to := len(shares)*k/n, len(shares)*(k+1)/n; from < to {
			parts = append(parts, &Part{f: f, plans: plans, shares: shares[from:to]})
		}
	}
	return parts, nil
}

// chop cuts the ranges into pieces of about width/most values.
func chop(open []share, width, most uint64) []share {
	size := width/most + 1
	var out []share
	for _, s := range open {
		for from := s.from; ; {
			to := s.to
			if uint64(s.to-from) >= size {
				to = from + int64(size) - 1
			}
			out = append(out, share{pin: s.pin, from: from, to: to})
			if to == s.to {
				break
			}
			from = to + 1
		}
	}
	return out
}

func addCap(x, y, z uint64) uint64 {
	s, c := bits.Add64(x, y, 0)
	s, d := bits.Add64(s, z, 0)
	if c|d != 0 {
		return ^uint64(0)
	}
	return s
}

// next returns the range of the coefficient that follows the prefix pin.
func (f *Fibre) next(plans []*plan, pin []int64) (lo, hi int64, ok bool) {
	all := f.walkers(context.Background(), plans, &share{pin: pin, whole: true})
	used := 0
	for _, w := range all {
		w.reset()
		j := len(pin) - used
		if j >= len(w.levels) {
			used += len(w.levels)
			continue
		}
		for k := range j {
			if !w.enter(k) {
				return 0, 0, false
			}
		}
		lo, hi = w.bounds(j)
		return lo, hi, lo <= hi
	}
	return 0, 0, false
}
