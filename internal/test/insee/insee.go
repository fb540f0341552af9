// Package insee reads, for tests, the tables of turnover that INSEE published with rtauargus, and applies the
// rules of their source.
package insee

import (
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// Turnover reads turnover_NAME.csv; tree is the file with the hierarchy of dimension dim. A cell is sensitive
// if it has one or two contributors, or if the largest one has more than 85 %. Levels are 10 %, and costs are
// the values.
func Turnover(t testing.TB, name, dim, tree string) *table.Table {
	t.Helper()
	in := must.Get(formats.Read(shared.Path(t, "data/tauargus/rtauargus/turnover_"+name+".csv"), formats.Options{
		Columns:     map[string]string{"value": "TOT", "freq": "N_OBS", "max1": "MAX"},
		Hierarchies: map[string]string{dim: shared.Path(t, "data/tauargus/rtauargus/"+tree)},
	}))(t)
	tab := in.Table
	for i := range tab.Len() {
		if f := tab.Freq[i]; f > 0 && f < 3 || tab.Max[0][i]*100 > tab.Value[i]*85 {
			tab.Status[i] = table.Sensitive
		}
	}
	level := &table.Level{Decimal: table.Decimal{Unscaled: 10}, Percent: true}
	must.Do(t, tab.SetLevels(table.Levels{LPL: level, UPL: level}))
	must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
	return tab
}
