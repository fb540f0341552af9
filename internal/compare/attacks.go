package compare

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// An Attacker attacks a release as anonymeter does. All files have the same columns.
//
// Source: Giomi, Boenisch, Wehmeyer and Tasnádi, A unified framework for quantifying privacy risk in synthetic data
// (PoPETs 2023). It differs from anonymeter as follows. If there are at least as many attacks as records, every record
// is attacked once. A control file is compared with equally many records of the original, where anonymeter fits a
// correction. Two missing numbers are at distance 0. Records that are alike do not count as one in singling out.
// Neighbours at equal distance are drawn, where anonymeter leaves the choice to its sort. It is known what released
// values stand for. The baseline of an inference is the best single guess for all.
type Attacker struct {
	Original, Release *Records
	Control           *Records    // nil if there is none
	Candidates        *Candidates // the records that may be a person's; nil to take the nearest ones
	Attacks           int         // at most
	RNG               *rand.Rand
}

// targets draws the records of a file that are attacked.
func (a *Attacker) targets(of *Records) []int32 { return Draw(of.N, a.Attacks, a.RNG) }

// each runs an attack on the targets of the original and of the control file.
func (a *Attacker) each(attack func(of *Records, targets []int32) (float64, error)) (x Attack, err error) {
	targets := a.targets(a.Original)
	x.N = len(targets)
	if x.Success, err = attack(a.Original, targets); err != nil || a.Control == nil {
		return x, err
	}
	targets = a.targets(a.Control)
	success, err := attack(a.Control, targets)
	x.Control, x.ControlN = &success, len(targets)
	return x, err
}

// Linkability measures how often an attacker links what he knows of a person in the columns left to what he knows in
// the columns right: some record of the release is among the k nearest by both. Among records at equal distance as many
// as there is room for are drawn, independently for each set of columns, and Success is the expectation. For the
// baseline the k records are drawn at random.
func (a *Attacker) Linkability(ctx context.Context, left, right []int, k int) (Attack, error) {
	k = min(k, a.Release.N)
	x, err := a.each(func(of *Records, targets []int32) (float64, error) {
		l, ofL := a.Release.Part(left), of.Part(left)
		r, ofR := a.Release.Part(right), of.Part(right)
		ml, mr := newMetric(ofL, l).amongAll(ofL, l), newMetric(ofR, r).amongAll(ofR, r)
		chance := make([]float64, len(targets))
		err := parallel.Do(ctx, len(targets), 0, func(ctx context.Context, n int) error {
			chance[n] = meet(ml.around(targets[n], k), mr.around(targets[n], k))
			return ctx.Err()
		})
		linked := 0.0
		for _, p := range chance {
			linked += p
		}
		return linked, err
	})
	if err == nil {
		x.Baseline = float64(x.N) * a.chance(k)
	}
	return x, err
}

// chance returns the chance that two random sets of k records of the release meet: 1 − C(n−k,k)/C(n,k).
func (a *Attacker) chance(k int) float64 {
	apart := 1.0
	for i := range k {
		apart *= max(0, float64(a.Release.N-k-i)) / float64(a.Release.N-i)
	}
	return 1 - apart
}

// meet returns the chance that two neighbourhoods have a record in common when the ties of each are drawn
// independently.
func meet(x, y neighbourhood) float64 {
	if common(x.in, y.in) > 0 {
		return 1
	}
	// Suppose x draws i of the ties they share, and none that y has for certain; y must then draw neither these nor
	// what x has.
	shared, hers, his := common(x.ties, y.ties), common(x.ties, y.in), common(y.ties, x.in)
	apart := 0.0
	for i := range min(shared, x.drawn) + 1 {
		p := hypergeometric(len(x.ties), shared, len(x.ties)-shared-hers, i, x.drawn-i)
		for j := range y.drawn {
			p *= max(0, float64(len(y.ties)-his-i-j)) / float64(len(y.ties)-j)
		}
		apart += p
	}
	return 1 - apart
}

// hypergeometric returns the chance of drawing i of a, j of b and nothing else out of n, without replacement.
func hypergeometric(n, a, b, i, j int) float64 {
	p := 1.0
	for k := range i {
		p *= max(0, float64(a-k)) * float64(i+j-k) / float64(k+1) / float64(n-k)
	}
	for k := range j {
		p *= max(0, float64(b-k)) / float64(n-i-k)
	}
	return p
}

// common counts the numbers that two lists in ascending order have in common.
func common(a, b []int32) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n, a, b = n+1, a[1:], b[1:]
		}
	}
	return n
}

// Inference measures how often an attacker who knows some columns of a person guesses a secret one. He takes the most
// frequent value among her candidates or, if she has none or what he knows is perturbed, among the nearest records of
// the release. Ties are drawn, and Success is the expectation. A number is guessed if |g − x| ≤ tolerance·|g|, and a
// set if the value is in it; one that stands for every value is no guess. The baseline is the best single guess for
// everybody: whoever knows only how the secret is distributed can make it without the release, and so can an attacker
// to whom the release tells nothing.
func (a *Attacker) Inference(ctx context.Context, known []int, secret int, tolerance float64) (Attack, error) {
	baseline := 0.0
	all := groups(a.Release.Part([]int{secret}))
	code := make([]int32, a.Release.N) // by record of the release: the group of its secret value
	for g, x := range all {
		for _, j := range x.records {
			code[j] = int32(g)
		}
	}
	exact := a.Candidates
	if exact != nil && !exact.all(len(known)) {
		exact = nil
	}
	x, err := a.each(func(of *Records, targets []int32) (float64, error) {
		b, r := of.Part(known), a.Release.Part(known)
		m := newMetric(b, r).amongAll(b, r)
		best := a.best(of, targets, secret, tolerance)
		right := make([]float64, len(targets))
		err := parallel.Do(ctx, len(targets), 0, func(ctx context.Context, n int) error {
			i := targets[n]
			count := map[int32]int{}
			if exact != nil {
				exact.each(of, i, func(row int) {
					for _, j := range exact.groups[row] {
						count[code[j]]++
					}
				})
			}
			if len(count) == 0 {
				for _, j := range m.around(i, 1).ties {
					count[code[j]]++
				}
			}
			right[n] = a.guess(of, secret, i, count, all, best, tolerance)
			return ctx.Err()
		})
		hits := 0.0
		for _, p := range right {
			hits += p
		}
		if of == a.Original {
			baseline = float64(best.right)
		}
		return hits, err
	})
	x.Baseline = baseline
	return x, err
}

// guess returns the chance that the secret of record i is guessed right from its candidates, counted by their secret
// values.
func (a *Attacker) guess(of *Records, secret int, i int32, count map[int32]int, all []group, best bestGuess, tolerance float64) float64 {
	most, ties, right := 0, 0, 0
	x := a.Release.X[secret]
	var sorted []float64 // the different numbers of the candidates
	sums := []int{0}
	if x != nil && tolerance > 0 {
		at := map[float64]int{}
		for g, n := range count {
			if v := x[all[g].records[0]]; !math.IsNaN(v) {
				at[v] += n
			}
		}
		sorted = slices.Sorted(maps.Keys(at))
		for _, v := range sorted {
			sums = append(sums, sums[len(sums)-1]+at[v])
		}
	}
	for g, n := range count {
		j := all[g].records[0]
		if a.vacuous(secret, j) {
			continue
		}
		if len(sorted) > 0 && !math.IsNaN(x[j]) {
			w := tolerance * math.Abs(x[j])
			n = sums[sort.Search(len(sorted), func(n int) bool { return sorted[n]-x[j] > w })] - sums[sort.Search(len(sorted), func(n int) bool { return x[j]-sorted[n] <= w })]
		}
		if n > most {
			most, ties, right = n, 0, 0
		}
		if n == most {
			ties++
			if a.guessed(of, secret, j, i, tolerance) {
				right++
			}
		}
	}
	if ties == 0 {
		if best.holds(i) {
			return 1
		}
		return 0
	}
	return float64(right) / float64(ties)
}

// vacuous reports whether the secret of record j of the release stands for every value.
func (a *Attacker) vacuous(secret int, j int32) bool {
	m := a.Release.meanings
	return m != nil && m[secret] != nil && m[secret].any[a.Release.ID[secret][j]]
}

// guessed reports whether the secret of record j of the release guesses that of record i of a file.
func (a *Attacker) guessed(of *Records, secret int, j, i int32, tolerance float64) bool {
	if same(of, a.Release, secret, i, j) {
		return true
	}
	if of.X[secret] == nil {
		return false
	}
	g, x := a.Release.X[secret][j], of.X[secret][i]
	return math.Abs(g-x) <= tolerance*math.Abs(g)
}

// A bestGuess is a single value guessed for everybody: for how many targets it is right, and for which records.
type bestGuess struct {
	right int
	holds func(i int32) bool
}

// best returns the guess that is right for most targets: the most frequent value, the number within whose tolerance
// most of them lie, or the set that most are in.
func (a *Attacker) best(of *Records, targets []int32, secret int, tolerance float64) (b bestGuess) {
	take := func(n int, holds func(i int32) bool) {
		if n > b.right {
			b = bestGuess{n, holds}
		}
	}
	b.holds = func(int32) bool { return false }
	r := of.pick(targets).Part([]int{secret})
	for _, g := range groups(r) {
		first := targets[g.records[0]]
		take(len(g.records), func(i int32) bool { return same(of, of, secret, i, first) })
	}
	if m := a.Release.meanings; m != nil && m[secret] != nil {
		count := map[uint32]int{}
		for _, id := range r.ID[0] {
			for _, v := range m[secret].of(id) {
				count[v]++
			}
		}
		for _, v := range slices.Sorted(maps.Keys(count)) {
			if !m[secret].any[v] {
				take(count[v], func(i int32) bool { return m[secret].holds(of.ID[secret][i], v) })
			}
		}
	}
	x := sets.Where(r.X[0], func(v float64) bool { return !math.IsNaN(v) })
	slices.Sort(x)
	for _, v := range slices.Compact(slices.Clone(x)) {
		for _, g := range []float64{v, v / (1 - tolerance), v / (1 + tolerance)} { // the interval of some best guess ends at a value
			w := float64(tolerance*math.Abs(g)) + float64(slack*math.Abs(g))
			low, _ := slices.BinarySearch(x, g-w)
			high, _ := slices.BinarySearchFunc(x, g+w, func(v, end float64) int {
				if v <= end {
					return -1
				}
				return 1
			})
			take(high-low, func(i int32) bool { return math.Abs(of.X[secret][i]-g) <= w })
		}
	}
	return b
}
