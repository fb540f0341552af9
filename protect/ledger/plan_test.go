package ledger

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const sales = `table_name,field,hrc_field,indicator,hrc_indicator,spanning_1,hrc_spanning_1,spanning_2,hrc_spanning_2
T1,2023,NA,pizza,NA,nuts2,hrc_nuts,size,NA
T2,2023,NA,pizza,NA,nuts3,hrc_nuts,size,NA
T3,2023,NA,pizza,NA,a10,hrc_naf,nuts2,hrc_nuts
T4,2023,NA,pizza,NA,size,NA,NA,NA
T5,2023,NA,batavia,NA,a10,hrc_naf,size,NA
T6,2023,NA,arugula,NA,a10,hrc_naf,size,NA
T7,2023,NA,lettuce,NA,a21,hrc_naf,size,NA
T8,2024,NA,pizza,NA,nuts2,hrc_nuts,size,NA
`

// Tables by levels of the same hierarchies are one table, indicators that a sum joins are one cluster, and other fields or indicators are others.
func TestPlan(t *testing.T) {
	t.Parallel()
	tables, err := ReadMetadata(strings.NewReader(sales), "meta.csv")
	if err != nil {
		t.Fatal(err)
	}
	text := func(stated []Sum) string {
		p, err := NewPlan(tables, stated)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range p.Clusters {
			fmt.Fprint(&b, c.Fields, c.Indicators, c.Sums)
			for _, x := range c.Tables {
				fmt.Fprint(&b, " ", x.Tables, x.Dims, x.Within, x.Total)
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	want := "[2023][pizza][] [T1 T2][hrc_nuts size][][] [T3][hrc_naf hrc_nuts][][2] [T4][size][0][1]\n" +
		"[2023][batavia arugula lettuce][lettuce = batavia + arugula] [T5 T6 T7][hrc_naf size][][]\n[2024][pizza][] [T8][hrc_nuts size][][]\n"
	if got := strings.ReplaceAll(text(sums(t, "lettuce = batavia + arugula")), "] [", "]["); got != strings.ReplaceAll(want, "] [", "][") {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := text(nil); strings.Count(got, "\n") != 5 {
		t.Errorf("without a sum:\n%s", got)
	}
	if _, err := NewPlan(tables, sums(t, "a = b + c")); err == nil || !strings.HasPrefix(err.Error(), "sums.txt:1: ") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		"table_name,x\n":                    `m:1: column "spanning_1"`,
		"table_name,spanning_1\n,a\n":       `m:2: column "table_name": want a name`,
		"table_name,spanning_1\nT,a\nT,b\n": `m:3: column "table_name": T stands on line 2 already`,
		"table_name,spanning_1\nT,NA\n":     `m:2: column "spanning_1": want a variable`,
		"table_name,spanning_1\nT\n":        "m:2: ",
	} {
		_, err := ReadMetadata(strings.NewReader(text), "m")
		var bad *metadataError
		if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Cells are counted as shared by their codes, wherever the tables stand.
func TestShares(t *testing.T) {
	t.Parallel()
	a := read(t, "a", "region,size,value\nN,s,1\nN,l,2\nN,Total,3\nTotal,s,1\nTotal,l,2\nTotal,Total,3\n")
	b := read(t, "b", "size,value\ns,1\nl,2\nTotal,3\n", "region", "N")
	c := read(t, "c", "zone,value\nZ,9\nTotal,9\n")
	got, err := Shares([]*Release{a, b, c}, nil)
	if err != nil || got[0][1] != 3 || got[1][2] != 0 || got[0][2] != 1 {
		t.Errorf("%v, %v", got, err)
	}
}
