package firewall

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// A drawn table of two dimensions, some of whose cells are withheld.
type drawn struct {
	rows, cols []string
	value      [][]int
	out        [][]bool
	r          *rand.Rand
}

func draw(r *rand.Rand) *drawn {
	d := &drawn{r: r}
	for k := range 3 + r.IntN(5) {
		d.rows = append(d.rows, fmt.Sprintf("r%d", k))
	}
	for k := range 2 + r.IntN(4) {
		d.cols = append(d.cols, fmt.Sprintf("c%d", k))
	}
	top := []int{9, 300, 100_000, 10_000_000}[r.IntN(4)]
	for range d.rows {
		var v []int
		var x []bool
		for range d.cols {
			v, x = append(v, 1+r.IntN(top)), append(x, r.IntN(4) == 0)
		}
		d.value, d.out = append(d.value, v), append(d.out, x)
	}
	d.out[r.IntN(len(d.rows))][r.IntN(len(d.cols))] = true
	return d
}

// text is the table; show says what stands for the value of a cell.
func (d *drawn) text(form string, show func(i, j int) string) []byte {
	var b strings.Builder
	switch form {
	case "tidy":
		b.WriteString("row,col,value,n\n")
		for i := range d.rows {
			for j := range d.cols {
				fmt.Fprintf(&b, "%s,%s,%s,7\n", d.rows[i], d.cols[j], show(i, j))
			}
		}
	case "cross":
		b.WriteString("Table of 2024\n;" + strings.Join(d.cols, ";") + "\n")
		for i := range d.rows {
			b.WriteString(d.rows[i])
			for j := range d.cols {
				b.WriteString(";" + show(i, j))
			}
			b.WriteString("\n")
		}
	case "px":
		fmt.Fprintf(&b, "CHARSET=\"ANSI\";\nSTUB=\"row\";\nHEADING=\"col\";\nVALUES(\"row\")=\"%s\";\nVALUES(\"col\")=\"%s\";\nNOTE=\"CL_CONF_STATUS\";\n", strings.Join(d.rows, `","`), strings.Join(d.cols, `","`))
		for i := range d.rows {
			for j := range d.cols {
				if d.out[i][j] {
					fmt.Fprintf(&b, "DATANOTECELL(\"%s\",\"%s\")=\"C\";\n", d.rows[i], d.cols[j])
				}
			}
		}
		b.WriteString("DATA=\n")
		for i := range d.rows {
			for j := range d.cols {
				s := show(i, j)
				if s == "x" {
					s = `".."`
				}
				b.WriteString(s + " ")
			}
			b.WriteString("\n")
		}
		b.WriteString(";\n")
	case "sdmx":
		b.WriteString("DATAFLOW,ROW,COL,OBS_VALUE,CONF_STATUS\n")
		for i := range d.rows {
			for j := range d.cols {
				flag := "F"
				if d.out[i][j] {
					flag = "C"
				}
				fmt.Fprintf(&b, "X:Y(1.0),%s,%s,%s,%s\n", d.rows[i], d.cols[j], show(i, j), flag)
			}
		}
	case "book":
		var s strings.Builder
		s.WriteString(`<worksheet><cols><col min="1" width="12.7109375"/></cols><sheetData>`)
		for i := range d.rows {
			fmt.Fprintf(&s, `<row r="%d"><c r="A%d" t="inlineStr"><is><t>%s</t></is></c>`, i+1, i+1, d.rows[i])
			for j := range d.cols {
				if v := show(i, j); v == "x" {
					fmt.Fprintf(&s, `<c r="%c%d" t="s"><v>0</v></c>`, 'B'+j, i+1)
				} else {
					fmt.Fprintf(&s, `<c r="%c%d"><v>%s</v></c>`, 'B'+j, i+1, v)
				}
			}
			s.WriteString("</row>")
		}
		s.WriteString("</sheetData></worksheet>")
		var z bytes.Buffer
		w := zip.NewWriter(&z)
		for _, part := range [][2]string{{"xl/sharedStrings.xml", "<sst><si><t>x</t></si></sst>"}, {"xl/worksheets/sheet1.xml", s.String()}} {
			f, _ := w.Create(part[0])
			f.Write([]byte(part[1]))
		}
		w.Close()
		return z.Bytes()
	}
	return []byte(b.String())
}

func (d *drawn) release(input string) *Release {
	r := &Release{Input: input, Codes: [][]string{d.rows, d.cols}, Texts: map[string]bool{"Table of 2024": true}}
	r.Cells = func(yield func(Cell) bool) {
		for i := range d.rows {
			for j := range d.cols {
				if !yield(Cell{Codes: []string{d.rows[i], d.cols[j]}, Values: []string{fmt.Sprint(d.value[i][j])}, Withheld: d.out[i][j], InFile: true}) {
					return
				}
			}
		}
	}
	return r
}

// TestCheck: of drawn tables in all forms the right copy passes, and the copy in which one withheld cell kept its value does not.
func TestCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for n := range 2000 {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		d := draw(r)
		form := []string{"tidy", "cross", "px", "sdmx", "book"}[n%5]
		input := filepath.Join(dir, fmt.Sprint(n))
		plain := func(i, j int) string { return fmt.Sprint(d.value[i][j]) }
		must.Do(t, os.WriteFile(input, d.text(form, plain), 0o600))
		masked := func(i, j int) string {
			if d.out[i][j] {
				return "x"
			}
			return plain(i, j)
		}
		if err := Check("out", d.text(form, masked), d.release(input)); err != nil {
			t.Errorf("%d: %s: %v", n, form, err)
		}
		kept := [2]int{r.IntN(len(d.rows)), r.IntN(len(d.cols))}
		for !d.out[kept[0]][kept[1]] {
			kept = [2]int{r.IntN(len(d.rows)), r.IntN(len(d.cols))}
		}
		var leak *Leak
		err := Check("out", d.text(form, func(i, j int) string {
			if kept == [2]int{i, j} {
				return plain(i, j)
			}
			return masked(i, j)
		}), d.release(input))
		if !errors.As(err, &leak) {
			t.Errorf("%d: %s: cell %v is told, and nothing found: %v", n, form, kept, err)
		} else if v := plain(kept[0], kept[1]); len(v) > 3 && strings.Contains(err.Error(), v) {
			t.Errorf("%d: the value is in the message: %v", n, err)
		}
	}
}

// TestSpellings: a long value is found in any spelling and place.
func TestSpellings(t *testing.T) {
	t.Parallel()
	cells := []Cell{{Codes: []string{"a"}, Values: []string{"21312"}, Withheld: true}, {Codes: []string{"b"}, Values: []string{"53637"}}}
	release := func() *Release { return &Release{Codes: [][]string{{"a", "b"}}, Cells: slices.Values(cells)} }
	for _, s := range []string{"21312", "21,312", "21 312", "21\u202f312", "21'312", "21.312", "2.1312E4", "21312000", "21312.00", "２１３１２", "(21312)", "約21312円", "0.21312"} {
		for _, text := range []string{"a;x\nb;53637\nNote: %s\n", "{\"note\":\"%s\",\"x\":[53637]}", "STUB=\"r\";VALUES(\"r\")=\"a\",\"b\";NOTE=\"in all %s\";DATA=\n\"..\" 53637;"} {
			if strings.Contains(s, ";") {
				continue
			}
			var leak *Leak
			if err := Check("out", []byte(fmt.Sprintf(text, s)), release()); !errors.As(err, &leak) {
				t.Errorf("%s in %s: %v", s, text, err)
			}
			if err := Check("out", []byte(fmt.Sprintf(text, "53638")), release()); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	r := release()
	r.Aside = true
	if err := Check("out", []byte("a;x\nb;53637\nNote: 21312\n"), r); err != nil {
		t.Errorf("somebody has looked: %v", err)
	}
}

// TestParts: a value is found in any part of a zipped file, also a string that no cell names any more.
func TestParts(t *testing.T) {
	t.Parallel()
	r := &Release{Codes: [][]string{{"a"}}, Cells: slices.Values([]Cell{{Codes: []string{"a"}, Values: []string{"21312"}, Withheld: true}})}
	for part, text := range map[string]string{
		"xl/sharedStrings.xml": "<sst><si><t>a</t></si><si><t>21312</t></si></sst>", "xl/comments1.xml": "<comments><t>was 21312</t></comments>",
		"xl/charts/chart1.xml": "<c><pt><v>21312</v></pt></c>", "docProps/core.xml": "<p><subject>21312</subject></p>", "xl/worksheets/sheet2.xml": `<s><c r="A1"><f>B1*21312</f><v>1</v></c></s>`,
		"content.xml": `<t><cell value="21312"/></t>`, "xl/workbook.xml": "<w><definedName>21312</definedName></w>", "xl/worksheets/sheet3.xml": "<s><oddHeader>21 312</oddHeader></s>",
	} {
		var z bytes.Buffer
		w := zip.NewWriter(&z)
		f, _ := w.Create(part)
		f.Write([]byte(text))
		w.Close()
		var leak *Leak
		if err := Check("out.xlsx", z.Bytes(), r); !errors.As(err, &leak) || !strings.HasPrefix(leak.Place.String(), strings.TrimPrefix(part, "xl/sharedStrings.xml")) {
			t.Errorf("%s: %v", part, err)
		}
	}
}

// TestEmbargo: a value that the input keeps back until a day is not published, and what stands beside it is.
func TestEmbargo(t *testing.T) {
	t.Parallel()
	input := filepath.Join(t.TempDir(), "in.csv")
	const text = "STRUCTURE,A,OBS_VALUE,CONF_STATUS,EMBARGO_TIME\ndataflow,x,%s,F,2030-01-01\ndataflow,y,20,F,\n"
	must.Do(t, os.WriteFile(input, fmt.Appendf(nil, text, "10"), 0o600))
	r := &Release{Input: input, Cells: slices.Values([]Cell(nil))}
	var leak *Leak
	if err := Check("out", fmt.Appendf(nil, text, "10"), r); !errors.As(err, &leak) || leak.Place.String() != "line 2" {
		t.Errorf("%v", err)
	}
	if err := Check("out", fmt.Appendf(nil, text, ""), r); err != nil {
		t.Error(err)
	}
}

// TestPages: of a page what is there to be read is looked at, and not where something is drawn.
func TestPages(t *testing.T) {
	t.Parallel()
	cells := []Cell{{Values: []string{"21312"}, Withheld: true}, {Values: []string{"53637"}}}
	for text, leaks := range map[string]bool{
		"<!doctype html>\n<p>53637 and 53637</p><td>x</td>":                   false,
		"<!doctype html>\n<td>21,312</td>":                                    true,
		"<!doctype html>\n<td title=\"a > b:\n21&thinsp;312\">x</td>":         true,
		"<!doctype html>\n<!-- 21312 --><td>x</td>":                           true,
		"<!doctype html>\n<script>var a = [21312]</script>":                   true,
		"<!doctype html>\n<style>p { margin: 2.1312em }</style><td>x</td>":    false,
		"<svg viewBox=\"0 0 21312 5\"><text x=\"21.312\">x</text></svg>":      false,
		"<svg><text x=\"2\">21312</text></svg>":                               true,
		"<!doctype html>\n<p>SHA-256: 0a21312bcdef0123456789abcdef012345</p>": false,
	} {
		var leak *Leak
		err := Check("page.html", []byte(text), &Release{Cells: slices.Values(cells), Again: true})
		if errors.As(err, &leak) != leaks || err != nil && !leaks {
			t.Errorf("%s: %v, want a leak: %v", text, err, leaks)
		}
	}
}

// TestMessages: in a data message of SDMX-JSON a value that the input calls confidential or keeps back is not published, whatever the flag hangs on
// and in whatever shape the message comes.
func TestMessages(t *testing.T) {
	t.Parallel()
	const (
		flat   = `{"data":{"structures":[{"dimensions":{"observation":[{"id":"A","values":[{"id":"x"},{"id":"y"}]}]},"attributes":{%s}}],"dataSets":[{"structure":0%s,"observations":{"0":[%s],"1":[20]}}]}}`
		series = `{"structure":{"dimensions":{"series":[{"id":"A","values":[{"id":"x"},{"id":"y"}]}],"observation":[{"id":"T","values":[{"id":"2024"}]}]},"attributes":{%s}},"dataSets":[{%s"series":{"0":{%s"observations":{"0":[%s]}},"1":{"observations":{"0":[20]}}}}]}`
		conf   = `[{"id":"CONF_STATUS","values":[{"id":"F"},{"id":"C"}]}]`
		until  = `[{"id":"EMBARGO_TIME","values":[{"value":"2030-01-01"}]}]`
	)
	for name, text := range map[string]func(value string) string{
		"observation":       func(v string) string { return fmt.Sprintf(flat, `"observation":`+conf, "", v+",1") },
		"observation, text": func(v string) string { return fmt.Sprintf(flat, `"observation":`+conf, "", v+`,"C"`) },
		"embargo":           func(v string) string { return fmt.Sprintf(flat, `"observation":`+until, "", v+",0") },
		"group": func(v string) string {
			return fmt.Sprintf(flat, `"dimensionGroup":`+conf, `,"dimensionGroupAttributes":{"0":[1]}`, v)
		},
		"series":             func(v string) string { return fmt.Sprintf(series, `"series":`+conf, "", `"attributes":[1],`, v) },
		"series, embargo":    func(v string) string { return fmt.Sprintf(series, `"series":`+until, "", `"attributes":[0],`, v) },
		"observation of one": func(v string) string { return fmt.Sprintf(series, `"observation":`+conf, "", "", v+",1") },
	} {
		input := filepath.Join(t.TempDir(), "in.json")
		must.Do(t, os.WriteFile(input, []byte(text("10")), 0o600))
		r := &Release{Input: input, Cells: slices.Values([]Cell(nil))}
		var leak *Leak
		if err := Check("out", []byte(text("10")), r); !errors.As(err, &leak) || !strings.Contains(leak.Place.String(), "A=x") {
			t.Errorf("%s: %v", name, err)
		}
		if err := Check("out", []byte(text("null")), r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := Check("out", []byte(`{"data":{}}`), r); err == nil {
			t.Errorf("%s: a file of nothing passes", name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"a,b\n1,\"2\n\"\n", "STUB=\"r\";VALUES(\"r\")=\"a\";NOTE=\"CL_CONF_STATUS\";DATANOTECELL(\"a\")=\"C\";DATA=\n1;", "{\"a\":\"\\\"1\"}", `{"structure":{"dimensions":{"series":[{"id":"A","values":[{"id":"x"}]}]},"attributes":{"series":[{"id":"CONF_STATUS"}]}},"dataSets":[{"series":{"0":{"attributes":["C"],"observations":{"0":[1]}}}}]}`, "PK\x03\x04", "\xff\xfe1\x00"} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(_ *testing.T, b []byte) {
		in := filepath.Join(dir, "in")
		if err := os.WriteFile(in, b, 0o600); err != nil {
			return
		}
		_ = Check("out", b, &Release{Input: in, Codes: [][]string{{"a"}}, Cells: slices.Values([]Cell{{Codes: []string{"a"}, Values: []string{"1"}, Withheld: true}})})
	})
}

// The version of PC-Axis is no value.
func TestAxisVersion(t *testing.T) {
	t.Parallel()
	cells := []Cell{{Codes: []string{"a"}, Values: []string{"2013"}, Withheld: true}, {Codes: []string{"b"}, Values: []string{"5"}}}
	r := &Release{Codes: [][]string{{"a", "b"}}, Cells: slices.Values(cells)}
	file := func(more string) []byte {
		return []byte("CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\n" + more + "STUB=\"x\";\nVALUES(\"x\")=\"a\",\"b\";\nDATA=\n\"..\"\n5\n;\n")
	}
	if err := Check("t.px", file(""), r); err != nil {
		t.Error(err)
	}
	if err := Check("t.px", file("NOTE=\"2013\";\n"), r); err == nil {
		t.Error("a note with the value passes")
	}
}
