package modular

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// proof writes the certificate of a run down.
func proof(t *testing.T, sol *solver.Solution) []byte {
	t.Helper()
	var b bytes.Buffer
	if sol.Certificate == nil {
		t.Fatal("no certificate")
	}
	if err := sol.Certificate.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Runs by sub-tables are certified: the pattern and the bound, which is proved part by part.
func TestCertificates(t *testing.T) {
	t.Parallel()
	ctx, all := context.Background(), shapes(t)
	parts, proved, bounds := 0, 0, int64(0)
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		tab := draw(t, rng, all[seed%uint64(len(all))]...)
		tab.Strict = rng.IntN(4) == 0
		best, errBest := solver.Suppress(ctx, tab, nil)
		sol, err := Suppress(ctx, tab, &solver.Options{Workers: 2, Certificate: true})
		var u *solver.UnprotectableError
		if errors.As(errBest, &u) {
			if !errors.As(err, &u) {
				t.Errorf("seed %d: %v, want %v", seed, err, errBest)
			}
			continue
		}
		if err != nil || errBest != nil {
			t.Fatalf("seed %d: %v, %v", seed, err, errBest)
		}
		file := proof(t, sol)
		rep, err := second.Verify(t, file, tab)
		switch {
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		case rep.Bound != sol.Bound || rep.Cost != sol.Cost || !slices.Equal(rep.Pattern, sol.Pattern):
			t.Errorf("seed %d: bound %d and cost %d are certified, the run says %d and %d", seed, rep.Bound, rep.Cost, sol.Bound, sol.Cost)
		case rep.Bound > best.Cost:
			t.Errorf("seed %d: a bound of %d is certified, the optimum is %d", seed, rep.Bound, best.Cost)
		}
		again, err := Suppress(ctx, tab, &solver.Options{Workers: 1, Certificate: true})
		if err != nil || !bytes.Equal(proof(t, again), file) {
			t.Errorf("seed %d: another certificate with another number of workers (%v)", seed, err)
		}
		parts += rep.Parts
		bounds += rep.Bound
		if rep.Bound == rep.Cost {
			proved++
		}
	}
	if parts < 50 || proved == 0 || bounds == 0 {
		t.Errorf("%d parts, %d tables proved, bounds of %d in all", parts, proved, bounds)
	}
}

// Quick runs are certified as well, their bound by single relations, and those of the exact search that go on from a first pattern.
func TestFirstPatternsAreCertified(t *testing.T) {
	if !heavy.On() {
		t.Skip("make heavy")
	}
	t.Parallel()
	tab := draw(t, rand.New(rand.NewPCG(7, 3)), tree(t, "A", 20), tree(t, "B", 20), tree(t, "C", 9))
	for name, find := range map[string]func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error){"quick": Quick, "whole": Whole} {
		limit := 3 * time.Second
		if name == "quick" { // there has to be a bound by then, on a machine that others use, too
			limit *= 3
		}
		sol, err := find(context.Background(), tab, &solver.Options{Certificate: true, TimeLimit: limit})
		if err != nil {
			t.Fatal(err)
		}
		rep, err := second.Verify(t, proof(t, sol), tab)
		if err != nil || rep.Bound != sol.Bound || rep.Cost != sol.Cost || rep.Pattern == nil || name == "quick" && rep.Bound == 0 {
			t.Errorf("%s: %+v, %v, want bound %d and cost %d", name, rep, err, sol.Bound, sol.Cost)
		}
	}
}

// manyParts is a table with a certificate of several parts, and its optimum.
func manyParts(t *testing.T) (tab *table.Table, lines []string, best int64) {
	t.Helper()
	all := shapes(t)
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		tab = draw(t, rng, all[seed%uint64(len(all))]...)
		sol, err := Suppress(context.Background(), tab, &solver.Options{Workers: 1, Certificate: true})
		if err != nil {
			continue
		}
		lines = strings.SplitAfter(string(proof(t, sol)), "\n")
		if n := strings.Count(strings.Join(lines, ""), `"is":"part"`); n > 2 {
			opt, err := solver.Suppress(context.Background(), tab, nil)
			if err != nil {
				t.Fatal(err)
			}
			return tab, lines[:len(lines)-1], opt.Cost
		}
	}
	t.Fatal("no certificate has three parts")
	return nil, nil, 0
}

// numbered sets the number of lines in the last.
func numbered(lines []string) string {
	lines[len(lines)-1] = fmt.Sprintf("{\"is\":\"end\",\"lines\":%d}\n", len(lines))
	return strings.Join(lines, "")
}

// What parts do not prove is refused: a bound that they do not add up to, shares beyond the costs, parts that are cut short, nested or
// empty.
func TestHostileParts(t *testing.T) {
	t.Parallel()
	tab, lines, _ := manyParts(t)
	check := func(lines []string) error {
		_, err := second.Verify(t, []byte(numbered(lines)), tab)
		return err
	}
	if err := check(slices.Clone(lines)); err != nil {
		t.Fatal(err)
	}
	var at []int // of parts
	for n, l := range lines {
		if strings.HasPrefix(l, `{"is":"part"`) {
			at = append(at, n)
		}
	}
	change := func(n int, do func(m map[string]any)) []string {
		m := map[string]any{}
		d := json.NewDecoder(strings.NewReader(lines[n]))
		d.UseNumber()
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		do(m)
		text, _ := json.Marshal(m)
		out := slices.Clone(lines)
		out[n] = string(text) + "\n"
		return out
	}
	more := func(key string) func(m map[string]any) {
		return func(m map[string]any) {
			v, _ := m[key].(json.Number).Int64()
			m[key] = v + 1
		}
	}
	end := at[1] // of the first part
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a higher bound", change(0, more("bound")), "the parts prove a cost of at least"},
		{"a part with a higher bound", change(at[0], more("bound")), "part 1: node "},
		{"a part twice", slices.Insert(slices.Clone(lines), at[0], lines[at[0]:end]...), "more than its cost"},
		{"a share beyond the cost", change(at[0], func(m map[string]any) {
			shares := m["num"].([]any)
			for c := range shares {
				shares[c] = int64(1) << 40
			}
		}), "more than its cost"},
		{"a negative share", change(at[0], func(m map[string]any) { m["num"].([]any)[0] = -1 }), "negative"},
		{"too few shares", change(at[0], func(m map[string]any) { m["num"] = m["num"].([]any)[1:] }), "costs"},
		{"a relation twice", change(at[0], func(m map[string]any) { m["relations"] = append(m["relations"].([]any), m["relations"].([]any)[0]) }), "twice"},
		{"a part without its tree", slices.Delete(slices.Clone(lines), at[0]+1, end), "a part within a part"},
		{"a part without its last line", slices.Delete(slices.Clone(lines), end-1, end), "a part within a part"},
		{"a part left out", slices.Delete(slices.Clone(lines), at[0], end), "the parts prove a cost of at least"},
		{"a leaf between parts", slices.Insert(slices.Clone(lines), end, `{"is":"leaf"}`+"\n"), "between parts"},
		{"a dual before parts", slices.Insert(slices.Clone(lines), at[0], `{"is":"dual","cell":0,"den":1}`+"\n"), "beside a tree"},
		{"the last part open", slices.Delete(slices.Clone(lines), at[len(at)-1]+1, slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, `{"is":"pattern"`) })), "not complete"},
	} {
		if err := check(c.lines); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Whatever is changed, no bound above the optimum is confirmed.
func TestChangedParts(t *testing.T) {
	t.Parallel()
	tab, lines, best := manyParts(t)
	file := []byte(strings.Join(lines, ""))
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		changed := slices.Clone(file)
		for range 1 + rng.IntN(2) {
			if n := rng.IntN(len(changed)); changed[n] >= '0' && changed[n] <= '9' {
				changed[n] = byte('0' + rng.IntN(10))
			}
		}
		if rep, err := second.Verify(t, changed, tab); err == nil && rep.Bound > best {
			t.Fatalf("a bound of %d is confirmed, the optimum is %d:\n%s", rep.Bound, best, changed)
		}
	}
}
