package protect

import (
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/table"
)

// A table of three variables with 13,574 cells and a limit of no time: all 2,900 sensitive sums of two cells keep their levels.
func TestUnionsLimit(t *testing.T) {
	t.Parallel()
	path := func(kind string) string { return shared.Path(t, "data/large/nace_nuts3_size."+kind+".gz") }
	in := must.Get(formats.Read(path("csv"), formats.Options{Totals: map[string]string{"nace": "TOTAL", "nuts3": "AT"},
		Hierarchies: map[string]string{"nace": path("nace.hrc"), "nuts3": path("nuts3.hrc")}}))(t)
	p := Policy{PPercent: of("p-percent = 10").PPercent, Unions: 2, TimeLimit: time.Millisecond}
	r := must.Get(Run(t.Context(), []Input{{Table: in.Table}}, p, &Options{NoSuperfluous: true}))(t)
	f := r.Unions
	if r.Verdict != interval.Protected || len(f.Open) > 0 || f.Rows == 0 || !f.Complete {
		t.Fatalf("%s: %d unions, %d open, %d searched for", r.Verdict, len(f.Unions), len(f.Open), f.Rows)
	}
	if err := certificate.Protects(r.Table, f.Pattern, f.Witnesses); err != nil {
		t.Error(err)
	}
	all, _, err := r.Table.SensitiveUnions(t.Context(), p.concentration(), f.Pattern, table.UnionOptions{Size: 2})
	if err != nil || len(all) > len(f.Unions) { // which has those across relations, too
		t.Fatalf("%d sensitive unions, said to be %d, %v", len(all), len(f.Unions), err)
	}
	var some []table.Union
	for k := range all {
		if k%1500 == 7 {
			some = append(some, all[k])
		}
	}
	rep := must.Get(guard.AuditUnions(t.Context(), r.Table, f.Pattern, some, nil))(t)
	for k := range rep.Cells {
		if c := &rep.Cells[k]; !c.Protected {
			t.Errorf("the sum of %v is told: %v to %v", some[k].Cells, c.Lo, c.Hi)
		}
	}
}
