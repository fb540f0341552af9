package adversary

import (
	"encoding/csv"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// unit is 1 in the whole numbers in which the oracle counts, so that it has halves and tenths.
const unit = 10

const total = "Total"

// A cell is named by its codes; a table that lacks a dimension stands at its total.
type cell struct{ response, r, k, m string }

func (c cell) String() string {
	s := c.r + "/" + c.k
	if c.m != total {
		s = c.r + "/" + c.m
	}
	if c.response != "" {
		s = c.response + " " + s
	}
	return s
}

func (c cell) inner() bool { return c.r != total && (c.k != total || c.m != total) }

// A brought is what one contributor brings to a cell.
type brought struct {
	firm, m string
	x, w    int64
	waived  bool
}

// A need is how far the interval of a sensitive cell has to reach.
type need struct{ down, up, width *big.Rat }

// A sheet is a table of two dimensions.
type sheet struct{ file, by string } // r by k or by m

// A world is what is so in one case, and who knows what of it.
type world struct {
	rng       *rand.Rand
	dir       string
	with      []*feature
	makers    []string // verbs that make what is published, one after another
	kind      string   // count, amount, records
	responses []string // columns with values
	codes     map[string][]string
	sheets    []sheet
	truth     map[cell]int64 // times unit
	from      map[cell][]brought
	freq      map[cell]int64
	need      map[cell]*need
	bounds    map[cell][2]int64 // columns lower and upper, times unit
	releases  []string

	negative, rounded bool
	below, percent    int64
	width             int64
	least, most       int64 // nothing is below or above, times unit; most 0: nothing is known
	lpl, upl          int64
	office            []string // flags of rules, levels and costs
	rules             []string // those of the features
	known             []string // flags of what everybody knows
	seen              []string // flags by which the published table is read
	marks             bool     // sensitive cells are those that the input marks
	partial           bool
	cost              string
	groups            int64

	lines []string // commands run, to be done again
	notes []string
}

func (w *world) has(name string) bool {
	return slices.ContainsFunc(w.with, func(f *feature) bool { return f.name == name })
}

func (w *world) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

// all lists the cells of a sheet, margins last.
func (w *world) all(s sheet, response string) (list []cell) {
	for _, a := range append(slices.Clone(w.codes["r"]), total) {
		for _, b := range append(slices.Clone(w.codes[s.by]), total) {
			c := cell{response, a, b, total}
			if s.by == "m" {
				c.k, c.m = total, b
			}
			list = append(list, c)
		}
	}
	return list
}

// cells lists every cell once.
func (w *world) cells() (list []cell) {
	for _, response := range w.responses {
		for _, s := range w.sheets {
			for _, c := range w.all(s, response) {
				if !slices.Contains(list, c) {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// at returns a cell of a sheet.
func at(s sheet, response, a, b string) cell {
	if s.by == "m" {
		return cell{response, a, total, b}
	}
	return cell{response, a, b, total}
}

// A row is a sum: the first of its cells is that of the others.
type row []cell

// sums are the relations of a sheet.
func (w *world) sums(s sheet, response string) (list []row) {
	for _, a := range append(slices.Clone(w.codes["r"]), total) {
		one := row{at(s, response, a, total)}
		for _, b := range w.codes[s.by] {
			one = append(one, at(s, response, a, b))
		}
		list = append(list, one)
	}
	for _, b := range append(slices.Clone(w.codes[s.by]), total) {
		one := row{at(s, response, total, b)}
		for _, a := range w.codes["r"] {
			one = append(one, at(s, response, a, b))
		}
		list = append(list, one)
	}
	return list
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// draw draws the numbers.
func (w *world) draw() {
	rng := w.rng
	w.codes = map[string][]string{"r": []string{"a", "b", "c"}[:2+rng.IntN(2)], "k": []string{"d", "e", "f"}[:2+rng.IntN(5)/4], "m": {"p", "q"}}
	w.truth, w.from, w.freq, w.need = map[cell]int64{}, map[cell][]brought{}, map[cell]int64{}, map[cell]*need{}
	for _, response := range w.responses {
		for n, s := range w.sheets {
			for _, c := range w.all(s, response) {
				if n == 0 && c.inner() {
					w.leaf(c)
				}
			}
			if n == 0 {
				w.margins(s, response)
				continue
			}
			if w.kind == "records" {
				w.regroup(s, response)
				continue
			}
			// Rows of another breakdown have the same totals.
			for _, a := range w.codes["r"] {
				left := w.truth[at(s, response, a, total)]
				for k, b := range w.codes["m"] {
					c := at(s, response, a, b)
					part := left
					if k == 0 && left > 0 {
						part = rng.Int64N(left/unit+1) * unit
					}
					w.truth[c], w.freq[c], left = part, max(0, part/unit), left-part
				}
			}
			for _, b := range w.codes["m"] {
				c := at(s, response, total, b)
				for _, a := range w.codes["r"] {
					w.truth[c] += w.truth[at(s, response, a, b)]
					w.freq[c] += w.freq[at(s, response, a, b)]
				}
			}
		}
	}
}

// regroup makes another table of the same records.
func (w *world) regroup(s sheet, response string) {
	for _, c := range w.all(w.sheets[0], response) {
		for _, b := range w.from[c] {
			if !c.inner() {
				break
			}
			for _, to := range []cell{at(s, response, c.r, b.m), at(s, response, total, b.m)} {
				w.truth[to] += b.x * b.w * unit
				w.from[to] = byFirm(append(w.from[to], b), w.has("waivers"))
				w.freq[to] = int64(len(w.from[to]))
			}
		}
	}
}

// leaf draws an inner cell.
func (w *world) leaf(c cell) {
	rng := w.rng
	switch w.kind {
	case "count":
		v := rng.Int64N(12)
		if rng.IntN(3) == 0 {
			v = rng.Int64N(4)
		}
		w.truth[c], w.freq[c] = v*unit, v
		if w.rounded {
			w.truth[c] = max(0, w.truth[c]+rng.Int64N(unit)-unit/2)
		}
		return
	}
	for n := range 1 + rng.IntN(3) {
		b := brought{firm: fmt.Sprint(c.r, c.k, n), m: w.codes["m"][rng.IntN(2)], x: 1 + rng.Int64N(30), w: 1}
		if rng.IntN(3) == 0 {
			b.x *= 5
		}
		if w.negative && rng.IntN(2) == 0 {
			b.x = -b.x
		}
		if w.has("weights") {
			b.w = 1 + rng.Int64N(3)
		}
		if w.has("waivers") {
			b.waived = rng.IntN(3) == 0
			if rng.IntN(4) == 0 {
				b.firm, b.waived, b.m = "big", false, w.codes["m"][0]
			}
		}
		w.from[c] = append(w.from[c], b)
		w.truth[c] += b.x * b.w * unit
	}
	w.from[c] = byFirm(w.from[c], w.has("waivers"))
	w.freq[c] = int64(len(w.from[c]))
}

// byFirm adds up what one firm brings.
func byFirm(list []brought, holdings bool) (own []brought) {
	for _, b := range list {
		if k := slices.IndexFunc(own, func(o brought) bool { return o.firm == b.firm }); holdings && k >= 0 {
			own[k].x += b.x
			continue
		}
		own = append(own, b)
	}
	return own
}

// margins adds up a sheet.
func (w *world) margins(s sheet, response string) {
	add := func(to, part cell) {
		w.truth[to] += w.truth[part]
		w.freq[to] += w.freq[part]
		w.from[to] = append(w.from[to], w.from[part]...)
	}
	for _, a := range w.codes["r"] {
		for _, b := range w.codes[s.by] {
			for _, to := range []cell{at(s, response, a, total), at(s, response, total, b), at(s, response, total, total)} {
				add(to, at(s, response, a, b))
			}
		}
	}
	for _, c := range w.all(s, response) {
		if !c.inner() && w.kind == "records" && w.has("waivers") {
			w.from[c] = byFirm(w.from[c], true)
			w.freq[c] = int64(len(w.from[c]))
		}
	}
}

// shown is the value as the office has it.
func (w *world) shown(c cell) int64 {
	v := w.truth[c]
	if w.rounded { // halves upwards
		v += unit / 2
		return (v - (v%unit+unit)%unit) / unit
	}
	return v / unit
}

// places are the contributions from the largest down, each as often as its weight says.
func places(list []brought) (x []int64) {
	for _, b := range list {
		for range b.w {
			x = append(x, abs(b.x))
		}
	}
	slices.SortFunc(x, func(a, b int64) int { return int(b - a) })
	return append(x, 0, 0)
}

// mark says which cells are sensitive and how far they are to be protected, as the rules are written.
func (w *world) mark() {
	whole := func(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }
	zero := whole(0)
	for _, c := range w.cells() {
		plain := &need{whole(w.lpl), whole(w.upl), whole(w.width)}
		switch {
		case w.marks:
			first := c
			first.response = w.responses[0]
			if n := w.freq[first]; c.inner() && n == w.below {
				w.need[c] = plain
			}
		case w.percent > 0:
			if down, up := w.short(w.from[c], w.truth[c]/unit); up != nil {
				w.need[c] = &need{down, up, zero}
			}
		case w.below > 0:
			n := w.freq[c]
			if w.kind == "count" {
				n = w.shown(c)
			}
			if n >= 1 && n < w.below {
				w.need[c] = plain
			}
		}
	}
}

// short is what the p %-rule asks for of a cell or sum of cells with these contributions; nil: nothing.
func (w *world) short(list []brought, value int64) (down, up *big.Rat) {
	var one, two int64
	if w.has("waivers") {
		target := -1
		for k, b := range list {
			if !b.waived && (target < 0 || abs(b.x) > abs(list[target].x)) {
				target = k
			}
		}
		if target < 0 {
			return nil, nil
		}
		one = abs(list[target].x)
		for k, b := range list {
			if k != target {
				two = max(two, abs(b.x))
			}
		}
	} else {
		x := places(list)
		one, two = x[0], x[1]
	}
	s := new(big.Rat).SetFrac64(w.percent*one, 100)
	s.Add(s, new(big.Rat).SetInt64(one+two-value))
	if s.Sign() <= 0 {
		return nil, nil
	}
	if s.Cmp(big.NewRat(1, 1)) < 0 || value == 0 { // the level is in proportion to the value, and one unit at least
		s.SetInt64(1)
	}
	if down = s; down.Cmp(new(big.Rat).SetInt64(abs(value))) > 0 {
		down = new(big.Rat).SetInt64(abs(value))
	}
	return down, s
}

// save writes the lines of a file.
func (w *world) save(name string, lines [][]string) {
	f, err := os.Create(w.path(name))
	if err != nil {
		panic(err)
	}
	out := csv.NewWriter(f)
	if err := out.WriteAll(lines); err != nil {
		panic(err)
	}
	f.Close()
}

// input writes a sheet as the office has it.
func (w *world) input(s sheet) {
	head := append([]string{"r", s.by}, w.responses...)
	if w.kind == "amount" && !w.marks {
		head = append(head, "freq")
	}
	if w.percent > 0 {
		head = append(head, "max1", "max2")
	}
	if w.marks {
		head = append(head, "status")
	}
	if w.bounds != nil {
		head = append(head, "lower", "upper")
	}
	lines := [][]string{head}
	for _, c := range w.all(s, w.responses[0]) {
		line := []string{c.r, c.k}
		if s.by == "m" {
			line[1] = c.m
		}
		for _, response := range w.responses {
			of := c
			of.response = response
			line = append(line, fmt.Sprint(w.shown(of)))
		}
		if w.kind == "amount" && !w.marks {
			line = append(line, fmt.Sprint(w.freq[c]))
		}
		if w.percent > 0 {
			x := places(w.from[c])
			line = append(line, fmt.Sprint(x[0]), fmt.Sprint(x[1]))
		}
		if w.marks {
			line = append(line, map[bool]string{true: "u", false: "s"}[w.need[c] != nil])
		}
		if w.bounds != nil {
			if b, ok := w.bounds[c]; ok {
				line = append(line, fmt.Sprint(b[0]/unit), fmt.Sprint(b[1]/unit))
			} else {
				line = append(line, "", "")
			}
		}
		lines = append(lines, line)
	}
	w.save(s.file, lines)
}

// release writes a publication of the first sheet that was made before, in which the sensitive cells and some others are withheld.
func (w *world) release(name string) {
	intervals := !w.rounded && w.rng.IntN(2) == 0
	head := []string{"r", "k", w.responses[0]}
	if !w.rounded {
		head = append(head, "status")
	}
	if intervals {
		head = append(head, "lower", "upper")
	}
	lines := [][]string{head}
	for _, c := range w.all(w.sheets[0], w.responses[0]) {
		line := []string{c.r, c.k, fmt.Sprint(w.shown(c)), "s", "", ""}
		if w.need[c] != nil || w.rng.IntN(10) < 6 {
			line[2] = ""
			if line[3] = "m"; w.need[c] != nil {
				line[3] = "u"
			}
			if v := w.shown(c); intervals && w.rng.IntN(2) == 0 {
				line[4], line[5] = fmt.Sprint(max(v-w.rng.Int64N(7)-w.width, w.least/unit)), fmt.Sprint(v+w.width+w.rng.Int64N(7))
			}
			if w.rounded {
				line[2] = "x"
			}
		}
		lines = append(lines, line[:len(head)])
	}
	w.save(name, lines)
	w.releases = append(w.releases, name)
}

// A reader is what somebody knows: between which numbers cells are, and what adds up.
type reader struct {
	w    *world
	at   map[cell]int
	of   []cell
	val  []int64
	lo   []int64
	hi   []int64
	rows [][]int // the first is the sum of the others
	lie  string  // what it was heard that is not so
	// withheld are the cells without their response.
	withheld map[cell]bool
	room     *room
}

func (w *world) reader() *reader { return &reader{w: w, at: map[cell]int{}} }

func (k *reader) cell(c cell) int {
	if i, ok := k.at[c]; ok {
		return i
	}
	i := len(k.val)
	k.at[c] = i
	k.of, k.val, k.lo, k.hi = append(k.of, c), append(k.val, k.w.truth[c]), append(k.lo, k.w.least), append(k.hi, table.PosInf)
	return i
}

// within tells that a cell is between two numbers.
func (k *reader) within(c cell, lo, hi int64, source string) {
	i := k.cell(c)
	k.lo[i], k.hi[i] = max(k.lo[i], lo), min(k.hi[i], hi)
	if (k.val[i] < lo || k.val[i] > hi) && k.lie == "" {
		k.lie = fmt.Sprintf("%s: cell %v is %s, and it is heard to be in [%s, %s]", source, c, tenths(k.val[i]), tenths(lo), tenths(hi))
	}
}

func tenths(v int64) string { return new(big.Rat).SetFrac64(v, unit).RatString() }

// adds tells that the cells of a sheet add up.
func (k *reader) adds(s sheet, response string) {
	for _, sum := range k.w.sums(s, response) {
		k.sum(sum)
	}
}

func (k *reader) sum(cells row) {
	var r []int
	for _, c := range cells {
		r = append(r, k.cell(c))
	}
	k.rows = append(k.rows, r)
}

// union adds a sum of cells as a cell of its own.
func (k *reader) union(cells []cell) cell {
	u := cell{response: "sum of " + fmt.Sprint(cells)}
	if _, ok := k.at[u]; ok {
		return u
	}
	i := k.cell(u)
	k.lo[i] = table.NegInf
	for _, c := range cells {
		k.val[i] += k.val[k.at[c]]
	}
	k.sum(append(row{u}, cells...))
	k.room = nil
	return u
}

// span is how far a cell can be from its value, in units.
func (k *reader) span(c cell) span {
	if k.room == nil {
		t := blank(len(k.val))
		copy(t.Value, k.val)
		copy(t.Lower, k.lo)
		copy(t.Upper, k.hi)
		free := make([]bool, len(k.val))
		for i := range free {
			free[i] = k.lo[i] < k.hi[i] // what is known exactly takes no part
		}
		for _, r := range k.rows {
			cells, coef := []int32{int32(r[0])}, []int32{-1}
			for _, i := range r[1:] {
				cells, coef = append(cells, int32(i)), append(coef, 1)
			}
			t.Rel.Add(cells, coef, 0)
		}
		k.room = newRoom(t, free)
	}
	s := k.room.span(k.at[c])
	for _, v := range []*big.Rat{s.down, s.up} {
		if v != nil {
			v.Quo(v, new(big.Rat).SetInt64(unit))
		}
	}
	return s
}

// interval is what the reader learns of a cell.
func (k *reader) interval(c cell) (lo, hi *big.Rat) {
	s := k.span(c)
	v := new(big.Rat).SetFrac64(k.val[k.at[c]], unit)
	if s.down != nil {
		lo = new(big.Rat).Sub(v, s.down)
	}
	if s.up != nil {
		hi = new(big.Rat).Add(v, s.up)
	}
	return lo, hi
}

// meets says whether a cell is as open as it needs to be.
func (s span) reaches(n *need) bool {
	enough := func(have, want *big.Rat) bool { return have == nil || have.Cmp(want) >= 0 }
	width := s.width()
	return enough(s.down, n.down) && enough(s.up, n.up) && enough(width, n.width) && (width == nil || width.Sign() > 0)
}

// public tells a reader the publication in which some cells are withheld, and what everybody knows besides.
func (w *world) public(withheld map[cell]bool) *reader {
	k := w.reader()
	k.withheld = withheld
	for _, response := range w.responses {
		for _, s := range w.sheets {
			k.adds(s, response)
		}
	}
	for _, c := range w.cells() {
		if b, ok := w.bounds[c]; ok {
			k.within(c, b[0], b[1], "bounds")
		}
		blanked := c
		blanked.response = ""
		if !withheld[blanked] {
			w.exact(k, c, w.shown(c)*unit, "published")
		}
	}
	w.beside(k)
	return k
}

// beside tells what everybody knows besides the publication.
func (w *world) beside(k *reader) {
	for _, r := range w.releases {
		w.read(k, r, w.sheets[0], w.responses[0])
	}
	w.everybody(k)
}

// everybody tells what is known of all cells.
func (w *world) everybody(k *reader) {
	for _, c := range slices.Clone(k.of) {
		if w.most > 0 {
			k.within(c, w.least, w.most, "--upper")
		}
	}
}

// exact tells a number that is published.
func (w *world) exact(k *reader, c cell, v int64, source string) {
	if w.rounded {
		k.within(c, v-unit/2, v+unit/2, source)
		return
	}
	k.within(c, v, v, source)
}

// A line is what a file tells of a cell.
type line struct {
	cell         cell
	value        string // "" where it is withheld
	status       string
	lower, upper string
	hasStatus    bool
}

// lines reads a published file; a naive reader of CSV.
func (w *world) heard(name string, s sheet, response string) (all []line, err error) {
	raw, err := os.ReadFile(w.path(name))
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
	if err != nil {
		return nil, err
	}
	column := map[string]int{}
	for k, h := range rows[0] {
		column[h] = k
	}
	field := func(r []string, name string) string {
		if k, ok := column[name]; ok {
			return r[k]
		}
		return ""
	}
	for _, r := range rows[1:] {
		l := line{cell: at(s, response, field(r, "r"), field(r, s.by)), value: field(r, response), status: field(r, "status"), lower: field(r, "lower"), upper: field(r, "upper")}
		_, l.hasStatus = column["status"]
		if l.value == "x" || l.value == "X" {
			l.value = ""
		}
		all = append(all, l)
	}
	return all, nil
}

// read tells a reader what a published file says.
func (w *world) read(k *reader, name string, s sheet, response string) []line {
	lines, err := w.heard(name, s, response)
	if err != nil {
		k.lie = err.Error()
		return nil
	}
	k.adds(s, response)
	number := func(text string, none int64) int64 {
		if text == "" {
			return none
		}
		v, ok := new(big.Rat).SetString(text)
		if !ok {
			k.lie = fmt.Sprintf("%s: %q is no number", name, text)
			return none
		}
		v.Mul(v, new(big.Rat).SetInt64(unit))
		if !v.IsInt() || !v.Num().IsInt64() {
			k.lie = fmt.Sprintf("%s: %q has more decimals than were put in", name, text)
			return none
		}
		return v.Num().Int64()
	}
	for _, c := range w.all(s, response) {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.cell == c }) {
			k.within(c, 0, 0, name) // a cell without a line has no contributors
		}
	}
	for _, l := range lines {
		if l.value != "" {
			w.exact(k, l.cell, number(l.value, 0), name)
			continue
		}
		k.within(l.cell, number(l.lower, table.NegInf), number(l.upper, table.PosInf), name)
	}
	return lines
}
