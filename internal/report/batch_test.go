package report

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

func batchPage() *Batch {
	return &Batch{
		Title: "Table <script>.txt", Version: "v1", Facts: []Fact{{"Variable", "A&B: 3 codes"}}, Rules: []string{"a rule"}, Method: []string{"OPT"},
		Summary: []StatusRow{{1, "Safe", 3, "7", "12.5", "12.5"}, {14, "Empty", 1, "", "0", "0"}, {0, "Total", 4, "", "12.5", "12.5"}},
	}
}

func TestBatchPage(t *testing.T) {
	page := allPages(t)["batch"]
	for _, want := range []string{"<h1>Table &lt;script&gt;.txt</h1>", "<dd>A&amp;B: 3 codes</dd>", "<li>a rule</li>",
		`<tr><td>1</td><td class="t">Safe</td><td>3</td><td>7</td><td>12.5</td><td>12.5</td></tr>`,
		`<tr><td></td><td class="t">Total</td><td>4</td><td>–</td><td>12.5</td><td>12.5</td></tr>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

func TestRulesInWords(t *testing.T) {
	rules := must.Get(table.ParseRules("P(15,1)|FREQ(3,30)"))(t)
	got := strings.Join(RulesInWords("en", &table.Table{Dims: make([]table.Dimension, 1)}, rules), "\n")
	for _, want := range []string{"more closely than 15 %", "fewer than 3 respondents"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
