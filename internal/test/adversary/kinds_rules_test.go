package adversary

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A drawnRule formats cells by their numbers, with thresholds that a copy may keep.
type drawnRule struct {
	cells []int
	xml   string
}

// drawRule draws a rule of format: for one cell alone, whose thresholds place its value, or for a column, of which they are the ends or pick one number.
func (k *kinds) drawRule(o *officeFile) {
	one := k.one(o)
	at, v := k.where[one], o.value[one]
	r := &drawnRule{}
	for cell, on := range k.where {
		if on.s == at.s && on.c == at.c && !k.is("marks", "rounded", "thousands", "measures", "average measure", "rate measure") {
			r.cells = append(r.cells, cell)
		}
	}
	slices.Sort(r.cells)
	what := k.IntN(8)
	if len(r.cells) < 3 || what < 2 {
		r.cells, what = []int{one}, what%2
	}
	least := slices.MinFunc(r.cells, func(a, b int) int { return int(o.value[a] - o.value[b]) })
	most := slices.MaxFunc(r.cells, func(a, b int) int { return int(o.value[a] - o.value[b]) })
	o.feature("rule %d", what)
	// Whatever rule it is has a text that no other has.
	rule := func(kind, inside string) { r.xml = `<cfRule type="` + kind + `" priority="4711"` + inside }
	tells := func(cell int, half float64) {
		v := o.value[cell]
		o.tales = append(o.tales, tale{spot{"", "part " + r.xml}, []int{cell}, []float64{1}, v - half, v + half})
	}
	end := func(v float64) string { return fmt.Sprintf(`<cfvo type="num" val="%g"/>`, v) }
	switch what {
	case 0:
		rule("cellIs", fmt.Sprintf(` operator="equal"><formula>%g</formula></cfRule>`, v))
		tells(one, 0)
	case 1:
		rule("cellIs", fmt.Sprintf(` operator="between"><formula>%g</formula><formula>%g</formula></cfRule>`, v-1, v+1))
		tells(one, 1)
	case 2:
		rule("dataBar", `><dataBar>`+end(0)+end(o.value[most])+`<color rgb="FF638EC6"/></dataBar></cfRule>`)
		tells(most, 0)
	case 3:
		rule("colorScale", `><colorScale>`+end(o.value[least])+`<cfvo type="max"/><color rgb="FFF8696B"/><color rgb="FF63BE7B"/></colorScale></cfRule>`)
		if o.value[least] > 0 {
			tells(least, 0)
		}
	case 4:
		rule("iconSet", `><iconSet iconSet="3Arrows"><cfvo type="percent" val="0"/>`+end(math.Max(1, v))+end(math.Max(1, v)+20)+`</iconSet></cfRule>`)
		if v > 0 {
			tells(one, 0)
		}
	case 5:
		rule("cellIs", fmt.Sprintf(` operator="equal"><formula>%g</formula></cfRule>`, v))
		if v > 0 {
			tells(one, 0)
		}
	case 6: // as the rule of the office has it: it tells nothing
		rule("cellIs", ` operator="lessThan"><formula>3</formula></cfRule>`)
	case 7:
		rule("top10", ` rank="1"/>`)
	}
	k.texts = append(k.texts, r.xml)
	k.rule = r
}

// behindRules is what stands behind rules of format in a sheet.
var behindRules = regexp.MustCompile(`<(?:dataValidations|hyperlinks|printOptions|pageMargins|pageSetup|headerFooter|drawing|legacyDrawing|tableParts|extLst)[ >/]|</worksheet>`)

// plant puts the rule into its sheet.
func (r *drawnRule) plant(path string, o *officeFile) error {
	var refs []string
	sheet := o.k.where[r.cells[0]].s
	for _, cell := range r.cells {
		on := o.k.where[cell]
		ref, _ := excelize.CoordinatesToCellName(on.c+1, on.r+1)
		refs = append(refs, ref)
	}
	part := fmt.Sprintf("xl/worksheets/sheet%d.xml", 1+slices.Index(o.sheets, sheet))
	return rewrite(path, part, func(xml string) string {
		at := behindRules.FindStringIndex(xml)
		return xml[:at[0]] + `<conditionalFormatting sqref="` + strings.Join(refs, " ") + `">` + r.xml + `</conditionalFormatting>` + xml[at[0]:]
	})
}

// TestRules protects drawn workbooks with rules of format: none that places a withheld cell stays in a copy.
func TestRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	counts := map[string]int{}
	for n := range uint64(24) {
		b := drawBook(rand.New(rand.NewPCG(6, n)), drawKinds(6, n, bookKinds, "rules"))
		path, err := b.write(dir)
		if errors.Is(err, errTwice) {
			continue
		} else if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		what, bad, _ := b.tried(t, path, false)
		if bad != "" {
			t.Errorf("%d %v: %s", n, b.features, bad)
		}
		counts[what]++
	}
	if counts["right"] < 16 {
		t.Errorf("%v: the draw is of no use", counts)
	}
}
