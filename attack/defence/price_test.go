package defence

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

var price = flag.Bool("price", false, "measure bench/results/defence.csv, which takes minutes")

// TestPrice counts the cells that the defences withhold beside those of a cheapest
// pattern. go test ./attack/defence -run Price -price -v prints bench/results/defence.csv.
func TestPrice(t *testing.T) {
	ctx := context.Background()
	shapes := []struct {
		name   string
		tables int
		draw   func(seed uint64) *table.Table
	}{
		{"4×4", 50, func(s uint64) *table.Table { return square(t, 4, s) }},
		{"5×5", 50, func(s uint64) *table.Table { return square(t, 5, s) }},
		{"6×6", 50, func(s uint64) *table.Table { return square(t, 6, s) }},
		{"7×7", 50, func(s uint64) *table.Table { return square(t, 7, s) }},
		{"10×10", 10, func(s uint64) *table.Table { return square(t, 10, s) }},
		{"20×20", 5, func(s uint64) *table.Table { return square(t, 20, s) }},
		{"3×3×3", 50, func(s uint64) *table.Table { return cube(t, 3, 3, 3, s) }},
		{"5×5×5", 5, func(s uint64) *table.Table { return cube(t, 5, 5, 5, s) }},
	}
	defences := []struct {
		name string
		opt  func(tb *table.Table, seed uint64) *Options
	}{
		{"simulatable", func(*table.Table, uint64) *Options { return &Options{Kind: Simulatable} }},
		{"simulatable, weights", func(tb *table.Table, seed uint64) *Options {
			return &Options{Kind: Simulatable, Weights: older(tb, seed)}
		}},
		{"simulatable, bounds", func(tb *table.Table, seed uint64) *Options {
			return &Options{Kind: Simulatable, Weights: older(tb, seed)}
		}},
		{"quantised", func(*table.Table, uint64) *Options { return &Options{Kind: Quantised, Below: 5, Width: 8} }},
		{"random, ε = 1", func(_ *table.Table, seed uint64) *Options {
			return &Options{Kind: Random, Seed: key(seed)}
		}},
		{"random, ε = 16", func(_ *table.Table, seed uint64) *Options {
			return &Options{Kind: Random, Seed: key(seed), Epsilon: 16}
		}},
	}
	if !*price {
		shapes = shapes[:1]
		shapes[0].tables = 5
	}
	for _, sh := range shapes {
		cells, sensitive, cheapest, open := 0, 0, 0, 0
		lost := make([]int, len(defences))    // withheld
		refused := make([]int, len(defences)) // tables
		base := make([]int, len(defences))    // withheld by cheapest patterns of the others
		all := make([]int, len(defences))     // cells of the others
		took := make([]time.Duration, len(defences))
		for seed := uint64(1); seed <= uint64(sh.tables); seed++ {
			tb := sh.draw(seed)
			sol, err := solver.Suppress(ctx, tb, &solver.Options{TimeLimit: 20 * time.Second})
			var impossible *solver.UnprotectableError
			if errors.As(err, &impossible) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if sol.Status != solver.Optimal {
				open++
			}
			inner := 0
			for _, st := range tb.Status {
				if st == table.Sensitive {
					sensitive++
				}
				if st != table.Published {
					inner++
				}
			}
			cells += inner
			best := withheld(sol.Pattern)
			cheapest += best
			for d, def := range defences {
				opt, tb := def.opt(tb, seed), tb
				if def.name == "simulatable, bounds" {
					tb = tb.Clone()
					for i, w := range opt.Weights {
						if tb.Status[i] != table.Published {
							tb.Lower[i], tb.Upper[i] = max(0, w/2-5), 2*w+10
						}
					}
				}
				start := time.Now()
				s, err := Suppress(ctx, tb, opt)
				took[d] += time.Since(start)
				var u *solver.UnprotectableError
				switch {
				case errors.As(err, &u):
					refused[d]++
				case err != nil:
					t.Fatal(err)
				default:
					lost[d] += withheld(s.Pattern)
					base[d] += best
					all[d] += inner
					if withheld(s.Pattern) < best && sol.Status == solver.Optimal && def.name != "quantised" {
						t.Errorf("%s, seed %d: %s withholds fewer cells than the optimum", sh.name, seed, def.name)
					}
				}
			}
		}
		line := fmt.Sprintf("| %s | %d | %d | %.0f%% | %.0f%% |", sh.name, sh.tables, cells, percent(sensitive, cells), percent(cheapest, cells))
		for d := range defences {
			line += fmt.Sprintf(" %.0f%% ×%.2f, %d, %s |", percent(lost[d], all[d]), float64(lost[d])/float64(max(1, base[d])), refused[d],
				(took[d] / time.Duration(sh.tables)).Round(10*time.Microsecond))
		}
		t.Log(line, open, "optima not proved")
	}
}

func percent(a, b int) float64 { return 100 * float64(a) / float64(max(1, b)) }

func withheld(pattern []bool) int {
	n := 0
	for _, w := range pattern {
		if w {
			n++
		}
	}
	return n
}

// older returns the table of a year before: every value up to a fifth off. Of bounds
// it gives [w/2 − 5, 2w + 10].
func older(tb *table.Table, seed uint64) []int64 {
	noise := drawn(tb.Len(), seed, 1)
	w := make([]int64, tb.Len())
	for i, v := range tb.Value {
		w[i] = v * (800 + 400*noise[i]/int64(tb.Len())) / 1000
	}
	return w
}
