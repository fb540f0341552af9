package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/document"
)

// noisePage is what noise.html shows.
type noisePage struct {
	Lang, Title, Only, Version string
	Sections                   []section
}

// noiseWords are those of the page by language; verbs stand for the numbers.
var noiseWords = map[string]map[string]string{
	"en": {
		"title": "Noise by cell keys", "only": "For the office only: it tells how the noise lies.",
		"table": "Table %s", "records": "Records", "response": "Totals of", "magnify": "Noise proportional to", "weight": "Weighted by", "cells": "Cells", "changed": "Published as another number", "zeros": "Published as 0", "additive": "Adds up", "yes": "yes", "no": "no",
		"distance": "Distance, mean and largest", "relative": "Relative distance, mean and largest", "hellinger": "Hellinger's distance",
		"noise": "Cells by noise", "xnoise": "noise", "ynoise": "cells",
		"ptable": "Perturbation table", "count": "true count", "mean": "mean", "variance": "variance", "stay": "no noise", "ends": "noise",
		"attack": "What an intruder learns", "verdict": "Verdict", "protected": "protected", "unprotected": "unprotected", "unsettled": "not settled",
		"averaging": "Averages over all relations", "averages": "standard error %s instead of %s, at least %s; %d estimates round to the true count, %d numbers were true already",
		"constraints": "Constraints", "constrained": "%d of %d cells disclosed; intervals %s wide on average instead of %s",
		"keys": "Sums of keys", "sums": "%s counts possible on average instead of %s; %d cells disclosed", "differences": "Differences of one record", "differ": "%d pairs, %d published as different numbers, %d certain",
		"cell": "cell", "published": "published", "interval": "interval", "estimate": "estimate", "narrowest": "The narrowest intervals",
	},
	"ja": {
		"title": "セルキーによるノイズ", "only": "部内専用：ノイズの入り方が分かります。",
		"table": "表 %s", "records": "レコード数", "response": "合計した変数", "magnify": "ノイズの比例するもの", "weight": "重み", "cells": "セル数", "changed": "異なる数で公表", "zeros": "0 として公表", "additive": "合計と一致", "yes": "する", "no": "しない",
		"distance": "距離（平均、最大）", "relative": "相対距離（平均、最大）", "hellinger": "ヘリンジャー距離",
		"noise": "ノイズ別のセル数", "xnoise": "ノイズ", "ynoise": "セル数",
		"ptable": "摂動表", "count": "真の度数", "mean": "平均", "variance": "分散", "stay": "ノイズなし", "ends": "ノイズ",
		"attack": "攻撃者が得るもの", "verdict": "判定", "protected": "安全", "unprotected": "保護不足", "unsettled": "未確定",
		"averaging": "すべての関係式にわたる平均", "averages": "標準誤差は %[2]s でなく %[1]s、最小 %[3]s；推定値 %[4]d 個が丸めると真の度数（元から真のもの %[5]d 個）",
		"constraints": "制約", "constrained": "%[2]d セル中 %[1]d セルが露見；区間の幅は平均 %[4]s でなく %[3]s",
		"keys": "キーの和", "sums": "可能な度数は平均 %s（キーなしでは %s）；露見 %d セル", "differences": "1レコードの差", "differ": "%d 組、異なる数で公表 %d、確実 %d",
		"cell": "セル", "published": "公表値", "interval": "区間", "estimate": "推定値", "narrowest": "最も狭い区間",
	},
}

// shownNarrow is how many cells the page lists.
const shownNarrow = 20

// Noise writes a page about what hitoku cellkey printed: a section for each table and one for its attack. It depends on nothing but
// the documents.
func Noise(w io.Writer, lang, version string, docs []*document.Perturbation) error {
	words := noiseWords[lang]
	if words == nil {
		return fmt.Errorf("report: no language %q, want en or ja", lang)
	}
	page := &noisePage{Lang: lang, Title: words["title"], Only: words["only"], Version: version}
	for _, d := range docs {
		page.Sections = append(page.Sections, noiseSection(d, words))
		if len(d.PTable) > 0 { // of totals a file has it
			page.Sections = append(page.Sections, ptableSection(d, words))
		}
		if d.Attack != nil {
			page.Sections = append(page.Sections, noiseAttackSection(d.Attack, words))
		}
	}
	return execute(w, "noise.html", page)
}

// three is a number with three decimals at most.
func three(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func noiseSection(d *document.Perturbation, words map[string]string) section {
	yes := "no"
	if d.Additive {
		yes = "yes"
	}
	s := section{Heading: fmt.Sprintf(words["table"], d.Table)}
	if d.Records > 0 {
		s.Facts = append(s.Facts, Fact{words["records"], strconv.FormatInt(d.Records, 10)})
	}
	for _, f := range []Fact{{words["response"], d.Response}, {words["magnify"], d.Magnify}, {words["weight"], d.Weight}} {
		if f.Text != "" {
			s.Facts = append(s.Facts, f)
		}
	}
	s.Facts = append(s.Facts,
		Fact{words["cells"], strconv.Itoa(d.Cells)}, Fact{words["changed"], strconv.Itoa(d.Changed)}, Fact{words["zeros"], strconv.Itoa(d.Zeros)}, Fact{words["additive"], words[yes]},
		Fact{words["distance"], three(d.Absolute.Mean) + ", " + three(d.Absolute.Max)}, Fact{words["relative"], three(d.Relative.Mean) + ", " + three(d.Relative.Max)}, Fact{words["hellinger"], three(d.Hellinger)})
	var names []string
	var cells []float64
	for _, n := range d.Noise {
		names, cells = append(names, strconv.FormatInt(n.Noise, 10)), append(cells, float64(n.Cells))
	}
	if len(names) > 0 && len(names) <= 60 {
		s.Figures = []histogram{newHistogram(words["noise"], words["xnoise"], words["ynoise"], names, kind{"ours", "", cells})}
	}
	return s
}

func ptableSection(d *document.Perturbation, words map[string]string) section {
	sheet := &sheet{Numbers: []int{0, 1, 2, 3, 4}, Head: []string{words["count"], words["mean"], words["variance"], words["stay"], words["ends"]}}
	for k, r := range d.PTable {
		count := strconv.FormatInt(r.Count, 10)
		if k == len(d.PTable)-1 {
			count += "+"
		}
		sheet.Rows = append(sheet.Rows, sheetRow{Texts: []string{count, three(r.Mean), three(r.Variance), three(r.Stay), fmt.Sprintf("%d … %d", r.Least, r.Largest)}})
	}
	return section{Heading: words["ptable"], Sheet: sheet}
}

func noiseAttackSection(a *document.NoiseAttack, words map[string]string) section {
	v, k, d := a.Averaging, a.Constraints, a.Differences
	s := section{Heading: words["attack"], Facts: []Fact{
		{words["verdict"], words[string(a.Verdict)]},
		{words["averaging"], fmt.Sprintf(words["averages"], three(v.Mean), three(v.Before), three(v.Least), v.Rounds, v.Already)},
		{words["constraints"], fmt.Sprintf(words["constrained"], k.Disclosed, k.Looked, three(k.Width), three(k.Before))},
		{words["differences"], fmt.Sprintf(words["differ"], d.Pairs, d.Differ, d.Certain)},
	}}
	if k := a.Keys; k != nil {
		s.Facts = append(s.Facts, Fact{words["keys"], fmt.Sprintf(words["sums"], three(k.With), three(k.Without), k.Disclosed)})
	}
	if len(a.Cells) == 0 {
		return s
	}
	s.Sheet = &sheet{Title: words["narrowest"], Numbers: []int{1, 2, 3, 4}, Head: []string{words["cell"], words["count"], words["published"], words["estimate"], words["interval"]}}
	for n, c := range a.Cells {
		if n >= shownNarrow && !c.Disclosed {
			continue
		}
		s.Sheet.Rows = append(s.Sheet.Rows, sheetRow{Bad: c.Disclosed, Texts: []string{c.Cell, strconv.FormatInt(c.Count, 10), strconv.FormatInt(c.Published, 10), three(c.Estimate), fmt.Sprintf("[%d, %d]", c.Interval[0], c.Interval[1])}})
	}
	return s
}
