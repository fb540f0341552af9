package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Dimension is one spanning variable: its codes form a tree whose root is the
// total. A flat variable is a tree of depth one.
type Dimension struct {
	Name   string
	Codes  []string // in tree order: root first, each subtree contiguous
	Parent []int32  // index of the parent code, −1 for the root Codes[0]

	// Labels are the names in words that the file gives to codes; may be nil.
	Labels map[string]string

	// NoTotal says that the root is not a code of the variable and no cell has it: the codes below it, such as periods,
	// do not add up to anything.
	NoTotal bool
}

// FlatDimension returns the dimension with the given total over leaves.
func FlatDimension(name, total string, leaves []string) (Dimension, error) {
	edges := sets.List(len(leaves), func(i int) Edge { return Edge{Code: leaves[i], Parent: total, Line: i + 1} })
	return NewDimension(name, total, edges)
}

// An Edge says that Parent is the margin of Code. Line is where a reader found
// it, for messages.
type Edge struct {
	Code, Parent string
	Line         int
}

// NewDimension builds the tree with root total from its edges, which may come in any order; children keep the order of
// the edges. Cost linear in the edges. It is a *HierarchyError if a code is empty, has two parents, lies on a cycle,
// does not reach the root, or lies more than 256 levels (budget.Levels) below it.
func NewDimension(name, total string, edges []Edge) (Dimension, error) {
	fail := func(e Edge, format string, args ...any) (Dimension, error) {
		return Dimension{}, &HierarchyError{Dimension: name, Line: e.Line, Code: e.Code, What: i18n.T(format, args...)}
	}
	if total == "" {
		return fail(Edge{}, "empty total code")
	}
	at := make(map[string]int, len(edges)+1) // code → its edge
	children := make(map[string][]int, len(edges))
	for i, e := range edges {
		if e.Code == "" {
			return fail(e, "empty code")
		}
		if e.Code == total {
			return fail(e, "the total code %q cannot have a parent", total)
		}
		if first, dup := at[e.Code]; dup {
			return fail(e, "code listed twice, first on line %d", edges[first].Line)
		}
		at[e.Code] = i
		children[e.Parent] = append(children[e.Parent], i)
	}
	for _, e := range edges {
		if _, known := at[e.Parent]; !known && e.Parent != total {
			return fail(e, "parent %q is not a code of the hierarchy and not the total %q", e.Parent, total)
		}
	}
	d := Dimension{Name: name, Codes: make([]string, 0, len(edges)+1)}
	d.Codes, d.Parent = append(d.Codes, total), append(d.Parent, -1)
	type frame struct {
		code string
		node int32
		deep int
	}
	stack := []frame{{total, 0, 0}} // depth first, so that a subtree is contiguous
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if budget.Levels.Passed(f.deep) {
			return fail(edges[at[f.code]], "more than %d levels below the total%s", budget.Levels.Max(), budget.Remedy())
		}
		if f.code != total {
			d.Codes, d.Parent = append(d.Codes, f.code), append(d.Parent, f.node)
			f.node = int32(len(d.Codes) - 1)
		}
		kids := children[f.code]
		for i := len(kids) - 1; i >= 0; i-- {
			stack = append(stack, frame{edges[kids[i]].Code, f.node, f.deep + 1})
		}
	}
	if len(d.Codes) != len(edges)+1 { // the codes not reached hang on a cycle
		reached := sets.Of(d.Codes)
		for _, e := range edges {
			if reached[e.Code] {
				continue
			}
			path, seen := []string{}, map[string]bool{}
			c := e.Code
			for !seen[c] {
				seen[c] = true
				path = append(path, c)
				c = edges[at[c]].Parent
			}
			for path[0] != c {
				path = path[1:]
			}
			return fail(edges[at[c]], "cycle %s → %s", strings.Join(path, " → "), c)
		}
	}
	return d, nil
}

// Total returns the code of the root.
func (d *Dimension) Total() string { return d.Codes[0] }

// Flat reports whether every code but the total is a child of the total.
func (d *Dimension) Flat() bool {
	return !slices.ContainsFunc(d.Parent[1:], func(p int32) bool { return p != 0 })
}

// maxIndent is the deepest level that Shown indents.
const maxIndent = 50

// Shown returns the codes in reading order with the text to show for each: the categories of a flat dimension, then its
// total; otherwise the tree from its root, each level indented once more, down to maxIndent.
func (d *Dimension) Shown(indent string) (codes []int32, labels []string) {
	for c := range d.Codes {
		codes = append(codes, int32(c))
	}
	if d.Flat() {
		codes, indent = append(codes[1:], 0), ""
	}
	depth := make([]int, len(d.Codes))
	for c, p := range d.Parent { // parents come before children
		if p >= 0 {
			depth[c] = min(depth[p]+1, maxIndent)
		}
	}
	if d.NoTotal {
		codes = slices.DeleteFunc(codes, func(c int32) bool { return c == 0 })
		for c := range depth {
			depth[c] = max(depth[c]-1, 0)
		}
	}
	for _, c := range codes {
		labels = append(labels, strings.Repeat(indent, depth[c])+d.labelled(d.Codes[c]))
	}
	return codes, labels
}

// labelled returns code followed by its label, as people read it.
func (d *Dimension) labelled(code string) string {
	if l := d.Labels[code]; l != "" && l != code && !strings.HasPrefix(l, code+" ") {
		return code + " " + l
	}
	return cmp.Or(d.Labels[code], code)
}

// Leaves marks the codes without children.
func (d *Dimension) Leaves() []bool {
	leaf := slices.Repeat([]bool{true}, len(d.Codes))
	for _, p := range d.Parent[1:] {
		leaf[p] = false
	}
	return leaf
}

// A HierarchyError says where a tree of codes is malformed. Line is 0 if unknown.
type HierarchyError struct {
	Dimension string
	Line      int
	Code      string
	What      i18n.Text
}

func (e *HierarchyError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *HierarchyError) Message() i18n.Text {
	return i18n.T("hierarchy of %q: code %q: %s", e.Dimension, e.Code, e.What)
}
