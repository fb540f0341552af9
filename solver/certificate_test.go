package solver

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/table"
)

// certified solves tab with a certificate and checks that it proves the solution.
func certified(t *testing.T, tab *table.Table, opt Options) (*Solution, []byte) {
	t.Helper()
	opt.Certificate = true
	sol, err := Suppress(t.Context(), tab, &opt)
	var u *UnprotectableError
	if errors.As(err, &u) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := sol.Certificate.Write(&file); err != nil {
		t.Fatal(err)
	}
	rep, err := certificate.Verify(t.Context(), bytes.NewReader(file.Bytes()), tab)
	if err != nil {
		t.Fatalf("%v\n%s", err, file.Bytes()[:min(file.Len(), 4000)])
	}
	if rep.Bound != sol.Bound || rep.Cost != sol.Cost {
		t.Fatalf("certificate of cost %d, bound %d; the solution has %d, %d", rep.Cost, rep.Bound, sol.Cost, sol.Bound)
	}
	return sol, file.Bytes()
}

// The certificate of every random table that can be protected verifies and proves
// what plain Suppress says.
func TestCertificates(t *testing.T) {
	const tables = 1200
	const parts = 8
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := part; i < tables; i += parts {
				rng := rand.New(rand.NewPCG(uint64(i), 7))
				tab := randomTable(rng, shapes[i/3%len(shapes)], 4+rng.IntN(12), i)
				sol, _ := certified(t, tab, Options{Workers: 1})
				if sol == nil {
					continue
				}
				if sol.Status != Optimal {
					t.Fatalf("table %d: %s, cost %d, bound %d", i, sol.Status, sol.Cost, sol.Bound)
				}
			}
		})
	}
}
