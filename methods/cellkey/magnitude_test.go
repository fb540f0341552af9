package cellkey

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/internal/test/must"
)

func designed(t *testing.T, d Design) *Table {
	t.Helper()
	return must.Get(d.Table())(t)
}

// TestMagnitude compares with what cellKey 1.0.2 makes of the same cells by the same tables (testdata/magnitude.csv: kind, cell key,
// value, contributions, published value).
func TestMagnitude(t *testing.T) {
	t.Parallel()
	f := must.Get(os.Open("testdata/magnitude.csv"))(t)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	lines := must.Get(r.ReadAll())(t)
	large := designed(t, Design{D: 5, V: 2, Step: 2, Categories: []int64{1, 3, 5}})
	small := designed(t, Design{D: 5, V: 1, Step: 5, Categories: []int64{1, 3, 5}})
	flex := Magnitude{Large: large, Flex: true, P: 0.3, Least: 0.03, Point: 1000, Q: 3, Digits: 8}
	flex3, flex1, sep1 := flex, flex, flex
	flex3.Epsilon, flex1.Epsilon, sep1.Epsilon, sep1.Small = []float64{1, 0.5, 0.2}, []float64{1}, []float64{1}, small
	kinds := map[string]*Magnitude{"flex3": &flex3, "flex1": &flex1, "sep1": &sep1}
	seen := map[string]int{}
	for n, l := range lines {
		m := kinds[l[0]]
		must.Do(t, m.Check())
		key := must.Get(recordkey.Parse(l[1]))(t)
		x, _ := strconv.ParseFloat(l[2], 64)
		want, _ := strconv.ParseFloat(l[4], 64)
		var top []float64
		for _, s := range strings.Split(l[3], ",") {
			v, _ := strconv.ParseFloat(s, 64)
			top = append(top, v)
		}
		if got := m.Value(x, top, 7, key, false); math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("line %d: %s: %g becomes %.10g, want %.10g", n+1, l[0], x, got, want)
		}
		if got := m.Value(-x, top, 7, key, false); math.Abs(got+want) > 1e-6*math.Abs(want) {
			t.Errorf("line %d: %s: %g becomes %.10g, want %.10g", n+1, l[0], -x, got, -want)
		}
		seen[l[0]]++
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
}

// TestTurn: the first decimal goes behind the last.
func TestTurn(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"0.12345678": "0.23456781", "0.10000000": "0.00000001", "0.00000001": "0.0000001", "0": "0"} {
		k, _ := recordkey.Parse(in)
		if got := turn(k, 8).String(); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

// TestMagnitudeSpecial: nothing stays nothing, parity and sensitive cells choose, and no sign changes.
func TestMagnitudeSpecial(t *testing.T) {
	t.Parallel()
	up := &Table{Step: 1, Rows: []Row{{V: []int64{0}, Upper: []uint64{one}}, {I: 1, V: []int64{1}, Upper: []uint64{one}}}}
	down := &Table{Step: 1, Rows: []Row{{V: []int64{0}, Upper: []uint64{one}}, {I: 1, V: []int64{-1}, Upper: []uint64{one}}}}
	m := &Magnitude{Large: up, Odd: down, Epsilon: []float64{1}, P: 0.1, Digits: 8}
	for _, tc := range []struct {
		x         float64
		top       []float64
		n         int64
		sensitive bool
		mu, want  float64
	}{
		{0, []float64{5}, 2, false, 0, 0},
		{100, []float64{50}, 2, false, 0, 105},
		{100, []float64{50}, 3, false, 0, 95},
		{-100, []float64{50}, 2, false, 0, -105},
		{-100, []float64{50}, 3, false, 0, -95},
		{100, []float64{50}, 2, true, 2, 115},
		{100, []float64{50}, 3, true, 2, 85},
		{4, []float64{50}, 3, false, 0, 0},
		{4, []float64{50}, 3, true, 2, 0},
		{4, []float64{50}, 2, false, 0, 8},
		{7, nil, 2, false, 0, 7},
	} {
		m.Mu = tc.mu
		if got := m.Value(tc.x, tc.top, tc.n, 5, tc.sensitive); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%+v: %g", tc, got)
		}
	}
	for _, bad := range []Magnitude{{}, {Large: up, P: 2, Epsilon: []float64{1}, Digits: 8}, {Large: up, P: 0.1, Digits: 8}, {Large: up, P: 0.1, Epsilon: []float64{1, 2}, Digits: 8},
		{Large: up, P: 0.1, Epsilon: []float64{1}}, {Large: up, P: 0.1, Epsilon: []float64{1}, Digits: 8, Mu: -1}, {Large: up, P: 0.1, Epsilon: []float64{1}, Digits: 8, Flex: true}} {
		if bad.Check() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}
