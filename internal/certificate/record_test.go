package certificate

import (
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// A row that a search holds several times is one row of the proof, also where the multipliers of a ray
// together have more than 64 bits: a file that gave it again and again would be refused.
func TestProofMergesRows(t *testing.T) {
	tab := &table.Table{Value: []int64{3, 4, 7}, Cost: []int64{1, 1, 1}, Status: []table.Status{table.Sensitive, table.Safe, table.Published},
		LPL: make([]int64, 3), UPL: []int64{2, 0, 0}, Width: make([]int64, 3),
		Lower: make([]int64, 3), Upper: []int64{table.PosInf, table.PosInf, table.PosInf}, Rel: table.NewRelations(3)}
	tab.Rel.Add([]int32{0, 1, 2}, []int32{1, 1, -1}, 0)
	r := must.Get(NewRecorder(tab))(t)
	level := &Level{Up: &Dual{Cell: 0, Den: 1, Rel: []int32{0}, Mult: []int64{1}}}
	terms := make([]Term, 5)
	for s := range terms {
		terms[s] = Term{Rule: level, Y: 1, RHS: 1}
	}
	for _, ray := range []bool{true, false} {
		p := r.Proof(terms, ray)
		if len(p.Rows) != 1 || len(p.Mult) != 1 || p.Mult[0] <= 0 {
			t.Fatalf("ray %v: rows %v with multipliers %v, want one row", ray, p.Rows, p.Mult)
		}
		if _, _, ok := merged(p.Rows, p.Mult); !ok {
			t.Fatalf("ray %v: the reader refuses multipliers %v", ray, p.Mult)
		}
	}
}
