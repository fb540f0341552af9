package bench

import (
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// maxCells is the largest number of cells of a drawn table.
const maxCells = 1 << 22

// A Branching describes the tree of one variable, from the root down: every code at depth l has b[l] children. A flat
// variable with 20 codes is {20}; {4, 4} has 4 groups of 4 codes, so 21 codes with its total.
type Branching []int

// ParseBranching reads "20" or "4.4.4".
func ParseBranching(s string) (Branching, error) {
	var b Branching
	for part := range strings.SplitSeq(s, ".") {
		k, err := strconv.Atoi(part)
		if err != nil || k < 1 || k > maxCells {
			return nil, i18n.Errorf("%q: want numbers of children ≥ 1 joined with dots, like 20 or 4.4", s)
		}
		b = append(b, k)
	}
	return b, nil
}

// ParseShape reads the branchings of several variables joined with "x", like
// "20x20", "10x4.4" or "4x4x4".
func ParseShape(s string) ([]Branching, error) {
	var shape []Branching
	for part := range strings.SplitSeq(s, "x") {
		b, err := ParseBranching(part)
		if err != nil {
			return nil, i18n.Errorf("shape %q: %w", s, err)
		}
		shape = append(shape, b)
	}
	return shape, nil
}

// String is the inverse of ParseBranching.
func (b Branching) String() string {
	return strings.Join(sets.Each(b, strconv.Itoa), ".")
}

// shapeString is the inverse of ParseShape.
func shapeString(shape []Branching) string {
	return strings.Join(sets.Each(shape, Branching.String), "x")
}

// codes returns the number of codes of the tree, including its root; ok is false if there are more than maxCells.
func (b Branching) codes() (int, bool) {
	n, level := 1, 1
	for _, k := range b {
		if k < 1 || level > maxCells/k {
			return 0, false
		}
		level *= k
		n += level
	}
	return n, n <= maxCells
}

// dimension builds the tree: variable d is called V1, V2, …; codes of the first variable are A1, A2, …, of the second
// B1, …; children append ".1", ".2", … to the code of their parent. The root is Total.
func (b Branching) dimension(d int) (table.Dimension, error) {
	const total = "Total"
	var edges []table.Edge
	parents := []string{total}
	for _, k := range b {
		next := make([]string, 0, len(parents)*k)
		for _, p := range parents {
			prefix := p + "."
			if p == total {
				prefix = string(rune('A' + d))
			}
			for c := range k {
				code := prefix + strconv.Itoa(c+1)
				edges = append(edges, table.Edge{Code: code, Parent: p, Line: len(edges) + 1})
				next = append(next, code)
			}
		}
		parents = next
	}
	return table.NewDimension("V"+strconv.Itoa(d+1), total, edges)
}
