package stranger

import "math"

// A form is z = factor·x/y − shift·factor: a share, an index, an average or a change.
type form struct{ factor, shift float64 }

var forms = []form{{1, 0}, {100, 0}, {1, 1}, {100, 1}, {1000, 0}, {10_000, 0}, {100_000, 0}}

// ratios looks for what reveals the number of line i at position p: a line z that is still there, together with a
// line that i is divided by or divides, or z alone if it is proportional to i.
func (f *finder) ratios(i, p int) {
	s := &f.all[i]
	v := s.n[p].v
	for _, k := range f.values(p) {
		z := &f.all[k]
		if f.steps--; f.steps <= 0 {
			return
		}
		if k == i || !f.isLeft(z.place(p, f.down)) || f.isChance(s.place(p, f.down), z.place(p, f.down)) {
			continue
		}
		if f.proportional(i, k, p) {
			f.told = append(f.told, Ratio{s.place(p, f.down), z.place(p, f.down), z.place(p, f.down), f.down})
			return
		}
		for _, g := range forms {
			lo, hi := (z.n[p].v-z.n[p].slack)/g.factor+g.shift, (z.n[p].v+z.n[p].slack)/g.factor+g.shift
			if lo <= 0 || v == 0 {
				continue // z is 0 within its rounding, and says only that the number is small
			}
			done := false
			try := func(num, den int, other int) bool {
				o := f.all[other].place(p, f.down)
				if other != i && other != k && (f.isLeft(o) || f.secret[o]) && f.divided(k, num, den, g) && close(v, lo, hi) {
					f.told = append(f.told, Ratio{s.place(p, f.down), z.place(p, f.down), o, f.down})
					done = true
				}
				return !done
			}
			f.between(p, min(v/lo, v/hi), max(v/lo, v/hi), func(j int) bool { return try(i, j, j) })
			if !done {
				f.between(p, min(v*lo, v*hi), max(v*lo, v*hi), func(j int) bool { return try(j, i, j) })
			}
			if done {
				return
			}
		}
	}
}

// close reports whether a factor between lo and hi determines v to within a unit or 5 %.
func close(v, lo, hi float64) bool {
	width := math.Abs(v) * (hi - lo) / lo
	return width < 1 || width < math.Abs(v)/20
}

// isLeft reports whether the copy still has a number at a place.
func (f *finder) isLeft(p Place) bool { return f.left[p.Sheet][p.Row][p.Col] }

// divided reports whether line k is line num divided by line den wherever it can be checked, with enough
// evidence.
func (f *finder) divided(k, num, den int, g form) bool {
	bits := -f.far(k, num) - f.far(k, den) - 3
	z, x, y := &f.all[k], &f.all[num], &f.all[den]
	for p := range f.positions {
		f.steps--
		if !z.n[p].ok || !x.n[p].ok || !y.n[p].ok || y.n[p].v == 0 {
			continue
		}
		want := g.factor*x.n[p].v/y.n[p].v - float64(g.shift*g.factor)
		if d := math.Abs(want - z.n[p].v); d > float64(z.n[p].slack*(1+1e-9))+float64(1e-12*math.Abs(want)) {
			return false
		}
		// repeated headings equal each other, divided by any 1
		bits += worth(z.n[p], x.n[p].v == y.n[p].v || y.n[p].v == 1 && g.factor == 1 && g.shift == 0)
	}
	return bits >= leastBits
}

// worth returns how many bits of evidence a number gives that agrees within its rounding.
func worth(z number, trivial bool) float64 {
	if trivial || z.v == 0 {
		return 0
	}
	return min(math.Log2(1+math.Abs(z.v)/(2*z.slack)), 16)
}

// proportional reports whether line k is line i times a constant factor, which a position with both numbers left
// reveals, and which determines the number at p to within a unit or 5 %.
func (f *finder) proportional(i, k, p int) bool {
	s, z := &f.all[i], &f.all[k]
	lo, hi := 0.0, math.Inf(1) // bounds of the factor, by the numbers that are left
	all, most := [2]float64{0, math.Inf(1)}, 0.0
	bits := -f.far(i, k)
	for q := range f.positions {
		f.steps--
		a, b := s.n[q], z.n[q]
		if !a.ok || !b.ok {
			continue
		}
		if a.v == 0 {
			if math.Abs(b.v) > b.slack {
				return false
			}
			continue
		}
		from, to := (b.v-b.slack)/a.v, (b.v+b.slack)/a.v
		if a.v < 0 {
			from, to = to, from
		}
		if all = [2]float64{max(all[0], from*(1-1e-12)), min(all[1], to*(1+1e-12))}; all[0] > all[1] {
			return false
		}
		if f.isLeft(s.place(q, f.down)) && f.isLeft(z.place(q, f.down)) {
			lo, hi = max(lo, from), min(hi, to)
		}
		w := worth(b, false)
		bits += w
		most = max(most, w)
	}
	if bits-most < leastBits || lo <= 0 {
		return false
	}
	v, n := s.n[p].v, z.n[p]
	return n.v-n.slack > 0 && close(v, (n.v-n.slack)/hi/v, (n.v+n.slack)/max(lo, 1e-300)/v)
}
