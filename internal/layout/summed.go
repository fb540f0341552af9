package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
)

// plainSum matches a formula that does nothing but add up cells of its own sheet.
var plainSum = lazy.Regexp(`(?i)^=?(?:SUM\()?[A-Z]{1,3}[0-9]+(?::[A-Z]{1,3}[0-9]+)?(?:[+,;][A-Z]{1,3}[0-9]+(?::[A-Z]{1,3}[0-9]+)?)*\)?$`)

// mostSummed bounds the cells that one formula adds up, as far as they are looked at.
const mostSummed = 1 << 12

// summands returns the cells that a formula adds up, nil if it does anything else, and whether each is named by itself
// rather than by a range, in which empty fields may lie.
func summands(formula string) (refs []string, single []bool) {
	formula = strings.NewReplacer("$", "", " ", "").Replace(formula)
	if !plainSum().MatchString(formula) {
		return nil, nil
	}
	formula = strings.ToUpper(strings.TrimPrefix(formula, "="))
	sum := strings.HasPrefix(formula, "SUM(")
	if sum != strings.HasSuffix(formula, ")") || sum && strings.Contains(formula, "+") || !sum && strings.ContainsAny(formula, ",;:") {
		return nil, nil
	}
	for _, one := range strings.FieldsFunc(strings.Trim(strings.TrimPrefix(formula, "SUM"), "()"), func(r rune) bool { return strings.ContainsRune("+,;", r) }) {
		area, ok := parseRect(one)
		if n := (area.Bottom - area.Top + 1) * (area.Right - area.Left + 1); !ok || n < 1 || len(refs)+n > mostSummed {
			return nil, nil
		}
		for r := area.Top; r <= area.Bottom; r++ {
			for c := area.Left; c <= area.Right; c++ {
				refs, single = append(refs, columnName(c)+itoa(r+1)), append(single, !strings.Contains(one, ":"))
			}
		}
	}
	return refs, single
}

// summed returns for each code of dimension k that formulas make the sum of others which these are, where all of its
// formulas along the dimension name the same ones. Where a code is in two such sums, nothing is returned: one of them
// is told beside the other.
func (d *draft) summed(k int) map[int][]int {
	if !slices.ContainsFunc(d.cells, func(c Cell) bool { return c.Formula != "" }) {
		return nil
	}
	at := d.addresses()
	all, unlike := map[int][]int{}, map[int]bool{}
	for i := range d.cells {
		if d.cells[i].Formula == "" {
			continue
		}
		refs, single := summands(d.cells[i].Formula)
		var parts []int
		for q, ref := range refs {
			of, ok := at[address{d.address(i).sheet, ref}]
			if !ok && !single[q] {
				continue
			}
			if !ok || !d.alongside(i, of, k) {
				parts = nil
				break
			}
			parts = append(parts, int(d.coord[of][k]))
		}
		t := int(d.coord[i][k])
		if slices.Sort(parts); len(parts) < 2 || len(slices.Compact(slices.Clone(parts))) < len(parts) || slices.Contains(parts, t) {
			continue
		}
		unlike[t] = unlike[t] || all[t] != nil && !slices.Equal(all[t], parts)
		all[t] = parts
	}
	in := map[int]bool{}
	for t, parts := range all {
		if unlike[t] {
			delete(all, t)
			continue
		}
		for _, p := range parts {
			if in[p] {
				return nil
			}
			in[p] = true
		}
	}
	return all
}

// alongside reports whether two cells have the same codes in all dimensions but k.
func (d *draft) alongside(i, j, k int) bool {
	for q, c := range d.coord[i] {
		if q != k && c != d.coord[j][q] {
			return false
		}
	}
	return true
}

// byFormula takes the sums that formulas make, which the numbers confirm.
func (g *grower) byFormula(k int) {
	all := g.d.summed(k)
	for t := range g.dim.items {
		parts := all[t]
		if parts == nil || g.f.memo[t] || slices.ContainsFunc(parts, func(p int) bool { return g.f.memo[p] || g.f.parent[p] >= 0 || g.above(p, t) }) {
			continue
		}
		if g.check(t, parts).holds() {
			g.adopt(t, parts)
		}
	}
}
