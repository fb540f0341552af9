package bench

import (
	"context"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// An LPCase is a task for the back ends of package lp, called KIND/TABLE. The kinds are
//
//	cold, objective, bounds  programs of an intruder, see intruderCase
//	master                   the relaxation of a search for a pattern, growing by
//	                         its cuts, from its start on
//	sequence                 the intruder's programs of such a search
//	suppress                 a search from its start to its proof
//
// The calls of a search in master and sequence were recorded, so every back end solves
// the same programs in the same order.
type LPCase struct {
	Name  string
	Kind  string
	Table string
	load  func() (*lpWork, error)
}

// lpWork is the task that a case sets a back end.
type lpWork struct {
	cells, relations int
	size             lpSize
	solves           int  // number of solves in a pass
	search           bool // a whole search, which keeps no model between passes
	begin            func(backend string, got *answers) lpSession
}

// An lpSession is one back end working on a case.
type lpSession interface {
	start(ctx context.Context) error // what precedes the passes
	pass(ctx context.Context) error
	close() error
}

// The tables of the cases, smaller ones first; the shapes of the intruder's programs are drawn as family fs with seed
// 1.
var (
	intruderShapes = []string{"5x5", "10x10", "20x20", "20x4.4", "10x10x10", "50x50", "15x15x15", "100x100"}
	masterTables   = []string{"20x20-mag-1", "5x5x5-mag-1", "6x6x6-mag-1", "20x4.4.4-mag0.02-1", "50x50-mag-2"}
	sequenceTables = []string{"3x3x3-mag0.1-1", "4x4x4-mag-1", "5x5x5-mag-1", "4.4x4.4-mag0.04-1", "6x6x6-mag-1", "8x8x8-mag0.02-1"}
	suppressTables = []string{"4x4-n1510-1", "10x10-n1510-1", "4x4x4-mag-1", "10x4.4-mag-1", "5x5x5-fs-1", "20x20-mag-1", "4.4x4.4-mag0.04-1"}
)

// LPCases returns the cases of hitoku bench lp.
func LPCases() []*LPCase {
	return lpCases(intruderShapes, masterTables, sequenceTables, suppressTables)
}

// lpCases returns the cases; tables are only drawn when a case is loaded.
func lpCases(shapes, masters, sequences, searches []string) []*LPCase {
	var all []*LPCase
	add := func(kind, name string, load func() (*lpWork, error)) {
		all = append(all, &LPCase{Name: kind + "/" + name, Kind: kind, Table: name, load: sync.OnceValues(load)})
	}
	for _, kind := range []string{"cold", "objective", "bounds"} {
		for _, shape := range shapes {
			add(kind, shape, func() (*lpWork, error) {
				t, err := drawnTable(shape + "-fs-1")
				if err != nil {
					return nil, err
				}
				s, err := newIntruderCase(t).script(kind)
				return replayed(t, s, err)
			})
		}
	}
	traced := func(kind string, names []string) {
		for _, name := range names {
			add(kind, name, func() (*lpWork, error) {
				t, err := drawnTable(name)
				if err != nil {
					return nil, err
				}
				s, err := record(t, kind == "master")
				return replayed(t, s, err)
			})
		}
	}
	traced("master", masters)
	traced("sequence", sequences)
	for _, name := range searches {
		add("suppress", name, func() (*lpWork, error) {
			t, err := drawnTable(name)
			if err != nil {
				return nil, err
			}
			return searched(t)
		})
	}
	return all
}

// drawnTable draws the table called name.
func drawnTable(name string) (*table.Table, error) {
	specs, err := parseSpecs(name)
	if err == nil && len(specs) != 1 {
		err = i18n.Errorf("bench: no drawn table %q", name)
	}
	if err != nil {
		return nil, err
	}
	return specs[0].Table()
}

// replayed returns the task of replaying a script.
func replayed(t *table.Table, s *lpScript, err error) (*lpWork, error) {
	if err != nil {
		return nil, err
	}
	if s == nil || s.solves() == 0 {
		return nil, i18n.Errorf("bench: %s: the search solved no such program", t.Name)
	}
	return &lpWork{
		cells: t.Len(), relations: t.Rel.Len(), size: s.largest(), solves: s.solves(),
		begin: func(backend string, got *answers) lpSession {
			return &lpReplay{script: s, open: func() (lp.Solver, error) { return lp.Open(backend) }, got: got}
		},
	}, nil
}
