package risk

import (
	"context"
	"io"
	"math/rand/v2"
	"slices"
)

// Released counts the records of the release by all columns that were counted.
func (r *Suppression) Released() *Classes {
	to := NewClasses(r.w.c.columns, r.w.c.t.w)
	for _, x := range r.groups {
		for g, n := range x.member {
			ids := slices.Clone(r.w.c.t.tuple(g))
			for k := range r.w.m {
				if x.set>>k&1 == 1 {
					ids[k] = to.columns.id(k, withheld)
				}
			}
			to.t.add(ids, n)
		}
	}
	return to
}

// Write writes the records of a file with the values withheld: in random order drawn from rng, all orders equally
// likely, or in the order of the file if rng is nil. Of equal records the first ones are treated as members of the
// first group, and so on. Records that were left out, and the columns in drop, are not written. Everything else stays
// byte by byte. The file must be the one that was counted, read again.
func (r *Suppression) Write(ctx context.Context, w io.Writer, path string, l Layout, drop []string, rng *rand.Rand) error {
	c, m := r.w.c, r.w.m
	columns := c.columns.names[:c.t.w]
	lose := r.starred()
	release := Release{KeepOrder: rng == nil, Drop: drop}
	out := release.sink(w, rng)
	to := make([][]byte, len(columns))
	ids := make([]uint32, len(columns))
	var text []byte
	err := eachRecord(ctx, path, l, columns, out.head, func(rec *record) error {
		if err := rec.find(c.columns, ids); err != nil {
			return err
		}
		g := c.t.find(ids)
		if g < 0 {
			return errChanged
		}
		set, ok := lose.take(g)
		if !ok {
			return nil // left out for a missing value
		}
		for k, v := range rec.values[:m] {
			if set>>k&1 == 1 {
				to[k] = []byte(withheld)
			} else {
				to[k] = rec.file.quote(v)
			}
		}
		text = rec.with(text[:0], to)
		return out.put(text)
	})
	if err != nil {
		return err
	}
	return out.end()
}
