package cellkey

import (
	"encoding/csv"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// designs are those of testdata/ptable.csv: what ptable 0.3.3 (nloptr 2.0.3, SLSQP) makes of the same parameters.
var designs = map[string]Design{
	"D=2 V=1":                                 {D: 2, V: 1},
	"D=2 V=0.9":                               {D: 2, V: 0.9},
	"D=5 V=3 js=2":                            {D: 5, V: 3, JS: 2},
	"D=4 V=1 pstay=0.5":                       {D: 4, V: 1, Stay: []float64{0.5}},
	"D=2 V=1.08 js=1 mono=TTFT":               {D: 2, V: 1.08, JS: 1, Free: []bool{false, false, true, false}},
	"D=4 V=1.225 pstay=0.8,0.9,0.9,0.9":       {D: 4, V: 1.225, Stay: []float64{0.8, 0.9, 0.9, 0.9}},
	"D=8 V=3 js=2":                            {D: 8, V: 3, JS: 2},
	"D=5 V=2":                                 {D: 5, V: 2},
	"D=5 V=3 js=2 pstay=0.5":                  {D: 5, V: 3, JS: 2, Stay: []float64{0.5}},
	"D=3 V=2 mono=FALSE":                      {D: 3, V: 2, Free: []bool{true}},
	"num D=5 V=2 step=4 icat=1,3,5":           {D: 5, V: 2, Step: 4, Categories: []int64{1, 3, 5}},
	"num D=10 V=3 step=2 icat=1,5,10 optim=4": {D: 10, V: 3, Step: 2, Categories: []int64{1, 5, 10}, Exact: []bool{true, false, false}},
}

// TestPtable compares designed tables with those of ptable.
func TestPtable(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/ptable.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	tables, seen := map[string]*Table{}, map[string]int{}
	for name, d := range designs {
		if tables[name], err = d.Table(); err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
	worst := map[string]float64{}
	for _, l := range lines {
		p := tables[l[0]]
		if p == nil {
			t.Fatalf("%s: no such design", l[0])
		}
		i, _ := strconv.ParseInt(strings.TrimSpace(l[1]), 10, 64)
		j, _ := strconv.ParseFloat(strings.TrimSpace(l[2]), 64)
		want, _ := strconv.ParseFloat(l[3], 64)
		got := p.of(i).Chance(int64(math.Round((j - float64(i)) * float64(p.Step))))
		worst[l[0]] = max(worst[l[0]], math.Abs(got-want))
		seen[l[0]]++
	}
	for name, d := range worst {
		outcomes := 0
		for n := range tables[name].Rows {
			outcomes += len(tables[name].Rows[n].V)
		}
		if outcomes != seen[name] {
			t.Errorf("%s: %d outcomes, ptable has %d", name, outcomes, seen[name])
		}
		if d > 1e-6 {
			t.Errorf("%s: chances differ by up to %g", name, d)
		}
	}
}

// TestMoments: sums are 1, means 0 and variances V, exactly, and nothing is published that must not be.
func TestMoments(t *testing.T) {
	t.Parallel()
	for name, d := range designs {
		p, err := d.Table()
		if err != nil {
			t.Fatal(name, err)
		}
		if err := p.check(d.Categories == nil); err != nil {
			t.Error(name, err)
		}
		for n := range p.Rows {
			r := &p.Rows[n]
			if n == 0 {
				continue
			}
			if p.Mean(n).Sign() != 0 {
				t.Errorf("%s: row %d has mean %s", name, r.I, p.Mean(n).RatString())
			}
			v, _ := new(big.Rat).SetString(strconv.FormatFloat(d.V, 'g', -1, 64))
			if got, _ := p.Variance(n).Float64(); p.Variance(n).Cmp(v) > 0 || math.Abs(got-d.V) < 1e-6 && follow(r.V, make([]int64, len(r.V)), 3) >= 0 && p.Variance(n).Cmp(v) != 0 {
				t.Errorf("%s: row %d has variance %s", name, r.I, p.Variance(n).RatString())
			}
			for k, x := range r.V {
				if j := r.I*p.Step + x; j < 0 || j > 0 && j <= int64(d.JS) || x > int64(d.D)*p.Step {
					t.Errorf("%s: row %d publishes %d", name, r.I, j)
				}
				if k > 0 && x <= 0 && !of(d.Free, n-1) && r.V[len(r.V)-1] > 0 && contains(r.V, 0) && r.p(k)+10*grain < r.p(k-1) {
					t.Errorf("%s: row %d: noise %d is less likely than %d", name, r.I, x, r.V[k-1])
				}
			}
		}
	}
}

func contains(v []int64, x int64) bool {
	for _, y := range v {
		if y == x {
			return true
		}
	}
	return false
}

// TestDesignFails: what cannot be had is said.
func TestDesignFails(t *testing.T) {
	t.Parallel()
	for _, d := range []Design{
		{D: 0, V: 1}, {D: 3}, {D: 3, V: 10}, {D: 5, V: 1.5, JS: 2}, {D: 5, V: 3, JS: 2, Stay: []float64{1}}, {D: 5, V: 3, Stay: []float64{0.1, 0.2}},
		{D: 2, V: 2.5, Exact: []bool{true}}, {D: 5, V: 2, Categories: []int64{2, 5}, Step: 2}, {D: 5, V: 2, Categories: []int64{1, 5}}, {D: 300, V: 2}, {D: 3, V: math.NaN()},
	} {
		if _, err := d.Table(); err == nil {
			t.Errorf("%+v is designed", d)
		}
	}
}

// TestEntropyLeast compares rows with all mixtures of random feasible directions: none has more entropy.
func TestEntropyLeast(t *testing.T) {
	t.Parallel()
	p := must.Get((&Design{D: 5, V: 3, JS: 2}).Table())(t)
	for n := 1; n < len(p.Rows); n++ {
		r := &p.Rows[n]
		h := 0.0
		for k := range r.V {
			if x := float64(r.p(k)) / one; x > 0 {
				h -= x * math.Log(x)
			}
		}
		// A step along a direction that keeps sum, mean and variance: the third difference of outcomes a, b, c, d.
		for a := 0; a+3 < len(r.V); a++ {
			var dir [4]float64
			for k := range 4 {
				dir[k] = 1
				for l := range 4 {
					if l != k {
						dir[k] /= float64(r.V[a+k] - r.V[a+l])
					}
				}
			}
			for _, e := range []float64{1e-4, -1e-4} {
				g, ok := h, true
				for k := range 4 {
					x := float64(r.p(a+k)) / one
					y := x + e*dir[k]
					ok = ok && x > 0 && y > 0
					g += x*math.Log(x) - y*math.Log(y)
				}
				for k := 1; ok && k < len(r.V) && contains(r.V, 0) && r.V[k] <= 0; k++ { // monotone still
					at := func(k int) float64 {
						x := float64(r.p(k)) / one
						if k >= a && k < a+4 {
							x += e * dir[k-a]
						}
						return x
					}
					ok = at(k) >= at(k-1)-1e-11
				}
				if ok && g > h+1e-10 {
					t.Errorf("row %d: entropy %g, by a step %g more", r.I, h, g-h)
				}
			}
		}
	}
}
