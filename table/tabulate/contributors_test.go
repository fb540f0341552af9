package tabulate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/table"
)

// firm is a contributor of a cell: what it brings, and whether all its records consented.
type firm struct {
	name   string
	x      int64
	waived bool
}

// Who contributes most, the total in absolute value, the waivers and what the rules make of them are as one counts them record by
// record, whatever the number of workers: amounts of both signs, holdings in several cells, records without one.
func TestContributors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"", "Alba", "Bora", "Cook", "Dahl"}
		text := "A,B,X,H,V\n"
		cells := map[string]map[string]*firm{}
		least := map[string]int64{} // |x| of a record
		for n := range rapid.IntRange(1, 25).Draw(t, "records") {
			a, b := rapid.SampledFrom([]string{"p", "q"}).Draw(t, "a"), rapid.SampledFrom([]string{"u", "v"}).Draw(t, "b")
			x, h := rapid.Int64Range(-20, 60).Draw(t, "x"), rapid.SampledFrom(names).Draw(t, "h")
			v := rapid.SampledFrom([]string{"yes", "no"}).Draw(t, "v")
			text += fmt.Sprintf("%s,%s,%d,%s,%s\n", a, b, x, h, v)
			consents := v == "yes" || h == "Dahl"
			key := h
			if h == "" {
				key = "record " + strconv.Itoa(n)
			}
			for _, cell := range []string{a + "/" + b, a + "/Total", "Total/" + b, "Total/Total"} {
				if cells[cell] == nil {
					cells[cell] = map[string]*firm{}
				}
				f := cells[cell][key]
				if f == nil {
					f = &firm{name: h, waived: true}
					cells[cell][key] = f
				}
				f.x += x
				if low, ok := least[cell]; !ok || max(x, -x) < low {
					least[cell] = max(x, -x)
				}
				f.waived = f.waived && consents
			}
		}
		rules, err := table.ParseRules("P(0,0)|P(0,0)|P(10,1)|ABS(1)")
		if err != nil {
			t.Fatal(err)
		}
		source := Source{Header: true, Variables: []Variable{{Name: "V", Waiver: []string{"yes"}}}, Waivers: map[string]bool{"Dahl": true}}
		spec := Spec{Dims: []string{"A", "B"}, Response: "X", Holding: "H", Waiver: "V", Who: true, Rules: rules, Top: 3, Least: true}
		out := tabulate(t, source, []Spec{spec}, rapid.IntRange(1, 3).Draw(t, "workers"), text)[0]
		if out.Len() != len(cells) {
			t.Fatalf("%d cells, want %d", out.Len(), len(cells))
		}
		for n := range out.Len() {
			c, err := out.Cell(n)
			if err != nil {
				t.Fatal(err)
			}
			var all []firm
			sum, whole, waived, target := int64(0), int64(0), int64(0), int64(0)
			for _, f := range cells[out.CellName(n)] {
				sum += f.x
				f := firm{f.name, max(f.x, -f.x), f.waived}
				whole += f.x
				if f.waived {
					waived++
				} else {
					target = max(target, f.x)
				}
				all = append(all, f)
			}
			slices.SortFunc(all, func(a, b firm) int { return cmp.Or(cmp.Compare(b.x, a.x), cmp.Compare(a.name, b.name)) })
			var who, most []string
			for _, f := range all[:min(3, len(all))] {
				who, most = append(who, f.name), append(most, strconv.FormatInt(f.x, 10))
			}
			var got []string
			for _, d := range c.Max {
				got = append(got, d.String())
			}
			if want := least[out.CellName(n)]; c.Least.String() != strconv.FormatInt(want, 10) {
				t.Fatalf("%s of\n%sleast contribution %s, want %d", out.CellName(n), text, c.Least, want)
			}
			g := out.contributors(&c.Contribs)
			if c.Value.String() != strconv.FormatInt(sum, 10) || c.Freq != int64(len(all)) || !slices.Equal(c.Who, who) || !slices.Equal(got, most) ||
				c.Absolute.String() != strconv.FormatInt(whole, 10) || g.Waived != waived || g.Target != target {
				t.Fatalf("%s of\n%s%+v, want %v %v of %d, %d in absolute value, %d consented, %d the largest of the others", out.CellName(n), text, c, who, most, sum, whole, waived, target)
			}
			// X − x_s − x_r < p/100·x_s, with r the largest but s.
			r := int64(0)
			for k, seen := 0, false; k < len(all); k++ {
				if f := all[k]; !seen && !f.waived && f.x == target {
					seen = true
				} else {
					r = max(r, f.x)
				}
			}
			want := waived < int64(len(all)) && 100*(whole-target-r) < 10*target
			if (c.Verdict.Reason == table.ByPercent) != want {
				t.Fatalf("%s of\n%ssensitive %v, want %t", out.CellName(n), text, c.Verdict.Reason, want)
			}
		}
		tab, err := out.Table()
		if err != nil {
			t.Fatal(err)
		}
		var csv strings.Builder
		if _, err := out.write(&csv); err != nil {
			t.Fatal(err)
		}
		if head, _, _ := strings.Cut(csv.String(), "\n"); head != "A,B,value,freq,status,reason,lpl,upl,max1,max2,max3,who1,who2,who3,absolute,waived,unwaived" {
			t.Fatal(head)
		}
		// The finished table comes to the same verdict by its columns.
		again := tab.Clone()
		for i := range again.Status {
			again.Status[i] = table.Safe
		}
		one := *rules
		one.PQ = slices.Clone(rules.PQ)
		for k := range one.PQ {
			one.PQ[k].Holding = false
		}
		if _, err := again.ApplyRules(&one); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Status, tab.Status) {
			t.Fatalf("by the table %v, by the records %v\n%s", again.Status, tab.Status, csv.String())
		}
	})
}
