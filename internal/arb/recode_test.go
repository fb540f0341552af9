package arb

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// values reads a code-value file: cell → rest of its line.
func values(t *testing.T, path string) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	all := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		i := strings.LastIndex(line, `",`)
		all[strings.ReplaceAll(line[:i+1], `"`, "")] = strings.TrimSpace(line[i+2:])
	}
	return all
}

// A variable is recoded in the table named, not in others of the same records, and the table is made anew: rules apply
// to the new cells.
func TestRecode(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	dir := must.Get(batchOf(t, `<OPENMICRODATA>  "firms.csv"
<OPENMETADATA>   "firms.rda"
<SPECIFYTABLE>   "Ind""Reg"|"Turn"||
<SAFETYRULE>     FREQ(3,30)
<SPECIFYTABLE>   "Ind"|"Turn"||
<SAFETYRULE>     FREQ(5,30)
<READMICRODATA>
<WRITETABLE>     (1,3,AS+,"before.txt")
<RECODE>         1,"Ind",2
<RECODE>         1,"Ind","I.GRC"
<SUPPRESS>       OPT(1,1)
<WRITETABLE>     (1,3,AS+,"out1.txt")
<WRITETABLE>     (2,3,AS+,"out2.txt")
`, &Options{Log: log}))(t)
	one, two := values(t, filepath.Join(dir, "out1.txt")), values(t, filepath.Join(dir, "out2.txt"))
	if one["AB,x"] != "46,11" || one["AB,y"] != "59,11" || one["C,x"] != "6,5" || one["C,y"] != "81,5" || one["AB,Total"] != "105,11" || len(one) != 9 {
		t.Errorf("%v", one)
	}
	if got := values(t, filepath.Join(dir, "before.txt"))["A,x"]; got != "22,5" {
		t.Errorf("before: A/x is %s", got)
	}
	if two["A"] != "53,5" || two["B"] != "52,1" || two["C"] != "87,5" || two["Total"] != "192,1" || len(two) != 4 {
		t.Errorf("%v", two)
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), "Variable Ind has been recoded for table 1\n") {
		t.Errorf("%s %v", text, err)
	}
}

// The recoding batch of τ-ARGUS runs to its end on the records that it names: three recodings
// of two tables.
func TestRecodeBatch(t *testing.T) {
	dir, data := copied(t, "recode"), copied(t, "simple2d")
	path := filepath.Join(dir, "TestRecode.arb")
	text := must.Get(os.ReadFile(path))(t)
	more := strings.Replace(string(text), "<GOINTERACTIVE>", "<WRITETABLE> (1,3,AS+,\"size.txt\")\r\n<WRITETABLE> (2,3,AS+,\"industry.txt\")", 1)
	must.Do(t, os.WriteFile(path, []byte(more), 0o666))
	var words strings.Builder
	must.Do(t, Run(t.Context(), path, &Options{Words: &words, Data: data}))
	for _, line := range []string{"Variable Size has been recoded for table 1\n", "Variable Region has been recoded for table 1\n", "Variable IndustryCode has been recoded for table 2\n"} {
		if !strings.Contains(words.String(), line) {
			t.Errorf("no %q in %s", line, words.String())
		}
	}
	size, industry := values(t, filepath.Join(data, "size.txt")), values(t, filepath.Join(data, "industry.txt")) // DATADIR, as in τ-ARGUS
	var codes []string
	for cell := range size {
		if code, region, _ := strings.Cut(cell, ","); region == "Total" {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	if got := strings.Join(codes, " "); got != "1 6 7 8 9 99 Total" {
		t.Errorf("sizes %s", got)
	}
	if total, _, _ := strings.Cut(size["Total,Total"], ","); total == "" || !strings.HasPrefix(industry["Total,Total"], total+",") {
		t.Errorf("totals %s and %s", size["Total,Total"], industry["Total,Total"])
	}
	for cell := range industry {
		_, code, _ := strings.Cut(cell, ",")
		for _, closed := range []string{"142", "1500", "1512"} { // of codes by digits
			if strings.HasPrefix(code, closed) && code != closed {
				t.Errorf("%s stands below %s, which is closed", code, closed)
			}
		}
	}
	if industry["Total,142"] == "" || industry["Total,1500"] == "" || industry["Total,1512"] == "" || industry["Total,15110"] == "" {
		t.Error("a code is gone")
	}
}

// The second sample has metadata only: records that fit them are recoded in all three ways, and what
// is left are the totals of the coarser codes.
func TestRecodeSample(t *testing.T) {
	dir := copied(t, "recode")
	var records strings.Builder
	want := map[string]int{}
	for n := range 60 {
		nace := fmt.Sprintf("%d%d%d%d%d%d", 1+n%2, n%3, n%4, n%5, 1+n%2, n%3)
		size, region := 1+n%9, string("1234567"[n%7])
		fmt.Fprintf(&records, "%-7s%2d %s", nace, size, region)
		for v := range 5 {
			fmt.Fprintf(&records, "%10d", n+v)
		}
		records.WriteString("\r\n")
		if size <= 5 {
			size = 1
		}
		want[nace[:3]+","+fmt.Sprint(size)] += n + 1
		want["Total,"+fmt.Sprint(size)] += n + 1
		want[nace[:3]+",Total"] += n + 1
		want["Total,Total"] += n + 1
	}
	for name, content := range map[string]string{"vars.asc": records.String(), "run.arb": `<OPENMICRODATA> "vars.asc"
<OPENMETADATA> "vars1to5sampleG.rda"
<SPECIFYTABLE> "NACE""Size"|"Var2"||
<SPECIFYTABLE> "NACE""Region"|"Var2"||
<READMICRODATA>
<RECODE> 1, NACE, "nace.grc"
<RECODE> 1, Size, "GK.grc"
<RECODE> 1, NACE, 1
<RECODE> 2, Region, 1
<WRITETABLE> (1,3,SE+,"out.txt")
<WRITETABLE> (2,3,SE+,"region.txt")
`, "nace.grc": "<TREERECODE>\n100\n"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	must.Do(t, Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{}))
	got := values(t, filepath.Join(dir, "out.txt"))
	for cell, v := range want {
		if got[cell] != fmt.Sprint(v) {
			t.Errorf("%s is %s, want %d", cell, got[cell], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d cells, want %d", len(got), len(want))
	}
	if total := values(t, filepath.Join(dir, "region.txt"))["Total,Total"]; total != got["Total,Total"] {
		t.Errorf("totals %s and %s", total, got["Total,Total"])
	}
}
