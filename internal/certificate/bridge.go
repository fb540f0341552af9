package certificate

// A Bridge is the bridge-less inequality (Fischetti and Salazar, Management Science 47(7), 2001) x_h ≤ Σ_{i≠h, d_i≠0}
// x_i of a free cell h with d_h ≠ 1. It holds for every inclusion-minimal protected pattern: if h is withheld, some
// table that proves protection moves it, and z_h·(1 − d_h) = Σ_{i≠h} d_i z_i can be nonzero only if another cell of the
// support moves. In a table of layers d refers to the first layer; the others have copies of its relations.
type Bridge struct {
	Dual *Dual
}

func (c *Bridge) row(b *book) (*row, error) {
	p, h := b.p, c.Dual.Cell
	if !p.free[h] {
		return nil, errNotFree
	}
	err := b.open(c.Dual)
	defer b.close()
	if err != nil {
		return nil, err
	}
	if b.d[h] == c.Dual.Den {
		return nil, errOwn
	}
	r := &row{neg: true}
	for _, i := range b.hit {
		switch {
		case i == h || b.d[i] == 0 || !p.moves[i]:
		case p.given[i] || int(i) >= p.m:
			return nil, errNothing
		case p.free[i]:
			r.idx, r.coef = append(r.idx, i), append(r.coef, one)
		}
	}
	r.idx, r.coef = append(r.idx, h), append(r.coef, -one)
	return r, nil
}

func (c *Bridge) write(w *writer) line { return line{Is: "bridge", Up: w.dual(c.Dual)} }

func readBridge(r *reader, l *line) (Rule, error) {
	d, err := r.dualOf(l.Up)
	if err == nil && d == nil {
		err = errNoDual
	}
	return &Bridge{Dual: d}, err
}
