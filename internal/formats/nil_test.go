package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// A dash is a structural zero, unlike 0: it stays published and is written back as
// it was. Full-width marks of withheld cells are read as such.
func TestStructuralZero(t *testing.T) {
	for _, text := range []string{
		"産業,規模,value,status\nA,小,-,\nA,大,0,\nA,Total,－,s\nB,小,Ｘ,\nB,大,ｘ,\nB,Total,5,\nTotal,小,,\nTotal,大,,\nTotal,Total,5,\n",
		"産業\\規模,小,大,Total\nA,-,0,－\nB,Ｘ,ｘ,5\nTotal,,,5\n",
	} {
		in := must.Get(ReadFrom(strings.NewReader(text), "t.csv", Options{}))(t)
		want := []table.Status{table.Published, table.Safe, table.Published, table.Withheld, table.Withheld, table.Safe}
		for i, st := range want {
			if in.Table.Status[i] != st || in.Table.Value[i] != 0 && i != 5 || in.Table.Known(i) == (st == table.Withheld) {
				t.Errorf("%s: status %s value %s known %v, want %s", in.Table.CellName(i), in.Table.Status[i], value(in.Table, i), in.Table.Known(i), st)
			}
		}
		var b bytes.Buffer
		must.Do(t, Write(&b, in, nil))
		for _, mark := range []string{"-", "－"} {
			if strings.Count(b.String(), mark) != 1 {
				t.Errorf("the dash %q is not written back\n%s", mark, b.String())
			}
		}
	}
}
