package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// bigPage is the page of a table of three variables, two of them trees, too large to be shown whole, of
// which share of the inner cells are withheld.
func bigPage(t *testing.T, share float64) *protectionPage {
	t.Helper()
	tree := func(name string, width int) table.Dimension {
		var edges []table.Edge
		for a := range 4 {
			top := fmt.Sprint(name, a)
			edges = append(edges, table.Edge{Code: top, Parent: "Total"})
			for b := range width {
				edges = append(edges, table.Edge{Code: fmt.Sprint(top, ".", b), Parent: top})
			}
		}
		return must.Get(table.NewDimension(name, "Total", edges))(t)
	}
	flat := must.Get(table.FlatDimension("Z", "Total", []string{"z1", "z2", "z3"}))(t)
	dims := []table.Dimension{tree("R", 8), tree("C", 9), flat}
	rng := rand.New(rand.NewPCG(1, 2))
	var recs []table.Record
	leaves := func(d *table.Dimension) (all []string) {
		for c, leaf := range d.Leaves() {
			if leaf {
				all = append(all, d.Codes[c])
			}
		}
		return all
	}
	for _, r := range leaves(&dims[0]) {
		for _, c := range leaves(&dims[1]) {
			for _, z := range leaves(&dims[2]) {
				recs = append(recs, table.Record{Line: len(recs) + 2, Codes: []string{r, c, z}, Value: table.Num(rng.Int64N(90)+10, 0)})
			}
		}
	}
	tab := must.Get(table.Build("big", dims, recs, false))(t)
	p := &Protection{Table: tab, Withheld: make([]bool, tab.Len()), Audit: &interval.Report{}, Told: true, Version: "v1"}
	margins := tab.Leaves()
	for i := range p.Withheld {
		if !tab.IsMargin(i, margins) && rng.Float64() < share {
			p.Withheld[i], tab.Status[i] = true, table.Withheld
			p.Audit.Cells = append(p.Audit.Cells, interval.Cell{Index: i, Protected: rng.IntN(50) > 0})
		}
	}
	return must.Get(newProtectionPage(p))(t)
}

// Of a large table every withheld cell is shown once, below the totals of its lines, and all lines are shown or
// counted; what has no room is counted too.
func TestNeighbourhoods(t *testing.T) {
	for _, share := range []float64{0.002, 0.02, 0.3} {
		p := bigPage(t, share)
		p.grids()
		part := p.Parts[0]
		withheld, cells := 0, 0
		for _, g := range part.Grids {
			lines := 0
			for _, r := range g.Rows {
				if r.Fold != "" {
					n := 0
					must.Get(fmt.Sscanf(r.Fold, "⋯ %d lines", &n))(t)
					lines += n
					continue
				}
				lines++
				cells += len(r.Cells)
				if len(r.Cells) != len(g.Head) {
					t.Fatalf("%d cells below %d heads", len(r.Cells), len(g.Head))
				}
				for _, x := range r.Cells {
					if x.Mark != "" {
						withheld++
					}
				}
			}
			if want := len(p.Table.Dims[0].Codes); lines != want {
				t.Fatalf("%q: %d lines shown or folded, want %d", g.Title, lines, want)
			}
			if last := g.Rows[0]; last.Fold == "" && !last.Total {
				t.Errorf("%q begins with neither the total nor a fold", g.Title)
			}
		}
		missing := 0
		if _, rest, ok := strings.Cut(part.Note, "above them. "); ok {
			fmt.Sscanf(strings.ReplaceAll(rest, ",", ""), "%d further", &missing)
		}
		if withheld+missing != len(p.Audit.Cells) {
			t.Errorf("share %g: %d cells shown and %d left out of %d", share, withheld, missing, len(p.Audit.Cells))
		}
		if cells > maxNeighbours || share < 0.1 && missing > 0 || share > 0.1 && missing == 0 {
			t.Errorf("share %g: %d cells in grids, %d withheld left out", share, cells, missing)
		}
	}
}

// A drawing is XML, tells what it withholds, and says that it is for the office if it shows true values.
func TestDraw(t *testing.T) {
	for _, mask := range []bool{false, true} {
		for _, lang := range Languages() {
			p := protection(t, lang)
			p.Mask = mask
			var b bytes.Buffer
			must.Do(t, Draw(&b, p))
			d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
			for {
				_, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%v in %s", err, b.String())
				}
			}
			text := b.String()
			if got := strings.Contains(text, said(t, lang, "protection").T("secret")); got == mask {
				t.Errorf("%s, masked %t: said to be for the office: %t", lang, mask, got)
			}
			if got := strings.Contains(text, ">1.5</text>"); got == mask {
				t.Errorf("%s, masked %t: the true value is there: %t", lang, mask, got)
			}
			if strings.Count(text, `class="frequency"`) != 2 || !strings.Contains(text, "t&lt;1&gt;") {
				t.Errorf("%s: the sensitive cell or the key is not there: %s", lang, text)
			}
		}
	}
	if err := Draw(io.Discard, &Protection{}); err == nil {
		t.Error("a drawing of nothing")
	}
}

// The head of a page has what was said and nothing else.
func TestAbout(t *testing.T) {
	p := protection(t, "en")
	if text := pageOf(t, p); strings.Contains(text, `<div class="about">`) || !strings.Contains(text, "<h1>Disclosure control report: t&lt;1&gt;</h1>") {
		t.Error("a head of nothing, or no heading")
	}
	p.About = About{Title: "Farms <2024>", Survey: "Census of farms", Approval: []string{"Head of unit"}}
	text := pageOf(t, p)
	for _, want := range []string{"<h1>Farms &lt;2024&gt;</h1>", "<dt>Survey</dt><dd>Census of farms</dd>", "Approved: Head of unit"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(text, "Reference period") {
		t.Error("the page has a period")
	}
}
