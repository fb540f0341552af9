package report

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// full returns a page with every section, about two linked tables whose codes are
// markup and whose common margins are withheld.
func full(t *testing.T, lang string) *Protection {
	t.Helper()
	var tables []*table.Table
	for _, name := range []string{"<B>", "C"} {
		var dims []table.Dimension
		codes := []string{`<script>alert("1")</script>`, "x", "none"}
		for k, n := range []string{"A", name} {
			d := must.Get(table.FlatDimension(n, "Total", codes[:2+k]))(t)
			dims = append(dims, d)
		}
		var recs []table.Record
		for n, v := range []int64{2, 1007, 5, 2006} {
			recs = append(recs, table.Record{Line: n + 1, Codes: []string{dims[0].Codes[1+n/2], dims[1].Codes[1+n%2]}, Value: table.Num(v, 0), Freq: table.Num([]int64{1, 7, 1, 9}[n], 0)})
		}
		for n := range 2 {
			recs = append(recs, table.Record{Line: 5 + n, Codes: []string{dims[0].Codes[1+n], "none"}, Value: table.Num(0, 0), Freq: table.Num(0, 0)})
		}
		tab := must.Get(table.Build("t"+name, dims, recs, false))(t)
		copy(tab.Status, []table.Status{table.Sensitive, table.Withheld, table.Sensitive, table.Withheld})
		tab.Width[0], tab.Width[2] = 1, 1
		tables = append(tables, tab)
	}
	l, err := table.Link("both", tables)
	if err != nil {
		t.Fatal(err)
	}
	p := &Protection{Lang: lang, Table: l.Table, Told: true, Version: "v1", Width: &table.Level{Decimal: table.Decimal{Unscaled: 1}},
		Others: []Source{{"hierarchy", "h.hrc", "12"}, {"metadata", "m.rda", "34"}, {"apriori", "a.hst", "56"}, {"run", "r.json", "78"}, {"attack", "a.json", "90"}}}
	for k := range tables {
		p.Linked = append(p.Linked, Part{Table: tables[k], Cell: l.Cell[k], File: fmt.Sprint("f", k), SHA256: "ab", Published: fmt.Sprint("p", k), PublishedSHA256: "cd"})
	}
	audited(t, p)
	if p.Insiders, err = insider.Run(context.Background(), p.Table, p.Withheld, &insider.Options{Coalition: 2}); err != nil {
		t.Fatal(err)
	}
	p.Run = &Run{Status: "feasible", Modular: true, Cost: "1234.5", Bound: "1000", Gap: new(0.19), Rounds: 3, Nodes: 2, Cuts: 17, Seconds: 1.25, LP: "simplex", Version: "v0", Coalition: 2, Sums: 4, Narrow: 1}
	p.Earlier = &document.Earlier{Releases: []document.EarlierRelease{{File: "last/<old>.csv", At: map[string]string{"period": "2023", "at": "x"}, Cells: 1012, Shared: 3, Revision: true}}, Fixed: 1, Lost: 2, Again: 3,
		Exposed: []document.ExposedCell{{File: "last/<old>.csv", Cell: "x/y", Follows: []document.Combination{{Text: "x/y = 4711"}}}}}
	p.Attack = &Attack{Dimension: 2, Candidates: "12345", Seconds: 2}
	for k := range p.Audit.Cells {
		c := AttackedCell{Index: p.Audit.Cells[k].Index, Lo: big.NewRat(0, 1), Hi: big.NewRat(int64(900*k), 1), From: big.NewRat(1, 1), To: big.NewRat(int64(k+1), 1)}
		switch k % 3 {
		case 0:
			c.Unsafe = true
		case 1:
			c.Safe = true
		default:
			if k == 2 {
				c.From, c.To, c.Found = big.NewRat(1, 1), big.NewRat(4, 1), [2]*big.Rat{big.NewRat(2, 1), big.NewRat(3, 1)}
			} else {
				c.From, c.To = nil, nil
			}
		}
		p.Attack.Cells = append(p.Attack.Cells, c)
	}
	return p
}

func TestSections(t *testing.T) {
	text := pageOf(t, full(t, "en"))
	for _, want := range []string{
		"2 linked tables; together 21 cells", "<caption>t&lt;B&gt;</caption>", "<h3>Table 2: tC</h3>",
		"<dt>Input</dt><dd>f1</dd>\n<dt>SHA-256</dt><dd><code>ab</code></dd>", "<dt>Hierarchy</dt><dd>h.hrc</dd>",
		`<td class="t">All cells</td><td>21</td><td>100.0</td><td>9</td>`, // of 24, 3 margins are in both
		`<td class="shared">3,020</td>`, "modular method", "<dd>1,234.5</dd>", "19.00 %", "3 rounds, 2 nodes, 17 cuts", "no 2 or fewer respondents",
		"The tables are protected against those who know only what is published, but not against others.",
		"Of 8 withheld cells 3 are unsafe. 1 of them are known exactly. Of 2 cells it is not known", "The attack was stopped", "<dd>12,345</dd>", "<dd>not counted</dd>",
		"<svg ", `<td class="n">[1, 1]</td><td class="n">–</td><td class="t bad">DISCLOSED</td>`, `<td class="n">[1, 4]</td><td class="n">[2, 3]</td>`, `<td class="n">–</td><td class="n">–</td><td class="t">open</td>`,
		`<td class="t">&lt;old&gt;.csv (revised)</td><td class="t">at=x, period=2023</td><td class="n">1,012</td><td class="n">3</td>`, "2 sensitive cells are told already by what was published before", "old&gt;.csv, x/y; x/y = 4711",
		"What respondents learn of each other", `DISCLOSED</td>`, `<td class="t">Published, empty (no respondents)</td><td>6</td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(text, "<script") {
		t.Error("a code is markup")
	}
	if again := pageOf(t, full(t, "en")); again != text {
		t.Error("the same tables give another page")
	}
	// Masked, intervals that follow from what insiders know and costs are left out.
	masked := full(t, "ja")
	masked.Mask = true
	text = pageOf(t, masked)
	for _, bad := range []string{"1,234.5", "真の値", "2,006", "4711"} {
		if strings.Contains(text, bad) {
			t.Errorf("the masked page says %q", bad)
		}
	}
	for _, want := range []string{"分割法", "一次秘匿セル 2 個は、既に公表したもの", "攻撃前", "値を知る客体のセル</th><th class=\"t\">セル</th><th class=\"t\">判定"} {
		if !strings.Contains(text, want) {
			t.Errorf("the masked page does not say %q", want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for s, want := range map[string]string{"0": "0", "-0.5": "−0.5", "999": "999", "1000": "1,000", "-1234567.8901": "−1,234,567.8901", "123456": "123,456"} {
		if got := grouped(s); got != want {
			t.Errorf("grouped(%s) = %s, want %s", s, got, want)
		}
	}
	for _, c := range []struct {
		p, q  int64
		scale int
		want  string
	}{{10000, 3, 0, "≈ 3,333.33"}, {10000, 3, 2, "≈ 33.3333"}, {-7, 2, 0, "−3.5"}, {12345, 1, 2, "123.45"}} {
		if got := ratText(big.NewRat(c.p, c.q), c.scale); got != c.want {
			t.Errorf("ratText(%d/%d, %d) = %s, want %s", c.p, c.q, c.scale, got, c.want)
		}
	}
	for s, want := range map[string]string{"1": "1.00", "1.5": "1.50", "1.234": "1.234", "∞": "∞", "–": "–"} {
		if got := padded(s, 2); got != want {
			t.Errorf("padded(%s) = %s, want %s", s, got, want)
		}
	}
	if got := placesOf([]int64{1200, 10, 3}, func(i int) bool { return i == 2 }, 3); got != 2 {
		t.Errorf("placesOf = %d, want 2", got)
	}
	for most, want := range map[float64]float64{0: 1, 19: 1, 20: 2, 40: 5, 100: 10, 1e6: 100000} {
		if got := binStep(most, 0); got != want {
			t.Errorf("binStep(%g) = %g, want %g", most, got, want)
		}
	}
	if err := Protect(&bytes.Buffer{}, &Protection{}); err == nil {
		t.Error("a page of nothing")
	}
}

// A grid is split so that every column is in one part, in order, and no line too long.
func TestSplit(t *testing.T) {
	p := &protectionPage{words: said(t, "en", "protection")}
	g := protectionGrid{Title: "C = 1", Corner: "A", Rows: []protectionRow{{Name: "地域"}}}
	for c := range 60 {
		g.Head = append(g.Head, fmt.Sprint("c", c))
		g.Rows[0].Cells = append(g.Rows[0].Cells, protectionText{Text: strings.Repeat("9", 1+c%17)})
	}
	g.Rows[0].Cells[50].Text = strings.Repeat("9", 2*maxGridLetters) // a column that no page has room for
	var head []string
	parts := p.split(g)
	for n, x := range parts {
		line := letters(x.Rows[0].Name)
		for _, c := range x.Rows[0].Cells {
			line += letters(c.Text)
		}
		if len(x.Head) != len(x.Rows[0].Cells) || line > maxGridLetters && len(x.Head) > 1 {
			t.Errorf("part %d: %d heads, %d columns, a line of %g letters", n, len(x.Head), len(x.Rows[0].Cells), line)
		}
		head = append(head, x.Head...)
	}
	if strings.Join(head, " ") != strings.Join(g.Head, " ") {
		t.Errorf("columns %v", head)
	}
	if want := "C = 1, columns 1 to 12 of 60"; parts[0].Title != want {
		t.Errorf("title %q, want %q", parts[0].Title, want)
	}
	g.Head, g.Rows[0].Cells = g.Head[:3], g.Rows[0].Cells[:3]
	if parts := p.split(g); len(parts) != 1 || parts[0].Title != "C = 1" {
		t.Errorf("a narrow grid is split: %+v", parts)
	}
}

// A page of several responses has a part for each, their verdicts at its head, and no checksum that one of
// them must not show.
func TestResponses(t *testing.T) {
	good, bad := protection(t, "en"), protection(t, "en")
	good.Response, bad.Response = "turnover", "wages"
	good.Table.Width[3] = 1
	audited(t, good)
	good.Mask, bad.Mask = true, true
	good.Table.Missing = slices.Clone(good.Withheld) // of this response no withheld value is in the file
	var b bytes.Buffer
	must.Do(t, Protect(&b, good, bad))
	text := b.String()
	for _, want := range []string{"<li>✓ turnover: The table is protected.</li>", "<li>✗ wages: The table is NOT protected.</li>", "<h1>Response: turnover</h1>", "<h1>Response: wages</h1>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(text, "<code>abc") {
		t.Error("the page has a checksum by which a value of wages can be guessed")
	}
	b.Reset()
	if err := Draw(&b, good, bad); err != nil || strings.Count(b.String(), ">Response: ") != 2 {
		t.Errorf("a drawing of two responses: %v", err)
	}
}
