package risk

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// A logLinear is a log-linear model of the counts of a sample: main effects of all quasi-identifiers and interactions
// of pairs of them without a cycle, so that the maximum likelihood has a closed form, whatever the number of cells. Of
// the N people of the population
//
//	λ = N Π_j W_j/N · Π_{(i,j)} N W_ij/(W_i W_j)
//
// are expected in a cell, where W are the sums of weights of a value or of a pair of values.
type logLinear struct {
	pairs  [][2]int
	lambda []float64 // by class
	share  float64   // π = n/N
	smoothing
}

// smoothing holds B1/√v, B2/√v and the v of B2. They are far above 0 if the model smooths too much, far below if it
// smooths too little.
type smoothing struct{ b1, b2, v float64 }

// worst returns how far the statistics are from 0.
func (s smoothing) worst() float64 { return math.Max(math.Abs(s.b1), math.Abs(s.b2)) }

// smoothEnough is the quantile of the normal distribution below which a test accepts.
const smoothEnough = 1.96

// fitLogLinear selects the pairs by forward search as in Skinner and Shlomo (Assessing identification risk in survey
// microdata using log-linear models, Journal of the American Statistical Association 103, 2008): the pair with the
// largest gain in likelihood comes next, until the tests accept. Of the models tried, the one with the best test
// statistics is returned. f is the number of records of each class; weights are proportional to the people they stand
// for.
func (c *Classes) fitLogLinear(f []uint64, weights []Amount, people float64) *logLinear {
	s := newRanked(c, f)
	count := sets.Each(f, amountOf)
	if weights == nil {
		weights = count
	}
	m := &forest{ranked: s, weights: weights, people: people, share: math.Min(1, s.n/people), w: s.margins(weights), root: make([]int, c.t.w), next: make([][]branch, c.t.w)}
	for _, x := range m.w[0] {
		m.total += x
	}
	for j := range m.root {
		m.root[j] = j
	}
	best := m.model()
	for _, pair := range s.gains(count) {
		if best.worst() < smoothEnough {
			break
		}
		if m.root[pair[0]] == m.root[pair[1]] {
			continue
		}
		m.join(pair)
		if x := m.model(); x.worst() < best.worst() {
			best = x
		}
	}
	return best
}

// ranked are the classes of a sample with the values of each column numbered in the order of their texts, so that
// nothing depends on the order of records.
type ranked struct {
	*Classes
	f      []uint64 // records of each class, 0: left out
	rank   [][]uint32
	values []int // number of different values of each column
	n      float64
}

func newRanked(c *Classes, f []uint64) *ranked {
	s := &ranked{Classes: c, f: f}
	for _, n := range f {
		s.n += float64(n)
	}
	for j := range c.t.w {
		var ids []uint32
		var rank []uint32 // 1: occurs
		for g, n := range f {
			if id := int(c.t.tuple(g)[j]); n > 0 {
				for len(rank) <= id {
					rank = append(rank, make([]uint32, 1+id)...)
				}
				if rank[id] == 0 {
					rank[id] = 1
					ids = append(ids, uint32(id))
				}
			}
		}
		slices.SortFunc(ids, func(a, b uint32) int { return cmp.Compare(c.columns.Value(j, a), c.columns.Value(j, b)) })
		for k, id := range ids {
			rank[id] = uint32(k)
		}
		s.rank, s.values = append(s.rank, rank), append(s.values, len(ids))
	}
	return s
}

// at returns the value of class g in column j.
func (s *ranked) at(g, j int) uint32 { return s.rank[j][s.t.tuple(g)[j]] }

// margins returns the sums of amounts by the values of each column.
func (s *ranked) margins(x []Amount) [][]float64 {
	var out [][]float64
	for j, n := range s.values {
		sums := make([]Amount, n)
		for g, f := range s.f {
			if f > 0 {
				k := s.at(g, j)
				sums[k], _ = sums[k].plus(x[g]) // all of them together fit
			}
		}
		floats := make([]float64, n)
		for k, a := range sums {
			floats[k] = a.float()
		}
		out = append(out, floats)
	}
	return out
}

// A pairSum is the sum of the amounts for a pair of values.
type pairSum struct {
	a, b uint32
	sum  float64
}

// pair sums amounts by the values of two columns, ordered by these.
func (s *ranked) pair(p [2]int, x []Amount) []pairSum {
	t := newTally(2)
	var sums []Amount
	for g, f := range s.f {
		if f > 0 {
			k := t.add([]uint32{s.at(g, p[0]), s.at(g, p[1])}, 1)
			if k == len(sums) {
				sums = append(sums, Amount{})
			}
			sums[k], _ = sums[k].plus(x[g])
		}
	}
	out := sets.List(len(sums), func(k int) pairSum { return pairSum{t.tuple(k)[0], t.tuple(k)[1], sums[k].float()} })
	slices.SortFunc(out, func(x, y pairSum) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return out
}

// gains returns the pairs whose interaction raises twice the log-likelihood by more than twice its degrees of freedom
// (Akaike), largest gain first.
func (s *ranked) gains(count []Amount) [][2]int {
	m := s.margins(count)
	most := make([]float64, len(m)) // twice the entropy of a column, a bound on what it tells about another
	for j, x := range m {
		for _, n := range x {
			most[j] += float64(2 * n * math.Log(s.n/n))
		}
	}
	var pairs [][2]int
	gain := map[[2]int]float64{}
	for j := range m {
		for i := range j {
			p, cost := [2]int{i, j}, float64(2*float64(s.values[i]-1)*float64(s.values[j]-1))
			if math.Min(most[i], most[j]) <= cost {
				continue
			}
			for _, x := range s.pair(p, count) {
				gain[p] += float64(2 * x.sum * math.Log(x.sum*s.n/(m[i][x.a]*m[j][x.b])))
			}
			if gain[p] -= cost; gain[p] > 0 {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortStableFunc(pairs, func(p, q [2]int) int { return cmp.Compare(gain[q], gain[p]) })
	return pairs
}

// A forest is a model under construction: columns are nodes, pairs edges.
type forest struct {
	*ranked
	weights       []Amount
	people, share float64
	w             [][]float64 // by column: sums of weights by value
	total         float64     // sum of all weights
	pairs         [][2]int
	root          []int // by column: the root of its tree
	next          [][]branch
}

// A branch leads to a column and holds, for each value of the column it comes from, the distribution of the values.
type branch struct {
	to   int
	rows [][]pairSum // b is the value, sum the cumulated weight
}

func (t *forest) join(p [2]int) {
	there, back := branch{p[1], make([][]pairSum, t.values[p[0]])}, branch{p[0], make([][]pairSum, t.values[p[1]])}
	for _, x := range t.pair(p, t.weights) {
		there.rows[x.a] = append(there.rows[x.a], x)
		back.rows[x.b] = append(back.rows[x.b], pairSum{x.b, x.a, x.sum})
	}
	for _, rows := range [][][]pairSum{there.rows, back.rows} {
		for _, row := range rows {
			for k := 1; k < len(row); k++ {
				row[k].sum += row[k-1].sum
			}
		}
	}
	t.pairs = append(t.pairs, p)
	t.next[p[0]], t.next[p[1]] = append(t.next[p[0]], there), append(t.next[p[1]], back)
	from, to := t.root[p[1]], t.root[p[0]]
	for j := range t.root {
		if t.root[j] == from {
			t.root[j] = to
		}
	}
}

// part returns W_ax/W_a, the share of value x of this column among the records with value a of the column it comes
// from.
func (b *branch) part(a, x uint32) float64 {
	row := b.rows[a]
	k, ok := slices.BinarySearchFunc(row, x, func(y pairSum, x uint32) int { return cmp.Compare(y.b, x) })
	if !ok {
		return 0
	}
	sum := row[k].sum
	if k > 0 {
		sum -= row[k-1].sum
	}
	return sum / row[len(row)-1].sum
}

// walk visits the columns, each tree from its root, with the branch that leads to each.
func (t *forest) walk(visit func(j, from int, by *branch)) {
	var follow func(j, from int)
	follow = func(j, from int) {
		for k := range t.next[j] {
			if b := &t.next[j][k]; b.to != from {
				visit(b.to, j, b)
				follow(b.to, j)
			}
		}
	}
	for j, r := range t.root {
		if r == j {
			visit(j, -1, nil)
			follow(j, -1)
		}
	}
}

// model computes λ of each class and the test statistics.
func (t *forest) model() *logLinear {
	m := &logLinear{pairs: slices.Clone(t.pairs), share: t.share, lambda: make([]float64, len(t.f))}
	type step struct {
		j, from int
		by      *branch
	}
	var steps []step
	t.walk(func(j, from int, by *branch) { steps = append(steps, step{j, from, by}) })
	tuple := make([]uint32, len(t.w))
	chance := func() float64 {
		p := 1.0
		for _, s := range steps {
			if s.by == nil {
				p *= t.w[s.j][tuple[s.j]] / t.total
			} else {
				p *= s.by.part(tuple[s.from], tuple[s.j])
			}
		}
		return p
	}
	var b1, b2 []float64
	for g, f := range t.f {
		if f == 0 {
			continue
		}
		for j := range tuple {
			tuple[j] = t.at(g, j)
		}
		m.lambda[g] = t.people * chance()
		at, zero := smoothed(m.lambda[g], t.share, float64(f)), smoothed(m.lambda[g], t.share, 0)
		b1, b2 = append(b1, at[0]-zero[0]), append(b2, at[1]-zero[1])
	}
	upTo := make([][]float64, len(t.w))
	for j, w := range t.w {
		upTo[j] = slices.Clone(w)
		for k := 1; k < len(w); k++ {
			upTo[j][k] += upTo[j][k-1]
		}
	}
	// Sums over the cells with f = 0 are estimated by means over cells drawn from the model, about 100 πn of them:
	// their sampling error is then below a third of √v.
	rng := rand.NewChaCha8([32]byte{})
	uniform := func() float64 { return float64(rng.Uint64()>>11) / (1 << 53) }
	draws := min(max(1<<14, int(100*t.share*t.n)), 1<<19)
	var mean [4]float64
	for range draws {
		for _, s := range steps {
			if s.by == nil {
				k, _ := slices.BinarySearch(upTo[s.j], uniform()*t.total)
				tuple[s.j] = uint32(min(k, len(upTo[s.j])-1))
				continue
			}
			row := s.by.rows[tuple[s.from]]
			k, _ := slices.BinarySearchFunc(row, uniform()*row[len(row)-1].sum, func(y pairSum, x float64) int { return cmp.Compare(y.sum, x) })
			tuple[s.j] = row[min(k, len(row)-1)].b
		}
		p := chance()
		for k, x := range smoothed(t.people*p, t.share, 0) {
			mean[k] += x / p / float64(draws)
		}
	}
	m.smoothing = smoothing{(sum(b1) + mean[0]) / math.Sqrt(mean[2]), (sum(b2) + mean[1]) / math.Sqrt(mean[3]), mean[3]}
	if mean[2] == 0 || mean[3] == 0 { // no cell is rare
		m.smoothing = smoothing{}
	}
	return m
}

// smoothed returns the contributions of a cell to B1 and B2 and to their variances: with μ = πλ and m = (1−π)λ
//
//	B = Σ a (f−μ) + b ((f−μ)²−f),   v = Σ a²μ + 2b²μ²,
//	a₁ = m e^−λ,   b₁ = (1−π) m e^−λ/(2π),   a₂ = e^−μ (r−e^−m),   b₂ = e^−μ (r − e^−m (1+m/2))/μ,   r = (1−e^−m)/m .
//
// B1 is about records unique in sample and population, B2 about the expected number of re-identifications.
func smoothed(lambda, share, f float64) [4]float64 {
	mu, m := float64(share*lambda), float64((1-share)*lambda)
	if m == 0 {
		return [4]float64{}
	}
	e := math.Exp(-lambda)
	a1 := m * e
	b1 := (1 - share) * m * e / (2 * share)
	r, e2 := poissonRisk(1, m), math.Exp(-m)
	a2 := math.Exp(-mu) * (r - e2)
	b2 := math.Exp(-mu) * (r - float64(e2*(1+float64(m/2)))) / mu
	if m < 1e-3 { // the difference, computed without cancellation
		b2 = math.Exp(-mu) * m * m / 6 * (1 - float64(0.75*m)) / mu
	}
	d := f - mu
	q := float64(d*d) - f
	return [4]float64{float64(a1*d) + float64(b1*q), float64(a2*d) + float64(b2*q), float64(a1*a1*mu) + float64(2*b1*b1*mu*mu), float64(a2*a2*mu) + float64(2*b2*b2*mu*mu)}
}

// poissonRisk returns E[1/(f+X)] for X Poisson with mean m: ∫₀¹ y^(f−1) e^(−m(1−y)) dy. For large m it is 1/(f+m) plus
// the next term of its series, with an error of about 10^−5 of it.
func poissonRisk(f uint64, m float64) float64 {
	x := float64(f)
	switch {
	case f == 1 && m > 0:
		return -math.Expm1(-m) / m
	case m > 600:
		return (1 + m/((x+m)*(x+m))) / (x + m)
	}
	total, term := 0.0, math.Exp(-m)
	for j := 0.0; j < m || term > 1e-17*total; j++ {
		total += term / (x + j)
		term *= m / (j + 1)
	}
	return total
}

// poissonBelow returns Pr(f+X < k).
func poissonBelow(k, f, m float64) float64 {
	if m > float64(2*k)+100 {
		return 0
	}
	total, term := 0.0, math.Exp(-m)
	for x := 0.0; f+x < k; x++ {
		total += term
		term *= m / (x + 1)
	}
	return math.Min(1, total)
}
