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

// A Matching is the success of an attacker who uses the fact that different records belong to different persons: every
// assignment of records to persons whose values they may stand for is equally likely, and for each person he takes the
// likeliest record. A record with withheld values fits many persons, but most of these have another record that fits
// nobody else, which looking at each person's candidates by themselves does not show.
type Matching struct {
	Persons  int     // persons who are attacked
	Exact    int     // persons whose chances are exact, not approximated
	Expected float64 // expected re-identifications: the sum of the chances
	Right    float64 // actual re-identifications, if the truth is known; the mean over records that are equally likely
	Largest  float64 // the largest chance; at most one over the number of identical records, none of which is likelier than another
	Many     bool    // there are too many pairs, and nothing else is set
}

// maxPairs bounds the pairs of a class of persons and a class of records that may be theirs; tests lower it.
var maxPairs int64 = 1 << 22

// A pairing holds the possible pairs of persons and records, by classes of equal values.
type pairing struct {
	persons, records []int     // the size of each class
	row              []int32   // by pair: the class of records
	from             []int32   // by class of persons: the index of its first pair
	of               []int32   // by pair: the class of persons
	back             [][]int32 // by class of records: its pairs
	flow             []int     // by pair: records it has in one complete assignment
	expected         []float64 // by pair: records it has on average over all assignments
}

// Match returns the success of a matching of all persons, where Link looks at candidates only. It is nil if some record
// fits nobody or there are more records than persons, and has only Many set if there are too many pairs. If the release
// has fewer records than there are persons, chances are conditional on the person being in it. Records whose original is
// not known count as some person's too; only those known are attacked.
//
// The chance that a person has a record is the share of assignments in which she has it. Pairs that occur in no
// assignment are found by a flow and strongly connected components (Dulmage and Mendelsohn, Coverings of bipartite
// graphs, Canadian Journal of Mathematics 1958); the rest falls apart into independent parts. Parts with few classes
// are counted exactly; for others the chances come from Bethe's approximation of the permanent (Vontobel, The Bethe
// permanent of a nonnegative matrix, IEEE Transactions on Information Theory 2013).
func (c *Candidates) Match(ctx context.Context, of *Records, truth []int32) (*Matching, error) {
	if len(c.of) > of.N {
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
	attacked := make([]int, len(persons)) // persons attacked, by class
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
			if j >= 0 {
				attacked[at[j]]++
				right[at[j]][c.of[i]]++
			}
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

// likeliest returns the classes of the records that are likeliest for a person of class g, and the chance of each of
// these records.
func (p *pairing) likeliest(g, rows int) (chance float64, classes []int32) {
	in := 0.0 // expected number of persons of the class who are in the release
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

// pairs finds which classes may belong together; nil if there are too many. The last class of records stands for
// persons who are not in the release.
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

// fill finds one complete assignment of records to persons, and reports whether there is one. It serves records that
// fit the fewest persons first, and completes the assignment along shortest augmenting paths (Dinic, Soviet Mathematics
// Doklady 1970).
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
	push = func(v int32, most int) int { // pushes flow from v to records without a person
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

// parts labels the strongly connected components of the graph with edges from persons to all their records and from
// records to the persons they are assigned to. A pair occurs in some assignment only if both its ends are in one
// component.
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

// expect computes how many persons of each class have a record of each class on average over all assignments, and for
// which classes of persons that is exact.
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

// mostCounted bounds the work of counting a part exactly: states times pairs times the size of a class.
const mostCounted = 1 << 22

// A side is the persons or the records of a part, by class.
type side struct {
	class []int32 // by pair of the part: the class, numbered from 0
	size  []int
}

// sides returns the two sides of a part.
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

// counted returns the work of counting with states of this side, or more than mostCounted.
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

// count computes the exact average over all assignments of a part, and reports whether the part is small enough. The
// number of assignments with x_pr persons of class p who have a record of class r is proportional to Π 1/x_pr! and, as
// the sums of x are given, to Π λ^x/x! with λ = n_p·m_r/n, which keeps the numbers near one. It proceeds pair by pair;
// the state is how many of each class of one side are left, which determines how many are left of the class of the
// other side that is being served.
func (p *pairing) count(list []int32, both [2]side) bool {
	kept, served := both[0], both[1]
	for _, s := range [][2]side{{kept, served}, {served, kept}} {
		if len(s[0].size) == 1 { // there is only one assignment
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
	sum := make([]int, size) // how many are left in each state, over all classes
	for k, n := range kept.size {
		for x := range size {
			sum[x] += x / stride[k] % (n + 1)
		}
	}
	order := sets.Upto(len(list))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(served.class[a], served.class[b]) })
	type step struct {
		stride, most int
		due          int  // how many must be left once all classes up to that of the pair are served
		last         bool // whether it is the last pair of its class
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
	// each calls do for every state before a pair and every number that the pair may take.
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
	ways := make([][]float64, len(order)+1) // the weight of all ways to reach a state
	ways[0] = make([]float64, size)
	ways[0][size-1] = 1
	for n := range steps {
		next := make([]float64, size)
		each(&steps[n], func(before, after, x int) { next[after] += float64(ways[n][before] * steps[n].weight[x]) })
		scale(next)
		ways[n+1] = next
	}
	on := make([]float64, size) // the weight of all ways from a state to the end
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
		if !(all > 0) { // underflow
			return false
		}
		p.expected[list[i]] = mean / all
		scale(before)
		on = before
	}
	return true
}

// scale divides numbers by the largest of them.
func scale(list []float64) {
	if most := slices.Max(list); most > 0 {
		for i := range list {
			list[i] /= most
		}
	}
}

const (
	rounds  = 300  // the most rounds of messages
	settled = 1e-9 // the relative change below which messages have converged
)

// approximate passes messages between persons and records until they converge. A person of class p sends a record of
// class r
//
//	a_pr = 1/(Σ_s m_s·b_ps − b_pr), and the record answers b_pr = 1/(Σ_q n_q·a_qr − a_pr);
//
// the chance that they belong together is a·b/(1+a·b). A chance is at most one over the number of
// identical records or persons.
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
