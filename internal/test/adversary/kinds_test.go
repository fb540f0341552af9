package adversary

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// What follows widens the drawn files by what offices print besides: each kind is drawn on its own stream, so that the files without any are the same
// ones as ever, and changes how numbers are written, what the codes are, what stands beside them, or how the sheet is laid out.

var kindsFlag = flag.String("adversary.kinds", "", "kinds that drawn files may have besides, with commas; all: every one; each file has one to three of them")

// officeKinds are known to files of one table, bookKinds to those of several classifications. A "part row", of which readers know only that it is part of
// the row above it, is drawn only where it is named, so that the others stay as they were.
var officeKinds = []string{"grouped", "fullwidth", "rounded", "thousands", "weighted", "marks", "zeros", "superscript", "markers", "flags", "odd total", "middle total", "group ends", "memo row", "quarters", "months",
	"rates", "margins", "formulas", "no cache", "parts", "hidden row", "transposed", "blank columns", "blank rows", "language", "average row", "balance", "ratio column", "cumulated shares", "mean of years", "contribution", "per cent sign", "amount beside"}

var bookKinds = []string{"grouped", "fullwidth", "rounded", "thousands", "weighted", "marks", "zeros", "superscript", "markers", "flags", "odd total", "middle total", "group ends", "memo row", "quarters", "months",
	"formulas", "no cache", "parts", "hidden row", "transposed", "blank columns", "blank rows", "language", "measures", "average measure", "rate measure", "merged stub", "notes below", "per cent sign", "chart", "rules", "area sheets"}

// soundKinds are those that TestKinds draws: the others are refused mostly, or told of as they should not be where a table has few numbers.
const soundKinds = "grouped,fullwidth,zeros,superscript,odd total,middle total,group ends,memo row,quarters,months,formulas,no cache,parts,hidden row,blank columns,blank rows,language,average row,balance,ratio column,cumulated shares,mean of years,per cent sign,measures,average measure,rate measure,merged stub,notes below,rates,amount beside"

// TestKinds protects drawn files of all kinds that are read well.
func TestKinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	counts := map[string]int{}
	for n := range manyFiles {
		r := rand.New(rand.NewPCG(*officeSeed+2, uint64(n)))
		o, where := (*officeFile)(nil), "office"
		if n%2 == 0 {
			o = drawOffice(r, drawKinds(*officeSeed+2, uint64(n), officeKinds, soundKinds))
		} else {
			o, where = &drawBook(r, drawKinds(*officeSeed+2, uint64(n), bookKinds, soundKinds)).officeFile, "book"
		}
		write := o.write
		if n%4 > 1 && !o.text && !o.k.workbook() {
			write = o.asSpreadsheet
		}
		path, err := write(dir)
		if errors.Is(err, errTwice) {
			continue
		} else if err != nil {
			t.Fatalf("%s %d: %v", where, n, err)
		}
		what, bad, words := o.tried(t, path, false)
		if bad != "" {
			t.Errorf("%s %d %v: %s", where, n, o.features, bad)
		}
		if *officeWhy && (what == "refused" || what == "asked") {
			t.Logf("WHY %s %d %s %v: %q", where, n, what, o.features, words)
		}
		counts[what]++
	}
	if t.Logf("%v", counts); counts["right"]*2 < manyFiles {
		t.Errorf("%v: the draw is of no use", counts)
	}
}

// A kinds holds the kinds of a file and what they have to remember.
type kinds struct {
	*rand.Rand
	on       []string
	group    string            // between thousands
	mark     string            // of cells that are not told
	marked   map[int]bool      // by cell, whether it is told
	zero     string            // what stands for 0
	shape    int               // of signs behind numbers
	tongue   int               // a language instead of French, from 1
	where    map[int]spotOn    // where cells stand last
	ratios   map[spotOn][2]int // of which cells a field shows the quotient
	heads    map[int]string    // headings before rows
	texts    []string          // in parts of the workbook beside its cells
	extras   []func(*excelize.File) error
	derived  int   // the code of a measure made of the others, 0: none
	public   bool  // how many establishments there are is no secret, only what they have
	others   []int // cells of another table
	right    bool  // it stands at the right, so that columns behind it would be its own
	measures int   // the classification of measures, -1: none
	chart    *drawnChart
	rule     *drawnRule
}

// drawKinds draws the kinds of file n.
func drawKinds(seed, n uint64, of []string, which string) *kinds {
	if which == "" {
		return nil
	}
	k := &kinds{Rand: rand.New(rand.NewPCG(seed^0x5eed, n)), marked: map[int]bool{}, where: map[int]spotOn{}, ratios: map[spotOn][2]int{}, heads: map[int]string{}, measures: -1}
	known := of
	if which != "all" {
		want := strings.Split(which, ",")
		known = slices.DeleteFunc(append(slices.Clone(of), "part row"), func(s string) bool { return !slices.Contains(want, s) })
	}
	for range 1 + k.IntN(3) {
		if len(known) > 0 {
			k.on = append(k.on, known[k.IntN(len(known))])
		}
	}
	return k
}

func (k *kinds) is(names ...string) bool {
	return k != nil && slices.ContainsFunc(names, func(s string) bool { return slices.Contains(k.on, s) })
}

func (k *kinds) maybe(n int) bool { return k.IntN(n) == 0 }

// hollow is the refusal of a file that lacks values, with how many and where.
var hollow = regexp.MustCompile(`: ([0-9]+) cells have no value, as they are withheld already or lacking: (.*?)(?: and [0-9]+ more)?;`)

// unstored is the refusal of a formula whose result the file does not have.
var unstored = regexp.MustCompile(`: ([^:!]*)!([A-Z]+[0-9]+): the formula =.* has no stored result[;,]`)

// rightly reports whether a file is refused as it must be: the refusal names cells that the file marks as withheld or not there, and no others,
// a formula without the number that it gives, or a rule of contributors does not go with values that are no whole numbers.
func (o *officeFile) rightly(words string, before map[spot]string) bool {
	k := o.k
	if m := unstored.FindStringSubmatch(words); m != nil && k.is("no cache") {
		at := slices.IndexFunc(o.sheets, func(s *drawnSheet) bool { return s.name == m[1] })
		c, r, err := excelize.CellNameToCoordinates(m[2])
		return at >= 0 && err == nil && r <= len(o.sheets[at].grid) && c <= len(o.sheets[at].grid[r-1]) && o.sheets[at].grid[r-1][c-1].noValue
	}
	if k.is("weighted") && strings.HasSuffix(words, "the minimum-frequency rule needs the number of contributors (a column freq, or a table of counts)\n") {
		return true
	}
	m := hollow.FindStringSubmatch(words)
	if m == nil || !k.is("marks") {
		return false
	}
	marked := 0
	for _, text := range before {
		if text == k.mark {
			marked++
		}
	}
	n, err := strconv.Atoi(m[1])
	if err != nil || n > marked {
		return false
	}
	for _, at := range strings.Split(m[2], ", ") {
		sheet, ref, _ := strings.Cut(at, "!")
		if before[spot{sheet, ref}] != k.mark && before[spot{"", at}] != k.mark {
			return false
		}
	}
	return true
}

// workbook reports whether a text file or a spreadsheet cannot show the kinds.
func (k *kinds) workbook() bool {
	return k.is("superscript", "parts", "hidden row", "chart", "rules")
}

// begin settles what the whole file has; it comes before codes and values are drawn.
func (k *kinds) begin(o *officeFile) {
	if k == nil {
		return
	}
	for _, s := range k.on {
		o.feature("+%s", s)
	}
	if k.workbook() && o.text {
		o.text, o.mark, o.decimalComma = false, ';', false
	}
	if k.is("language") {
		o.lang, k.tongue = 3, 1+k.IntN(len(tongues)-1)
		if o.text || o.asText {
			o.decimalComma = o.mark != ','
		}
	}
	if k.is("fullwidth") {
		o.lang, o.decimalComma = 1, false
		if !o.text {
			o.asText = true
		}
	}
	if k.is("grouped") {
		k.group = []string{" ", "\u00a0", "\u202f", "'", "’", "."}[k.IntN(6)]
		if !o.decimalComma {
			k.group = []string{",", ",", " ", "\u00a0", "’"}[k.IntN(5)]
		}
	}
	k.mark = []string{"x", "*", "…", "..", "...", "X", "c", ":", "(D)", "秘", "ⅹ", "χ", "/", ".", "s", "[c]", "n.a.", "***", "・", "#"}[k.IntN(20)]
	k.zero = []string{"", "0.0", "—", "–", "－", "0"}[k.IntN(6)]
	k.shape = k.IntN(14)
}

// large are how large values may be.
func (k *kinds) large(n int) int {
	if k.is("grouped", "rounded", "thousands") {
		return []int{40, 900, 3000, 60000}[k.IntN(4)]
	}
	return n
}

// fraction makes a value drawn one of the kinds whose values are no whole numbers.
func (k *kinds) fraction(v float64) float64 {
	if k.is("weighted", "thousands") {
		return v + float64(k.IntN(10))/10
	}
	return v
}

// sum is a sum without what doubles add.
func (k *kinds) sum(v float64) float64 { return math.Round(v*1000) / 1000 }

// unit is to what values are rounded, 0: not at all.
func (k *kinds) unit() float64 {
	switch {
	case k.is("rounded"):
		return 10
	case k.is("thousands"):
		return 1
	}
	return 0
}

// addsUp says whether what is printed of a total, the first of the cells, is the sum of what is printed of its parts: else a formula without result is another number.
func (k *kinds) addsUp(o *officeFile, cells []int) bool {
	u := k.unit()
	if u == 0 {
		return true
	}
	sum := math.Round(o.value[cells[0]] / u)
	for _, p := range cells[1:] {
		sum -= math.Round(o.value[p] / u)
	}
	return sum == 0
}

// sensitive says whether what is printed of a value is below the rule.
func (k *kinds) sensitive(v float64) bool {
	if u := k.unit(); u > 0 {
		v = math.Round(v/u) * u
	}
	return v > 0 && v < 3
}

// write writes a number that is a text: with marks between thousands, or as wide as letters.
func (k *kinds) write(text string, comma bool) string {
	if k == nil {
		return text
	}
	sign, rest := "", text
	if strings.HasPrefix(text, "-") {
		sign, rest = "-", text[1:]
	}
	whole, part, _ := strings.Cut(rest, map[bool]string{true: ",", false: "."}[comma])
	if k.group != "" && len(whole) > 3 {
		n := len(whole) % 3
		out := whole[:n]
		for ; n < len(whole); n += 3 {
			if out != "" {
				out += k.group
			}
			out += whole[n : n+3]
		}
		whole = out
	}
	if text = sign + whole; part != "" {
		text += map[bool]string{true: ",", false: "."}[comma] + part
	}
	if k.is("fullwidth") {
		text = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '.' || r == ',' {
				return r - '0' + '０'
			}
			return r
		}, text)
	}
	return text
}

// put puts the value of a cell where a kind says how, and reports whether it did.
func (k *kinds) put(o *officeFile, s *drawnSheet, r, c, cell int) bool {
	if k == nil {
		return false
	}
	k.where[cell] = spotOn{s, r, c}
	v := o.value[cell]
	if k.is("marks") {
		told, ok := k.marked[cell]
		if !ok {
			told = !k.maybe(9)
			k.marked[cell] = told
		}
		if !told {
			s.label(r, c, k.mark)
			if slices.Contains([]string{"…", "..", "...", ":", "/", ".", "n.a.", "・", "#"}, k.mark) { // nobody withholds what is not there
				o.sensitive = slices.DeleteFunc(o.sensitive, func(x int) bool { return x == cell })
			}
			return true
		}
	}
	if k.is("zeros") && v == 0 && k.zero != "0" {
		s.label(r, c, k.zero)
		if k.zero != "" {
			o.isValue(o.spot(s, r, c), cell, 0)
		}
		return true
	}
	if u := k.unit(); u > 0 {
		shown := math.Round(v/u) * u
		o.number(s, r, c, shown, -1, "")
		o.tales = append(o.tales, tale{o.spot(s, r, c), []int{cell}, []float64{1}, shown - u/2, shown + u/2})
	} else if k.is("weighted") {
		o.number(s, r, c, v, -1, []string{"0", "#,##0", "0.0"}[k.shape%3])
		o.isValue(o.spot(s, r, c), cell, 0)
	} else {
		o.number(s, r, c, v, -1, "")
		o.isValue(o.spot(s, r, c), cell, 0)
	}
	f := &s.grid[r][c]
	if f.number && k.group != "" && f.format == "" {
		f.format = []string{"#,##0", "# ##0", `#,##0_);(#,##0)`}[k.shape%3]
	}
	switch {
	case k.is("superscript") && k.maybe(5):
		*f = drawnField{text: f.text, rich: fmt.Sprint(1 + k.IntN(3))}
		if k.shape%3 == 0 {
			*f = drawnField{text: f.text + string([]rune("¹²³")[k.IntN(3)])}
		}
	case k.is("markers") && k.maybe(5):
		t := f.text
		*f = drawnField{text: []string{t + " †", t + "*)", "*" + t, t + " ²⁾", t + " [1]", t + " (a)", t + "a)", t + " 注1", "◇" + t, t + "**", "# " + t, "~" + t, t + "‡", t + " b"}[k.shape]}
	}
	return true
}

// reorder puts codes into another order.
func reorder(codes []drawnCode, order []int) []drawnCode {
	back := make([]int, len(order))
	for to, from := range order {
		back[from] = to
	}
	var all []drawnCode
	for _, from := range order {
		c := codes[from]
		var parts []int
		for _, p := range c.parts {
			parts = append(parts, back[p])
		}
		c.parts = parts
		all = append(all, c)
	}
	return all
}

var oddTotals = [][]string{{"Utopia", "All persons", "Both", "Grand total", "Σ", "T", "State"}, {"全体", "合算", "全国", "県", "合　　計", "総　数", "Ｔ"}, {"Gesamt", "Alle", "Land", "Summe", "Σ", "i. Dreieck"}, {"Tous", "France entière", "Σ", "Total général", "Somme"}}

var endWords = [][]string{{"Total", "Subtotal", "All"}, {"小計", "計"}, {"Zusammen", "Insgesamt", "zus."}, {"Total", "Sous-total", "Ensemble"}}

// recode changes the codes of the rows.
func (k *kinds) recode(o *officeFile, codes []drawnCode) []drawnCode {
	if k == nil {
		return codes
	}
	top := -1
	for i, c := range codes {
		if c.parts != nil && c.level == 0 && !c.memo {
			top = i
		}
	}
	order := make([]int, len(codes))
	for i := range order {
		order[i] = i
	}
	if k.is("group ends") && slices.ContainsFunc(codes, func(c drawnCode) bool { return c.parts != nil && c.level == 1 }) {
		order = nil
		var ends []int
		word := endWords[o.lang][k.IntN(len(endWords[o.lang]))]
		first := map[int]int{}
		for i, c := range codes {
			if c.parts != nil && c.level == 1 {
				first[slices.Min(c.parts)] = i
				ends = append(ends, i)
			}
		}
		heads := map[int]string{}
		for i := range codes {
			if slices.Contains(ends, i) {
				continue
			}
			order = append(order, i)
			for _, e := range ends {
				if i == slices.Max(codes[e].parts) {
					order = append(order, e)
				}
			}
		}
		for part, e := range first {
			heads[slices.Index(order, part)] = codes[e].label
		}
		codes = slices.Clone(codes)
		for _, e := range ends {
			codes[e].label = word
		}
		k.heads = heads
		codes = reorder(codes, order)
		top = slices.Index(order, top)
	}
	if top < 0 {
		return codes
	}
	if k.is("odd total") {
		codes[top].label = oddTotals[o.lang][k.IntN(len(oddTotals[o.lang]))]
	}
	if k.is("middle total") && len(k.heads) == 0 && len(codes) > 3 {
		order = nil
		rest := []int{}
		for i := range codes {
			if i != top {
				rest = append(rest, i)
			}
		}
		order = slices.Insert(rest, 1+k.IntN(len(rest)-1), top)
		codes = reorder(codes, order)
	}
	if k.is("memo row") {
		var leaves []int
		for i, c := range codes {
			if c.parts == nil {
				leaves = append(leaves, i)
			}
		}
		if len(leaves) > 2 {
			i := k.IntN(len(leaves) - 1)
			parts := leaves[i : i+2]
			codes = append(codes, drawnCode{label: o.say("of which ", "再掲 ", "darunter ", "dont ") + codes[parts[0]].label + o.say(" and ", "・", " und ", " et ") + codes[parts[1]].label, parts: slices.Clone(parts), memo: true})
		}
	}
	if k.is("part row") {
		var leaves []int
		for i, c := range codes {
			if c.parts == nil {
				leaves = append(leaves, i)
			}
		}
		i := leaves[k.IntN(len(leaves))]
		codes = append(codes, drawnCode{label: o.say("of which new", "うち新規", "darunter neu", "dont nouveaux"), level: codes[i].level + 1, memo: true, whole: codes[i].label})
		order := make([]int, len(codes)-1)
		for n := range order {
			order[n] = n
		}
		codes = reorder(codes, slices.Insert(order, i+1, len(codes)-1))
	}
	return codes
}

// heading puts what stands before a row.
func (k *kinds) heading(s *drawnSheet, r, c, row int) int {
	if k == nil || k.heads[row] == "" {
		return r
	}
	s.label(r, c, k.heads[row])
	return r + 1
}

// times are the parts of a year with their sum.
func (k *kinds) times(o *officeFile) []string {
	if k.is("months") {
		return [][]string{{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}, {"１月", "２月", "３月", "４月", "５月", "６月", "７月", "８月", "９月", "10月", "11月", "12月"},
			{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"}, {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}}[o.lang]
	}
	return [][]string{{"Q1", "Q2", "Q3", "Q4"}, {"1～3月", "4～6月", "7～9月", "10～12月"}, {"1. Quartal", "2. Quartal", "3. Quartal", "4. Quartal"}, {"1er trim.", "2e trim.", "3e trim.", "4e trim."}}[o.lang]
}

// year is what their sum is called.
func (k *kinds) year(o *officeFile) string {
	return [][]string{{"Year", "2020", "Total 2020"}, {"年計", "令和２年", "2020年"}, {"Jahr", "2020", "Jahr 2020"}, {"Année", "2020", "Total 2020"}}[o.lang][k.IntN(3)]
}

func (k *kinds) flat(o *officeFile) (codes []drawnCode, total int) {
	var parts []int
	words := k.times(o)
	first := k.maybe(2)
	if first {
		codes = append(codes, drawnCode{label: k.year(o)})
	}
	for _, w := range words {
		parts = append(parts, len(codes))
		codes = append(codes, drawnCode{label: w, level: 1})
	}
	if !first {
		total = len(codes)
		codes = append(codes, drawnCode{label: k.year(o)})
	}
	codes[total].parts = parts
	return codes, total
}

// tell says what a linear form of the cells is, give or take d.
func (o *officeFile) tell(at spot, cells []int, coef []float64, shown, d float64) {
	o.tales = append(o.tales, tale{at, cells, coef, shown - d, shown + d})
}

func decimals(v float64, n int) float64 {
	p := math.Pow(10, float64(n))
	return math.Round(v*p) / p
}

// beside puts columns that tell of the cells.
func (k *kinds) beside(o *officeFile) {
	if k == nil || o.wrapped || k.right {
		return
	}
	s := o.sheets[0]
	column := func(head string, put func(i, r, c int)) {
		c := s.width()
		s.label(o.first-1, c, head)
		for i := range o.rows {
			put(i, o.at[i][0].r, c)
		}
	}
	j := k.IntN(len(o.cols))
	if k.is("rates") {
		per := []float64{1000, 100000, 10000, 100}[k.IntN(4)]
		var people []int
		for i := range o.rows {
			n := len(o.value)
			people, o.measure = append(people, n), append(o.measure, n)
			o.value = append(o.value, decimals(3*o.value[o.cell[i][j]]+float64(50+k.IntN(5000)), 0))
		}
		for i, row := range o.rows {
			if row.parts != nil {
				o.value[people[i]] = 0
			}
		}
		var sum func(i int) float64
		sum = func(i int) float64 {
			if o.value[people[i]] == 0 {
				for _, p := range o.rows[i].parts {
					o.value[people[i]] += sum(p)
				}
			}
			return o.value[people[i]]
		}
		column(o.say("Population", "人口", "Bevölkerung", "Population"), func(i, r, c int) {
			o.number(s, r, c, sum(i), 0, "")
			o.isValue(o.spot(s, r, c), people[i], 0)
		})
		d := k.IntN(3)
		column(fmt.Sprintf(o.say("per %g", "人口%g人当たり", "je %g Einwohner", "pour %g hab."), per), func(i, r, c int) {
			shown := decimals(per*o.value[o.cell[i][j]]/o.value[people[i]], d)
			o.number(s, r, c, shown, d, "")
			o.isRatio(o.spot(s, r, c), o.cell[i][j], people[i], per, shown, 0.5*math.Pow(10, -float64(d))+1e-9)
		})
	}
	if k.is("amount beside") {
		var amount []int
		for i := range o.rows {
			n := len(o.value)
			amount, o.measure = append(amount, n), append(o.measure, n)
			v := 0.0
			if a := o.value[o.cell[i][j]]; a > 0 {
				v = math.Ceil(a) * float64(10+k.IntN(80))
			}
			o.value = append(o.value, v)
		}
		for range o.rows { // sums of sums
			for i, row := range o.rows {
				if row.parts != nil {
					o.value[amount[i]] = 0
					for _, p := range row.parts {
						o.value[amount[i]] += o.value[amount[p]]
					}
				}
			}
		}
		for i, row := range o.rows {
			var parts []int
			for _, p := range row.parts {
				parts = append(parts, amount[p])
			}
			if parts != nil {
				o.isSum(amount[i], parts)
			}
		}
		column(o.say("Amount", "金額", "Betrag", "Montant"), func(i, r, c int) {
			o.number(s, r, c, o.value[amount[i]], 0, "")
			o.isValue(o.spot(s, r, c), amount[i], 0)
		})
		if k.maybe(2) {
			column(o.say("per head", "1人当たり", "je Person", "par personne"), func(i, r, c int) {
				if o.value[o.cell[i][j]] == 0 {
					s.label(r, c, "-")
					return
				}
				shown := decimals(o.value[amount[i]]/o.value[o.cell[i][j]], 1)
				o.number(s, r, c, shown, 1, "")
				o.isRatio(o.spot(s, r, c), amount[i], o.cell[i][j], 1, shown, 0.05+1e-9)
			})
		}
	}
	if k.is("margins") {
		form := k.IntN(3)
		var margin []int
		for i := range o.rows {
			margin = append(margin, len(o.value))
			o.measure = append(o.measure, len(o.value))
			o.value = append(o.value, decimals(math.Sqrt(o.value[o.cell[i][j]])*1.5, 0))
		}
		at := func(i, r, c int, sign float64) {
			a, m := o.cell[i][j], margin[i]
			shown := o.value[a] + sign*o.value[m]
			o.number(s, r, c, shown, -1, "")
			o.tell(o.spot(s, r, c), []int{a, m}, []float64{1, sign}, shown, 1e-9)
		}
		switch form {
		case 0:
			column("±", func(i, r, c int) {
				o.number(s, r, c, o.value[margin[i]], -1, "")
				o.isValue(o.spot(s, r, c), margin[i], 0)
			})
		default:
			column(o.say("lower", "下限", "von", "min"), func(i, r, c int) { at(i, r, c, -1) })
			column(o.say("upper", "上限", "bis", "max"), func(i, r, c int) { at(i, r, c, 1) })
		}
	}
	var leaves []int
	for j := range o.cols {
		if o.cols[j].parts == nil {
			leaves = append(leaves, j)
		}
	}
	a, b := leaves[0], leaves[len(leaves)-1]
	if k.is("balance") && a != b {
		column(o.say("Balance", "差引", "Saldo", "Solde"), func(i, r, c int) {
			x, y := o.cell[i][a], o.cell[i][b]
			shown := k.sum(o.value[x] - o.value[y])
			o.number(s, r, c, shown, -1, "")
			o.tell(o.spot(s, r, c), []int{x, y}, []float64{1, -1}, shown, 1e-9)
		})
	}
	if k.is("ratio column") && a != b {
		f := []float64{100, 1, 1000}[k.IntN(3)]
		column(o.cols[a].label+o.say(" per ", " / ", " je ", " pour ")+fmt.Sprint(f)+" "+o.cols[b].label, func(i, r, c int) {
			x, y := o.cell[i][a], o.cell[i][b]
			if o.value[y] == 0 {
				s.label(r, c, "-")
				return
			}
			shown := decimals(f*o.value[x]/o.value[y], 1)
			o.number(s, r, c, shown, 1, "")
			o.isRatio(o.spot(s, r, c), x, y, f, shown, 0.05+1e-9)
		})
	}
	total := slices.IndexFunc(o.cols, func(c drawnCode) bool { return c.parts != nil && !c.memo })
	if k.is("cumulated shares") && total >= 0 {
		for n := 1; n <= len(leaves); n++ {
			of := leaves[:n]
			column(o.say("cumulated % ", "累積％ ", "kumuliert % ", "cumul % ")+o.cols[of[n-1]].label, func(i, r, c int) {
				t := o.cell[i][total]
				if o.value[t] == 0 {
					s.label(r, c, "-")
					return
				}
				sum, cells, coef := 0.0, []int{}, []float64{}
				for _, j := range of {
					sum += o.value[o.cell[i][j]]
					cells, coef = append(cells, o.cell[i][j]), append(coef, 100)
				}
				shown := decimals(100*sum/o.value[t], 1)
				o.number(s, r, c, shown, 1, "")
				at, inf := o.spot(s, r, c), math.Inf(1)
				o.tales = append(o.tales, tale{at, append(slices.Clone(cells), t), append(slices.Clone(coef), -(shown - 0.0500001)), 0, inf},
					tale{at, append(slices.Clone(cells), t), append(slices.Clone(coef), -(shown + 0.0500001)), -inf, 0})
			})
		}
	}
	if k.is("mean of years") && o.periods {
		column(o.say("Average", "平均", "Mittel", "Moyenne"), func(i, r, c int) {
			sum, coef := 0.0, []float64{}
			for j := range o.cols {
				sum += o.value[o.cell[i][j]]
				coef = append(coef, 1/float64(len(o.cols)))
			}
			shown := decimals(sum/float64(len(o.cols)), 1)
			o.number(s, r, c, shown, 1, "")
			o.tell(o.spot(s, r, c), slices.Clone(o.cell[i]), coef, shown, 0.0500001)
		})
	}
	if k.is("contribution") && o.periods {
		n := len(o.cols)
		top := slices.IndexFunc(o.rows, func(c drawnCode) bool { return c.parts != nil && c.level == 0 && !c.memo })
		b := o.cell[top][n-2]
		column(o.say("Contribution", "寄与度", "Wachstumsbeitrag", "Contribution"), func(i, r, c int) {
			if o.value[b] == 0 {
				s.label(r, c, "-")
				return
			}
			x, y := o.cell[i][n-1], o.cell[i][n-2]
			shown := decimals(100*(o.value[x]-o.value[y])/o.value[b], 2)
			o.number(s, r, c, shown, 2, "")
			at, inf := o.spot(s, r, c), math.Inf(1)
			cells := []int{x, y, b}
			low, high := []float64{100, -100, -(shown - 0.00501)}, []float64{100, -100, -(shown + 0.00501)}
			if y == b {
				cells, low, high = []int{x, y}, []float64{100, -100 - (shown - 0.00501)}, []float64{100, -100 - (shown + 0.00501)}
			}
			o.tales = append(o.tales, tale{at, cells, low, 0, inf}, tale{at, cells, high, -inf, 0})
		})
	}
	if k.is("average row") && !k.is("memo row") {
		r := o.at[len(o.at)-1][0].r + 1
		if len(s.grid) > r { // a note stands there
			return
		}
		s.label(r, 0, o.say("Average", "平均", "Durchschnitt", "Moyenne"))
		for j := range o.cols {
			sum, cells, coef := 0.0, []int{}, []float64{}
			for i, row := range o.rows {
				if row.parts == nil {
					cells, sum = append(cells, o.cell[i][j]), sum+o.value[o.cell[i][j]]
				}
			}
			n := float64(len(cells))
			for range cells {
				coef = append(coef, 1/n)
			}
			shown := decimals(sum/n, 1)
			at := o.at[len(o.at)-1][j]
			o.number(s, r, at.c, shown, 1, "")
			o.tell(o.spot(s, r, at.c), cells, coef, shown, 0.0500001)
		}
	}
}

// finish adds what tells of a cell out of the table, and lays the sheets out anew.
func (k *kinds) finish(o *officeFile, name func(cell int) string) {
	if k == nil {
		return
	}
	if french := name; k.tongue > 0 {
		t := strings.NewReplacer(tongues[k.tongue]...)
		name = func(cell int) string { return t.Replace(french(cell)) }
		for i := range o.comments {
			o.comments[i][2] = t.Replace(o.comments[i][2])
		}
	}
	if k.is("parts") && len(k.where) > 0 {
		k.drawPart(o, name)
	}
	if k.is("chart") && len(k.where) > 0 {
		k.drawChart(o, name)
	}
	if k.is("rules") && len(k.where) > 0 {
		k.drawRule(o)
	}
	if k.is("hidden row") {
		k.hiddenRow(o)
	}
	if k.is("notes below") {
		s := o.sheets[0]
		cell := k.one(o)
		r := len(s.grid) + k.IntN(2)
		s.label(r, 0, fmt.Sprintf(o.say("Note: %s: %g persons.", "注：%s は %g 人", "Anm.: %s: %g Personen.", "Note : %s : %g personnes."), name(cell), o.value[cell]))
		o.isValue(o.spot(s, r, 0), cell, 0)
	}
	if k.is("formulas", "no cache") && !o.text && !o.asText {
		k.formulas(o)
	}
	if k.is("transposed") {
		for _, s := range o.sheets {
			o.transpose(s)
		}
	}
	for _, s := range o.sheets {
		if w := s.width(); k.is("blank columns") && w > 3 {
			for range 1 + k.IntN(2) {
				at := 1 + k.IntN(w-1)
				o.move(s, func(r, c int) (int, int) {
					if c >= at {
						c++
					}
					return r, c
				})
			}
		}
		if h := len(s.grid); k.is("blank rows") && h > 4 {
			for range 1 + k.IntN(3) {
				at := 2 + k.IntN(h-2)
				o.move(s, func(r, c int) (int, int) {
					if r >= at {
						r++
					}
					return r, c
				})
			}
		}
	}
	if k.tongue > 0 {
		t := strings.NewReplacer(tongues[k.tongue]...)
		for _, s := range o.sheets {
			for _, row := range s.grid {
				for c := range row {
					if f := &row[c]; !f.number && f.text != "" {
						f.text = t.Replace(f.text)
					}
				}
			}
			old := s.name
			s.name = t.Replace(s.name)
			for i := range o.tales {
				if o.tales[i].at.sheet == old && old != "" {
					o.tales[i].at.sheet = s.name
				}
			}
			for i := range o.comments {
				if o.comments[i][0] == old {
					o.comments[i][0] = s.name
				}
			}
			for _, other := range o.sheets {
				for _, row := range other.grid {
					for c := range row {
						row[c].formula = strings.ReplaceAll(row[c].formula, "'"+old+"'", "'"+s.name+"'")
					}
				}
			}
		}
	}

}

// one chooses a cell that is told, a sensitive one where there is any.
func (k *kinds) one(o *officeFile) int {
	var some []int
	for _, c := range o.sensitive {
		if _, ok := k.where[c]; ok && !slices.Contains(k.others, c) {
			some = append(some, c)
		}
	}
	if len(some) == 0 || k.maybe(4) {
		for c := range o.value {
			if _, ok := k.where[c]; ok && !slices.Contains(k.others, c) {
				some = append(some, c)
			}
		}
	}
	return some[k.IntN(len(some))]
}

// drawPart lets a part of the workbook that is no cell tell a value, beside the labels of its cell.
func (k *kinds) drawPart(o *officeFile, name func(cell int) string) {
	cell := k.one(o)
	text := fmt.Sprintf("%s: %g", name(cell), o.value[cell])
	at := k.where[cell]
	ref, _ := excelize.CoordinatesToCellName(at.c+1, at.r+1)
	what := k.IntN(10)
	if of := slices.MaxFunc(slices.Collect(maps.Keys(k.where)), func(a, b int) int { return cmp.Or(cmp.Compare(o.value[a], o.value[b]), a-b) }); k.maybe(3) && o.value[of] > 0 && k.measures < 0 {
		shown := decimals(100*o.value[cell]/o.value[of], 1)
		text = fmt.Sprintf("%s: %g %%", name(cell), shown)
		o.isRatio(spot{"", "part " + text}, cell, of, 100, shown, 0.05+1e-9)
		o.feature("part %d, share", what)
	} else {
		o.isValue(spot{"", "part " + text}, cell, 0)
		o.feature("part %d", what)
	}
	k.texts = append(k.texts, text)
	run := func(do func(f *excelize.File, sheet string) error) {
		k.extras = append(k.extras, func(f *excelize.File) error { return do(f, at.s.name) })
	}
	switch what {
	case 0:
		run(func(f *excelize.File, _ string) error {
			return f.SetDocProps(&excelize.DocProperties{Description: text})
		})
	case 1:
		run(func(f *excelize.File, _ string) error {
			return f.SetDocProps(&excelize.DocProperties{Title: text, Subject: "x"})
		})
	case 2:
		run(func(f *excelize.File, _ string) error { return f.SetDocProps(&excelize.DocProperties{Keywords: text}) })
	case 3:
		run(func(f *excelize.File, s string) error {
			return f.SetHeaderFooter(s, &excelize.HeaderFooterOptions{OddHeader: "&L" + text})
		})
	case 4:
		run(func(f *excelize.File, s string) error {
			return f.SetHeaderFooter(s, &excelize.HeaderFooterOptions{OddFooter: "&C" + text})
		})
	case 5:
		run(func(f *excelize.File, s string) error {
			v := excelize.NewDataValidation(true)
			v.Sqref = ref
			v.SetInput("Entry", text)
			if err := v.SetDropList([]string{"0", "1", "2", "3", "4", "5"}); err != nil {
				return err
			}
			return f.AddDataValidation(s, v)
		})
	case 6:
		run(func(f *excelize.File, s string) error {
			return f.AddShape(s, &excelize.Shape{Cell: "H2", Type: "rect", Width: 200, Height: 60, Paragraph: []excelize.RichTextRun{{Text: text}}})
		})
	case 7:
		run(func(f *excelize.File, s string) error {
			tip := text
			return f.SetCellHyperLink(s, ref, "https://stat.example/x", "External", excelize.HyperlinkOpts{Tooltip: &tip})
		})
	case 8:
		run(func(f *excelize.File, s string) error {
			format := `"` + text + `"`
			st, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			if err != nil {
				return err
			}
			return f.SetCellStyle(s, ref, ref, st)
		})
	case 9:
		run(func(f *excelize.File, s string) error {
			return f.SetCustomProps(excelize.CustomProperty{Name: "Remark", Value: text})
		})
	}
}

// hiddenRow repeats a row below the table, out of sight.
func (k *kinds) hiddenRow(o *officeFile) {
	s := o.sheets[0]
	cell := k.one(o)
	at := k.where[cell]
	if at.s != s {
		return
	}
	r := len(s.grid) + k.IntN(3)
	for c, f := range slices.Clone(s.grid[at.r]) {
		s.put(r, c, f)
	}
	for _, t := range slices.Clone(o.tales) { // whatever else is told in the row, as in a copy of a column, is told again, too
		for c := range s.grid[r] {
			if t.at == o.spot(s, at.r, c) {
				t.at = o.spot(s, r, c)
				o.tales = append(o.tales, t)
				break
			}
		}
	}
	s.hiddenRows = append(s.hiddenRows, r)
}

// isText reports whether a spreadsheet program takes what stands there for no number.
func (o *officeFile) isText(at spotOn) bool { return !at.s.grid[at.r][at.c].number }

// formulas lets sums and shares stand as formulas, with what they give or without.
func (k *kinds) formulas(o *officeFile) {
	cached := !k.is("no cache")
	ref := func(p spotOn, fix bool) string {
		name, _ := excelize.CoordinatesToCellName(p.c+1, p.r+1)
		if fix {
			name, _ = excelize.CoordinatesToCellName(p.c+1, p.r+1, true)
		}
		return name
	}
	totals := k.maybe(4)
	for _, t := range o.tales {
		if t.at != (spot{}) || len(t.cells) < 2 || t.coef[0] != -1 {
			continue
		}
		at, ok := k.where[t.cells[0]]
		if !ok || totals && k.maybe(2) || !at.s.grid[at.r][at.c].number || at.s.grid[at.r][at.c].formula != "" {
			continue
		}
		var parts []spotOn
		for _, p := range t.cells[1:] {
			if w, ok := k.where[p]; ok && w.s == at.s && (cached || w.s.grid[w.r][w.c].number) { // a sum of texts would give something else
				parts = append(parts, w)
			}
		}
		if len(parts) < len(t.cells)-1 || !cached && (slices.ContainsFunc(parts, o.isText) || !k.addsUp(o, t.cells)) {
			continue
		}
		first, last := parts[0], parts[len(parts)-1]
		down, right := true, true // the parts stand one behind the other, which where rows go on at the right their ends do not tell
		for i, p := range parts {
			down = down && p.r == first.r+i && p.c == first.c
			right = right && p.c == first.c+i && p.r == first.r
		}
		var formula string
		if down || right {
			formula = "SUM(" + ref(first, false) + ":" + ref(last, false) + ")"
		} else {
			var names []string
			for _, p := range parts {
				names = append(names, ref(p, false))
			}
			formula = strings.Join(names, "+")
			if k.maybe(2) {
				formula = "SUM(" + strings.Join(names, ",") + ")"
			}
		}
		f := &at.s.grid[at.r][at.c]
		f.formula, f.noValue = formula, !cached
	}
	for at, of := range k.ratios {
		a, ok := k.where[of[0]]
		b, also := k.where[of[1]]
		f := &at.s.grid[at.r][at.c]
		if !ok || !also || !f.number || a.s != at.s || b.s != at.s || !cached && (o.isText(a) || o.isText(b)) {
			continue
		}
		f.formula, f.noValue = ref(a, false)+"/"+ref(b, true), !cached
		if f.format == "" {
			f.formula = "ROUND(100*" + f.formula + "," + strconv.Itoa(len(f.text)-1-strings.IndexByte(f.text+".", '.')) + ")"
			if !strings.Contains(f.text, ".") {
				f.formula = "ROUND(100*" + ref(a, false) + "/" + ref(b, true) + ",0)"
			}
		}
	}
}
