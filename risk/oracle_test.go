package risk

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"

	"pgregory.net/rapid"
)

// A naive is a table as a list of records, for oracles that are plain to read. The first
// qi values of a record are its quasi-identifiers.
type naive struct {
	qi   int
	rows [][]string
}

// drawNaive draws a small table with missing values; the last column is numeric.
func drawNaive(t *rapid.T) naive {
	x := naive{qi: rapid.IntRange(1, 4).Draw(t, "qi")}
	value := rapid.SampledFrom([]string{"a", "b", "c", "", "NA", " a"})
	number := rapid.SampledFrom([]string{"1", "2", "2.0", "10", "-3", ""})
	for range rapid.IntRange(1, 30).Draw(t, "records") {
		var row []string
		for range x.qi + 1 {
			row = append(row, value.Draw(t, "value"))
		}
		x.rows = append(x.rows, append(row, number.Draw(t, "number")))
	}
	return x
}

func (x naive) names() []string {
	var names []string
	for k := range x.qi + 2 {
		names = append(names, fmt.Sprint("c", k))
	}
	return names
}

func (x naive) sensitive(t *rapid.T, rows [][]string) *Sensitive {
	columns, err := NewColumns(x.names()...)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSensitive(columns, x.qi)
	for _, r := range rows {
		if err := s.Add(1, r...); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func key(values []string) string { return strings.Join(values, "\x00") }

// frequencies is f of every record by comparing all pairs, 0 for those left out.
func (x naive) frequencies(m Missing) []uint64 {
	f := make([]uint64, len(x.rows))
	missing := func(v string) bool { return slices.Contains(m.Markers, v) }
	for i, a := range x.rows {
		for _, b := range x.rows {
			match := true
			for k := range x.qi {
				if a[k] != b[k] && !(m.Mode == Wildcard && (missing(a[k]) || missing(b[k]))) {
					match = false
				}
			}
			if match {
				f[i]++
			}
		}
		if m.Mode == Drop && slices.ContainsFunc(a[:x.qi], missing) || m.Mode == Suppressed && !slices.ContainsFunc(a[:x.qi], func(v string) bool { return !missing(v) }) {
			f[i] = 0
		}
	}
	return f
}

var markers = []string{"", "NA"}

func TestFrequenciesAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{"", Own, Drop, Suppressed, Wildcard}).Draw(t, "mode"), markers}
		s := x.sensitive(t, x.rows)
		want := x.frequencies(m)
		got, err := s.Frequencies(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		var left []uint64
		reidentified := 0.0
		for i, row := range x.rows {
			if f := got[s.Class(row[:x.qi]...)]; f != want[i] {
				t.Fatalf("record %v: f %d, want %d", row, f, want[i])
			}
			if want[i] > 0 {
				left = append(left, want[i])
				reidentified += 1 / float64(want[i])
			}
		}
		r, err := s.Classes.KAnonymity(t.Context(), m, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			if r.K != 0 || r.Records != 0 {
				t.Fatalf("%+v without records", r)
			}
			return
		}
		uniques := uint64(0)
		for _, f := range left {
			if f == 1 {
				uniques++
			}
		}
		if r.K != slices.Min(left) || r.MaxClass != slices.Max(left) || r.Uniques != uniques ||
			r.Records != uint64(len(left)) || r.Records+r.Excluded != uint64(len(x.rows)) || math.Abs(r.Reidentified-reidentified) > 1e-9 {
			t.Fatalf("%+v, want %v", r, left)
		}
		if r.Worst[0].Frequency != r.K {
			t.Fatalf("worst %+v, k %d", r.Worst[0], r.K)
		}
	})
}

// classes gathers the values of a column by class, missing ones left out unless own; with wildcards those of all records compatible with the class.
func (x naive) classes(m Missing, column int, own bool) map[string][]string {
	c := map[string][]string{}
	f := x.frequencies(m)
	for i, r := range x.rows {
		k := key(r[:x.qi])
		if _, ok := c[k]; ok || f[i] == 0 {
			continue
		}
		c[k] = nil
		for j, o := range x.rows {
			same := key(o[:x.qi]) == k || m.Mode == Wildcard && x.agree(r, o, m.Markers)
			if f[j] > 0 && same && (own || !slices.Contains(m.Markers, o[column])) {
				c[k] = append(c[k], o[column])
			}
		}
	}
	return c
}

// agree reports whether two records are compatible.
func (x naive) agree(a, b []string, markers []string) bool {
	for k := range x.qi {
		if a[k] != b[k] && !slices.Contains(markers, a[k]) && !slices.Contains(markers, b[k]) {
			return false
		}
	}
	return true
}

// values are those of a column of records that count.
func (x naive) values(m Missing, column int, own bool) (values []string) {
	for i, f := range x.frequencies(m) {
		if v := x.rows[i][column]; f > 0 && (own || !slices.Contains(m.Markers, v)) {
			values = append(values, v)
		}
	}
	return values
}

func countsOf(values []string) []int {
	n := map[string]int{}
	for _, v := range values {
		n[v]++
	}
	c := slices.Collect(maps.Values(n))
	slices.SortFunc(c, func(a, b int) int { return cmp.Compare(b, a) })
	return c
}

func TestDiversityAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Wildcard}).Draw(t, "mode"), markers}
		own := rapid.Bool().Draw(t, "own")
		all, err := x.sensitive(t, x.rows).LDiversity(t.Context(), m, own, []uint64{1, 2, 3}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for a, got := range all {
			classes := x.classes(m, x.qi+a, own)
			distinct, entropy := math.MaxInt, math.Inf(1)
			alpha := new(big.Rat)
			infimum := []*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}
			for _, values := range classes {
				c := countsOf(values)
				distinct = min(distinct, len(c))
				h := 0.0
				for _, n := range c {
					p := float64(n) / float64(len(values))
					h -= p * math.Log(p)
				}
				if len(c) == 0 {
					entropy = 0
				} else {
					entropy = min(entropy, math.Exp(h))
					if x := big.NewRat(int64(c[0]), int64(len(values))); x.Cmp(alpha) > 0 {
						alpha = x
					}
				}
				for i := range infimum {
					tail := 0
					for _, n := range c[min(i, len(c)):] {
						tail += n
					}
					if tail == 0 {
						infimum[i] = nil
					} else if infimum[i] != nil {
						if x := big.NewRat(int64(c[0]), int64(tail)); x.Cmp(infimum[i]) > 0 {
							infimum[i] = x
						}
					}
				}
			}
			if len(classes) == 0 {
				if got.Classes != 0 || got.Alpha != nil || got.Recursive[0].Infimum != nil {
					t.Fatalf("%+v without records", got)
				}
				continue
			}
			if got.Classes != uint64(len(classes)) || got.Distinct != uint64(distinct) || math.Abs(got.Entropy-entropy) > 1e-12*entropy {
				t.Fatalf("%+v, want %d classes, l %d, entropy l %v", got, len(classes), distinct, entropy)
			}
			if alpha.Sign() > 0 && got.Alpha.Cmp(alpha) != 0 {
				t.Fatalf("α %v, want %v", got.Alpha, alpha)
			}
			for i, r := range got.Recursive {
				if (r.Infimum == nil) != (infimum[i] == nil) || r.Infimum != nil && r.Infimum.Cmp(infimum[i]) != 0 {
					t.Fatalf("l %d: c > %v, want %v", r.L, r.Infimum, infimum[i])
				}
			}
			if got.Worst[0].Distinct != got.Distinct {
				t.Fatalf("worst %+v, l %d", got.Worst[0], got.Distinct)
			}
		}
	})
}

func TestClosenessAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Wildcard}).Draw(t, "mode"), markers}
		all, err := x.sensitive(t, x.rows).TCloseness(t.Context(), m, false, []Distance{Equal, Ordered}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for a, got := range all {
			classes := x.classes(m, x.qi+a, false)
			total := x.values(m, x.qi+a, false)
			if len(total) == 0 {
				if got.T != nil {
					t.Fatalf("t %v without values", got.T)
				}
				continue
			}
			number := func(s string) float64 {
				f, err := strconv.ParseFloat(s, 64)
				if got.Distance == Equal {
					return float64(slices.Index([]string{"a", "b", "c", " a", "", "NA"}, s))
				} else if err != nil {
					t.Fatal(err)
				}
				return f
			}
			var values []float64
			for _, v := range total {
				values = append(values, number(v))
			}
			slices.Sort(values)
			values = slices.Compact(values)
			share := func(of []string, v float64) *big.Rat {
				n := int64(0)
				for _, s := range of {
					if number(s) == v {
						n++
					}
				}
				return big.NewRat(n, int64(len(of)))
			}
			worst := new(big.Rat)
			for _, in := range classes {
				if len(in) == 0 {
					continue
				}
				d, run := new(big.Rat), new(big.Rat)
				for _, v := range values {
					diff := new(big.Rat).Sub(share(in, v), share(total, v))
					run.Add(run, diff)
					if got.Distance == Ordered {
						diff.Set(run)
					}
					d.Add(d, diff.Abs(diff))
				}
				if got.Distance == Equal {
					d.Quo(d, big.NewRat(2, 1))
				} else {
					d.Quo(d, big.NewRat(max(1, int64(len(values)-1)), 1))
				}
				if d.Cmp(worst) > 0 {
					worst = d
				}
			}
			if got.T.Cmp(worst) != 0 || got.Values != uint64(len(values)) {
				t.Fatalf("%s: t %v of %d values, want %v of %v", got.Distance, got.T, got.Values, worst, values)
			}
		}
	})
}

func TestEntitiesAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop}).Draw(t, "mode"), markers}
		columns, err := NewColumns(x.names()[:x.qi+1]...)
		if err != nil {
			t.Fatal(err)
		}
		e := NewEntities(columns)
		f := x.frequencies(m)
		tuples := map[string][]string{} // by entity
		for i, r := range x.rows {
			if err := e.Add(1, r[:x.qi+1]...); err != nil {
				t.Fatal(err)
			}
			entity := r[x.qi]
			if slices.Contains(markers, entity) {
				entity = fmt.Sprint("record ", i)
			}
			if f[i] > 0 {
				tuples[entity] = append(tuples[entity], key(r[:x.qi]))
			}
		}
		sets := map[string]uint64{}
		perTuple := map[string]map[string]bool{}
		for entity, list := range tuples {
			slices.Sort(list)
			sets[strings.Join(list, "\x01")]++
			for _, k := range list {
				if perTuple[k] == nil {
					perTuple[k] = map[string]bool{}
				}
				perTuple[k][entity] = true
			}
		}
		r, err := e.KAnonymity(t.Context(), m, 3)
		if err != nil {
			t.Fatal(err)
		}
		if r.Classes != uint64(len(sets)) || r.Entities != uint64(len(tuples)) {
			t.Fatalf("%+v, want %v", r, sets)
		}
		if len(sets) == 0 {
			return
		}
		least := math.MaxInt
		for _, s := range perTuple {
			least = min(least, len(s))
		}
		if k := slices.Min(slices.Collect(maps.Values(sets))); r.K != k || r.Worst[0].Entities != k || r.LeastPerTuple != uint64(least) {
			t.Fatalf("%+v, want k %d, at least %d entities a tuple", r, k, least)
		}
	})
}

func TestKMapAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		wild := []string{"", "NA"}
		columns, err := NewColumns(x.names()[:x.qi]...)
		if err != nil {
			t.Fatal(err)
		}
		data := NewClasses(columns, x.qi)
		split := rapid.IntRange(0, len(x.rows)).Draw(t, "split")
		sample, population := x.rows[:split], x.rows
		if rapid.Bool().Draw(t, "foreign") {
			population = x.rows[split:]
		}
		for _, r := range sample {
			if err := data.Add(1, r[:x.qi]...); err != nil {
				t.Fatal(err)
			}
		}
		a := NewPopulation(data, wild)
		b := a.Fresh()
		for i, r := range population {
			p := a
			if i%2 == 1 {
				p = b
			}
			if err := p.Add(2, r[:x.qi]...); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		matches := func(tuple, r []string) bool {
			for k := range x.qi {
				if tuple[k] != r[k] && !slices.Contains(wild, tuple[k]) {
					return false
				}
			}
			return true
		}
		r := a.KMap(3)
		least, most, marketer, n := uint64(math.MaxUint64), new(big.Rat), 0.0, uint64(0)
		for g := range data.Len() {
			F := uint64(0)
			for _, row := range population {
				if matches(data.Tuple(g), row) {
					F += 2
				}
			}
			if a.frequency(g) != F {
				t.Fatalf("%v: F %d, want %d", data.Tuple(g), a.frequency(g), F)
			}
			least = min(least, F)
			if F > 0 {
				d := big.NewRat(int64(min(F, data.Size(g))), int64(F))
				if d.Cmp(most) > 0 {
					most = d
				}
				marketer += num.Float(d)
			}
			n += data.Size(g)
		}
		if len(sample) == 0 {
			return
		}
		if r.K != least || (r.Absent > 0) != (least == 0) || (r.Presence == nil) != (least == 0) {
			t.Fatalf("%+v, want k %d", r, least)
		}
		if r.Presence != nil && (r.Presence.Max.Cmp(most) != 0 || math.Abs(r.Journalist.Marketer-marketer/float64(n)) > 1e-12) {
			t.Fatalf("%+v %+v, want δ %v", r.Presence, r.Journalist, most)
		}
	})
}

// Two accumulators with numbers of their own, merged, are one; records in another
// order give the same, to the last bit.
func TestMergeAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		report := func(s *Sensitive) string {
			m := Missing{Markers: markers}
			k, err1 := s.KAnonymity(t.Context(), m, 4)
			w, err2 := s.KAnonymity(t.Context(), Missing{Wildcard, markers}, 4)
			l, err3 := s.LDiversity(t.Context(), m, false, []uint64{1, 2}, 4)
			c, err4 := s.TCloseness(t.Context(), m, false, []Distance{Equal, Ordered}, 4)
			for _, err := range []error{err1, err2, err3, err4} {
				if err != nil {
					t.Fatal(err)
				}
			}
			return fmt.Sprintf("%+v\n%+v\n%+v %+v\n%+v %+v", k, w, *l[0], *l[1], *c[0], *c[1])
		}
		want := report(x.sensitive(t, x.rows))
		order := rapid.Permutation(x.rows).Draw(t, "order")
		if got := report(x.sensitive(t, order)); got != want {
			t.Fatalf("in another order\n%s\nwant\n%s", got, want)
		}
		cut := rapid.IntRange(0, len(order)).Draw(t, "cut")
		a, b := x.sensitive(t, order[:cut]), x.sensitive(t, order[cut:])
		if rapid.Bool().Draw(t, "encoded") {
			text, err := b.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			b = new(Sensitive)
			if err := b.UnmarshalBinary(text); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if got := report(a); got != want {
			t.Fatalf("merged\n%s\nwant\n%s", got, want)
		}
	})
}

// Records that are repeated never lower k, and with all of them repeated c times it is
// c times as large.
func TestDuplicates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Wildcard}).Draw(t, "mode"), markers}
		k := func(rows [][]string) uint64 {
			r, err := x.sensitive(t, rows).Classes.KAnonymity(t.Context(), m, 0)
			if err != nil {
				t.Fatal(err)
			}
			return r.K
		}
		before := k(x.rows)
		again := slices.Concat(x.rows, x.rows[:rapid.IntRange(0, len(x.rows)).Draw(t, "again")])
		if after := k(again); after < before {
			t.Fatalf("k %d, with repeated records %d", before, after)
		}
		if twice := k(slices.Concat(x.rows, x.rows)); twice != 2*before {
			t.Fatalf("k %d, all twice %d", before, twice)
		}
	})
}

func TestSurveyAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Wildcard}).Draw(t, "mode"), markers}
		columns, err := NewColumns(x.names()[:x.qi]...)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWeighted(columns, x.qi)
		var weights []float64
		for _, r := range x.rows {
			n := rapid.IntRange(3, 400).Draw(t, "quarters")
			a, err := readAmount(strconv.FormatFloat(float64(n)/4, 'g', -1, 64))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Add(1, a, r[:x.qi]...); err != nil {
				t.Fatal(err)
			}
			weights = append(weights, float64(n)/4)
		}
		if rapid.Bool().Draw(t, "encoded") {
			text, err := w.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			w = new(Weighted)
			if err := w.UnmarshalBinary(text); err != nil {
				t.Fatal(err)
			}
		}
		missing := func(v string) bool { return slices.Contains(markers, v) }
		f := x.frequencies(m)
		light, total, uniques := false, 0.0, uint64(0)
		for i, a := range x.rows {
			F := 0.0
			for j, b := range x.rows {
				match := true
				for k := range x.qi {
					if a[k] != b[k] && !(m.Mode == Wildcard && (missing(a[k]) || missing(b[k]))) {
						match = false
					}
				}
				if match {
					F += weights[j]
				}
			}
			if f[i] == 0 {
				continue
			}
			if F < float64(f[i]) {
				light = true
			}
			if f[i] == 1 {
				uniques++
			}
			total += individualRisk(f[i], math.Min(1, float64(f[i])/F))
		}
		r, err := w.Risk(t.Context(), m, 2)
		if err != nil || r.Light > 0 != light {
			t.Fatalf("%v, weights too small: %v", err, light)
		}
		if math.Abs(r.Reidentified-total) > 1e-9 || r.Uniques != uniques {
			t.Fatalf("%v, %d alone, want %v, %d", r.Reidentified, r.Uniques, total, uniques)
		}
	})
}

func TestRelativeFrequencies(t *testing.T) {
	columns := must.Get(NewColumns("a", "b"))(t)
	data := NewClasses(columns, 2)
	for _, r := range [][]string{{"x", "1"}, {"x", "1"}, {"x", "2"}, {"y", "1"}} {
		must.Do(t, data.Add(1, r...))
	}
	table := func(column string, q map[string]string) *Weighted {
		c := must.Get(NewColumns(column))(t)
		w := NewWeighted(c, 1)
		for v, s := range q {
			a := must.Get(readAmount(s))(t)
			must.Do(t, w.Add(1, a, v))
		}
		return w
	}
	a := table("a", map[string]string{"x": "0.5", "y": "0.2", "z": "0.3"})
	for _, tc := range []struct {
		b             map[string]string
		k, delta      *big.Rat
		absent, below uint64
	}{
		{map[string]string{"1": "0.3", "2": "0.7"}, big.NewRat(6, 10), num.One, 0, 2}, // F̂ 1.5, 3.5, 0.6
		{map[string]string{"1": "1", "2": "0.5"}, big.NewRat(2, 1), big.NewRat(1, 2), 0, 0},
		{map[string]string{"1": "1"}, new(big.Rat), nil, 1, 1},
	} {
		m := must.Get(data.EstimatedKMap(10, []*Weighted{a, table("b", tc.b)}, 5))(t)
		if m.K.Cmp(tc.k) != 0 || (m.Delta == nil) != (tc.delta == nil) || m.Delta != nil && m.Delta.Cmp(tc.delta) != 0 || m.Absent != tc.absent || m.Below != tc.below {
			t.Errorf("%v: %+v, want k %v, δ %v, %d absent, %d below", tc.b, m, tc.k, tc.delta, tc.absent, tc.below)
		}
		if len(m.Worst) != 3 || math.Abs(m.Worst[0].Population-num.Float(tc.k)) > 1e-12 {
			t.Errorf("worst %+v", m.Worst)
		}
	}
	b := table("b", map[string]string{"1": "1"})
	for _, tables := range [][]*Weighted{{a}, {a, a, b}, {a, b, table("c", nil)}, {a, table("b", map[string]string{"1": "1.5"})}} {
		if _, err := data.EstimatedKMap(10, tables, 0); err == nil {
			t.Errorf("%d tables that do not fit are accepted", len(tables))
		}
	}
	must.Do(t, b.Add(1, amountOf(0), "1"))
	if _, err := data.EstimatedKMap(10, []*Weighted{a, b}, 0); err == nil {
		t.Error("a tuple given twice is accepted")
	}
}
