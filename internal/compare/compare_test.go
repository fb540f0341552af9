package compare

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/hitoku/hitoku/risk"
)

// Intervals and the residual, by figures of other programs: prop.test of R without continuity correction, binom.test,
// and the formulas of anonymeter worked out by hand.
func TestRates(t *testing.T) {
	t.Parallel()
	close := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 5e-7 {
			t.Errorf("%s: %.8f, want %.8f", what, got, want)
		}
	}
	r := Proportion(100, 10, 0.95)
	close("middle", r.Value, (0.0552291+0.1743657)/2)
	close("low", r.Low, 0.04900469)
	close("high", r.High, 0.17622260)
	r = Proportion(20, 0, 0.95)
	close("middle", r.Value, 0.1611252/2)
	close("low", r.Low, 0)
	close("high", r.High, 0.1684335)
	r = Proportion(10, 3.5, 0.95)
	close("low", r.Low, Proportion(10, 3, 0.95).Low)
	close("high", r.High, Proportion(10, 4, 0.95).High)
	x := Residual(Rate{0.6, 0.57, 0.63}, Exactly(0.2))
	close("residual", x.Value, 0.5)
	close("low", x.Low, 0.37/0.8)
	close("high", x.High, 0.43/0.8)
	if v, low, high := (Rate{-0.1, -0.3, 0.1}).Bounds(); v != 0 || low != 0 || math.Abs(high-0.1) > 1e-15 {
		t.Error(v, low, high)
	}
}

// TestCoverage draws successes of attacks of which the chances are known: the intervals have them as often as they say.
func TestCoverage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 60))
	const draws = 2000
	binomial := func(n int, p float64) (k float64) {
		for range n {
			if rng.Float64() < p {
				k++
			}
		}
		return k
	}
	for _, n := range []int{10, 50, 300} {
		for _, p := range [][2]float64{{0.002, 0.001}, {0.02, 0.02}, {0.1, 0.1}, {0.3, 0.1}, {0.9, 0.3}, {0.99, 0.5}, {0.999, 0.02}, {0.5, 0.5}, {0.05, 0.9}, {0.97, 0.97}} {
			rate, residual, above := 0, 0, 0
			true := max(0, (p[0]-p[1])/(1-p[1]))
			for range draws {
				a, c := Proportion(n, binomial(n, p[0]), 0.95), Proportion(n, binomial(n, p[1]), 0.95)
				if a.Low <= p[0] && p[0] <= a.High {
					rate++
				}
				_, low, high := Residual(a, c).Bounds()
				if low <= true && true <= high {
					residual++
				}
				if low > true {
					above++
				}
			}
			if rate < draws*94/100 || residual < draws*94/100 || above > draws*5/100 { // 0.01 for drawing
				t.Errorf("%d attacks with chances %v: %d of %d rates, %d residuals, %d begin above", n, p, rate, draws, residual, above)
			}
		}
	}
}

// numbered makes Records of numbers.
func numbered(columns ...[]float64) *Records {
	r := &Records{N: len(columns[0]), X: columns}
	for range columns {
		r.ID = append(r.ID, make([]uint32, r.N))
	}
	return r
}

func normals(rng *rand.Rand, n int, shift float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64() + shift
	}
	return x
}

// Files that are equal cannot be told apart, files far apart always, and two samples of one population as well as
// theory says.
func TestPropensity(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	a := numbered(normals(rng, 400, 0), normals(rng, 400, 0))
	p, err := MeasurePropensity(t.Context(), a, a)
	if err != nil || p.PMSE > 1e-20 || p.Parameters != 3 {
		t.Errorf("%+v, %v of equal files", p, err)
	}
	far := numbered(normals(rng, 300, 50), normals(rng, 300, 0))
	if p, err = MeasurePropensity(t.Context(), a, far); err != nil || p.Share < 0.99 {
		t.Errorf("%+v, %v of files far apart", p, err)
	}
	ratio := 0.0
	for range 100 {
		p, err := MeasurePropensity(t.Context(), numbered(normals(rng, 300, 0), normals(rng, 300, 0)), numbered(normals(rng, 200, 0), normals(rng, 200, 0)))
		if err != nil {
			t.Fatal(err)
		}
		ratio += p.Ratio() / 100
	}
	// With two samples both vary, and the expectation is (k−1)c(1−c)/N: 1/(1−c) times as much.
	if want := 1 / (1 - 0.4); math.Abs(ratio/want-1) > 0.2 {
		t.Errorf("the mean of PMSE of two samples is %g times that of a right synthesis, want about %g", ratio, want)
	}
}

// At the estimate the derivatives of the likelihood are 0.
func TestLogistic(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		const zeros, n = 60, 100
		x := [][]float64{slices.Repeat([]float64{1}, n), normals(rng, n, 0), normals(rng, n, 1)}
		score, err := logistic(t.Context(), x, zeros)
		if err != nil {
			t.Fatal(err)
		}
		for j := range x {
			sum := 0.0
			for i, s := range score {
				sum -= x[j][i] * s
				if i >= zeros {
					sum += x[j][i]
				}
			}
			if math.Abs(sum) > 1e-4 {
				t.Errorf("seed %d, parameter %d: derivative %g", seed, j, sum)
			}
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := logistic(ctx, [][]float64{{1, 1}}, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAssociations(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := normals(rng, 50, 0), normals(rng, 50, 0)
	a := numbered(x, y)
	list, err := Associations(t.Context(), a, a)
	if err != nil || len(list) != 1 || list[0].Kind != "pearson" || math.Abs(list[0].Original-stat.Correlation(x, y, nil)) > 1e-12 || list[0].TV != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	var table [][2]int64 // 3×2 with χ² worked out by the definition
	counts := [3][2]float64{{5, 3}, {2, 7}, {6, 1}}
	var rows [3]float64
	var columns [2]float64
	for i := range counts {
		for j := range counts[i] {
			for range int(counts[i][j]) {
				table = append(table, [2]int64{int64(i), int64(j)})
			}
			rows[i] += counts[i][j]
			columns[j] += counts[i][j]
		}
	}
	chi := 0.0
	for i := range counts {
		for j := range counts[i] {
			e := rows[i] * columns[j] / 24
			chi += (counts[i][j] - e) * (counts[i][j] - e) / e
		}
	}
	if v, want := cramer(table), math.Sqrt(chi/24); math.Abs(v-want) > 1e-12 {
		t.Errorf("V = %g, want %g", v, want)
	}
	if v := cramer([][2]int64{{1, 1}, {1, 2}}); v != 0 {
		t.Errorf("V = %g of a constant column", v)
	}
}

// A copy is linked, singled out and inferred; a control file takes that back.
func TestAttackerOfCopy(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	a := numbered(normals(rng, 80, 0), normals(rng, 80, 0), normals(rng, 80, 0))
	c := numbered(normals(rng, 80, 0), normals(rng, 80, 0), normals(rng, 80, 0))
	at := &Attacker{Original: a, Release: a, Control: c, Attacks: 500, RNG: rng}
	one, err := at.SinglingOut(t.Context(), 1, 0)
	if err != nil || one.Success != float64(one.N) || one.N != (80+2)*3 || *one.Control > 10 {
		t.Errorf("%+v, %v: every value singles out", one, err)
	}
	many, err := at.SinglingOut(t.Context(), 2, 50_000)
	if err != nil || many.N == 0 || many.Success != float64(many.N) {
		t.Errorf("%+v, %v", many, err)
	}
	linked, err := at.Linkability(t.Context(), []int{0}, []int{1, 2}, 1)
	if err != nil || linked.Success != 80 || *linked.Control > 20 || math.Abs(linked.Baseline-1) > 1e-12 {
		t.Errorf("%+v, %v", linked, err)
	}
	inferred, err := at.Inference(t.Context(), []int{0, 1}, 2, 0)
	if err != nil || inferred.Success != 80 || *inferred.Control != 0 {
		t.Errorf("%+v, %v", inferred, err)
	}
	if v, low, high := inferred.Risk(0.95).Bounds(); low > v || v > high || v < 0.9 {
		t.Error(v, low, high)
	}
	if v := at.chance(80); v != 1 {
		t.Errorf("all records meet with chance %g", v)
	}
}

func TestFrontier(t *testing.T) {
	t.Parallel()
	got := Frontier([]Point{{"a", 0.1, 0.5}, {"b", 0.2, 0.5}, {"c", 0.5, 0.1}, {"d", 0.5, 0.1}, {"e", 0.6, 0.6}})
	if want := []bool{true, false, true, true, false}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTruth(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := file("a.csv", "id,x\np,1\nq,2\n"), file("b.csv", "x,id\n5,q\n6,z\n7,p\n")
	truth, err := ByID(t.Context(), risk.Layout{}, "id", a, b)
	if want := []int32{1, -1, 0}; err != nil || !slices.Equal(truth, want) {
		t.Errorf("%v, %v, want %v", truth, err, want)
	}
	if _, err := ByID(t.Context(), risk.Layout{}, "id", file("c.csv", "id\np\np\n"), b); err == nil {
		t.Error("an id twice is no error")
	}
	truth, err = ReadTruth(file("m.csv", "release,original\n3,1\n1,2\n"), 2, 3)
	if want := []int32{1, -1, 0}; err != nil || !slices.Equal(truth, want) {
		t.Errorf("%v, %v, want %v", truth, err, want)
	}
	for name, text := range map[string]string{"0": "0,1\n", "above": "1,3\n", "text": "1,1\n2,x\n", "twice": "1,1\n1,2\n", "fields": "1,2,3\n", "quote": "\"1,2\n"} {
		if _, err := ReadTruth(file("bad.csv", text), 2, 3); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if _, err := SameOrder(&Records{N: 1}, &Records{N: 2}); err == nil {
		t.Error("files of other sizes in the same order")
	}
}

// Columns are numbers where all values are; codes may be declared.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := write(t, dir, "a.csv", [][]string{{"1", "0x1", "", "007"}, {"1e3", "2", "", "7"}})
	all, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1", "c2", "c3"}, []string{"c3"}, a)
	if err != nil {
		t.Fatal(err)
	}
	x := all[0].X
	if x[0] == nil || x[0][1] != 1000 || x[1] != nil || x[2] != nil || x[3] != nil {
		t.Error(x)
	}
	if _, err := Read(t.Context(), risk.Layout{}, []string{"c0"}, []string{"c9"}, a); err == nil {
		t.Error("no error about a category that is not there")
	}
	if _, err := Read(t.Context(), risk.Layout{}, []string{"c0"}, nil, write(t, dir, "e.csv", [][]string{{"x"}})); err != nil {
		t.Error(err)
	}
	empty := filepath.Join(dir, "empty.csv")
	if err := os.WriteFile(empty, []byte("c0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), risk.Layout{}, []string{"c0"}, nil, empty); err == nil {
		t.Error("no error about a file without records")
	}
}

// A drawn subset has the size asked for, and each one is as likely.
func TestDraw(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	count := map[[2]int32]int{}
	for range 6000 {
		d := Draw(4, 2, rng)
		count[[2]int32{d[0], d[1]}]++
	}
	if len(count) != 6 {
		t.Fatal(count)
	}
	for s, n := range count {
		if n < 850 || n > 1150 {
			t.Errorf("%v drawn %d times of 6000, want about 1000", s, n)
		}
	}
	if n := len(Draw(3, 9, rng)); n != 3 {
		t.Errorf("%d of 3", n)
	}
}

// Statistics of columns, by hand.
func TestStatistics(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "s.csv", [][]string{{"3", "a"}, {"1", "b"}, {"", "b"}, {"10", "c"}, {"2", ""}})
	n, all, err := Statistics(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, path, 2)
	if err != nil || n != 5 {
		t.Fatal(n, err)
	}
	x, y := all[0], all[1]
	if !x.Number || x.Distinct != 4 || x.Alone != 4 || x.Missing != 1 || x.Min != 1 || x.Max != 10 || x.Mean != 4 || math.Abs(x.SD-math.Sqrt(50.0/3)) > 1e-12 || !slices.Equal(x.Quantiles, []float64{1, 1, 1, 1, 2, 3, 10, 10, 10}) {
		t.Errorf("%+v", x)
	}
	if y.Number || y.Distinct != 3 || y.Alone != 2 || y.Missing != 1 || !slices.Equal(y.Top, []Frequent{{"b", 2}, {"a", 1}}) {
		t.Errorf("%+v", y)
	}
}
