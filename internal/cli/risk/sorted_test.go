package risk

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/risk"
)

// What is sorted, either way, nested in another column, or grouped is found; what is shuffled is not.
func TestSequence(t *testing.T) {
	t.Parallel()
	draws := heavy.Draws(2000)
	found, parts := map[string]int{}, 0
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 74))
		n, values := 300+rng.IntN(700), 2+rng.IntN(300)
		list := make([]int, n)
		for i := range list {
			list[i] = int(float64(values) * rng.Float64() * rng.Float64())
		}
		var names []string
		var lists [][]int
		tells := func(what string, list []int) {
			names, lists = append(names, what), append(lists, slices.Clone(list))
		}
		tells("shuffled", list)
		if n >= 400 && values >= 50 {
			part := slices.Clone(list)
			slices.Sort(part[:n/2])
			tells("sorted in half", part)
			parts++
		}
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
		for _, what := range orderOf(t, 1, names, lines(names, lists...)) {
			found[what]++
		}
	}
	for _, what := range []string{"grouped", "sorted", "falling", "nested"} {
		if found[what] < draws*95/100 {
			t.Errorf("%s: %d of %d are found", what, found[what], draws)
		}
	}
	if found["sorted in half"] < parts*95/100 {
		t.Errorf("%d of %d that are sorted in half are found", found["sorted in half"], parts)
	}
	if found["shuffled"] > 0 {
		t.Errorf("%d of %d shuffled ones are taken for sorted", found["shuffled"], draws)
	}
}

// lines is a file of columns.
func lines(names []string, columns ...[]int) string {
	text := []byte(strings.Join(names, ",") + "\n")
	for i := range columns[0] {
		for _, c := range columns {
			text = append(strconv.AppendInt(text, int64(c[i]), 10), ',')
		}
		text[len(text)-1] = '\n'
	}
	return string(text)
}

// orderOf are the columns of files whose lines tell of the next one.
func orderOf(t *testing.T, workers int, names []string, files ...string) []string {
	t.Helper()
	c := must.Get(risk.NewColumns(names...))(t)
	file := 0
	s := must.Get(risk.NewScanner(risk.Layout{Workers: workers}, c, nil, func() *sequence { return newSequence(c, &file) }))(t)
	for _, text := range files {
		must.Do(t, s.Read(t.Context(), strings.NewReader(text), "f"))
		file++
	}
	all := must.Get(s.Result())(t)
	return all.tells()
}

// What is sorted or grouped anywhere in a file, or in one of several, is found, whoever reads it.
func TestSequenceAnywhere(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 74))
	name, list := []string{"a"}, make([]int, 4*partLines)
	for i := range list {
		list[i] = rng.IntN(500)
	}
	for _, workers := range []int{1, 3} {
		if told := orderOf(t, workers, name, lines(name, list)); len(told) > 0 {
			t.Errorf("%d workers: a shuffled file is taken for sorted", workers)
		}
		if told := orderOf(t, workers, name, lines(name, list), lines(name, list)); len(told) > 0 {
			t.Errorf("%d workers: two shuffled files are taken for sorted", workers)
		}
		for from := 0; from < len(list); from += partLines {
			part := slices.Clone(list)
			slices.Sort(part[from : from+partLines])
			if told := orderOf(t, workers, name, lines(name, part)); len(told) == 0 {
				t.Errorf("%d workers: lines from %d on are sorted, and not found", workers, from)
			}
			if told := orderOf(t, workers, name, lines(name, list), lines(name, list[:1000]), lines(name, part[from:from+partLines])); len(told) == 0 {
				t.Errorf("%d workers: the last file is sorted, and not found", workers)
			}
		}
	}
}

// Lines of a file that is not read in their order tell nothing, and later files are files of their own.
func TestNextFile(t *testing.T) {
	t.Parallel()
	file, files := 0, 0
	for k, path := range []string{"a.csv", "b.parquet", "-"} {
		if nextFile(&file, &files, path); file != []int{1, -1, 3}[k] {
			t.Errorf("%s: %d", path, file)
		}
	}
}
