package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// A coding makes a released value of a value, and tells by itself what it stands for.
type coding struct {
	name  string
	sure  bool // its values can be read in one way only
	known Reading
	value func(x int) string
	holds func(x int, released string) bool
}

// drawCoding draws how a column of whole numbers from 0 to 99 is released.
func drawCoding(t *rapid.T) coding {
	w := rapid.SampledFrom([]int{2, 3, 5, 10, 20}).Draw(t, "width")
	floor := func(x int) int { return x / w * w }
	low, high := rapid.IntRange(0, 40).Draw(t, "bottom"), rapid.IntRange(60, 99).Draw(t, "top")
	by := func(name string, sure bool, value func(x int) string) coding {
		return coding{name: name, sure: sure, value: value, holds: func(x int, released string) bool { return value(x) == released }}
	}
	names := map[string][]string{}
	for x := range 100 {
		names[fmt.Sprint("class ", floor(x))] = append(names[fmt.Sprint("class ", floor(x))], fmt.Sprint(x))
	}
	all := []coding{
		by("values", true, func(x int) string { return fmt.Sprint(x) }),
		by("half-open", true, func(x int) string { return fmt.Sprintf("[%d,%d)", floor(x), floor(x)+w) }),
		by("half-open below", true, func(x int) string { return fmt.Sprintf("(%d, %d]", floor(x)-1, floor(x)+w-1) }),
		by("of ARX", true, func(x int) string { return fmt.Sprintf("[%d, %d[", floor(x), floor(x)+w) }),
		by("ranges", false, func(x int) string { return fmt.Sprintf("%d-%d", floor(x), floor(x)+w-1) }),
		by("dashes", false, func(x int) string { return fmt.Sprintf("%d–%d歳", floor(x), floor(x)+w) }),
		by("ends", true, func(x int) string {
			switch {
			case x < low:
				return fmt.Sprint("<", low)
			case x >= high:
				return fmt.Sprint(high, "+")
			}
			return fmt.Sprint(x)
		}),
		by("Japanese", true, func(x int) string {
			switch {
			case x < low:
				return fmt.Sprint(low, "歳未満")
			case x > high:
				return fmt.Sprint("> ", high)
			}
			return fmt.Sprintf("[%d,%d]", x, x)
		}),
		by("rounded", false, func(x int) string { return fmt.Sprint((x + w/2) / w * w) }),
		by("cut", false, func(x int) string { return fmt.Sprint(floor(x)) }),
		by("withheld", true, func(int) string { return "*" }),
		by("emptied", true, func(int) string { return "" }),
		by("categories", true, func(x int) string { return fmt.Sprint("class ", floor(x)) }),
	}
	all[len(all)-1].known.Names = names
	c := rapid.SampledFrom(all).Draw(t, "coding")
	share := rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "withheld") // some are withheld besides
	if share > 0 && c.name != "emptied" {
		value, holds, n := c.value, c.holds, 0
		c.value = func(x int) string {
			if n++; n%share == 0 {
				return "*"
			}
			return value(x)
		}
		c.holds = func(x int, released string) bool { return released == "*" || holds(x, released) }
	}
	return c
}

// TestLinkage has releases that are coded, withheld in part, sampled and shuffled attacked, and compares with candidates that are counted record
// by record by one who knows how they were coded.
func TestLinkage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exact, all, more, less := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(12, 40).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "columns")
		most := rapid.SampledFrom([]int{6, 30, 99}).Draw(t, "most")
		var codings []coding
		var names []string
		x, y := make([][]int, n), make([][]string, n)
		sure := true
		for k := range width {
			codings, names = append(codings, drawCoding(t)), append(names, fmt.Sprint("c", k))
			sure = sure && codings[k].sure
			for i := range n {
				x[i] = append(x[i], rapid.IntRange(0, most).Draw(t, "x"))
				y[i] = append(y[i], codings[k].value(x[i][k]))
			}
		}
		order := rapid.Permutation(indexes(n)).Draw(t, "order")[:rapid.IntRange(max(1, n/2), n).Draw(t, "m")]
		var original, release [][]string
		for i := range n {
			var row []string
			for _, v := range x[i] {
				row = append(row, fmt.Sprint(v))
			}
			original = append(original, row)
		}
		var truth []int32
		for _, i := range order {
			release, truth = append(release, y[i]), append(truth, int32(i))
		}
		known := rapid.Bool().Draw(t, "truth known")
		if !known {
			truth = nil
		}
		files, err := Read(t.Context(), risk.Layout{}, names, nil, save(t, dir, "o.csv", original), save(t, dir, "r.csv", release))
		if err != nil {
			t.Fatal(err)
		}
		var meanings []*Meaning
		for k := range width {
			m, err := Understand(files[0], files[1], nil, k, truth, codings[k].known)
			if err != nil {
				if codings[k].sure {
					t.Fatal(codings[k].name, err)
				}
				t.Skip() // refused
			}
			if m.Kind == Perturbed {
				t.Skip()
			}
			meanings = append(meanings, m)
		}
		Stand(meanings, files[1], files[0])
		columns := indexes(width)
		c := NewCandidates(files[1], meanings, columns)
		got, err := c.Link(t.Context(), files[0], truth)
		if err != nil {
			t.Fatal(err)
		}
		want := Linkage{}
		for i := range n {
			if known && !slices.Contains(order, i) {
				continue
			}
			candidates := 0
			for j := range release {
				fits := true
				for k := range width {
					fits = fits && codings[k].holds(x[i][k], release[j][k])
				}
				if fits {
					candidates++
				}
			}
			want.Persons++
			if candidates > 0 {
				want.Found++
				want.Expected += 1 / float64(candidates)
				want.Largest = max(want.Largest, 1/float64(candidates))
				if candidates == 1 {
					want.Alone++
				}
			}
		}
		all++
		if got.Outside > 0 {
			if sure {
				t.Fatalf("%+v", got)
			}
			t.Skip() // taken for perturbed
		}
		same := got.Persons == want.Persons && got.Found == want.Found && got.Alone == want.Alone && math.Abs(got.Expected-want.Expected) < 1e-9 && got.Largest == want.Largest
		if same {
			exact++
		}
		if got.Expected > want.Expected+1e-9 {
			more++
		}
		if sure && !same {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if got.Expected < want.Expected-1e-9 {
			less++
		}
	})
	t.Logf("%d draws: %d the same, %d more, %d less", all, exact, more, less)
	if less > 5+all/10 { // how numbers were rounded, or ends are meant, can be told of few records in several ways: one of 25
		t.Errorf("%d of %d are taken for safer than they are", less, all)
	}
}

func indexes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// save writes rows as a file.
func save(t *rapid.T, dir, name string, rows [][]string) string {
	var b strings.Builder
	for k := range rows[0] {
		fmt.Fprintf(&b, "c%d,", k)
	}
	b.WriteString("end\n")
	for _, r := range rows {
		for _, v := range r {
			fmt.Fprintf(&b, "%q,", v)
		}
		b.WriteString("x\n")
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestInOrder has files in the order of the original recognised, and shuffled ones not.
func TestInOrder(t *testing.T) {
	t.Parallel()
	found := [2]int{}
	const draws = 400
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 70))
		n := 60 + rng.IntN(100)
		r := &Records{N: n, X: make([][]float64, 2), ID: make([][]uint32, 2)}
		within := make([][]uint32, 20)
		for v := range uint32(20) {
			within[v] = []uint32{v}
		}
		for range n {
			r.ID[0], r.ID[1] = append(r.ID[0], uint32(rng.IntN(20))), append(r.ID[1], uint32(rng.IntN(2)))
		}
		m := &Meaning{Kind: Values, within: within, size: map[uint32]int{}}
		if NewCandidates(r, []*Meaning{m, m}, []int{0, 1}).InOrder(r) {
			found[0]++
		}
		if NewCandidates(r.pick(shuffled(rng, n)), []*Meaning{m, m}, []int{0, 1}).InOrder(r) {
			found[1]++
		}
	}
	if found[0] < draws || found[1] > 1 {
		t.Errorf("%d in order and %d shuffled of %d are taken for in order", found[0], found[1], draws)
	}
}

func shuffled(rng *rand.Rand, n int) []int32 {
	list := sets.Upto(int32(n))
	rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}
