package attack_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/table"
)

// A scenario is a published table with the office supposed.
type scenario struct {
	t        *table.Table
	withheld []bool
	opt      *attack.Options
}

func (s *scenario) String() string {
	var b strings.Builder
	t := s.t
	for i := range t.Len() {
		mark := ""
		if s.withheld[i] {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s%s=%d(%s)", mark, t.CellName(i), t.Value[i], t.Status[i])
		if t.LPL[i]+t.UPL[i]+t.Width[i] > 0 {
			fmt.Fprintf(&b, "[-%d +%d ~%d]", t.LPL[i], t.UPL[i], t.Width[i])
		}
		if t.Lower[i] != 0 || t.Upper[i] != table.PosInf {
			fmt.Fprintf(&b, "{%d..%d}", t.Lower[i], t.Upper[i])
		}
		if s.opt.Cost.Kind == "given" {
			fmt.Fprintf(&b, "$%d", t.Cost[i])
		}
		b.WriteString(" ")
	}
	l := func(l *table.Level) string {
		if l == nil {
			return "-"
		}
		return fmt.Sprintf("%s(percent %v)", l.Decimal, l.Percent)
	}
	o := s.opt
	fmt.Fprintf(&b, "below %d zeros %v cost %q lpl %s upl %s width %s strict %v knows %v decimals %d missing %v",
		o.Below, o.Zeros, o.Cost.Kind, l(o.Levels.LPL), l(o.Levels.UPL), l(o.Levels.Width), o.Strict, o.Knows, t.Decimals, t.Missing != nil)
	return b.String()
}

// levelOf is an absolute or percentage level.
func levelOf(v int64, percent bool) *table.Level {
	return &table.Level{Decimal: table.Decimal{Unscaled: v}, Percent: percent}
}

// drawTable draws a two- or three-way table with published margins.
func drawTable(sizes []int, counts bool, draw func() int64) *table.Table {
	var dims []table.Dimension
	codes := make([][]string, len(sizes))
	for d, n := range sizes {
		for c := range n {
			codes[d] = append(codes[d], fmt.Sprintf("%c%d", 'A'+d, c+1))
		}
		dim, err := table.FlatDimension(string(rune('A'+d)), "Total", codes[d])
		if err != nil {
			panic(err)
		}
		dims = append(dims, dim)
	}
	var rec []table.Record
	at := make([]int, len(sizes))
	for {
		r := table.Record{Value: table.Num(draw(), 0)}
		for d, c := range at {
			r.Codes = append(r.Codes, codes[d][c])
		}
		rec = append(rec, r)
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < sizes[d] {
				break
			}
			at[d] = 0
		}
		if d < 0 {
			break
		}
	}
	t, err := table.Build("t", dims, rec, counts)
	if err != nil {
		panic(err)
	}
	return t
}

// drawScenario draws a table, an office and what the office withholds, nil where a
// draw makes no sense.
func drawScenario(rng *rand.Rand) *scenario {
	small := rng.IntN(4) > 0
	draw := func() int64 {
		if small {
			return rng.Int64N(10)
		}
		v := int64(15 + 10*rng.NormFloat64())
		return max(v, -v)
	}
	sizes := [][]int{{3, 3}, {3, 4}, {4, 4}, {4, 4}, {2, 2, 2}, {2, 2, 3}}[rng.IntN(6)]
	opt := &attack.Options{}
	public := rng.IntN(4) == 0
	t := drawTable(sizes, !public || rng.IntN(2) == 0, draw)
	if len(sizes) == 2 && sizes[1] == 3 && rng.IntN(3) == 0 {
		// margins may be withheld
	} else {
		t.PublishMargins()
	}
	if public && !t.Counts && rng.IntN(2) == 0 {
		// tenths: the same numbers are a tenth as large
		t.Decimals, t.CostDecimals = 1, 1
	}
	opt.Cost.Kind = []string{"", "count", "value", "freq", "given"}[rng.IntN(5)]
	if opt.Cost.Kind == "freq" && !t.Counts {
		opt.Cost.Kind = "value"
	}
	for i := range t.Cost {
		if opt.Cost.Kind == "given" {
			t.Cost[i] = rng.Int64N(6)
		}
	}
	width := 3 + rng.Int64N(2)
	if !public {
		if opt.Below = 3; !small {
			opt.Below, width = 5, 8
		}
		opt.Zeros = rng.IntN(3) == 0
	}
	switch rng.IntN(7) {
	case 0:
		opt.Levels = table.Levels{LPL: levelOf(1, false), UPL: levelOf(2, false)}
		if t.Decimals > 0 {
			opt.Levels = table.Levels{LPL: &table.Level{Decimal: table.Decimal{Unscaled: 1, Scale: 1}}, UPL: &table.Level{Decimal: table.Decimal{Unscaled: 2, Scale: 1}}}
		}
	case 1:
		opt.Levels = table.Levels{LPL: levelOf(60, true), UPL: levelOf(100+rng.Int64N(100), true)}
	case 2:
		opt.Levels = table.Levels{Width: levelOf(width, false), UPL: levelOf(1, false)}
	case 3:
		opt.Strict = true
	default:
		opt.Levels = table.Levels{Width: levelOf(width, false)}
	}
	if t.Decimals > 0 && opt.Levels.Width != nil {
		opt.Levels.Width.Scale = 1
		if opt.Levels.UPL != nil {
			opt.Levels.UPL.Scale = 1
		}
	}
	opt.Strict = opt.Strict || rng.IntN(6) == 0
	for i := range t.Status {
		if t.Status[i] == table.Published {
			continue
		}
		switch p := rng.IntN(60); {
		case p < 2:
			t.Status[i] = table.Published
		case p < 4:
			t.Status[i] = table.Withheld // the office starts anew on it
		case public && p < 18, p == 18:
			t.Status[i] = table.Sensitive
		case p == 19:
			t.Width[i] = 1 + rng.Int64N(5)
		}
		switch rng.IntN(40) {
		case 0:
			t.Upper[i] = t.Value[i] + rng.Int64N(6)
		case 1:
			t.Lower[i] = rng.Int64N(t.Value[i] + 1)
		}
	}
	lo, hi := slices.Clone(t.Lower), slices.Clone(t.Upper)
	for i := range hi {
		hi[i] = min(hi[i], far)
	}
	o := &office{Office: opt.Office, t: t, shape: newShape(t, lo, hi), inside: make([]bool, t.Len())}
	if o.shape == nil {
		return nil
	}
	ds := o.demands(t.Value)
	best, ok := o.best(t.Value)
	switch {
	case !ok || len(ds) == 0:
		return nil
	case rng.IntN(8) == 0: // a larger pattern, which no office would choose
		for range 2 {
			best |= 1 << rng.IntN(len(o.may))
		}
	}
	s := &scenario{t: t, withheld: make([]bool, t.Len()), opt: opt}
	var cells []int
	for p, i := range o.may {
		if s.withheld[i] = best&o.bit(p) != 0; s.withheld[i] {
			cells = append(cells, i)
		}
	}
	if rng.IntN(4) == 0 {
		k := cells[rng.IntN(len(cells))]
		opt.Knows = map[int]int64{k: t.Value[k]}
		if rng.IntN(2) == 0 {
			opt.Knows[k] = max(t.Lower[k], t.Value[k]-1)
		}
	}
	if rng.IntN(2) == 0 {
		t.Missing = make([]bool, t.Len())
		for _, i := range cells {
			t.Missing[i], t.Value[i] = true, 0
			if t.Status[i] != table.Sensitive {
				t.Status[i] = table.Withheld
			}
		}
	}
	return s
}
