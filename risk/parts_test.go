package risk

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPartsMerge divides random records among accumulators, splits those, puts equal parts together as
// encoded bytes, measures each part and merges results that travelled as JSON: the result
// is that of all records.
func TestPartsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		records, values := rapid.IntRange(0, 60).Draw(t, "records"), rapid.IntRange(1, 6).Draw(t, "values")
		files, parts := rapid.IntRange(1, 4).Draw(t, "files"), rapid.IntRange(1, 7).Draw(t, "parts")
		m := Missing{Mode: []MissingMode{Own, Drop}[rng.IntN(2)], Markers: []string{"", "NA"}}
		own, worst := rng.IntN(2) == 0, rng.IntN(4)
		columns := func() *Columns {
			c, err := NewColumns("a", "b", "s", "n")
			check(t, err)
			return c
		}
		value := func() string {
			switch x := rng.IntN(values + 2); x {
			case 0:
				return []string{"", "NA"}[rng.IntN(2)]
			default:
				return fmt.Sprint(x)
			}
		}
		number := func() string { return []string{"", "1", "2", "2.0", "-3", "7"}[rng.IntN(6)] }
		whole := NewSensitive(columns(), 2)
		pieces, people := make([]*Sensitive, files), make([]*Classes, files)
		qi := func() *Columns { c, err := NewColumns("a", "b"); check(t, err); return c }
		everybody := qi()
		sample := NewClasses(everybody, 2)
		var population [][]string
		for k := range pieces {
			pieces[k], people[k] = NewSensitive(columns(), 2), NewClasses(qi(), 2)
		}
		for range records {
			r := []string{value(), value(), value(), number()}
			check(t, whole.Add(1, r...))
			check(t, pieces[rng.IntN(files)].Add(1, r...))
			check(t, sample.Add(1, r[:2]...))
			for range rng.IntN(3) {
				population = append(population, r[:2])
			}
		}
		for range rng.IntN(10) {
			population = append(population, []string{value(), value()})
		}
		for _, r := range population {
			check(t, people[rng.IntN(files)].Add(1, r...))
		}

		// As several processes do it.
		data, crowd := make([]*Sensitive, parts), make([]*Classes, parts)
		for k := range pieces {
			list, err := pieces[k].Split(parts)
			check(t, err)
			for p, s := range list {
				if s != nil {
					data[p] = union(t, data[p], s)
				}
			}
			crowds, err := people[k].Split(parts)
			check(t, err)
			for p, c := range crowds {
				if c != nil {
					crowd[p] = union(t, crowd[p], c)
				}
			}
		}
		distances := []Distance{Equal, Ordered}
		if own { // the empty text would be a value that is no number
			distances[1] = Equal
		}
		var totals *Sensitive
		for _, s := range data {
			if s != nil {
				w, err := s.Whole(t.Context(), m)
				check(t, err)
				totals = union(t, totals, w)
			}
		}
		var k *KAnonymity
		var l []*LDiversity
		var c []*TCloseness
		var p *KMap
		for i, s := range data {
			classes := NewClasses(everybody, 2)
			if s != nil {
				classes = &s.Classes
				x, err := s.KAnonymity(t.Context(), m, worst)
				check(t, err)
				if x = travel(t, x); k == nil {
					k = x
				} else {
					check(t, k.Merge(x, worst))
				}
				y, err := s.LDiversity(t.Context(), m, own, []uint64{1, 2, 3}, worst)
				check(t, err)
				if y = travel(t, y); l == nil {
					l = y
				} else {
					for a := range l {
						check(t, l[a].Merge(y[a], worst))
					}
				}
				z, err := s.TClosenessTo(t.Context(), totals, m, own, distances, worst)
				check(t, err)
				if z = travel(t, z); c == nil {
					c = z
				} else {
					for a := range c {
						check(t, c[a].Merge(z[a], worst))
					}
				}
			}
			pop := NewPopulation(classes, nil)
			if crowd[i] != nil {
				for g := range crowd[i].Len() {
					check(t, pop.Add(crowd[i].Size(g), crowd[i].Tuple(g)...))
				}
			}
			if r := travel(t, pop.KMap(worst)); p == nil {
				p = r
			} else {
				check(t, p.Merge(r, worst))
			}
		}
		if records > 0 {
			x, err := whole.KAnonymity(t.Context(), m, worst)
			check(t, err)
			same(t, k, x)
			y, err := whole.LDiversity(t.Context(), m, own, []uint64{1, 2, 3}, worst)
			check(t, err)
			same(t, l, y)
			z, err := whole.TCloseness(t.Context(), m, own, distances, worst)
			check(t, err)
			same(t, c, z)
		}
		pop := NewPopulation(sample, nil)
		for _, r := range population {
			check(t, pop.Add(1, r...))
		}
		same(t, p, pop.KMap(worst))
	})
}

// TestSplitEntities finds the records of every entity in one part, and none lost.
func TestSplitEntities(t *testing.T) {
	c, err := NewColumns("a", "b", "id")
	check(t, err)
	e := NewEntities(c)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		check(t, e.Add(1+rng.Uint64N(3), fmt.Sprint(rng.IntN(3)), fmt.Sprint(rng.IntN(3)), fmt.Sprint(rng.IntN(80))))
	}
	parts, err := e.Split(5)
	check(t, err)
	of := map[string]int{}
	c2, err := NewColumns("a", "b", "id")
	check(t, err)
	all := NewEntities(c2)
	for k, p := range parts {
		for i := range p.pairs.n {
			id := p.columns.Value(2, p.pairs.tuple(i)[0])
			if was, ok := of[id]; ok && was != k {
				t.Fatalf("entity %s is in parts %d and %d", id, was, k)
			}
			of[id] = k
		}
		check(t, all.Merge(p))
	}
	want, err := e.MarshalBinary()
	check(t, err)
	got, err := all.MarshalBinary()
	check(t, err)
	if string(got) != string(want) {
		t.Error("the parts do not add up to the whole")
	}
}

// TestSetsOfEntities divides entities, counts the multisets of each part, divides those and adds up.
func TestSetsOfEntities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		m := Missing{Mode: []MissingMode{Own, Drop}[rng.IntN(2)], Markers: []string{""}}
		fresh := func() *Entities {
			c, err := NewColumns("a", "b", "id")
			check(t, err)
			return NewEntities(c)
		}
		e, files := fresh(), []*Entities{fresh(), fresh(), fresh()} // each numbers values in its own way
		value := func(n int) string { return []string{"", "x", "xy", "y", "1", "2", "3", "4", "5"}[rng.IntN(n)] }
		for range rapid.IntRange(0, 20).Draw(t, "records") {
			r := []string{value(2), value(2), value(9)}
			check(t, e.Add(1, r...))
			check(t, files[rng.IntN(len(files))].Add(1, r...))
		}
		want, err := e.KAnonymity(t.Context(), m, 0)
		check(t, err)
		n := rapid.IntRange(1, 5).Draw(t, "parts")
		parts := make([]*Entities, n)
		for _, f := range files {
			split, err := f.Split(n)
			check(t, err)
			for k, p := range split {
				if p != nil {
					parts[k] = union(t, parts[k], p)
				}
			}
		}
		var total [3]*Classes // of all: multisets, tuples by records, tuples by entities
		without := uint64(0)
		for _, p := range parts {
			if p == nil {
				continue
			}
			sets, shared, w, err := p.Sets(t.Context(), m)
			check(t, err)
			without += w
			for k, c := range []*Classes{sets, &p.Classes, shared} {
				again, err := c.Split(n)
				check(t, err)
				for _, x := range again {
					if x != nil {
						total[k] = union(t, total[k], x)
					}
				}
			}
		}
		got := &EntityAnonymity{WithoutID: without}
		if total[0] != nil {
			sets, err := total[0].KAnonymity(t.Context(), Missing{}, 0)
			check(t, err)
			shared, err := total[2].KAnonymity(t.Context(), Missing{}, 0)
			check(t, err)
			got.K, got.MaxClass, got.Classes, got.Uniques = sets.K, sets.MaxClass, sets.Classes, sets.Uniques
			got.Entities, got.Histogram, got.LeastPerTuple = sets.Records, sets.Histogram, shared.K
		} else {
			got.Histogram = Histogram{}
		}
		if total[1] != nil {
			rows, err := total[1].KAnonymity(t.Context(), m, 0)
			check(t, err)
			got.Records, got.RowK, got.Excluded, got.WithMissing, got.AllMissing = rows.Records, rows.K, rows.Excluded, rows.WithMissing, rows.AllMissing
		}
		same(t, got, want)
	})
}

// TestSplitIsStable pins where tuples go: processes of other versions would not agree otherwise.
func TestSplitIsStable(t *testing.T) {
	c, err := NewColumns("a", "b")
	check(t, err)
	x := NewClasses(c, 2)
	for _, v := range []string{"", "x", "東京", "17000"} {
		check(t, x.Add(1, v, "1"))
	}
	parts, err := x.Split(100)
	check(t, err)
	got := map[string]int{}
	for k, p := range parts {
		if p != nil {
			for g := range p.Len() {
				got[p.Tuple(g)[0]] = k
			}
		}
	}
	if want := map[string]int{"": 62, "17000": 39, "x": 75, "東京": 24}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestResultsOfOtherMeasuresDoNotMerge(t *testing.T) {
	if err := (&KAnonymity{Missing: Wildcard}).Merge(&KAnonymity{Missing: Wildcard}, 0); err == nil {
		t.Error("frequencies by wildcards merged")
	}
	if err := (&LDiversity{Attribute: "a"}).Merge(&LDiversity{Attribute: "b"}, 0); err == nil {
		t.Error("two attributes merged")
	}
	if err := (&TCloseness{Classes: 1, Values: 2}).Merge(&TCloseness{Classes: 1, Values: 3}, 0); err == nil {
		t.Error("distances to two distributions merged")
	}
}

func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// union adds b to a, both as bytes.
func union[T any, P interface {
	*T
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	Merge(P) error
}](t *rapid.T, a, b P) P {
	text, err := b.MarshalBinary()
	check(t, err)
	x := P(new(T))
	check(t, x.UnmarshalBinary(text))
	if a == nil {
		return x
	}
	check(t, a.Merge(x))
	return a
}

// travel sends a result as JSON.
func travel[T any](t *rapid.T, x T) T {
	b, err := json.Marshal(x)
	check(t, err)
	var y T
	check(t, json.Unmarshal(b, &y))
	return y
}

func same(t *rapid.T, got, want any) {
	t.Helper()
	x, err := json.Marshal(got)
	check(t, err)
	y, err := json.Marshal(want)
	check(t, err)
	if string(x) != string(y) {
		t.Fatalf("parts:\n%s\nall:\n%s", x, y)
	}
}

// TestCounted reads people with a column of counts.
func TestCounted(t *testing.T) {
	read := func(text string) (*Classes, error) {
		c, err := NewColumns("zip")
		check(t, err)
		s, err := NewScanner(Layout{Workers: 2}, c, []string{"people"}, func() *Classes { return NewClasses(c, 1) })
		check(t, err)
		if err := s.Read(t.Context(), strings.NewReader(text), "register.csv"); err != nil {
			return nil, err
		}
		return s.Result()
	}
	x, err := read("zip,people\n1,20\n2,0\n1,3\n3,1\n")
	check(t, err)
	if x.Len() != 2 || x.Size(x.Class("1")) != 23 || x.Size(x.Class("3")) != 1 {
		t.Errorf("%d classes, 1: %d, 3: %d", x.Len(), x.Size(x.Class("1")), x.Size(x.Class("3")))
	}
	if _, err := read("zip,people\n1,20\n2,1.5\n"); err == nil || !strings.HasPrefix(err.Error(), "register.csv:3: ") {
		t.Errorf("half a person: %v", err)
	}
	most := "zip,people\n1,18446744073709551615\n"
	if _, err := read(most + "1,1\n"); err == nil || !strings.HasPrefix(err.Error(), "register.csv:3: ") {
		t.Errorf("more than 2^64 people: %v", err)
	}
	a, err := read(most)
	check(t, err)
	b, err := read(most)
	check(t, err)
	if err := a.Merge(b); err == nil {
		t.Error("more than 2^64 people, in two parts, merged")
	}
}
