package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// noisePage is what noise.html shows.
type noisePage struct {
	Lang, Title, Only, Version string
	Sections                   []section
}

// shownNarrow is how many cells the page lists.
const shownNarrow = 20

// Noise writes a page about what hitoku cellkey printed: a section for each table and one for its attack. It depends on nothing but
// the documents.
func Noise(w io.Writer, lang, version string, docs []*document.Perturbation) error {
	words := textsOf(lang).Noise
	if words == nil {
		return i18n.Errorf("report: no language %q, want en or ja", lang)
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
