package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A planted is a workbook made of texts, part by part, into which a test plants a value.
type planted struct {
	t     testing.TB
	parts map[string]string
	types map[string]string
	rels  map[string][]string // by owner
}

const (
	mainNS    = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relNS     = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	typeNS    = "application/vnd.openxmlformats-officedocument."
	bookPart  = "xl/workbook.xml"
	tablePart = "xl/worksheets/sheet1.xml"
	unseenTab = "xl/worksheets/sheet2.xml"
	otherTab  = "xl/worksheets/sheet3.xml"
)

// The table: 東 and 西 of both industries are withheld.
var leakTable = [][]any{
	{"表１　地域別出荷額"},
	{"地域", "製造業", "卸売業", "計"},
	{"東", 48213, 51877, 100090},
	{"西", 61234, 7, 61241},
	{"南", 20011, 30022, 50033},
	{"計", 129458, 81906, 211364},
}

func leakCells() (withheld []WithheldCell, published []Place) {
	for r := 2; r < len(leakTable); r++ {
		for k := 1; k < 4; k++ {
			at := Place{"表1", placeName(k+1, r+1)}
			if r < 4 && k < 3 {
				withheld = append(withheld, WithheldCell{Place: at, Value: fmt.Sprint(leakTable[r][k]), Labels: []string{leakTable[r][0].(string), leakTable[1][k].(string)}})
			} else {
				published = append(published, at)
			}
		}
	}
	return withheld, published
}

// rowsOf writes rows as cells.
func rowsOf(rows [][]any) string {
	var b strings.Builder
	for r, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, r+1)
		for k, v := range row {
			b.WriteString(cellOf(placeName(k+1, r+1), v))
		}
		b.WriteString("</row>")
	}
	return b.String()
}

func cellOf(ref string, v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if f, ok := strings.CutPrefix(v, "="); ok { // formula|value
			f, value, _ := strings.Cut(f, "|")
			return fmt.Sprintf(`<c r="%s"><f>%s</f><v>%s</v></c>`, ref, html.EscapeString(f), value)
		}
		return fmt.Sprintf(`<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, ref, html.EscapeString(v))
	}
	return fmt.Sprintf(`<c r="%s"><v>%v</v></c>`, ref, v)
}

func newPlanted(t testing.TB) *planted {
	p := &planted{t, map[string]string{}, map[string]string{}, map[string][]string{}}
	p.add("", bookPart, "rId1", "officeDocument", typeNS+"spreadsheetml.sheet.main+xml",
		`<workbook `+mainNS+`><sheets><sheet name="表1" sheetId="1" r:id="rId1"/><sheet name="作業" sheetId="2" state="hidden" r:id="rId2"/><sheet name="別表" sheetId="3" r:id="rId3"/></sheets><definedNames><definedName name="表域">'表1'!$B$3:$D$6</definedName></definedNames></workbook>`)
	sheet := func(rows [][]any) string {
		return `<worksheet ` + mainNS + `><sheetData>` + rowsOf(rows) + `</sheetData></worksheet>`
	}
	p.add(bookPart, tablePart, "rId1", "worksheet", typeNS+"spreadsheetml.worksheet+xml", sheet(leakTable))
	p.add(bookPart, unseenTab, "rId2", "worksheet", typeNS+"spreadsheetml.worksheet+xml", sheet([][]any{{"覚え書き"}, {"数", 12}}))
	p.add(bookPart, otherTab, "rId3", "worksheet", typeNS+"spreadsheetml.worksheet+xml", sheet([][]any{{"別の表"}, {"", "世帯"}, {"北", 7}, {"中央", 12345}}))
	p.add(bookPart, "xl/styles.xml", "rId4", "styles", typeNS+"spreadsheetml.styles+xml",
		`<styleSheet `+mainNS+`><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs></styleSheet>`)
	p.add(bookPart, "xl/sharedStrings.xml", "rId5", "sharedStrings", typeNS+"spreadsheetml.sharedStrings+xml", `<sst `+mainNS+` count="1" uniqueCount="1"><si><t>共有</t></si></sst>`)
	return p
}

// add adds a part that owner names.
func (p *planted) add(owner, part, id, rel, kind, text string) {
	p.parts[part], p.types[part] = text, kind
	p.relate(owner, id, rel, "/"+part, "")
}

func (p *planted) relate(owner, id, rel, target, mode string) {
	if !strings.Contains(rel, "/") {
		rel = relNS + rel
	}
	if mode != "" {
		mode = ` TargetMode="` + mode + `"`
	}
	p.rels[owner] = append(p.rels[owner], fmt.Sprintf(`<Relationship Id="%s" Type="%s" Target="%s"%s/>`, id, rel, html.EscapeString(target), mode))
}

// change replaces a piece of a part, which must be there.
func (p *planted) change(part, old, by string) {
	p.t.Helper()
	if !strings.Contains(p.parts[part], old) {
		p.t.Fatalf("%s has no %s", part, old)
	}
	p.parts[part] = strings.Replace(p.parts[part], old, by, 1)
}

// behind adds elements behind the cells of a sheet.
func (p *planted) behind(part, xml string) { p.change(part, "</sheetData>", "</sheetData>"+xml) }

// row adds a row to a sheet.
func (p *planted) row(part string, row int, cells ...any) {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%d">`, row)
	for k, v := range cells {
		b.WriteString(cellOf(placeName(k+1, row), v))
	}
	p.change(part, "</sheetData>", b.String()+"</row></sheetData>")
}

// cell gives a cell of the table another content.
func (p *planted) cell(ref, xml string) {
	at := regexp.MustCompile(`<c r="` + ref + `".*?</c>`)
	if !at.MatchString(p.parts[tablePart]) {
		p.t.Fatalf("no cell %s", ref)
	}
	p.parts[tablePart] = at.ReplaceAllLiteralString(p.parts[tablePart], xml)
}

// book writes the workbook.
func (p *planted) book() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	put := func(name, text string) {
		w := must.Get(z.Create(name))(p.t)
		w.Write([]byte(text))
	}
	var names []string
	for name := range p.parts {
		names = append(names, name)
	}
	sort.Strings(names)
	types := `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/><Default Extension="png" ContentType="image/png"/><Default Extension="bin" ContentType="application/octet-stream"/>`
	for _, name := range names {
		if p.types[name] != "" {
			types += fmt.Sprintf(`<Override PartName="/%s" ContentType="%s"/>`, name, p.types[name])
		}
	}
	put("[Content_Types].xml", types+"</Types>")
	var owners []string
	for owner := range p.rels {
		owners = append(owners, owner)
	}
	sort.Strings(owners)
	for _, owner := range owners {
		dir, base := "", owner
		if k := strings.LastIndexByte(owner, '/'); k >= 0 {
			dir, base = owner[:k+1], owner[k+1:]
		}
		put(dir+"_rels/"+base+".rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+strings.Join(p.rels[owner], "")+"</Relationships>")
	}
	for _, name := range names {
		put(name, p.parts[name])
	}
	z.Close()
	return b.Bytes()
}

// forms are ways to write 48213.
var forms = regexp.MustCompile(`(?:^|[^0-9０-９.])(?:48[,， .'\x{a0}\x{202f}]?213|４８[，,]?２１３|4[万]8213|4\.8213[eE]\+?0?4)(?:[^0-9０-９]|$)`)

var tag = regexp.MustCompile(`<[^>]*>`)

// holds returns the parts in which one of the forms stands, as written or across elements.
func holds(t testing.TB, raw []byte) (found []string) {
	names, parts := contents(t, raw)
	for _, name := range names {
		text := html.UnescapeString(parts[name])
		joined := html.UnescapeString(tag.ReplaceAllString(regexp.MustCompile(`</(?:[a-z]*:)?(?:v|c|row|si|pt|p|comment)>`).ReplaceAllString(parts[name], " "), ""))
		if forms.MatchString(text) || forms.MatchString(joined) || strings.Contains(name, "48213") {
			found = append(found, name)
		}
	}
	return found
}

const drawNS = `xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"`

// drawing adds a drawing to the sheet of the table.
func (p *planted) drawing(xml string) {
	p.behind(tablePart, `<drawing r:id="d1"/>`)
	p.add(tablePart, "xl/drawings/drawing1.xml", "d1", "drawing", typeNS+"drawing+xml", `<xdr:wsDr `+drawNS+`><xdr:twoCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>9</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>`+xml+`<xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`)
}

// chart adds a chart with these series.
func (p *planted) chart(kind, xml string) {
	p.drawing(`<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><a:graphic><a:graphicData uri="c"><c:chart r:id="c1"/></a:graphicData></a:graphic></xdr:graphicFrame>`)
	p.add("xl/drawings/drawing1.xml", "xl/charts/chart1.xml", "c1", "chart", kind, xml)
}

func (p *planted) lineChart(xml string) {
	p.chart(typeNS+"drawingml.chart+xml", `<c:chartSpace `+drawNS+`><c:chart><c:plotArea>`+xml+`</c:plotArea></c:chart></c:chartSpace>`)
}

// comment adds a comment with its shape.
func (p *planted) comment(ref string, row, col int, text string) {
	p.behind(tablePart, `<legacyDrawing r:id="v1"/>`)
	p.add(tablePart, "xl/comments1.xml", "m1", "comments", typeNS+"spreadsheetml.comments+xml",
		`<comments `+mainNS+`><authors><author>課</author></authors><commentList><comment ref="`+ref+`" authorId="0"><text>`+text+`</text></comment></commentList></comments>`)
	p.add(tablePart, "xl/drawings/vmlDrawing1.vml", "v1", "vmlDrawing", typeNS+"vmlDrawing",
		fmt.Sprintf(`<xml xmlns:v="urn:v" xmlns:x="urn:x"><v:shape id="s1"><v:textbox><div></div></v:textbox><x:ClientData ObjectType="Note"><x:Row>%d</x:Row><x:Column>%d</x:Column></x:ClientData></v:shape></xml>`, row, col))
}

// A leak is a place in which a value is planted.
type leak struct {
	name  string
	plant func(*planted)
	gone  []string // beside the value: what must not be in any part
	stays []string // what must be in some part
	drop  bool     // with CopyOptions.Drop; without, the workbook is refused
	mean  bool     // D3 is no sum, and is withheld
	alone bool     // no form of 48213 is planted
}

var leaks = []leak{
	{name: "cell itself", plant: func(*planted) {}},
	{name: "cell as text", plant: func(p *planted) { p.cell("B3", cellOf("B3", "48,213")) }},
	{name: "shared string of the cell", plant: func(p *planted) {
		p.change("xl/sharedStrings.xml", "</sst>", "<si><t>48,213</t></si></sst>")
		p.cell("B3", `<c r="B3" t="s"><v>1</v></c>`)
	}},
	{name: "unused shared string", plant: func(p *planted) {
		p.change("xl/sharedStrings.xml", "</sst>", "<si><t>元の値 48213</t></si></sst>")
	}, stays: []string{"共有"}},
	{name: "rich text across runs", plant: func(p *planted) {
		p.change("xl/sharedStrings.xml", "</sst>", "<si><r><t>注 48,</t></r><r><rPr><b/></rPr><t>213 千円</t></r></si></sst>")
		p.row(tablePart, 9, "x")
		p.change(tablePart, cellOf("A9", "x"), `<c r="A9" t="s"><v>1</v></c>`)
	}, stays: []string{"注 ", " 千円"}},
	{name: "reading of a word", plant: func(p *planted) {
		p.change("xl/sharedStrings.xml", "<t>共有</t>", `<t>共有</t><rPh sb="0" eb="2"><t>48213</t></rPh>`)
		p.row(otherTab, 9, "x")
		p.change(otherTab, cellOf("A9", "x"), `<c r="A9" t="s"><v>0</v></c>`)
	}},
	{name: "formula of the cell", plant: func(p *planted) { p.cell("B3", cellOf("B3", "=D3-C3|48213")) }, gone: []string{"D3-C3"}},
	{name: "formula with the number", plant: func(p *planted) { p.cell("B3", cellOf("B3", "=48000+213|48213")) }, gone: []string{"48000+213"}},
	{name: "totals as formulas", plant: func(p *planted) {
		p.cell("D3", cellOf("D3", "=SUM(B3:C3)|100090"))
		p.cell("B6", cellOf("B6", "=SUM(B3:B5)|129458"))
	}, gone: []string{"<f>"}, stays: []string{"100090", "129458"}},
	{name: "shared formulas", plant: func(p *planted) {
		for r := 3; r <= 6; r++ {
			f := `<f t="shared" si="0"/>`
			if r == 3 {
				f = `<f t="shared" ref="D3:D6" si="0">SUM(B3:C3)</f>`
			}
			p.cell(fmt.Sprintf("D%d", r), fmt.Sprintf(`<c r="D%d">%s<v>%v</v></c>`, r, f, leakTable[r-1][3]))
		}
	}, gone: []string{"<f t=", "SUM("}, stays: []string{"100090"}},
	{name: "array formula", plant: func(p *planted) {
		p.row(otherTab, 9, "x", 1)
		p.row(otherTab, 10, "y", 48213)
		p.change(otherTab, cellOf("B9", 1), `<c r="B9"><f t="array" ref="B9:B10">TRANSPOSE('表1'!C3:B3)</f><v>51877</v></c>`)
	}, gone: []string{"TRANSPOSE"}},
	{name: "data table", plant: func(p *planted) {
		p.row(otherTab, 9, "x", "='表1'!B3|48213")
		p.row(otherTab, 10, 2, 48213)
		p.change(otherTab, cellOf("B10", 48213), `<c r="B10"><f t="dataTable" ref="B10:B11" dt2D="0" dtr="0" r1="A1"/><v>48213</v></c>`)
	}, gone: []string{"dataTable"}},
	{name: "mirror by a formula", plant: func(p *planted) { p.row(otherTab, 9, "x", "='表1'!B3|48213") }, gone: []string{"'表1'!B3"}},
	{name: "difference by a formula", plant: func(p *planted) { p.row(otherTab, 9, "x", "='表1'!D3-'表1'!B3|51877") }, gone: []string{"51877"}},
	{name: "share by a formula", plant: func(p *planted) { p.row(tablePart, 9, "割合", "=ROUND(B3/B$6,5)|0.37242") }, gone: []string{"0.37242"}},
	{name: "mean that the table has as a cell of its own", plant: func(p *planted) { p.cell("D3", cellOf("D3", "=B3/2|24106.5")) }, gone: []string{"24106.5"}, mean: true},
	{name: "share of a share", plant: func(p *planted) {
		p.row(tablePart, 9, "割合", "=B3/B$6|0.37242")
		p.row(unseenTab, 9, "割合", "='表1'!B9*100|37.242")
	}, gone: []string{"37.242"}},
	{name: "formula over a name", plant: func(p *planted) { p.row(otherTab, 9, "x", "=INDEX(表域,1,1)|48213") }, gone: []string{"INDEX"}, stays: []string{"表域"}},
	{name: "formula over a structured reference", plant: func(p *planted) {
		p.add(tablePart, "xl/tables/table1.xml", "t1", "table", typeNS+"spreadsheetml.table+xml", `<table `+mainNS+` id="1" name="T" displayName="出荷" ref="A2:D6"><tableColumns count="4"><tableColumn id="1" name="地域"/><tableColumn id="2" name="製造業"/><tableColumn id="3" name="卸売業"/><tableColumn id="4" name="計"><calculatedColumnFormula>出荷[[#This Row],[製造業]]+出荷[[#This Row],[卸売業]]</calculatedColumnFormula></tableColumn></tableColumns></table>`)
		p.behind(tablePart, `<tableParts count="1"><tablePart r:id="t1"/></tableParts>`)
		p.row(otherTab, 9, "x", "=MAX(出荷[製造業])-81245|48213")
	}, gone: []string{"MAX", "calculatedColumnFormula"}, stays: []string{`displayName="出荷"`}},
	{name: "formula over INDIRECT", plant: func(p *planted) { p.row(otherTab, 9, "x", `=INDIRECT("表1!"&"B"&3)|48213`) }, gone: []string{"INDIRECT"}},
	{name: "formula over OFFSET", plant: func(p *planted) { p.row(otherTab, 9, "x", `=OFFSET('表1'!$A$1,2,1)|48213`) }, gone: []string{"OFFSET"}},
	{name: "formula over sheets", plant: func(p *planted) { p.row(otherTab, 9, "x", `=SUM(表1:作業!B3)|48213`) }, gone: []string{"SUM"}},
	{name: "formula with the number elsewhere", plant: func(p *planted) { p.row(otherTab, 9, "x", `=48213*1|48213`) }, gone: []string{"48213*1"}},
	{name: "what the cell is computed from, one cell", plant: func(p *planted) {
		p.row(otherTab, 9, "x", 48213)
		p.cell("B3", cellOf("B3", "='別表'!B9|48213"))
	}},
	{name: "what the cell is computed from, unseen records", plant: func(p *planted) {
		p.row(unseenTab, 9, "東", 48000)
		p.row(unseenTab, 10, "東", 213)
		p.cell("B3", cellOf("B3", "=SUMIFS('作業'!B9:B10,'作業'!A9:A10,A3)|48213"))
	}, gone: []string{"48000", "<v>213</v>"}},
	{name: "what the cell is computed from, in view", plant: func(p *planted) {
		p.row(otherTab, 9, "x", 48000)
		p.row(otherTab, 10, "y", 213)
		p.cell("B3", cellOf("B3", "=SUM('別表'!B9:B10)|48213"))
	}, gone: []string{"48000", "<v>213</v>"}, drop: true},
	{name: "unseen sheet", plant: func(p *planted) { p.row(unseenTab, 9, "控え", 48213) }, stays: []string{"控え"}},
	{name: "unseen sheet, as text", plant: func(p *planted) { p.row(unseenTab, 9, "控え", "48,213") }},
	{name: "unseen sheet, in a sentence", plant: func(p *planted) { p.row(unseenTab, 9, "秘匿前は４８，２１３だった") }, stays: []string{"秘匿前は"}},
	{name: "very hidden sheet", plant: func(p *planted) {
		p.change(bookPart, `state="hidden"`, `state="veryHidden"`)
		p.row(unseenTab, 9, "控え", 48213)
	}},
	{name: "unseen row", plant: func(p *planted) {
		p.row(otherTab, 9, "x", 48213)
		p.change(otherTab, `<row r="9">`, `<row r="9" hidden="1">`)
	}},
	{name: "unseen column", plant: func(p *planted) {
		p.row(otherTab, 9, "x", nil, nil, 48213)
		p.change(otherTab, "<sheetData>", `<cols><col min="4" max="4" width="9" hidden="1"/></cols><sheetData>`)
	}},
	{name: "copy under the same labels", plant: func(p *planted) {
		p.row(otherTab, 9, "地域", "製造業")
		p.row(otherTab, 10, "東", 48213)
		p.row(otherTab, 11, "西", 61234)
	}, gone: []string{"61234"}},
	{name: "small number under the same labels", plant: func(p *planted) {
		p.row(otherTab, 9, "地域", "卸売業")
		p.row(otherTab, 10, "西", 7)
	}, gone: []string{`r="B10"><v>7<`}, stays: []string{`r="B3"><v>7<`}, alone: true},
	{name: "copy without labels", plant: func(p *planted) {
		for r := 2; r < 6; r++ {
			p.row(otherTab, r+10, append([]any{nil, nil}, leakTable[r][1:]...)...)
		}
	}, gone: []string{`r="D13"><v>7<`}, stays: []string{`r="C14"><v>20011<`}},
	{name: "turned copy without labels", plant: func(p *planted) {
		for k := 1; k < 4; k++ {
			p.row(otherTab, k+10, leakTable[2][k], leakTable[3][k], leakTable[4][k], leakTable[5][k])
		}
	}, gone: []string{`r="B12"><v>7<`}, stays: []string{"129458"}},
	{name: "long number under other labels", plant: func(p *planted) {
		p.cell("B3", cellOf("B3", 4821391))
		p.row(otherTab, 9, "other", 4821391, 4821392)
	}, gone: []string{"4821391"}, stays: []string{"4821392"}, alone: true},
	{name: "cache of a chart", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:val><c:numRef><c:f>'表1'!$B$3:$B$5</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="3"/><c:pt idx="0"><c:v>48213</c:v></c:pt><c:pt idx="1"><c:v>61234</c:v></c:pt><c:pt idx="2"><c:v>20011</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`)
	}, gone: []string{"<c:v>61234"}, stays: []string{`<c:pt idx="2"><c:v>20011`}},
	{name: "cache of a chart over a name", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:val><c:numRef><c:f>[0]!表域</c:f><c:numCache><c:ptCount val="2"/><c:pt idx="0"><c:v>48213</c:v></c:pt><c:pt idx="1"><c:v>20011</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`)
	}, stays: []string{"<c:v>20011"}},
	{name: "labels of a chart's points", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:extLst><c:ext><c15:datalabelsRange xmlns:c15="x"><c15:f>'表1'!$B$3:$B$3</c15:f><c15:dlblRangeCache><c:ptCount val="1"/><c:pt idx="0"><c:v>48,213</c:v></c:pt></c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst></c:ser>`)
	}},
	{name: "constants of a chart", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:tx><c:v>製造業</c:v></c:tx><c:val><c:numLit><c:ptCount val="2"/><c:pt idx="0"><c:v>48213</c:v></c:pt><c:pt idx="1"><c:v>99</c:v></c:pt></c:numLit></c:val></c:ser>`)
	}, gone: []string{"<c:v>99"}}, // which may be a share
	{name: "cache of a chart from before", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:val><c:numRef><c:f>'別表'!$B$2:$B$4</c:f><c:numCache><c:ptCount val="3"/><c:pt idx="0"><c:v>56.2</c:v></c:pt><c:pt idx="1"><c:v>56.3</c:v></c:pt><c:pt idx="2"><c:v>12345</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`)
	}, gone: []string{">56."}, stays: []string{`<c:pt idx="2"><c:v>12345`}, alone: true},
	{name: "shares in a chart, of cells elsewhere", plant: func(p *planted) {
		points := func(of string) string {
			return `<c:ptCount val="2"/><c:pt idx="0"><c:v>` + of + `.2</c:v></c:pt><c:pt idx="1"><c:v>` + of + `.3</c:v></c:pt>`
		}
		p.lineChart(`<c:ser><c:cat><c:numLit>` + points("51") + `</c:numLit></c:cat><c:val><c:numRef><c:f>[1]Source!$B$2:$B$3</c:f><c:numCache>` + points("52") + `</c:numCache></c:numRef></c:val></c:ser>` +
			`<c:ser><c:cat><c:numRef><c:f>[1]Source!$A$2:$A$3</c:f><c:numCache>` + points("53") + `</c:numCache></c:numRef></c:cat><c:val><c:numRef><c:f>#REF!</c:f><c:numCache>` + points("54") + `</c:numCache></c:numRef></c:val></c:ser>` +
			`<c:ser><c:val><c:numLit><c:ptCount val="2"/><c:pt idx="0"><c:v>55</c:v></c:pt><c:pt idx="1"><c:v>55.0</c:v></c:pt></c:numLit></c:val></c:ser>`)
	}, gone: []string{">52.", ">54."}, stays: []string{">51.2<", ">51.3<", ">53.2<", ">53.3<", ">55<", ">55.0<"}, alone: true},
	{name: "title of a chart", plant: func(p *planted) {
		p.lineChart(`<c:title><c:tx><c:rich><a:p><a:r><a:t>東は 48</a:t></a:r><a:r><a:t>,213</a:t></a:r></a:p></c:rich></c:tx></c:title>`)
	}, stays: []string{"東は "}},
	{name: "axis of a chart", plant: func(p *planted) {
		p.lineChart(`<c:valAx><c:scaling><c:max val="48213"/><c:min val="0"/></c:scaling></c:valAx>`)
	}, stays: []string{`<c:min val="0"/>`}},
	{name: "error bars of a chart", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:errBars><c:errBarType val="both"/><c:errValType val="fixedVal"/><c:val val="48213"/></c:errBars><c:trendline><c:trendlineType val="linear"/></c:trendline></c:ser>`)
	}, gone: []string{"errBars"}, stays: []string{"trendlineType"}},
	{name: "trend line of a chart", plant: func(p *planted) {
		p.lineChart(`<c:ser><c:trendline><c:name>東 48,213</c:name><c:trendlineType val="linear"/><c:intercept val="48213"/></c:trendline></c:ser>`)
	}, gone: []string{"intercept"}, stays: []string{"東 ", "trendlineType"}},
	{name: "axis of sparklines", plant: func(p *planted) {
		p.behind(otherTab, `<extLst><ext uri="{1}"><x14:sparklineGroups xmlns:x14="x" xmlns:xm="y"><x14:sparklineGroup manualMax="48213" manualMin="7" minAxisType="custom" maxAxisType="custom"><x14:sparklines><x14:sparkline><xm:f>別表!A1:B1</xm:f><xm:sqref>D1</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`)
	}, gone: []string{"manualMax", "maxAxisType"}, stays: []string{`manualMin="7"`, `minAxisType="custom"`}},
	{name: "name of a style", plant: func(p *planted) {
		p.change("xl/styles.xml", "</styleSheet>", `<tableStyles count="1" defaultTableStyle="表 48213"><tableStyle name="表 48213"/></tableStyles></styleSheet>`)
	}, stays: []string{`<tableStyle name="表 `}},
	{name: "folder of the office", plant: func(p *planted) {
		p.change(bookPart, "<sheets>", `<mc:AlternateContent xmlns:mc="m"><mc:Choice Requires="x15"><x15ac:absPath url="\\office\課\48213\" xmlns:x15ac="a"/></mc:Choice></mc:AlternateContent><sheets>`)
	}, gone: []string{"absPath", "AlternateContent", "課"}},
	{name: "chart of the newer kind", plant: func(p *planted) {
		p.chart("application/vnd.ms-office.chartex+xml", `<cx:chartSpace xmlns:cx="x"><cx:chartData><cx:data id="0"><cx:numDim type="val"><cx:f>'表1'!$B$3:$B$5</cx:f><cx:lvl ptCount="3"><cx:pt idx="0">48213</cx:pt><cx:pt idx="1">61234</cx:pt><cx:pt idx="2">20011</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData></cx:chartSpace>`)
	}, gone: []string{">61234"}, stays: []string{`<cx:pt idx="2">20011`}},
	{name: "sheet of a chart", plant: func(p *planted) {
		p.change(bookPart, "</sheets>", `<sheet name="図" sheetId="9" r:id="rId9"/></sheets>`)
		p.add(bookPart, "xl/chartsheets/sheet1.xml", "rId9", "chartsheet", typeNS+"spreadsheetml.chartsheet+xml", `<chartsheet `+mainNS+`><headerFooter><oddHeader>&amp;C48,213 千円</oddHeader></headerFooter></chartsheet>`)
	}, stays: []string{" 千円"}},
	{name: "comment", plant: func(p *planted) { p.comment("B3", 2, 1, `<r><t>秘匿前は 48,213 だった</t></r>`) }, gone: []string{"秘匿前", "v:shape"}},
	{name: "comment on a small number", plant: func(p *planted) { p.comment("C4", 3, 2, `<r><t>秘匿前は７だった</t></r>`) }, gone: []string{"秘匿前", "v:shape"}, alone: true},
	{name: "comment elsewhere", plant: func(p *planted) { p.comment("A1", 0, 0, `<r><t>東の製造業は 48213</t></r>`) }, stays: []string{"東の製造業は ", "v:shape"}},
	{name: "comment elsewhere on a small number", plant: func(p *planted) { p.comment("A1", 0, 0, `<r><t>西の卸売業は 7 社</t></r>`) }, gone: []string{"7 社"}, stays: []string{"西の卸売業は "}, alone: true},
	{name: "comment in a thread", plant: func(p *planted) {
		p.comment("B3", 2, 1, `<t>[Threaded comment] 48213 か</t>`)
		p.add(tablePart, "xl/threadedComments/threadedComment1.xml", "th", "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment", "application/vnd.ms-excel.threadedcomments+xml", `<ThreadedComments><threadedComment ref="B3" id="{1}"><text>48213 か</text></threadedComment></ThreadedComments>`)
	}},
	{name: "text box", plant: func(p *planted) {
		p.drawing(`<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="T"/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>うち東 </a:t></a:r><a:r><a:t>48213</a:t></a:r></a:p></xdr:txBody></xdr:sp>`)
	}, stays: []string{"うち東 "}},
	{name: "text box that shows the cell", plant: func(p *planted) {
		p.drawing(`<xdr:sp textlink="'表1'!$C$4"><xdr:nvSpPr><xdr:cNvPr id="2" name="T"/></xdr:nvSpPr><xdr:txBody><a:p><a:fld type="TxLink"><a:t>7 社 48213</a:t></a:fld></a:p></xdr:txBody></xdr:sp>`)
	}, gone: []string{"7 社"}},
	{name: "alternative text", plant: func(p *planted) {
		p.drawing(`<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="T" descr="東 48,213" title="48213"/></xdr:nvSpPr></xdr:sp>`)
	}},
	{name: "old text box", plant: func(p *planted) {
		p.behind(tablePart, `<legacyDrawing r:id="v1"/>`)
		p.add(tablePart, "xl/drawings/vmlDrawing1.vml", "v1", "vmlDrawing", typeNS+"vmlDrawing", `<xml xmlns:v="urn:v" xmlns:x="urn:x"><v:shape id="s1" alt="48213"><v:textbox><div>48<font>213</font></div></v:textbox><x:ClientData ObjectType="Spin"><x:Val>48213</x:Val><x:FmlaLink>'表1'!$B$3</x:FmlaLink></x:ClientData></v:shape></xml>`)
	}},
	{name: "control", plant: func(p *planted) {
		p.add(tablePart, "xl/ctrlProps/ctrlProp1.xml", "k1", "ctrlProp", "application/vnd.ms-excel.controlproperties+xml", `<formControlPr xmlns="x" objectType="Spin" fmlaLink="'表1'!$C$4" val="7" max="48213"/>`)
	}, gone: []string{`val="7"`}},
	{name: "header and footer", plant: func(p *planted) {
		p.behind(tablePart, `<headerFooter><oddHeader>&amp;L48,213</oddHeader><oddFooter>計 &amp;P</oddFooter></headerFooter>`)
	}, stays: []string{"計 &amp;P"}},
	{name: "name that is the number", plant: func(p *planted) {
		p.change(bookPart, "</definedNames>", `<definedName name="控え">48213</definedName></definedNames>`)
	}, gone: []string{"控え"}, stays: []string{"表域"}},
	{name: "name that is a small number", plant: func(p *planted) {
		p.change(bookPart, "</definedNames>", `<definedName name="控え">7</definedName></definedNames>`)
		p.row(otherTab, 9, "x", "=控え*11|77")
	}, gone: []string{"控え", ">77<"}, alone: true},
	{name: "name that has the number in it", plant: func(p *planted) {
		p.change(bookPart, "</definedNames>", `<definedName name="控え_東_は.48213">'別表'!$A$1</definedName></definedNames>`)
	}, gone: []string{"控え"}},
	{name: "name with a constant", plant: func(p *planted) {
		p.change(bookPart, "</definedNames>", `<definedName name="控え" hidden="1" comment="48213">{1,48213}</definedName></definedNames>`)
	}, gone: []string{"控え"}},
	{name: "check of input", plant: func(p *planted) {
		p.behind(tablePart, `<dataValidations count="2"><dataValidation type="whole" sqref="B3"><formula1>48213</formula1></dataValidation><dataValidation type="whole" sqref="B5"><formula1>1</formula1></dataValidation></dataValidations>`)
	}, stays: []string{`<dataValidations count="1">`}},
	{name: "list of input", plant: func(p *planted) {
		p.behind(tablePart, `<dataValidations count="1"><dataValidation type="list" sqref="B9"><formula1>"1,48213"</formula1></dataValidation></dataValidations>`)
	}, gone: []string{"dataValidation"}},
	{name: "prompt of input", plant: func(p *planted) {
		p.behind(tablePart, `<dataValidations count="1"><dataValidation type="whole" prompt="前回 48,213" sqref="B3"><formula1>1</formula1></dataValidation></dataValidations>`)
	}, stays: []string{"前回 "}},
	{name: "rule of format", plant: func(p *planted) {
		p.behind(tablePart, `<conditionalFormatting sqref="B3:B5"><cfRule type="cellIs" priority="1" operator="equal"><formula>48213</formula></cfRule><cfRule type="dataBar" priority="2"><dataBar><cfvo type="min"/><cfvo type="max"/></dataBar></cfRule></conditionalFormatting>`)
	}, stays: []string{"dataBar"}},
	{name: "end of a data bar", plant: func(p *planted) {
		p.behind(tablePart, `<conditionalFormatting sqref="B3:B5"><cfRule type="dataBar" priority="2"><dataBar><cfvo type="num" val="0"/><cfvo type="num" val="48213"/></dataBar></cfRule></conditionalFormatting>`)
	}, gone: []string{"conditionalFormatting"}},
	{name: "rule of format, newer", plant: func(p *planted) {
		p.behind(tablePart, `<extLst><ext uri="{1}"><x14:conditionalFormattings xmlns:x14="x" xmlns:xm="y"><x14:conditionalFormatting><x14:cfRule type="cellIs"><xm:f>48213</xm:f></x14:cfRule><xm:sqref>B3</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`)
	}},
	{name: "rule of format for the cell alone", plant: func(p *planted) {
		p.behind(tablePart, `<conditionalFormatting sqref="C4"><cfRule type="cellIs" priority="1" operator="equal"><formula>7</formula></cfRule></conditionalFormatting>`)
	}, gone: []string{"conditionalFormatting"}, alone: true},
	{name: "rule of format that places the cell alone", plant: func(p *planted) {
		p.behind(tablePart, `<conditionalFormatting sqref="C4"><cfRule type="cellIs" priority="1" operator="between"><formula>6</formula><formula>8</formula></cfRule></conditionalFormatting>`)
	}, gone: []string{"conditionalFormatting"}, alone: true},
	{name: "ends of scales on wider ranges", plant: func(p *planted) {
		p.behind(tablePart, `<conditionalFormatting sqref="B3:C5"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="num" val="7"/><cfvo type="max"/></colorScale></cfRule><cfRule type="iconSet" priority="2"><iconSet><cfvo type="percent" val="0"/><cfvo type="num" val="7"/></iconSet></cfRule><cfRule type="cellIs" priority="3" operator="equal"><formula>7</formula></cfRule><cfRule type="expression" priority="4"><formula>B3&lt;7</formula></cfRule><cfRule type="colorScale" priority="5"><colorScale><cfvo type="min"/><cfvo type="num" val="9"/></colorScale></cfRule></conditionalFormatting>`)
	}, gone: []string{"iconSet", `priority="1"`, `priority="3"`}, stays: []string{`priority="4"`, `priority="5"`}, alone: true},
	{name: "filter", plant: func(p *planted) {
		p.behind(tablePart, `<autoFilter ref="A2:D6"><filterColumn colId="1"><filters><filter val="48213"/><filter val="20011"/></filters></filterColumn></autoFilter>`)
	}, stays: []string{`<filter val="20011"/>`}},
	{name: "filter of a column beyond the tenth", plant: func(p *planted) {
		p.behind(tablePart, `<autoFilter ref="A2:P6"><filterColumn colId="12"><filters><filter val="48213"/><filter val="7"/></filters></filterColumn><filterColumn colId="2"><filters><filter val="7"/><filter val="8"/></filters></filterColumn></autoFilter>`)
	}, gone: []string{`<filter val="7"/><filter val="8"/>`}, stays: []string{`<filter val="7"/></filters></filterColumn><filterColumn`, `<filter val="8"/>`}},
	{name: "scenario", plant: func(p *planted) {
		p.behind(tablePart, `<scenarios><scenario name="甲" comment="48,213"><inputCells r="B3" val="48213"/><inputCells r="C4" val="7"/></scenario></scenarios>`)
	}, gone: []string{`val="7"`}},
	{name: "link", plant: func(p *planted) {
		p.behind(tablePart, `<hyperlinks><hyperlink ref="B3" r:id="h1" tooltip="48,213" display="48213"/></hyperlinks>`)
		p.relate(tablePart, "h1", "hyperlink", "https://example.com/?v=48213", "External")
	}, stays: []string{"https://example.com/?v="}},
	{name: "link with a share of its cell, which it does not name", plant: func(p *planted) {
		p.behind(tablePart, `<hyperlinks><hyperlink ref="B3" r:id="h1" tooltip="計: 61.5 %"/></hyperlinks>`)
		p.relate(tablePart, "h1", "hyperlink", "https://example.com/", "External")
	}, gone: []string{"61.5"}},
	{name: "number format", plant: func(p *planted) {
		p.change("xl/styles.xml", "<fonts", `<numFmts count="2"><numFmt numFmtId="164" formatCode="&quot;48,213 千円&quot;"/><numFmt numFmtId="165" formatCode="[&gt;48213]0;0.0"/></numFmts><fonts`)
	}, stays: []string{" 千円"}},
	{name: "number format of a withheld cell", plant: func(p *planted) {
		p.change("xl/styles.xml", "<fonts", `<numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;share: 61.5 %&quot;"/></numFmts><fonts`)
		p.change("xl/styles.xml", "</cellXfs>", `<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>`)
		p.change(tablePart, `<c r="B3"`, `<c r="B3" s="1"`)
	}, gone: []string{"61.5"}},
	{name: "properties", plant: func(p *planted) {
		p.add("", "docProps/core.xml", "rId2", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "application/vnd.openxmlformats-package.core-properties+xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>出荷額</dc:title><dc:description>東は48213</dc:description><cp:keywords>48,213</cp:keywords><dcterms:created>2024-03-29T09:00:00Z</dcterms:created></cp:coreProperties>`)
	}, stays: []string{"<dc:title>出荷額", "2024-03-29T09:00:00Z"}},
	{name: "properties of the program", plant: func(p *planted) {
		p.add("", "docProps/app.xml", "rId2", "extended-properties", typeNS+"extended-properties+xml", `<Properties xmlns="x"><Application>Microsoft Excel</Application><Manager>48213</Manager><AppVersion>16.0300</AppVersion></Properties>`)
	}, stays: []string{"16.0300"}},
	{name: "properties of the office", plant: func(p *planted) {
		p.add("", "docProps/custom.xml", "rId2", "custom-properties", typeNS+"custom-properties+xml", `<Properties xmlns="x" xmlns:vt="y"><property pid="2" name="確認"><vt:i4>48213</vt:i4></property><property pid="3" name="西・卸売業"><vt:i4>7</vt:i4></property><property pid="4" name="版"><vt:i4>3</vt:i4></property></Properties>`)
	}, gone: []string{"<vt:i4>7"}, stays: []string{"<vt:i4>3"}},
	{name: "custom XML", plant: func(p *planted) {
		p.add(bookPart, "customXml/item1.xml", "rId9", "customXml", "", `<data><row region="東" value="48213">48,213</row><note>注</note></data>`)
	}, stays: []string{"<note>注"}},
	{name: "custom XML with labels in other elements", plant: func(p *planted) {
		p.add(bookPart, "customXml/item1.xml", "rId9", "customXml", "", `<data row="西"><cell col="卸売業" n="7"/><page>3</page></data>`)
	}, gone: []string{`n="7"`}, stays: []string{"<page>3"}},
	{name: "custom XML in UTF-16", plant: func(p *planted) {
		text := "\xff\xfe"
		for _, u := range utf16.Encode([]rune(`<?xml version="1.0" encoding="utf-16"?><data>東は48,213、西は-</data>`)) {
			text += string([]byte{byte(u), byte(u >> 8)})
		}
		p.add(bookPart, "customXml/item1.xml", "rId9", "customXml", "", text)
	}, stays: []string{"西は-"}, alone: true},
	{name: "XML that cannot be read", plant: func(p *planted) {
		p.add(bookPart, "customXml/item1.xml", "rId9", "customXml", "", `<data>48213`)
	}, gone: []string{"item1"}, drop: true},
	{name: "query of Power Query", plant: func(p *planted) {
		p.add(bookPart, "customXml/item1.xml", "rId9", "customXml", "", `<DataMashup>48213</DataMashup>`)
	}, gone: []string{"DataMashup"}},
	{name: "pivot table", plant: func(p *planted) {
		p.change(bookPart, "</workbook>", `<pivotCaches><pivotCache cacheId="1" r:id="rId9"/></pivotCaches></workbook>`)
		p.add(bookPart, "xl/pivotCache/pivotCacheDefinition1.xml", "rId9", "pivotCacheDefinition", typeNS+"spreadsheetml.pivotCacheDefinition+xml", `<pivotCacheDefinition `+mainNS+`><cacheFields><cacheField name="v"><sharedItems><n v="48213"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>`)
		p.add("xl/pivotCache/pivotCacheDefinition1.xml", "xl/pivotCache/pivotCacheRecords1.xml", "rId1", "pivotCacheRecords", typeNS+"spreadsheetml.pivotCacheRecords+xml", `<pivotCacheRecords `+mainNS+`><r><n v="48213"/></r></pivotCacheRecords>`)
		p.add(otherTab, "xl/pivotTables/pivotTable1.xml", "rId1", "pivotTable", typeNS+"spreadsheetml.pivotTable+xml", `<pivotTableDefinition `+mainNS+` name="48213"/>`)
		p.relate("xl/pivotTables/pivotTable1.xml", "rId1", "pivotCacheDefinition", "/xl/pivotCache/pivotCacheDefinition1.xml", "")
	}, gone: []string{"pivotCache"}, stays: []string{"12345"}},
	{name: "slicer", plant: func(p *planted) {
		p.change(bookPart, "</workbook>", `<extLst><ext uri="{1}"><x14:slicerCaches xmlns:x14="x"><x14:slicerCache r:id="rId9"/></x14:slicerCaches></ext></extLst></workbook>`)
		p.add(bookPart, "xl/slicerCaches/slicerCache1.xml", "rId9", "slicerCache", "application/vnd.ms-excel.slicerCache+xml", `<slicerCacheDefinition name="48213"/>`)
		p.add(otherTab, "xl/slicers/slicer1.xml", "rId1", "slicer", "application/vnd.ms-excel.slicer+xml", `<slicers><slicer caption="48213"/></slicers>`)
		p.behind(otherTab, `<extLst><ext uri="{2}"><x14:slicerList xmlns:x14="x"><x14:slicer r:id="rId1"/></x14:slicerList></ext></extLst>`)
	}, gone: []string{"slicer", "<ext"}},
	{name: "query table", plant: func(p *planted) {
		p.add(otherTab, "xl/queryTables/queryTable1.xml", "rId1", "queryTable", typeNS+"spreadsheetml.queryTable+xml", `<queryTable name="48213"/>`)
		p.add(bookPart, "xl/connections.xml", "rId9", "connections", typeNS+"spreadsheetml.connections+xml", `<connections><connection><dbPr command="select 48213"/></connection></connections>`)
	}, gone: []string{"queryTable", "connection"}},
	{name: "another workbook's values", plant: func(p *planted) {
		p.change(bookPart, "</workbook>", `<externalReferences><externalReference r:id="rId9"/></externalReferences></workbook>`)
		p.add(bookPart, "xl/externalLinks/externalLink1.xml", "rId9", "externalLink", typeNS+"spreadsheetml.externalLink+xml", `<externalLink `+mainNS+`><externalBook><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1"><v>48213</v></cell><cell r="A2"><v>55</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>`)
	}, stays: []string{"<v>55</v>"}},
	{name: "results of other programs", plant: func(p *planted) {
		p.add(bookPart, "xl/volatileDependencies.xml", "rId9", "volatileDependencies", typeNS+"spreadsheetml.volatileDependencies+xml", `<volTypes><volType><main><tp><v>48213</v></tp></main></volType></volTypes>`)
	}, gone: []string{"volType"}},
	{name: "log of changes", plant: func(p *planted) {
		p.add(bookPart, "xl/revisions/revisionHeaders.xml", "rId9", "revisionHeaders", typeNS+"spreadsheetml.revisionHeaders+xml", `<headers/>`)
		p.add("xl/revisions/revisionHeaders.xml", "xl/revisions/revisionLog1.xml", "rId1", "revisionLog", typeNS+"spreadsheetml.revisionLog+xml", `<revisions><rcc><oc><v>48213</v></oc></rcc></revisions>`)
	}, gone: []string{"revision"}},
	{name: "preview", plant: func(p *planted) {
		p.parts["docProps/thumbnail.png"] = "PNG 48213"
		p.relate("", "rId2", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail", "/docProps/thumbnail.png", "")
	}, gone: []string{"thumbnail"}},
	{name: "signature", plant: func(p *planted) {
		p.add("", "_xmlsignatures/origin.sigs", "rId2", "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin", "application/vnd.openxmlformats-package.digital-signature-origin", "")
		p.add("_xmlsignatures/origin.sigs", "_xmlsignatures/sig1.xml", "rId1", "http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/signature", "application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml", `<Signature><c>48213</c></Signature>`)
	}, gone: []string{"ignature"}},
	{name: "picture", plant: func(p *planted) {
		p.drawing(`<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="P"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="i1"/></xdr:blipFill></xdr:pic>`)
		p.parts["xl/media/image1.png"] = "PNG 48213"
		p.relate("xl/drawings/drawing1.xml", "i1", "image", "/xl/media/image1.png", "")
	}, gone: []string{"xdr:pic", "image1"}, drop: true},
	{name: "embedded object", plant: func(p *planted) {
		p.behind(tablePart, `<oleObjects><oleObject progId="x" r:id="o1"/></oleObjects>`)
		p.add(tablePart, "xl/embeddings/oleObject1.bin", "o1", "oleObject", typeNS+"oleObject", "48213")
	}, gone: []string{"oleObject"}, drop: true},
	{name: "embedded workbook of a chart", plant: func(p *planted) {
		p.lineChart(`<c:ser/>`)
		p.change("xl/charts/chart1.xml", "</c:chartSpace>", `<c:externalData r:id="x1"/></c:chartSpace>`)
		p.add("xl/charts/chart1.xml", "xl/embeddings/book.xlsx", "x1", "package", typeNS+"spreadsheetml.sheet", "PK 48213")
	}, gone: []string{"externalData"}, drop: true},
	{name: "macros", plant: func(p *planted) {
		p.add(bookPart, "xl/vbaProject.bin", "rId9", "http://schemas.microsoft.com/office/2006/relationships/vbaProject", "application/vnd.ms-office.vbaProject", "48213")
	}, gone: []string{"vbaProject"}, drop: true},
	{name: "control that programs fill", plant: func(p *planted) {
		p.behind(tablePart, `<controls><control r:id="a1" name="c"/></controls>`)
		p.add(tablePart, "xl/activeX/activeX1.xml", "a1", "control", "application/vnd.ms-office.activeX+xml", `<ax value="48213"/>`)
	}, gone: []string{"activeX", "<control"}, drop: true},
	{name: "rich values", plant: func(p *planted) {
		p.add(bookPart, "xl/richData/rdrichvalue.xml", "rId9", "http://schemas.microsoft.com/office/2017/06/relationships/rdRichValue", "application/vnd.ms-excel.rdrichvalue+xml", `<rvData><rv s="0"><v>48213</v></rv></rvData>`)
	}},
	{name: "add-in", plant: func(p *planted) {
		p.add("", "xl/webextensions/webextension1.xml", "rId2", "http://schemas.microsoft.com/office/2011/relationships/webextension", "application/vnd.ms-office.webextension+xml", `<we:webextension xmlns:we="x"><we:property value="48213"/></we:webextension>`)
	}, gone: []string{"webextension"}},
	{name: "property of a sheet", plant: func(p *planted) {
		p.behind(tablePart, `<customProperties><customPr name="x" r:id="q1"/></customProperties>`)
		p.add(tablePart, "xl/customProperty1.bin", "q1", "customProperty", typeNS+"spreadsheetml.customProperty", "48213")
	}, gone: []string{"customPr"}},
	{name: "comment of XML", plant: func(p *planted) {
		p.change(tablePart, "<sheetData>", "<sheetData><!-- 48213 -->")
		p.change(bookPart, "<sheets>", "<!-- 48,213 --><sheets>")
	}},
	{name: "sentence in view", plant: func(p *planted) { p.row(otherTab, 9, "注　東の値は48,213千円である。") }, stays: []string{"注　東の値は"}},
	{name: "sheet that the workbook does not list", plant: func(p *planted) {
		p.add(bookPart, "xl/worksheets/sheet9.xml", "rId19", "worksheet", typeNS+"spreadsheetml.worksheet+xml", p.parts[tablePart])
	}, gone: []string{"sheet9"}},
	{name: "part that nothing names", plant: func(p *planted) { p.parts["xl/old.bin"] = "48213" }, gone: []string{"old.bin"}},
	{name: "order of calculation", plant: func(p *planted) {
		p.cell("D3", cellOf("D3", "=SUM(B3:C3)|100090"))
		p.add(bookPart, "xl/calcChain.xml", "rId9", "calcChain", typeNS+"spreadsheetml.calcChain+xml", `<calcChain `+mainNS+`><c r="D3" i="1"/></calcChain>`)
	}, gone: []string{"calcChain"}},
}

// A value planted in any place of a workbook is gone from the copy, and what is published is still there.
func TestLeaks(t *testing.T) {
	t.Parallel()
	if len(leaks) < 30 {
		t.Fatalf("%d places", len(leaks))
	}
	for _, l := range leaks {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			p := newPlanted(t)
			l.plant(p)
			src := p.book()
			if len(holds(t, src)) == 0 && !l.alone {
				t.Fatal("nothing is planted")
			}
			withheld, published := leakCells()
			if l.alone { // the cell may hold another number
				withheld[0].Value = ""
			}
			o := CopyOptions{Mark: "X", Published: published}
			var out bytes.Buffer
			changes, err := withhold(&out, src, withheld, o)
			if l.drop {
				var refused *refusedError
				if !errors.As(err, &refused) || !refused.Drop || out.Len() > 0 {
					t.Fatalf("not refused: %v", err)
				}
				o.Drop = true
				changes, err = withhold(&out, src, withheld, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			names, parts := contents(t, out.Bytes())
			for _, name := range holds(t, out.Bytes()) {
				t.Errorf("%s still tells the value\n%s", name, parts[name])
			}
			all := strings.Join(names, "\n")
			for _, name := range names {
				all += "\n" + parts[name]
			}
			for _, s := range l.gone {
				if strings.Contains(all, s) {
					t.Errorf("%s is left", s)
				}
			}
			for _, s := range append([]string{"表１　地域別出荷額", "20011", "30022", "211364", "12345", "表域"}, l.stays...) {
				if !strings.Contains(all, s) {
					t.Errorf("%s is gone\n%s", s, all)
				}
			}
			for _, c := range changes {
				if strings.Contains(c.Message().String(), "48213") || strings.Contains(c.Message().String(), "48,213") {
					t.Errorf("the list tells the value: %s", c.Message())
				}
			}
			beyond := slices.ContainsFunc(changes, func(c change) bool { return !c.Look })
			if within := []string{"cell itself", "cell as text", "shared string of the cell", "formula of the cell", "formula with the number"}; !beyond && !slices.Contains(within, l.name) {
				t.Error("nothing is said")
			}
			f, err := excelize.OpenReader(bytes.NewReader(out.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range withheld {
				if got, err := f.GetCellValue(w.Sheet, w.Ref); err != nil || got != "X" {
					t.Errorf("%s: %q (%v)", w.Place, got, err)
				}
			}
			for _, at := range published {
				want, _ := excelizeValue(src, at)
				if l.mean && at.Ref == "D3" {
					want = "X"
				}
				if got, err := f.GetCellValue(at.Sheet, at.Ref); err != nil || got != want {
					t.Errorf("%s: %q, want %q (%v)", at, got, want, err)
				}
			}
		})
	}
}

func excelizeValue(raw []byte, at Place) (string, error) {
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	return f.GetCellValue(at.Sheet, at.Ref)
}

// Every way to write a number is found in every kind of text.
func TestLeakForms(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"48213", "48,213", "48 213", "48\u00a0213", "48\u202f213", "48.213", "48'213", "４８２１３", "４８，２１３", "4万8213", "48213.0", "48,213.00", "48.213,0", "4.8213E4", "▲48,213", "48,213千円", "(48,213)", "¥48,213-", "=48213", "[48213]"} {
		for name, plant := range map[string]func(*planted){
			"comment": func(p *planted) { p.comment("A1", 0, 0, `<r><t>値 `+form+`。</t></r>`) },
			"text box": func(p *planted) {
				p.drawing(`<xdr:sp><xdr:txBody><a:p><a:r><a:t>値 ` + form + `。</a:t></a:r></a:p></xdr:txBody></xdr:sp>`)
			},
			"header": func(p *planted) {
				p.behind(tablePart, `<headerFooter><oddHeader>&amp;R値 `+form+`。</oddHeader></headerFooter>`)
			},
			"sentence":    func(p *planted) { p.row(otherTab, 9, "値 "+form+"。") },
			"hidden text": func(p *planted) { p.row(unseenTab, 9, form) },
			"custom XML": func(p *planted) {
				p.add(bookPart, "customXml/item1.xml", "rId9", "customXml", "", `<d a="`+html.EscapeString(form)+`">値 `+form+`。</d>`)
			},
			"property": func(p *planted) {
				p.add("", "docProps/app.xml", "rId2", "extended-properties", typeNS+"extended-properties+xml", `<Properties xmlns="x"><Company>値 `+form+`。</Company></Properties>`)
			},
		} {
			t.Run(name+" "+form, func(t *testing.T) {
				t.Parallel()
				p := newPlanted(t)
				plant(p)
				withheld, published := leakCells()
				var out bytes.Buffer
				must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
				_, parts := contents(t, out.Bytes())
				for part, text := range parts {
					if bare := strings.Trim(form, "▲千円()¥-=[]"); strings.Contains(html.UnescapeString(text), bare) {
						t.Errorf("%s still has %s", part, bare)
					}
				}
			})
		}
	}
}

// An end of a class in view is no leak, though a withheld number is the same.
func TestWithholdClasses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"10,000～48,213人", "48,213人以上", "48,213 and over", "48213 – 50000"} {
		p := newPlanted(t)
		p.row(otherTab, 9, text)
		withheld, published := leakCells()
		var out bytes.Buffer
		changes := must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
		if got, err := excelizeValue(out.Bytes(), Place{"別表", "A9"}); err != nil || got != text {
			t.Errorf("%s became %s (%v)", text, got, err)
		}
		if !slices.ContainsFunc(changes, func(c change) bool { return c.Look && strings.Contains(c.Where.String(), "A9") }) {
			t.Errorf("%s: nobody is told to look: %v", text, changes)
		}
	}
}

// A label of a withheld cell beside its number names it, however small it is; the same number beside other words does not.
func TestWithholdEquated(t *testing.T) {
	t.Parallel()
	const core = `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>%s</dc:title></cp:coreProperties>`
	for text, want := range map[string]string{
		"東=7": "東=X", "「東=7」": "「東=X」", "東は7": "東はX", "7（東）": "X（東）", "東7": "東X", "関東=7": "関東=7", "表7 産業": "表7 産業", "第7回": "第7回",
		"東/計=7": "東/計=X", "東/計 7": "東/計 X", "計=7": "計=7", "西/計=7": "西/計=7", "東=100 (7) 計": "東=100 (7) 計",
	} {
		p := newPlanted(t)
		p.add("", "docProps/core.xml", "rId2", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "application/vnd.openxmlformats-package.core-properties+xml", fmt.Sprintf(core, text))
		withheld, published := leakCells()
		withheld[0].Value, withheld[0].Labels = "7", []string{"東", "製造業", "計"}
		p.parts[tablePart] = strings.Replace(p.parts[tablePart], "48213", "7", 1)
		var out bytes.Buffer
		must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
		_, parts := contents(t, out.Bytes())
		if got := parts["docProps/core.xml"]; got != fmt.Sprintf(core, want) {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// A text with the nearest labels of a withheld cell tells it, though one of them is a total and the caller calls that column otherwise.
func TestToldNearest(t *testing.T) {
	t.Parallel()
	s := &secrets{cells: []secret{{given: []string{"celle", "familienstand"}, beside: []string{"celle"}, above: []string{"insgesamt", "tabelle1"}}}}
	for text, want := range map[string]bool{"incellewarenes1personen(insgesamt)": true, "incellewarenes1": false, "insgesamt1": false} {
		if got := s.told(0, text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A note that stands below the table, or below cells that are blanked, tells a withheld cell in any column.
func TestWithholdNoteBelow(t *testing.T) {
	t.Parallel()
	for _, column := range []string{"A", "B", "C", "beside"} {
		p := newPlanted(t)
		withheld, published := leakCells()
		withheld[0].Value, withheld[0].Labels = "7", []string{"東", "製造業"}
		p.parts[tablePart] = strings.Replace(p.parts[tablePart], "48213", "7", 1)
		note := []any{"", "東のうち、製造業は7である。"}
		switch column {
		case "A":
			note = note[1:]
		case "C": // beside what looks like a header
			note = []any{"地域", "計", note[1]}
		case "beside": // in a row of another table
			column, note = "A", []any{note[1], 5}
			withheld = append(withheld, WithheldCell{Place: Place{"表1", "B20"}, Value: "5", Labels: []string{"計"}})
		}
		p.row(tablePart, 19, 1, 2)
		p.row(tablePart, 20, note...)
		withheld = append(withheld, WithheldCell{Place: Place{"表1", "A19"}}, WithheldCell{Place: Place{"表1", "B19"}})
		var out bytes.Buffer
		must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
		if got, err := excelizeValue(out.Bytes(), Place{"表1", column + "20"}); err != nil || got != "東のうち、製造業はXである。" {
			t.Errorf("%s20 became %s (%v)", column, got, err)
		}
	}
}

// A check of input has no number that was taken out, though a mark stood behind it.
func TestWithholdRuleOfBlank(t *testing.T) {
	t.Parallel()
	p := newPlanted(t)
	withheld, published := leakCells()
	p.row(tablePart, 19, "1※", 2)
	p.behind(tablePart, `<dataValidations count="2"><dataValidation type="whole" operator="equal" sqref="A19"><formula1>1</formula1></dataValidation><dataValidation type="whole" sqref="B5"><formula1>3</formula1></dataValidation></dataValidations>`)
	withheld = append(withheld, WithheldCell{Place: Place{"表1", "A19"}}, WithheldCell{Place: Place{"表1", "B19"}})
	var out bytes.Buffer
	must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
	_, parts := contents(t, out.Bytes())
	if got := parts[tablePart]; strings.Contains(got, "<formula1>1<") || !strings.Contains(got, "<formula1>3<") {
		t.Error(got)
	}
}

// The numbers of texts that somebody says go are gone, whatever they are, and names for them.
func TestWithholdTexts(t *testing.T) {
	t.Parallel()
	p := newPlanted(t)
	p.add("", "docProps/core.xml", "rId2", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "application/vnd.openxmlformats-package.core-properties+xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Adair: 61.5 %</dc:title><dc:subject>Boone: 8</dc:subject></cp:coreProperties>`)
	p.change(bookPart, "</definedNames>", `<definedName name="n_0">61.5</definedName><definedName name="n_1">8</definedName></definedNames>`)
	withheld, published := leakCells()
	var out bytes.Buffer
	must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published, Texts: []string{"Adair: 61.5 %", "61.5"}}))(t)
	_, parts := contents(t, out.Bytes())
	if got := parts["docProps/core.xml"]; !strings.Contains(got, "Adair: X %") || !strings.Contains(got, "Boone: 8") {
		t.Error(got)
	}
	if got := parts[bookPart]; strings.Contains(got, "n_0") || !strings.Contains(got, "n_1") {
		t.Error(got)
	}
	out.Reset()
	if _, err := withhold(&out, p.book(), nil, CopyOptions{Mark: "X", Published: published, Texts: []string{"61.5"}}); err != nil { // where nothing is withheld, too
		t.Fatal(err)
	}
	if _, parts := contents(t, out.Bytes()); strings.Contains(parts[bookPart], "n_0") {
		t.Error(parts[bookPart])
	}
}

// What is no leak stays byte for byte: a workbook with the same things that name other numbers.
func TestWithholdKeeps(t *testing.T) {
	t.Parallel()
	for _, l := range leaks {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			p := newPlanted(t)
			l.plant(p)
			src := p.book()
			var out bytes.Buffer
			// Nothing is withheld: but for what is left out whole, nothing changes.
			must.Get(withhold(&out, src, nil, CopyOptions{Mark: "X", Drop: true}))(t)
			_, before := contents(t, src)
			_, after := contents(t, out.Bytes())
			for name, text := range after {
				if before[name] == text || slices.ContainsFunc([]string{"[Content_Types].xml", ".rels"}, func(s string) bool { return strings.HasSuffix(name, s) }) {
					continue
				}
				if len(after) == len(before) {
					t.Errorf("%s\n%s\nbecame\n%s", name, before[name], text)
				}
			}
		})
	}
}

// TestNumberOfTitle: the number of a table in a title that names a cell is not its value; the same number behind other words is.
func TestNumberOfTitle(t *testing.T) {
	s := &secrets{cells: []secret{{given: []string{"industry", "size"}, words: []string{"industry", "size"}, beside: []string{"industry"}, above: []string{"size"}}}, of: map[string][]int{"6": {0}}}
	for text, want := range map[string]int{
		"Table 6. Industry and size":          0,
		"Tableau 6 – Industry et size":        0,
		"Tavola 6. Industry e size":           0,
		"Tabulka 6. Industry a size":          0,
		"第6表　industry、size別":                  0,
		"Tabl. 6. Industry i size":            0,
		"표6 industry, size":                   0,
		"第6回 industry size":                   1,
		"6) Industry and size of 2019.":       0,
		"（６）industry、size":                    0,
		"6 (2019) industry, size":             1,
		"tabs 6 industry size":                1,
		"Industry and size, see Table 6":      1,
		"In industry the number of size is 6": 1,
	} {
		if got := len(s.namings(text, inOffice)); got != want {
			t.Errorf("%s: %d numbers, want %d", text, got, want)
		}
	}
}

// TestNumberOfLabel: what stands for a number in a label tells nothing where the label stands, and the same number beside it does.
func TestNumberOfLabel(t *testing.T) {
	s := &secrets{cells: []secret{{given: []string{"under15", "2022"}, words: []string{"under 15", "2022"}, beside: []string{"noteof15"}, above: []string{"noteof15"}}}, of: map[string][]int{"15": {0}}, numbered: []string{"under15"}}
	for text, want := range map[string]int{"Under 15 / 2022": 0, "Under 15 / 2022: 15": 1, "In 2022 note of 15, under 15": 1} {
		if got := len(s.namings(text, inView)); got != want {
			t.Errorf("%s: %d numbers, want %d", text, got, want)
		}
	}
}

// TestNumberOfHeader: the label of a column without withheld cells tells nothing either.
func TestNumberOfHeader(t *testing.T) {
	head := &tab{cells: []spot{{row: 1, col: 1, text: "Area"}, {row: 1, col: 2, text: "Under 19"}, {row: 1, col: 3, text: "Over 19"}, {row: 2, col: 1, text: "North"}, {row: 2, col: 2, canon: "4"}, {row: 2, col: 3, canon: "19"}}}
	s := &secrets{of: map[string][]int{}, sums: map[string][]int{}, by: map[string][]int{}}
	s.add(&copying{tabs: []*tab{head}}, spotID{tab: 0, row: 2, col: 3}, "19", []string{"North", "Over 18"})
	s.add(&copying{tabs: []*tab{head}}, spotID{tab: 0, row: 2, col: 2}, "4", []string{"20 5 – 9", "Under 19"})
	if !s.labels("North: 5 – 9", ooxml.Number{From: 7, To: 8}) {
		t.Error(s.numbered)
	}
	if !s.labels("North, under 19", ooxml.Number{From: 13, To: 15}) || s.labels("North, only 19", ooxml.Number{From: 12, To: 14}) {
		t.Error(s.numbered)
	}
}

// TestWithoutCode: texts name a cell by the words of its labels, without codes before them, be these classes of numbers.
func TestWithoutCode(t *testing.T) {
	for label, want := range map[string]string{"50 50 bis 64": "50 bis 64", "20 unter 20": "unter 20", "01 coast": "coast", "50 bis 64": "bis 64", "20 5 – 9": "5 – 9", "12 34": "12 34", "coast": "coast"} {
		if got := withoutCode(label); got != want {
			t.Errorf("%s: %s, want %s", label, got, want)
		}
	}
}

// TestOwnComment: the comment of a withheld cell loses the exact number behind its rounded one, and keeps years and numbers far from it.
func TestOwnComment(t *testing.T) {
	s := &secrets{cells: []secret{{canon: "12"}}, of: map[string][]int{"12": {0}}}
	for text, want := range map[string]int{"was 11.6": 1, "exactly 12": 1, "12.9, in 2021": 1, "see page 80": 0} {
		if got := len(s.namings(text, inOffice, 0)); got != want {
			t.Errorf("%s: %d numbers, want %d", text, got, want)
		}
	}
}
