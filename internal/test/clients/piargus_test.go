package clients

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

// example is one of piargus's, with what its result must be.
type example struct {
	name   string
	tables []wanted
}

// wanted is one table of an example: its tree by dimension (the codes below each; without
// one the dimension is flat), the rules, and how many cells they find unsafe.
type wanted struct {
	file   string
	dims   []string
	trees  map[string]map[string][]string // for "" the codes below the total
	levels map[string][]int               // digits of the levels, in place of a tree
	totals map[string]string
	rules  string
	given  string // changes of single cells, for the audit
	absent string // a missing code that no row has
	unsafe int
	counts bool // records are counted
	table  bool // of the tables that piargus has, not of the records
}

var examples = []example{
	{"microdata_apriori", []wanted{{file: "apriori-example_table-1", dims: []string{"symbol", "regio"}, rules: "NK(3,70)|FREQ(3,20)", given: "A;ExampleCity;s\nA;ExampleDam;s\nA;ExampleDam;m\n", unsafe: 6}}},
	{"microdata_basic", []wanted{{file: "basic-example_table-1", dims: []string{"symbol", "regio"}, rules: "P(10,1)", unsafe: 4}}},
	{"microdata_hierarchy", []wanted{{
		file: "hierarchy-example_table-1", dims: []string{"sbi", "regio"}, rules: "NK(3,70)", unsafe: 25,
		levels: map[string][]int{"sbi": {2, 1, 1}}, totals: map[string]string{"sbi": "TTTT", "regio": "CountryTotal"},
		trees: map[string]map[string][]string{"regio": {"": {"ExampleProvince", "EmptyProvince"}, "ExampleProvince": {"ExampleDam", "ExampleCity"}}},
	}}},
	{"microdata_holding", []wanted{{file: "holding_example_table-1", dims: []string{"symbol", "regio"}, rules: "NK(2,70)", unsafe: 7}}},
	{"microdata_linked", []wanted{
		{file: "microdata-linked-together_sbi", dims: []string{"symbol"}, rules: "NK(2,80)"},
		{file: "microdata-linked-together_sbi-x-regio", dims: []string{"symbol", "regio"}, rules: "NK(2,80)", unsafe: 4},
	}},
	{"microdata_recode", []wanted{{
		file: "recode-example_table-1", dims: []string{"symbol", "regio"}, rules: "P(3,1)", totals: map[string]string{"symbol": "Industry", "regio": "Country"},
		trees: map[string]map[string][]string{"regio": {"": {"Example", "Empty"}, "Example": {"ExampleDam", "ExampleCity"}}},
	}}},
	{"microdata_response", []wanted{{file: "response_example_table-1", dims: []string{"symbol", "regio"}, rules: "FREQ(3,20)", unsafe: 4, counts: true}}},
	{"tabledata_basic", []wanted{{file: "tabledata-example_table-1", dims: []string{"activity", "size"}, rules: "FREQ(3,10)|NK(1,85)", unsafe: 2, table: true, absent: "5"}}},
	{"tabledata_status", []wanted{{file: "tabledata-status_table-1", dims: []string{"activity", "size"}, rules: "MAN(20)", unsafe: 1, table: true, absent: "5"}}},
}

// TestPiargus runs the examples of piargus as they stand and compares each cell with the records.
func TestPiargus(t *testing.T) {
	const python = "/usr/bin/python3" // Debian's, which has its pandas
	p := newPlace(t, python, "piargus", "littletree")
	t.Run("version", func(t *testing.T) {
		out := p.run(t, folder(t), time.Minute, python, "-c", "import piargus; print(piargus.TauArgus().version_info())")
		if !strings.Contains(out, "'version': ") && !strings.Contains(out, "No module named") {
			t.Errorf("version_info gives %q", out)
		}
	})
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t)
			must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Join(p.sources, "piargus", "examples"))))
			must.Do(t, os.MkdirAll(filepath.Join(dir, "output"), 0o777))
			p.put(t, dir, `C:\Users\LVWN\Desktop\TauArgus4.2.4b2\TauArgus.exe`) // as one example has it
			began := time.Now()
			out, err := p.try(t, dir, 2*time.Minute, python, e.name+".py")
			c := call{name: e.name, seconds: strconv.FormatFloat(time.Since(began).Seconds(), 'f', 1, 64)}
			if strings.Contains(out, "No module named") {
				t.Skip(tail(out, 1))
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, tail(out, 25))
			}
			for _, w := range e.tables {
				r := w.read(t, dir)
				p.check(t, r, &published{primary: w.unsafe, secondary: r.secondary})
				c.tables = append(c.tables, r)
			}
			row(t, "piargus: "+e.name, c, nil)
		})
	}
}

// read compares the table that piargus reads back with the records, and writes it for an audit.
func (w wanted) read(t *testing.T, dir string) result {
	t.Helper()
	r := result{name: w.file, dir: filepath.Join(dir, "audit-"+w.file), audit: "--readtable 0 --rules " + w.rules}
	must.Do(t, os.MkdirAll(r.dir, 0o777))
	if w.given != "" {
		r.audit += " --apriori given.hst"
		must.Do(t, os.WriteFile(filepath.Join(r.dir, "given.hst"), []byte(w.given), 0o666))
	}
	cells := w.cells(t, dir)
	var lines strings.Builder
	cost := 0.0
	for _, row := range table(t, filepath.Join(dir, "tau", "output", w.file+".csv"))[1:] {
		r.rows++
		n := len(w.dims)
		key := strings.Join(row[:n], "/")
		cell, ok := cells[key]
		value, err := strconv.ParseFloat(row[n], 64)
		if row[n] == "-" {
			value, err = 0, nil
		}
		if !ok || err != nil || math.Abs(value-cell.value) > 1e-6 {
			t.Errorf("%s: %s is %s, want %v", w.file, key, row[n], cell.value)
			r.missing++
		}
		status := "s"
		switch code := row[len(row)-1]; code {
		case "1", "2", "10", "13", "14":
		case "3", "4", "5", "6", "9":
			status = "u"
			r.primary++
		case "11", "12":
			status = "m"
			r.secondary++
			cost += value
		default:
			t.Errorf("%s: %s has status %s", w.file, key, code)
		}
		if len(cell.parts) > 0 {
			fmt.Fprintf(&lines, "%s;%v;%d;%v;%v;%v;%s\n", strings.Join(row[:n], ";"), cell.value, cell.freq, cell.part(0), cell.part(1), cell.part(2), status)
		}
	}
	r.wanted, r.cost = len(cells), strconv.FormatFloat(cost, 'f', 2, 64)
	for name, text := range map[string]string{"table.tab": lines.String(), "table.rda": w.metadata(t, r.dir)} {
		must.Do(t, os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666))
	}
	return r
}

// metadata describes the table for an audit.
func (w wanted) metadata(t *testing.T, dir string) string {
	t.Helper()
	var s strings.Builder
	s.WriteString("<SEPARATOR> \";\"\n<SAFE> s\n<UNSAFE> u\n")
	for _, d := range w.dims {
		fmt.Fprintf(&s, "%s\n<RECODEABLE>\n<TOTCODE> \"%s\"\n", d, w.total(d))
		tree := w.trees[d]
		if levels := w.levels[d]; len(levels) > 0 {
			fmt.Fprintf(&s, "<HIERARCHICAL>\n<HIERLEVELS> %s\n", strings.Trim(fmt.Sprint(levels), "[]"))
		}
		if len(tree) == 0 {
			continue
		}
		var hrc strings.Builder
		for _, code := range tree[""] {
			hrc.WriteString(code + "\n")
			for _, below := range tree[code] {
				if w.file != "recode-example_table-1" { // which has the upper level only
					hrc.WriteString("@" + below + "\n")
				}
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, d+".hrc"), []byte(hrc.String()), 0o666))
		fmt.Fprintf(&s, "<HIERARCHICAL>\n<HIERCODELIST> \"%s.hrc\"\n<HIERLEADSTRING> \"@\"\n", d)
	}
	s.WriteString("value\n<NUMERIC>\n<DECIMALS> 2\nfreq\n<FREQUENCY>\nmax1\n<MAXSCORE>\nmax2\n<MAXSCORE>\nmax3\n<MAXSCORE>\nstatus\n<STATUS>\n")
	return s.String()
}

func (w wanted) total(dim string) string {
	if code := w.totals[dim]; code != "" {
		return code
	}
	return "Total"
}

// sum is what a cell is of records.
type sum struct {
	value float64
	freq  int
	parts []float64 // not increasing
}

func (c sum) part(i int) float64 {
	if i < len(c.parts) {
		return c.parts[i]
	}
	return 0
}

// cells are all cells of a table, made of the records of the examples, or the rows of their table.
func (w wanted) cells(t *testing.T, dir string) map[string]sum {
	t.Helper()
	cells := map[string]sum{}
	if w.table {
		for _, row := range table(t, filepath.Join(dir, "data", "tabledata.csv"))[1:] {
			value, freq, most := number(t, row[2]), int(number(t, row[3])), number(t, row[4])
			cells[row[0]+"/"+row[1]] = sum{value, freq, []float64{most}}
			cells[row[0]+"/"+w.absent], cells[w.absent+"/"+row[1]], cells[w.absent+"/"+w.absent] = sum{}, sum{}, sum{}
		}
		return cells
	}
	rows := table(t, filepath.Join(dir, "data", "microdata.csv"))
	codes := map[string][]string{}
	for _, d := range w.dims {
		codes[d] = w.codes(d, rows)
	}
	var all func(prefix []string)
	all = func(prefix []string) {
		if len(prefix) == len(w.dims) {
			c := sum{}
			for _, row := range rows[1:] {
				in := true
				for i, d := range w.dims {
					in = in && slices.Contains(w.above(d, row[slices.Index(rows[0], d)]), prefix[i])
				}
				if in {
					x := 1.0
					if !w.counts {
						x = number(t, row[slices.Index(rows[0], "income")])
					}
					c.value, c.freq, c.parts = c.value+x, c.freq+1, append(c.parts, x)
				}
			}
			slices.SortFunc(c.parts, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
			c.value = math.Round(c.value*100) / 100
			cells[strings.Join(prefix, "/")] = c
			return
		}
		for _, code := range codes[w.dims[len(prefix)]] {
			all(append(slices.Clone(prefix), code))
		}
	}
	all(nil)
	return cells
}

// codes are all codes of a dimension: of its tree, else of the records.
func (w wanted) codes(dim string, rows [][]string) []string {
	all := []string{w.total(dim)}
	for code := range w.trees[dim] {
		if code != "" && w.file != "recode-example_table-1" {
			all = append(all, w.trees[dim][code]...)
		}
	}
	all = append(all, w.trees[dim][""]...)
	if len(w.trees[dim]) == 0 {
		for _, row := range rows[1:] {
			all = append(all, w.above(dim, row[slices.Index(rows[0], dim)])...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// above is a code with all codes above it.
func (w wanted) above(dim, code string) []string {
	codes := []string{w.total(dim)}
	n := 0
	for _, digits := range w.levels[dim] {
		n += digits
		codes = append(codes, code[:n])
	}
	if len(w.levels[dim]) > 0 {
		return codes
	}
	for parent, below := range w.trees[dim] {
		if parent != "" && slices.Contains(below, code) {
			codes = append(codes, parent)
		}
	}
	return append(codes, code)
}

func table(t *testing.T, path string) [][]string {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	r := csv.NewReader(f)
	r.TrimLeadingSpace = true
	rows, err := r.ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(strings.TrimSpace(s), 64))(t)
}
