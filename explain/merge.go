package explain

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// mergers puts together codes without children that stand next to each other under one parent, where some cell of
// them is withheld; those with most such cells come first.
func (e *Explanation) mergers(r *runner) []plan {
	t := r.in.Table
	if t.Missing != nil || len(t.Dims) == 0 {
		return nil
	}
	type pair struct{ d, a, b, withheld int }
	var pairs []pair
	for d := range t.Dims {
		dim := &t.Dims[d]
		leaf := dim.Leaves()
		withheld := make([]int, len(dim.Codes))
		for i, w := range e.Base.Solution.Pattern {
			if w {
				withheld[t.Coord[i*len(t.Dims)+d]]++
			}
		}
		last := map[int32]int{} // child of a parent before this one
		for c := 1; c < len(dim.Codes); c++ {
			parent := dim.Parent[c]
			if a, ok := last[parent]; ok && leaf[a] && leaf[c] && withheld[a]+withheld[c] > 0 && len(dim.Codes) > 3 {
				pairs = append(pairs, pair{d, a, c, withheld[a] + withheld[c]})
			}
			last[parent] = c
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.withheld, x.withheld) })
	var plans []plan
	for _, x := range pairs[:min(len(pairs), maxMergers)] {
		dim := &t.Dims[x.d]
		small, at, err := merged(t, x.d, int32(x.a), int32(x.b))
		if err != nil {
			continue // as of a table whose codes do not allow the name
		}
		plans = append(plans, plan{Change: Change{Kind: Merge, Field: dim.Name, From: dim.Codes[x.a], To: dim.Codes[x.b]}, policy: r.p, table: small, at: at})
	}
	return plans
}

// maxMergers is how many are made, and so tried at most.
const maxMergers = 100

// merged is t with code b of dimension d taken into code a, which is then called a+b; at says where a cell of t is in it.
// Contributions are taken for those of different contributors.
func merged(t *table.Table, d int, a, b int32) (small *table.Table, at func(i int) int, err error) {
	dims := slices.Clone(t.Dims)
	own := &t.Dims[d]
	name := own.Codes[a] + "+" + own.Codes[b]
	var edges []table.Edge
	for c := 1; c < len(own.Codes); c++ {
		code := own.Codes[c]
		switch int32(c) {
		case a:
			code = name
		case b:
			continue
		}
		edges = append(edges, table.Edge{Code: code, Parent: own.Codes[own.Parent[c]]})
	}
	if dims[d], err = table.NewDimension(own.Name, own.Total(), edges); err != nil {
		return nil, nil, err
	}
	k := len(t.Dims)
	place := make([]int, t.Len())
	first := map[string]int{}
	var records []table.Record
	for i := range t.Len() {
		rec := record(t, i)
		if c := t.Coord[i*k+d]; c == a || c == b {
			rec.Codes[d] = name
			key := jsonList(rec.Codes)
			if n, ok := first[key]; ok {
				join(&records[n], &rec)
				place[i] = n
				continue
			}
			first[key] = len(records)
		}
		place[i] = len(records)
		records = append(records, rec)
	}
	if small, err = table.Build(t.Name, dims, records, t.Counts); err != nil {
		return nil, nil, err
	}
	small.Strict = t.Strict
	for i, n := range place {
		if t.Lower[i] == table.NegInf { // Build knows 0 for none
			small.Lower[n] = table.NegInf
		}
	}
	return small, func(i int) int { return place[i] }, nil
}

// record is cell i as Build takes it.
func record(t *table.Table, i int) table.Record {
	number := func(v int64) table.Number { return table.Num(v, t.Decimals) }
	rec := table.Record{Codes: t.CellCodes(i), Value: number(t.Value[i]), Cost: table.Num(t.Cost[i], t.CostDecimals), Status: t.Status[i],
		LPL: number(t.LPL[i]), UPL: number(t.UPL[i]), SPL: number(t.SPL[i])}
	if t.Lower[i] != table.NegInf {
		rec.Lower = number(t.Lower[i])
	}
	if t.Upper[i] != table.PosInf {
		rec.Upper = number(t.Upper[i])
	}
	if t.Freq != nil && t.Freq[i] >= 0 {
		rec.Freq = table.Num(t.Freq[i], 0)
	}
	if t.Reason != nil {
		rec.Reason = t.Reason[i]
	}
	for _, m := range t.Max {
		rec.Max = append(rec.Max, number(m[i]))
	}
	return rec
}

// join adds y to x: a cell of two.
func join(x, y *table.Record) {
	sum := func(a, b table.Number) table.Number {
		a.Unscaled += b.Unscaled // of one scale, 18 digits each
		a.Set = a.Set && b.Set
		return a
	}
	most := func(a, b table.Number) table.Number {
		a.Unscaled = max(a.Unscaled, b.Unscaled)
		return a
	}
	x.Value, x.Cost, x.Freq, x.Lower, x.Upper = sum(x.Value, y.Value), sum(x.Cost, y.Cost), sum(x.Freq, y.Freq), sum(x.Lower, y.Lower), sum(x.Upper, y.Upper)
	x.LPL, x.UPL, x.SPL = most(x.LPL, y.LPL), most(x.UPL, y.UPL), most(x.SPL, y.SPL)
	if rank(y.Status) > rank(x.Status) {
		x.Status, x.Reason = y.Status, y.Reason
	}
	all := slices.Concat(x.Max, y.Max)
	slices.SortStableFunc(all, func(a, b table.Number) int { return cmp.Compare(b.Unscaled, a.Unscaled) })
	x.Max = all[:len(x.Max)]
}

// rank orders statuses: that of a merged cell is the higher one.
func rank(s table.Status) int {
	return slices.Index([]table.Status{table.Safe, table.Withheld, table.Published, table.Sensitive}, s)
}
