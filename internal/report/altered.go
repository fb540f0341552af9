package report

import (
	"cmp"
	"io"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/document"
)

// Altered is the data of the page about a table that is published with changed values: what was changed, what
// users lose, and what a reader learns.
type Altered struct {
	Lang    string // language of the page: "en" or "ja"
	Version string
	Verdict string // the last line that the verb printed
	Facts   []Fact // the options given
	Of      *document.Altered
	// Levels are the sensitive cells of an adjusted table, for which no intervals are known.
	Levels []document.MovedCell
}

// alteredRows is the largest number of cells in a list of the page.
const alteredRows = 200

// An alteredRow is a line of one of its lists.
type alteredRow struct {
	Cell, Value, Published, Change, Lower, Upper, Verdict string
	by                                                    *big.Rat
}

// alteredPage is the data of the template.
type alteredPage struct {
	*Altered
	words
	Title, More, LearnedNote string
	Rows, Learned            []alteredRow
	Lost                     []Fact
}

// WriteAltered writes the page. It depends only on a.
func WriteAltered(w io.Writer, a *Altered) error {
	said, err := wordsOf(a.Lang, "altered")
	if err != nil {
		return err
	}
	d := a.Of
	p := &alteredPage{Altered: a, words: said, Title: said.say("title", d.Table)}
	p.Facts = append(slices.Clone(a.Facts), Fact{p.T("made"), "hitoku " + a.Version})
	for _, c := range d.Values {
		if c.Value == c.Published {
			continue
		}
		row := alteredRow{Cell: c.Cell, Value: string(c.Value), Published: string(c.Published)}
		row.by = new(big.Rat).Sub(c.Published.Rat(), c.Value.Rat())
		row.Change = signed(row.by)
		p.Rows = append(p.Rows, row)
	}
	slices.SortStableFunc(p.Rows, func(x, y alteredRow) int {
		return new(big.Rat).Abs(y.by).Cmp(new(big.Rat).Abs(x.by))
	})
	if more := len(p.Rows) - alteredRows; more > 0 {
		p.Rows, p.More = p.Rows[:alteredRows], p.say("more", more)
	}
	p.lost()
	p.learned()
	return execute(w, "altered.html", p)
}

// signed returns a change with its sign.
func signed(by *big.Rat) string {
	text := by.RatString()
	if !by.IsInt() {
		text = by.FloatString(9)
		for text[len(text)-1] == '0' {
			text = text[:len(text)-1]
		}
	}
	if by.Sign() > 0 {
		text = "+" + text
	}
	return text
}

// lost says what users lose.
func (p *alteredPage) lost() {
	d := p.Of
	number := func(x *float64) string {
		return given(x, func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) })
	}
	text := func(x document.Exact) string { return cmp.Or(string(x), unknown) }
	p.Lost = []Fact{
		{p.T("cells"), p.say("ofcells", d.Changed, d.Size)}, {p.T("largest"), text(d.Largest)}, {p.T("mean"), number(d.Mean)},
		{p.T("distance"), text(d.Distance)}, {p.T("bound"), text(d.Bound)}, {p.T("hellinger"), number(d.Hellinger)}, {p.T("broken"), p.say("ofcells", d.Broken, d.Relations)},
	}
}

// learned says what a reader learns.
func (p *alteredPage) learned() {
	l := p.Of.Learned
	switch {
	case l != nil:
		p.LearnedNote = p.T("intervals")
		for k, c := range l.Cells {
			if k == alteredRows {
				p.LearnedNote += " " + p.say("more", len(l.Cells)-k)
				break
			}
			row := alteredRow{Cell: c.Cell, Value: string(c.Value), Published: string(c.Published), Lower: string(c.Lower), Upper: string(c.Upper)}
			switch {
			case c.Disclosed:
				row.Verdict = p.T("disclosed")
			case c.Sensitive && !c.Protected:
				row.Verdict = p.T("unprotected")
			case c.Sensitive:
				row.Verdict = p.T("protected")
			}
			for _, end := range []*string{&row.Lower, &row.Upper} {
				*end = cmp.Or(*end, unknown)
			}
			p.Learned = append(p.Learned, row)
		}
	case len(p.Levels) > 0:
		p.LearnedNote = p.T("moved")
	default:
		p.LearnedNote = p.T("none")
	}
}
