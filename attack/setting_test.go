package attack

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// Costs that could add up beyond 64 bits are refused before any candidate is priced.
func TestCostsTooLarge(t *testing.T) {
	dims := must.Get(table.FlatDimension("row", "T", []string{"a", "b", "c", "d"}))(t)
	var recs []table.Record
	for _, c := range dims.Codes[1:] {
		recs = append(recs, table.Record{Codes: []string{c}, Value: table.Num(20, 0)})
	}
	tab := must.Get(table.Build("big", []table.Dimension{dims}, recs, true))(t)
	withheld := make([]bool, tab.Len())
	withheld[1], withheld[2] = true, true
	for i := range tab.Len() {
		tab.Cost[i] = 999_999_999_999_999_999
	}
	tab.Status[1] = table.Sensitive
	o := &Options{Office: Office{Cost: table.CostKind{Kind: "given"}}}
	if _, err := newSetting(t.Context(), tab, withheld, o); err == nil || !strings.Contains(err.Error(), "can add up to") {
		t.Errorf("error %v", err)
	}
}
