package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// layoutCases are the folders of ../shared/data/layouts.
var layoutCases = []string{"estat-wide-cp932", "pref-two-level-header", "pref-filldown-subtotals", "ministry-manufacturing", "eurostat-tsv-flags", "eurostat-sdmx-both",
	"ons-workbook", "us-census-of-agriculture", "statcan-long", "destatis-genesis", "insee-communes", "cbs-statline", "statfin-px", "office-formulas"}

// TestAddUp takes the trees away from the tables of every case and finds them again from the
// numbers.
func TestAddUp(t *testing.T) {
	t.Parallel()
	for _, name := range layoutCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, tables, _ := expected(t, name)
			for _, want := range tables {
				x := Table{Cells: want.Cells, NotAdditive: want.Additive != nil && !*want.Additive}
				if x.NotAdditive {
					continue
				}
				for _, d := range want.Dimensions {
					e := Dimension{Name: d.Name, Role: d.Role}
					for _, c := range d.Codes {
						c.Parent, c.Equals = nil, nil
						e.Codes = append(e.Codes, c)
					}
					x.Dimensions = append(x.Dimensions, e)
				}
				if err := addUp(&x, nil, Options{}); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want.Dimensions, x.Dimensions, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("%s (-want +got): %s", want.Title, d)
				}
			}
		})
	}
}
