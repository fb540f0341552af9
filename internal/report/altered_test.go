package report

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
)

func altered(lang string) *Altered {
	mean := 0.75
	return &Altered{Lang: lang, Version: "v1", Verdict: "t: rounded <to> 5", Of: &document.Altered{
		Table: "a<b", Size: 3, Relations: 1, Changed: 2, Largest: "2", Mean: &mean, Distance: "3",
		Values: []document.ChangedCell{{Cell: "N", Value: "4", Published: "5"}, {Cell: "S", Value: "7.5", Published: "5"}, {Cell: "T", Value: "10", Published: "10"}},
		Learned: &document.Learned{Cells: []document.LearnedCell{
			{Interval: document.Interval{Cell: "N", Value: "4", Lower: "1", Upper: "9"}, Published: "5", Sensitive: true, Protected: true},
			{Interval: document.Interval{Cell: "S", Value: "7", Lower: "7", Upper: "7"}, Published: "5", Disclosed: true},
		}},
	}}
}

func TestAlteredPage(t *testing.T) {
	page := allPages(t)["altered en"]
	for _, want := range []string{"<h1>Changed values of a&lt;b</h1>", "t: rounded &lt;to&gt; 5",
		`<tr><td class="t">S</td><td>7.5</td><td>5</td><td>-2.5</td></tr>` + "\n" + `<tr><td class="t">N</td><td>4</td><td>5</td><td>&#43;1</td></tr>`,
		`<td>1</td><td>9</td><td class="t">protected</td>`, `<td class="t">disclosed</td>`, "<dd>2 of 3</dd>", "<dd>0.75</dd>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	if page := allPages(t)["altered ja"]; !strings.Contains(page, `<html lang="ja">`) || !strings.Contains(page, "読み手に分かること") {
		t.Error(page)
	}
	if err := WriteAltered(&strings.Builder{}, altered("xx")); err == nil {
		t.Error("a page in no language")
	}
}
