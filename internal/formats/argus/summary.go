package argus

import (
	"math/big"

	"github.com/hitoku/hitoku/table"
)

// A StatusSum is the number of cells of a status, and their sums; a sum is empty if some cell's value is not
// known.
type StatusSum struct {
	Status                   int // τ-ARGUS's number of the status, 0 for all cells
	Name                     string
	Cells                    int
	Respondents, Value, Cost string
}

// statusNames are τ-ARGUS's names of the statuses from 1 on; 7 and 8 have no names and no cells.
var statusNames = []string{"Safe", "Safe (manual)", "Unsafe", "Unsafe (request)", "Unsafe (freq)", "Unsafe (zero cell)", "", "",
	"Unsafe (manual)", "Protected", "Secondary", "Secondary (from manual)", "Empty (non-struct.)", "Empty"}

// Summarise counts the cells of t by τ-ARGUS status, and last all of them, as τ-ARGUS's report does. A
// combination of the codes that o lists for which t has no cell counts as an empty cell. pattern is as for
// WriteOutput.
func Summarise(t *table.Table, pattern []bool, o WriteOptions) []StatusSum {
	type sums struct {
		cells             int
		freq, value, cost big.Int
		counted, known    bool
	}
	all := make([]sums, len(statusNames)+1)
	for n := range all {
		all[n].counted, all[n].known = t.Freq != nil || t.Counts, true
	}
	var x big.Int
	add := func(s *sums, i int) {
		s.cells++
		s.known = s.known && t.Known(i)
		s.value.Add(&s.value, x.SetInt64(t.Value[i]))
		s.cost.Add(&s.cost, x.SetInt64(t.Cost[i]))
		switch {
		case t.Freq != nil:
			s.counted = s.counted && t.Freq[i] >= 0
			s.freq.Add(&s.freq, x.SetInt64(t.Freq[i]))
		case t.Counts:
			s.counted = s.counted && t.Known(i)
			s.freq.Add(&s.freq, x.SetInt64(t.Value[i]))
		}
	}
	for i := range t.Len() {
		add(&all[o.status(t, i, pattern)], i)
		add(&all[0], i)
	}
	if len(t.Dims) > 0 {
		grid := 1
		for _, d := range o.dims(t) {
			grid = min(grid, 1<<40) * len(d.Codes)
		}
		all[14].cells += grid - t.Len()
		all[0].cells = grid
	}
	text := func(ok bool, v *big.Int, decimals int) string {
		if !ok {
			return ""
		}
		return table.FormatRat(new(big.Rat).SetInt(v), decimals)
	}
	var out []StatusSum
	for n := range all {
		k := (n + 1) % len(all)
		s := &all[k]
		name := "Total"
		if k > 0 {
			if name = statusNames[k-1]; name == "" {
				continue
			}
		}
		out = append(out, StatusSum{k, name, s.cells, text(s.counted, &s.freq, 0), text(s.known, &s.value, t.Decimals), text(s.known, &s.cost, t.CostDecimals)})
	}
	return out
}
