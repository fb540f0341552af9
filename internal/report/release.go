package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

// A Release is the data of the page about a release of microdata for those who decide: the question, the answer
// in three sentences, how far records can be told apart before and after, what was lost, and what remains open.
type Release struct {
	Lang     string // one of Languages
	Version  string
	Document *document.Releasing
	Kept     bool                 // whether every limit is kept
	Reasons  map[string]string    // for each column, why the office gave it its role
	Steps    []fmt.Stringer       // what was done to each quasi-identifier
	Attacks  map[string]i18n.Text // names of attacks, by their English names
}

// releasePage is the data of release.html.
type releasePage struct {
	*Release
	words
	riskSays
	Title           string
	Answer          []string
	Figure          histogram
	Limits, Columns *sheet
	Lost            []Fact
	Attacked        *sheet
	Open            []string
}

// Releases writes the page. It depends only on r.
func Releases(w io.Writer, r *Release) error {
	p, err := r.page()
	if err != nil {
		return err
	}
	return execute(w, "release.html", p)
}

// Board returns the same content for the page of hitoku open.
func (r *Release) Board() (*document.Board, error) {
	p, err := r.page()
	if err != nil {
		return nil, err
	}
	b := &document.Board{Kept: r.Kept, Says: p.Headline, Only: p.T("only"), Answer: p.Answer, Open: document.BoardList{Title: p.T("open"), Items: p.Open}}
	b.Figure = document.BoardFigure{Title: p.T("figure"), X: p.T("xfigure"), Groups: p.groups(), Kinds: []document.BoardKind{}}
	for _, k := range p.exposures() {
		b.Figure.Kinds = append(b.Figure.Kinds, document.BoardKind{Name: k.name, Shares: k.values})
	}
	lost := &sheet{Numbers: []int{1}}
	for _, f := range p.Lost {
		lost.Rows = append(lost.Rows, sheetRow{Texts: []string{f.Name, f.Text}})
	}
	for _, x := range []struct {
		title, note string
		*sheet
	}{{"limits", "", p.Limits}, {"columns", "", p.Columns}, {"lost", "", lost}, {"attacks", p.T("attacksnote"), p.Attacked}} {
		part := document.BoardPart{Title: p.T(x.title), Note: x.note, Head: x.Head, Numbers: x.Numbers}
		for _, row := range x.Rows {
			part.Rows = append(part.Rows, row.Texts)
		}
		b.Parts = append(b.Parts, part)
	}
	return b, nil
}

// page computes what the page says.
func (r *Release) page() (*releasePage, error) {
	said, err := wordsOf(r.Lang, "release")
	if err != nil {
		return nil, err
	}
	lang, err := catalogue.For(r.Lang)
	if err != nil {
		return nil, err
	}
	d := r.Document
	p := &releasePage{Release: r, words: said, Title: said.say("title", strings.Join(d.Files, ", "))}
	p.riskSays = riskSays{"good", "✓", p.T("yes")}
	if !r.Kept {
		p.riskSays = riskSays{"wrong", "✗", p.T("no")}
	}
	p.answer()
	p.Figure = newHistogram(p.T("figure"), p.T("xfigure"), "%", p.groups(), p.exposures()...)
	p.tables(lang)
	p.open()
	return p, nil
}

// share returns a share in per cent with one decimal.
func share(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }

// known returns a figure of a document as text, or a dash if it is null.
func known(x document.Opt[float64], show func(float64) string) string {
	v, ok := x.Get()
	if !ok {
		return unknown
	}
	return show(v)
}

// answer states the figures before and after, the chance of a right link, and the loss.
func (p *releasePage) answer() {
	d := p.Document
	k, _ := d.K.Get()
	cells, _ := d.Cells.Get()
	released, _ := d.Released.Get()
	p.Answer = []string{
		p.say("alone", count(int64(d.Before.Alone)), count(int64(d.Records)), strings.Join(d.QI, p.T("comma")), count(int64(d.After.Alone)), count(int64(k))),
		p.say("chance", known(d.Linkage, share), share(d.Before.Mean), share(d.After.Mean)),
		p.say("price", known(d.Loss, share), count(int64(cells)), count(int64(d.Records-released))),
	}
}

// exposed are classes of chances to find the record of a person, by the number of records that look like it.
var exposed = []struct {
	name string
	most uint64
}{{"1", 1}, {"≥ 1/2", 2}, {"≥ 1/4", 4}, {"≥ 1/9", 9}, {"≥ 1/99", 99}, {"", 1<<64 - 1}}

// exposures returns the shares of records in these classes before and after.
func (p *releasePage) exposures() []kind {
	count := func(e *document.Exposure) []float64 {
		n, all := make([]float64, len(exposed)), 0.0
		for _, b := range e.Histogram {
			k := 0
			for b.Size > exposed[k].most {
				k++
			}
			n[k] += float64(b.Records)
			all += float64(b.Records)
		}
		for k := range n {
			n[k] *= 100 / max(1, all)
		}
		return n
	}
	return []kind{{"theirs", p.T("before"), count(&p.Document.Before)}, {"ours", p.T("after"), count(p.Document.After)}}
}

// groups returns the names of these classes.
func (p *releasePage) groups() []string {
	var names []string
	for _, x := range exposed {
		names = append(names, x.name)
	}
	names[len(names)-1] = p.T("less")
	return names
}

// tables fills the tables of limits, columns and attacks.
func (p *releasePage) tables(lang *i18n.Language) {
	d := p.Document
	p.Limits = &sheet{Numbers: []int{1, 2}, Head: []string{p.T("limit"), p.T("asked"), p.T("found"), ""}}
	for _, l := range d.Limits {
		verdict := p.T("notkept")
		switch {
		case l.Met:
			verdict = p.T("kept")
		case l.Models != nil:
			verdict = p.T("differ")
		case l.Open:
			verdict = p.T("isopen")
		}
		p.Limits.Rows = append(p.Limits.Rows, sheetRow{Texts: []string{p.T("limit." + l.Limit), short4(string(l.Want)), short4(string(l.Got)), verdict}})
	}
	p.Columns = &sheet{Head: []string{p.T("column"), p.T("role"), p.T("done"), p.T("why")}}
	add := func(role, done string, names ...string) {
		for _, n := range names {
			p.Columns.Rows = append(p.Columns.Rows, sheetRow{Texts: []string{n, p.T("role." + role), done, p.Reasons[n]}})
		}
	}
	for k, c := range d.Columns {
		done := lang.Say(p.Steps[k])
		if c.Withheld > 0 {
			done = p.say("withheld", done, count(int64(c.Withheld)))
		}
		add("quasi", done, c.Column)
	}
	add("sensitive", p.T("asitis"), d.Sensitive...)
	add("plain", p.T("asitis"), d.Plain...)
	add("identifier", p.T("leftout"), d.Dropped...)
	p.Attacked = &sheet{Numbers: []int{1, 2, 3}, Head: []string{p.T("attack"), p.T("success"), p.T("without"), p.T("gain")}}
	for _, a := range d.Attacks {
		name := lang.Say(p.Attacks[a.Attack])
		p.Attacked.Rows = append(p.Attacked.Rows, sheetRow{Texts: []string{name, share(a.Rate), share(a.Baseline), share(a.Risk)}})
	}
	p.Lost = []Fact{{p.T("loss"), known(d.Loss, share)}, {p.T("bound"), known(d.Bound, share)}}
	for _, c := range d.Changes {
		p.Lost = append(p.Lost, Fact{p.T("lost." + strings.ReplaceAll(c.Measure, " ", "_")), share(c.Released)})
	}
}

// short4 returns a number or a fraction with four digits.
func short4(s string) string {
	if r := parseFraction(s); r != nil && !r.IsInt() {
		f, _ := r.Float64()
		return strconv.FormatFloat(f, 'g', 4, 64)
	}
	return s
}

// open says what no limit covers.
func (p *releasePage) open() {
	d := p.Document
	asked := func(name string) bool {
		return slices.ContainsFunc(d.Limits, func(l document.Limit) bool { return l.Limit == name })
	}
	p.Open = append(p.Open, p.T("open.roles"))
	if len(d.Plain) > 0 {
		p.Open = append(p.Open, p.say("open.plain", strings.Join(d.Plain, p.T("comma"))))
	}
	if len(d.Sensitive) > 0 && !asked("t") {
		p.Open = append(p.Open, p.T("open.t"))
	}
	if len(d.Sensitive) > 0 && !asked("singling_out") {
		p.Open = append(p.Open, p.T("open.singling"))
	}
	if len(d.Sensitive) > 0 && !asked("inference") {
		p.Open = append(p.Open, p.T("open.inference"))
	}
	p.Open = append(p.Open, p.T("open.others"), p.T("open.population"))
}
