package compare

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/parallel"
)

// An Attacker attacks a release as anonymeter does. The files have the same columns.
//
// Source: Giomi, Boenisch, Wehmeyer and Tasnádi, A unified framework for quantifying privacy risk in synthetic data
// (PoPETs 2023). It differs in this: with as many attacks as records or more every record is attacked once; a control file is
// compared with as many records of the original, where anonymeter fits a correction; a record at two
// missing numbers is at distance 0.
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
// two sets of columns: a record of the release is among the k nearest to both. The baseline draws the k records.
func (a *Attacker) Linkability(ctx context.Context, left, right []int, k int) (Attack, error) {
	k = min(k, a.Release.N)
	x, err := a.each(func(of *Records, targets []int32) (float64, error) {
		near := func(columns []int) ([][]int32, error) {
			b, r := of.Part(columns), a.Release.Part(columns)
			m := newMetric(b, r)
			list := make([][]int32, len(targets))
			err := parallel.Do(ctx, len(targets), 0, func(ctx context.Context, n int) error {
				list[n] = m.closest(b, r, targets[n], k)
				return ctx.Err()
			})
			return list, err
		}
		l, err := near(left)
		if err != nil {
			return 0, err
		}
		r, err := near(right)
		if err != nil {
			return 0, err
		}
		linked := 0.0
		for n := range targets {
			if meet(l[n], r[n]) {
				linked++
			}
		}
		return linked, nil
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

// meet tells whether two lists have a number in common.
func meet(a, b []int32) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// Inference is how often an attacker who knows some columns of a person guesses a secret one: he takes that of the
// record of the release nearest by them, the first of several. A number is guessed if it is within tolerance
// times the guess, |g − x| ≤ tolerance·|g|. The baseline takes the secret of a random record of the release, and
// Baseline is what it is expected to guess.
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
			baseline = a.expected(of, targets, secret, tolerance)
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

// expected is how many secrets a random record of the release tells.
func (a *Attacker) expected(of *Records, targets []int32, secret int, tolerance float64) float64 {
	all := groups(a.Release.Part([]int{secret}))
	values := groups(of.Part([]int{secret}))
	target := make(map[int32]bool, len(targets))
	for _, i := range targets {
		target[i] = true
	}
	sum := 0.0
	for _, v := range values {
		n := 0.0
		for _, i := range v.records {
			if target[i] {
				n++
			}
		}
		if n == 0 {
			continue
		}
		for _, g := range all {
			if a.guessed(of, secret, g.records[0], v.records[0], tolerance) {
				sum += n * float64(len(g.records))
			}
		}
	}
	return sum / float64(a.Release.N)
}
