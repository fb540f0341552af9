package firewall

import (
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// onLines looks at the lines of withheld cells: no column may have one of their values.
func (w *wall) onLines() error {
	if w.out.kind != lines || len(w.byCode) == 0 || len(w.r.Codes) == 0 {
		return nil
	}
	keys, all, constant := w.columns()
	if keys == nil {
		return nil
	}
	key := make([]byte, 0, 100)
	var leak *Leak
	labels := map[int]bool{} // by column, once looked up
	w.out.eachLine(func(line int, fields []string) bool {
		if len(fields) < all {
			return true
		}
		key = key[:0]
		for d, c := range keys {
			if d > 0 {
				key = append(key, 0)
			}
			key = append(key, fields[c]...)
		}
		secret, ok := w.byCode[string(key)]
		if !ok {
			return true
		}
		for c, text := range fields {
			if slices.Contains(keys, c) || c < len(constant) && constant[c] {
				continue
			}
			numbers(text, false, func(d string) {
				if leak != nil || !slices.Contains(secret, d) {
					return
				}
				label, asked := labels[c]
				if !asked {
					label = w.label(c, keys)
					labels[c] = label
				}
				if !label {
					leak = &Leak{w.file, i18n.T("line %d, field %d", line, c+1), strings.Split(string(key), "\x00"), i18n.T("which is withheld, has its value there")}
				}
			})
		}
		return leak == nil
	})
	if leak != nil {
		return leak
	}
	return nil
}

// columns returns the columns of the dimensions (nil if a dimension has none), how many fields the line of a cell
// has at least, and which columns have the same text on every such line.
func (w *wall) columns() (keys []int, least int, constant []bool) {
	of := make([]map[string]bool, len(w.r.Codes))
	for d, codes := range w.r.Codes {
		of[d] = make(map[string]bool, len(codes))
		for _, c := range codes {
			of[d][c] = true
		}
	}
	var hits [][]int // by dimension and column
	var first []string
	n := 0
	w.out.eachLine(func(_ int, fields []string) bool {
		if len(fields) < 2 {
			return true
		}
		n++
		if hits == nil {
			hits = make([][]int, len(of))
		}
		for d := range of {
			for len(hits[d]) < len(fields) {
				hits[d] = append(hits[d], 0)
			}
			for c, text := range fields {
				if of[d][text] {
					hits[d][c]++
				}
			}
		}
		switch n {
		case 1: // a header
		case 2:
			first, constant = slices.Clone(fields), make([]bool, len(fields))
			for c := range constant {
				constant[c] = true
			}
		default:
			for c := range constant {
				if c >= len(fields) || fields[c] != first[c] {
					constant[c] = false
				}
			}
		}
		return true
	})
	for d := range hits {
		best := -1
		for c, k := range hits[d] {
			if 2*k > n && !slices.Contains(keys, c) && (best < 0 || k > hits[d][best]) {
				best = c
			}
		}
		if best < 0 {
			return nil, 0, nil
		}
		keys = append(keys, best)
		least = max(least, best+1)
	}
	return keys, least, constant
}

// label reports whether a column only repeats a dimension: with each of its codes it has always the same text,
// and codes repeat.
func (w *wall) label(c int, keys []int) bool {
	goes := make([]map[string]string, len(keys))
	for d := range goes {
		goes[d] = map[string]string{}
	}
	n := 0
	w.out.eachLine(func(_ int, fields []string) bool {
		if len(fields) <= c {
			return true
		}
		n++
		for d, k := range keys {
			if goes[d] == nil || k >= len(fields) {
				continue
			}
			if have, ok := goes[d][fields[k]]; ok && have != fields[c] {
				goes[d] = nil
			} else {
				goes[d][fields[k]] = fields[c]
			}
		}
		return true
	})
	return slices.ContainsFunc(goes, func(m map[string]string) bool { return m != nil && 2*len(m) <= n })
}

// distinctive is how many digits a number needs to be hardly ever equal to another by chance.
const distinctive = 4

// anywhere looks for long values, which may occur only as often as published cells have them.
func (w *wall) anywhere() error {
	if w.r.Aside {
		return nil
	}
	left := map[string]int{}
	for d, s := range w.of {
		if len(d) >= distinctive && !(w.r.Again && s.published > 0) {
			left[d] = s.published
		}
	}
	if len(left) == 0 {
		return nil
	}
	var leak *Leak
	w.out.eachNumber(w.r.Texts, false, func(place func() i18n.Text, d string) {
		if n, ok := left[d]; ok {
			if left[d] = n - 1; n == 0 && leak == nil {
				leak = &Leak{w.file, place(), w.of[d].codes, i18n.T("which is withheld, has its value there, and no published cell has it")}
			}
		}
	})
	if leak != nil {
		return leak
	}
	return nil
}

// against compares a copy with its input: a withheld value must occur less often by the number of cells withheld.
func (w *wall) against(in *document) error {
	if in == nil || w.out.kind == tree || w.out.kind == page {
		return nil
	}
	count := func(d *document) map[string]int {
		n := map[string]int{}
		d.eachNumber(nil, true, func(_ func() i18n.Text, d string) {
			if w.of[d] != nil {
				n[d]++
			}
		})
		return n
	}
	before, after := count(in), count(w.out)
	for _, d := range slices.Sorted(maps.Keys(w.of)) {
		if s := w.of[d]; after[d] > max(0, before[d]-s.stood)+s.computed {
			return &Leak{w.file, i18n.T("compared with the input"), s.codes, i18n.T("which is withheld, has a value that stands there as often as before")}
		}
	}
	return nil
}
