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

// A Protection is one table, or a set of linked tables, as it is or is to be published:
// what the page of hitoku report says.
type Protection struct {
	Lang     string // en or ja; empty means en
	About    About
	Response string // name of the response, where several share one mask; each is a Protection
	Table    *table.Table
	Withheld []bool
	Audit    *interval.Report // result for Table without the withheld cells
	// Linked are the tables that Table is made of, if it is a set (see table.Link).
	Linked []Part
	// Told says that statuses tell the sensitive cells. Mask leaves the true values of
	// withheld cells out.
	Told, Mask bool

	File, SHA256               string // of a single table
	Published, PublishedSHA256 string // the file that tells what is withheld, if another
	Others                     []Source
	Version                    string

	// The rules, as far as they were given beside the input.
	Below           int64
	Zeros           bool
	Rules           *table.Rules
	LPL, UPL, Width *table.Level
	Strict          bool
	MarginsKept     bool
	MarginWeight    *table.Decimal // factor for the costs of margins, applied once for each dimension in which a cell is one
	Cost            string         // count, value, freq, given, power:λ or a column; empty: not said
	Lower, Upper    *table.Decimal

	// What else is known, each nil if nothing.
	Run      *Run              // how the cells were chosen
	Attack   *Attack           // what the matching attack tells
	Insiders *insider.Report   // result for Table without the withheld cells
	Unions   *Unions           // sums of cells
	Earlier  *document.Earlier // what was published before, as hitoku suppress found it
	// Intervals are published in place of marks.
	Intervals *Intervals
	// Combinations say, by cell, how those that are disclosed or miss their levels follow from what is published.
	Combinations map[int][]interval.Combination
	// Whole is, where the intervals and combinations are those that tables published before leave, too, the problem that they make with Table, whose cells come first, and Where
	// calls its cells; nil: they are those of Table alone.
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

// A Source is another file that took part. Kind is hierarchy, metadata, apriori, run or
// attack.
type Source struct{ Kind, File, SHA256 string }

// What a page shows at most: a grid that a person can read, and lists that a browser
// and a printer can take.
const (
	maxGridCells    = 2000
	maxNeighbours   = 4000 // cells of grids of what is withheld of a larger table
	maxBlockRows    = 40   // most rows of such a grid
	maxBlockColumns = 12
	maxGridLetters  = 128 // most letters in a line of a grid, as many as fit on a printed page
	maxListed       = 1000
	maxListedOthers = 200 // most cells listed for attacks and insiders
)

// reasonClasses are the classes of withheld cells, by reason, with the letters that
// tell them where colours do not.
var reasonClasses = []struct {
	reason      table.Reason
	class, mark string
}{
	{table.ByFrequency, "frequency", "F"}, {table.ByDominance, "dominance", "D"}, {table.ByPercent, "percent", "P"}, {table.ByMeasure, "measure", "L"},
	{table.ByRequest, "request", "R"}, {table.ByZero, "zero", "Z"}, {table.ByManual, "manual", "M"}, {table.NoReason, "secondary", "s"},
}

// protectionPage is what protection.html shows.
type protectionPage struct {
	*Protection
	words
	of       map[int]*interval.Cell
	within   [][]int // for each cell of a set, the parts that have it
	margin   []bool  // for each cell, whether it is a margin in every part that has it
	places   int     // decimals of the values, as in the input
	costs    int     // and of the costs
	Secret   bool    // true values of withheld cells are on the page
	Priced   bool    // the cost of the pattern is, which can tell them
	Failing  bool
	Shared   bool // the set has cells of several tables
	Files    []Fact
	Legend   []protectionKey
	Summary  []protectionSums
	Parts    []protectionPart
	Cells    []protectionCell
	Widths   []protectionWidth
	More     []string
	Warnings []string  // what the other intruders learn
	Sections []section // before the list of withheld cells
	Chosen   *section  // how the cells were chosen
	Follows  *section  // section that shows Combinations
}

type protectionKey struct{ Class, Mark, Name string }

// Languages are those that Protect writes.
func Languages() []string { return []string{"en", "ja"} }

// Protect writes the page of a protected table: which cells are withheld and why,
// what an intruder can compute of them, the sums by status, and the rules in words. Of a table with
// several responses under one mask it takes one r for each, in one language, from the same files.
// The same r gives the same bytes.
func Protect(w io.Writer, r ...*Protection) error {
	var all struct {
		Pages   []*protectionPage
		Digests []Fact // that every page may show
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

// newProtectionPage knows the cells, their places and the words of a page, and has no part of it yet.
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

// say is a text with arguments, and marks between the thousands of whole numbers.
func (p *protectionPage) say(key string, args ...any) string {
	for k, a := range args {
		if n, ok := a.(int); ok {
			args[k] = count(n)
		}
	}
	return p.words.say(key, args...)
}

// Set says that the page is about linked tables.
func (p *protectionPage) Set() bool { return len(p.Linked) > 0 }

// place finds out which tables have a cell, and which cells are margins.
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

// digestName is what stands beside a checksum.
const digestName = "SHA-256"

// files lists what was read. A masked page has no checksum of a file from which a withheld value can be
// told: with it a guess of the value could be tried until the file so made has that checksum.
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

// end formats an end of an interval; nil is infinite.
func (p *protectionPage) end(r *big.Rat, sign string) string {
	if r == nil {
		return sign + p.T("infinite")
	}
	return ratText(r, p.Table.Decimals)
}

// value formats the value of cell i, and column an end of an interval, for a column of
// numbers.
func (p *protectionPage) value(i int) string { return padded(p.number(p.Table.Value[i]), p.places) }

func (p *protectionPage) column(r *big.Rat, sign string) string {
	return padded(p.end(r, sign), p.places)
}

// span formats an interval.
func (p *protectionPage) span(lo, hi *big.Rat, between string) string {
	return p.end(lo, "−") + between + p.end(hi, "")
}

// class is the index of a withheld cell in reasonClasses.
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

// mark is the letter of a class: x where it is not told whether cells are sensitive.
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

// Nothing says that no cell is sensitive or withheld, here or in what is published beside it, so that nothing is protected.
func (p *protectionPage) Nothing() bool {
	return p.Good() && p.Told && len(p.Audit.Cells) == 0 && p.Earlier == nil && (p.Unions == nil || len(p.Unions.Found) == 0) && !slices.Contains(p.Table.Status, table.Sensitive)
}

// Good says that nothing on the page lays a cell open.
func (p *protectionPage) Good() bool { return p.Audit.Protected && len(p.Warnings) == 0 }

// Verdict is the line that every verb ends with, in the language of the page.
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
