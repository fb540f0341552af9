package report

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A Protection is one table as it is, or is to be, published: what the page of
// hitoku report says.
type Protection struct {
	Lang     string // en or ja
	Table    *table.Table
	Withheld []bool
	Audit    *interval.Report
	// Told says that statuses tell the sensitive cells. Mask leaves the true values of
	// withheld cells out.
	Told, Mask bool

	File, SHA256               string
	Published, PublishedSHA256 string // the file that tells what is withheld, if another
	Version                    string

	// The rules, as far as they were given beside the input.
	Below           int64
	Zeros           bool
	Rules           *table.Rules
	LPL, UPL, Width *table.Level
	Strict          bool
	MarginsKept     bool
	Lower, Upper    *table.Decimal
}

// What a page shows at most: a grid that a person can read, and a list that a browser
// can.
const (
	maxGridCells   = 500
	maxGridColumns = 24
	maxListed      = 5000
)

// reasonClasses are the classes of withheld cells, by reason, with the letters that
// tell them where colours do not.
var reasonClasses = []struct {
	reason      table.Reason
	class, mark string
}{
	{table.ByFrequency, "frequency", "F"}, {table.ByDominance, "dominance", "D"}, {table.ByPercent, "percent", "P"},
	{table.ByRequest, "request", "R"}, {table.ByZero, "zero", "Z"}, {table.ByManual, "manual", "M"}, {table.NoReason, "secondary", "s"},
}

// protectionPage is what protection.html shows.
type protectionPage struct {
	*Protection
	words   map[string]string
	leaves  [][]bool
	of      map[int]*interval.Cell
	Secret  bool // true values of withheld cells are on the page
	Failing bool
	Grids   []protectionGrid
	Legend  []protectionKey
	Summary []protectionSum
	Cells   []protectionCell
	Widths  []protectionWidth
	More    string
}

type protectionKey struct{ Class, Mark, Name string }

type protectionSum struct {
	Name, Share, Margins, Respondents, Value, Cost string
	Cells                                          int
	Sum                                            bool
}

type protectionGrid struct {
	Title, Corner string
	Head          []string
	Rows          []protectionRow
}

type protectionRow struct {
	Name  string
	Total bool
	Cells []protectionText
}

// protectionText is a cell of a grid: its value or, where that is not shown, what an
// intruder learns.
type protectionText struct{ Text, Interval, Mark, Class, Hover string }

type protectionCell struct {
	Name, Class, Mark, Reason, Value, Lower, Upper, Range, Wanted, Verdict string
	Bad                                                                    bool
}

type protectionWidth struct {
	Name               string
	Primary, Secondary int
}

// Languages are those that Protect writes.
func Languages() []string { return []string{"en", "ja"} }

// Protect writes the page of a protected table: which cells are withheld and why,
// what an intruder can compute of them, the sums by status, and the rules in words.
func Protect(w io.Writer, r *Protection) error {
	p := &protectionPage{Protection: r, words: words[r.Lang], leaves: r.Table.Leaves(), of: make(map[int]*interval.Cell, len(r.Audit.Cells))}
	if p.words == nil {
		return fmt.Errorf("report: no language %q, want en or ja", r.Lang)
	}
	for k := range r.Audit.Cells {
		c := &r.Audit.Cells[k]
		p.of[c.Index] = c
		p.Failing = p.Failing || !c.Protected
		p.Secret = p.Secret || !r.Mask && r.Table.Known(c.Index)
	}
	p.legend()
	p.sums()
	p.list()
	p.widths()
	p.grids()
	return execute(w, "protection.html", p)
}

// T returns a text in the language of the page.
func (p *protectionPage) T(key string) string { return p.words[key] }

func (p *protectionPage) say(key string, args ...any) string {
	return fmt.Sprintf(p.words[key], args...)
}

func (p *protectionPage) number(v int64) string { return table.FormatDecimal(v, p.Table.Decimals) }

// end formats an end of an interval; nil is infinite.
func (p *protectionPage) end(r *big.Rat, sign string) string {
	if r == nil {
		return sign + p.T("infinite")
	}
	return table.FormatRat(r, p.Table.Decimals)
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
			p.Legend = append(p.Legend, protectionKey{c.class, c.mark, name})
		}
	}
}

// Size and Variables describe the table.
func (p *protectionPage) Size() string {
	return p.say("sizes", p.Table.Len(), p.Table.Rel.Len(), len(p.Table.Dims))
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

// Verdict says whether all cells meet their levels.
func (p *protectionPage) Verdict() string {
	bad, exact, sensitive := 0, 0, 0
	for i, c := range p.of {
		if !c.Protected {
			bad++
		}
		if c.Disclosed {
			exact++
		}
		if p.Table.Status[i] == table.Sensitive {
			sensitive++
		}
	}
	switch {
	case !p.Audit.Protected:
		return p.say("verdictbad", bad, len(p.of), exact)
	case !p.Told:
		return p.say("verdictuntold", len(p.of))
	}
	return p.say("verdictgood", sensitive, len(p.of))
}

// sums fills the table of statuses.
func (p *protectionPage) sums() {
	t := p.Table
	type group struct {
		name  string
		cells []int
		sum   bool
	}
	var groups []group
	by := make([][]int, len(reasonClasses))
	var kept, free, primary, all []int
	for i := range t.Len() {
		all = append(all, i)
		switch {
		case p.Withheld[i]:
			n := p.class(i)
			by[n] = append(by[n], i)
			if reasonClasses[n].reason != table.NoReason {
				primary = append(primary, i)
			}
		case t.Status[i] == table.Published:
			kept = append(kept, i)
		default:
			free = append(free, i)
		}
	}
	rules := 0
	for n, c := range reasonClasses {
		if c.reason != table.NoReason && len(by[n]) > 0 {
			groups = append(groups, group{p.say("primaryof", p.reason(n)), by[n], false})
			rules++
		}
	}
	if rules > 1 {
		groups = append(groups, group{p.T("allprimary"), primary, false})
	}
	last := len(reasonClasses) - 1
	groups = append(groups, group{p.reason(last), by[last], false}, group{p.T("kept"), kept, false}, group{p.T("free"), free, false}, group{p.T("all"), all, true})
	for _, g := range groups {
		if len(g.cells) == 0 && !g.sum && g.name == p.T("kept") {
			continue
		}
		s := protectionSum{Name: g.name, Cells: len(g.cells), Sum: g.sum}
		if t.Len() > 0 {
			s.Share = strconv.FormatFloat(100*float64(len(g.cells))/float64(t.Len()), 'f', 1, 64)
		}
		margins := 0
		value, freq, cost := new(big.Int), new(big.Int), new(big.Int)
		known, counted := true, t.Freq != nil || t.Counts
		add := func(to *big.Int, v int64) { to.Add(to, big.NewInt(v)) }
		for _, i := range g.cells {
			if t.IsMargin(i, p.leaves) {
				margins++
			}
			known = known && t.Known(i) && (!p.Mask || !p.Withheld[i])
			add(value, t.Value[i])
			add(cost, t.Cost[i])
			switch {
			case t.Freq != nil:
				counted = counted && t.Freq[i] >= 0
				add(freq, t.Freq[i])
			case t.Counts:
				counted = counted && t.Known(i)
				add(freq, t.Value[i])
			}
		}
		format := func(ok bool, v *big.Int, decimals int) string {
			if !ok {
				return unknown
			}
			return table.FormatRat(new(big.Rat).SetInt(v), decimals)
		}
		s.Value, s.Respondents, s.Cost = format(known, value, t.Decimals), format(counted && !(p.Mask && !known), freq, 0), format(known, cost, t.CostDecimals)
		if s.Margins = strconv.Itoa(margins); len(t.Dims) == 0 {
			s.Margins = unknown
		}
		p.Summary = append(p.Summary, s)
	}
}

// wanted says what a cell needs.
func (p *protectionPage) wanted(i int) string {
	t := p.Table
	// Levels are often shares of the value: a masked page shows common widths only.
	if t.Status[i] != table.Sensitive || p.Mask && (p.Width == nil || p.Width.Percent) {
		return ""
	}
	var all []string
	if t.LPL[i] > 0 && t.Known(i) && !p.Mask {
		all = append(all, p.say("wl", p.number(t.LPL[i])))
	}
	if t.UPL[i] > 0 && t.Known(i) && !p.Mask {
		all = append(all, p.say("wu", p.number(t.UPL[i])))
	}
	if t.Strict {
		all = append(all, p.say("wss", p.number(t.SPL[i])))
	} else if t.SPL[i] > 0 {
		all = append(all, p.say("ws", p.number(t.SPL[i])))
	}
	return strings.Join(all, p.T("andword"))
}

func (p *protectionPage) verdict(i int) (text string, bad bool) {
	c := p.of[i]
	switch {
	case c.Disclosed:
		return p.T("disclosed"), true
	case !c.Protected:
		return p.T("fail"), true
	case p.Table.Status[i] == table.Sensitive:
		return p.T("ok"), false
	}
	return p.T("open"), false
}

// list fills the list of withheld cells; of a very long one those that fail come
// first and others are left out.
func (p *protectionPage) list() {
	order := make([]int, 0, len(p.of))
	for k := range p.Audit.Cells {
		order = append(order, p.Audit.Cells[k].Index)
	}
	if len(order) > maxListed {
		slices.SortStableFunc(order, func(a, b int) int {
			_, x := p.verdict(a)
			_, y := p.verdict(b)
			switch {
			case x && !y:
				return -1
			case y && !x:
				return 1
			}
			return 0
		})
		left := 0
		for n, i := range order {
			if _, bad := p.verdict(i); n >= maxListed && !bad {
				left = len(order) - n
				order = order[:n]
				break
			}
		}
		if left > 0 {
			p.More = p.say("more", left)
		}
	}
	for _, i := range order {
		c, n := p.of[i], p.class(i)
		line := protectionCell{
			Name: p.Table.CellName(i), Class: reasonClasses[n].class, Mark: reasonClasses[n].mark, Reason: p.reason(n),
			Lower: p.end(c.Lo, "−"), Upper: p.end(c.Hi, ""), Range: p.T("infinite"), Wanted: p.wanted(i), Value: unknown,
		}
		if c.Lo != nil && c.Hi != nil {
			line.Range = p.end(new(big.Rat).Sub(c.Hi, c.Lo), "")
		}
		if p.Table.Known(i) && !p.Mask {
			line.Value = p.number(p.Table.Value[i])
		}
		line.Verdict, line.Bad = p.verdict(i)
		p.Cells = append(p.Cells, line)
	}
}

// widthClasses are the upper ends of the classes of widths, in % of the value.
var widthClasses = []struct {
	below int64
	key   string
}{{10, "w10"}, {50, "w50"}, {100, "w100"}, {200, "w200"}}

// widths counts the intervals of cells of known value by their width.
func (p *protectionPage) widths() {
	if p.Mask || !p.Told {
		return
	}
	keys := []string{"w0", "w10", "w50", "w100", "w200", "wmore", "winf"}
	count := map[string]*protectionWidth{}
	for _, k := range keys {
		count[k] = &protectionWidth{Name: p.T(k)}
	}
	any := false
	for i, c := range p.of {
		if !p.Table.Known(i) || p.Table.Value[i] == 0 {
			continue
		}
		any = true
		key := "wmore"
		switch {
		case c.Lo == nil || c.Hi == nil:
			key = "winf"
		case c.Disclosed:
			key = "w0"
		default:
			share := new(big.Rat).Sub(c.Hi, c.Lo)
			share.Mul(share, big.NewRat(100, 1))
			share.Quo(share, new(big.Rat).SetInt(new(big.Int).Abs(big.NewInt(p.Table.Value[i]))))
			for _, w := range widthClasses {
				if share.Cmp(big.NewRat(w.below, 1)) < 0 {
					key = w.key
					break
				}
			}
		}
		if p.Table.Status[i] == table.Sensitive {
			count[key].Primary++
		} else {
			count[key].Secondary++
		}
	}
	if !any {
		return
	}
	for _, k := range keys {
		p.Widths = append(p.Widths, *count[k])
	}
}

// Learns says in words what the intervals tell an intruder.
func (p *protectionPage) Learns() []string {
	var all []string
	exact, open := 0, 0
	var least *big.Rat
	var at *interval.Cell
	for k := range p.Audit.Cells {
		c := &p.Audit.Cells[k]
		if c.Disclosed {
			exact++
		}
		if c.Hi == nil {
			open++
		}
		if c.Lo == nil || c.Hi == nil || p.Table.Status[c.Index] != table.Sensitive {
			continue
		}
		if w := new(big.Rat).Sub(c.Hi, c.Lo); least == nil || w.Cmp(least) < 0 {
			least, at = w, c
		}
	}
	if exact == 0 {
		all = append(all, p.T("learnnone"))
	} else {
		all = append(all, p.say("learnexact", exact))
	}
	if at != nil {
		all = append(all, p.say("learnnarrow", p.Table.CellName(at.Index), p.end(at.Lo, "−"), p.end(at.Hi, "")))
	}
	if open > 0 {
		all = append(all, p.say("learnopen", open, len(p.of)))
	}
	return append(all, p.say("learnengine", p.Audit.Engine), p.T("learninsider"))
}

// Rules puts the rules and options into words.
func (p *protectionPage) Rules() []string {
	var all []string
	add := func(key string, args ...any) { all = append(all, p.say(key, args...)) }
	if p.Below > 0 {
		key := "below"
		if p.Zeros {
			key = "belowzero"
		}
		add(key, strconv.FormatInt(p.Below, 10))
	}
	if r := p.Protection.Rules; r != nil {
		for _, d := range r.Dominance {
			if d.N == 1 {
				add("ruledom1", d.K.String())
			} else {
				add("ruledom", d.N, d.K.String())
			}
		}
		for _, q := range r.PQ {
			if q.Q.String() == "100" && q.N == 1 {
				add("rulepq1", q.P.String())
			} else if q.Q.String() == "100" {
				add("rulepq", q.N, q.P.String())
			} else {
				add("rulepqq", q.N, q.P.String(), q.Q.String())
			}
		}
		for range r.Request {
			add("rulereq")
		}
		for _, f := range r.MinFreq {
			add("rulefreq", f.M)
		}
		if r.Zero != nil {
			add("rulezero")
		}
	}
	if len(all) == 0 {
		add("rulenone")
	}
	level := func(l *table.Level) string {
		if l.Percent {
			return p.say("percentof", l.Decimal.String()+" %")
		}
		return l.Decimal.String()
	}
	if p.Width != nil {
		key := "levelwidth"
		if p.Strict {
			key = "levelstrict"
		}
		add(key, level(p.Width))
	}
	if p.LPL != nil {
		add("levellpl", level(p.LPL))
	}
	if p.UPL != nil {
		add("levelupl", level(p.UPL))
	}
	own := p.Width == nil && p.LPL == nil && p.UPL == nil
	if own && p.Table.Strict {
		add("exactonly")
	} else if own {
		add("levelsinput")
	}
	switch {
	case len(p.Table.Dims) == 0: // which cells are margins is not known
	case p.MarginsKept:
		add("marginsno")
	default:
		add("marginsyes")
	}
	lower, upper, same := p.bounds()
	if same && upper == p.T("infinite") {
		add("boundslow", lower)
	} else if same {
		add("bounds", lower, upper)
	} else {
		add("boundsin")
	}
	return all
}

// bounds returns the bounds of all cells where they are alike.
func (p *protectionPage) bounds() (lower, upper string, same bool) {
	t := p.Table
	for i := range t.Len() {
		if t.Lower[i] != t.Lower[0] || t.Upper[i] != t.Upper[0] {
			return "", "", false
		}
	}
	if t.Len() == 0 {
		return "", "", false
	}
	end := func(v int64) string {
		switch v {
		case table.PosInf:
			return p.T("infinite")
		case table.NegInf:
			return "−" + p.T("infinite")
		}
		return p.number(v)
	}
	return end(t.Lower[0]), end(t.Upper[0]), true
}

// text is a cell as the grid shows it.
func (p *protectionPage) text(i int) protectionText {
	t := p.Table
	if !p.Withheld[i] {
		return protectionText{Text: p.number(t.Value[i])}
	}
	n, c := p.class(i), p.of[i]
	x := protectionText{Class: reasonClasses[n].class, Mark: reasonClasses[n].mark}
	if !c.Protected {
		x.Class += " fails"
	}
	parts := []string{p.say("hover", t.CellName(i), p.reason(n), p.end(c.Lo, "−")+" … "+p.end(c.Hi, ""))}
	if x.Interval = p.end(c.Lo, "−") + "…" + p.end(c.Hi, ""); t.Known(i) && !p.Mask {
		x.Text, x.Interval = p.number(t.Value[i]), ""
		parts = append(parts, p.say("hovervalue", x.Text))
	}
	if w := p.wanted(i); w != "" {
		parts = append(parts, p.say("hoverlevel", w))
	}
	if text, bad := p.verdict(i); bad {
		parts = append(parts, text)
		x.Mark += "!"
	}
	x.Hover = strings.Join(parts, "\n")
	return x
}

// grids lays small tables out as cross-tabulations of the first two variables.
func (p *protectionPage) grids() {
	t := p.Table
	k := len(t.Dims)
	if k == 0 || t.Len() > maxGridCells || k > 1 && len(t.Dims[1].Codes) > maxGridColumns {
		return
	}
	at := make(map[[6]int32]int, t.Len())
	for i := range t.Len() {
		var key [6]int32
		copy(key[:], t.Coord[i*k:i*k+k])
		at[key] = i
	}
	rows, names := t.Dims[0].Shown("\u2003")
	columns, head, corner := []int32{0}, []string{p.T("value")}, t.Dims[0].Name
	if k > 1 {
		columns, head = t.Dims[1].Shown("")
		corner += " \\ " + t.Dims[1].Name
	}
	var layer func(key [6]int32, d int, title string)
	layer = func(key [6]int32, d int, title string) {
		if d >= k {
			g := protectionGrid{Title: title, Corner: corner, Head: head}
			for n, r := range rows {
				row := protectionRow{Name: names[n], Total: r == 0}
				for _, c := range columns {
					key[0] = r
					if k > 1 {
						key[1] = c
					}
					x := protectionText{Text: "-"}
					if i, ok := at[key]; ok {
						x = p.text(i)
					}
					row.Cells = append(row.Cells, x)
				}
				g.Rows = append(g.Rows, row)
			}
			p.Grids = append(p.Grids, g)
			return
		}
		order, labels := t.Dims[d].Shown("")
		for n, c := range order {
			key[d] = c
			next := t.Dims[d].Name + " = " + labels[n]
			if title != "" {
				next = title + p.T("andword") + next
			}
			layer(key, d+1, next)
		}
	}
	layer([6]int32{}, 2, "")
}
