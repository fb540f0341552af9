package report

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Risk is the data of a page about measures of re-identification risk: documents that hitoku risk has
// printed.
type Risk struct {
	Lang      string // one of Languages; empty: en
	Mask      bool   // leave out values of records
	Version   string
	Documents []*RiskDocument
	Sources   []Source // files with their checksums; none: not read
}

// riskPage is the data of risk.html.
type riskPage struct {
	*Risk
	words
	Title    string
	Secret   bool
	Groups   []riskGroup
	Files    []riskFile
	Digests  bool // show the checksums of confidential files
	Measures []*riskMeasure
	riskSays
}

// A riskFile is a file on the page. Hidden says that its checksum is left out, as with it others could check
// their guesses of the content.
type riskFile struct {
	Source
	Hidden bool
}

// publicFiles are the kinds of files that are not confidential. Documents are confidential, since their few
// figures are easily guessed.
var publicFiles = []string{"population", "aux", "matrix", "release"}

// riskSays is a verdict: as a CSS class, a sign and words.
type riskSays struct{ Class, Sign, Headline string }

// A riskGroup is the summary of the measures of the same files.
type riskGroup struct {
	Title string
	QI    bool // some measure has quasi-identifiers
	Rows  []riskLine
}

// A riskLine is the summary of a measure.
type riskLine struct {
	N                         int
	Title, QI, Result, Limits string
	Class, Sign, Verdict      string
}

// A riskMeasure is the section about one document.
type riskMeasure struct {
	N     int
	Title string
	riskSays
	Judged                    []string // the limits and whether they are kept
	What                      []string
	Formula, Source, Attacker string
	Inputs, Facts             []Fact
	Charts                    []riskChart
	Lines                     []smallLine
	Tables                    []*sheet
	Notes, Not                []string

	p   *riskPage
	doc *RiskDocument
}

// A riskChart is a histogram with a table of its numbers.
type riskChart struct {
	Figure histogram
	Sheet  *sheet
}

// Risks writes the page: a summary if there are several documents, the files, and for each document a section
// that says what it measures, by which formula, against which attacker, the results, and what they do not say.
// The same documents give the same bytes.
func Risks(w io.Writer, r *Risk) error {
	one := *r
	one.Lang = cmp.Or(one.Lang, "en")
	said, err := wordsOf(one.Lang, "risk")
	switch {
	case err != nil:
		return err
	case len(r.Documents) == 0:
		return i18n.Errorf("report: a page about risk needs a document")
	}
	p := &riskPage{Risk: &one, words: said}
	p.Title = p.T("title")
	for n, doc := range r.Documents {
		m := &riskMeasure{N: n + 1, p: p, doc: doc}
		if err := m.fill(); err != nil {
			return i18n.Errorf("%s: %w", doc.place, err)
		}
		p.Measures = append(p.Measures, m)
	}
	data := r.Documents[0].data()
	if data != "" && !slices.ContainsFunc(r.Documents, func(d *RiskDocument) bool { return d.data() != data }) {
		p.Title += p.T("colon") + data
	}
	for _, s := range r.Sources {
		f := riskFile{Source: s}
		if !slices.Contains(publicFiles, s.Kind) && s.SHA256 != "" {
			f.Hidden, p.Digests = r.Mask, !r.Mask
		}
		if f.Hidden {
			f.SHA256 = ""
		}
		f.Kind = p.T("role." + s.Kind)
		p.Files = append(p.Files, f)
	}
	p.riskSays = p.judge(r.Documents...)
	if len(p.Measures) > 1 {
		p.group()
	}
	return execute(w, "risk.html", p)
}

// judge returns the verdict on the limits of all documents: the worst of them.
func (p *riskPage) judge(docs ...*RiskDocument) riskSays {
	worst, broken := RiskUnjudged, 0
	for _, d := range docs {
		v := d.Verdict()
		worst = max(worst, v)
		if v == RiskBroken {
			broken++
		}
	}
	s := riskSays{Class: riskSigns[worst].class, Sign: riskSigns[worst].sign}
	switch {
	case len(docs) == 1:
		s.Headline = p.T("one" + docs[0].word())
	case worst == RiskBroken:
		s.Headline = p.say("allbroken", len(docs), broken)
	default:
		s.Headline = p.T([]string{"allunjudged", "allkept", "allopen"}[worst])
	}
	return s
}

// riskSigns are shown besides colours, so that a verdict is not told by colour alone.
var riskSigns = map[RiskVerdict]struct{ class, sign, word string }{
	RiskUnjudged: {"none", "–", "unjudged"},
	RiskKept:     {"good", "✓", "kept"},
	RiskOpen:     {"open", "?", "open"},
	RiskBroken:   {"wrong", "✗", "broken"},
}

// word returns the key of the verdict on one document: of its limits, of its target if it has no limits, or of
// its test.
func (r *RiskDocument) word() string {
	v := r.Verdict()
	switch {
	case r.Status == "infeasible":
		return "infeasible"
	case v == RiskBroken && r.identified() && !r.broken():
		return "identified"
	case v == RiskKept && r.has("unsafe"):
		return "safe"
	case v == RiskBroken && r.has("unsafe"):
		return "unsafe"
	case v == RiskOpen && r.Status != "empty":
		return "undecided"
	case v == RiskKept && len(r.limits()) == 0:
		return "reached"
	}
	return riskSigns[v].word
}

// group makes a summary for each set of data files, in order of appearance.
func (p *riskPage) group() {
	at := map[string]int{}
	for _, m := range p.Measures {
		data := m.doc.data()
		g, ok := at[data]
		if !ok {
			g = len(p.Groups)
			at[data] = g
			title := p.T("summarynone")
			if data != "" {
				title = p.say("summaryof", data)
			}
			p.Groups = append(p.Groups, riskGroup{Title: title})
		}
		sign := riskSigns[m.doc.Verdict()]
		line := riskLine{N: m.N, Title: m.Title, Class: sign.class, Sign: sign.sign, Verdict: p.T(m.doc.word()), QI: unknown, Limits: unknown, Result: unknown}
		if qi := m.doc.texts("qi"); len(qi) > 0 {
			line.QI = quoted(qi)
			p.Groups[g].QI = true
		}
		if results := m.results(); len(results) > 0 {
			line.Result = strings.Join(results, p.T("semicolon"))
		}
		limits := sets.Each(m.doc.limits(), m.limit)
		if m.doc.has("target_k") {
			limits = append(limits, p.T("f.target_k")+" "+m.number("target_k"))
		}
		if len(limits) > 0 {
			line.Limits = strings.Join(limits, p.T("semicolon"))
		}
		p.Groups[g].Rows = append(p.Groups[g].Rows, line)
	}
}
