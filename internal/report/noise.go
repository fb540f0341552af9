package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
)

// noisePage is the data of noise.html.
type noisePage struct {
	Lang, Title, Only, Version string
	Sections                   []section
}

// shownNarrow is how many cells the page lists.
const shownNarrow = 20

// Noise writes a page about what hitoku cellkey printed: a section for each table, and one for the attack on
// it. It depends only on the documents.
func Noise(w io.Writer, lang, version string, docs []*document.Perturbation) error {
	said, err := wordsOf(lang, "noise")
	if err != nil {
		return err
	}
	page := &noisePage{Lang: lang, Title: said.T("title"), Only: said.T("only"), Version: version}
	for _, d := range docs {
		page.Sections = append(page.Sections, noiseSection(d, said))
		if len(d.PTable) > 0 { // it is empty for totals of a response
			page.Sections = append(page.Sections, ptableSection(d, said))
		}
		if d.Attack != nil {
			page.Sections = append(page.Sections, noiseAttackSection(d.Attack, said))
		}
	}
	return execute(w, "noise.html", page)
}

// three returns a number with at most three decimals.
func three(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func noiseSection(d *document.Perturbation, w words) section {
	yes := "no"
	if d.Additive {
		yes = "yes"
	}
	s := section{Heading: w.say("table", d.Table)}
	if d.Records > 0 {
		s.Facts = append(s.Facts, Fact{w.T("records"), strconv.FormatInt(d.Records, 10)})
	}
	for _, f := range []Fact{{w.T("response"), d.Response}, {w.T("magnify"), d.Magnify}, {w.T("weight"), d.Weight}} {
		if f.Text != "" {
			s.Facts = append(s.Facts, f)
		}
	}
	s.Facts = append(s.Facts,
		Fact{w.T("cells"), strconv.Itoa(d.Cells)}, Fact{w.T("changed"), strconv.Itoa(d.Changed)}, Fact{w.T("zeros"), strconv.Itoa(d.Zeros)}, Fact{w.T("additive"), w.T(yes)},
		Fact{w.T("distance"), three(d.Absolute.Mean) + ", " + three(d.Absolute.Max)}, Fact{w.T("relative"), three(d.Relative.Mean) + ", " + three(d.Relative.Max)}, Fact{w.T("hellinger"), three(d.Hellinger)})
	var names []string
	var cells []float64
	for _, n := range d.Noise {
		names, cells = append(names, strconv.FormatInt(n.Noise, 10)), append(cells, float64(n.Cells))
	}
	if len(names) > 0 && len(names) <= 60 {
		s.Figures = []histogram{newHistogram(w.T("noise"), w.T("xnoise"), w.T("ynoise"), names, kind{"ours", "", cells})}
	}
	return s
}

func ptableSection(d *document.Perturbation, w words) section {
	sheet := &sheet{Numbers: []int{0, 1, 2, 3, 4}, Head: []string{w.T("count"), w.T("mean"), w.T("variance"), w.T("stay"), w.T("ends")}}
	for k, r := range d.PTable {
		count := strconv.FormatInt(r.Count, 10)
		if k == len(d.PTable)-1 {
			count += "+"
		}
		sheet.Rows = append(sheet.Rows, sheetRow{Texts: []string{count, three(r.Mean), three(r.Variance), three(r.Stay), fmt.Sprintf("%d … %d", r.Least, r.Largest)}})
	}
	return section{Heading: w.T("ptable"), Sheet: sheet}
}

func noiseAttackSection(a *document.NoiseAttack, w words) section {
	v, k, d := a.Averaging, a.Constraints, a.Differences
	s := section{Heading: w.T("attack"), Facts: []Fact{
		{w.T("verdict"), w.T(string(a.Verdict))},
		{w.T("averaging"), w.say("averages", three(v.Mean), three(v.Before), three(v.Least), v.Rounds, v.Already)},
		{w.T("constraints"), w.say("constrained", k.Disclosed, k.Looked, three(k.Width), three(k.Before))},
		{w.T("differences"), w.say("differ", d.Pairs, d.Differ, d.Certain)},
	}}
	if k := a.Keys; k != nil {
		s.Facts = append(s.Facts, Fact{w.T("keys"), w.say("sums", three(k.With), three(k.Without), k.Disclosed)})
	}
	if len(a.Cells) == 0 {
		return s
	}
	s.Sheet = &sheet{Title: w.T("narrowest"), Numbers: []int{1, 2, 3, 4}, Head: []string{w.T("cell"), w.T("count"), w.T("published"), w.T("estimate"), w.T("interval")}}
	for n, c := range a.Cells {
		if n >= shownNarrow && !c.Disclosed {
			continue
		}
		s.Sheet.Rows = append(s.Sheet.Rows, sheetRow{Bad: c.Disclosed, Texts: []string{c.Cell, strconv.FormatInt(c.Count, 10), strconv.FormatInt(c.Published, 10), three(c.Estimate), fmt.Sprintf("[%d, %d]", c.Interval[0], c.Interval[1])}})
	}
	return s
}
