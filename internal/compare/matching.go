package compare

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Matching is what an attacker achieves who uses that the records of a release are those of different persons: each way to give every record a person
// whose values it may stand for is equally likely, and of each person he takes the likeliest record. What is withheld fits many persons, but most of
// them have a record that fits nobody else, which candidates by themselves do not see.
type Matching struct {
	Persons  int     // who are attacked
	Exact    int     // for whom the chances are exact, not approximated
	Expected float64 // re-identifications: the sum of the chances
	Right    float64 // those that there are, where the truth is known, of several likeliest records the mean
	Largest  float64 // of the chances; it is at most one by the number of records alike, as no one of them is likelier than another
	Many     bool    // too many pairs: nothing else is said
}

// maxPairs bounds the pairs of a class of persons and a class of records that may be theirs; tests set it lower.
var maxPairs int64 = 1 << 22

// A pairing has persons and records by classes: all of a class have the same values.
type pairing struct {
	persons, records []int     // how many are in each class
	row              []int32   // by pair: the class of records
	from             []int32   // by class of persons: its first pair
	of               []int32   // by pair: the class of persons
	back             [][]int32 // by class of records: its pairs
	flow             []int     // by pair: records in a way to give all a person
	expected         []float64 // by pair: records, mean of all ways
}

// Match says what is achieved by the whole matching, of whom Link says by candidates; nil where a record can be no known person's or there are more records
// than persons, and nothing but Many where there are too many pairs. Of a release that has fewer records than there are persons the chance is that under the condition that the
// person is in it.
//
// The chance that a person has a record is the share of the ways in which she has it. Pairs that are in no way are found by flow and strongly connected
// components (Dulmage and Mendelsohn, Coverings of bipartite graphs, Canadian Journal of Mathematics 1958), which fall apart into parts that have nothing to do
// with each other. Parts with few classes are counted exactly; of others the chances are those of Bethe's approximation of the permanent (Vontobel, The Bethe
// permanent of a nonnegative matrix, IEEE Transactions on Information Theory 2013).
func (c *Candidates) Match(ctx context.Context, of *Records, truth []int32) (*Matching, error) {
	if len(c.of) > of.N || slices.ContainsFunc(truth, func(j int32) bool { return j < 0 }) {
		return nil, nil
	}
	persons := of.alike(c.columns)
	p, err := c.pairs(ctx, of, persons)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return &Matching{Many: true}, nil
	}
	if !p.fill() {
		return nil, nil
	}
	exact, err := p.expect(ctx)
	if err != nil {
		return nil, err
	}
	attacked := make([]int, len(persons)) // who are attacked, by class
	right := make([]map[int32]int, len(persons))
	for g := range persons {
		attacked[g], right[g] = len(persons[g].records), map[int32]int{}
	}
	if truth != nil {
		at := make([]int32, of.N)
		for g := range persons {
			attacked[g] = 0
			for _, i := range persons[g].records {
				at[i] = int32(g)
			}
		}
		for i, j := range truth {
			attacked[at[j]]++
			right[at[j]][c.of[i]]++
		}
	}
	m := &Matching{}
	for g, n := range attacked {
		if n == 0 {
			continue
		}
		m.Persons += n
		if exact[g] {
			m.Exact += n
		}
		chance, likeliest := p.likeliest(g, len(c.groups))
		m.Largest = max(m.Largest, chance)
		m.Expected += float64(float64(n) * chance)
		records, hits := 0, 0
		for _, r := range likeliest {
			records += p.records[r]
			hits += right[g][r]
		}
		m.Right += float64(hits) / float64(max(1, records))
	}
	return m, nil
}

// likeliest are the classes of records of which one is the likeliest for a person of class g, and the chance of each of their records.
func (p *pairing) likeliest(g, rows int) (chance float64, classes []int32) {
	in := 0.0 // persons of the class who are in the release
	for e := p.from[g]; e < p.from[g+1]; e++ {
		if int(p.row[e]) < rows {
			in += p.expected[e]
		}
	}
	if in == 0 {
		return 0, nil
	}
	for e := p.from[g]; e < p.from[g+1]; e++ {
		r := p.row[e]
		if int(r) == rows {
			continue
		}
		n := float64(p.records[r])
		x := min(p.expected[e]/in/n, 1/n)
		switch {
		case x > chance*(1+slack):
			chance, classes = x, append(classes[:0], r)
		case x >= chance*(1-slack):
			classes = append(classes, r)
		}
	}
	return chance, classes
}

// pairs finds which classes go together; nil where there are too many. Persons who are not in the release have a class of records of their own, the last.
func (c *Candidates) pairs(ctx context.Context, of *Records, persons []group) (*pairing, error) {
	rows := make([][]int32, len(persons))
	var all atomic.Int64
	err := parallel.Do(ctx, len(persons), 0, func(ctx context.Context, g int) error {
		c.each(of, persons[g].records[0], func(row int) {
			if all.Add(1) <= maxPairs {
				rows[g] = append(rows[g], int32(row))
			}
		})
		return ctx.Err()
	})
	if err != nil || all.Load() > maxPairs {
		return nil, err
	}
	p := &pairing{from: []int32{0}}
	for _, g := range c.groups {
		p.records = append(p.records, len(g))
	}
	absent := of.N - len(c.of)
	if absent > 0 {
		p.records = append(p.records, absent)
	}
	p.back = make([][]int32, len(p.records))
	for g := range persons {
		if absent > 0 {
			rows[g] = append(rows[g], int32(len(c.groups)))
		}
		p.persons = append(p.persons, len(persons[g].records))
		for _, r := range rows[g] {
			p.back[r] = append(p.back[r], int32(len(p.row)))
			p.row, p.of = append(p.row, r), append(p.of, int32(g))
		}
		p.from = append(p.from, int32(len(p.row)))
	}
	return p, nil
}

// fill finds one way to give every record a person, and says whether there is one. Records that fit the fewest are given first, what is left by augmenting
// along shortest paths (Dinic, Soviet Mathematics Doklady 1970).
func (p *pairing) fill() bool {
	p.flow = make([]int, len(p.row))
	left, right := slices.Clone(p.persons), slices.Clone(p.records)
	order := sets.Upto(len(right))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(p.back[a]), len(p.back[b])) })
	open := 0
	for _, r := range order {
		for _, e := range p.back[r] {
			x := min(right[r], left[p.of[e]])
			p.flow[e] = x
			right[r] -= x
			left[p.of[e]] -= x
		}
		open += right[r]
	}
	n := len(left)
	level, next := make([]int32, n+len(right)), make([]int32, n+len(right))
	var push func(v int32, most int) int
	push = func(v int32, most int) int { // from v to records without a person
		if v >= int32(n) {
			r := v - int32(n)
			if x := min(most, right[r]); x > 0 {
				right[r] -= x
				return x
			}
			for ; int(next[v]) < len(p.back[r]); next[v]++ {
				e := p.back[r][next[v]]
				if w := p.of[e]; p.flow[e] > 0 && level[w] == level[v]+1 {
					if x := push(w, min(most, p.flow[e])); x > 0 {
						p.flow[e] -= x
						return x
					}
				}
			}
			return 0
		}
		for ; next[v] < p.from[v+1]-p.from[v]; next[v]++ {
			e := p.from[v] + next[v]
			if w := p.row[e] + int32(n); level[w] == level[v]+1 {
				if x := push(w, most); x > 0 {
					p.flow[e] += x
					return x
				}
			}
		}
		return 0
	}
	for open > 0 {
		var queue []int32
		for v := range level {
			level[v] = -1
			if v < n && left[v] > 0 {
				level[v] = 0
				queue = append(queue, int32(v))
			}
		}
		visit := func(w, from int32) {
			if level[w] < 0 {
				level[w] = level[from] + 1
				queue = append(queue, w)
			}
		}
		for at := 0; at < len(queue); at++ {
			if v := queue[at]; v >= int32(n) {
				for _, e := range p.back[v-int32(n)] {
					if p.flow[e] > 0 {
						visit(p.of[e], v)
					}
				}
			} else {
				for e := p.from[v]; e < p.from[v+1]; e++ {
					visit(p.row[e]+int32(n), v)
				}
			}
		}
		clear(next)
		before := open
		for v := range n {
			for left[v] > 0 {
				x := push(int32(v), left[v])
				if x == 0 {
					break
				}
				left[v] -= x
				open -= x
			}
		}
		if open == before {
			return false
		}
	}
	return true
}

// parts labels the strongly connected components of the graph that leads from persons to all their records and from records to their persons of the flow.
// Only pairs within one of them are in some way.
func (p *pairing) parts() (part []int32, count int32) {
	n := int32(len(p.persons))
	return sets.Strong(n+int32(len(p.records)), func(v, k int32) (w int32, more bool) {
		if v < n {
			if e := p.from[v] + k; e < p.from[v+1] {
				return p.row[e] + n, true
			}
			return -1, false
		}
		if int(k) >= len(p.back[v-n]) {
			return -1, false
		}
		if e := p.back[v-n][k]; p.flow[e] > 0 {
			return p.of[e], true
		}
		return -1, true
	})
}

// expect finds how many persons of each class have a record of each class in the mean of all ways, and says for which classes of persons that is exact.
func (p *pairing) expect(ctx context.Context) (exact []bool, err error) {
	part, count := p.parts()
	n := int32(len(p.persons))
	p.expected = make([]float64, len(p.row))
	from, pairs := sets.Grouped(int(count), func(put func(int32, int32)) {
		for e := range p.row {
			if g := p.of[e]; part[g] == part[p.row[e]+n] {
				put(part[g], int32(e))
			}
		}
	})
	exact = make([]bool, n)
	err = parallel.Do(ctx, int(count), 0, func(ctx context.Context, c int) error {
		list := pairs[from[c]:from[c+1]]
		if len(list) == 0 {
			return nil
		}
		both := p.sides(list)
		sure := p.count(list, both)
		if !sure {
			if err := p.approximate(ctx, list, both); err != nil {
				return err
			}
		}
		for _, e := range list {
			exact[p.of[e]] = sure
		}
		return ctx.Err()
	})
	return exact, err
}

// mostCounted bounds states times pairs times persons or records of a class in a part that is counted.
const mostCounted = 1 << 22

// A side is the persons or the records of a part, by class.
type side struct {
	class []int32 // by pair of the part, from 0
	size  []int
}

// sides are those of a part.
func (p *pairing) sides(list []int32) [2]side {
	var both [2]side
	for s, from := range []side{{p.of, p.persons}, {p.row, p.records}} {
		at := map[int32]int32{}
		for _, e := range list {
			k, ok := at[from.class[e]]
			if !ok {
				k = int32(len(at))
				at[from.class[e]] = k
				both[s].size = append(both[s].size, from.size[from.class[e]])
			}
			both[s].class = append(both[s].class, k)
		}
	}
	return both
}

// counted is what it costs to count with states of this side, or more than mostCounted.
func (s side) counted() int {
	n := len(s.class) * slices.Max(s.size)
	for _, x := range s.size {
		if n > mostCounted {
			break
		}
		n *= x + 1
	}
	return n
}

// count finds the mean of all ways in a part exactly, and says whether it is small enough for that. The number of ways with x_pr persons of class p who have a
// record of class r is proportional to Π 1/x_pr!, and, as the sums of x are given, to Π λ^x/x! with λ = n_p·m_r/n, which are numbers near one. Pair by pair, the
// state is how many of each class of one side are left: that tells how many are of the class of the other side that is being served.
func (p *pairing) count(list []int32, both [2]side) bool {
	kept, served := both[0], both[1]
	for _, s := range [][2]side{{kept, served}, {served, kept}} {
		if len(s[0].size) == 1 { // there is one way
			for i, e := range list {
				p.expected[e] = float64(s[1].size[s[1].class[i]])
			}
			return true
		}
	}
	if served.counted() < kept.counted() {
		kept, served = served, kept
	}
	if kept.counted() > mostCounted {
		return false
	}
	stride := []int{1}
	total := 0
	for k, n := range kept.size {
		stride = append(stride, stride[k]*(n+1))
		total += n
	}
	size := stride[len(kept.size)]
	sum := make([]int, size) // left, of all classes of the state
	for k, n := range kept.size {
		for x := range size {
			sum[x] += x / stride[k] % (n + 1)
		}
	}
	order := sets.Upto(len(list))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(served.class[a], served.class[b]) })
	type step struct {
		stride, most int
		due          int  // left in the state when all classes up to that of the pair are served
		last         bool // pair of its class
		weight       []float64
	}
	steps := make([]step, len(order))
	done := 0
	for n, i := range order {
		r := served.class[i]
		if n == 0 || r != served.class[order[n-1]] {
			done += served.size[r]
		}
		k := kept.class[i]
		s := step{stride: stride[k], most: kept.size[k], due: total - done, last: n+1 == len(order) || served.class[order[n+1]] != r}
		lambda := float64(s.most) * float64(served.size[r]) / float64(total)
		for x := range min(s.most, served.size[r]) + 1 {
			lg, _ := math.Lgamma(float64(x) + 1)
			s.weight = append(s.weight, math.Exp(float64(float64(x)*math.Log(lambda))-lambda-lg))
		}
		steps[n] = s
	}
	// each does what is asked for with each state before a pair and each number of it.
	each := func(s *step, do func(before, after, x int)) {
		for before := range size {
			open := sum[before] - s.due
			least := 0
			if s.last {
				least = max(0, open)
			}
			for x := least; x <= min(before/s.stride%(s.most+1), open, len(s.weight)-1); x++ {
				do(before, before-x*s.stride, x)
			}
		}
	}
	ways := make([][]float64, len(order)+1) // to come to a state
	ways[0] = make([]float64, size)
	ways[0][size-1] = 1
	for n := range steps {
		next := make([]float64, size)
		each(&steps[n], func(before, after, x int) { next[after] += float64(ways[n][before] * steps[n].weight[x]) })
		scale(next)
		ways[n+1] = next
	}
	on := make([]float64, size) // to come from a state to the end
	on[0] = 1
	for n, i := range slices.Backward(order) {
		before := make([]float64, size)
		all, mean := 0.0, 0.0
		each(&steps[n], func(s, after, x int) {
			w := on[after] * steps[n].weight[x]
			before[s] += w
			w *= ways[n][s]
			all += w
			mean += float64(w * float64(x))
		})
		if !(all > 0) { // too small for a number
			return false
		}
		p.expected[list[i]] = mean / all
		scale(before)
		on = before
	}
	return true
}

// scale divides numbers by the largest.
func scale(list []float64) {
	if most := slices.Max(list); most > 0 {
		for i := range list {
			list[i] /= most
		}
	}
}

const (
	rounds  = 300  // of messages
	settled = 1e-9 // relative change of a message
)

// approximate has messages go to and fro between persons and records until they settle. A person of class p tells a record of class r
//
//	a_pr = 1/(Σ_s m_s·b_ps − b_pr), and that her b_pr = 1/(Σ_q n_q·a_qr − a_pr);
//
// the chance that they belong together is a·b/(1+a·b). It is at most one by the number of records or persons alike.
func (p *pairing) approximate(ctx context.Context, list []int32, both [2]side) error {
	a, b := make([]float64, len(list)), make([]float64, len(list))
	for i := range b {
		b[i] = 1
	}
	pass := func(to, from []float64, by, other side) (change float64) {
		sum := make([]float64, len(by.size))
		for i, k := range by.class {
			sum[k] += float64(float64(other.size[other.class[i]]) * from[i])
		}
		for i, k := range by.class {
			x := 1 / max(sum[k]-from[i], 1e-9*sum[k])
			change = max(change, math.Abs(x-to[i])/x)
			to[i] = x
		}
		return change
	}
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		change := pass(a, b, both[0], both[1])
		if change = max(change, pass(b, a, both[1], both[0])); change < settled {
			break
		}
	}
	for i, e := range list {
		n, m := float64(both[0].size[both[0].class[i]]), float64(both[1].size[both[1].class[i]])
		x := a[i] * b[i]
		p.expected[e] = min(n*m*(x/(1+x)), n, m)
	}
	return nil
}
