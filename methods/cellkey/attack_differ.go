package cellkey

// differ examines all pairs of a margin and a cell below it.
func (a *Attack) differ(c *Counts, p *Table) {
	out := &a.Differences
	index := c.index()
	type pair struct{ margin, below int64 }
	seen := map[pair]float64{}
	for n := range c.Cells {
		x := &c.Cells[n]
		up := append([]int32(nil), x.At...)
		for d := range c.Dims {
			k := c.Dims[d].Parent[x.At[d]]
			if k < 0 {
				continue
			}
			up[d] = k
			m := &c.Cells[index[string(key(up))]]
			up[d] = x.At[d]
			switch m.N - x.N {
			case 0:
				out.Equal++
			case 1:
				out.Pairs++
				if m.Published != x.Published {
					out.Differ++
				}
				of := pair{m.Published, x.Published}
				chance, ok := seen[of]
				if !ok {
					chance = p.difference(m.Published, x.Published)
					seen[of] = chance
				}
				if chance > 0.95 {
					out.Certain++
				}
				out.Chance = max(out.Chance, chance)
			}
		}
	}
}

// difference returns the probability that the true counts of a margin and a cell below it differ by 1, given their
// published numbers and a uniform prior on counts and differences.
func (p *Table) difference(margin, below int64) float64 {
	lo, hi, _ := p.Preimage(below)
	_, most, _ := p.Preimage(margin)
	all, one := 0.0, 0.0
	for y := lo; y <= hi; y++ {
		b := p.of(y).Chance(below - y)
		if b == 0 {
			continue
		}
		for z := y; z <= most; z++ {
			chance := b
			if z > y {
				chance *= p.of(z).Chance(margin - z)
			} else if margin != below {
				chance = 0
			}
			all += chance
			if z == y+1 {
				one += chance
			}
		}
	}
	if all == 0 {
		return 0
	}
	return one / all
}
