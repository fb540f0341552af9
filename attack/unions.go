package attack

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Unions say which unions of cells GuardUnions protects beside the cells.
type Unions struct {
	// Rules call unions of withheld cells sensitive, of those that Options say; nil: none.
	Rules   *table.Rules
	Options table.UnionOptions
	// Always are protected whatever is withheld.
	Always []table.Union
}

// A UnionsFound is what GuardUnions found.
type UnionsFound struct {
	*solver.Solution
	Rounds int // searches
	Rows   int // unions that are cells of the last of them
	// Unions are the sensitive unions of the pattern and those that are always protected, and Open those of them of which it is not proved
	// that they meet their levels: none unless a limit ended the rounds.
	Unions, Open []table.Union
	// Complete is false where there were more unions than were looked at.
	Complete bool
}

// A UnionError says that no pattern protects a union.
type UnionError struct {
	Table string
	Cells []string
	Err   *solver.UnprotectableError
}

func (e *UnionError) Error() string {
	return fmt.Sprintf("table %s: whatever is withheld, the sum of %s is told too closely: %v", e.Table, strings.Join(e.Cells, " and "), e.Err)
}

func (e *UnionError) Unwrap() error { return e.Err }

// WithUnions returns t with a cell for every union, in their order after those of t: sensitive, with its levels, without a price or
// bounds, and the relation union = Σ cells. In the relation they come from unions without a cell in common
// take the place of their cells, so that a network stays one.
func WithUnions(t *table.Table, unions []table.Union) *table.Table {
	u := t.Clone()
	u.Coord = slices.Clone(u.Coord)
	in := map[int][]int{} // by relation the unions that take the place of cells
	used := map[int]map[int32]bool{}
	for k := range unions {
		j := unions[k].Relation
		if used[j] == nil {
			used[j] = map[int32]bool{}
		}
		if slices.ContainsFunc(unions[k].Cells, func(i int32) bool { return used[j][i] }) {
			continue
		}
		for _, i := range unions[k].Cells {
			used[j][i] = true
		}
		in[j] = append(in[j], k)
	}
	rel := table.NewRelations(t.Len() + len(unions))
	rel.Dim, rel.Margin = slices.Clone(t.Rel.Dim), slices.Clone(t.Rel.Margin)
	var row, val []int32
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		row, val = row[:0], val[:0]
		side := t.PartSign(j)
		for e, i := range cell {
			if coef[e] != side || !used[j][i] {
				row, val = append(row, i), append(val, coef[e])
			}
		}
		for _, k := range in[j] {
			row, val = append(row, int32(t.Len()+k)), append(val, side)
		}
		rel.Add(row, val, t.Rel.RHS[j])
	}
	for k := range unions {
		n := &unions[k]
		addCell(u, int(n.Cells[0]), n.Value)
		i := u.Len() - 1
		u.LPL[i], u.UPL[i], u.SPL[i] = n.LPL, n.UPL, n.SPL
		row, val = append(row[:0], n.Cells...), val[:0]
		for range n.Cells {
			val = append(val, 1)
		}
		rel.Add(append(row, int32(i)), append(val, -1), 0)
		if rel.Dim != nil {
			rel.Dim, rel.Margin = append(rel.Dim, -1), append(rel.Margin, -1)
		}
	}
	u.Rel = rel
	return u
}

// AuditUnions computes what is told of each union if the cells withheld are, in their order, as interval.Audit does of cells. Of
// unions of cells without values the widths alone are looked at. Cost: two linear programs a union.
func AuditUnions(ctx context.Context, t *table.Table, withheld []bool, unions []table.Union, opt *interval.Options) ([]interval.Cell, error) {
	if len(unions) == 0 {
		return nil, nil
	}
	u := WithUnions(t, unions)
	w := slices.Clone(withheld)
	var own interval.Options
	if opt != nil {
		own = *opt
	}
	own.Cells, own.Told = nil, false
	for k := range unions {
		w = append(w, true)
		own.Cells = append(own.Cells, t.Len()+k)
		if u.Missing != nil {
			u.Missing[t.Len()+k] = slices.ContainsFunc(unions[k].Cells, func(i int32) bool { return !t.Known(int(i)) })
		}
	}
	rep, err := interval.Audit(ctx, u, w, &own)
	if rep == nil {
		return nil, err
	}
	return rep.Cells, err
}

// GuardUnions looks for a pattern of t, by find, that protects beside the cells every sensitive union of the cells that it
// withholds. Those that a pattern found leaves too closely told are added to the table as cells of their own, and the
// search goes on until there are none: unions are finitely many. So the last pattern is a cheapest one of those
// that protect the unions added, and the bound one for all patterns that protect every sensitive union. For the measures are
// sublinear: if a pattern publishes some cells of a union, the others are a union that is at least as sensitive, and how far the
// sum of these can move so can that of all.
//
// The unions of the last pattern are audited in exact arithmetic; a limit (opt.TimeLimit is one for all rounds) or the end of ctx
// leaves them in Open. Errors are those of find and *UnionError. Cost: a search, and two linear programs a union, a round.
func GuardUnions(ctx context.Context, t *table.Table, opt *solver.Options, what Unions, find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)) (*UnionsFound, error) {
	if t.Layers > 1 {
		return nil, errors.New("attack: sensitive unions are of one response, not of several with a common mask")
	}
	o, begun := *opt, time.Now()
	f := &UnionsFound{Complete: true}
	rows := slices.Clone(what.Always)
	have := map[string]bool{}
	for {
		if opt.TimeLimit > 0 {
			o.TimeLimit = max(time.Nanosecond, opt.TimeLimit-time.Since(begun))
		}
		s, stopped := find(ctx, WithUnions(t, rows), &o)
		f.Solution, f.Rows = s, len(rows)
		f.Rounds++
		if s == nil || s.Pattern == nil {
			return f, unionError(t, rows, stopped)
		}
		s.Pattern = s.Pattern[:t.Len()]
		for _, w := range s.Witnesses {
			drop(w, int32(t.Len()))
		}
		end, stop := ctx, func() {}
		if opt.TimeLimit > 0 {
			end, stop = context.WithDeadline(ctx, begun.Add(opt.TimeLimit))
		}
		var open, unknown []table.Union
		var err error
		f.Unions, open, unknown, f.Complete, err = what.open(end, t, s, &o)
		over := end.Err() != nil
		stop()
		f.Open = append(open, unknown...)
		if err != nil {
			return f, err
		}
		fresh := false
		for _, n := range open {
			if key := fmt.Sprint(n.Cells); !have[key] {
				have[key], fresh = true, true
				rows = append(rows, n)
			}
		}
		if !fresh || over {
			return f, stopped
		}
	}
}

// atOnce is how many unions are audited before it is asked whether that is enough for another search.
const atOnce = 64

// open returns the sensitive unions of the pattern of s and those that do not meet their levels, or of which, where unknown says so, that is not known
// because ctx ended or enough are open for another search.
func (what *Unions) open(ctx context.Context, t *table.Table, s *solver.Solution, opt *solver.Options) (all, open, unknown []table.Union, complete bool, err error) {
	all, complete = slices.Clone(what.Always), true
	if what.Rules != nil {
		found, whole, err := t.SensitiveUnions(context.WithoutCancel(ctx), what.Rules, s.Pattern, what.Options)
		if err != nil {
			return all, nil, found, false, err
		}
		all, complete = append(all, found...), whole
	}
	var rest []table.Union
	met := shown(t, s, all)
	for k := range all {
		if !met[k] {
			rest = append(rest, all[k])
		}
	}
	for len(rest) > 0 && len(open) < atOnce && ctx.Err() == nil {
		next := rest[:min(atOnce, len(rest))]
		cells, err := AuditUnions(ctx, t, s.Pattern, next, &interval.Options{LP: opt.LP, Workers: opt.Workers})
		if err != nil && ctx.Err() == nil {
			return all, open, append(unknown, rest...), complete, err
		}
		if err != nil {
			break
		}
		for k := range cells {
			if !cells[k].Protected {
				open = append(open, next[k])
			}
		}
		rest = rest[len(next):]
	}
	return all, open, append(unknown, rest...), complete, nil
}

// shown says of which unions the witnesses of s, which protect t, show that they meet their levels. Cost: the entries of the witnesses for each union of
// their cells.
func shown(t *table.Table, s *solver.Solution, unions []table.Union) []bool {
	met := make([]bool, len(unions))
	if len(unions) == 0 || certificate.Protects(t, s.Pattern, s.Witnesses) != nil {
		return met
	}
	of := map[int32][]int{}
	for k := range unions {
		for _, i := range unions[k].Cells {
			of[i] = append(of[i], k)
		}
	}
	up, down := make([]*big.Rat, len(unions)), make([]*big.Rat, len(unions))
	for k := range unions {
		up[k], down[k] = new(big.Rat), new(big.Rat)
	}
	for _, w := range s.Witnesses {
		if w.Long != nil {
			continue
		}
		sum := map[int]*big.Int{}
		for e, i := range w.Cells {
			for _, k := range of[i] {
				if sum[k] == nil {
					sum[k] = new(big.Int)
				}
				sum[k].Add(sum[k], big.NewInt(w.Num[e]))
			}
		}
		for k, v := range sum {
			z := new(big.Rat).SetFrac(v, big.NewInt(w.Den))
			if z.Cmp(up[k]) > 0 {
				up[k] = z
			} else if z.Neg(z); z.Cmp(down[k]) > 0 {
				down[k] = z
			}
		}
	}
	for k := range unions {
		n := &unions[k]
		width := new(big.Rat).Add(up[k], down[k]).Cmp(new(big.Rat).SetInt64(n.SPL))
		met[k] = up[k].Cmp(new(big.Rat).SetInt64(n.UPL)) >= 0 && down[k].Cmp(new(big.Rat).SetInt64(n.LPL)) >= 0 && (width > 0 || width == 0 && !t.Strict)
	}
	return met
}

// unionError says which union an error is about, if it is about one.
func unionError(t *table.Table, rows []table.Union, err error) error {
	var no *solver.UnprotectableError
	if !errors.As(err, &no) {
		return err
	}
	for k := range rows {
		n := &rows[k]
		if t.CellName(int(n.Cells[0])) == no.Cell && n.Value == no.Value && n.LPL == no.LPL && n.UPL == no.UPL && n.SPL == no.SPL {
			var names []string
			for _, i := range n.Cells {
				names = append(names, t.CellName(int(i)))
			}
			return &UnionError{t.Name, names, no}
		}
	}
	return err
}
