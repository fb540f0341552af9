// Package linear asks of every reader that n, 2n and 4n of what a file delivers cost as many times the memory and the time.
package linear

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/arb"
	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/census"
	"github.com/hitoku/hitoku/internal/cli/tables"
	"github.com/hitoku/hitoku/internal/compare"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/formats/px"
	"github.com/hitoku/hitoku/internal/formats/sdmx"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/methods/cellkey"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// A reader reads a file in which something stands n times.
type reader struct {
	what string // the unit
	n    int
	file string
	make func(n int) string
	read func(path string) error
}

// lines is head and n lines of a format with their number.
func lines(head, format string, n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// square is about the square root of n, and n as a product.
func square(n int) (rows, columns int) {
	columns = 1
	for columns*columns < n {
		columns++
	}
	return n / columns, columns
}

// grid writes a two-way table of n cells with margins: head before the first line, sep between fields.
func grid(n int, cell func(r, c int, text string, number bool) string, begin, end string) string {
	rows, columns := square(n)
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	sums := make([]int, columns+1)
	line := func(r int, label string, values func(c int) int) {
		b.WriteString(begin)
		b.WriteString(cell(r, 0, label, false))
		for c := range columns + 1 {
			b.WriteString(cell(r, c+1, fmt.Sprint(values(c)), true))
		}
		b.WriteString(end)
	}
	b.WriteString(begin)
	b.WriteString(cell(0, 0, "r", false))
	for c := range columns {
		b.WriteString(cell(0, c+1, fmt.Sprintf("c%d", c), false))
	}
	b.WriteString(cell(0, columns+1, "Total", false))
	b.WriteString(end)
	for r := range rows {
		sum := 0
		line(r+1, fmt.Sprintf("r%d", r), func(c int) int {
			v := sum
			if c < columns {
				v = random.IntN(10_000)
				sum += v
			}
			sums[c] += v
			return v
		})
	}
	line(rows+1, "Total", func(c int) int { return sums[c] })
	return b.String()
}

func csvGrid(n int) string {
	return strings.ReplaceAll(grid(n, func(_, _ int, text string, _ bool) string { return text + "," }, "", "\n"), ",\n", "\n")
}

// deep is a tree of n codes in chains of 200 levels.
func deep(n int, format, root string) string {
	var b strings.Builder
	for i := range n {
		above := fmt.Sprintf("d%d", i-1)
		if i%200 == 0 {
			above = root
		}
		fmt.Fprintf(&b, format, fmt.Sprintf("d%d", i), above)
	}
	return b.String()
}

func packed(parts ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(parts); k += 2 {
		w, err := z.Create(parts[k])
		if err == nil {
			_, err = io.WriteString(w, parts[k+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// book is a workbook of one sheet.
func book(rows, behind, words string) string {
	const to = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	return packed("[Content_Types].xml", `<Types><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`+
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
		"_rels/.rels", `<Relationships><Relationship Id="w" Type="`+to+`officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="values" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="`+to+`worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="`+to+`sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/sharedStrings.xml", "<sst>"+words+"</sst>",
		"xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+rows+"</sheetData>"+behind+"</worksheet>")
}

func bookGrid(n int) string {
	return book(grid(n, func(_, _ int, text string, number bool) string {
		if number {
			return "<c><v>" + text + "</v></c>"
		}
		return `<c t="inlineStr"><is><t>` + text + "</t></is></c>"
	}, "<row>", "</row>"), "", "")
}

// merges is a small table with n merged ranges below it.
func merges(n int) string {
	return book(`<row r="1"><c t="inlineStr"><is><t>r</t></is></c><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>Total</t></is></c></row><row r="2"><c t="inlineStr"><is><t>x</t></is></c><c><v>1</v></c><c><v>1</v></c></row>`+
		`<row r="3"><c t="inlineStr"><is><t>y</t></is></c><c><v>2</v></c><c><v>2</v></c></row><row r="4"><c t="inlineStr"><is><t>Total</t></is></c><c><v>3</v></c><c><v>3</v></c></row>`,
		"<mergeCells>"+merged(n)+"</mergeCells>", "")
}

func merged(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<mergeCell ref="A%d:C%d"/>`, i+10, i+10)
	}
	return b.String()
}

// words is a table of n cells whose codes are shared strings.
func words(n int) string {
	rows := `<row><c t="inlineStr"><is><t>R</t></is></c><c t="inlineStr"><is><t>value</t></is></c></row>`
	return book(lines(rows, `<row><c t="s"><v>%d</v></c><c><v>1</v></c></row>`, n), "", lines("", "<si><t>code %d</t></si>", n))
}

// sheet is a spreadsheet of OpenDocument.
func sheet(rows string) string {
	return packed("mimetype", "application/vnd.oasis.opendocument.spreadsheet",
		"META-INF/manifest.xml", `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>`,
		"content.xml", `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">`+
			`<office:automatic-styles/><office:body><office:spreadsheet><table:table table:name="values">`+rows+`</table:table></office:spreadsheet></office:body></office:document-content>`)
}

func sheetCell(text string, number bool) string {
	if number {
		return `<table:table-cell office:value-type="float" office:value="` + text + `"><text:p>` + text + `</text:p></table:table-cell>`
	}
	return `<table:table-cell office:value-type="string"><text:p>` + text + `</text:p></table:table-cell>`
}

func sheetGrid(n int) string {
	return sheet(grid(n, func(_, _ int, text string, number bool) string { return sheetCell(text, number) }, "<table:table-row>", "</table:table-row>"))
}

func sheetRepeats(n int) string {
	return sheet(`<table:table-row>` + sheetCell("R", false) + sheetCell("value", false) + `</table:table-row>` +
		lines("", `<table:table-row>`+sheetCell("c%d", false)+sheetCell("1", true)+`<table:table-cell table:number-columns-repeated="16382"/></table:table-row>`, n))
}

func sheetMerges(n int) string {
	return sheet(`<table:table-row>` + sheetCell("r", false) + sheetCell("a", false) + `</table:table-row><table:table-row>` + sheetCell("x", false) + sheetCell("1", true) + `</table:table-row><table:table-row>` + sheetCell("Total", false) + sheetCell("1", true) + `</table:table-row>` +
		lines("", `<table:table-row><table:table-cell table:number-columns-spanned="3" table:number-rows-spanned="1"/><!--%d--></table:table-row>`, n))
}

// cube is a PC-Axis file of n cells with totals.
func cube(n int) string {
	rows, columns := square(n)
	var b strings.Builder
	b.WriteString("STUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"Total\"")
	for r := range rows {
		fmt.Fprintf(&b, ",\"r%d\"", r)
	}
	b.WriteString(";\nVALUES(\"c\")=\"Total\"")
	for c := range columns {
		fmt.Fprintf(&b, ",\"c%d\"", c)
	}
	b.WriteString(";\nDATA=\n")
	for r := range rows + 1 {
		for c := range columns + 1 {
			v := 1
			if r == 0 {
				v *= rows
			}
			if c == 0 {
				v *= columns
			}
			fmt.Fprintf(&b, "%d ", v)
		}
		b.WriteByte('\n')
	}
	return b.String() + ";\n"
}

// cubeTree is one of n values in a deep tree.
func cubeTree(n int) string {
	values := lines("", ",\"d%d\"", n)
	return "HEADING=\"r\";\nVALUES(\"r\")=\"Total\"" + values + ";\nHIERARCHIES(\"r\")=\"Total\"" + strings.ReplaceAll(deep(n, ",\"%[2]s\":\"%[1]s\"", "Total"), "\"\"", "\"") +
		";\nDATA=\n" + fmt.Sprint((n+199)/200) + strings.Repeat(" 1", n) + ";\n"
}

func message(n int) string {
	return `{"header":{"id":"x"},"dataSets":[{"action":"Information","observations":{` + strings.TrimSuffix(lines("", "\"%d:0\":[7,0],\n", n), ",\n") + `}}],` +
		`"structure":{"dimensions":{"observation":[{"id":"AREA","keyPosition":1,"values":[` + strings.TrimSuffix(lines("", `{"id":"a%d"},`, n), ",") +
		`]},{"id":"FREQ","keyPosition":0,"values":[{"id":"A"}]}]},"attributes":{"observation":[{"id":"CONF_STATUS","values":[{"id":"F"}]}]}}}`
}

// instance is a JJ file of groups of ten cells and their sums.
func instance(n int) string {
	var cells, sums strings.Builder
	groups := n / 11
	for g := range groups {
		fmt.Fprintf(&cells, "%d 10 10 s 0 100 0 0 0\n", g*11)
		fmt.Fprintf(&sums, "0 11 : %d (-1)", g*11)
		for k := range 10 {
			fmt.Fprintf(&cells, "%d 1 1 s 0 100 0 0 0\n", g*11+k+1)
			fmt.Fprintf(&sums, " %d (1)", g*11+k+1)
		}
		sums.WriteByte('\n')
	}
	return fmt.Sprintf("0\n%d\n%s%d\n%s", groups*11, cells.String(), groups, sums.String())
}

// groups is a table of n sums of three cells, one of them sensitive.
func groups(t *testing.T, n int) *table.Table {
	t.Helper()
	var cells, sums strings.Builder
	for g := range n {
		for k, cell := range []string{"14 14 s 0 100 0 0 0", "2 2 u 0 100 0 0 4", "5 5 s 0 100 0 0 0", "7 7 s 0 100 0 0 0"} {
			fmt.Fprintf(&cells, "%d %s\n", 4*g+k, cell)
		}
		fmt.Fprintf(&sums, "0 4 : %d (-1) %d (1) %d (1) %d (1)\n", 4*g, 4*g+1, 4*g+2, 4*g+3)
	}
	in := must.Get(formats.ReadFrom(strings.NewReader(fmt.Sprintf("0\n%d\n%s%d\n%s", 4*n, cells.String(), n, sums.String())), "g.jj", formats.Options{}))(t)
	return in.Table
}

// certified is the certificate of that table.
func certified(t *testing.T, n int) string {
	t.Helper()
	sol := must.Get(solver.Suppress(t.Context(), groups(t, n), &solver.Options{Certificate: true}))(t)
	var b strings.Builder
	must.Do(t, sol.Certificate.Write(&b))
	return b.String()
}

func readTable(o formats.Options) func(path string) error {
	return func(path string) error {
		_, err := formats.Read(path, o)
		return err
	}
}

func opened(path string, read func(r io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f)
}

func readers(t *testing.T) map[string]reader {
	ctx := t.Context()
	scratch := filepath.Join(t.TempDir(), "tree")
	hierarchy := func(path string) error {
		_, err := formats.ReadHierarchy(path, "R", "", "", "")
		return err
	}
	laid := func(path string) error {
		return opened(path, func(r io.Reader) error {
			s, err := layout.Open(r, path, "", "", layout.Options{})
			if err == nil && len(s.Reading.Tables) == 0 {
				err = fmt.Errorf("no table")
			}
			return err
		})
	}
	fromBook := func(path string) error {
		return opened(path, func(r io.Reader) error {
			_, err := xlsx.ReadFrom(r, path, formats.Options{Magnitude: true})
			return err
		})
	}
	rda := must.Get(argus.ReadMetadataFrom(strings.NewReader("<SEPARATOR> \",\"\nV\n<RECODEABLE>\nX\n<NUMERIC>\n"), "x.rda", argus.Tabular, ""))(t)
	counted := func(path string) error {
		columns, err := risk.NewColumns("a", "b")
		if err != nil {
			return err
		}
		s, err := risk.NewScanner(risk.Layout{Workers: 1}, columns, nil, func() *risk.Classes { return risk.NewClasses(columns, 2) })
		if err != nil {
			return err
		}
		if err := s.ReadFile(ctx, path); err != nil {
			return err
		}
		_, err = s.Result()
		return err
	}
	return map[string]reader{
		"tidy":           {"cell", 8000, "t.csv", func(n int) string { return lines("R,value,status,lower,upper\n", "r%d,7,s,0,100\n", n) }, readTable(formats.Options{})},
		"tidy, two ways": {"cell", 8000, "t.csv", func(n int) string { return lines("A,B,value,freq\n", "a%[1]d,b%[1]d,%[1]d,%[1]d\n", n) }, readTable(formats.Options{Dims: []string{"A", "B"}, Flat: []string{"A", "B"}})},
		"cross-tab":      {"cell", 10000, "t.csv", csvGrid, readTable(formats.Options{})},
		"cross-tab, wide": {"cell", 8000, "t.csv", func(n int) string {
			return lines("r,", "c%d,", n) + "Total\na" + strings.Repeat(",1", n) + fmt.Sprintf(",%d\n", n)
		}, readTable(formats.Options{})},
		"JJ":              {"cell", 11000, "t.jj", instance, readTable(formats.Options{})},
		"tree of parents": {"code", 8000, "t.csv", func(n int) string { return "code,parent\n" + deep(n, "%s,%s\n", "Total") }, hierarchy},
		"tree of a table": {"code", 4000, "t.csv", func(n int) string { return "R,value\n" + deep(n, "%s,1\n%.0s", "") }, func(path string) error {
			raw, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(scratch, []byte("code,parent\n"+deep(bytes.Count(raw, []byte("\n"))-1, "%s,%s\n", "Total")), 0o600)
			}
			if err == nil {
				_, err = formats.Read(path, formats.Options{Hierarchies: map[string]string{"R": scratch}})
			}
			return err
		}},
		"tree of indents": {"code", 8000, "t.hrc", func(n int) string {
			var b strings.Builder
			for i := range n {
				b.WriteString(strings.Repeat("@", i%50) + fmt.Sprintf("d%d\n", i))
			}
			return b.String()
		}, hierarchy},
		"PC-Axis": {"cell", 10000, "t.px", cube, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := px.ReadFrom(r, path, formats.Options{}); return err })
		}},
		"PC-Axis, tree": {"code", 4000, "t.px", cubeTree, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := px.ReadFrom(r, path, formats.Options{}); return err })
		}},
		"SDMX-CSV": {"cell", 8000, "t.csv", func(n int) string {
			return lines("STRUCTURE,STRUCTURE_ID,R,OBS_VALUE\n", "dataflow,A:B(1.0),r%d,7\n", n)
		}, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := sdmx.ReadFrom(r, path, formats.Options{}); return err })
		}},
		"SDMX-JSON": {"cell", 4000, "t.json", message, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := sdmx.ReadJSONFrom(r, path, formats.Options{}); return err })
		}},
		"workbook":                {"cell", 10000, "t.xlsx", bookGrid, fromBook},
		"workbook, words":         {"cell", 8000, "t.xlsx", words, fromBook},
		"workbook, merges":        {"range", 8000, "t.xlsx", merges, laid},
		".ods":                    {"cell", 5000, "t.ods", sheetGrid, fromBook},
		".ods, repeats":           {"row", 4000, "t.ods", sheetRepeats, fromBook},
		".ods, merges":            {"range", 4000, "t.ods", sheetMerges, laid},
		"laid out text":           {"cell", 4000, "t.csv", csvGrid, laid},
		"laid out book":           {"cell", 4000, "t.xlsx", bookGrid, laid},
		"laid out .ods":           {"cell", 4000, "t.ods", sheetGrid, laid},
		"laid out PX":             {"cell", 10000, "t.px", cube, laid},
		"laid out, code and name": {"line", 2000, "t.csv", func(n int) string { return lines("A,B,value,freq\n", "a%[1]d,b%[1]d,%[1]d,%[1]d\n", n) }, laid},
		"τ-ARGUS table": {"cell", 8000, "t.tab", func(n int) string { return lines("", "c%d,1\n", n) }, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := argus.ReadTableFrom(r, path, rda, argus.Options{}); return err })
		}},
		"τ-ARGUS a priori": {"line", 8000, "t.hst", func(n int) string { return lines("", "c%d,PL,1,1\n", n) }, func(path string) error {
			_, err := argus.ReadApriori(path, ",", 1, "")
			return err
		}},
		"τ-ARGUS recoding": {"line", 8000, "t.grc", func(n int) string { return lines("", "n%[1]d:%[1]d\n", n) }, func(path string) error { _, err := argus.ReadRecoding(path, ""); return err }},
		"τ-ARGUS metadata": {"variable", 1000, "t.rda", func(n int) string { return lines("<SEPARATOR> \",\"\n", "v%d\n<RECODEABLE>\n", n) }, func(path string) error {
			_, err := argus.ReadMetadata(path, argus.Tabular, "")
			return err
		}},
		"records, tabulated": {"record", 8000, "t.csv", func(n int) string { return lines("B,X\n", "b%d,1\n", n) }, func(path string) error {
			tab, err := tabulate.New(tabulate.Source{Header: true}, []tabulate.Spec{{Dims: []string{"B"}, Response: "X"}}, 1)
			if err != nil {
				return err
			}
			return opened(path, func(r io.Reader) error { return tab.Read(ctx, r, path) })
		}},
		"records, counted": {"record", 8000, "t.csv", func(n int) string { return lines("a,b\n", "x%[1]d,y%[1]d\n", n) }, counted},
		"generalisation":   {"value", 8000, "t.csv", func(n int) string { return lines("", "v%[1]d;g%[1]d;*\n", n) }, func(path string) error { _, err := risk.ReadHierarchy(path, risk.Layout{}); return err }},
		"releases": {"record", 8000, "t.csv", func(n int) string { return lines("a,b\n", "x%[1]d,y%[1]d\n", n) }, func(path string) error {
			_, err := compare.Read(ctx, risk.Layout{Workers: 1}, []string{"a", "b"}, []string{"a", "b"}, path)
			return err
		}},
		"truth": {"line", 8000, "t.csv", func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "%d,%d\n", i+1, i+1)
			}
			return b.String()
		}, func(path string) error { _, err := compare.ReadTruth(path, 1<<20, 1<<20); return err }},
		"census":    {"cell", 8000, "t.csv", func(n int) string { return lines("a,value\n", "x%d,1\n", n) }, func(path string) error { _, err := census.Read(path, census.Wanted{Names: []string{"a"}}); return err }},
		"cell keys": {"cell", 4000, "t.csv", func(n int) string { return fmt.Sprintf("a,freq,key\nTotal,%d,0.5\n", n) + lines("", "x%d,1,0.25\n", n) }, func(path string) error { _, err := cellkey.ReadCSV(path, "t", "key"); return err }},
		"ptable": {"line", 4000, "t.csv", func(n int) string {
			var b strings.Builder
			b.WriteString("i;j;p;v;p_int_ub\n0;0;1;0;1\n")
			for i := range n / 2 {
				fmt.Fprintf(&b, "%d;%d;0.5;-1;0.5\n%d;%d;0.5;1;1\n", i+1, i, i+1, i+2)
			}
			return b.String()
		}, func(path string) error { _, err := cellkey.Read(path); return err }},
		"policy": {"text", 2000, "t.toml", func(n int) string { return "publish = [" + lines("", "\"d%d\", ", n) + "]\n" }, func(path string) error {
			return opened(path, func(r io.Reader) error { _, _, err := protect.Read(r, path); return err })
		}},
		"stream": {"cell", 8000, "t.csv", func(n int) string {
			return fmt.Sprintf("R,value,status\nTotal,%d,z\n", 7*n) + lines("", "r%d,7,z\n", n)
		}, func(path string) error {
			_, err := formats.ReadInPlay(path, formats.Options{})
			return err
		}},
		"batch of τ-ARGUS": {"command", 4000, "t.arb", func(n int) string { return lines("", "<COMMENT> remark %d\n", n) }, func(path string) error { return arb.Run(ctx, path, &arb.Options{}) }},
		"statement": {"file", 2000, "t.json", func(n int) string {
			return `{"_type":"https://in-toto.io/Statement/v1","predicateType":"x","predicate":{},"subject":[` + strings.TrimSuffix(lines("", `{"name":"f%d","digest":{"sha256":"00"}},`, n), ",") + "]}"
		}, func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				_, err = attest.Decode(text, new(map[string]any))
			}
			return err
		}},
		"ledger": {"release", 500, "l.toml", func(n int) string { return lines("", "[[release]]\nfile = \"f%[1]d.csv\"\nsha256 = \"%[1]064d\"\n", n) }, func(path string) error {
			cmd := tables.NewLedger()
			cmd.SetArgs([]string{"list", path})
			cmd.SetOut(io.Discard)
			cmd.SetErr(io.Discard)
			return cmd.ExecuteContext(ctx)
		}},
		"certificate": {"level", 250, "c.jsonl", func(n int) string { return certified(t, n) }, func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				_, err = certificate.Verify(ctx, bytes.NewReader(text), groups(t, bytes.Count(text, []byte(`"is":"level"`))))
			}
			return err
		}},
		"settings": {"key", 2000, "t.toml", func(n int) string { return lines("", "[[release]]\nfile = \"f%d.csv\"\ndims = {a = \"b\"}\n", n) }, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := budget.DecodeTOML(r, new(map[string]any)); return err })
		}},
		"job": {"input", 2000, "t.toml", func(n int) string { return "output = \"o\"\ninputs = [" + lines("", "\"d%d.csv\", ", n) + "]\n" }, func(path string) error { _, err := batch.ReadJob(path); return err }},
		"saved layout": {"code", 2000, "t.toml", func(n int) string {
			return "format = \"wide\"\n[[table]]\n[[table.dimension]]\nname = \"a\"\n[table.dimension.parents]\n" + lines("", "c%d = \"T\"\n", n)
		}, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := layout.ReadSaved(r); return err })
		}},
		"sums": {"line", 4000, "t.txt", func(n int) string { return lines("", "a%[1]d = b%[1]d + c%[1]d\n", n) }, func(path string) error {
			return opened(path, func(r io.Reader) error { _, err := ledger.ReadSums(r, path); return err })
		}},
		"documents of risk": {"size", 4000, "t.json", func(n int) string {
			return `{"metric":"k_map","status":"ok","model":"thinning","qi":["a"],"k_map_estimate":"10","sizes":[` + strings.TrimSuffix(lines("", `{"size":%d,"classes":1,"population_estimate":5,"risk_exact":0.5,"risk_approx":0.5},`, n), ",") + `]}`
		}, func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				_, err = report.ReadRisk(path, text)
			}
			return err
		}},
		"measurements": {"line", 2000, "t.json", func(n int) string { return lines("", `{"table":"i%d","seconds":1}`+"\n", n) }, func(path string) error { _, err := bench.ReadFile(path); return err }},
	}
}

// TestLinear reads n, 2n and 4n of everything. Bytes are counted and must not grow faster than what is read; times are those of
// processors, the best of several, and must stay far from the square.
func TestLinear(t *testing.T) {
	all := readers(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := all[name]
		t.Run(name, func(t *testing.T) {
			var paths []string
			for _, times := range []int{1, 2, 4} {
				path := filepath.Join(t.TempDir(), r.file)
				must.Do(t, os.WriteFile(path, []byte(r.make(times*r.n)), 0o600))
				paths = append(paths, path)
			}
			measure(t, name, r.what, r.n, 0, func(k int) error { return r.read(paths[k]) })
		})
	}
}

// measure does n, 2n and 4n of something, n << k. Of bytes free ones are let pass.
func measure(t *testing.T, name, what string, n int, free int64, do func(k int) error) {
	t.Helper()
	var bytes [3]int64
	var best [3]time.Duration
	tries := 12
	if !heavy.On() {
		tries = 1 // bytes only
	}
	for try := range tries {
		for k := range bytes {
			if heavy.On() {
				runtime.GC()
			}
			begun := clock()
			got := memtest.Allocated(func() {
				if err := do(k); err != nil {
					t.Fatalf("%d times %d: %.300v", 1<<k, n, err)
				}
			})
			if took := clock() - begun; try == 0 || took < best[k] {
				best[k] = took
			}
			if try == 0 || got < bytes[k] {
				bytes[k] = got
			}
		}
		if try > 0 && best[2] < 8*best[0] {
			break
		}
	}
	t.Logf("%-24s %-8s n=%-6d bytes %6d %6d %6d   ns %7d %7d %7d", name, what, n, bytes[0]/int64(n), bytes[1]/int64(2*n), bytes[2]/int64(4*n),
		int(best[0])/n, int(best[1])/2/n, int(best[2])/4/n)
	if bytes[2] > 2<<20+free+5*bytes[0] {
		t.Errorf("4 times as much takes %d bytes instead of %d", bytes[2], bytes[0])
	}
	if heavy.On() && best[2] > 10*best[0] && best[2] > 20*time.Millisecond {
		t.Errorf("4 times as much takes %v instead of %v", best[2], best[0])
	}
}

// A job whose tables are done already is planned and ended in time linear in them, though they stand in one folder.
func TestResumed(t *testing.T) {
	const n = 250
	var dirs []string
	for k := range 3 {
		dir := t.TempDir()
		for i := range n << k {
			must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("t%04d.csv", i)), []byte("R,freq\na,1\n"), 0o600))
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, "job.toml"), []byte("inputs = [\"t*.csv\"]\noutput = \"out\"\n"), 0o600))
		dirs = append(dirs, dir)
	}
	done := 0
	measure(t, "job, resumed", "table", n, 0, func(k int) error {
		t.Chdir(dirs[k])
		job, err := batch.ReadJob("job.toml")
		if err != nil {
			return err
		}
		tasks, err := job.Plan(batch.Shard{})
		if err != nil {
			return err
		}
		journal, err := batch.OpenJournal(job.OfficeDir(), batch.Shard{})
		if err != nil {
			return err
		}
		defer journal.Close()
		return batch.Run(t.Context(), tasks, journal, batch.Options{Workers: 1, Do: func(context.Context, int, *batch.Task) batch.Result {
			done++
			return batch.Result{Exit: 2, Why: "refused"}
		}})
	})
	if done != 7*n {
		t.Errorf("%d tables done, want each once", done)
	}
}

// A table in memory takes at most 150 bytes a cell with its relations, whatever it was read from.
func TestHeld(t *testing.T) {
	const most = 150
	all := readers(t)
	for name, read := range map[string]func(r io.Reader, name string, o formats.Options) (*formats.Input, error){
		"cross-tab": formats.ReadFrom, "JJ": formats.ReadFrom, "PC-Axis": px.ReadFrom, "workbook": xlsx.ReadFrom, ".ods": xlsx.ReadFrom,
	} {
		r := all[name]
		const n = 1 << 16
		text := r.make(n)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		in, err := read(strings.NewReader(text), r.file, formats.Options{Magnitude: name != "JJ"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		table := in.Table // the lines and the file beside it, of which a copy is made, are not asked for
		cells := int64(table.Len())
		in = nil
		runtime.GC()
		runtime.ReadMemStats(&after)
		held := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / cells
		t.Logf("%-10s %d cells, %d bytes each", name, cells, held)
		if held > most {
			t.Errorf("%s: %d bytes a cell, want at most %d", name, held, most)
		}
		runtime.KeepAlive(table)
		runtime.KeepAlive(text)
	}
}
