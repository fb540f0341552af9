package risk

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/risk"
)

// What is sorted, either way, nested in another column, or grouped is found; what is shuffled is not.
func TestSequence(t *testing.T) {
	t.Parallel()
	const draws = 2000
	found := map[string]int{}
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 74))
		n, values := 300+rng.IntN(700), 2+rng.IntN(300)
		list := make([]int, n)
		for i := range list {
			list[i] = int(float64(values) * rng.Float64() * rng.Float64())
		}
		tells := func(what string, list []int) {
			s := sequence{count: map[string]int{}}
			for _, v := range list {
				s.add(fmt.Sprint(v))
			}
			if s.tells() {
				found[what]++
			}
		}
		tells("shuffled", list)
		grouped := slices.Clone(list)
		order := rng.Perm(values)
		slices.SortFunc(grouped, func(a, b int) int { return order[a] - order[b] })
		tells("grouped", grouped)
		slices.Sort(list)
		tells("sorted", list)
		slices.Reverse(list)
		tells("falling", list)
		half := n / 3
		slices.Sort(list[:half])
		slices.Sort(list[half : 2*half])
		slices.Sort(list[2*half:])
		tells("nested", list)
	}
	for _, what := range []string{"grouped", "sorted", "falling", "nested"} {
		if found[what] < draws*95/100 {
			t.Errorf("%s: %d of %d are found", what, found[what], draws)
		}
	}
	if found["shuffled"] > 0 {
		t.Errorf("%d of %d shuffled ones are taken for sorted", found["shuffled"], draws)
	}
}

// Of a file with more records than are looked at for their order it is said that it has more.
func TestSortedByFirst(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.csv")
	for more, want := range map[int]uint64{0: 0, 1: lookedAt} {
		if err := os.WriteFile(path, []byte("a\n"+strings.Repeat("x\n", lookedAt+more)), 0o600); err != nil {
			t.Fatal(err)
		}
		if found, first, err := sortedBy(t.Context(), []string{path}, risk.Layout{}, []string{"a"}); err != nil || len(found) > 0 || first != want {
			t.Errorf("%d more: %v, %d, %v", more, found, first, err)
		}
	}
}
