package tabulate

import (
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// need returns the path of a published file, or skips the test.
func need(t testing.TB, name string) string {
	t.Helper()
	return shared.Path(t, "data/tauargus", name)
}

func rules(t testing.TB, s string) *table.Rules {
	t.Helper()
	return must.Get(table.ParseRules(s))(t)
}

func simple2d(t testing.TB) Source {
	var edges []table.Edge
	for parent, codes := range map[string][]string{
		"Total": {"Nr", "Os", "Ws", "Zd"}, "Nr": {"1", "2", "3"}, "Os": {"4", "5", "6", "7"}, "Ws": {"8", "9", "10"}, "Zd": {"11", "12"},
	} {
		for _, c := range codes {
			edges = append(edges, table.Edge{Code: c, Parent: parent})
		}
	}
	region := must.Get(table.NewDimension("Region", "Total", edges))(t)
	return Source{Variables: []Variable{
		{Name: "Year", Start: 1, Length: 2, Missing: []string{"99"}},
		{Name: "IndustryCode", Start: 4, Length: 5, Missing: []string{"99999"}, Levels: []int{3, 1, 1, 0, 0}},
		{Name: "Size", Start: 9, Length: 2, Missing: []string{"99"}},
		{Name: "Region", Start: 12, Length: 2, Missing: []string{"99"}, Tree: &region},
		{Name: "Wgt", Start: 15, Length: 4, Decimals: 1, Weight: true},
		{Name: "Var2", Start: 28, Length: 10, Decimals: 2},
		{Name: "Var3", Start: 38, Length: 10},
		{Name: "Request", Start: 99, Length: 1, Request: [2]string{"1", "2"}},
	}}
}

// Every published value, number of records, largest contribution, primary status
// and level of simple2d.
func TestSimple2D(t *testing.T) {
	path := need(t, "simple2d/tau_testW.asc")
	tab := must.Get(New(simple2d(t), []Spec{
		{Dims: []string{"Size", "Region"}, Response: "Var2", Rules: rules(t, "P(15,1)"), Top: 2},
		{Dims: []string{"Size", "Region"}, Name: "manual1", Response: "Var2", Shadow: "Var3", Rules: rules(t, "P(20,3)|FREQ(3,30)|ZERO(20)")},
		{Dims: []string{"Size", "Year"}, Response: "Var2", Shadow: "Var3", Rules: rules(t, "NK(3,70)|FREQ(3,30)|ZERO(20)")},
	}, 2))(t)
	must.Do(t, tab.ReadFile(context.Background(), path))
	out := must.Get(tab.Tables())(t)
	want := map[string][]string{}
	empty, unsafe := 0, 0
	for _, row := range shared.Rows(t, "data/tauargus/simple2d/cells.csv") {
		name := strings.TrimSpace(row[0]) + "/" + strings.TrimSpace(row[1])
		switch row[6] {
		case "14":
			empty++
			continue
		case "3":
			unsafe++
		}
		want[name] = row
	}
	if empty != 43 || unsafe != 9 || len(want) != 119 {
		t.Fatalf("%d empty, %d unsafe, %d others", empty, unsafe, len(want))
	}
	same := func(a table.Decimal, s string) bool {
		b, err := table.ParseDecimal(s)
		return err == nil && a.String() == b.String()
	}
	r := out[0]
	if r.Len() != len(want) {
		t.Errorf("%d cells, want %d", r.Len(), len(want))
	}
	for n := range r.Len() {
		c := must.Get(r.Cell(n))(t)
		w := want[r.CellName(n)]
		if w == nil {
			t.Errorf("cell %s is not published", r.CellName(n))
			continue
		}
		top := append(c.Max, table.Decimal{})
		if !same(c.Value, w[2]) || !same(table.Decimal{Unscaled: c.Freq}, w[3]) || !same(top[0], w[4]) || !same(top[1], w[5]) {
			t.Errorf("cell %s: %s %d %v, published %v", r.CellName(n), c.Value, c.Freq, c.Max, w)
		}
		if (c.Verdict.Reason == table.ByPercent) != (w[6] == "3") || w[7] != "" && (!same(c.Verdict.UPL, w[7]) || !same(c.Verdict.LPL, w[7])) {
			t.Errorf("cell %s: %v, published %v", r.CellName(n), c.Verdict, w)
		}
	}
	if _, err := r.Table(); err != nil {
		t.Error(err)
	}
	// The counts published for two other runs on these records.
	for k, w := range []map[table.Reason]int{{table.ByPercent: 14, table.ByZero: 1}, {table.ByDominance: 9, table.ByFrequency: 4}} {
		s := must.Get(out[k+1].write(&strings.Builder{}))(t)
		for reason := table.ByDominance; reason <= table.ByManual; reason++ {
			if s.By[reason] != w[reason] {
				t.Errorf("%s: %d cells by %v, want %d", out[k+1].Spec.Name, s.By[reason], reason, w[reason])
			}
		}
	}
}

// fromRDA reads microdata by their τ-ARGUS metadata.
func fromRDA(t *testing.T, rda, data string, specs ...Spec) []*Result {
	t.Helper()
	m := must.Get(argus.ReadMetadata(need(t, rda), argus.Microdata, ""))(t)
	s := must.Get(FromMetadata(m, ""))(t)
	tab := must.Get(New(s, specs, 2))(t)
	must.Do(t, tab.ReadFile(context.Background(), need(t, data)))
	return must.Get(tab.Tables())(t)
}

// The metadata of the file make the same table as the description by hand.
func TestSimple2DMetadata(t *testing.T) {
	r := fromRDA(t, "simple2d/Tau_TestW.rda", "simple2d/tau_testW.asc",
		Spec{Dims: []string{"Size", "Region"}, Response: "Var2", Rules: rules(t, "P(15,1)")},
		Spec{Dims: []string{"IndustryCode", "Region"}, Response: "Var2", Rules: rules(t, "NK(1,85)|FREQ(3,10)")},
		Spec{Dims: []string{"IndustryCode", "Region"}, Name: "counts", Rules: rules(t, "FREQ(3,10)")},
		Spec{Dims: []string{"IndustryCode", "Size", "Region"}, Name: "weighted", Response: "Var2", Rules: rules(t, "P(10,1)|WGT(1)|REQ(20,20,3,10)"), Top: 3})
	s, err := r[0].write(io.Discard)
	if err != nil || s.Cells != 119 || s.By[table.ByPercent] != 9 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, x := range r { // Build checks every margin
		if _, err := x.Table(); err != nil {
			t.Error(err)
		}
	}
}

// What τ-ARGUS wrote of the same table: values, contributors, shadow, the two largest
// contributions, statuses and levels of all 162 cells. In four cells somebody changed
// the value, so that it is no longer the shadow total and does not add up; there value
// and contributions are not compared.
func TestTableInputPP(t *testing.T) {
	text := must.Get(os.ReadFile(need(t, "tableinput_pp/pp.tab")))(t)
	r := fromRDA(t, "simple2d/Tau_TestW.rda", "simple2d/tau_testW.asc",
		Spec{Dims: []string{"Size", "Region"}, Response: "Var2", Cost: "Var2", Rules: rules(t, "P(15,1)"), Top: 2})[0]
	at := map[string]int{}
	for n := range r.Len() {
		at[r.CellName(n)] = n
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	found, changed := 0, 0
	for _, line := range lines {
		f := strings.Split(strings.TrimRight(line, "\r"), ";")
		for k := range f {
			f[k] = strings.TrimSpace(strings.Trim(f[k], `"`))
		}
		num := func(k int) string {
			d := must.Get(table.ParseDecimal(f[k]))(t)
			return d.String()
		}
		n, ok := at[f[0]+"/"+f[1]]
		if f[8] == "E" {
			if ok {
				t.Errorf("cell %s/%s should be empty", f[0], f[1])
			}
			continue
		}
		if !ok {
			t.Errorf("no cell %s/%s", f[0], f[1])
			continue
		}
		found++
		c := must.Get(r.Cell(n))(t)
		top := append(c.Max, table.Decimal{}, table.Decimal{})
		want := []string{num(2), num(3), num(4), num(5), num(6), num(7), "S", "0.01", "0.01"}
		if f[8] == "U" {
			want = append(want[:6], "U", num(9), num(10))
		}
		got := []string{c.Value.String(), strconv.FormatInt(c.Freq, 10), c.Value.String(), c.Cost.String(), top[0].String(), top[1].String(), "S", "0.01", "0.01"}
		if c.Verdict.Reason == table.ByPercent {
			got = append(got[:6], "U", c.Verdict.LPL.String(), c.Verdict.UPL.String())
		}
		if num(2) != num(4) {
			changed++
			got, want = append(got[1:4:4], got[6:]...), append(want[1:4:4], want[6:]...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("cell %s/%s: %v, published %v", f[0], f[1], got, want)
		}
	}
	if len(lines) != 162 || found != 119 || changed != 4 || r.Len() != found {
		t.Errorf("%d lines, %d cells found of %d", len(lines), found, r.Len())
	}
}

// The published counts of the step-by-step test of τ-ARGUS: 12,798 cells of which
// 4,539 are empty; 983 unsafe by dominance and 348 by frequency, 1,260 in the table
// of counts.
func TestStepByStep(t *testing.T) {
	r := fromRDA(t, "simple2d/Tau_TestW.rda", "simple2d/tau_testW.asc",
		Spec{Dims: []string{"IndustryCode", "Region"}, Response: "Var1", Rules: rules(t, "NK(1,85)|FREQ(3,10)")},
		Spec{Dims: []string{"IndustryCode", "Region"}, Name: "counts", Rules: rules(t, "FREQ(3,10)")})
	for k, want := range []map[table.Reason]int{{table.ByDominance: 983, table.ByFrequency: 348}, {table.ByFrequency: 1260}} {
		s, err := r[k].write(io.Discard)
		if err != nil || s.Cells != 12798-4539 || !maps.Equal(s.By, want) {
			t.Errorf("%+v, %v, want %v", s, err, want)
		}
	}
}

// The microdata of checkTauArgus: one unsafe cell, whose distance is 22.40.
func TestCheckArgus2(t *testing.T) {
	r := fromRDA(t, "checkargus_ex2/metadata_ex2.rda", "checkargus_ex2/microdata_ex2.asc",
		Spec{Dims: []string{"region", "gender"}, Response: "num1", Rules: rules(t, "FREQ(5,20)|P(20,5)|")})[0]
	var b strings.Builder
	s, err := r.write(&b)
	if err != nil || s.Cells != 15 || len(s.By) != 1 || s.By[table.ByPercent] != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, want := range []string{"\nTotal,Total,10484.95,100,s,", "\nA,female,189.4,2,u,p-percent,22.4"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
