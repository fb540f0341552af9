package arb

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// differ records a difference.
func (o *Compared) differ(kind string, d document.DifferingCell) {
	k := slices.IndexFunc(o.Different, func(x document.Differing) bool { return x.Kind == kind })
	if k < 0 {
		k = len(o.Different)
		o.Different = append(o.Different, document.Differing{Kind: kind})
	}
	x := &o.Different[k]
	if x.Count++; x.Count <= mostLines {
		x.First = append(x.First, d)
	}
}

// cells compares the outputs cell by cell. Which cells are withheld to protect others is each program's own
// choice, and counts as no difference.
func (o *Compared) cells(j *job, here, there *argus.Showing) pair {
	t := j.t
	p := pair{o: o, j: j, with: j.whole, here: make([]bool, t.Len()), there: make([]bool, t.Len()), lost: make([]bool, t.Len())}
	for place := range here.Cells {
		a, b, i := here.Cells[place], there.Cells[place], here.Cell(place)
		if a.Line == 0 { // the output has no line for the cell
			a = argus.Shown{Line: 1, Value: "-"}
		}
		sensitive := i >= 0 && t.Status[i] == table.Sensitive
		mine, theirs := standing(&a, sensitive), standing(&b, sensitive)
		if i >= 0 {
			p.here[i] = sensitive || t.Status[i] == table.Withheld || j.pattern != nil && j.pattern[i]
			p.lost[i] = theirs == argus.Unlisted && mine > argus.Empty
			p.there[i] = theirs >= argus.Secondary || p.lost[i]
			if mine > argus.Empty {
				o.Cells++
			}
			if mine == argus.Secondary && theirs == argus.Secondary {
				o.Shared++
			}
		}
		differ := func(kind, mine, theirs string) {
			o.differ(kind, document.DifferingCell{Line: b.Line, Codes: here.Codes(place), Here: mine, There: theirs})
		}
		if theirs == argus.Unlisted {
			if mine > argus.Empty {
				differ("missing", a.Value, "")
			}
			continue
		}
		if !agree(a.Value, b.Value) {
			differ("value", a.Value, b.Value)
		}
		if a.Contributors != "" && b.Contributors != "" && !agree(a.Contributors, b.Contributors) {
			differ("contributors", a.Contributors, b.Contributors)
		}
		other := a.Sign != "" && b.Sign != "" && alike(a.Sign) != alike(b.Sign)
		switch {
		case (mine == argus.Primary) != (theirs == argus.Primary), mine == argus.Primary && other:
			differ("primary", sign(&a), sign(&b))
		case mine <= argus.Open && theirs <= argus.Open && other:
			differ("status", a.Sign, b.Sign)
		}
	}
	return p
}

// standing returns the standing of a cell. Where the output does not tell whether a withheld cell is sensitive,
// the rules of the batch do.
func standing(s *argus.Shown, sensitive bool) argus.Standing {
	switch st := s.Standing(); {
	case st != argus.Hidden:
		return st
	case sensitive:
		return argus.Primary
	}
	return argus.Secondary
}

// alike maps a sign of τ-ARGUS for a status that was set by hand to the sign that is written here for the same
// status.
func alike(sign string) string {
	switch sign {
	case "2":
		return "1"
	case "12":
		return "11"
	case "13":
		return "14"
	}
	return sign
}

// sign returns how an output marks the status of a cell.
func sign(s *argus.Shown) string {
	return cmp.Or(s.Sign, s.Value)
}

// agree reports whether two outputs show the same number, to as many decimals as the second has. A number that
// one of them withholds makes no difference.
func agree(here, there string) bool {
	if here == there || here == "x" || there == "x" {
		return true
	}
	number := func(s string) (*big.Rat, int) {
		if s == "-" {
			s = "0"
		}
		r, _ := new(big.Rat).SetString(s)
		_, decimals, _ := strings.Cut(s, ".")
		return r, len(decimals)
	}
	a, m := number(here)
	b, n := number(there)
	by := new(big.Rat).Sub(a, b)
	if m <= n || there == "-" {
		return by.Sign() == 0
	}
	half := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Mul(big.NewInt(2), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)))
	return by.Abs(by).Cmp(half) <= 0
}

// priced counts what is withheld, leaving out the cells lost, which may be nil.
func (p pair) priced(withheld, lost []bool) *document.MigratedPattern {
	t, m, cost, x := p.j.t, &document.MigratedPattern{}, new(big.Int), new(big.Int)
	for i := range withheld {
		switch {
		case !withheld[i] || lost != nil && lost[i]:
			continue
		case t.Status[i] == table.Sensitive:
			m.Primary++
		default:
			m.Secondary++
		}
		cost.Add(cost, x.SetInt64(t.Cost[i]))
	}
	m.Cost = document.Exact(table.FormatRat(new(big.Rat).SetInt(cost), t.CostDecimals))
	return m
}

// audit counts the sensitive cells that miss their protection levels, in our output and in τ-ARGUS's, given
// everything that is published. Tables that were protected together are audited together, if all of them have
// been compared.
func (c *comparison) audit(ctx context.Context, p pair, opt *Options) error {
	all, pairs := p.with, []pair{}
	if all != nil {
		for _, j := range all.jobs {
			for _, q := range c.pairs {
				if q.j == j && q.with == all && (j != p.j || q.o == p.o) {
					pairs = append(pairs, q)
					break
				}
			}
		}
	}
	if all == nil || len(pairs) < len(all.jobs) {
		all, pairs = alone(p.j), []pair{p}
	}
	for _, side := range []struct {
		m  *document.MigratedPattern
		of func(q pair) []bool
	}{{p.o.Here, func(q pair) []bool { return q.here }}, {p.o.There, func(q pair) []bool { return q.there }}} {
		withheld := slices.Repeat([]bool{true}, all.t.Len())
		var own []int32
		for k, q := range pairs {
			for i, cell := range all.cells[k] {
				if !side.of(q)[i] {
					withheld[cell] = false
				}
			}
			if q.o == p.o {
				own = all.cells[k]
			}
		}
		if err := c.judge(ctx, p, side.m, all.t, withheld, own, opt); err != nil {
			return err
		}
	}
	return nil
}

// alone returns the whole that consists of one table.
func alone(j *job) *whole {
	return &whole{[]*job{j}, j.t, [][]int32{sets.Upto(int32(j.t.Len()))}}
}

// A judged is the result of an audit of a table's sensitive cells.
type judged struct {
	t        *table.Table
	withheld []bool
	open     []bool // cells not shown to keep their levels
}

// judge audits t, once for each pattern, and counts the results for the cells own.
func (c *comparison) judge(ctx context.Context, p pair, m *document.MigratedPattern, t *table.Table, withheld []bool, own []int32, opt *Options) error {
	k := slices.IndexFunc(c.judged, func(x judged) bool { return x.t == t && slices.Equal(x.withheld, withheld) })
	if k < 0 {
		x := judged{t, withheld, make([]bool, t.Len())}
		cells := []int{}
		for i, st := range t.Status {
			switch {
			case st != table.Sensitive:
			case withheld[i]:
				cells = append(cells, i)
			default:
				x.open[i] = true
			}
		}
		if len(cells) > 0 {
			r, err := interval.Audit(ctx, t, withheld, &interval.Options{LP: opt.LP, Workers: opt.Workers, Cells: cells})
			if err != nil {
				return i18n.Errorf("not audited: %w", err)
			}
			for _, cell := range r.Cells {
				x.open[cell.Index] = !cell.Protected
			}
		}
		k, c.judged = len(c.judged), append(c.judged, x)
	}
	x := &c.judged[k]
	for i, cell := range own {
		if !x.open[cell] {
			continue
		}
		if m.Unprotected++; m.Unprotected <= mostLines {
			m.Cells = append(m.Cells, p.j.t.CellCodes(i))
		}
	}
	return nil
}
