package compare

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// An Attacker attacks a release as anonymeter does. The files have the same columns.
//
// Source: Giomi, Boenisch, Wehmeyer and Tasnádi, A unified framework for quantifying privacy risk in synthetic data
// (PoPETs 2023). It differs in this: with as many attacks as records or more every record is attacked once; a control file is
// compared with as many records of the original, where anonymeter fits a correction; a record at two
// missing numbers is at distance 0; records that are alike are not counted once in singling out, and neighbours at one distance are drawn, where anonymeter
// leaves that to its sort; the baseline of an inference is the best guess of one value for all.
type Attacker struct {
	Original, Release *Records
	Control           *Records // nil: none
	Attacks           int      // the most
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

// Linkability is how often an attacker links what he knows of a person in left to what he knows in right,
// two sets of columns: a record of the release is among the k nearest to both. Of records at one distance as many as there is room for
// are drawn, for each set by itself, and Success is what is expected of that. The baseline draws the k records.
func (a *Attacker) Linkability(ctx context.Context, left, right []int, k int) (Attack, error) {
	k = min(k, a.Release.N)
	x, err := a.each(func(of *Records, targets []int32) (float64, error) {
		l, ofL := a.Release.Part(left), of.Part(left)
		r, ofR := a.Release.Part(right), of.Part(right)
		ml, mr := newMetric(ofL, l), newMetric(ofR, r)
		chance := make([]float64, len(targets))
		err := parallel.Do(ctx, len(targets), 0, func(ctx context.Context, n int) error {
			chance[n] = meet(ml.around(ofL, l, targets[n], k), mr.around(ofR, r, targets[n], k))
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

// chance is that of two sets of k records of the release, drawn at random, to meet: 1 − C(n−k,k)/C(n,k).
func (a *Attacker) chance(k int) float64 {
	apart := 1.0
	for i := range k {
		apart *= max(0, float64(a.Release.N-k-i)) / float64(a.Release.N-i)
	}
	return 1 - apart
}

// meet is the chance that two neighbourhoods have a record in common, where those drawn of each are drawn by themselves.
func meet(x, y neighbourhood) float64 {
	if common(x.in, y.in) > 0 {
		return 1
	}
	// Of x.ties i are drawn that y might draw, none that y has; y then draws neither these nor what x has.
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

// hypergeometric is the chance to draw i of a and j of b, and nothing else, of n, without putting back.
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

// Inference is how often an attacker who knows some columns of a person guesses a secret one: he takes that of the
// record of the release nearest by them, the first of several. A number is guessed if it is within tolerance
// times the guess, |g − x| ≤ tolerance·|g|. The baseline guesses the same for everybody, as well as can be: whoever knows no
// more than how the secret is distributed does so without the release.
func (a *Attacker) Inference(ctx context.Context, known []int, secret int, tolerance float64) (Attack, error) {
	baseline := 0.0
	x, err := a.each(func(of *Records, targets []int32) (float64, error) {
		b, r := of.Part(known), a.Release.Part(known)
		m := newMetric(b, r)
		right := make([]bool, len(targets))
		err := parallel.Do(ctx, len(targets), 0, func(ctx context.Context, n int) error {
			right[n] = a.guessed(of, secret, m.closest(b, r, targets[n], 1)[0], targets[n], tolerance)
			return ctx.Err()
		})
		hits := 0.0
		for _, ok := range right {
			if ok {
				hits++
			}
		}
		if of == a.Original {
			baseline = a.best(of, targets, secret, tolerance)
		}
		return hits, err
	})
	x.Baseline = baseline
	return x, err
}

// guessed tells whether the secret of record j of the release is that of record i of a file.
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

// best is how many secrets one value tells that is guessed for all targets: the most frequent, or the number within whose tolerance
// most of them are.
func (a *Attacker) best(of *Records, targets []int32, secret int, tolerance float64) float64 {
	r := of.pick(targets).Part([]int{secret})
	most, x := 0, []float64(nil)
	for _, g := range groups(r) {
		most = max(most, len(g.records))
	}
	for _, v := range r.X[0] {
		if !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	slices.Sort(x)
	for _, v := range slices.Compact(slices.Clone(x)) {
		for _, g := range []float64{v, v / (1 - tolerance), v / (1 + tolerance)} { // an end of the interval of the best guess is a value
			w := float64(tolerance*math.Abs(g)) + float64(slack*math.Abs(g))
			low, _ := slices.BinarySearch(x, g-w)
			high, _ := slices.BinarySearchFunc(x, g+w, func(v, end float64) int {
				if v <= end {
					return -1
				}
				return 1
			})
			most = max(most, high-low)
		}
	}
	return float64(most)
}
