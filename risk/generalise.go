package risk

import (
	"context"
	"io"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// Recoded returns the classes of the records at the given levels, in which further values may be withheld: Write and
// LossOf take the Suppression that Withhold finds for them. They are classes by the quasi-identifiers, or by all
// columns of joint, which must count the same records with the same Columns. Cost: a pass over the classes.
func (l *Lattice) Recoded(levels []int, joint *Classes) (*Classes, error) {
	if _, err := l.node(levels); err != nil {
		return nil, err
	}
	if joint == nil {
		return l.rolled.at(l, levels), nil
	}
	to := NewClasses(l.all, joint.t.w)
	for j := range joint.t.n {
		ids := slices.Clone(joint.t.tuple(j))
		g := l.s.t.find(ids[:l.s.t.w])
		if g < 0 {
			return nil, errChanged
		}
		if l.keep[g] == 0 {
			continue
		}
		for k, level := range levels {
			ids[k] = l.code[k][level][l.place[k][g]]
		}
		to.t.add(ids, joint.t.count(j))
	}
	return to, nil
}

// LossOf returns the Loss at the given levels if the values in r, found for the classes that Recoded returns, are also
// withheld: each of these loses all the detail that it had left. per[k] is the least that one withheld value of
// quasi-identifier k adds to the loss. r may be nil.
func (l *Lattice) LossOf(levels []int, r *Suppression) (loss float64, per []float64, err error) {
	if _, err := l.node(levels); err != nil {
		return 0, nil, err
	}
	c, _ := l.classes(func(int) []int { return levels }, false)
	columns := sets.Count(l.tree, func(t *tree) bool { return t.count[0] >= 2 })
	// In whole numbers, whose sums do not depend on the order: the number of other values of column k that a value
	// cannot be told from.
	others := func(k int) uint64 { return uint64(l.tree[k].count[0] - 1) }
	lost := func(tuple []uint32, k int) uint64 { return l.leaves[k][levels[k]][tuple[k]] - 1 }
	all := float64(max(1, columns)) * float64(max(1, l.records))
	per = make([]float64, len(levels))
	sum := make([]uint64, len(levels))
	for k := range levels {
		if others(k) == 0 {
			continue
		}
		most := uint64(0)
		for g := range c.t.n {
			x := lost(c.t.tuple(g), k)
			sum[k] += x * c.t.count(g)
			most = max(most, x)
		}
		per[k] = float64(others(k)-most) / float64(others(k)) / all
	}
	if r != nil {
		for _, x := range r.groups {
			for set := x.set; set != 0; set &= set - 1 {
				k := bits.TrailingZeros64(set)
				if others(k) == 0 {
					continue
				}
				for g, n := range x.member {
					sum[k] += n * (others(k) - lost(r.w.c.t.tuple(g), k))
				}
			}
		}
	}
	for k, n := range sum {
		if n > 0 {
			loss += float64(n) / float64(others(k)) / all
		}
	}
	return loss, per, nil
}

// Write writes the records of a file with their quasi-identifiers as generalised by g: in random order drawn from rng,
// all orders equally likely, or in the order of the file if rng is nil. Records that g leaves out, records without
// quasi-identifiers that count, and the columns in drop are not written. The values in r, found for the classes that
// Recoded returns for the levels of g, are withheld too; nil: none. Everything else stays byte by byte. The file must
// be one that the lattice has counted, read again. kept, if not nil, is called with the numbers, from 0, of the records
// written, in the order of the file.
func (l *Lattice) Write(ctx context.Context, w io.Writer, path string, layout Layout, g *Generalisation, r *Suppression, drop []string, rng *rand.Rand, kept func(int32)) error {
	if g == nil {
		return i18n.New("risk: no generalisation to write")
	}
	m, width := l.s.t.w, l.s.t.w
	if r != nil {
		width = r.w.c.t.w
	}
	columns := l.s.columns.names[:width]
	at, _ := l.classes(g.levels, false)
	release := Release{KeepOrder: rng == nil, Drop: drop}
	out := release.sink(w, rng)
	texts := make([]map[uint32][]byte, m) // by number at the level
	for k := range texts {
		texts[k] = map[uint32][]byte{}
	}
	to := make([][]byte, len(columns))
	ids, codes := make([]uint32, len(columns)), make([]uint32, len(columns))
	lose := r.starred()
	number := int32(-1)
	var text []byte
	err := eachRecord(ctx, path, layout, columns, out.head, func(rec *record) error {
		number++
		if err := rec.find(l.s.columns, ids); err != nil {
			return err
		}
		class := l.s.t.find(ids[:m])
		if class < 0 {
			return errChanged
		}
		if l.keep[class] == 0 {
			return nil
		}
		copy(codes, ids)
		for k := range m {
			codes[k] = l.code[k][g.levels(class)[k]][l.place[k][class]]
			if texts[k][codes[k]] == nil {
				b, err := rec.file.encoded(columns[k], l.all.Value(k, codes[k]))
				if err != nil {
					return err
				}
				texts[k][codes[k]] = rec.file.quote(b)
			}
			to[k] = texts[k][codes[k]]
		}
		if g.short[at.t.find(codes[:m])] > 0 {
			return nil
		}
		if lose != nil {
			set, ok := lose.take(r.w.c.t.find(codes))
			if !ok {
				return errChanged
			}
			for ; set != 0; set &= set - 1 {
				to[bits.TrailingZeros64(set)] = []byte(withheld)
			}
		}
		if kept != nil {
			kept(number)
		}
		text = rec.with(text[:0], to)
		return out.put(text)
	})
	if err != nil {
		return err
	}
	return out.end()
}

// starred lists the sets that the records of each class lose, in order.
type starred [][]setShare

type setShare struct{ set, n uint64 }

// starred assigns the records of each class to groups; nil if r is nil.
func (r *Suppression) starred() starred {
	if r == nil {
		return nil
	}
	s := make(starred, r.w.c.t.n)
	for _, x := range r.groups {
		for g, n := range x.member {
			s[g] = append(s[g], setShare{x.set, n})
		}
	}
	return s
}

// take returns the set that the next record of a class loses; ok is false if there is none.
func (s starred) take(g int) (set uint64, ok bool) {
	if g < 0 {
		return 0, false
	}
	for len(s[g]) > 0 && s[g][0].n == 0 {
		s[g] = s[g][1:]
	}
	if len(s[g]) == 0 {
		return 0, false
	}
	s[g][0].n--
	return s[g][0].set, true
}
