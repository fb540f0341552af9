package report

import (
	"errors"
	"fmt"

	"github.com/hitoku/hitoku/document"
)

// The page about statistics of columns: counts, numbers and the most frequent values.

func init() {
	addRiskPage("columns", riskMetric{main: []string{"records"}, models: []string{""}}, columnTexts, columnWords)
}

var columnTexts = map[string]riskText{
	"en": {
		Title:    "Statistics of columns",
		What:     "Of each column the number of different values, of records whose value no other has, and of empty fields; of numbers the least, the largest, mean, deviation and quantiles; and the most frequent values as far as they were asked for. A column in which many records are alone singles them out without any other.",
		Formula:  "quantile at p %: the least number that at least p % of them do not exceed;   deviation = √( Σ (x − mean)²/(n − 1) )",
		Source:   "Definitions of descriptive statistics",
		Attacker: "None: this is for the office, to choose quasi-identifiers and how to make them coarser.",
		Not: []string{
			"Columns are looked at each by itself; together they single out more. k-anonymity and special uniques measure that.",
			"Least and largest values and quantiles are values of records; most frequent values of an open text may be names.",
		},
	},
	"ja": {
		Title:    "列の統計",
		What:     "各列について、異なる値の数、同じ値をもつレコードがほかにないレコードの数、空欄の数を示します。数値の列では最小値、最大値、平均、標準偏差、分位点を、指定したときは最も多い値も示します。同じ値がほかにないレコードの多い列は、それだけで個々のレコードを特定します。",
		Formula:  "p % 分位点：p % 以上の数が超えない最小の数;   標準偏差 = √( Σ (x − 平均)²/(n − 1) )",
		Source:   "記述統計の定義",
		Attacker: "攻撃者ではなく、準識別子とその粗くし方を選ぶ担当者のためのものです。",
		Not: []string{
			"列ごとの統計です。複数の列を合わせると、より多くのレコードが特定されます。それは k-匿名性と特殊一意で測ります。",
			"最小値、最大値、分位点はレコードの値です。自由記述の最も多い値には氏名が含まれることがあります。",
		},
	},
}

var columnWords = map[string]map[string]string{
	"en": {
		"t.counted": "Values of the columns", "t.measured": "Columns of numbers", "t.top": "Most frequent values", "w.as": "taken as", "w.values_different": "different", "w.alone": "records alone", "w.empty": "empty fields",
		"w.least": "least", "w.largest": "largest", "w.of_records": "share of the records", "v.as.number": "number", "v.as.category": "category", "maskedcolumns": "Least and largest values, quantiles, means, deviations and the most frequent values are left out.",
	},
	"ja": {
		"t.counted": "列の値", "t.measured": "数値の列", "t.top": "最も多い値", "w.as": "種類", "w.values_different": "異なる値", "w.alone": "単独のレコード", "w.empty": "空欄",
		"w.least": "最小値", "w.largest": "最大値", "w.of_records": "全レコードに占める割合", "v.as.number": "数値", "v.as.category": "分類", "maskedcolumns": "最小値、最大値、分位点、平均、標準偏差、最も多い値は省きました。",
	},
}

// statisticsAt are the percentages of document.Statistics.Quantiles.
var statisticsAt = []int{1, 5, 10, 25, 50, 75, 90, 95, 99}

// statistics makes the tables of the columns. Values of records are left out of a masked page, with means, which of few records
// are values, too.
func (m *riskMeasure) statistics() error {
	p := m.p
	doc, ok := m.doc.measured.(*document.ColumnStatistics)
	if !ok {
		return errors.New("key columns: want a list of columns")
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
				return fmt.Errorf("key columns: want %d quantiles of a column of numbers", len(statisticsAt))
			}
			row := sheetRow{Texts: []string{c.Column, optional(c.Min)}}
			for _, q := range c.Quantiles {
				row.Texts = append(row.Texts, floatText(q))
			}
			row.Texts = append(row.Texts, optional(c.Max), optional(c.Mean), optional(c.SD))
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
		if rest := len(t.Rows) - maxRiskRows; rest > 0 {
			t.Rows = t.Rows[:maxRiskRows]
			m.Notes = append(m.Notes, p.say("morerows", t.Title, count(rest)))
		}
		m.Tables = append(m.Tables, t)
	}
	return nil
}

// optional writes a number that may be there.
func optional(v document.Opt[float64]) string {
	if x, ok := v.Get(); ok {
		return floatText(x)
	}
	return unknown
}

// percentOf writes the share that a number has of all, in percent.
func percentOf(n, all int64) string {
	if all <= 0 {
		return unknown
	}
	return floatText(100*float64(n)/float64(all)) + " %"
}
