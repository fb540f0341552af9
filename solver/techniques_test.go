package solver

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// mediumTables are solved in well under a second and ask for cuts and nodes.
var mediumTables = []string{"generated/2d_20_mag", "generated/3d_4_mag", "generated/hier2_3.3_mag", "real/tau_ind3_size", "real/rta_a21_size_cj"}

// Every technique is for speed alone: without any one of them, and without all,
// the optimal cost is the same.
func TestTechniques(t *testing.T) {
	type instance struct {
		t    *table.Table
		cost int64 // −1: unprotectable
	}
	solve := func(tb testing.TB, tab *table.Table, off techniques) int64 {
		tb.Helper()
		s, err := Suppress(tb.Context(), tab, &Options{off: off})
		var u *UnprotectableError
		switch {
		case errors.As(err, &u):
			return -1
		case err != nil:
			tb.Fatal(err)
		case s.Status != Optimal || s.Bound != s.Cost:
			tb.Fatalf("%s, cost %d, bound %d", s.Status, s.Cost, s.Bound)
		}
		return s.Cost
	}
	var list []instance
	for i := range heavy.Draws(64) {
		rng := rand.New(rand.NewPCG(uint64(i), 21))
		tab := randomTable(rng, moreShapes[i%len(moreShapes)], 10+rng.IntN(30), i/len(moreShapes))
		list = append(list, instance{tab, solve(t, tab, techniques{})})
	}
	small := len(list)
	for _, name := range mediumTables {
		if shared.Dir(t) == "" {
			break // the data beside the project is not here
		}
		in := must.Get(formats.Read(shared.Path(t, "instances/"+name+".jj.gz"), formats.Options{}))(t)
		list = append(list, instance{in.Table, solve(t, in.Table, techniques{})})
	}
	check := func(t *testing.T, off techniques, list []instance) {
		t.Parallel()
		for i, in := range list {
			if got := solve(t, in.t, off); got != in.cost {
				t.Errorf("instance %d (%s): cost %d, with all techniques %d", i, in.t.Name, got, in.cost)
			}
		}
	}
	typ := reflect.TypeFor[techniques]()
	for f := range typ.NumField() {
		t.Run(typ.Field(f).Name, func(t *testing.T) {
			var off techniques
			*field(&off, f) = true
			some := list
			if !heavy.On() { // the small tables, and two of the others in turn
				some = slices.Clone(list[:small])
				for n := range min(2, len(list)-small) {
					some = append(some, list[small+(2*f+n)%(len(list)-small)])
				}
			}
			check(t, off, some)
		})
	}
	t.Run("all", func(t *testing.T) {
		var off techniques
		for f := range typ.NumField() {
			*field(&off, f) = true
		}
		check(t, off, list[:small])
	})
}

// field returns switch f of the struct.
func field(off *techniques, f int) *bool {
	return (*bool)(reflect.ValueOf(off).Elem().Field(f).Addr().UnsafePointer())
}
