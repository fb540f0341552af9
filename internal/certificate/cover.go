package certificate

// A Cover removes the cells T = Spend from a row without negative coefficients and caps the other coefficients at the
// remaining right-hand side:
//
//	Σ_{i∉T} min(c_i, r)·x_i ≥ r,   r = rhs − Σ_{i∈T} c_i > 0
//
// (Carr, Fleischer, Leung and Phillips, Strengthening integrality gaps for capacitated network design
// and covering problems, SODA 2000).
type Cover struct {
	Of    Rule
	Spend []int32
}

func (c *Cover) row(b *book) (*row, error) {
	of, err := b.derive(c.Of)
	if err != nil {
		return nil, err
	}
	if of.neg {
		return nil, errNegative
	}
	for _, i := range c.Spend {
		b.mark[i] = true
	}
	rhs := of.rhs
	var idx []int32
	var coef []int64
	for t, i := range of.idx {
		if !b.mark[i] {
			idx, coef = append(idx, i), append(coef, of.at(t))
		} else if rhs -= of.at(t); rhs <= 0 {
			break
		}
	}
	for _, i := range c.Spend {
		b.mark[i] = false
	}
	return normal(idx, coef, rhs)
}

func (c *Cover) write(w *writer) line {
	of := w.row(c.Of)
	return line{Is: "cover", Of: []int32{of}, Cells: c.Spend}
}

func readCover(r *reader, l *line) (Rule, error) {
	if len(l.Of) != 1 {
		return nil, errParents
	}
	of, err := r.rulesOf(l.Of)
	if err != nil {
		return nil, err
	}
	return &Cover{Of: of[0], Spend: l.Cells}, nil
}
