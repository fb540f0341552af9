package adversary

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// A feature is what a case may have: how it changes what is drawn, what it adds to the command, and what must hold
// of the publication beside that each sensitive cell is protected.
type feature struct {
	name string
	draw func(w *world) // before the numbers are drawn
	ask  func(w *world) // afterwards
	// holds says what a reader of the publication learns too closely, "" if nothing.
	holds func(w *world, k *reader) string
}

var features = []*feature{
	{name: "partial", ask: func(w *world) {
		w.partial = true
		w.rules = append(w.rules, "--partial", "--seed", "1")
		switch w.rng.IntN(5) {
		case 0:
			w.rules = append(w.rules, "--ends", "5")
		case 1:
			if most := 3 + w.rng.IntN(12); w.percent == 0 { // else ends may stay as fine as the levels, which are beyond what is counted here
				w.rules = append(w.rules, "--max-width", fmt.Sprint(most))
			}
		case 2:
			w.rules = append(w.rules, "--partial-cost", "absolute")
		}
	}},
	{name: "ledger", ask: func(w *world) {
		for n := range 1 + w.rng.IntN(2) {
			w.release(fmt.Sprintf("old%d.csv", n))
		}
	}},
	{name: "negatives", draw: func(w *world) {
		w.kind, w.negative, w.least = "amount", true, -4000*unit
	}, ask: func(w *world) {
		w.known = append(w.known, "--lower", fmt.Sprint(w.least/unit))
	}},
	{name: "unions", ask: func(w *world) {
		w.rules = append(w.rules, "--unions", fmt.Sprint(2+w.rng.IntN(2)))
	}, holds: unionsHold},
	{name: "groups", ask: func(w *world) {
		w.groups = w.rng.Int64N(2)
		w.rules = append(w.rules, "--groups", fmt.Sprint(w.groups))
	}, holds: groupsHold},
	{name: "waivers", draw: func(w *world) { w.kind, w.percent = "records", 5+w.rng.Int64N(40) }},
	{name: "weights", draw: func(w *world) { w.kind, w.percent = "records", 5+w.rng.Int64N(40) }},
	{name: "rounding", draw: func(w *world) { w.makers = append(w.makers, "round") }},
	{name: "adjust", draw: func(w *world) { w.makers = append(w.makers, "adjust") }},
	{name: "cellkey", draw: func(w *world) { w.makers = append(w.makers, "cellkey") }},
	{name: "fill"},
	{name: "defence", ask: func(w *world) {
		kind := []string{"simulatable", "random", "quantised"}[w.rng.IntN(3)]
		w.rules = append(w.rules, "--defence", kind)
		if kind == "random" {
			w.rules = append(w.rules, "--seed", fmt.Sprint(w.rng.IntN(99)))
		}
	}},
	{name: "insiders", ask: func(w *world) { w.rules = append(w.rules, "--insiders") }, holds: insidersHold},
	{name: "tolerance", draw: func(w *world) { w.rounded = true }, ask: func(w *world) {
		w.seen = append(w.seen, "--tolerance", "1")
	}},
	{name: "bounds", ask: givenBounds},
	{name: "responses", draw: func(w *world) {
		w.kind, w.percent, w.responses, w.marks, w.below = "amount", 0, []string{"v", "w"}, true, 1
	}, ask: func(w *world) { w.seen = append(w.seen, "--response", "v,w") }},
	{name: "linked", draw: func(w *world) {
		w.sheets = append(w.sheets, sheet{"two.csv", "m"})
	}, ask: func(w *world) { w.rules = append(w.rules, "--linked") }},
}

// givenBounds gives bounds of cells in the input, or one for all on the command line.
func givenBounds(w *world) {
	if len(w.responses) > 1 || w.kind == "records" || w.rounded || w.rng.IntN(3) == 0 {
		for _, c := range w.cells() {
			w.most = max(w.most, w.truth[c])
		}
		w.most = (w.most/unit + 1 + w.rng.Int64N(20)) * unit
		w.known = append(w.known, "--upper", fmt.Sprint(w.most/unit))
		return
	}
	w.bounds = map[cell][2]int64{}
	for _, c := range w.cells() {
		if w.rng.IntN(2) == 0 {
			v := w.truth[c]
			w.bounds[c] = [2]int64{max(w.least, v-w.rng.Int64N(9)*unit), v + w.rng.Int64N(9)*unit}
		}
	}
}

// each calls do for the sums that the tables have, with the withheld cells among their parts.
func (k *reader) each(do func(sum row, parts []cell)) {
	for _, s := range k.w.sheets {
		for _, sum := range k.w.sums(s, k.w.responses[0]) {
			var parts []cell
			for _, c := range sum[1:] {
				if k.hidden(c) {
					parts = append(parts, c)
				}
			}
			do(sum, parts)
		}
	}
}

func (k *reader) hidden(c cell) bool {
	c.response = ""
	return k.withheld[c]
}

// unionsHold looks at the sums of two withheld cells of one relation, of all of them where that is known, and of two anywhere whose sum is.
func unionsHold(w *world, k *reader) (open string) {
	if w.kind == "records" || w.marks {
		return "" // who contributes to several cells is not heard in the table
	}
	k.each(func(sum row, parts []cell) {
		var sets [][]cell
		for i := range parts {
			for j := range i {
				sets = append(sets, []cell{parts[i], parts[j]})
			}
		}
		if len(parts) > 2 && !k.hidden(sum[0]) {
			sets = append(sets, parts)
		}
		for _, set := range sets {
			n := w.sumNeed(set)
			if n == nil || open != "" {
				continue
			}
			u := k.union(set)
			if s := k.span(u); !s.reaches(n) {
				lo, hi := k.interval(u)
				open = fmt.Sprintf("the sensitive union of %v is in [%s, %s]", set, end(lo), end(hi))
			}
		}
	})
	// So are sums of two cells anywhere, where they are known.
	all := w.cells()
	for i, a := range all {
		for _, b := range all[:i] {
			if n := w.sumNeed([]cell{a, b}); n == nil || open != "" || !k.hidden(a) || !k.hidden(b) {
				continue
			}
			if width := k.span(k.union([]cell{a, b})).width(); width != nil && width.Sign() == 0 {
				open = fmt.Sprintf("the sensitive union of %v and %v is known", a, b)
			}
		}
	}
	return open
}

// sumNeed is what the rules ask of a sum of cells to which nobody contributes twice; nil: nothing.
func (w *world) sumNeed(set []cell) *need {
	var list []brought
	var value, n int64
	for _, c := range set {
		list = append(list, w.from[c]...)
		value += w.shown(c)
		if n += w.freq[c]; w.kind == "count" {
			n += w.shown(c) - w.freq[c]
		}
	}
	zero := new(big.Rat)
	if w.percent > 0 {
		if down, up := w.short(list, value); up != nil {
			return &need{down, up, zero}
		}
		return nil
	}
	if n >= 1 && n < w.below {
		whole := func(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }
		return &need{whole(w.lpl), whole(w.upl), whole(w.width)}
	}
	return nil
}

// groupsHold looks at the cells beside one that has nearly all units of a margin: they must be able to be one more.
func groupsHold(w *world, k *reader) (open string) {
	for _, s := range w.sheets {
		for _, sum := range w.sums(s, w.responses[0]) {
			all := w.shown(sum[0])
			for at, c := range sum[1:] {
				if all <= w.groups || w.shown(c) < all-w.groups || open != "" {
					continue
				}
				others := slices.Delete(slices.Clone([]cell(sum[1:])), at, at+1)
				u := k.union(others)
				// Counted from what the margin and the cell are published as, where these are rounded.
				if lo, hi := k.interval(u); hi != nil && hi.Cmp(new(big.Rat).SetInt64(all-w.shown(c)+1)) < 0 {
					open = fmt.Sprintf("group: all but %d of the %d units of %v are in %v, and the others are in [%s, %s]", w.groups, all, sum[0], c, end(lo), end(hi))
				}
			}
		}
	}
	return open
}

// insidersHold lets every only contributor of a withheld cell look for other sensitive cells in the relations.
func insidersHold(w *world, k *reader) string { return insiders(w, k, false) }

// insiders lets them look in the bounds, too. A count that is rounded is what the file tells of the contributors.
func insiders(w *world, k *reader, bounds bool) string {
	if w.kind == "records" || w.marks {
		return ""
	}
	people := map[cell][]cell{}
	one := func(c cell) bool { return w.freq[c] == 1 && (w.kind != "count" || w.shown(c) == 1) }
	for _, c := range w.cells() {
		if one(c) && k.hidden(c) {
			people[c] = []cell{c}
		}
	}
	// A cell and its margin that is of nobody else are one person's.
	for range 3 {
		for _, s := range w.sheets {
			for _, sum := range w.sums(s, w.responses[0]) {
				if !one(sum[0]) {
					continue
				}
				for _, c := range sum[1:] {
					if one(c) {
						both := append(slices.Clone(people[c]), people[sum[0]]...)
						slices.SortFunc(both, byName)
						both = slices.Compact(both)
						for _, d := range append(both, c, sum[0]) {
							people[d] = both
						}
					}
				}
			}
		}
	}
	for _, who := range w.cells() {
		knows, alone := people[who]
		if !alone {
			continue
		}
		own := w.reader()
		for _, s := range w.sheets {
			own.adds(s, w.responses[0])
		}
		for i := range own.lo {
			if !bounds {
				own.lo[i] = table.NegInf
			}
		}
		for _, c := range w.cells() {
			if !k.hidden(c) || slices.Contains(knows, c) {
				own.within(c, w.truth[c], w.truth[c], "an insider")
			}
		}
		for _, r := range w.releases {
			lines, _ := w.heard(r, w.sheets[0], w.responses[0])
			for _, l := range lines {
				if l.value != "" {
					own.within(l.cell, w.truth[l.cell], w.truth[l.cell], r)
				}
			}
		}
		for _, c := range w.cells() {
			if w.need[c] == nil || slices.Contains(knows, c) || !k.hidden(c) {
				continue
			}
			if width := own.span(c).width(); width != nil && width.Sign() == 0 {
				return fmt.Sprintf("the only contributor of %v computes %v", who, c)
			}
		}
	}
	return ""
}

func byName(a, b cell) int {
	switch x, y := a.String(), b.String(); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
