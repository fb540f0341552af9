package report

import (
	"cmp"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A Protection is the data of the page of hitoku report: one table, or a set of linked tables, as it is
// published or will be.
type Protection struct {
	Lang     string // en or ja; empty means en
	About    About
	Response string // name of the response, if several share one pattern; each is then a Protection
	Table    *table.Table
	Withheld []bool
	Audit    *interval.Report // audit of Table without the withheld cells
	// Linked are the tables of which Table is made, if it is a set (see table.Link).
	Linked []Part
	// Told says that statuses show which cells are sensitive. Mask leaves out the true values of withheld
	// cells.
	Told, Mask bool

	File, SHA256               string // for a single table
	Published, PublishedSHA256 string // the file that shows what is withheld, if it is another one
	Others                     []Source
	Version                    string

	// The rules, as far as they were given in addition to the input.
	Below           int64
	Zeros           bool
	Rules           *table.Rules
	LPL, UPL, Width *table.Level
	Strict          bool
	MarginsKept     bool
	// MarginWeight is the factor for the costs of margins, applied once for each dimension in which a cell is a margin.
	MarginWeight *table.Decimal
	Cost         string // count, value, freq, given, power:λ or a column; empty: not known
	Lower, Upper *table.Decimal

	// Further results, each nil if there are none.
	Run      *Run              // how the cells were chosen
	Attack   *Attack           // result of the matching attack
	Insiders *insider.Report   // result for Table without the withheld cells
	Unions   *Unions           // sums of cells
	Earlier  *document.Earlier // what was published before, as hitoku suppress found it
	// Intervals are published in place of marks.
	Intervals *Intervals
	// Combinations says for each cell that is disclosed or misses its levels how that follows from what is
	// published.
	Combinations map[int][]interval.Combination
	// Whole is set if the intervals and combinations take tables published before into account: it is the
	// problem that these and Table form together. The cells of Table are the first in it, and Where returns the
	// names of its cells. Nil: they are for Table alone.
	Whole *table.Table
	Where func(i int) string
}

// A Part is one of several linked tables: its cell i is cell Cell[i] of the set.
type Part struct {
	Table                      *table.Table
	Cell                       []int32
	File, SHA256               string
	Published, PublishedSHA256 string
}

// A Source is another file that was used. Kind is hierarchy, metadata, apriori, run or attack.
type Source struct{ Kind, File, SHA256 string }

// Limits on what a page shows: on a grid so that it can be read, and on lists so that browsers and printers can
// take them.
const (
	maxGridCells    = 2000
	maxNeighbours   = 4000 // cells of the grids that show what is withheld in a larger table
	maxBlockRows    = 40   // rows of such a grid
	maxBlockColumns = 12
	maxGridLetters  = 128 // letters in a line of a grid, which fit on a printed page
	maxListed       = 1000
	maxListedOthers = 200 // cells listed for attacks and insiders
)

// reasonClasses are the classes of withheld cells by reason, with letters that distinguish them without
// colours.
var reasonClasses = []struct {
	reason      table.Reason
	class, mark string
}{
	{table.ByFrequency, "frequency", "F"}, {table.ByDominance, "dominance", "D"}, {table.ByPercent, "percent", "P"}, {table.ByMeasure, "measure", "L"},
	{table.ByRequest, "request", "R"}, {table.ByZero, "zero", "Z"}, {table.ByManual, "manual", "M"}, {table.NoReason, "secondary", "s"},
}

// protectionPage is the data of protection.html.
type protectionPage struct {
	*Protection
	words
	of       map[int]*interval.Cell
	within   [][]int // for each cell of a set, the parts that have it
	margin   []bool  // for each cell, whether it is a margin in every part that has it
	places   int     // decimals of the values, as in the input
	costs    int     // decimals of the costs
	Secret   bool    // the page shows true values of withheld cells
	Priced   bool    // the page shows the cost of the pattern, which may reveal them
	Failing  bool
	Shared   bool // some cell of the set is in several tables
	Files    []Fact
	Legend   []protectionKey
	Summary  []protectionSums
	Parts    []protectionPart
	Cells    []protectionCell
	Widths   []protectionWidth
	More     []string
	Warnings []string  // what other intruders learn
	Sections []section // sections before the list of withheld cells
	Chosen   *section  // how the cells were chosen
	Follows  *section  // the section that shows Combinations
}

type protectionKey struct{ Class, Mark, Name string }

// Languages returns the languages that Protect writes.
func Languages() []string { return []string{"en", "ja"} }

// Protect writes the page about a protected table: which cells are withheld and why, what an intruder can
// compute about them, the sums by status, and the rules in words. For a table with several responses under one
// pattern it takes one r for each, all in the same language and from the same files. The same r gives the same
// bytes.
func Protect(w io.Writer, r ...*Protection) error {
	var all struct {
		Pages   []*protectionPage
		Digests []Fact // checksums that each of the pages may show
	}
	for _, one := range r {
		p, err := newProtectionPage(one)
		if err != nil {
			return err
		}
		p.files()
		p.sums()
		p.list()
		p.widths()
		p.grids()
		p.chosen()
		p.partial()
		p.attacked()
		p.insiders()
		p.earlier()
		p.unions()
		p.follows()
		if all.Pages = append(all.Pages, p); len(all.Pages) == 1 || len(p.Files) < len(all.Digests) {
			all.Digests = p.Files
		}
	}
	if len(all.Pages) == 0 {
		return errNothing
	}
	return execute(w, "protection.html", &all)
}

var errNothing = i18n.New("report: a page needs a table, what is withheld of it and its audit")

// newProtectionPage returns a page that knows its cells, their places and its words, but has no sections yet.
func newProtectionPage(r *Protection) (*protectionPage, error) {
	if r.Table == nil || r.Audit == nil || len(r.Withheld) != r.Table.Len() {
		return nil, errNothing
	}
	one := *r
	one.Lang = cmp.Or(one.Lang, "en")
	said, err := wordsOf(one.Lang, "protection")
	if err != nil {
		return nil, err
	}
	p := &protectionPage{Protection: &one, words: said, of: make(map[int]*interval.Cell, len(r.Audit.Cells))}
	for k := range r.Audit.Cells {
		c := &r.Audit.Cells[k]
		p.of[c.Index] = c
		p.Failing = p.Failing || !c.Protected
		p.Secret = p.Secret || !r.Mask && r.Table.Known(c.Index)
	}
	p.Priced = !r.Mask && r.Run != nil && r.Run.Cost != ""
	t := r.Table
	p.places = placesOf(t.Value, func(i int) bool { return !t.Known(i) }, t.Decimals)
	p.costs = placesOf(t.Cost, nil, t.CostDecimals)
	p.place()
	p.legend()
	return p, nil
}

// say returns a text with arguments, in which integers have thousands separators.
func (p *protectionPage) say(key string, args ...any) string {
	for k, a := range args {
		if n, ok := a.(int); ok {
			args[k] = count(n)
		}
	}
	return p.words.say(key, args...)
}

// Set reports whether the page is about linked tables.
func (p *protectionPage) Set() bool { return len(p.Linked) > 0 }

// place determines which tables have a cell, and which cells are margins.
func (p *protectionPage) place() {
	t := p.Table
	p.margin = make([]bool, t.Len())
	if !p.Set() {
		leaves := t.Leaves()
		for i := range p.margin {
			p.margin[i] = t.IsMargin(i, leaves)
		}
		return
	}
	p.within = make([][]int, t.Len())
	for k, part := range p.Linked {
		leaves := part.Table.Leaves()
		for i, c := range part.Cell {
			m := part.Table.IsMargin(i, leaves)
			p.margin[c] = m && (p.margin[c] || len(p.within[c]) == 0)
			p.within[c] = append(p.within[c], k)
			p.Shared = p.Shared || len(p.within[c]) > 1
		}
	}
}

// digestName is printed beside a checksum.
const digestName = "SHA-256"

// files lists the files that were read. A masked page has no checksum of a file that contains a withheld value:
// otherwise somebody could try values until the file made with one of them has that checksum.
func (p *protectionPage) files() {
	add := func(name, file, sum string, tells bool) {
		if file == "" {
			return
		}
		p.Files = append(p.Files, Fact{name, file})
		if !(p.Mask && tells) {
			p.Files = append(p.Files, Fact{digestName, sum})
		}
	}
	for _, f := range p.Linked {
		tells := false
		for i, c := range f.Cell {
			tells = tells || p.Withheld[c] && f.Table.Known(i)
		}
		add(p.T("file"), f.File, f.SHA256, tells)
		add(p.T("published"), f.Published, f.PublishedSHA256, false)
	}
	tells := false
	for i, x := range p.Withheld {
		tells = tells || x && p.Table.Known(i)
	}
	add(p.T("file"), p.File, p.SHA256, tells)
	add(p.T("published"), p.Published, p.PublishedSHA256, false)
	for _, s := range p.Others {
		add(p.T("source"+s.Kind), s.File, s.SHA256, s.Kind != "hierarchy" && s.Kind != "metadata")
	}
}

func (p *protectionPage) number(v int64) string {
	return grouped(table.FormatDecimal(v, p.Table.Decimals))
}

// end returns an end of an interval as text; nil is infinite.
func (p *protectionPage) end(r *big.Rat, sign string) string {
	if r == nil {
		return sign + p.T("infinite")
	}
	return ratText(r, p.Table.Decimals)
}

// value returns the value of cell i as text for a column of numbers; column does the same for an end of an
// interval.
func (p *protectionPage) value(i int) string { return padded(p.number(p.Table.Value[i]), p.places) }

func (p *protectionPage) column(r *big.Rat, sign string) string {
	return padded(p.end(r, sign), p.places)
}

// span returns an interval as text.
func (p *protectionPage) span(lo, hi *big.Rat, between string) string {
	return p.end(lo, "−") + between + p.end(hi, "")
}

// class returns the index of a withheld cell's class in reasonClasses.
func (p *protectionPage) class(i int) int {
	r := table.NoReason
	if p.Table.Status[i] == table.Sensitive && p.Told {
		r = p.Table.ReasonOf(i)
	}
	for n := range reasonClasses {
		if reasonClasses[n].reason == r {
			return n
		}
	}
	return len(reasonClasses) - 1
}

func (p *protectionPage) reason(n int) string {
	c := reasonClasses[n]
	if c.reason != table.NoReason {
		return p.T(c.class)
	}
	if !p.Told {
		return p.T("untold")
	}
	return p.T("secondary")
}

// mark returns the letter of a class: x if it is not told which cells are sensitive.
func (p *protectionPage) mark(n int) string {
	if !p.Told {
		return "x"
	}
	return reasonClasses[n].mark
}

func (p *protectionPage) legend() {
	used := make([]bool, len(reasonClasses))
	for i := range p.of {
		used[p.class(i)] = true
	}
	for n, c := range reasonClasses {
		if used[n] {
			name := p.reason(n)
			if c.reason != table.NoReason {
				name = p.say("primaryof", name)
			}
			p.Legend = append(p.Legend, protectionKey{c.class, p.mark(n), name})
		}
	}
}

// Size and Variables describe the table.
func (p *protectionPage) Size() string {
	text := p.say("sizes", p.Table.Len(), p.Table.Rel.Len(), len(p.Table.Dims))
	if p.Set() {
		return p.say("sizeset", len(p.Linked), text)
	}
	return text
}

func (p *protectionPage) Variables() string {
	var all []string
	for d := range p.Table.Dims {
		dim := &p.Table.Dims[d]
		key := "leaves"
		if !dim.Flat() {
			key = "tree"
		}
		all = append(all, p.say(key, dim.Name, len(dim.Codes)))
	}
	if all == nil {
		return p.T("relationsalone")
	}
	return strings.Join(all, p.T("andword"))
}

// Headline and Verdict say whether all cells meet their levels.
func (p *protectionPage) Headline() string {
	key := string(p.Audit.Verdict())
	switch {
	case p.Nothing():
		key = string(interval.Nothing)
	case p.Audit.Protected && !p.Good():
		key = "protectedbut"
	}
	if p.Set() {
		key += "set"
	}
	return p.T(key)
}

// Nothing reports whether no cell is sensitive or withheld, here or in what is published beside it, so that
// nothing needed protection.
func (p *protectionPage) Nothing() bool {
	return p.Good() && p.Told && len(p.Audit.Cells) == 0 && p.Earlier == nil && (p.Unions == nil || len(p.Unions.Found) == 0) && !slices.Contains(p.Table.Status, table.Sensitive)
}

// Good reports whether nothing on the page shows a cell to be insufficiently protected.
func (p *protectionPage) Good() bool { return p.Audit.Protected && len(p.Warnings) == 0 }

// Verdict returns the line with which every verb ends, in the language of the page.
func (p *protectionPage) Verdict() string {
	tally := p.Audit.Tally(p.Table, p.Told)
	if p.Nothing() {
		tally.Verdict = interval.Nothing
	}
	language, err := catalogue.For(p.Lang)
	if err != nil {
		language = i18n.English
	}
	line := language.Say(tally.Message())
	if !p.Told {
		line += p.T("stop") + p.T("sentence") + p.T("verdictuntold")
	}
	return line
}
