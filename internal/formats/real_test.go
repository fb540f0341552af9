package formats

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/table"
)

// Every JJ file reads, adds up and is written back as an equal one.
func TestJJFiles(t *testing.T) {
	dir := shared.Path(t, "instances")
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.jj.gz"))
	more, _ := filepath.Glob(filepath.Join(dir, "../data/rpackages", "*", "*.jj"))
	if len(files) == 0 || len(more) == 0 {
		t.Fatal("no JJ files")
	}
	for _, f := range append(files, more...) {
		t.Run(filepath.Base(f), func(t *testing.T) {
			if testing.Short() && strings.HasPrefix(filepath.Base(f), "2d_500") {
				t.Skip("large")
			}
			in := must.Get(Read(f, Options{}))(t)
			var b bytes.Buffer
			must.Do(t, Write(&b, in, nil))
			again := must.Get(ReadFrom(bytes.NewReader(b.Bytes()), f, Options{From: "jj"}))(t)
			if !reflect.DeepEqual(in.Table, again.Table) { // cmp is slow on large tables
				t.Errorf("read again (-first +second)\n%s", cmp.Diff(in.Table, again.Table))
			}
			if got, want := strings.Fields(b.String()), words(t, f); len(got) != len(want) {
				t.Errorf("%d words written, %d in the file", len(got), len(want))
			}
		})
	}
}

func words(t *testing.T, path string) []string {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

// INSEE's tables: two trees, empty cells left out, codes in the trees that no
// table uses. The counts of cells under the rules freq < 3 and max > 0.85·value
// are those of their source.
func TestINSEETables(t *testing.T) {
	dir := shared.Path(t, "data/tauargus/rtauargus")
	columns := map[string]string{"value": "TOT", "freq": "N_OBS", "max1": "MAX"}
	trees := map[string]string{"ACTIVITY": filepath.Join(dir, "activity.hrc"), "NUTS": filepath.Join(dir, "nuts.hrc")}
	for _, tc := range []struct {
		file, dim              string
		cells, rare, dominated int
	}{
		{"turnover_act_size.csv", "ACTIVITY", 414, 52, 25},
		{"turnover_act_cj.csv", "ACTIVITY", 406, 35, 25},
		{"turnover_nuts_size.csv", "NUTS", 460, 55, 17},
		{"turnover_nuts_cj.csv", "NUTS", 452, 45, 20},
	} {
		t.Run(tc.file, func(t *testing.T) {
			in := must.Get(Read(filepath.Join(dir, tc.file), Options{Columns: columns, Hierarchies: map[string]string{tc.dim: trees[tc.dim]}}))(t)
			tab := in.Table
			rare, dominated := 0, 0
			for i := range tab.Len() {
				if tab.Freq[i] > 0 && tab.Freq[i] < 3 {
					rare++
				} else if 100*tab.Max[0][i] > 85*tab.Value[i] {
					dominated++
				}
			}
			if tab.Len() != tc.cells || rare != tc.rare || dominated != tc.dominated {
				t.Errorf("%d cells, %d rare, %d dominated; want %d, %d, %d", tab.Len(), rare, dominated, tc.cells, tc.rare, tc.dominated)
			}
			for _, unused := range []string{"X", "3X", "5X"} {
				for _, d := range tab.Dims {
					for _, c := range d.Codes {
						if c == unused {
							t.Errorf("code %s, which no line uses, was kept", c)
						}
					}
				}
			}
			pattern := make([]bool, tab.Len())
			for i := range pattern {
				pattern[i] = tab.Freq[i] < 3
			}
			var b bytes.Buffer
			must.Do(t, Write(&b, in, pattern))
			pub := must.Get(ReadFrom(&b, tc.file, Options{Columns: columns, Hierarchies: map[string]string{tc.dim: trees[tc.dim]}}))(t)
			if d := cmp.Diff(pattern, pub.Table.Missing); d != "" {
				t.Errorf("withheld cells (-pattern +published)\n%s", d)
			}
		})
	}
	t.Run("another total", func(t *testing.T) {
		o := Options{Columns: columns, Hierarchies: map[string]string{"ACTIVITY": trees["ACTIVITY"]}}
		_, err := Read(filepath.Join(dir, "turnover_act_nuts_size.csv"), o)
		if err == nil || !strings.Contains(err.Error(), `column "NUTS": Total_EAST: looks like a total, but no line has the total code Total; say --total Total_EAST`) {
			t.Errorf("got %v", err)
		}
		o.Totals = map[string]string{"NUTS": "Total_EAST"}
		o.Hierarchies["NUTS"] = trees["NUTS"]
		in, err := Read(filepath.Join(dir, "turnover_act_nuts_size.csv"), o)
		if err != nil {
			t.Fatal(err)
		}
		if in.Table.Len() != 3168 || len(in.Table.Dims) != 3 {
			t.Errorf("%d cells, %d dimensions", in.Table.Len(), len(in.Table.Dims))
		}
	})
}

// Five dimensions, signed values and columns that are not read.
func TestPizzas(t *testing.T) {
	path := shared.Path(t, "data/tauargus/rtauargus/datatest2.csv")
	o := Options{Columns: map[string]string{"value": "pizzas_tot", "freq": "nb_obs_rnd"}, Dims: []string{"treff", "cj", "A10", "type_distrib", "nuts1"}}
	_, err := Read(path, o)
	if err == nil || !strings.Contains(err.Error(), "below the intruder's lower bound 0") {
		t.Errorf("negative values: %v", err)
	}
	o.Lower = &table.Decimal{Unscaled: -1_000_000_000}
	in, err := Read(path, o)
	if err != nil {
		t.Fatal(err)
	}
	if in.Table.Len() != 5612 || in.Table.Decimals == 0 {
		t.Errorf("%d cells, %d decimals", in.Table.Len(), in.Table.Decimals)
	}
}

// The hierarchies that ship with τ-ARGUS and its tests: codes padded with blanks,
// CR CR LF, no line end at the end.
func TestHRCFiles(t *testing.T) {
	for _, tc := range []struct {
		file  string
		codes []string
	}{
		{"recode/Region.hrc", []string{"Total", "A", "1", "2", "B", "3", "4", "5", "C", "6", "7", "8"}},
		{"checkargus_ex2/hier_gender_ex2.hrc", []string{"Total", "male", "female"}},
		{"checkargus_ex1/hier_region_ex1.hrc", []string{"Total", "A", "B", "C", "D"}},
		{"simple2d/region2.hrc", []string{"Total", "Nr", "1", "2", "3", "Os", "4", "5", "6", "7", "Ws", "8", "9", "10", "Zd", "11", "12"}},
	} {
		d, err := ReadHierarchy(shared.Path(t, "data/tauargus/"+tc.file), "X", "", "", "")
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(tc.codes, d.Codes); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tc.file, diff)
		}
	}
}

// The table of checkTauArgus' first example, which has no header of its own.
func TestCheckArgus(t *testing.T) {
	data := must.Get(os.ReadFile(shared.Path(t, "data/tauargus/checkargus_ex1/tabdata_ex1.tab")))(t)
	text := "region,gender,freq,status,lpl,upl\n" + string(data)
	in := must.Get(ReadFrom(strings.NewReader(text), "ex1.csv", Options{Hierarchies: map[string]string{
		"region": shared.Path(t, "data/tauargus/checkargus_ex1/hier_region_ex1.hrc"),
		"gender": shared.Path(t, "data/tauargus/checkargus_ex1/hier_gender_ex1.hrc"),
	}}))(t)
	tab := in.Table
	if tab.Len() != 15 || !tab.Counts || tab.CellName(5) != "A/female" || tab.Status[5] != table.Sensitive || tab.UPL[5] != 1 || tab.Value[0] != 5146 {
		t.Errorf("read as %+v", tab)
	}
}

// Tables that other packages publish, under the names they use.
func TestOtherPackages(t *testing.T) {
	for _, tc := range []struct {
		file  string
		o     Options
		cells int
	}{
		{"easysdc_singletons_and_zeros/data0a.csv", Options{}, 0},
		{"sdctable_opt_15cells/cells.csv", Options{Dims: []string{"region", "gender"}, Total: "total"}, 15},
		{"sdctable_rowcol_trap/cells.csv", Options{Dims: []string{"v1", "v2"}, Total: "tot"}, 25},
	} {
		in, err := Read(shared.Path(t, "data/rpackages/"+tc.file), tc.o)
		if err != nil {
			t.Error(err)
			continue
		}
		if tc.cells > 0 && in.Table.Len() != tc.cells {
			t.Errorf("%s: %d cells, want %d", tc.file, in.Table.Len(), tc.cells)
		}
	}
}
