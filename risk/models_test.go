package risk

import (
	"encoding/csv"
	"math"
	"os"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// A file of 500,000 people and a sample of 1 %: 2,111 records are found, by the law of Benedetti and Franconi alone 210.
func TestModelsDisagree(t *testing.T) {
	t.Parallel()
	file := must.Get(os.Open(shared.Path(t, "data", "releases", "sample1pct.csv")))(t)
	defer file.Close()
	rows := must.Get(csv.NewReader(file).ReadAll())(t)
	columns := must.Get(NewColumns(rows[0]...))(t)
	c := NewClasses(columns, len(rows[0]))
	for _, r := range rows[1:] {
		must.Do(t, c.Add(1, r...))
	}
	models := must.Get(Models(t.Context(), c, nil, Missing{}, 500000, 0.05))(t)
	m := models[len(models)-1]
	if models[0].Name != "benedetti_franconi" || math.Round(models[0].Reidentified.Estimate) != 210 || m.Name != "log_linear" ||
		m.Reidentified.From > 2111 || m.Reidentified.To < 2111 || m.Uniques.From > 142008 || m.Uniques.To < 142008 || math.Abs(m.Smoothing[0]) > 1.96 {
		t.Errorf("%+v", models)
	}
}
