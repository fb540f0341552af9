package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/lazy"
)

// Texts may reveal a withheld cell without giving its value: "Celle and Verden, men: 14" is a sum, "Celle, men:
// 12.5 %" a share.

// hundredth matches what stands behind a share.
var hundredth = lazy.Regexp(`(?i)^\s?(?:[%‰]|per ?cent|prozent|v\. ?h\.|pour ?cent|por ?cient|por ?cento|procent|パーセント|ポイント|割)`)

// mostAdded bounds the cells named by a text that are added up.
const mostAdded = 64

// toldTogether returns the numbers in texts that are a sum or difference of cells whose labels occur in the text,
// or that look like a share of one.
func (s *Source) toldTogether(t *Table) (all []noteOf) {
	k := &accountant{s: s, byValue: map[string][]toldCell{}}
	k.tell(t)
	var cells []toldCell
	for _, of := range k.byValue {
		cells = append(cells, of...)
	}
	slices.SortFunc(cells, func(a, b toldCell) int { return strings.Compare(a.ref, b.ref) })
	own := map[address]bool{}
	for i := range t.Cells {
		own[address{nameOfSheet(t.Cells[i].Sheet), t.Cells[i].Ref}] = true
	}
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				if f := &row[c]; !f.isNumber() && hasDigit(f.Text) && !own[address{g.Sheet, g.ref(r, c)}] {
					all = append(all, inText(cells, address{g.Sheet, g.ref(r, c)}, f.Text)...)
				}
			}
		}
	}
	if s.book != nil {
		texts, _ := xlsx.Texts(s.book) // an error is reported when the copy is written
		for _, x := range texts {
			all = append(all, inText(cells, address{}, x.Text)...)
		}
	}
	return all
}

// inText returns the numbers in a text that reveal cells in this way.
func inText(cells []toldCell, at address, text string) (all []noteOf) {
	folded := fold(text)
	has := map[string]bool{}
	var named []toldCell
	rest := dates().ReplaceAllString(folded, " ")
	for _, x := range cells {
		if !slices.ContainsFunc(x.labels, func(l string) bool {
			in, known := has[l]
			if !known {
				in = strings.Contains(folded, l)
				has[l] = in
			}
			return !in
		}) {
			named = append(named, x)
		}
	}
	if len(named) == 0 || len(named) > mostAdded {
		return nil
	}
	for l, in := range has {
		if in && hasDigit(l) {
			rest = strings.ReplaceAll(rest, l, " ")
		}
	}
	for _, w := range inProse().FindAllStringSubmatchIndex(rest, -1) {
		number := rest[w[4]:w[5]]
		if year().MatchString(number) || numbered().MatchString(rest[w[2]:w[3]]) {
			continue
		}
		note := noteOf{at: at, text: text, number: number}
		if _, part, ok := strings.Cut(strings.ReplaceAll(number, ",", "."), "."); ok && len(part) < 3 || hundredth().MatchString(rest[w[5]:]) {
			for _, x := range named {
				note.of = append(note.of, x.ref)
			}
		} else if v, err := strconv.ParseFloat(strings.NewReplacer(",", "", ".", "").Replace(number), 64); err == nil {
			note.of = addedUp(named, v)
		}
		if note.of != nil {
			all = append(all, note)
		}
	}
	return all
}

// addedUp returns the cells that have v as a sum or difference: of two cells that differ by one label, or as the
// sum of a cell and all cells that differ from it by one label.
func addedUp(named []toldCell, v float64) (of []string) {
	for i, a := range named {
		sum, line := a.value, []string{a.ref}
		for j, b := range named {
			if i == j || !besides(a.labels, b.labels) {
				continue
			}
			if a.value+b.value == v || math.Abs(a.value-b.value) == v {
				of = append(of, a.ref, b.ref)
			}
			sum, line = sum+b.value, append(line, b.ref)
		}
		if sum == v && len(line) > 2 {
			of = append(of, line...)
		}
	}
	return of
}

// besides reports whether two cells differ by exactly one label.
func besides(a, b []string) bool {
	n := 0
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] {
			n++
		}
	}
	return len(a) == len(b) && n == 1
}
