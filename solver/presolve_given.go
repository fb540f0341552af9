package solver

import (
	"context"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// dropMet drops the levels that the given cells meet by themselves: these hold for every pattern, so they need neither
// cuts nor checks. The decision is exact. It is cheap, as most of the table falls away when all other cells are
// published, and in tables with trees most levels may go.
func (p *problem) dropMet(ctx context.Context, backend string, workers int) error {
	bare := *p.t
	bare.Layers = 0 // one layer decides for all
	bare.Status = make([]table.Status, p.n)
	for i := range bare.Status {
		if bare.Status[i] = table.Published; p.given[i] {
			bare.Status[i] = p.t.Status[i]
		}
	}
	r, err := reduce(ctx, &bare, techniques{})
	if err != nil {
		return err
	}
	of := make([][]int32, p.n) // levels of each cell
	for li, l := range p.levels {
		of[l.K] = append(of[l.K], int32(li))
	}
	met := make([]bool, len(p.levels))
	for _, part := range r.parts {
		if err := p.meet(ctx, part, r.sign, of, met, backend, workers); err != nil {
			return err
		}
	}
	left := p.levels[:0]
	for li, l := range p.levels {
		if !met[li] {
			left = append(left, l)
		}
	}
	p.levels = left
	return nil
}

// meet decides the levels of the cells behind part when all its cells are withheld.
func (p *problem) meet(ctx context.Context, part *part, sign []int8, of [][]int32, met []bool, backend string, workers int) error {
	n := part.t.Len()
	up, dn := make([]int64, n), make([]int64, n)
	type question struct {
		li int32
		l  protectionLevel
	}
	var questions []question
	for s := range n {
		up[s], dn[s] = protection.Capacities(part.t, s)
		behind := []int32{int32(s)}
		if part.cells != nil {
			behind = part.cells[s]
		}
		for _, i := range behind {
			for _, li := range of[i] {
				l := p.levels[li]
				if l.K = int32(s); sign[i] < 0 && l.Side != width {
					l.Side = -l.Side
				}
				questions = append(questions, question{li, l})
			}
		}
	}
	shards := min(shardCount, len(questions))
	shown := make([][]*certificate.Witness, shards)
	err := parallel.Do(ctx, shards, workers, func(ctx context.Context, i int) error {
		exact, err := part.sys.NewExact("", backend)
		if err != nil {
			return err
		}
		defer exact.Close()
		exact.SetCapacities(up, dn, p.iclamp)
		sh := &shard{exact: exact}
		for _, q := range questions[i*len(questions)/shards : (i+1)*len(questions)/shards] {
			if met[q.li], err = sh.met(ctx, q.l); err != nil {
				return err
			}
		}
		shown[i] = sh.shown(nil)
		return nil
	})
	for _, list := range shown {
		for _, w := range list {
			p.shown = append(p.shown, part.spread(w, sign))
		}
	}
	return err
}
