package adversary

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

var (
	leaks    = flag.Int("adversary.leaks", manyLeaks, "number of drawn tables whose outputs are searched for withheld values")
	leakOnly = flag.Int("adversary.leak", -1, "the one of these to look at")
)

// A secretTable is a table of long values, each its own, some of them flagged as confidential or of few contributors.
type secretTable struct {
	*rand.Rand
	names  []string
	codes  [][]string // by dimension, the total last
	coord  [][]int    // of each cell
	value  []int
	freq   []int
	flag   []bool
	beside []string // second columns
	ways   []int    // how they tell the value
}

func drawSecret(r *rand.Rand) *secretTable {
	s := &secretTable{Rand: r}
	for d := range 2 + r.IntN(2) {
		var codes []string
		for k := range 2 + r.IntN(3) {
			codes = append(codes, fmt.Sprintf("%c%c", 'a'+d, 'p'+k))
		}
		s.codes = append(s.codes, append(codes, "Total"))
		s.names = append(s.names, []string{"ACT", "SIZE", "GEO"}[d])
	}
	s.coord = [][]int{nil}
	for d := range s.codes {
		var next [][]int
		for _, c := range s.coord {
			for k := range s.codes[d] {
				next = append(next, append(slices.Clone(c), k))
			}
		}
		s.coord = next
	}
	s.value, s.freq, s.flag = make([]int, len(s.coord)), make([]int, len(s.coord)), make([]bool, len(s.coord))
	leaf := func(c []int) bool {
		for d, k := range c {
			if k == len(s.codes[d])-1 {
				return false
			}
		}
		return true
	}
	for i, c := range s.coord {
		if leaf(c) {
			s.value[i], s.freq[i], s.flag[i] = 100_003+r.IntN(800_000), 1+r.IntN(9), r.IntN(8) == 0
		}
	}
	for i, c := range s.coord {
		if leaf(c) {
			continue
		}
		for j, x := range s.coord {
			in := leaf(x)
			for d, k := range c {
				in = in && (k == x[d] || k == len(s.codes[d])-1)
			}
			if in {
				s.value[i] += s.value[j]
				s.freq[i] += s.freq[j]
			}
		}
	}
	for range r.IntN(3) {
		s.beside = append(s.beside, []string{"prev", "turnover", "remark", "EUR", "x2", "Kommentar"}[r.IntN(6)])
		s.ways = append(s.ways, r.IntN(5))
	}
	slices.Sort(s.beside)
	s.beside = slices.Compact(s.beside)
	return s
}

func (s *secretTable) code(i, d int) string { return s.codes[d][s.coord[i][d]] }

// second is what column k beside the values holds of cell i.
func (s *secretTable) second(i, k int) string {
	v := s.value[i]
	switch s.ways[k] {
	case 0:
		return fmt.Sprint(v)
	case 1:
		return fmt.Sprint(v * 1000)
	case 2:
		return fmt.Sprintf("about %d,%03d in all", v/1000, v%1000)
	case 3:
		return fmt.Sprintf("%d.%03d", v/1000, v%1000)
	}
	return fmt.Sprintf("%d0 %%", v)
}

// fields are a header and a line a cell.
func (s *secretTable) fields(value, freq string, flagged func(bool) string, flagName string) [][]string {
	head := slices.Concat(s.names, []string{value})
	if freq != "" {
		head = append(head, freq)
	}
	if flagged != nil {
		head = append(head, flagName)
	}
	all := [][]string{append(head, s.beside...)}
	for i := range s.value {
		var row []string
		for d := range s.codes {
			row = append(row, s.code(i, d))
		}
		row = append(row, fmt.Sprint(s.value[i]))
		if freq != "" {
			row = append(row, fmt.Sprint(s.freq[i]))
		}
		if flagged != nil {
			row = append(row, flagged(s.flag[i]))
		}
		for k := range s.beside {
			row = append(row, s.second(i, k))
		}
		all = append(all, row)
	}
	return all
}

// write writes the table in one of the forms, and says whether contributors and flags are in it.
func (s *secretTable) write(dir, form string) (path string, counts, flags bool, err error) {
	text := func(rows [][]string, mark rune) []byte {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma = mark
		w.WriteAll(rows)
		return b.Bytes()
	}
	letter := func(c bool) string {
		if c {
			return "C"
		}
		return "F"
	}
	status := func(c bool) string {
		if c {
			return "u"
		}
		return "s"
	}
	path = filepath.Join(dir, "t.csv")
	var b []byte
	switch form {
	case "tidy":
		counts, flags = true, true
		b = text(s.fields("value", "freq", status, "status"), ',')
	case "tidy with a title":
		counts = true
		b = append([]byte("Turnover by activity and size\n\n"), text(s.fields("value", "freq", nil, ""), ';')...)
	case "sdmx":
		flags = true
		rows := s.fields("OBS_VALUE", "", letter, "CONF_STATUS")
		for i := range rows {
			rows[i] = append([]string{"dataflow", "X:Y(1.0)", "I"}, rows[i]...)
		}
		rows[0][0], rows[0][1], rows[0][2] = "STRUCTURE", "STRUCTURE_ID", "ACTION"
		b = text(rows, ',')
	case "sdmx of two periods":
		flags = true
		rows := s.fields("OBS_VALUE", "", letter, "CONF_STATUS")
		n := len(s.names)
		var all [][]string
		for i, row := range rows {
			for _, year := range []string{"2023", "2024"} {
				if i == 0 && year == "2024" {
					break
				}
				x := slices.Concat([]string{"dataflow", "X:Y(1.0)", "I"}, row[:n], []string{year}, row[n:])
				if i == 0 {
					x[0], x[1], x[2], x[3+n] = "STRUCTURE", "STRUCTURE_ID", "ACTION", "TIME_PERIOD"
				}
				all = append(all, x)
			}
		}
		b = text(all, ',')
	case "sdmx-json":
		flags = true
		path = filepath.Join(dir, "t.json")
		b = s.message()
	case "px":
		flags = true
		path = filepath.Join(dir, "t.px")
		var w bytes.Buffer
		quote := func(c []string) string { return `"` + strings.Join(c, `","`) + `"` }
		fmt.Fprintf(&w, "CHARSET=\"ANSI\";\nCODEPAGE=\"utf-8\";\nTITLE=\"t\";\nCONTENTS=\"c\";\nUNITS=\"u\";\nDECIMALS=0;\nSTUB=%s;\nHEADING=%s;\n", quote(s.names[:1]), quote(s.names[1:]))
		for d, c := range s.codes {
			fmt.Fprintf(&w, "VALUES(\"%s\")=%s;\n", s.names[d], quote(c))
		}
		w.WriteString("NOTE=\"Codes of DATANOTECELL are those of CL_CONF_STATUS.\";\n")
		for i, c := range s.flag {
			if c {
				var codes []string
				for d := range s.codes {
					codes = append(codes, s.code(i, d))
				}
				fmt.Fprintf(&w, "DATANOTECELL(%s)=\"C\";\n", quote(codes))
			}
			if len(s.beside) > 0 && s.IntN(6) == 0 {
				fmt.Fprintf(&w, "CELLNOTE(%s)=\"%s\";\n", quote([]string{s.code(i, 0), s.code(i, 1)}), s.second(i, 0))
			}
		}
		w.WriteString("DATA=\n")
		for _, v := range s.value {
			fmt.Fprintf(&w, "%d ", v)
		}
		w.WriteString(";\n")
		b = w.Bytes()
	case "cross-tab":
		if len(s.codes) > 2 {
			return "", false, false, nil
		}
		rows := [][]string{append([]string{"ACT"}, s.codes[1]...)}
		for k, c := range s.codes[0] {
			row := []string{c}
			for i := range s.value {
				if s.coord[i][0] == k {
					row = append(row, fmt.Sprint(s.value[i]))
				}
			}
			rows = append(rows, row)
		}
		b = text(rows, ',')
	case "workbook":
		path = filepath.Join(dir, "t.xlsx")
		counts, flags = true, true
		f := excelize.NewFile()
		defer f.Close()
		for r, row := range s.fields("value", "freq", status, "status") {
			for c, x := range row {
				ref, _ := excelize.CoordinatesToCellName(c+1, r+1)
				var n int
				if _, err := fmt.Sscan(x, &n); err == nil && fmt.Sprint(n) == x {
					f.SetCellValue("Sheet1", ref, n)
				} else {
					f.SetCellStr("Sheet1", ref, x)
				}
			}
		}
		return path, counts, flags, f.SaveAs(path)
	case "spreadsheet":
		counts, flags = true, true
		path = filepath.Join(dir, "t.ods")
		return path, counts, flags, spreadsheetOf(path, s.fields("value", "freq", status, "status"))
	case "argus":
		path = filepath.Join(dir, "t.tab")
		counts, flags = true, true
		var w, m bytes.Buffer
		m.WriteString("   <SEPARATOR> \";\"\n   <SAFE> \"S\"\n   <UNSAFE> \"U\"\n   <PROTECT> \"P\"\n")
		for _, n := range s.names {
			fmt.Fprintf(&m, "%s\n   <RECODEABLE>\n   <TOTCODE> \"Total\"\n", n)
		}
		m.WriteString("value\n   <NUMERIC>\nn\n   <FREQUENCY>\nst\n   <STATUS>\n")
		for i, v := range s.value {
			for d := range s.codes {
				fmt.Fprintf(&w, "%s;", s.code(i, d))
			}
			fmt.Fprintf(&w, "%d;%d;%s\n", v, s.freq[i], map[bool]string{true: "U", false: "S"}[s.flag[i]])
		}
		if err := os.WriteFile(filepath.Join(dir, "t.rda"), m.Bytes(), 0o600); err != nil {
			return "", false, false, err
		}
		b = w.Bytes()
	}
	return path, counts, flags, os.WriteFile(path, b, 0o600)
}

// message is the table as a data message of SDMX-JSON, with a remark on some observations.
func (s *secretTable) message() []byte {
	type code struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	type component struct {
		ID     string `json:"id"`
		Values []code `json:"values"`
	}
	var dims []component
	for d, codes := range s.codes {
		c := component{ID: s.names[d]}
		for _, k := range codes {
			c.Values = append(c.Values, code{k, k})
		}
		dims = append(dims, c)
	}
	observations := map[string][]any{}
	for i, at := range s.coord {
		o := []any{s.value[i], map[bool]int{false: 0, true: 1}[s.flag[i]]}
		if len(s.beside) > 0 && s.IntN(6) == 0 {
			o = append(o, s.second(i, 0))
		}
		observations[strings.Trim(strings.ReplaceAll(fmt.Sprint(at), " ", ":"), "[]")] = o
	}
	b, err := json.Marshal(map[string]any{"data": map[string]any{
		"structures": []any{map[string]any{"dimensions": map[string]any{"observation": dims}, "measures": map[string]any{"observation": []component{{ID: "OBS_VALUE"}}},
			"attributes": map[string]any{"observation": []component{{ID: "CONF_STATUS", Values: []code{{"F", "free"}, {"C", "confidential"}}}, {ID: "COMMENT"}}}}},
		"dataSets": []any{map[string]any{"structure": 0, "action": "Information", "observations": observations}},
	}})
	if err != nil {
		panic(err)
	}
	return b
}

// spread are all bytes of a file that may tell something, those of zipped parts unpacked.
func spread(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		return string(b), err
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return "", err
		}
		if _, err := io.Copy(&all, r); err != nil {
			return "", err
		}
		r.Close()
	}
	return all.String(), nil
}

// tells reports in which spelling a text tells a value, "" for none.
func tells(text string, v int) string {
	for _, mark := range []string{"", ",", ".", " ", "'", "\u00a0", "\u202f"} {
		if s := fmt.Sprintf("%d%s%03d", v/1000, mark, v%1000); strings.Contains(text, s) {
			return s
		}
	}
	return ""
}

// ends are intervals as pages write them.
var ends = regexp.MustCompile(`[0-9][0-9,]* ?… ?[0-9][0-9,]*`)

// TestLeaks draws tables with flags, contributors and second columns, in all forms that are read, and searches what is published of
// them, in all forms that are written, for the values withheld.
func TestLeaks(t *testing.T) {
	t.Parallel()
	from, to := 0, *leaks
	if *leakOnly >= 0 {
		from, to = *leakOnly, *leakOnly+1
	}
	forms := []string{"tidy", "tidy with a title", "sdmx", "sdmx of two periods", "px", "cross-tab", "workbook", "argus", "sdmx-json", "spreadsheet"}
	done, refused, looked, pages := map[string]int{}, map[string]int{}, 0, 0
	for n := from; n < to; n++ {
		s := drawSecret(rand.New(rand.NewPCG(9, uint64(n))))
		form := forms[n%len(forms)]
		dir := t.TempDir()
		path, counts, flagged, err := s.write(dir, form)
		if err != nil {
			t.Fatal(err)
		} else if path == "" {
			continue
		}
		args := []string{"suppress", "--width", "1000"}
		if counts {
			args = append(args, "--below", "3")
		}
		if form == "cross-tab" {
			args = append(args, "--below", fmt.Sprint(slices.Min(s.value)+1))
		}
		if (form == "tidy" || form == "workbook" || form == "spreadsheet") && len(s.beside) > 0 {
			args = append(args, "--dims", strings.Join(s.names, ","))
		}
		if form == "sdmx-json" {
			args = append(args, "--from", form)
		}
		if s.IntN(3) == 0 {
			args = append(args, []string{"--tolerance", "--symbol", "--partial"}[s.IntN(3)])
			switch args[len(args)-1] {
			case "--tolerance":
				args = append(args, "1")
			case "--symbol":
				args = append(args, "..")
			case "--partial":
				args = append(args, "--seed", "1")
			}
		}
		out, statuses := filepath.Join(dir, "out"+filepath.Ext(path)), filepath.Join(dir, "statuses")
		args = append(args, "-o", out, "--status-file", statuses, path)
		code, words := hitoku(args...)
		if *leakOnly >= 0 {
			t.Logf("hitoku %v: exit code %d\n%s", args, code, words)
		}
		if code == 2 {
			if refused[form]++; refused[form] <= 2 && testing.Verbose() {
				t.Logf("%d %s: %v\n%s", n, form, args, words[max(0, len(words)-400):])
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%d: exit code 2, and a file", n)
			}
			continue
		}
		done[form]++
		// what is withheld
		b, err := os.ReadFile(statuses)
		if err != nil {
			t.Errorf("%d %s: %v: exit code %d\n%s", n, form, args, code, words)
			continue
		}
		_, list, _ := strings.Cut(string(b), "\n")
		rows, err := csv.NewReader(strings.NewReader(list)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		st := slices.Index(rows[0], "status")
		withheld := map[string]bool{}
		for _, row := range rows[1:] {
			var key []string
			for d, name := range s.names {
				at := slices.Index(rows[0], name)
				if at < 0 { // of a cross-tab, which names it itself
					at = d
				}
				key = append(key, row[at])
			}
			if row[st] == "u" || row[st] == "m" {
				withheld[strings.Join(key, "/")] = true
			}
		}
		var hidden []int
		for i := range s.value {
			var key []string
			for d := range s.codes {
				key = append(key, s.code(i, d))
			}
			switch k := strings.Join(key, "/"); {
			case withheld[k]:
				hidden = append(hidden, i)
			case flagged && s.flag[i], counts && s.freq[i] < 3:
				t.Errorf("%d %s: %v: cell %s has %d contributors and the flag %v, and is published", n, form, args, k, s.freq[i], s.flag[i])
			}
		}
		var shown strings.Builder // what may be equal by chance
		for i := range s.value {
			if !slices.Contains(hidden, i) {
				fmt.Fprintln(&shown, s.value[i], s.value[i]*1000, s.value[i]*10)
			}
		}
		search := func(what, path string) {
			text, err := spread(path)
			intervals := strings.Join(ends.FindAllString(text, -1), "\n") // whose ends a reader computes from what is published
			if err != nil {
				t.Errorf("%d %s: %v", n, what, err)
				return
			}
			for _, i := range hidden {
				if tells(shown.String()+intervals, s.value[i]) != "" || strings.HasSuffix(what, "rounded") && s.value[i]%1000 == 0 { // which is its own rounding
					continue
				}
				looked++
				if as := tells(text, s.value[i]); as != "" {
					k := strings.Index(text, as)
					t.Errorf("%d %s: %v: the value of %v, which is withheld, stands in what is published as %q, in %q", n, what, args, s.coord[i], as, text[max(0, k-60):min(len(text), k+60)])
					return
				}
			}
		}
		if form == "argus" { // the office's own
			continue
		}
		if slices.Contains(args, "--partial") {
			continue // ends may be values
		}
		if own, err := spread(path); err != nil || len(hidden) > 0 && tells(own, s.value[hidden[0]]) == "" {
			t.Errorf("%d %s: the search does not find a value of the input in it: %v", n, form, err)
		}
		search(form, out)
		if form == "tidy" || form == "sdmx" || form == "px" {
			page := filepath.Join(dir, "page"+[]string{".html", ".svg"}[n%2])
			if code, words := hitoku("report", "--mask", "--width", "1000", "--published", out, "-o", page, path); code < 2 {
				search(form+" as a page", page)
				pages++
			} else if *leakOnly >= 0 {
				t.Log(words)
			}
			rounded := filepath.Join(dir, "rounded"+filepath.Ext(path))
			if code, words := hitoku("round", "--kind", "conventional", "--base", "1000", "-o", rounded, path); code < 2 {
				search(form+" rounded", rounded)
				pages++
			} else if *leakOnly >= 0 {
				t.Log(words)
			}
		}
		for _, to := range []string{"px", "sdmx", "xlsx", "sdmx-json", "tidy", "tau-matrix", "tau-pivot", "tau-codevalue"} {
			more := []string{"convert", "--to", to, "--lossy"}
			if !strings.HasPrefix(to, "t") {
				more = append(more, "--mask")
			}
			to := filepath.Join(dir, "converted."+to)
			if code, _ := hitoku(append(more, "-o", to, out)...); code == 0 {
				search(form+" converted to "+filepath.Ext(to), to)
			}
		}
		if form == "tidy" && counts {
			for _, to := range []string{"px", "sdmx", "xlsx", "sdmx-json", "tau-matrix", "tau-pivot", "tau-codevalue"} { // of the office's own file with statuses
				own := filepath.Join(dir, "own.csv")
				rows := s.fields("value", "freq", func(bool) string { return "" }, "status")
				at := len(s.names) + 2
				for i := range s.value {
					rows[i+1][at] = map[bool]string{true: "m", false: "s"}[slices.Contains(hidden, i)]
				}
				var b bytes.Buffer
				w := csv.NewWriter(&b)
				w.WriteAll(rows)
				if err := os.WriteFile(own, b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				more := []string{"convert", "--to", to, "--lossy"}
				if !strings.HasPrefix(to, "t") {
					more = append(more, "--mask")
				}
				masked := filepath.Join(dir, "masked."+to)
				if code, words := hitoku(append(more, "-o", masked, own)...); code == 0 {
					search("masked "+to, masked)
				} else if *leakOnly >= 0 {
					t.Log(words)
				}
			}
		}
	}
	t.Logf("protected %v, refused %v, %d values looked for, %d pages and rounded tables", done, refused, looked, pages)
}
