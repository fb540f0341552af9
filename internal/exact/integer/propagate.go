package integer

import (
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
)

// A tightener narrows the bounds of columns by single rows, over integers, until nothing changes.
type tightener struct {
	p      *Program
	ptr    []int32 // rows of each column
	row    []int32
	queue  []int32
	queued []bool
}

func newTightener(p *Program) *tightener {
	t := &tightener{p: p, queued: make([]bool, len(p.Rows))}
	t.ptr, t.row = sets.Grouped(len(p.Cost), func(put func(i, j int32)) {
		for j := range p.Rows {
			for _, i := range p.Rows[j].Idx {
				put(i, int32(j))
			}
		}
	})
	return t
}

// touch queues the rows of column i.
func (t *tightener) touch(i int32) {
	for _, j := range t.row[t.ptr[i]:t.ptr[i+1]] {
		if !t.queued[j] {
			t.queued[j] = true
			t.queue = append(t.queue, j)
		}
	}
}

// all queues all rows.
func (t *tightener) all() {
	for j := range t.queued {
		if !t.queued[j] {
			t.queued[j] = true
			t.queue = append(t.queue, int32(j))
		}
	}
}

// run narrows lo and up by the queued rows; false if no point is left. The number of steps is bounded: whatever is not
// found then is not needed.
func (t *tightener) run(lo, up []int64) bool {
	ok := true
	for at := 0; at < len(t.queue) && at < 64*len(t.p.Rows)+64 && ok; at++ {
		j := t.queue[at]
		t.queued[j] = false
		ok = t.narrow(&t.p.Rows[j], lo, up)
	}
	for _, j := range t.queue {
		t.queued[j] = false
	}
	t.queue = t.queue[:0]
	return ok
}

// narrow narrows by one row.
func (t *tightener) narrow(r *Row, lo, up []int64) bool {
	var least, most int64 // bounds of the sum
	for k, i := range r.Idx {
		if c := r.Coef[k]; c > 0 {
			least += c * lo[i]
			most += c * up[i]
		} else {
			least += c * up[i]
			most += c * lo[i]
		}
	}
	if r.Up != None && least > r.Up || r.Lo != -None && most < r.Lo {
		return false
	}
	if (r.Up == None || most <= r.Up) && (r.Lo == -None || least >= r.Lo) {
		return true // whatever the values of the columns
	}
	for k, i := range r.Idx {
		c, l, u := r.Coef[k], lo[i], up[i]
		if l == u || c == 0 {
			continue
		}
		if c > 0 {
			if r.Up != None {
				u = min(u, l+num.FloorDiv(r.Up-least, c))
			}
			if r.Lo != -None {
				l = max(l, up[i]-num.FloorDiv(most-r.Lo, c))
			}
		} else {
			if r.Up != None {
				l = max(l, u-num.FloorDiv(r.Up-least, -c))
			}
			if r.Lo != -None {
				u = min(u, lo[i]+num.FloorDiv(most-r.Lo, -c))
			}
		}
		if l > u {
			return false
		}
		if l > lo[i] || u < up[i] {
			if c > 0 {
				least += c * (l - lo[i])
				most += c * (u - up[i])
			} else {
				least += c * (u - up[i])
				most += c * (l - lo[i])
			}
			lo[i], up[i] = l, u
			t.touch(i)
		}
	}
	return true
}
