package report

import (
	"fmt"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// The page about statistics of columns: counts, numbers and the most frequent values.

// statisticsAt are the percentages of document.Statistics.Quantiles.
var statisticsAt = []int{1, 5, 10, 25, 50, 75, 90, 95, 99}

// statistics makes the tables of the columns. A masked page has no values of records, nor means, which for few
// records are values, too.
func (m *riskMeasure) statistics() error {
	p := m.p
	doc, ok := m.doc.measured.(*document.ColumnStatistics)
	if !ok {
		return i18n.New("key columns: want a list of columns")
	}
	counts := &sheet{Title: p.T("t.counted"), Head: []string{p.T("w.column"), p.T("w.as"), p.T("w.values_different"), p.T("w.alone"), p.T("w.of_records"), p.T("w.empty")}, Numbers: []int{2, 3, 4, 5}}
	numbers := &sheet{Title: p.T("t.measured"), Head: []string{p.T("w.column"), p.T("w.least")}}
	for _, at := range statisticsAt {
		numbers.Head = append(numbers.Head, fmt.Sprintf("%d %%", at))
	}
	numbers.Head = append(numbers.Head, p.T("w.largest"), p.T("w.mean"), p.T("w.sd"))
	for k := range len(numbers.Head) - 1 {
		numbers.Numbers = append(numbers.Numbers, k+1)
	}
	top := &sheet{Title: p.T("t.top"), Head: []string{p.T("w.column"), p.T("w.value"), p.T("w.records"), p.T("w.of_records")}, Numbers: []int{2, 3}}
	for _, c := range doc.Columns {
		counts.Rows = append(counts.Rows, sheetRow{Texts: []string{c.Column, p.word("as")(c.Kind), count(c.Distinct).String(), count(c.Alone).String(), percentOf(c.Alone, doc.Records), count(c.Missing).String()}})
		if c.Kind == "number" {
			if len(c.Quantiles) != len(statisticsAt) {
				return i18n.Errorf("key columns: want %d quantiles of a column of numbers", len(statisticsAt))
			}
			row := sheetRow{Texts: []string{c.Column, known(c.Min, floatText)}}
			for _, q := range c.Quantiles {
				row.Texts = append(row.Texts, floatText(q))
			}
			row.Texts = append(row.Texts, known(c.Max, floatText), known(c.Mean, floatText), known(c.SD, floatText))
			numbers.Rows = append(numbers.Rows, row)
		}
		for _, v := range c.Top {
			top.Rows = append(top.Rows, sheetRow{Texts: []string{c.Column, quoted([]string{v.Value}), count(v.Records).String(), percentOf(v.Records, doc.Records)}})
		}
	}
	secret := []*sheet{numbers, top}
	if p.Mask {
		if len(numbers.Rows)+len(top.Rows) > 0 {
			m.Notes = append(m.Notes, p.T("maskedcolumns"))
		}
		secret = nil
	}
	for k, t := range append([]*sheet{counts}, secret...) {
		if len(t.Rows) == 0 {
			continue
		}
		p.Secret = p.Secret || k > 0
		m.more(t.Title, len(t.Rows)-maxRiskRows)
		t.Rows = t.Rows[:min(len(t.Rows), maxRiskRows)]
		m.Tables = append(m.Tables, t)
	}
	return nil
}

// percentOf returns the share that n is of all, in percent.
func percentOf(n, all int64) string {
	if all <= 0 {
		return unknown
	}
	return floatText(100*float64(n)/float64(all)) + " %"
}
