package adversary

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// An officeFile draws a file as offices keep them: a table with its totals, and beside it, below it and on other sheets what else tells
// of its cells, as shares, changes, averages, copies and comments. It writes down what each number tells.
type officeFile struct {
	*rand.Rand
	truth
	lang         int // of words
	rows, cols   []drawnCode
	cell         [][]int // by row and column
	text         bool    // a text file
	mark         rune
	sheets       []*drawnSheet
	comments     [][3]string // sheet, address, text
	names        [][2]string
	features     []string
	periods      bool // columns are years
	asText       bool // numbers stand as texts
	decimalComma bool
	at           [][]spotOn // where the values stand
	first        int        // row of the first values
	wrapped      bool       // the rows go on at the right of the first ones
	measure      []int      // cells of another measure, that no run is about
	k            *kinds     // what it has besides, nil: nothing
}

// A drawnCode is a row or column of the table; parts are those that it is the sum of.
type drawnCode struct {
	label string
	parts []int
	level int
	memo  bool
	whole string // the label of what it is a part of, and no sum says so
}

type spotOn struct {
	s    *drawnSheet
	r, c int
}

type drawnSheet struct {
	name         string
	hidden       bool
	grid         [][]drawnField
	hiddenColumn int // from 1
	hiddenRows   []int
	merged       [][4]int
}

type drawnField struct {
	text    string
	number  bool
	format  string
	formula string
	indent  int
	rich    string // a raised sign behind the text
	noValue bool   // the formula stands without what it gives
}

func (s *drawnSheet) put(r, c int, f drawnField) {
	for len(s.grid) <= r {
		s.grid = append(s.grid, nil)
	}
	for len(s.grid[r]) <= c {
		s.grid[r] = append(s.grid[r], drawnField{})
	}
	s.grid[r][c] = f
}

func (s *drawnSheet) label(r, c int, text string) { s.put(r, c, drawnField{text: text}) }

func (s *drawnSheet) width() int {
	w := 0
	for _, row := range s.grid {
		w = max(w, len(row))
	}
	return w
}

func (o *officeFile) maybe(n int) bool { return o.IntN(n) == 0 }

func (o *officeFile) feature(format string, a ...any) {
	o.features = append(o.features, fmt.Sprintf(format, a...))
}

// say chooses a word in the language of the file: English, Japanese, German, French.
func (o *officeFile) say(words ...string) string { return words[min(o.lang, len(words)-1)] }

func (o *officeFile) spot(s *drawnSheet, r, c int) spot {
	if o.text {
		return spot{"", fmt.Sprintf("%d:%d", r+1, c+1)}
	}
	ref, _ := excelize.CoordinatesToCellName(c+1, r+1)
	return spot{s.name, ref}
}

// number puts a number as the file writes them.
func (o *officeFile) number(s *drawnSheet, r, c int, v float64, decimals int, format string) {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	f := drawnField{text: text, number: true, format: format}
	if o.text || o.asText {
		f.number = false
		if o.decimalComma {
			f.text = strings.Replace(text, ".", ",", 1)
		}
		f.text = o.k.write(f.text, o.decimalComma)
	}
	s.put(r, c, f)
}

// value puts the value of a cell.
func (o *officeFile) cellAt(s *drawnSheet, r, c, cell int) {
	if o.k.put(o, s, r, c, cell) {
		return
	}
	o.number(s, r, c, o.value[cell], -1, "")
	o.isValue(o.spot(s, r, c), cell, 0)
}

var officeRows = [][]string{
	{"Adair", "Boone", "Clay", "Dover", "Elk", "Floyd"}, {"北浜市", "松原市", "東丘市", "南川市", "西谷町", "上里村"},
	{"Altdorf", "Bergen", "Celle", "Dorfen", "Eschen", "Fulda"}, {"Aubigny", "Belmont", "Dompierre", "Étréval", "Fontenay", "Grandmont"},
}

var officeCols = [][]string{
	{"Single", "Married", "Widowed", "Divorced", "Unknown"}, {"未婚", "有配偶", "死別", "離別", "不詳"},
	{"ledig", "verheiratet", "verwitwet", "geschieden", "unbekannt"}, {"Célibataires", "Mariés", "Veufs", "Divorcés", "Inconnu"},
}

var totals = [][]string{{"Total", "All"}, {"総数", "計"}, {"Insgesamt", "Zusammen"}, {"Ensemble", "Total"}}

// drawOffice draws a file.
func drawOffice(r *rand.Rand, k *kinds) *officeFile {
	o := &officeFile{Rand: r, lang: r.IntN(4), text: r.IntN(4) == 0, mark: ';', k: k}
	if o.text {
		o.mark = []rune{';', '\t', ','}[r.IntN(3)]
		o.decimalComma = o.mark != ',' && o.lang >= 2
	} else if o.asText = o.maybe(6); o.asText {
		o.feature("text")
		o.decimalComma = o.lang >= 2
	}
	o.periods = o.maybe(4)
	k.begin(o)
	o.periods = o.periods && !k.is("quarters", "months") || k.is("mean of years", "contribution")
	o.drawCodes()
	o.drawValues()
	main := &drawnSheet{name: o.say("Data", "データ", "Daten", "Donnees")}
	o.sheets = append(o.sheets, main)
	o.drawTable(main)
	for range []int{0, 1, 1, 2, 2, 3}[o.IntN(6)] {
		o.drawMore()
	}
	k.beside(o)
	k.finish(o, func(cell int) string {
		if cell >= len(o.rows)*len(o.cols) { // of another measure
			return "x"
		}
		return o.rows[cell/len(o.cols)].label + ", " + o.cols[cell%len(o.cols)].label
	})
	return o
}

func (o *officeFile) drawCodes() {
	words := officeRows[o.lang]
	n := 2 + o.IntN(4)
	total := totals[o.lang][o.IntN(2)]
	last := o.maybe(2)
	switch {
	case n > 3 && o.maybe(2): // two groups
		groups := []string{o.say("North", "北部", "Nord", "Nord"), o.say("South", "南部", "Süd", "Sud")}
		cut := 2 + o.IntN(n-3)
		add := func(label string, level int) int {
			o.rows = append(o.rows, drawnCode{label: label, level: level})
			return len(o.rows) - 1
		}
		top := -1
		if !last {
			top = add(total, 0)
		}
		var of []int
		for g, part := range [][]string{words[:cut], words[cut:n]} {
			at := add(groups[g], 1)
			var parts []int
			for _, w := range part {
				parts = append(parts, add(w, 2))
			}
			o.rows[at].parts = parts
			of = append(of, at)
		}
		if last {
			top = add(total, 0)
		}
		o.rows[top].parts = of
		o.feature("groups")
	default:
		var parts []int
		if !last {
			o.rows = append(o.rows, drawnCode{label: total})
		}
		for _, w := range words[:n] {
			parts = append(parts, len(o.rows))
			o.rows = append(o.rows, drawnCode{label: w, level: 1})
		}
		if last {
			o.rows = append(o.rows, drawnCode{label: total})
			o.rows[len(o.rows)-1].parts = parts
		} else {
			o.rows[0].parts = parts
		}
	}
	o.rows = o.k.recode(o, o.rows)
	if o.k.is("quarters", "months") && !o.periods {
		o.cols, _ = o.k.flat(o)
		return
	}
	if o.periods {
		for y := range 2 + o.IntN(3) {
			o.cols = append(o.cols, drawnCode{label: fmt.Sprint(2019 + y)})
		}
		o.feature("periods")
		return
	}
	var parts []int
	first := o.maybe(2)
	none := o.maybe(8)
	if none {
		o.feature("no total of columns")
	}
	if first && !none {
		o.cols = append(o.cols, drawnCode{label: totals[o.lang][0]})
	}
	for _, w := range officeCols[o.lang][:2+o.IntN(4)] {
		parts = append(parts, len(o.cols))
		o.cols = append(o.cols, drawnCode{label: w})
	}
	switch {
	case none:
	case first:
		o.cols[0].parts = parts
	default:
		o.cols = append(o.cols, drawnCode{label: totals[o.lang][0], parts: parts})
	}
	if len(parts) > 2 && o.maybe(6) { // of which
		k := 1 + o.IntN(2)
		of := slices.Clone(parts[len(parts)-k:])
		label := o.say("of which ", "うち", "darunter ", "dont ")
		for i, p := range of {
			if i > 0 {
				label += o.say(" and ", "・", " und ", " et ")
			}
			label += o.cols[p].label
		}
		o.cols = append(o.cols, drawnCode{label: label, parts: of, memo: true})
		o.feature("of which %d of %d", k, len(parts))
	}
}

// drawValues draws the inner cells and sums them.
func (o *officeFile) drawValues() {
	large := o.k.large([]int{4, 12, 40, 200}[o.IntN(4)])
	o.cell = make([][]int, len(o.rows))
	for i := range o.rows {
		for range o.cols {
			o.cell[i] = append(o.cell[i], len(o.value))
			v := o.IntN(large)
			if o.maybe(3) {
				v = o.IntN(4)
			}
			o.value = append(o.value, o.k.fraction(float64(v)))
		}
	}
	done := make([]bool, len(o.value))
	wholeOf := func(i int) int {
		return slices.IndexFunc(o.rows, func(c drawnCode) bool { return c.label == o.rows[i].whole })
	}
	var sum func(i, j int) float64
	sum = func(i, j int) float64 {
		c := o.cell[i][j]
		if done[c] {
			return o.value[c]
		}
		done[c] = true
		switch {
		case o.rows[i].parts != nil:
			o.value[c] = 0
			for _, p := range o.rows[i].parts {
				o.value[c] += sum(p, j)
			}
		case o.cols[j].parts != nil:
			o.value[c] = 0
			for _, p := range o.cols[j].parts {
				o.value[c] += sum(i, p)
			}
		case o.rows[i].whole != "":
			o.value[c] = min(o.value[c], sum(wholeOf(i), j))
		}
		o.value[c] = o.k.sum(o.value[c])
		return o.value[c]
	}
	for i := range o.rows {
		for j := range o.cols {
			v := sum(i, j)
			if o.k.sensitive(v) {
				o.sensitive = append(o.sensitive, o.cell[i][j])
			}
			var parts []int
			for _, p := range o.rows[i].parts {
				parts = append(parts, o.cell[p][j])
			}
			if parts != nil {
				o.isSum(o.cell[i][j], parts)
			}
			parts = nil
			for _, p := range o.cols[j].parts {
				parts = append(parts, o.cell[i][p])
			}
			if parts != nil {
				o.isSum(o.cell[i][j], parts)
			}
			if o.rows[i].whole != "" { // and what is not in it, which stands nowhere
				whole, rest := o.cell[wholeOf(i)][j], len(o.value)
				o.value = append(o.value, o.value[whole]-o.value[o.cell[i][j]])
				o.isSum(whole, []int{o.cell[i][j], rest})
			}
		}
	}
}

// drawTable sets the table.
func (o *officeFile) drawTable(s *drawnSheet) {
	r := 0
	if !o.maybe(4) {
		s.label(r, 0, o.say("Table 1. Persons by area and status", "第１表　地域別配偶関係別人口", "Tabelle 1: Personen nach Ort und Stand", "Tableau 1. Personnes par commune"))
		r++
		if o.maybe(2) {
			s.label(r, 0, o.say("(number)", "（単位：人）", "(Anzahl)", "(nombre)"))
			r++
		}
		if o.maybe(2) {
			r++
		}
	}
	stride, pair := 1, -1
	if !o.periods && o.maybe(6) {
		stride, pair = 2, o.IntN(3)
		o.feature("share beside each")
	}
	if o.k.is("flags") {
		stride, pair = 2, 0
	}
	if stride == 1 && o.maybe(3) { // a text over the columns
		s.label(r, 1, o.say("Marital status", "配偶関係", "Familienstand", "Situation"))
		if !o.text {
			s.merged = append(s.merged, [4]int{r, 1, r, len(o.cols)})
		}
		r++
	}
	s.label(r, 0, o.say("Area", "地域", "Ort", "Commune"))
	head := r
	for j, c := range o.cols {
		if o.periods && !o.text && !o.asText && o.maybe(2) {
			s.put(r, 1+j*stride, drawnField{text: c.label, number: true})
		} else {
			s.label(r, 1+j*stride, c.label)
		}
		if stride == 2 {
			s.label(r, 2+j*stride, o.k.flagHead(o.say("%", "構成比(%)", "Prozent", "%")))
		}
	}
	r++
	o.first = r
	form := o.IntN(4)
	blanks := o.maybe(4)
	continued := -1
	if len(o.rows) > 3 && o.maybe(10) {
		continued = 2 + o.IntN(len(o.rows)-3)
		o.feature("continued below")
	}
	right := -1
	if continued < 0 && stride == 1 && len(o.rows) > 3 && o.maybe(14) {
		right = (len(o.rows) + 1) / 2
		o.feature("continued at the right")
		o.wrapped = true
	}
	shareRows := stride == 1 && continued < 0 && right < 0 && !o.periods && o.maybe(12)
	if shareRows {
		o.feature("share rows")
	}
	c0, top := 0, r
	indent := o.IntN(3)
	notes, unit := -1, -1
	if o.maybe(8) {
		notes = o.IntN(6)
		o.feature("notes in numbers %d", notes)
	}
	if o.maybe(12) {
		unit = o.IntN(len(o.cols))
		o.feature("units in column")
	}
	if o.k.is("marks", "zeros", "superscript", "markers") {
		notes, unit = -1, -1
	}
	odd := -1 // a column whose header is missing
	if o.maybe(15) {
		odd = o.IntN(len(o.cols))
		s.label(head, 1+odd*stride, "")
		o.feature("no header")
	}
	for i, row := range o.rows {
		if i == right {
			c0, r = len(o.cols)+1+o.IntN(2), top
			for j := range o.cols {
				s.label(head, c0+1+j, o.cols[j].label)
			}
			s.label(head, c0, o.say("Area", "地域", "Ort", "Commune"))
		}
		if i == continued {
			r += 1 + o.IntN(2)
			if o.maybe(2) {
				s.label(r, 0, o.say("Table 1 (continued)", "（続き）", "noch: Tabelle 1", "Tableau 1 (suite)"))
				r++
			}
			for c, f := range slices.Clone(s.grid[head]) {
				s.put(r, c, f)
			}
			r++
		}
		if blanks && i > 0 && row.level < o.rows[i-1].level && i != right {
			r++
		}
		r = o.k.heading(s, r, c0, i)
		f := drawnField{text: row.label}
		switch indent {
		case 1:
			f.text = strings.Repeat(o.say("  ", "　"), row.level) + row.label
		case 2:
			f.indent = row.level
		}
		s.put(r, c0, f)
		var line []spotOn
		for j := range o.cols {
			at := spotOn{s, r, c0 + 1 + j*stride}
			line = append(line, at)
			o.cellAt(s, at.r, at.c, o.cell[i][j])
			v := &s.grid[at.r][at.c]
			switch {
			case v.text == "0" && o.lang == 1 && !o.k.is("zeros"):
				*v = drawnField{text: "-"}
			case notes >= 0 && o.maybe(5):
				*v = drawnField{text: []string{v.text + "e", v.text + " *", v.text + " 1)", "(" + v.text + ")", "r " + v.text, "p" + v.text}[notes]}
			case j == unit:
				*v = drawnField{text: v.text + o.say(" persons", "人", " Pers.", " pers.")}
			case v.number && row.parts != nil && o.maybe(3): // with its formula
				var refs []string
				for _, p := range row.parts {
					if p < i && continued < 0 && right < 0 && !shareRows {
						ref, _ := excelize.CoordinatesToCellName(at.c+1, o.at[p][j].r+1)
						refs = append(refs, ref)
					}
				}
				if len(refs) == len(row.parts) {
					v.formula = strings.Join(refs, "+")
				}
			}
			if stride == 2 {
				a, b := o.shareOf(i, j, pair)
				o.share(s, at.r, at.c+1, a, b, form)
			}
		}
		o.at = append(o.at, line)
		r++
		if shareRows {
			s.label(r, 0, o.say("Percent", "割合(%)", "in %", "en %"))
			for j := range o.cols {
				a, b := o.shareOf(i, j, 0)
				o.share(s, r, 1+j, a, b, form)
			}
			r++
		}
	}
	if o.maybe(3) {
		if o.maybe(2) {
			r++
		}
		s.label(r, 0, o.say("Source: census of 2020.", "資料：2020年国勢調査", "Quelle: Zensus 2020.", "Source : recensement 2020."))
	}
}

// shareOf is what a share is of: of the total of its column, its row, or all.
func (o *officeFile) shareOf(i, j, kind int) (a, b int) {
	up, left := -1, -1
	for k := range o.rows {
		if o.rows[k].parts != nil && (up < 0 || len(o.rows[k].label) > 0 && o.rows[k].level < o.rows[up].level) {
			up = k
		}
	}
	for k := range o.cols {
		if o.cols[k].parts != nil && !o.cols[k].memo {
			left = k
		}
	}
	switch {
	case kind == 0 || left < 0:
		return o.cell[i][j], o.cell[up][j]
	case kind == 1:
		return o.cell[i][j], o.cell[i][left]
	}
	return o.cell[i][j], o.cell[up][left]
}

// share puts a/b: as a fraction, with no, one or two decimals, or as text.
func (o *officeFile) share(s *drawnSheet, r, c, a, b, form int) {
	if o.k.flag(s, r, c, true) {
		return
	}
	if o.k != nil {
		defer func() { o.k.ratios[spotOn{s, r, c}] = [2]int{a, b} }()
	}
	if o.value[b] == 0 {
		s.label(r, c, "-")
		return
	}
	v := o.value[a] / o.value[b]
	at := o.spot(s, r, c)
	switch {
	case form == 3 && !o.text:
		s.put(r, c, drawnField{text: strconv.FormatFloat(v, 'f', -1, 64), number: true, format: "0.0%"})
		o.isRatio(at, a, b, 1, v, 1e-9)
	default:
		d := form % 3
		p := math.Pow(10, float64(d))
		shown := math.Round(100*v*p) / p
		if o.number(s, r, c, shown, d, ""); o.k.is("per cent sign") {
			s.label(r, c, s.grid[r][c].text+o.k.sign())
		}
		o.isRatio(at, a, b, 100, shown, 0.5/p+1e-9)
	}
}

// again sets rows and columns of the table once more.
func (o *officeFile) again(s *drawnSheet, r, c int, title string, put func(r, c, i, j int)) {
	if title != "" {
		s.label(r, c, title)
		r++
	}
	s.label(r, c, o.say("Area", "地域", "Ort", "Commune"))
	for j := range o.cols {
		s.label(r, c+1+j, o.cols[j].label)
	}
	for i := range o.rows {
		s.label(r+1+i, c, o.rows[i].label)
		for j := range o.cols {
			put(r+1+i, c+1+j, i, j)
		}
	}
}

// newSheet adds a sheet; a text file has none.
func (o *officeFile) newSheet(name string) *drawnSheet {
	s := &drawnSheet{name: name, hidden: o.maybe(3)}
	o.sheets = append(o.sheets, s)
	return s
}

// drawMore adds something that tells of the cells.
func (o *officeFile) drawMore() {
	s := o.sheets[0]
	form := o.IntN(4)
	kind := o.IntN(3)
	below, right := len(s.grid)+1+o.IntN(2), s.width()+o.IntN(2)
	withShares := func(r, c, i, j int) {
		a, b := o.shareOf(i, j, kind)
		o.share(s, r, c, a, b, form)
	}
	beside := func(head string, put func(i, r, c int)) {
		c := s.width()
		s.label(o.first-1, c, head)
		for i := range o.rows {
			at := o.spot(s, o.at[i][0].r, c) // of a row that goes on at the right the last piece has it
			o.tales = slices.DeleteFunc(o.tales, func(t tale) bool { return t.at == at })
			put(i, o.at[i][0].r, c)
		}
	}
	any := func() (i, j int) { return o.IntN(len(o.rows)), o.IntN(len(o.cols)) }
	what := o.IntN(17)
	if o.wrapped && slices.Contains([]int{5, 6, 7, 8, 9, 10, 11, 16}, what) {
		return // a column for rows that stand beside each other has no place
	}
	switch {
	case what == 0 && !o.periods:
		o.feature("share panel below")
		o.again(s, below, 0, o.say("Per cent", "割合（％）", "in Prozent", "en %"), withShares)
	case what == 1 && !o.periods:
		o.feature("share block")
		o.again(s, max(0, o.first-2), right, o.say("Per cent", "構成比(%)", "in Prozent", "en %"), withShares)
	case what == 2 && !o.periods && !o.text:
		s = o.newSheet(o.say("Share", "構成比", "Anteile", "Parts"))
		o.feature("share sheet")
		o.again(s, o.IntN(2), 0, o.say("Shares", "構成比", "Anteile", "Parts"), withShares)
	case what == 3 && !o.text:
		s = o.newSheet("Copy")
		o.feature("copy sheet, hidden %v", s.hidden)
		title := ""
		if o.maybe(2) {
			title = "Copy of 1"
		}
		o.again(s, 0, 0, title, func(r, c, i, j int) { o.cellAt(s, r, c, o.cell[i][j]) })
	case what == 4 && !o.text:
		s = o.newSheet("Raw")
		o.feature("list")
		r := 0
		for i := range o.rows {
			for j := range o.cols {
				s.label(r, 0, o.rows[i].label)
				s.label(r, 1, o.cols[j].label)
				o.cellAt(s, r, 2, o.cell[i][j])
				r++
			}
		}
	case what == 5 && o.periods:
		n := len(o.cols)
		o.feature("change")
		beside(o.say("Change", "増減", "Veränderung", "Évolution"), func(i, r, c int) {
			a, b := o.cell[i][n-1], o.cell[i][n-2]
			d := o.value[a] - o.value[b]
			o.number(s, r, c, d, 0, "")
			o.tales = append(o.tales, tale{o.spot(s, r, c), []int{a, b}, []float64{1, -1}, d, d})
		})
	case what == 6 && o.periods:
		n := len(o.cols)
		o.feature("change in percent")
		beside(o.say("Change in %", "増減率(%)", "Veränderung in %", "Évolution (en %)"), func(i, r, c int) {
			a, b := o.cell[i][n-1], o.cell[i][n-2]
			if o.value[b] == 0 {
				s.label(r, c, "-")
				return
			}
			d := math.Round(1000*(o.value[a]-o.value[b])/o.value[b]) / 10
			o.number(s, r, c, d, 1, "")
			o.isRatio(o.spot(s, r, c), a, b, 100, d+100, 0.05+1e-9)
		})
	case what == 7 && o.periods:
		o.feature("index")
		for j := 1; j < len(o.cols); j++ {
			beside(o.cols[j].label+o.say(" (2019 = 100)", "年指数", " (2019 = 100)", " (base 100)"), func(i, r, c int) {
				a, b := o.cell[i][j], o.cell[i][0]
				if o.value[b] == 0 {
					s.label(r, c, "-")
					return
				}
				d := math.Round(1000*o.value[a]/o.value[b]) / 10
				o.number(s, r, c, d, 1, "")
				o.isRatio(o.spot(s, r, c), a, b, 100, d, 0.05+1e-9)
			})
		}
	case what == 8:
		o.feature("per area")
		_, j := any()
		var area []float64
		beside(o.say("km²", "面積", "Fläche", "Superficie"), func(i, r, c int) {
			area = append(area, float64(10+o.IntN(90)))
			o.number(s, r, c, area[i], 0, "")
		})
		beside(o.say("per km²", "人口密度", "je km²", "Densité"), func(i, r, c int) {
			a := o.cell[i][j]
			d := math.Round(1000*o.value[a]/area[i]) / 1000
			o.number(s, r, c, d, 3, "")
			o.tales = append(o.tales, tale{o.spot(s, r, c), []int{a}, []float64{1}, (d - 0.0005001) * area[i], (d + 0.0005001) * area[i]})
		})
	case what == 9:
		o.feature("rank")
		_, j := any()
		beside(o.say("Rank", "順位", "Rang", "Rang"), func(i, r, c int) {
			n := 1
			for k := range o.rows {
				if o.value[o.cell[k][j]] > o.value[o.cell[i][j]] {
					n++
				}
			}
			o.number(s, r, c, float64(n), 0, "")
		})
	case what == 10 && !o.text:
		_, j := any()
		o.feature("hidden column")
		beside(o.cols[j].label, func(i, r, c int) { o.cellAt(s, r, c, o.cell[i][j]) })
		s.hiddenColumn = s.width()
	case what == 11:
		o.feature("cumulated")
		leaves := []int{}
		for j := range o.cols {
			if o.cols[j].parts == nil {
				leaves = append(leaves, j)
			}
		}
		for k := range leaves[1:] {
			of := leaves[:k+2]
			beside(o.say("cumulated to ", "累計 ", "kumuliert bis ", "cumul ")+o.cols[of[k+1]].label, func(i, r, c int) {
				t := tale{at: o.spot(s, r, c)}
				sum := 0.0
				for _, j := range of {
					t.cells, t.coef = append(t.cells, o.cell[i][j]), append(t.coef, 1)
					sum += o.value[o.cell[i][j]]
				}
				t.lo, t.up = sum, sum
				o.number(s, r, c, sum, 0, "")
				o.tales = append(o.tales, t)
			})
		}
	case what == 12 && !o.text:
		o.feature("comment")
		i, j := any()
		at := o.at[i][j]
		if o.maybe(2) { // on another cell
			at = o.at[0][0]
		}
		ref, _ := excelize.CoordinatesToCellName(at.c+1, at.r+1)
		for _, c := range o.comments {
			if c[1] == ref {
				return
			}
		}
		o.comments = append(o.comments, [3]string{s.name, ref, fmt.Sprintf("%s, %s: %g", o.rows[i].label, o.cols[j].label, o.value[o.cell[i][j]])})
		o.isValue(spot{s.name, "comment " + ref}, o.cell[i][j], 0)
	case what == 13:
		o.feature("note")
		i, j := any()
		text := fmt.Sprintf(o.say("In %s there were %g persons (%s).", "%s は %g 人 (%s)", "In %s waren es %g Personen (%s).", "%s : %g personnes (%s)."), o.rows[i].label, o.value[o.cell[i][j]], o.cols[j].label)
		s.label(below, 0, text)
		o.isValue(o.spot(s, below, 0), o.cell[i][j], 0)
	case what == 14 && !o.text:
		o.feature("name")
		i, j := any()
		name := fmt.Sprintf("n_%d", len(o.names))
		o.names = append(o.names, [2]string{name, fmt.Sprintf("%g", o.value[o.cell[i][j]])})
		o.isValue(spot{"", name}, o.cell[i][j], 0)
	case what == 15:
		o.feature("other table")
		r, c := o.first-1, right+1
		if o.maybe(2) {
			r, c = below, 0
		} else if o.k != nil {
			o.k.right = true
		}
		s.label(max(0, r-1), c, o.say("Table 2. Accidents", "第２表　事故", "Tabelle 2: Unfälle", "Tableau 2. Accidents"))
		n, sum := 2+o.IntN(3), 0.0
		total := tale{}
		s.label(r, c+1, o.say("Accidents", "件数", "Unfälle", "Accidents"))
		for k := range n + 1 {
			v := float64(o.IntN(9))
			if s.label(r+1+k, c, officeCols[(o.lang+1)%4][k]); k == n {
				v = sum
				s.label(r+1+k, c, totals[o.lang][0])
			}
			o.value = append(o.value, v)
			cell := len(o.value) - 1
			if o.k != nil {
				o.k.others = append(o.k.others, cell)
			}
			total.cells = append(total.cells, cell)
			total.coef = append(total.coef, []float64{1, -1}[k/n])
			sum += v
			o.cellAt(s, r+1+k, c+1, cell)
			if v > 0 && v < 3 {
				o.sensitive = append(o.sensitive, cell)
			}
		}
		o.tales = append(o.tales, total)
	case what == 16 && !o.periods:
		o.feature("average")
		i, j := any()
		_ = i
		b := len(o.value)
		for i := range o.rows { // of another measure, that everybody knows
			o.measure = append(o.measure, len(o.value))
			o.value = append(o.value, math.Round(o.value[o.cell[i][j]]*(1+3*o.Float64())))
		}
		beside(o.say("Children", "子供", "Kinder", "Enfants"), func(i, r, c int) {
			o.number(s, r, c, o.value[b+i], 0, "")
			o.isValue(o.spot(s, r, c), b+i, 0)
		})
		beside(o.say("Children per person", "1人当たり", "Kinder je Person", "Enfants par personne"), func(i, r, c int) {
			a := o.cell[i][j]
			if o.value[a] == 0 {
				s.label(r, c, "-")
				return
			}
			d := math.Round(10*o.value[b+i]/o.value[a]) / 10
			o.number(s, r, c, d, 1, "")
			o.isRatio(o.spot(s, r, c), b+i, a, 1, d, 0.05+1e-9)
		})
	}
}

// write writes the file into a folder and returns its path.
func (o *officeFile) write(dir string) (string, error) {
	if o.text {
		path := filepath.Join(dir, "office.csv")
		if o.mark == '\t' {
			path = filepath.Join(dir, "office.tsv")
		}
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Comma = o.mark
		width := o.sheets[0].width()
		for _, row := range o.sheets[0].grid {
			line := make([]string, width)
			for c := range row {
				line[c] = row[c].text
			}
			if err := w.Write(line); err != nil {
				return "", err
			}
		}
		w.Flush()
		return path, os.WriteFile(path, []byte(b.String()), 0o600)
	}
	path := filepath.Join(dir, "office.xlsx")
	f := excelize.NewFile()
	defer f.Close()
	for k, s := range o.sheets {
		name := s.name
		if k == 0 {
			if err := f.SetSheetName("Sheet1", name); err != nil {
				return "", err
			}
		} else if at, _ := f.GetSheetIndex(name); at >= 0 {
			return "", errTwice
		} else if _, err := f.NewSheet(name); err != nil {
			return "", err
		}
		for r, row := range s.grid {
			for c, x := range row {
				ref, _ := excelize.CoordinatesToCellName(c+1, r+1)
				var err error
				switch {
				case x.text == "" || x.noValue:
				case x.rich != "":
					err = f.SetCellRichText(name, ref, []excelize.RichTextRun{{Text: x.text}, {Text: x.rich, Font: &excelize.Font{VertAlign: "superscript"}}})
				case x.number:
					v, _ := strconv.ParseFloat(x.text, 64)
					err = f.SetCellValue(name, ref, v)
				default:
					err = f.SetCellStr(name, ref, x.text)
				}
				if err == nil && x.formula != "" {
					err = f.SetCellFormula(name, ref, x.formula)
				}
				if err == nil && (x.format != "" || x.indent > 0) {
					var style int
					st := &excelize.Style{Alignment: &excelize.Alignment{Indent: x.indent}}
					if x.format != "" {
						st.CustomNumFmt = &x.format
					}
					if style, err = f.NewStyle(st); err == nil {
						err = f.SetCellStyle(name, ref, ref, style)
					}
				}
				if err != nil {
					return "", err
				}
			}
		}
		for _, m := range s.merged {
			a, _ := excelize.CoordinatesToCellName(m[1]+1, m[0]+1)
			b, _ := excelize.CoordinatesToCellName(m[3]+1, m[2]+1)
			if err := f.MergeCell(name, a, b); err != nil {
				return "", err
			}
		}
		for _, r := range s.hiddenRows {
			if err := f.SetRowVisible(name, r+1, false); err != nil {
				return "", err
			}
		}
		if s.hiddenColumn > 0 {
			c, _ := excelize.ColumnNumberToName(s.hiddenColumn)
			if err := f.SetColVisible(name, c, false); err != nil {
				return "", err
			}
		}
	}
	for _, s := range o.sheets {
		if s.hidden {
			if err := f.SetSheetVisible(s.name, false); err != nil {
				return "", err
			}
		}
	}
	for _, c := range o.comments {
		if err := f.AddComment(c[0], excelize.Comment{Cell: c[1], Author: "", Paragraph: []excelize.RichTextRun{{Text: c[2]}}}); err != nil {
			return "", err
		}
	}
	for _, n := range o.names {
		if err := f.SetDefinedName(&excelize.DefinedName{Name: n[0], RefersTo: n[1]}); err != nil {
			return "", err
		}
	}
	if o.k != nil {
		for _, more := range o.k.extras {
			if err := more(f); err != nil {
				return "", err
			}
		}
	}
	if err := f.SaveAs(path); err != nil || o.k == nil {
		return path, err
	}
	if o.k.rule != nil {
		if err := o.k.rule.plant(path, o); err != nil {
			return path, err
		}
	}
	if o.k.chart == nil {
		return path, nil
	}
	return path, o.k.chart.remember(path, o.k)
}
