package report

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	_ "github.com/hitoku/hitoku/lp/simplex"
	"github.com/hitoku/hitoku/table"
)

// protection returns a 2×2 table with margins of which a cell is unprotected.
func protection(t *testing.T, lang string) *Protection {
	t.Helper()
	var dims []table.Dimension
	for _, name := range []string{"<業>", "size"} {
		d := must.Get(table.FlatDimension(name, "Total", []string{"a&b", "c"}))(t)
		dims = append(dims, d)
	}
	var recs []table.Record
	for n, v := range []int64{15, 40, 30, 25} {
		recs = append(recs, table.Record{Line: n + 1, Codes: []string{dims[0].Codes[1+n/2], dims[1].Codes[1+n%2]}, Value: table.Num(v, 1), Freq: table.Num(int64(n+1), 0)})
	}
	tab := must.Get(table.Build("t<1>", dims, recs, false))(t)
	copy(tab.Status, []table.Status{table.Sensitive, table.Withheld, table.Withheld, table.Sensitive})
	tab.Reason = make([]table.Reason, tab.Len())
	tab.Reason[0] = table.ByFrequency
	tab.Width[0], tab.Width[3] = 10, 1000
	return audited(t, &Protection{Lang: lang, Table: tab, Told: true, File: "t.csv", SHA256: "abc", Version: "v1", Below: 3,
		Rules: &table.Rules{Dominance: []table.Dominance{{N: 2, K: table.Decimal{Unscaled: 75}}}}, Width: &table.Level{Decimal: table.Decimal{Unscaled: 1}}})
}

// longProtection returns a table too long for a grid, published.
func longProtection(t *testing.T, lang string) *Protection {
	t.Helper()
	longOnce.Do(func() { long = newLong(t) })
	p := *long
	p.Lang = lang
	return &p
}

var (
	longOnce sync.Once
	long     *Protection
)

func newLong(t *testing.T) *Protection {
	var codes []string
	for n := range maxGridCells + 20 {
		codes = append(codes, fmt.Sprint("c", n))
	}
	d := must.Get(table.FlatDimension("R", "Total", codes))(t)
	recs := []table.Record{{Codes: []string{"Total"}, Value: table.Num(50000, 0)}}
	for n, c := range codes {
		rec := table.Record{Line: n + 2, Codes: []string{c}}
		if n < maxGridCells-maxListed {
			rec.Value = table.Num(7, 0)
		}
		recs = append(recs, rec)
	}
	tab := must.Get(table.Build("long", []table.Dimension{d}, recs, true))(t)
	return audited(t, &Protection{Table: tab, File: "long.csv", SHA256: "abc", Version: "v1"})
}

func audited(t *testing.T, p *Protection) *Protection {
	t.Helper()
	p.Withheld = make([]bool, p.Table.Len())
	for i, st := range p.Table.Status {
		p.Withheld[i] = st == table.Sensitive || st == table.Withheld
	}
	var err error
	if p.Audit, err = interval.Audit(context.Background(), p.Table, p.Withheld, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

func pageOf(t *testing.T, p *Protection) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Protect(&b, p))
	return b.String()
}

// A page about a published table that tells the cost of the pattern is for the office, though it knows no value.
func TestPageWithCostIsMarked(t *testing.T) {
	for lang, want := range map[string]string{"en": "For the office only", "ja": "部内限り"} {
		p := *longProtection(t, lang)
		if strings.Contains(pageOf(t, &p), want) {
			t.Errorf("%s: a page of public numbers is marked", lang)
		}
		p.Run = &Run{Status: "optimal", Cost: "8642"}
		if text := pageOf(t, &p); !strings.Contains(text, "8,642") || !strings.Contains(text, want) {
			t.Errorf("%s: the cost is not there, or not marked", lang)
		}
		p.Mask = true
		if text := pageOf(t, &p); strings.Contains(text, "8,642") || strings.Contains(text, want) {
			t.Errorf("%s: masked, the cost is there, or marked", lang)
		}
	}
}

func TestProtectionPage(t *testing.T) {
	text := pageOf(t, protection(t, "en"))
	for _, want := range []string{
		`<html lang="en">`, "The table is NOT protected.", "unprotected, 4 of ",
		"For the office only", "9 cells, 6 relations, 2 dimensions", "t&lt;1&gt;",
		`<td class="t">Sensitive: too few respondents</td><td>1</td><td>11.1</td><td>0</td><td>1</td><td>1.5</td><td>1.5</td>`,
		`<td class="t">All sensitive</td><td>2</td><td>22.2</td><td>0</td><td>5</td><td>4.0</td><td>4.0</td>`,
		`<tr class="sum"><td class="t">All cells</td><td>9</td><td>100.0</td><td>5</td><td>40</td><td>44.0</td>`,
		"fewer than 3 respondents", "its 2 largest contributions are more than 75 %", "at least 1 wide", "no cell is below 0.",
		`<td class="frequency" tabindex="0" title="a&amp;b/a&amp;b: too few respondents. An intruder learns: 0 … 4.5` + "\n" + `true value 1.5` + "\n" + `wanted: width 1">1.5<sup>F</sup></td>`,
		`<td class="manual fails"`, "UNPROTECTED", "The narrowest interval of a sensitive cell, a&amp;b/a&amp;b, is [0, 4.5].",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	// Masked, no true value of a withheld cell is left, nor a sum that tells one.
	masked := protection(t, "ja")
	masked.Mask = true
	masked.Table.LPL[0], masked.Table.UPL[3] = 3, 7
	masked.Others = []Source{{"hierarchy", "h.hrc", "public"}, {"apriori", "a.hst", "secret"}, {"run", "r.json", "secret"}, {"attack", "x.json", "secret"}}
	masked.Published, masked.PublishedSHA256 = "p.csv", "public"
	text = pageOf(t, masked)
	if strings.Contains(text, "<code>abc") || strings.Contains(text, "<code>secret") || strings.Count(text, "<code>public") != 2 {
		t.Errorf("the masked page has a checksum by which a value can be guessed, or lacks another: %s", text)
	}
	for _, bad := range []string{"真の値", ">1.5<", "0.3", "0.7", "true value", "部内限り"} {
		if strings.Contains(text, bad) {
			t.Errorf("the masked page says %q", bad)
		}
	}
	text = pageOf(t, longProtection(t, "ja"))
	if strings.Contains(text, "c0<") || !strings.Contains(text, "⋯ ここに秘匿セルのない 1,000 行を省略") || !strings.Contains(text, "このほか、保護水準を満たし区間がより狭くはない秘匿セル 20 個は省略しました") {
		t.Error("a long table has lines without withheld cells, or an endless list")
	}
	if err := Protect(&bytes.Buffer{}, &Protection{Lang: "fr", Table: masked.Table, Withheld: masked.Withheld, Audit: masked.Audit}); err == nil || err.Error() != `report: no language "fr", want en or ja` {
		t.Errorf("French: %v", err)
	}
}

// The page calls exact only those intervals that are proved at both ends.
func TestExactness(t *testing.T) {
	for lang, want := range map[string][2]string{
		"en": {"<footer>Intervals are exact: ", "<footer>All intervals but those of 1 cells are exact: "},
		"ja": {"<footer>区間は厳密です。", "<footer>セル 1 個を除き、区間は厳密です。"},
	} {
		p := full(t, lang)
		if text := pageOf(t, p); !strings.Contains(text, want[0]) {
			t.Errorf("%s: no %q", lang, want[0])
		}
		p.Audit.Cells[0].Inexact = true
		if text := pageOf(t, p); strings.Contains(text, want[0]) || !strings.Contains(text, want[1]) {
			t.Errorf("%s: not %q", lang, want[1])
		}
	}
}
