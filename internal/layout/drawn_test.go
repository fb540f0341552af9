package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"pgregory.net/rapid"
)

// A drawnDim is a drawn dimension: a tree of codes in the order of the file.
type drawnDim struct {
	labels   []string // as a reader must find them
	codes    []string // with a code column, else the labels
	parent   []int    // −1: none
	level    []int
	coded    bool
	role     string
	japanese bool
}

func (d *drawnDim) leaves() []int {
	var all []int
	for i := range d.labels {
		if !slices.Contains(d.parent, i) {
			all = append(all, i)
		}
	}
	return all
}

// below are the leaves below code i.
func (d *drawnDim) below(i int) []int {
	var all []int
	for _, l := range d.leaves() {
		for p := l; p >= 0; p = d.parent[p] {
			if p == i {
				all = append(all, l)
				break
			}
		}
	}
	return all
}

var drawnWords = map[bool][][]string{
	true: {
		{"北浜市", "松原市", "東丘市", "南川市", "西谷町", "上里村", "沖島町", "山田市", "川口町", "浜中村", "岩手町", "森下市"},
		{"製造業", "建設業", "運輸業", "情報通信業", "卸売業", "小売業", "金融業", "不動産業", "教育", "医療", "福祉", "農業"},
		{"０～４人", "５～９人", "１０～１９人", "２０～２９人", "３０～４９人", "５０～９９人", "１００～１９９人", "２００～２９９人", "３００～４９９人", "５００～９９９人", "１０００～１９９９人", "２０００人以上"},
		{"未婚", "有配偶", "死別", "離別", "不詳", "男", "女", "個人", "会社", "団体", "国", "組合"},
	},
	false: {
		{"Adair", "Boone", "Clay", "Dover", "Elk", "Floyd", "Grant", "Hart", "Iron", "Jasper", "Knox", "Lyon"},
		{"Mining", "Food", "Textiles", "Paper", "Chemicals", "Metal", "Machinery", "Transport", "Trade", "Finance", "Health", "Arts"},
		{"0-4", "5-9", "10-19", "20-29", "30-49", "50-99", "100-199", "200-299", "300-499", "500-999", "1000-1999", "2000 and more"},
		{"Single", "Married", "Widowed", "Divorced", "Unknown", "Men", "Women", "Sole owner", "Company", "Trust", "State", "Co-operative"},
	},
}

var drawnGroups = map[bool][]string{
	true:  {"都市圏", "町村圏", "北部圏", "南部圏", "沿岸圏", "山間圏"},
	false: {"North", "South", "East", "West", "Coast", "Inland"},
}

// drawDim draws a dimension. order: 0 totals first, 1 totals last, 2 all totals before the
// leaves.
func drawDim(t *rapid.T, name string, words []string, groups []string, japanese bool, most int, tree bool) *drawnDim {
	d := &drawnDim{role: ofClassification, japanese: japanese}
	n := rapid.IntRange(2, most).Draw(t, name+" leaves")
	total := "総数"
	if japanese {
		total = rapid.SampledFrom([]string{"総数", "合計", "計", "総計"}).Draw(t, name+" total")
	} else {
		total = rapid.SampledFrom([]string{"Total", "All", "Total, all", "TOTAL", "Insgesamt", "Ensemble"}).Draw(t, name+" total")
	}
	add := func(label string, parent, level int) int {
		d.labels = append(d.labels, label)
		d.parent = append(d.parent, parent)
		d.level = append(d.level, level)
		return len(d.labels) - 1
	}
	two := tree && n >= 4 && rapid.Bool().Draw(t, name+" subtotals")
	order := rapid.IntRange(0, 2).Draw(t, name+" order")
	if !two {
		if order == 1 {
			for i := range n {
				add(words[i], n, 1)
			}
			add(total, -1, 0)
		} else {
			add(total, -1, 0)
			for i := range n {
				add(words[i], 0, 1)
			}
		}
		return d
	}
	cut := rapid.IntRange(2, n-2).Draw(t, name+" cut")
	parts := [][]string{words[:cut], words[cut:n]}
	switch order {
	case 0:
		add(total, -1, 0)
		for g, p := range parts {
			at := add(groups[g], 0, 1)
			for _, w := range p {
				add(w, at, 2)
			}
		}
	case 1:
		for g, p := range parts {
			first := len(d.labels)
			for _, w := range p {
				add(w, first+len(p), 2)
			}
			add(groups[g], n+2, 1)
		}
		add(total, -1, 0)
	default:
		add(total, -1, 0)
		add(groups[0], 0, 1)
		add(groups[1], 0, 1)
		for g, p := range parts {
			for _, w := range p {
				add(w, 1+g, 2)
			}
		}
	}
	return d
}

// A drawnCell is a cell as it must be found.
type drawnCell struct {
	codes string
	value string // empty: withheld
}

// A drawing is a sheet being drawn.
type drawing struct {
	g     *Grid
	memos []int                // dimensions with a code told again
	text  bool                 // to be set as a text file
	want  map[string]drawnCell // by address
}

func (w *drawing) put(r, c int, text string, number bool, style *Style) {
	for len(w.g.Rows) <= r {
		w.g.Rows = append(w.g.Rows, nil)
	}
	for len(w.g.Rows[r]) <= c {
		w.g.Rows[r] = append(w.g.Rows[r], Field{})
	}
	w.g.Rows[r][c] = Field{Text: text, Number: number, Style: style}
}

func (w *drawing) merge(r, c, r2, c2 int) {
	if r != r2 || c != c2 {
		w.g.Merged = append(w.g.Merged, Rect{r, c, r2, c2})
	}
}

// pad writes blanks into a label, as offices do, and marks of footnotes behind it.
func pad(t *rapid.T, label string, japanese bool, what string) string {
	switch rapid.IntRange(0, 9).Draw(t, what) {
	case 0:
		if r := []rune(label); japanese && len(r) == 2 {
			return string(r[0]) + "　　" + string(r[1])
		}
	case 1:
		if japanese {
			return label + "1)"
		}
		return label + " [note 1]"
	case 2:
		if japanese {
			return label + "※"
		}
		return label + " ......"
	}
	return label
}

// An axis is the rows or columns of a drawn table: combinations of codes of its dimensions.
func axisOf(dims []*drawnDim) [][]int {
	all := [][]int{nil}
	for _, d := range dims {
		var next [][]int
		for _, a := range all {
			for i := range d.labels {
				next = append(next, append(slices.Clone(a), i))
			}
		}
		all = next
	}
	return all
}

// tellGroups gives two leaves of each subtotal numbers of some size. Where all but one leaf
// are next to nothing, the subtotal is that leaf told again: either may be the part of the
// total, and no reader can know which.
func tellGroups(dims []*drawnDim, coords [][]int, leaf map[string]int, seed uint64) {
	for k, d := range dims {
		for g := range d.labels {
			if below := d.below(g); d.level[g] == 1 && !slices.Equal(below, []int{g}) {
				large := func(l int) bool {
					return slices.ContainsFunc(coords, func(c []int) bool { return c[k] == l && leaf[fmt.Sprint(c)] > 99 })
				}
				for _, l := range below[:2] {
					if !large(l) {
						at := slices.IndexFunc(coords, func(c []int) bool { return c[k] == l })
						leaf[fmt.Sprint(coords[at])] = 100 + int((num.Mix(seed+uint64(l))|1)%800)
					}
				}
			}
		}
	}
}

// drawTable draws a table at row top and column left and returns the first row and column
// that are free behind it.
func drawTable(t *rapid.T, w *drawing, name string, top, left int, japanese bool, rows, cols []*drawnDim, title string) (bottom, right int) {
	v := func(what string, from, to int) int { return rapid.IntRange(from, to).Draw(t, name+" "+what) }
	yes := func(what string) bool { return v(what, 0, 1) == 1 }
	dims := slices.Concat(rows, cols)
	// numbers
	leaf := map[string]int{}
	var coords [][]int
	for _, d := range dims {
		if coords == nil {
			coords = [][]int{nil}
		}
		var next [][]int
		for _, c := range coords {
			for _, l := range d.leaves() {
				next = append(next, append(slices.Clone(c), l))
			}
		}
		coords = next
	}
	seed := uint64(v("numbers", 1, 1<<30))
	for _, c := range coords {
		seed = seed*6364136223846793005 + 1442695040888963407
		n := int(seed >> 33 % 900)
		if seed>>20%7 == 0 {
			n %= 3
		}
		leaf[fmt.Sprint(c)] = n
	}
	tellGroups(dims, coords, leaf, seed)
	value := func(c []int) int {
		sets := make([][]int, len(c))
		for k, x := range c {
			sets[k] = dims[k].below(x)
		}
		sum := 0
		idx := make([]int, len(c))
		for {
			at := make([]int, len(c))
			for k := range c {
				at[k] = sets[k][idx[k]]
			}
			sum += leaf[fmt.Sprint(at)]
			k := len(c) - 1
			for ; k >= 0; k-- {
				if idx[k]++; idx[k] < len(sets[k]) {
					break
				}
				idx[k] = 0
			}
			if k < 0 {
				return sum
			}
		}
	}
	r := top
	w.put(r, left, title, false, nil)
	r++
	unit := "（単位：人）"
	if !japanese {
		unit = "Unit: persons"
	}
	if yes("unit line") {
		w.put(r, left+v("unit at", 0, 3), unit, false, nil)
		r++
	}
	if yes("blank above") {
		r++
	}
	// stub
	heading := len(rows) == 2 && v("stub", 0, 2) == 0 // the outer labels are headings
	stub := len(rows)
	if heading {
		stub = 1
	}
	nested := len(rows) == 1 && slices.Contains(rows[0].level, 2) && !slices.Equal(rows[0].level[:3], []int{0, 1, 1})
	stairs := 0
	if nested = nested && yes("group column"); nested {
		stub = 2
	} else if len(rows) == 1 && yes("stairs") {
		for _, l := range rows[0].level {
			stairs = max(stairs, l)
		}
		stub += stairs
	}
	coded := -1
	if k := len(rows) - 1; !nested && stairs == 0 && yes("codes") {
		coded = k
		rows[k].coded = true
		rows[k].codes = make([]string, len(rows[k].labels))
		for i := range rows[k].codes {
			rows[k].codes[i] = fmt.Sprintf("%c%02d", 'A'+k, 10+i)
		}
		stub++
	}
	first := left + stub
	colAxis := axisOf(cols)
	gapAfter := -1
	if len(cols) == 2 && yes("blank columns") {
		gapAfter = len(cols[1].labels)
	}
	at := make([]int, len(colAxis)) // column of each
	colAt := at
	c := first
	for i := range colAxis {
		if gapAfter > 0 && i > 0 && i%gapAfter == 0 {
			c++
		}
		at[i] = c
		c++
	}
	right = c
	// header
	style := v("header", 0, 2) // merged, spanner without merging, repeated
	if gapAfter > 0 && style == 1 {
		style = 2
	}
	head := r
	for k, d := range cols {
		for i, x := range colAxis {
			new := k == len(cols)-1 || i == 0 || x[k] != colAxis[i-1][k] || gapAfter > 0 && i%gapAfter == 0
			if (new || style == 2) && d.role == ofTime {
				w.put(r, at[i], d.labels[x[k]], d.labels[x[k]][0] == '2', nil)
			} else if new || style == 2 {
				w.put(r, at[i], pad(t, d.labels[x[k]], japanese, fmt.Sprint(name, " head ", k, " ", i)), false, nil)
			}
			if new && style == 0 && k < len(cols)-1 {
				end := i
				for end+1 < len(colAxis) && colAxis[end+1][k] == x[k] {
					end++
				}
				w.merge(r, at[i], r, at[end])
			}
		}
		r++
	}
	share := 0 // a column of shares behind all others
	if yes("shares") && cols[0].role == ofClassification && rows[0].role == ofClassification {
		share = right
		word := "構成比"
		if !japanese {
			word = "Per cent"
		}
		if style == 0 && head < r-1 {
			w.put(head, share, word, false, nil)
			w.merge(head, share, r-1, share)
		} else {
			w.put(r-1, share, word, false, nil)
		}
		right++
	}
	if m := cols[len(cols)-1]; m.role == Measure && yes("unit row") {
		for i, x := range colAxis {
			u := map[bool][]string{true: {"（所）", "（人）", "（百万円）"}, false: {"(number)", "(persons)", "(EUR)"}}[japanese][x[len(x)-1]]
			w.put(r, at[i], u, false, nil)
		}
		r++
	}
	stubNames := []string{"地域", "産業"}
	if !japanese {
		stubNames = []string{"Area", "Industry"}
	}
	row := r - 1
	if yes("names above") {
		row = head
	}
	for k := range stub {
		n := min(k, len(stubNames)-1)
		if heading {
			n = 1
		}
		if stairs > 0 && k > 0 {
			break
		}
		s := stubNames[n]
		if coded >= 0 && k == stub-2 {
			if s = s + "コード"; !japanese {
				s = stubNames[n] + " code"
			}
		}
		w.put(row, left+k, s, false, nil)
		if row == head {
			w.merge(head, left+k, r-1, left+k)
		}
	}
	if yes("numbered columns") && japanese {
		for i := range colAxis {
			w.put(r, at[i], string(rune('①'+i%20)), false, nil)
		}
		if len(colAxis) <= 20 {
			r++
		} else {
			w.g.Rows = w.g.Rows[:r]
		}
	}
	// body
	indent := v("indent", 0, 3) // none, ideographic blanks, blanks, style
	if heading {
		indent = 2
	}
	last := rows[len(rows)-1]
	fill := v("fill down", 0, 2) // repeated, blank, merged
	gaps := yes("blank rows")
	seen := -1
	start := 0
	groupFirst, groupFill := len(last.level) > 0 && last.level[0] == 0, v("group labels", 0, 1)
	var shown []string
	for i, x := range axisOf(rows) {
		if len(rows) == 2 && x[0] != seen {
			if seen >= 0 && gaps {
				r++
			}
			if heading {
				w.put(r, left, rows[0].labels[x[0]], false, nil)
				r++
			}
			start = r
		}
		if len(rows) == 2 && !heading {
			label := rows[0].labels[x[0]]
			switch {
			case fill == 0 || x[0] != seen:
				w.put(r, left, label, false, nil)
			}
			if fill == 2 && (i+1)%len(last.labels) == 0 {
				w.merge(start, left, r, left)
			}
		}
		if len(rows) == 2 {
			seen = x[0]
		} else if gaps && i > 0 && last.level[x[0]] < 2 && last.level[x[len(x)-1]] == 1 && slices.Contains(last.parent, x[0]) {
			r++
		}
		k := x[len(x)-1]
		label := pad(t, last.labels[k], japanese, fmt.Sprint(name, " label ", i))
		var look *Style
		depth := last.level[k]
		if heading {
			depth++
		}
		switch indent {
		case 1:
			label = strings.Repeat("　", depth) + label
		case 2:
			label = strings.Repeat("  ", depth) + label
		case 3:
			look = &Style{Indent: depth}
		}
		if coded >= 0 {
			w.put(r, first-2, last.codes[k], false, nil)
		}
		switch {
		case nested && depth == 0:
			w.put(r, left, strings.TrimFunc(label, isBlank), false, nil)
			if yes("merged total") {
				w.merge(r, left, r, left+1)
			}
		case nested && depth == 1: // the subtotal of the group
			up := last.labels[k]
			if groupFirst || !slices.Contains(shown, up) || groupFill == 0 {
				w.put(r, left, up, false, nil)
				shown = append(shown, up)
			}
			w.put(r, left+1, map[bool]string{true: "計", false: "Total"}[japanese], false, nil)
		case nested:
			up := last.labels[last.parent[k]]
			if !slices.Contains(shown, up) || groupFill == 0 {
				w.put(r, left, up, false, nil)
				shown = append(shown, up)
			}
			w.put(r, left+1, label, false, look)
		case stairs > 0:
			w.put(r, left+last.level[k], label, false, nil)
		default:
			w.put(r, first-1, label, false, look)
		}
		for j, y := range colAxis {
			n := value(slices.Concat(x, y))
			codes := make([]string, 0, len(dims))
			for m, d := range slices.Concat(x, y) {
				if dims[m].coded {
					codes = append(codes, dims[m].codes[d])
				} else {
					codes = append(codes, dims[m].labels[d])
				}
			}
			if len(rows) == 2 && rows[1].role == Measure { // measures come last
				codes = append(append(codes[:1:1], codes[2:]...), codes[1])
			}
			cell := drawnCell{strings.Join(codes, "/"), fmt.Sprint(n)}
			switch {
			case n == 0 && seed%3 == 0:
				w.put(r, at[j], "-", false, nil)
			case n > 0 && n < 3 && seed%5 == 0:
				w.put(r, at[j], "x", false, nil)
				cell.value = ""
			case seed%2 == 0 && n > 999:
				s := fmt.Sprint(n)
				w.put(r, at[j], s[:len(s)-3]+","+s[len(s)-3:], false, nil)
			default:
				w.put(r, at[j], fmt.Sprint(n), true, nil)
			}
			w.want[w.g.ref(r, at[j])] = cell
		}
		if share > 0 {
			at, up := make([]int, 0, len(dims)), make([]int, 0, len(dims))
			for _, k := range x {
				at = append(at, k)
				up = append(up, slices.Index(rows[len(up)].parent, -1))
			}
			for _, d := range cols {
				all := slices.Index(d.parent, -1)
				at, up = append(at, all), append(up, all)
			}
			w.put(r, share, fmt.Sprintf("%.1f", 100*float64(value(at))/float64(max(1, value(up)))), true, nil)
		}
		r++
	}
	if l := last.leaves(); len(rows) == 1 && !nested && stairs == 0 && len(l) > 3 && last.role == ofClassification && yes("memo row") {
		label := "特定区分"
		if !japanese {
			label = "Special group"
		}
		at := l[:0:0]
		for i := v("memo of", 0, 1); i < len(l); i += 2 {
			at = append(at, l[i])
		}
		w.memos = []int{0}
		switch v("memo", 0, 2) {
		case 0:
			if gaps {
				r++
			}
			w.put(r, left, map[bool]string{true: "（再掲）", false: "Memorandum items"}[japanese], false, nil)
			r++
		case 1:
			label += map[bool]string{true: "（再掲）", false: " (memo)"}[japanese]
			if !japanese {
				label = "Memo: Special group"
			}
		default:
			label = map[bool]string{true: "うち", false: "of which "}[japanese] + label
		}
		if coded >= 0 {
			w.memos = []int{0}
		}
		w.put(r, first-1, label, false, nil)
		for j, y := range colAxis {
			n := 0
			for _, k := range at {
				n += value(append([]int{k}, y...))
			}
			w.put(r, colAt[j], fmt.Sprint(n), true, nil)
			var codes []string
			for m, d := range y {
				codes = append(codes, cols[m].labels[d])
			}
			w.want[w.g.ref(r, colAt[j])] = drawnCell{"*/" + strings.Join(codes, "/"), fmt.Sprint(n)}
		}
		r++
	}
	if yes("note") {
		if japanese {
			w.put(r, left, "注）不詳を除く。", false, nil)
		} else {
			w.put(r, left, "Note: excludes unknown.", false, nil)
		}
		r++
	}
	return r, right
}

// TestDrawn draws tables, sets them as offices do, and wants the same cells and trees back.
func TestDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		japanese := rapid.Bool().Draw(t, "japanese")
		w := &drawing{g: &Grid{Sheet: "1"}, want: map[string]drawnCell{}}
		words := drawnWords[japanese]
		rows := []*drawnDim{drawDim(t, "row", words[1], drawnGroups[japanese], japanese, 9, true)}
		if rapid.Bool().Draw(t, "two dimensions in rows") {
			rows = []*drawnDim{drawDim(t, "outer row", words[0], drawnGroups[japanese][2:], japanese, 4, false), drawDim(t, "row", words[1], drawnGroups[japanese], japanese, 6, false)}
		}
		cols := []*drawnDim{drawDim(t, "column", words[2], drawnGroups[japanese][4:], japanese, 5, false)}
		if rapid.Bool().Draw(t, "two dimensions in columns") {
			cols = []*drawnDim{drawDim(t, "outer column", words[3], nil, japanese, 3, false), cols[0]}
		}
		switch rapid.IntRange(0, 5).Draw(t, "other columns") {
		case 0:
			years := &drawnDim{role: ofTime, labels: []string{"2021", "2022", "2023"}, parent: []int{-1, -1, -1}, level: []int{0, 0, 0}}
			if japanese && rapid.Bool().Draw(t, "era") {
				years.labels = []string{"令和3年", "令和4年", "令和5年"}
			}
			cols = slices.Insert(cols, rapid.IntRange(0, 1).Draw(t, "years at"), years)
		case 1:
			m := &drawnDim{role: Measure, labels: []string{"事業所数", "従業者数", "出荷額"}, parent: []int{-1, -1, -1}, level: []int{0, 0, 0}}
			if !japanese {
				m.labels = []string{"Establishments", "Employees", "Turnover"}
			}
			cols = append(cols, m)
		}
		dims := slices.Concat(rows, cols)
		if len(rows) == 2 && !slices.ContainsFunc(cols, func(d *drawnDim) bool { return d.role == Measure }) && rapid.IntRange(0, 3).Draw(t, "measures in rows") == 0 {
			m := &drawnDim{role: Measure, labels: []string{"事業所数", "従業者数"}, parent: []int{-1, -1}, level: []int{0, 0}}
			if !japanese {
				m.labels = []string{"farms", "acres"}
			}
			rows = []*drawnDim{rows[0], m}
			dims = append(slices.Concat(rows[:1], cols), m)
		}
		top := rapid.IntRange(0, 2).Draw(t, "top")
		left := rapid.IntRange(0, 2).Draw(t, "left")
		title := "第１表　市町村別人口"
		if !japanese {
			title = "Table 1: Persons by area"
		}
		drawTable(t, w, "table", top, left, japanese, rows, cols, title)
		w.text = rapid.IntRange(0, 2).Draw(t, "text") == 0
		checkDrawn(t, w, dims)
	})
}

// TestDrawnTwice draws two tables below each other or side by side on one sheet.
func TestDrawnTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		japanese := rapid.Bool().Draw(t, "japanese")
		w := &drawing{g: &Grid{Sheet: "1"}, want: map[string]drawnCell{}}
		words, groups := drawnWords[japanese], drawnGroups[japanese]
		titles := []string{"第１表　産業別人口", "第２表　市町村別人口"}
		if !japanese {
			titles = []string{"Table 1: Persons by industry", "Table 2: Persons by area"}
		}
		tables := [][]*drawnDim{
			{drawDim(t, "row", words[1], groups, japanese, 6, true), drawDim(t, "column", words[2], nil, japanese, 4, false)},
			{drawDim(t, "other row", words[0], groups[2:], japanese, 6, true), drawDim(t, "other column", words[3], nil, japanese, 4, false)},
		}
		bottom, right := drawTable(t, w, "table", 0, 0, japanese, tables[0][:1], tables[0][1:], titles[0])
		if rapid.Bool().Draw(t, "beside") {
			drawTable(t, w, "other", 0, right+1, japanese, tables[1][:1], tables[1][1:], titles[1])
		} else {
			drawTable(t, w, "other", bottom+rapid.IntRange(1, 2).Draw(t, "gap"), 0, japanese, tables[1][:1], tables[1][1:], titles[1])
		}
		checkDrawn(t, w, tables...)
	})
}

// checkDrawn compares what is read with what was drawn.
func checkDrawn(t *rapid.T, w *drawing, tables ...[]*drawnDim) {
	b := &Book{File: File{Name: "drawn.xlsx", Format: "xlsx"}, Grids: []*Grid{w.g}}
	if w.text {
		b.File = File{Name: "drawn.csv", Format: "csv", Separator: ","}
		w.g.Sheet, w.g.Merged = "", nil
		want := map[string]drawnCell{}
		for r := range w.g.Rows {
			w.g.Lines = append(w.g.Lines, r+1)
			for c := range w.g.Rows[r] {
				w.g.Rows[r][c].Number, w.g.Rows[r][c].Style = false, nil
				if cell, ok := w.want[columnName(c)+itoa(r+1)]; ok {
					want[fmt.Sprint(r+1, ":", c+1)] = cell
				}
			}
		}
		w.want = want
	}
	show := func() string {
		var s strings.Builder
		for r := range w.g.Rows {
			for c := range w.g.Rows[r] {
				fmt.Fprintf(&s, "%-8s|", w.g.Rows[r][c].Text)
			}
			s.WriteByte('\n')
		}
		return s.String() + fmt.Sprint(w.g.Merged)
	}
	got, err := find(b, Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, show())
	}
	if len(got.Tables) != len(tables) {
		t.Fatalf("%d tables\n%s", len(got.Tables), show())
	}
	found := map[string]bool{}
	for i, table := range got.Tables {
		compareDrawn(t, w, table, tables[i], found, fmt.Sprint(got.Ambiguities), show)
	}
	for ref := range w.want {
		if !found[ref] {
			t.Fatalf("%s is missing\n%s", ref, show())
		}
	}
}

func compareDrawn(t *rapid.T, w *drawing, table *Table, dims []*drawnDim, found map[string]bool, unsure string, show func() string) {
	for _, c := range table.Cells {
		want, ok := w.want[c.Ref]
		if !ok {
			t.Fatalf("%s is no cell\n%s", c.Ref, show())
		}
		if s := strings.Join(c.Codes, "/"); s != want.codes && (want.codes[0] != '*' || !strings.HasSuffix(s, want.codes[1:])) {
			t.Fatalf("%s is %s, want %s\n%s", c.Ref, s, want.codes, show())
		}
		value := ""
		if c.Value != nil {
			value = string(*c.Value)
		}
		if value != want.value {
			t.Fatalf("%s: %q, want %q\n%s", c.Ref, value, want.value, show())
		}
		found[c.Ref] = true
	}
	for k, d := range dims {
		parents := map[string]string{}
		for _, c := range table.Dimensions[k].Codes {
			if c.Parent != nil {
				parents[c.Code] = *c.Parent
			}
			if c.Memo != (slices.Contains(w.memos, k) && !slices.Contains(d.labels, c.Code) && !slices.Contains(d.codes, c.Code)) {
				t.Fatalf("%s is a memo code: %v\n%s", c.Code, c.Memo, show())
			}
		}
		names := d.labels
		if d.coded {
			names = d.codes
		}
		for i, n := range names {
			want := ""
			if d.parent[i] >= 0 {
				want = names[d.parent[i]]
			}
			if parents[n] != want && !strings.Contains(unsure, n+" has no number") { // rows of zeros between two groups
				t.Fatalf("dimension %d: the parent of %s is %q, want %q\n%s", k, n, parents[n], want, show())
			}
		}
	}
}
