package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawnPairing has n persons of which as many as there are records are in the release, with compatibility and one way drawn.
func drawnPairing(rng *rand.Rand, n, kinds int, share float64) *pairing {
	p := &pairing{}
	class := make([]int, n)
	for i := range class {
		class[i] = rng.IntN(kinds)
	}
	row := make([]int, n)
	for i := range row {
		row[i] = rng.IntN(kinds)
	}
	slices.Sort(class)
	fits := map[[2]int]bool{}
	for i, j := range rng.Perm(n) {
		fits[[2]int{class[i], row[j]}] = true
	}
	for g := range kinds {
		for r := range kinds {
			if rng.Float64() < share {
				fits[[2]int{g, r}] = true
			}
		}
	}
	p.persons, p.records, p.back, p.from = make([]int, kinds), make([]int, kinds), make([][]int32, kinds), []int32{0}
	for i := range n {
		p.persons[class[i]]++
		p.records[row[i]]++
	}
	for g := range kinds {
		for r := range kinds {
			if fits[[2]int{g, r}] {
				p.back[r] = append(p.back[r], int32(len(p.row)))
				p.row, p.of = append(p.row, int32(r)), append(p.of, int32(g))
			}
		}
		p.from = append(p.from, int32(len(p.row)))
	}
	return p
}

// allWays gives every record a person in all ways there are, one by one, and says how many persons of each class have a record of each in their mean.
func allWays(p *pairing) (mean []float64, ways int) {
	var person, record []int32 // classes, of each
	for g, n := range p.persons {
		for range n {
			person = append(person, int32(g))
		}
	}
	for r, n := range p.records {
		for range n {
			record = append(record, int32(r))
		}
	}
	pair := map[[2]int32]int{}
	for e := range p.row {
		pair[[2]int32{p.of[e], p.row[e]}] = e
	}
	count := make([]int, len(p.row))
	taken := make([]bool, len(record))
	var chosen []int
	var walk func(i int)
	walk = func(i int) {
		if i == len(person) {
			ways++
			for _, e := range chosen {
				count[e]++
			}
			return
		}
		for j := range record {
			if e, ok := pair[[2]int32{person[i], record[j]}]; ok && !taken[j] {
				taken[j] = true
				chosen = append(chosen, e)
				walk(i + 1)
				chosen = chosen[:i]
				taken[j] = false
			}
		}
	}
	walk(0)
	for _, n := range count {
		mean = append(mean, float64(n)/float64(ways))
	}
	return mean, ways
}

// The chances are those of all ways counted one by one; those of messages are near, and none is above one by the number of records or persons alike.
func TestWaysCounted(t *testing.T) {
	t.Parallel()
	furthest, sum, pairs, never := 0.0, 0.0, 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 71))
		p := drawnPairing(rng, 3+rng.IntN(5), 2+rng.IntN(5), 0.3*rng.Float64())
		want, ways := allWays(p)
		if !p.fill() || ways == 0 {
			t.Fatalf("%d: no way is found of %d", seed, ways)
		}
		exact, err := p.expect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for e, x := range want {
			if p.persons[p.of[e]] > 0 && !exact[p.of[e]] || math.Abs(p.expected[e]-x) > 1e-9 {
				t.Fatalf("%d: pair %d: %g, want %g", seed, e, p.expected[e], x)
			}
		}
		part, _ := p.parts()
		var list [][]int32
		list = append(list, make([][]int32, len(part))...)
		for e := range p.row {
			if part[p.of[e]] == part[p.row[e]+int32(len(p.persons))] {
				list[part[p.of[e]]] = append(list[part[p.of[e]]], int32(e))
			} else if never++; want[e] != 0 {
				t.Fatalf("%d: pair %d is taken for one that cannot be", seed, e)
			}
		}
		for _, l := range list {
			if len(l) == 0 {
				continue
			}
			if both := p.sides(l); len(both[0].size) > 1 && len(both[1].size) > 1 {
				if err := p.approximate(t.Context(), l, both); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range l {
				n, m := float64(p.persons[p.of[e]]), float64(p.records[p.row[e]])
				d := math.Abs(p.expected[e]-want[e]) / n / m
				furthest, sum, pairs = max(furthest, d), sum+d, pairs+1
				if p.expected[e] > min(n, m) {
					t.Fatalf("%d: pair %d: %g of %g and %g", seed, e, p.expected[e], n, m)
				}
			}
		}
	}
	t.Logf("chances by messages are %.4f off in the mean and %.3f at most; %d pairs that cannot be", sum/float64(pairs), furthest, never)
	if sum/float64(pairs) > 0.02 || furthest > 0.2 || never == 0 {
		t.Errorf("messages are %g off in the mean, %g at most; %d pairs cannot be", sum/float64(pairs), furthest, never)
	}
}

// Files that cannot be one another's are refused, as by Hall's theorem.
func TestNoWay(t *testing.T) {
	t.Parallel()
	none := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 72))
		p := drawnPairing(rng, 3+rng.IntN(4), 3, 0)
		for range 2 { // a record and a person change class
			if a, b := rng.IntN(3), rng.IntN(3); p.records[a] > 0 {
				p.records[a]--
				p.records[b]++
			}
		}
		_, ways := allWays(p)
		if p.fill() != (ways > 0) {
			t.Fatalf("%d: %d ways", seed, ways)
		}
		if ways == 0 {
			none++
		}
	}
	if none == 0 || none == 400 {
		t.Errorf("%d of 400 have no way", none)
	}
}

// Files have values withheld at random, are shuffled and sampled: of persons who are in the release as many are found as the chances say, and no chance is above one by
// the number of records alike.
func TestMatch(t *testing.T) {
	t.Parallel()
	var expected, right, byCandidates float64
	persons, exact := 0, 0
	const star = 20
	within := make([][]uint32, star)
	for v := range uint32(star) {
		within[v] = []uint32{v, star}
	}
	meaning := &Meaning{Kind: Sets, within: within, size: map[uint32]int{star: star}}
	meanings := []*Meaning{meaning, meaning, meaning}
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 73))
		n, values := 20+rng.IntN(200), 2+rng.IntN(8)
		original := &Records{N: n, X: make([][]float64, 3)}
		for range 3 {
			list := make([]uint32, n)
			for i := range list {
				list[i] = uint32(rng.IntN(values))
			}
			original.ID = append(original.ID, list)
		}
		truth := shuffled(rng, n)[:n-rng.IntN(2)*rng.IntN(n/2)]
		release := original.pick(truth)
		for k, list := range release.ID {
			release.ID[k] = slices.Clone(list)
			for i := range list {
				if rng.IntN(4) == 0 {
					release.ID[k][i] = star
				}
			}
		}
		c := NewCandidates(release, meanings, []int{0, 1, 2})
		m, err := c.Match(t.Context(), original, truth)
		if err != nil {
			t.Fatal(err)
		}
		l, err := c.Link(t.Context(), original, truth)
		if err != nil {
			t.Fatal(err)
		}
		fewest := n
		for _, g := range c.groups {
			fewest = min(fewest, len(g))
		}
		if m.Persons != len(truth) || m.Largest > 1/float64(fewest)+1e-12 {
			t.Fatalf("%d: %+v of %d persons, where %d records are alike", seed, m, len(truth), fewest)
		}
		expected, right, byCandidates = expected+m.Expected, right+m.Right, byCandidates+l.Expected
		persons, exact = persons+m.Persons, exact+m.Exact
	}
	t.Logf("of %d persons, %d exactly: %.1f expected, %.1f right, %.1f by candidates", persons, exact, expected, right, byCandidates)
	if math.Abs(expected-right) > 0.05*right || right < byCandidates {
		t.Errorf("%.1f expected, %.1f right, %.1f by candidates", expected, right, byCandidates)
	}
}

// TestManyPairs wants it said where there are too many pairs. It is not parallel to others, whose bound it would lower.
func TestManyPairs(t *testing.T) {
	records := &Records{N: 3, X: make([][]float64, 1), ID: [][]uint32{{0, 1, 2}}}
	c := NewCandidates(records, []*Meaning{{Kind: Sets, within: [][]uint32{{0}, {1}, {2}}}}, []int{0})
	defer func(most int64) { maxPairs = most }(maxPairs)
	for most, want := range map[int64]bool{2: true, 3: false} {
		maxPairs = most
		if m, err := c.Match(t.Context(), records, nil); err != nil || m == nil || m.Many != want || want != (m.Persons == 0) {
			t.Errorf("at most %d pairs: %+v, %v", most, m, err)
		}
	}
}
