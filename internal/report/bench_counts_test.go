package report

import (
	"testing"

	"github.com/hitoku/hitoku/internal/document"
)

func TestCount(t *testing.T) {
	t.Parallel()
	got := Count([]*document.Bench{
		{Status: "optimal", Audit: "protected", Certificate: "confirmed"}, {Status: "none"}, {Status: "feasible", Audit: "protected", Certificate: "refuted"},
		{Status: "unprotectable"}, {Status: "optimal", Audit: "unprotected"},
	})
	if want := (Counts{Optimal: 2, Feasible: 1, Unprotectable: 1, None: 1, Unprotected: 1, Confirmed: 1, Refuted: 1}); got != want {
		t.Errorf("Count = %+v, want %+v", got, want)
	}
}
