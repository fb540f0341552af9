package render

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// crossTab returns a two-way table with one row of numbers a row code.
func crossTab(t *testing.T, rows, cols []string, v ...int64) *table.Table {
	t.Helper()
	d0 := must.Get(table.FlatDimension("地域", "合計", rows))(t)
	d1 := must.Get(table.FlatDimension("職種", "合計", cols))(t)
	var records []table.Record
	for r, rc := range rows {
		for c, cc := range cols {
			records = append(records, table.Record{Codes: []string{rc, cc}, Value: table.Num(v[r*len(cols)+c], 0)})
		}
	}
	return must.Get(table.Build("t", []table.Dimension{d0, d1}, records, true))(t)
}

func TestPrintGridWidths(t *testing.T) {
	tab := crossTab(t, []string{"北海道", "A"}, []string{"農業", "B"}, 1, 20, 300, 4000)
	var b strings.Builder
	Grid(&b, tab, func(i int) string { return string(Value(tab, i)) })
	want := `地域 \ 職種  農業     B  合計
-----------------------------
北海道          1    20    21
A             300  4000  4300
合計          301  4020  4321

`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}
