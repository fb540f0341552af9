package tables

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/protect/ledger"
)

// A line of metadata is a table; what is wrong with one is said with its line and column.
func TestMetadata(t *testing.T) {
	t.Parallel()
	got := must.Get(readMetadata(strings.NewReader("table_name,field,hrc_field,indicator,hrc_indicator,spanning_1,hrc_spanning_1,spanning_2,hrc_spanning_2\n"+
		"T1,2023,NA,pizza,NA,nuts2,hrc_nuts,size,NA\nT4,2023,NA,pizza,food,size,NA,NA,NA\n"), "meta.csv"))(t)
	if want := []ledger.Described{
		{Name: "T1", Field: "2023", Indicator: "pizza", Dims: []ledger.DescribedDim{{Name: "nuts2", Link: "hrc_nuts"}, {Name: "size"}}, Line: 2},
		{Name: "T4", Field: "2023", Indicator: "pizza", IndicatorLink: "food", Dims: []ledger.DescribedDim{{Name: "size"}}, Line: 3},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{
		"table_name,x\n":                    `m:1: column "spanning_1"`,
		"table_name,spanning_1\n,a\n":       `m:2: column "table_name": want a name`,
		"table_name,spanning_1\nT,a\nT,b\n": `m:3: column "table_name": T stands on line 2 already`,
		"table_name,spanning_1\nT,NA\n":     `m:2: column "spanning_1": want a variable`,
		"table_name,spanning_1\nT\n":        "m:2: ",
	} {
		_, err := readMetadata(strings.NewReader(text), "m")
		var bad *formats.Error
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
