package adversary

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// flagHead is what stands over signs beside numbers.
func (k *kinds) flagHead(share string) string {
	if !k.is("flags") {
		return share
	}
	return []string{"", "Flag", "*"}[k.shape%3]
}

// flag puts a sign in the column beside a number, and reports whether signs stand there instead of shares.
func (k *kinds) flag(s *drawnSheet, r, c int, beside bool) bool {
	if !k.is("flags") {
		return false
	}
	if k.maybe(3) {
		s.label(r, c, []string{"e", "p", "r", "*", "b", "u"}[k.IntN(6)])
	}
	return true
}

// sign is that of shares.
func (k *kinds) sign() string { return []string{"%", " %", "\u00a0%", "％"}[k.shape%4] }

// redraw changes the classifications of a book.
func (k *kinds) redraw(b *drawnBook) {
	if k == nil {
		return
	}
	d := b.dims[0]
	d.codes = k.recode(&b.officeFile, d.codes)
	d.total = slices.IndexFunc(d.codes, func(c drawnCode) bool { return c.parts != nil && c.level == 0 && !c.memo })
	if k.is("quarters", "months") && b.dims[1].place == "cols" && !b.dims[1].time {
		b.dims[1].codes, b.dims[1].total = k.flat(&b.officeFile)
	}
	if k.is("odd total") && b.dims[1].total >= 0 && k.maybe(2) {
		b.dims[1].codes[b.dims[1].total].label = oddTotals[b.lang][k.IntN(len(oddTotals[b.lang]))]
	}
	if k.is("area sheets") {
		k.areaSheets(b)
	}
	if k.is("measures", "average measure", "rate measure") && len(b.dims) == 2 {
		labels := []string{b.say("Establishments", "事業所数", "Betriebe", "Établissements"), b.say("Turnover (1,000 EUR)", "出荷額（万円）", "Umsatz (1 000 EUR)", "CA (k€)")}
		k.public = true
		if k.is("rate measure") {
			labels[0], k.public = b.say("Deaths", "死亡数", "Gestorbene", "Décès"), false
		}
		if k.maybe(2) { // units for names
			k.public = false
			labels = []string{b.say("number", "件", "Anzahl", "nombre"), b.say("EUR", "円", "EUR", "euros")}
		}
		switch {
		case k.is("rate measure"):
			labels[1] = b.say("Population", "人口", "Einwohner", "Population")
			labels = append(labels, b.say("per 1,000", "千人当たり", "je 1 000", "pour 1 000"))
			k.derived = 3
		case k.is("average measure"):
			labels = append(labels, b.say("per establishment", "１事業所当たり", "je Betrieb", "par établissement"))
			k.derived = 2
		}
		m := &bookDim{name: b.say("Item", "項目", "Merkmal", "Indicateur"), total: -1}
		for _, w := range labels {
			m.codes = append(m.codes, drawnCode{label: w})
		}
		places := []string{"outer cols", "inner cols", "outer rows", "inner rows", "panel", "sheet"}
		if b.text {
			places = places[:5]
		}
		m.place = places[k.IntN(len(places))]
		b.feature("measures %s", m.place)
		k.measures = 2
		if b.dims[1].time {
			k.measures = 1
		}
		b.dims = slices.Insert(b.dims, k.measures, m)
	}
}

// areaSheets gives each area, each group of them and the country a sheet of its own.
func (k *kinds) areaSheets(b *drawnBook) {
	if b.text || len(k.heads) > 0 || len(b.dims) > 2 || k.is("memo row") {
		return
	}
	kind := k.IntN(3)
	for slices.Contains(bookHeads[b.lang][kind], b.dims[1].codes[1].label) {
		kind = k.IntN(3)
	}
	rows := b.flat([]string{b.say("Age", "年齢", "Alter", "Âge"), b.say("Employees", "従業者規模", "Beschäftigte", "Effectif"), b.say("Offence", "罪種", "Straftat", "Infraction")}[kind],
		bookHeads[b.lang][kind][:2+k.IntN(4)], b.say("Total", "総数", "Insgesamt", "Ensemble"), []string{"first", "last"}[k.IntN(2)])
	area := b.dims[0]
	rows.place, area.place = "rows", "sheet"
	if b.dims[1].time { // years are the last
		b.dims = []*bookDim{rows, area, b.dims[1]}
	} else {
		b.dims = []*bookDim{rows, b.dims[1], area}
	}
	b.feature("areas sheet, %d", len(area.codes))
}

// measure is which measure a cell is of.
func (k *kinds) measure(b *drawnBook, at []int) int {
	if k == nil || k.measures < 0 {
		return 0
	}
	return at[k.measures]
}

// counted is the cell that counts those of another measure.
func (k *kinds) counted(b *drawnBook, at []int) int {
	at = slices.Clone(at)
	at[k.measures] = 0
	return b.id(at)
}

// isDerived reports whether a cell is made of other measures.
func (k *kinds) isDerived(b *drawnBook, at []int) bool { return k.measure(b, at) == 2 }

// amounts draws the inner cells of the second measure.
func (k *kinds) amounts(b *drawnBook) {
	if k == nil || k.measures < 0 {
		return
	}
	for c := range b.value {
		at := b.codesOf(c)
		b.measure = append(b.measure, c)
		if k.measure(b, at) != 1 {
			continue
		}
		n := b.value[k.counted(b, at)]
		switch {
		case k.derived == 3:
			b.value[c] = math.Ceil(3*n) + float64(100+k.IntN(3000))
		case n == 0:
			b.value[c] = 0
		default:
			b.value[c] = math.Ceil(n)*float64(10+k.IntN(90)) + float64(k.IntN(10))
		}
	}
}

// derive puts a cell that is made of other measures.
func (k *kinds) derive(b *drawnBook, s *drawnSheet, r, c, cell int) bool {
	if k == nil || k.measures < 0 {
		return false
	}
	at := b.codesOf(cell)
	if !k.isDerived(b, at) {
		return false
	}
	x, y, f := slices.Clone(at), slices.Clone(at), 1.0
	if x[k.measures], y[k.measures] = 1, 0; k.derived == 3 {
		x, y, f = y, x, 1000
	}
	n, m := b.id(x), b.id(y)
	if b.value[m] == 0 {
		s.label(r, c, "-")
		return true
	}
	shown := decimals(f*b.value[n]/b.value[m], 1)
	b.number(s, r, c, shown, 1, "")
	b.isRatio(b.spot(s, r, c), n, m, f, shown, 0.05+1e-9)
	return true
}

// redress changes how a book looks.
func (k *kinds) redress(b *drawnBook) {
	if k == nil {
		return
	}
	if k.measures >= 0 {
		b.unitRow = ""
		if k.derived > 0 || b.change == "index" {
			b.share, b.change = "", ""
		}
	}
	if len(k.heads) > 0 && (b.stub == "columns" || b.stub == "prefix") {
		b.stub, b.width = "plain", b.width-map[string]int{"columns": 1}[b.stub]
	}
	if k.is("flags") && b.change == "" && b.share != "block" && b.share != "panel" && b.share != "sheet" {
		b.share, b.shareOf, b.form = "pair", 0, 0
	}
	if k.is("zeros", "marks", "superscript", "markers") {
		b.zero, b.note = "", -1
	}
	if k.is("merged stub") && slices.ContainsFunc(b.dims, func(d *bookDim) bool { return strings.HasSuffix(d.place, "rows") && d.place != "rows" }) {
		b.fill, b.page = true, 0
	}
}

// mergeStub merges the label of an outer classification over the rows that it is of.
func (k *kinds) mergeStub(b *drawnBook, s *drawnSheet, r, col int, dims []int, rows [][]int, i, level int) {
	if !k.is("merged stub") || b.text || dims[level] == 0 {
		return
	}
	key := fmt.Sprint(rows[i][:level+1])
	n := 1
	for i+n < len(rows) && fmt.Sprint(rows[i+n][:level+1]) == key {
		n++
	}
	if n > 1 {
		s.merged = append(s.merged, [4]int{r, col, r + n - 1, col})
	}
}
