package argus

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// INSEE's tables go through the files of τ-ARGUS and come back, with their hierarchies
// and the published counts of primary cells.
func TestINSEE(t *testing.T) {
	for _, tc := range []struct {
		file  string
		trees map[string]string
		rows  int
		few   int // 0 < contributors < 3
		large int // largest > 85 %, contributors ≥ 3
	}{
		{"turnover_act_size.csv", map[string]string{"ACTIVITY": "activity.hrc"}, 414, 52, 25},
		{"turnover_act_cj.csv", map[string]string{"ACTIVITY": "activity.hrc"}, 406, 35, 25},
		{"turnover_nuts_size.csv", map[string]string{"NUTS": "nuts.hrc"}, 460, 55, 17},
		{"turnover_nuts_cj.csv", map[string]string{"NUTS": "nuts.hrc"}, 452, 45, 20},
	} {
		o := formats.Options{Columns: map[string]string{"value": "TOT", "freq": "N_OBS", "max1": "MAX"}, Hierarchies: map[string]string{}}
		for dim, f := range tc.trees {
			o.Hierarchies[dim] = sample(t, "rtauargus", f)
		}
		in := must.Get(formats.Read(sample(t, "rtauargus", tc.file), o))(t)
		path := filepath.Join(t.TempDir(), "t.tab")
		must.Do(t, WriteTable(path, in.Table, nil, WriteOptions{}))
		tab := must.Get(ReadTable(path, Options{}))(t)
		if d := cmp.Diff(tabletest.Cells(in.Table, true), tabletest.Cells(tab.Table, true)); d != "" {
			t.Error(d)
		}
		few, large := 0, 0
		for i, n := range tab.Table.Freq {
			switch {
			case n > 0 && n < 3:
				few++
			case float64(tab.Table.Max[0][i]) > 0.85*float64(tab.Table.Value[i]):
				large++
			}
		}
		if tab.Table.Len() != tc.rows || few != tc.few || large != tc.large {
			t.Errorf("%s: %d cells, %d and %d primary, want %d, %d and %d", tc.file, tab.Table.Len(), few, large, tc.rows, tc.few, tc.large)
		}
	}
	for _, hrc := range []string{"activity.hrc", "nuts.hrc"} {
		v := Variable{Name: "V", TotCode: "Total", Lead: "@", Hierarchical: true, HierCodelist: sample(t, "rtauargus", hrc)}
		if edges, err := v.edges(nil, ""); err != nil || len(edges) < 50 {
			t.Error(hrc, len(edges), err)
		}
	}
}

// datatest1 has weighted, fractional contributors and |values| that do not add up.
func TestINSEEFractions(t *testing.T) {
	text := strings.ReplaceAll(content(t, sample(t, "rtauargus", "datatest1.csv")), "\r", "")
	_, text, _ = strings.Cut(text, "\n")
	rda := "<SEPARATOR> \",\"\n"
	for _, d := range []string{"treff", "cj", "type_distrib", "A10"} {
		rda += d + "\n<RECODEABLE>\n"
	}
	rda += "nb_obs\n%\npizzas_tot\npizzas_max\na\nb\nc\nnb_obs_rnd\n%%\npizzas_tot_abs\n"
	m := metadata(t, strings.NewReplacer("%%", "<FREQUENCY>", "%\n", "").Replace(rda), Tabular)
	tab, err := ReadTableFrom(strings.NewReader(text), "datatest1", m, Options{Mode: Recompute, Response: "pizzas_tot_abs"})
	if err != nil {
		t.Fatal(err)
	}
	few := strings.Count(text, ",TRUE,FALSE,TRUE,") + strings.Count(text, ",TRUE,TRUE,TRUE,")
	if few != 79 || len(tab.Changed) == 0 {
		t.Errorf("%d cells below 3 contributors, %d margins recomputed", few, len(tab.Changed))
	}
	if _, err := ReadTableFrom(strings.NewReader(text), "datatest1", m, Options{Response: "pizzas_tot_abs"}); err == nil || !strings.Contains(err.Error(), "the parts add up to") {
		t.Error(err)
	}
	m = metadata(t, strings.NewReplacer("%%\n", "", "%", "<FREQUENCY>").Replace(rda), Tabular)
	_, err = ReadTableFrom(strings.NewReader(text), "datatest1", m, Options{Response: "pizzas_tot"})
	if err == nil || err.Error() != `datatest1:1: column "nb_obs": 227093.45: frequencies must be whole numbers` {
		t.Error(err)
	}
}

// The hierarchies of checkargus_ex2 end lines with CR CR LF and pad codes.
func TestCheckArgus2(t *testing.T) {
	m, err := ReadMetadata(sample(t, "checkargus_ex2", "metadata_ex2.rda"), Microdata, "")
	if err != nil {
		t.Fatal(err)
	}
	if m.Separator != "," || !m.Find("weight").Weight || m.Find("num1").Decimals != 2 || m.Find("gender").Length != 6 {
		t.Errorf("%+v", m)
	}
	for name, want := range map[string]string{"region": "Total A B C D", "gender": "Total male female"} {
		used := strings.Fields(want)
		d, err := m.Find(name).dimension("x", used, make([]int, len(used)))
		if err != nil || strings.Join(d.Codes, " ") != want {
			t.Error(d, err)
		}
	}
	var d table.Dimension
	if d, err = m.Find("gender").dimension("x", []string{"female"}, []int{1}); err != nil || len(d.Codes) != 2 {
		t.Error(d, err)
	}
}

// An intermediate file of τ-ARGUS itself is written back as it was, but for the levels of
// cells that are not unsafe.
func TestIntermediateAsFound(t *testing.T) {
	pp := sample(t, "tableinput_pp", "pp.tab")
	tab := must.Get(ReadTable(pp, Options{Mode: Accept}))(t)
	path := filepath.Join(t.TempDir(), "pp.tab")
	must.Do(t, formats.WriteFile(path, tab.Input, nil))
	lines := func(path string) []string {
		all := strings.Split(strings.TrimSpace(content(t, path)), "\n")
		for i, line := range all {
			if line = strings.TrimRight(line, "\r"); !strings.Contains(line, ";U;") {
				f := strings.Split(line, ";")
				line = strings.Join(f[:len(f)-2], ";")
			}
			all[i] = line
		}
		return all
	}
	if d := cmp.Diff(lines(pp), lines(path)); d != "" {
		t.Error(d)
	}
}

// dimension returns the tree of v over the codes that data use, in the form of Code:
// the hierarchy without what they do not use, and the missing codes among them as leaves
// below the total. used are the codes in the order of their first use and lines where
// that is in file, for messages.
func (v *Variable) dimension(file string, used []string, lines []int) (table.Dimension, error) {
	d, err := v.tree(file, used, lines, "")
	if err != nil {
		return d, err
	}
	return formats.Prune(d, used), nil
}
