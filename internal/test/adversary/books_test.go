package adversary

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A drawnBook is a workbook or text of two to four classifications, each in the rows, in the columns, in panels below each other or on
// sheets of its own, with what offices set beside them.
type drawnBook struct {
	officeFile
	dims                        []*bookDim // areas, then others
	stub                        string     // how the rows are called
	width                       int        // columns of labels
	fill                        bool       // labels of outer classifications stand once
	unitRow                     string
	share                       string // where shares stand
	shareOf                     int
	form                        int // of shares
	change                      string
	page                        int // the row from which the table goes on elsewhere, 0: none
	pages                       string
	zero                        string
	note                        int // of numbers, -1: none
	labelNotes                  bool
	offsetR, offsetC            int
	formulas, spanner, repeated bool
	once                        bool // the header of panels
	centred                     bool // what panels are called stands over the values
	titles                      [5]bool
	placed                      map[int]spotOn
}

type bookDim struct {
	name  string
	codes []drawnCode
	place string // rows, outer rows, cols, outer cols, panel, sheet
	time  bool
	total int // the code of all, -1: none
}

var bookAreas = [][][]string{
	{{"Adair", "Boone", "Clay"}, {"Dover", "Elk"}, {"Floyd", "Gibson", "Harlan"}},
	{{"北浜市", "松原市", "東丘市"}, {"南川市", "西谷町"}, {"上里村", "中野町", "緑町"}},
	{{"Altdorf", "Bergen", "Celle"}, {"Dorfen", "Eschen"}, {"Fulda", "Gera", "Hamm"}},
	{{"Aubigny", "Belmont", "Dompierre"}, {"Étréval", "Fontenay"}, {"Grandmont", "Hautecour", "Joigny"}},
}

var bookGroups = [][]string{{"North", "South", "West"}, {"北部", "南部", "西部"}, {"Nord", "Süd", "West"}, {"Nord", "Sud", "Ouest"}}

var bookHeads = [][3][]string{
	{{"Under 20", "20-34", "35-49", "50-64", "65 and over"}, {"1 to 4", "5 to 9", "10 to 19", "20 to 49", "50 or more"}, {"Theft", "Fraud", "Assault", "Arson", "Other"}},
	{{"20歳未満", "20～34歳", "35～49歳", "50～64歳", "65歳以上"}, {"１～４人", "５～９人", "10～19人", "20～49人", "50人以上"}, {"窃盗犯", "知能犯", "粗暴犯", "凶悪犯", "その他"}},
	{{"unter 20", "20 bis 34", "35 bis 49", "50 bis 64", "65 und älter"}, {"1 – 4", "5 – 9", "10 – 19", "20 – 49", "50 und mehr"}, {"Diebstahl", "Betrug", "Raub", "Brandstiftung", "Sonstige"}},
	{{"moins de 20 ans", "20-34 ans", "35-49 ans", "50-64 ans", "65 ans ou +"}, {"1 à 4", "5 à 9", "10 à 19", "20 à 49", "50 ou plus"}, {"Vols", "Fraudes", "Violences", "Incendies", "Autres"}},
}

var bookSides = [][2][]string{
	{{"Male", "Female", "Persons"}, {"Public", "Private", "All schools"}},
	{{"男", "女", "総数"}, {"公立", "私立", "全施設"}},
	{{"männlich", "weiblich", "insgesamt"}, {"öffentlich", "privat", "Zusammen"}},
	{{"Hommes", "Femmes", "Ensemble"}, {"Public", "Privé", "Total"}},
}

func (b *drawnBook) one(words ...string) string { return words[b.IntN(len(words))] }

// flat is a classification of some codes with their total first, last or nowhere.
func (b *drawnBook) flat(name string, words []string, total, where string) *bookDim {
	d := &bookDim{name: name, total: -1}
	var parts []int
	if where == "first" {
		d.codes, d.total = append(d.codes, drawnCode{label: total}), 0
	}
	for _, w := range words {
		parts = append(parts, len(d.codes))
		d.codes = append(d.codes, drawnCode{label: w, level: 1})
	}
	if where == "last" {
		d.total = len(d.codes)
		d.codes = append(d.codes, drawnCode{label: total})
	}
	if d.total >= 0 {
		d.codes[d.total].parts = parts
	}
	return d
}

// areas are places in groups, these before or behind theirs.
func (b *drawnBook) areas() *bookDim {
	d := &bookDim{name: b.say("Area", "地域", "Ort", "Commune"), total: -1}
	total := b.say(b.one("Total", "All areas", "United counties"), b.one("総数", "計", "県計"), b.one("Insgesamt", "Land zusammen"), b.one("Ensemble", "Total"))
	add := func(label string, level int) int {
		d.codes = append(d.codes, drawnCode{label: label, level: level})
		return len(d.codes) - 1
	}
	depth, groups, last, first := 1+b.IntN(2), 1+b.IntN(3), b.maybe(2), b.maybe(2)
	if depth == 2 {
		groups = 2 + b.IntN(2)
		b.feature("depth 2")
		if last {
			b.feature("subtotals last")
		}
	}
	if first {
		d.total = add(total, 0)
	}
	var of []int
	for g, places := range bookAreas[b.lang][:groups] {
		var parts []int
		at := -1
		if depth == 2 && !last {
			at = add(bookGroups[b.lang][g], 1)
		}
		if n := len(places); depth == 2 && n > 2 && b.maybe(3) {
			places = places[:n-1]
		}
		for _, p := range places {
			parts = append(parts, add(p, depth))
		}
		if depth == 2 && last {
			at = add(bookGroups[b.lang][g], 1)
		}
		if depth == 1 {
			of = append(of, parts...)
		} else {
			d.codes[at].parts = parts
			of = append(of, at)
		}
	}
	if !first {
		d.total = add(total, 0)
		b.feature("total last")
	}
	d.codes[d.total].parts = of
	return d
}

func drawBook(r *rand.Rand, k *kinds) *drawnBook {
	b := &drawnBook{note: -1, placed: map[int]spotOn{}}
	b.Rand, b.lang, b.text, b.mark = r, r.IntN(4), r.IntN(6) == 0, ';'
	if b.text {
		b.mark = []rune{';', '\t', ','}[r.IntN(3)]
		b.decimalComma = b.mark != ',' && b.lang >= 2
	} else if b.asText = b.maybe(8); b.asText {
		b.feature("text")
		b.decimalComma = b.lang >= 2
	}
	b.k = k
	k.begin(&b.officeFile)
	b.drawDims()
	k.redraw(b)
	b.drawCube()
	b.drawDress()
	k.redress(b)
	b.set()
	k.finish(&b.officeFile, func(cell int) string {
		var words []string
		for d, c := range b.codesOf(cell) {
			words = append(words, b.dims[d].codes[c].label)
		}
		return strings.Join(words, ", ")
	})
	return b
}

// drawDims draws the classifications and where they stand.
func (b *drawnBook) drawDims() {
	s := b.areas()
	s.place = "rows"
	b.dims = append(b.dims, s)
	total := func() string { return b.say("Total", b.one("総数", "計"), "Insgesamt", b.one("Ensemble", "Total")) }
	if !b.maybe(5) { // what heads the columns
		kind := b.IntN(3)
		where := b.one("first", "last", "last", "first", "none")
		name := []string{b.say("Age", "年齢", "Alter", "Âge"), b.say("Employees", "従業者規模", "Beschäftigte", "Effectif"), b.say("Offence", "罪種", "Straftat", "Infraction")}[kind]
		h := b.flat(name, bookHeads[b.lang][kind][:2+b.IntN(4)], total(), where)
		h.place = "cols"
		if where != "none" && len(h.codes) > 4 && b.maybe(6) {
			var of []int
			for i, c := range h.codes {
				if c.level == 1 {
					of = append(of, i)
				}
			}
			of = of[len(of)-2:]
			h.codes = append(h.codes, drawnCode{label: b.say("of which 50 and over", "うち50歳以上", "darunter 50 und älter", "dont 50 ans ou plus"), parts: of, memo: true})
			b.feature("memo column")
		}
		b.feature("head %s, total %s", []string{"age", "size", "kind"}[kind], where)
		b.dims = append(b.dims, h)
		if b.maybe(2) {
			side := bookSides[b.lang][b.IntN(2)]
			where := b.one("first", "last", "last", "none")
			x := b.flat(b.say("Group", "区分", "Gruppe", "Groupe"), side[:2], side[2], where)
			places := []string{"outer cols", "inner cols", "outer rows", "inner rows", "panel", "sheet"}
			if b.text {
				places = places[:5]
			}
			x.place = places[b.IntN(len(places))]
			b.feature("x %s, total %s", x.place, where)
			b.dims = append(b.dims, x)
		}
	}
	if len(b.dims) == 1 || len(b.dims) == 2 && b.maybe(4) { // years
		t := &bookDim{name: b.say("Year", "年次", "Jahr", "Année"), time: true, total: -1}
		form := b.IntN(3)
		for y := range 2 + b.IntN(3) {
			label := fmt.Sprint(2018 + y)
			if form == 1 {
				label = b.say(label, fmt.Sprintf("平成%d年", 30+y), label, label)
				if y > 0 && b.lang == 1 {
					label = fmt.Sprintf("令和%d年", y+1)
				}
			}
			t.codes = append(t.codes, drawnCode{label: label})
		}
		t.place = "cols"
		if len(b.dims) == 2 {
			places := []string{"outer cols", "inner cols", "panel", "sheet"}
			if b.text {
				places = places[:3]
			}
			t.place = places[b.IntN(len(places))]
		}
		b.feature("years %s", t.place)
		b.dims = append(b.dims, t)
	}
}

// strides are what the codes of each classification add to the number of a cell.
func (b *drawnBook) strides() (all []int, n int) {
	n = 1
	for _, d := range b.dims {
		all = append(all, n)
		n *= len(d.codes)
	}
	return all, n
}

func (b *drawnBook) id(at []int) int {
	strides, _ := b.strides()
	n := 0
	for d, s := range strides {
		n += s * at[d]
	}
	return n
}

func (b *drawnBook) codesOf(id int) (at []int) {
	for _, d := range b.dims {
		at = append(at, id%len(d.codes))
		id /= len(d.codes)
	}
	return at
}

// drawCube draws the cells and sums them.
func (b *drawnBook) drawCube() {
	_, n := b.strides()
	large := b.k.large([]int{6, 15, 60, 300}[b.IntN(4)])
	b.value = make([]float64, n)
	done := make([]bool, n)
	for c := range n {
		b.value[c] = float64(b.IntN(large))
		if b.maybe(4) {
			b.value[c] = float64(b.IntN(4))
		}
		b.value[c] = b.k.fraction(b.value[c])
	}
	b.k.amounts(b)
	with := func(at []int, d int, parts []int) (all []int) {
		for _, p := range parts {
			x := slices.Clone(at)
			x[d] = p
			all = append(all, b.id(x))
		}
		return all
	}
	var sum func(c int) float64
	sum = func(c int) float64 {
		if done[c] {
			return b.value[c]
		}
		done[c] = true
		at := b.codesOf(c)
		for d := range b.dims {
			if parts := b.dims[d].codes[at[d]].parts; parts != nil {
				b.value[c] = 0
				for _, p := range with(at, d, parts) {
					b.value[c] += sum(p)
				}
				b.value[c] = b.k.sum(b.value[c])
				break
			}
		}
		return b.value[c]
	}
	for c := range n {
		v := sum(c)
		at := b.codesOf(c)
		if b.k.measure(b, at) > 0 {
			if v = sum(b.k.counted(b, at)); b.k.isDerived(b, at) || b.k.derived == 3 {
				v = 0
			}
		} else if b.k != nil && b.k.public {
			v = 0
		}
		if b.k.sensitive(v) {
			b.sensitive = append(b.sensitive, c)
		}
		if b.k.isDerived(b, at) {
			continue
		}
		for d := range b.dims {
			if parts := b.dims[d].codes[at[d]].parts; parts != nil {
				b.isSum(c, with(at, d, parts))
			}
		}
	}
}

// drawDress draws how the file looks.
func (b *drawnBook) drawDress() {
	x := ""
	for _, d := range b.dims[1:] {
		if d.place != "cols" {
			x = d.place
		}
	}
	b.stub = b.one("plain", "spaces", "indent", "prefix", "code column", "columns", "leaders")
	if b.text && b.stub == "indent" || strings.HasSuffix(x, "rows") && b.stub == "columns" {
		b.stub = "plain"
	}
	b.feature("stub %s", b.stub)
	b.width = 1
	if b.stub == "code column" || b.stub == "columns" {
		b.width = 2
	}
	if strings.HasSuffix(x, "rows") {
		b.width++
		if b.fill = b.maybe(2); b.fill {
			b.feature("fill blank")
		}
	}
	if b.maybe(6) {
		b.unitRow = b.say("number", "人", "Anzahl", "nombre")
		b.feature("unit row")
	}
	if b.maybe(3) {
		b.zero = "dash"
	}
	if b.maybe(10) {
		b.note = b.IntN(6)
		b.feature("footnoted %d", b.note)
	}
	if b.labelNotes = b.maybe(8); b.labelNotes {
		b.feature("label notes")
	}
	if b.maybe(4) {
		b.offsetR, b.offsetC = b.IntN(3), b.IntN(2)
		if b.text {
			b.offsetC = 0
		}
	}
	b.formulas = !b.text && !b.asText && b.maybe(6)
	if b.spanner = b.maybe(6) && !strings.HasSuffix(x, "cols"); b.spanner {
		b.feature("spanner")
	}
	b.repeated = b.maybe(2)
	time := slices.IndexFunc(b.dims, func(d *bookDim) bool { return d.time })
	switch {
	case time >= 0 && (b.dims[time].place == "cols" || b.dims[time].place == "inner cols"):
		if b.maybe(2) {
			b.change = b.one("difference", "per cent", "both", "index")
			b.feature("change %s", b.change)
		}
	case b.maybe(3):
		b.share = b.one("pair", "block", "panel", "sheet")
		if b.text && b.share == "sheet" {
			b.share = "pair"
		}
		b.shareOf, b.form = b.IntN(3), b.IntN(4)
		b.feature("share %s, form %d", b.share, b.form)
	}
	if x != "panel" && b.share != "panel" && b.share != "block" && len(b.dims[0].codes) > 4 && b.stub != "columns" && b.maybe(6) {
		b.page = 2 + b.IntN(len(b.dims[0].codes)-3)
		b.pages = b.one("below", "at the right", "sheet")
		if x == "sheet" || b.text && b.pages == "sheet" || strings.HasSuffix(x, "rows") {
			b.pages = "below"
		}
		if b.pages == "at the right" && (b.share != "" || b.change != "") {
			b.pages = "below"
		}
		b.feature("page %s", b.pages)
	}
	b.centred = b.maybe(2)
	b.titles = [5]bool{!b.maybe(4), b.maybe(3), b.maybe(2), b.maybe(2), b.maybe(2)}
	if x == "panel" {
		if b.once = b.maybe(3); b.once {
			b.feature("header once")
		}
	}
}

// lines are the combinations of the codes of the classifications that stand in a place, outer ones first.
func (b *drawnBook) lines(outer, plain, inner string) (dims []int, all [][]int) {
	for _, p := range []string{outer, plain, inner} {
		for d := range b.dims {
			if b.dims[d].place == p {
				dims = append(dims, d)
			}
		}
	}
	all = [][]int{nil}
	for _, d := range dims {
		var next [][]int
		for _, a := range all {
			for k := range b.dims[d].codes {
				next = append(next, append(slices.Clone(a), k))
			}
		}
		all = next
	}
	return dims, all
}

// set sets the file.
func (b *drawnBook) set() {
	name := b.say("Data", "データ", "Daten", "Donnees")
	sheetDims, sheets := b.lines("", "sheet", "")
	for _, on := range sheets {
		label := name
		if len(sheetDims) > 0 {
			label = b.dims[sheetDims[0]].codes[on[0]].label
			if b.maybe(8) && (b.k == nil || b.k.measures < 0) { // else nobody knows what they measure
				b.feature("sheet names say nothing")
				label = fmt.Sprintf("T%d", len(b.sheets)+1)
			}
		}
		s := &drawnSheet{name: label}
		b.sheets = append(b.sheets, s)
		b.setSheet(s, sheetDims, on, false)
	}
	if b.share == "sheet" {
		for k, on := range sheets {
			s := b.newSheet(b.say("Share", "構成比", "Anteile", "Parts"))
			if len(sheets) > 1 {
				s.name += fmt.Sprint(k + 1)
			}
			s.hidden = false
			b.setSheet(s, sheetDims, on, true)
		}
	}
	switch what := b.IntN(12); {
	case b.text:
	case what == 0:
		s := b.newSheet("Raw")
		b.feature("list, hidden %v", s.hidden)
		s.label(0, 0, "")
		for c := range b.id(b.lastCodes()) + 1 {
			at := b.codesOf(c)
			for d := range b.dims {
				s.label(c, d, b.dims[d].codes[at[d]].label)
			}
			if !b.k.derive(b, s, c, len(b.dims), c) {
				b.cellAt(s, c, len(b.dims), c)
			}
		}
	case what == 1:
		c := b.sensitiveOne()
		at := b.placed[c]
		ref, _ := excelize.CoordinatesToCellName(at.c+1, at.r+1)
		b.feature("comment")
		b.comments = append(b.comments, [3]string{at.s.name, ref, fmt.Sprintf(b.say("was %g", "実数 %g", "tatsächlich %g", "réel : %g"), b.value[c])})
		b.isValue(spot{at.s.name, "comment " + ref}, c, 0)
	case what == 2:
		c := b.sensitiveOne()
		b.feature("name")
		b.names = append(b.names, [2]string{"special", fmt.Sprintf("%g", b.value[c])})
		b.isValue(spot{"", "special"}, c, 0)
	}
}

func (b *drawnBook) lastCodes() (at []int) {
	for _, d := range b.dims {
		at = append(at, len(d.codes)-1)
	}
	return at
}

func (b *drawnBook) sensitiveOne() int {
	if len(b.sensitive) == 0 {
		return 0
	}
	return b.sensitive[b.IntN(len(b.sensitive))]
}

// setSheet sets what stands on a sheet.
func (b *drawnBook) setSheet(s *drawnSheet, sheetDims, on []int, shares bool) {
	r, c := b.offsetR, b.offsetC
	if b.titles[0] {
		s.label(r, c, b.say("Table 1. Persons by area", "第１表　地域別人口", "Tabelle 1: Personen nach Ort", "Tableau 1. Personnes par commune"))
		r++
		if b.titles[1] {
			s.label(r, c, b.say("Census of 2020", "令和２年国勢調査", "Zensus 2020", "Recensement de 2020"))
			r++
		}
		if len(on) > 0 && b.titles[2] {
			s.label(r, c, b.dims[sheetDims[0]].codes[on[0]].label)
			r++
		}
		if b.titles[3] {
			s.label(r, c, b.say("(number)", "（単位：人）", "(Anzahl)", "(nombre)"))
			r++
		}
		if b.titles[4] {
			r++
		}
	}
	panelDims, panels := b.lines("", "panel", "")
	for k, in := range panels {
		if len(panelDims) > 0 {
			col := c
			if b.centred && !b.once {
				col += b.width
			}
			if !b.once || k > 0 {
				s.label(r, col, b.dims[panelDims[0]].codes[in[0]].label)
				r++
			}
		}
		dims, codes := slices.Concat(sheetDims, panelDims), slices.Concat(on, in)
		if b.once && k == 0 {
			r = b.setHead(s, r, c, shares)
			s.label(r, c, b.dims[panelDims[0]].codes[in[0]].label)
			r++
			r = b.setRows(s, r, c, dims, codes, shares)
		} else if b.once {
			r = b.setRows(s, r, c, dims, codes, shares)
		} else {
			r = b.setBlock(s, r, c, dims, codes, shares)
		}
		r += b.IntN(2)
	}
	if b.share == "panel" && !shares {
		for _, in := range panels {
			r++
			text := b.say("Per cent", "割合（％）", "Anteile in %", "en %")
			if len(panelDims) > 0 {
				text = b.dims[panelDims[0]].codes[in[0]].label + " " + text
			}
			s.label(r, c, text)
			r = b.setBlock(s, r+1, c, slices.Concat(sheetDims, panelDims), slices.Concat(on, in), true)
		}
	}
	if b.maybe(3) {
		s.label(r+b.IntN(2), c, b.say("Source: census of 2020.", "資料：令和２年国勢調査", "Quelle: Zensus 2020.", "Source : recensement 2020."))
	}
}

// columns are the columns of a block: where values, shares and changes of them stand, by the place behind the labels.
func (b *drawnBook) columns() (dims []int, all [][]int, stride int) {
	dims, all = b.lines("outer cols", "cols", "inner cols")
	stride = 1
	if b.share == "pair" {
		stride = 2
	}
	return dims, all, stride
}

// extra are how many columns follow the years of each group.
func (b *drawnBook) extra() int {
	switch b.change {
	case "difference", "per cent":
		return 1
	case "both":
		return 2
	case "index":
		return len(b.dims[len(b.dims)-1].codes) - 1
	}
	return 0
}

// column is where the values of column k of a block stand behind the labels.
func (b *drawnBook) column(k, stride int) int {
	if n := b.extra(); n > 0 {
		years := len(b.dims[len(b.dims)-1].codes)
		return k/years*(years+n) + k%years
	}
	return k * stride
}

// setHead sets the header.
func (b *drawnBook) setHead(s *drawnSheet, r, c int, shares bool) int {
	dims, all, stride := b.columns()
	if shares {
		stride = 1
	}
	w := b.width
	if b.spanner {
		s.label(r, c+w, b.dims[dims[len(dims)-1]].name)
		if !b.text {
			s.merged = append(s.merged, [4]int{r, c + w, r, c + w + b.column(len(all)-1, stride) + stride - 1})
		}
		r++
	}
	for level, d := range dims {
		last := ""
		for k, codes := range all {
			key := fmt.Sprint(codes[:level+1])
			label := b.dims[d].codes[codes[level]].label
			at := c + w + b.column(k, stride)
			if level < len(dims)-1 {
				if key != last {
					s.label(r, at, label)
					n := 1
					for k+n < len(all) && fmt.Sprint(all[k+n][:level+1]) == key {
						n++
					}
					end := c + w + b.column(k+n-1, stride) + stride - 1
					if !shares {
						end += b.extra()
					}
					if b.repeated || b.text {
						for q := at + 1; q <= end; q++ {
							s.label(r, q, label)
						}
					} else if end > at {
						s.merged = append(s.merged, [4]int{r, at, r, end})
					}
				}
				last = key
				continue
			}
			s.label(r, at, label)
			if stride == 2 {
				s.label(r, at+1, b.k.flagHead(b.say("%", "構成比(%)", "Prozent", "%")))
			}
			years := 0
			if b.extra() > 0 {
				years = len(b.dims[d].codes)
			}
			if years > 0 && codes[level] == years-1 && !shares {
				for i := range b.extra() {
					text := b.say("Change", "増減", "Veränderung", "Évolution")
					switch {
					case b.change == "index":
						text = b.dims[d].codes[i+1].label + b.say(" (index)", "指数", " (Index)", " (indice)")
					case b.change == "per cent" || i == 1:
						text = b.say("Change in %", "増減率(%)", "Veränderung in %", "Évolution (en %)")
					}
					s.label(r, at+1+i, text)
				}
			}
		}
		r++
	}
	name := b.dims[0].name
	switch b.stub {
	case "code column":
		s.label(r-1, c+w-2, b.say("Code", "コード", "Nr.", "Code"))
	}
	s.label(r-1, c+w-1, name)
	if b.unitRow != "" && !shares {
		for k := range all {
			s.label(r, c+w+b.column(k, stride), b.unitRow)
			if stride == 2 {
				s.label(r, c+w+b.column(k, stride)+1, b.k.flagHead("%"))
			}
		}
		r++
	}
	return r
}

// setBlock sets a header and its rows, on pages where it goes on elsewhere.
func (b *drawnBook) setBlock(s *drawnSheet, r, c int, dims, codes []int, shares bool) int {
	top := r
	r = b.setHead(s, r, c, shares)
	if b.share == "block" && !shares {
		_, all, stride := b.columns()
		right := c + b.width + b.column(len(all)-1, stride) + 1
		if b.maybe(2) {
			right++
		}
		s.label(max(0, top-1), right+b.width, b.say("Per cent", "構成比(%)", "in Prozent", "en %"))
		head := b.setHead(s, top, right, true)
		if b.unitRow != "" {
			head++
		}
		b.setRows(s, head, right, dims, codes, true)
	}
	return b.setRows(s, r, c, dims, codes, shares)
}

// setRows sets the rows below a header.
func (b *drawnBook) setRows(s *drawnSheet, r, c int, dims, codes []int, shares bool) int {
	rowDims, rows := b.lines("outer rows", "rows", "inner rows")
	colDims, cols, stride := b.columns()
	if shares {
		stride = 1
	}
	at := make([]int, len(b.dims))
	for i, d := range dims {
		at[d] = codes[i]
	}
	first, last := r, ""
	start := s
	for i, row := range rows {
		area := row[slices.Index(rowDims, 0)]
		if b.page > 0 && i == b.page*len(rows)/len(b.dims[0].codes) && !shares {
			switch b.pages {
			case "below":
				r += 1 + b.IntN(2)
				if b.maybe(2) {
					s.label(r, c, b.say("Table 1 (continued)", "（続き）", "noch: Tabelle 1", "Tableau 1 (suite)"))
					r++
				}
				r = b.setHead(s, r, c, shares)
			case "sheet":
				s = &drawnSheet{name: start.name + "2"}
				b.sheets = append(b.sheets, s)
				r = b.setHead(s, b.offsetR, c, shares)
			case "at the right":
				c += b.width + b.column(len(cols)-1, stride) + 1 + b.IntN(2)
				r = b.setHead(s, first-b.headRows(), c, shares)
			}
			last = ""
		}
		for k, d := range rowDims {
			at[d] = row[k]
		}
		if len(rowDims) == 1 {
			r = b.k.heading(s, r, c, area)
		}
		col := c
		for k, d := range rowDims {
			if d == 0 {
				b.setLabel(s, r, col, area)
				if col++; b.stub == "code column" || b.stub == "columns" {
					col++
				}
				continue
			}
			outer := k < len(rowDims)-1
			key := fmt.Sprint(row[:k+1])
			if !outer || !b.fill || key != last {
				s.label(r, col, b.dims[d].codes[row[k]].label)
			}
			if outer {
				if key != last {
					b.k.mergeStub(b, s, r, col, rowDims, rows, i, k)
				}
				last = key
			}
			col++
		}
		if len(rowDims) > 1 && rowDims[0] == 0 && b.fill && row[1] > 0 { // the inner classification tells the rows of one place apart
			s.label(r, c, "")
			if b.stub == "code column" {
				s.label(r, c+1, "")
			}
		}
		var line []int
		for k, in := range cols {
			for q, d := range colDims {
				at[d] = in[q]
			}
			cell := b.id(at)
			line = append(line, cell)
			x := c + b.width + b.column(k, stride)
			if shares {
				of, total := b.whole(cell)
				b.share2(s, r, x, of, total)
				continue
			}
			b.setCell(s, r, x, cell)
			if stride == 2 {
				of, total := b.whole(cell)
				b.share2(s, r, x+1, of, total)
			}
		}
		if n := b.extra(); n > 0 && !shares {
			years := len(b.dims[len(b.dims)-1].codes)
			for k := years - 1; k < len(line); k += years {
				b.setChange(s, r, c+b.width+b.column(k, stride)+1, line[k-years+1:k+1])
			}
		}
		r++
	}
	if b.pages == "sheet" && s != start {
		return first + b.page*len(rows)/len(b.dims[0].codes)
	}
	return r
}

// headRows is how many rows the header has.
func (b *drawnBook) headRows() int {
	dims, _, _ := b.columns()
	n := len(dims)
	if b.spanner {
		n++
	}
	if b.unitRow != "" {
		n++
	}
	return n
}

func (b *drawnBook) setLabel(s *drawnSheet, r, c, area int) {
	d := b.dims[0]
	code := d.codes[area]
	label := code.label
	if b.labelNotes && area == 1 {
		label += b.say(" 1)", "1)", " 1)", " (1)")
	}
	switch b.stub {
	case "spaces":
		s.label(r, c, strings.Repeat(b.say("  ", "　"), code.level)+label)
	case "indent":
		s.put(r, c, drawnField{text: label, indent: code.level})
	case "prefix":
		if area != d.total {
			label = fmt.Sprintf("%d ", 10*(1+area)) + label
		}
		s.label(r, c, label)
	case "code column":
		s.label(r, c, fmt.Sprintf("%03d", 100+area))
		s.label(r, c+1, label)
	case "columns":
		if code.level < 2 && code.parts != nil {
			s.label(r, c, label)
			return
		}
		s.label(r, c+1, label)
	case "leaders":
		s.label(r, c, strings.Repeat(" ", code.level)+label+" "+strings.Repeat(".", 12-2*code.level))
	default:
		s.label(r, c, label)
	}
}

func (b *drawnBook) setCell(s *drawnSheet, r, c, cell int) {
	if b.k.derive(b, s, r, c, cell) {
		return
	}
	b.cellAt(s, r, c, cell)
	f := &s.grid[r][c]
	switch {
	case b.k.is("zeros", "marks") && !f.number:
	case f.text == "0" && b.zero == "dash":
		*f = drawnField{text: b.say("-", "－", "–", "-")}
	case b.note >= 0 && b.maybe(5):
		*f = drawnField{text: []string{f.text + "e", f.text + " *", f.text + " 1)", f.text + b.say(" r", "※", " r", " r"), "r " + f.text, "p" + f.text}[b.note]}
	case b.formulas && f.number:
		var refs []string
		at := b.codesOf(cell)
		for _, p := range b.dims[0].codes[at[0]].parts {
			x := slices.Clone(at)
			x[0] = p
			if of, ok := b.placed[b.id(x)]; ok && of.s == s {
				ref, _ := excelize.CoordinatesToCellName(of.c+1, of.r+1)
				refs = append(refs, ref)
			}
		}
		if refs != nil && len(refs) == len(b.dims[0].codes[at[0]].parts) {
			f.formula = strings.Join(refs, "+")
		}
	}
	b.placed[cell] = spotOn{s, r, c}
}

// whole is what a share of a cell is of.
func (b *drawnBook) whole(cell int) (of, total int) {
	at := b.codesOf(cell)
	if h := b.dims[1]; b.shareOf != 0 && h.total >= 0 && len(b.dims) > 1 {
		if at[1] = h.total; b.shareOf == 2 {
			at[0] = b.dims[0].total
		}
		return cell, b.id(at)
	}
	at[0] = b.dims[0].total
	return cell, b.id(at)
}

// share2 puts a share, as a fraction of full precision, with decimals, or as a text with its sign.
func (b *drawnBook) share2(s *drawnSheet, r, c, of, total int) {
	if b.form == 3 && b.text {
		b.form = 1
	}
	b.officeFile.share(s, r, c, of, total, b.form)
}

func (b *drawnBook) setChange(s *drawnSheet, r, c int, years []int) {
	x, y := years[len(years)-1], years[len(years)-2]
	difference := func() {
		d := b.value[x] - b.value[y]
		b.number(s, r, c, d, 0, "")
		b.tales = append(b.tales, tale{b.spot(s, r, c), []int{x, y}, []float64{1, -1}, d, d})
		c++
	}
	change := func() {
		if b.value[y] == 0 {
			s.label(r, c, "-")
			return
		}
		d := math.Round(1000*(b.value[x]-b.value[y])/b.value[y]) / 10
		b.number(s, r, c, d, 1, "")
		b.isRatio(b.spot(s, r, c), x, y, 100, d+100, 0.05+1e-9)
	}
	switch b.change {
	case "difference":
		difference()
	case "per cent":
		change()
	case "both":
		difference()
		change()
	case "index":
		for k, x := range years[1:] {
			if b.value[years[0]] == 0 {
				s.label(r, c+k, "-")
				continue
			}
			d := math.Round(1000*b.value[x]/b.value[years[0]]) / 10
			b.number(s, r, c+k, d, 1, "")
			b.isRatio(b.spot(s, r, c+k), x, years[0], 100, d, 0.05+1e-9)
		}
	}
}

// named finds the answers that a refusal names; names in quotes may have brackets.
var named = regexp.MustCompile(`\((--(?:"[^"]*"|[^()"])*)\)`)

// totalOf is the answer of a plain table of which one code is the sum of all others.
var totalOf = regexp.MustCompile(`; say --total ([^,]+=.+?), or --flat`)

// answers are what a refusal proposes that can be given as it stands, of flags with values.
func answers(words string) (all [][]string) {
	if m := totalOf.FindStringSubmatch(words); m != nil {
		all = append(all, []string{"--total", strings.Trim(m[1], `"`)})
	}
	for _, m := range named.FindAllStringSubmatch(words, -1) {
		if strings.Contains(m[1], ", or ") || strings.Contains(m[1], "layout") && m[1] != "--from layout" {
			continue
		}
		var given []string
		for _, one := range strings.Split(strings.TrimPrefix(m[1], "--"), " --") {
			if flag, value, ok := strings.Cut(one, " "); ok {
				given = append(given, "--"+flag, strings.Trim(value, `"`))
			}
		}
		if given != nil {
			all = append(all, given)
		}
	}
	return all
}

// asked reports whether one of the answers that a refusal names, and those that the next refusal names, lead to a copy.
func asked(words string, try func(more []string) (code int, words string)) bool {
	left := 100 // tries
	var answer func(words string, given []string) bool
	answer = func(words string, given []string) bool {
		for _, a := range answers(words) {
			if slices.Contains(given, a[1]) || len(given) > 12 {
				continue
			}
			if left--; left < 0 {
				return false
			}
			more := slices.Concat(given, a)
			code, words := try(more)
			if code == 0 || code == 2 && answer(words, more) {
				return true
			}
		}
		return false
	}
	return answer(words, nil)
}

var (
	books    = flag.Int("adversary.books", manyFiles, "number of drawn workbooks of several classifications")
	bookFrom = flag.Int("adversary.book", -1, "the one drawn workbook to protect")
)

// TestBooks protects drawn workbooks: whatever exits with 0 has read each value where it stands, and leaves a copy that tells none too closely.
func TestBooks(t *testing.T) {
	t.Parallel()
	dir := *keep
	if dir == "" {
		dir = t.TempDir()
	}
	counts := map[string]int{}
	for n := range *books {
		if *bookFrom >= 0 && n != *bookFrom {
			continue
		}
		b := drawBook(rand.New(rand.NewPCG(*officeSeed+1, uint64(n))), drawKinds(*officeSeed+1, uint64(n), bookKinds, *kindsFlag))
		write := b.write
		if n%4 == 3 && !b.text && !b.k.workbook() {
			write = b.asSpreadsheet
		}
		path, err := write(dir)
		if errors.Is(err, errTwice) {
			continue
		} else if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		what, bad, words := b.tried(t, path, *bookFrom >= 0)
		if bad != "" {
			t.Errorf("%d %v: %s", n, b.features, bad)
		}
		if *officeWhy && (what == "refused" || what == "asked") {
			t.Logf("WHY %d %s %d %v: %q", n, what, len(b.value), b.features, words)
		}
		counts[what]++
	}
	t.Logf("%v", counts)
}

// spots are the texts of a file, and those in parts of it that are no cells.
func (o *officeFile) spots(path string) (map[spot]string, error) {
	all, err := spots(path, o.mark)
	if err == nil && o.k != nil && o.k.chart != nil {
		err = o.k.chart.pointsOf(path, o.k, all)
	}
	if err != nil || o.k == nil || len(o.k.texts) == 0 {
		return all, err
	}
	bytes, err := spread(path)
	for _, text := range o.k.texts {
		if strings.Contains(bytes, text) {
			all[spot{"", "part " + text}] = text
		}
	}
	return all, err
}

// tried protects a file, and says what became of it: "right", "nothing possible", "asked" where the answers that a refusal names lead to what is
// right, "refused" where they do not, "misread" and "leak", which bad tells more of.
func (o *officeFile) tried(t *testing.T, path string, tell bool) (what, bad, words string) {
	before, err := o.spots(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(path)
	out, statuses := filepath.Join(dir, "out"+filepath.Ext(path)), filepath.Join(dir, "statuses.csv")
	try := func(more []string) (code int, words, bad string) {
		os.Remove(out)
		os.Remove(statuses)
		code, words = hitoku(slices.Concat([]string{"suppress", "--below", "3", "--width", "3", "--status-file", statuses, "-o", out}, more, []string{path})...)
		if tell {
			t.Logf("%s %v\n%s", path, more, words)
		}
		if strings.Contains(words, "goroutine ") {
			return code, words, "panic: " + words
		}
		if _, err := os.Stat(out); err != nil {
			if code == 0 {
				return code, words, "no file: exit code 0"
			}
			return code, words, ""
		}
		if code == 2 {
			return code, words, "a file: exit code 2"
		}
		if what := o.unread(t, statuses); code == 0 && what != "" {
			return code, words, "misread: " + what
		}
		after, err := o.spots(out)
		if err != nil {
			t.Fatal(err)
		}
		leak, err := o.judge(before, after, 3)
		if err != nil {
			t.Fatalf("%v: %v", o.features, err)
		} else if leak != nil {
			return code, words, fmt.Sprintf("leak: exit code %d, and the cell of value %g, shown %v, can be placed in [%g, %g]", code, o.value[leak.cell], o.shown(leak.cell), leak.lo, leak.up)
		}
		return code, words, ""
	}
	code, words, bad := try(nil)
	switch {
	case code == 2 && o.rightly(words, before):
		return "rightly refused", "", words
	case bad != "":
		what, _, _ = strings.Cut(bad, ":")
		return what, bad, words
	case code == 1:
		return "nothing possible", "", words
	case code == 0:
		return "right", "", words
	}
	if asked(words, func(more []string) (int, string) {
		code, words, bad := try(more)
		switch {
		case bad != "":
			if code = 2; tell {
				t.Logf("%v: %s", more, bad)
			}
		case code == 2 && o.rightly(words, before):
			code = 0 // there is nothing more to be answered
		}
		return code, words
	}) {
		return "asked", "", words
	}
	return "refused", "", words
}
