package report

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/sets"
)

// An Attack is the result of the matching attack, as hitoku attack prints it as JSON. Empty texts are not
// known.
type Attack struct {
	Dimension            int
	Candidates, Matching string
	Complete             bool
	Seconds              float64
	Cells                []AttackedCell
}

// An AttackedCell is a withheld cell; nil ends are infinite.
type AttackedCell struct {
	Index    int
	Lo, Hi   *big.Rat // feasibility interval, in units of the table (not of 10^−Decimals)
	From, To *big.Rat // effective interval; nil: no candidate matches
	// Found is the least and largest value in the candidates found before a limit; nil: none, or no limit was reached.
	Found        [2]*big.Rat
	Safe, Unsafe bool // neither if not known
}

// Unsafe reports whether some cell is unsafe; a may be nil, which means that there was no attack.
func (a *Attack) Unsafe() bool {
	return a != nil && slices.ContainsFunc(a.Cells, func(c AttackedCell) bool { return c.Unsafe })
}

// Open reports whether a limit was reached before every cell was decided; a may be nil, as for Unsafe.
func (a *Attack) Open() bool {
	return a != nil && !a.Complete && slices.ContainsFunc(a.Cells, func(c AttackedCell) bool { return !c.Safe && !c.Unsafe })
}

func (c *AttackedCell) feasible() *big.Rat  { return width(c.Lo, c.Hi) }
func (c *AttackedCell) effective() *big.Rat { return width(c.From, c.To) }

// attacked fills the section about the matching attack.
func (p *protectionPage) attacked() {
	a := p.Attack
	if a == nil {
		return
	}
	s := section{Heading: p.T("attack"), Text: []string{p.T("attacktext")}}
	safe, unsafe, exact := 0, 0, 0
	cells := make([]*AttackedCell, len(a.Cells))
	for k := range a.Cells {
		c := &a.Cells[k]
		cells[k] = c
		if c.Safe {
			safe++
		}
		if c.Unsafe {
			unsafe++
			if w := c.effective(); w != nil && w.Sign() == 0 {
				exact++
			}
		}
	}
	switch {
	case a.Complete && a.Matching == "0":
		s.Text = append(s.Text, p.T("attacknone"))
	case unsafe == 0 && safe == len(cells):
		s.Text = append(s.Text, p.say("attackgood", len(cells)))
	default:
		text := p.say("attackbad", len(cells), unsafe)
		if exact > 0 {
			text += p.T("sentence") + p.say("attackexact", exact)
		}
		open := len(cells) - safe - unsafe
		if open > 0 {
			text += p.T("sentence") + p.say("attackunknown", open)
		}
		s.Text = append(s.Text, text)
		if unsafe > 0 || open > 0 {
			p.Warnings = append(p.Warnings, p.say("attackwarning", text))
		}
	}
	if !a.Complete {
		s.Text = append(s.Text, p.T("attackopen"))
	}
	number := func(s string) string {
		if s == "" {
			return p.T("uncounted")
		}
		return grouped(s)
	}
	s.Facts = []Fact{
		{p.T("attackdimension"), strconv.Itoa(a.Dimension)}, {p.T("attackcandidates"), number(a.Candidates)},
		{p.T("attackmatching"), number(a.Matching)}, {p.T("runseconds"), strconv.FormatFloat(a.Seconds, 'f', 2, 64)},
	}
	if h, ok := p.attackHistogram(cells); ok {
		s.Figures = []histogram{h}
	}
	slices.SortStableFunc(cells, func(a, b *AttackedCell) int {
		class := func(c *AttackedCell) int {
			switch {
			case c.Unsafe:
				return 0
			case !c.Safe:
				return 1
			}
			return 2
		}
		return cmp.Or(class(a)-class(b), compareWidths(a.effective(), b.effective()), cmp.Compare(a.Index, b.Index))
	})
	s.Sheet = p.attackedCells(a, cells)
	if rest := len(cells) - len(s.Sheet.Rows); rest > 0 {
		s.Notes = append(s.Notes, p.say("attackmore", rest))
	}
	p.Sections = append(p.Sections, s)
}

// attackedCells returns a table of cells, which are sorted with the least safe first.
func (p *protectionPage) attackedCells(a *Attack, cells []*AttackedCell) *sheet {
	x := &sheet{Numbers: []int{1, 2}, Head: []string{p.T("cell"), p.T("feasible"), p.T("effective")}}
	if !a.Complete {
		x.Numbers, x.Head = append(x.Numbers, 3), append(x.Head, p.T("attackfound"))
	}
	x.Head = append(x.Head, p.T("verdict"))
	for _, c := range cells[:min(len(cells), maxListedOthers)] {
		row := sheetRow{Texts: []string{p.Table.CellName(c.Index), p.bracket(c.Lo, c.Hi), unknown}, Bad: c.Unsafe}
		if c.From != nil {
			row.Texts[2] = p.bracket(c.From, c.To)
		}
		if !a.Complete {
			found := unknown
			if c.Found[0] != nil {
				found = p.bracket(c.Found[0], c.Found[1])
			}
			row.Texts = append(row.Texts, found)
		}
		verdict := "attackundecided"
		switch w := c.effective(); {
		case c.Unsafe && w != nil && w.Sign() == 0:
			verdict = "disclosed"
		case c.Unsafe:
			verdict = "unsafe"
		case c.Safe:
			verdict = "safe"
		}
		row.Texts = append(row.Texts, p.T(verdict))
		x.Rows = append(x.Rows, row)
	}
	return x
}

// attackBins is the largest number of groups of bars in the histogram of widths.
const attackBins = 20

// attackHistogram shows how wide the intervals are before and after the attack, without infinite ones.
func (p *protectionPage) attackHistogram(cells []*AttackedCell) (histogram, bool) {
	var before, after []float64
	most := 0.0
	add := func(to *[]float64, w *big.Rat) {
		if w != nil {
			x, _ := w.Float64()
			*to, most = append(*to, x), max(most, x)
		}
	}
	for _, c := range cells {
		add(&before, c.feasible())
		add(&after, c.effective())
	}
	if len(before)+len(after) == 0 {
		return histogram{}, false
	}
	step := binStep(most, p.Table.Decimals)
	bins := int(most/step) + 1
	names := sets.List(bins, func(k int) string { return tickText(float64(k) * step) })
	count := func(widths []float64) []float64 {
		n := make([]int, bins)
		for _, x := range widths {
			n[min(int(x/step), bins-1)]++
		}
		return percentages(n, len(cells))
	}
	return newHistogram(p.T("attackwidths"), p.T("attackwidth"), p.T("attackshare"), names,
		kind{"feasible", p.T("before"), count(before)}, kind{"ours", p.T("after"), count(after)}), true
}

// binStep returns the least of 1, 2, 5, 10, … units of 10^−decimals for which the widths from 0 to most fall
// into at most attackBins bins.
func binStep(most float64, decimals int) float64 {
	step := 1.0
	for range decimals {
		step /= 10
	}
	for k := 0; int(most/step)+1 > attackBins; k++ {
		step *= [...]float64{2, 2.5, 2}[k%3]
	}
	return step
}

// bracket returns an interval, in units of the table, as text.
func (p *protectionPage) bracket(lo, hi *big.Rat) string {
	end := func(r *big.Rat, sign string) string {
		if r == nil {
			return sign + p.T("infinite")
		}
		return ratText(r, 0)
	}
	return "[" + end(lo, "−") + ", " + end(hi, "") + "]"
}
