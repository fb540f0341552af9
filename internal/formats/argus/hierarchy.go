package argus

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Code returns the form in which codes are compared: without surrounding blanks. τ-ARGUS takes " 1" and "1" for
// two codes, so its data and hierarchies must be padded alike; here they are one code.
func Code(s string) string { return strings.TrimSpace(s) }

// edges returns the tree of a variable below its total, which is written as the parent "". The tree comes from
// the .hrc file or from the digits of codes, the codes that data use; if the variable is not hierarchical all
// codes hang below the total. encoding is as for formats.NewLines.
func (v *Variable) edges(codes []string, encoding string) ([]table.Edge, error) {
	switch {
	case v.HierCodelist != "":
		f, err := formats.Open(v.HierCodelist)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return formats.ReadEdges(f, v.HierCodelist, v.Lead, encoding, v.Labels)
	case v.Hierarchical:
		return v.digitEdges(codes)
	}
	var edges []table.Edge
	for i, c := range codes {
		if c = Code(c); c != "" && c != v.TotCode {
			edges = append(edges, table.Edge{Code: c, Line: i + 1})
		}
	}
	return edges, nil
}

// digitEdges makes a tree of codes as <HIERLEVELS> says: with levels 3 1 1 the code 29240 stands below 2924,
// and that below 292. Codes are sorted, as in τ-ARGUS.
func (v *Variable) digitEdges(codes []string) ([]table.Edge, error) {
	var ends []int // lengths of the codes of each level
	n := 0
	for _, d := range v.HierLevels {
		if n += d; d > 0 {
			ends = append(ends, n)
		}
	}
	parent := map[string]string{}
	for _, c := range codes {
		if c = Code(c); c == "" || c == v.TotCode || v.isMissing(c) {
			continue
		}
		r := []rune(c)
		if !slices.Contains(ends, len(r)) {
			return nil, i18n.Errorf("%s: a code of %d characters, but <HIERLEVELS> has levels of %s", formats.Show(c), len(r), joinInts(ends))
		}
		above := ""
		for l := 0; l < len(ends) && ends[l] <= len(r); l++ {
			prefix := Code(string(r[:ends[l]]))
			if prefix == "" || prefix == above {
				return nil, i18n.Errorf("%s: blanks where <HIERLEVELS> has the digits of a level", formats.Show(c))
			}
			parent[prefix] = above
			above = prefix
		}
	}
	edges := make([]table.Edge, 0, len(parent))
	for c, p := range parent {
		edges = append(edges, table.Edge{Code: c, Parent: p})
	}
	slices.SortFunc(edges, func(a, b table.Edge) int { return strings.Compare(a.Code, b.Code) })
	return edges, nil
}

func joinInts(n []int) string {
	s := sets.List(len(n), func(i int) string { return fmt.Sprint(n[i]) })
	return strings.Join(s, ", ")
}

// isMissing reports whether code, which has no surrounding blanks, is a missing code of v.
func (v *Variable) isMissing(code string) bool {
	return slices.ContainsFunc(v.Missing, func(m string) bool { return Code(m) == code })
}

// Tree returns the tree of the .hrc file of a variable of records. If the file lists a code twice, records with
// that code belong to its first leaf, as in τ-ARGUS, while in a table its cells belong to the first place.
func (v *Variable) Tree(encoding string) (table.Dimension, error) {
	d, err := v.tree(v.HierCodelist, nil, nil, encoding)
	if err != nil {
		return d, err
	}
	leaf := d.Leaves()
	at := sets.Places[int](d.Codes)
	for _, name := range slices.Sorted(maps.Keys(v.Labels)) {
		if first, this := at[v.Labels[name]], at[name]; leaf[this] && !leaf[first] { // the two places swap their names
			d.Codes[first], d.Codes[this] = d.Codes[this], d.Codes[first]
			at[v.Labels[name]], at[name] = this, first
		}
	}
	return d, nil
}

// Trees returns the dimensions of t as τ-ARGUS lists them in outputs: with all codes of their hierarchies,
// whether data use them or not, and the missing codes at the end. Codes without a hierarchy are sorted by
// character, after padding on the left.
func (t *Table) Trees() ([]table.Dimension, error) {
	trees := make([]table.Dimension, len(t.Vars))
	for d, v := range t.Vars {
		var err error
		if trees[d], err = v.listed(&t.whole[d]); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

// listed returns whole, the tree of v, in the order described at Trees.
func (v *Variable) listed(whole *table.Dimension) (table.Dimension, error) {
	var edges []table.Edge
	known := map[string]bool{whole.Total(): true}
	leaf := whole.Leaves()
	for i, c := range whole.Codes[1:] {
		if !v.isMissing(c) || !leaf[i+1] {
			known[c] = true
			edges = append(edges, table.Edge{Code: c, Parent: whole.Codes[whole.Parent[i+1]]})
		}
	}
	if whole.Flat() {
		slices.SortFunc(edges, func(a, b table.Edge) int { return comparePadded(a.Code, b.Code) })
	}
	for _, m := range v.Missing {
		if m = Code(m); m != "" && !known[m] {
			known[m] = true
			edges = append(edges, table.Edge{Code: m, Parent: whole.Total()})
		}
	}
	return table.NewDimension(whole.Name, whole.Total(), edges)
}

// tree returns the dimension of v, including the codes that data do not use.
func (v *Variable) tree(file string, used []string, lines []int, encoding string) (table.Dimension, error) {
	edges, err := v.edges(used, encoding)
	var located *formats.Error
	if err != nil && !errors.As(err, &located) {
		return table.Dimension{}, &formats.Error{File: file, Field: v.Name, Want: i18n.T("%s", err)}
	}
	if err != nil {
		return table.Dimension{}, err
	}
	parent := make(map[string]string, len(edges))
	for i, e := range edges {
		if e.Parent == "" && e.Code != v.TotCode {
			edges[i].Parent = v.TotCode
		}
		parent[e.Code] = edges[i].Parent
	}
	edges = slices.DeleteFunc(edges, func(e table.Edge) bool { return e.Code == v.TotCode && e.Parent == "" })
	for _, c := range used {
		if _, ok := parent[c]; !ok && v.isMissing(c) && c != v.TotCode {
			parent[c] = v.TotCode
			edges = append(edges, table.Edge{Code: c, Parent: v.TotCode})
		}
	}
	// Build the whole tree first: its faults are reported even where the codes are not used.
	d, err := table.NewDimension(v.Name, v.TotCode, edges)
	var bad *table.HierarchyError
	switch {
	case errors.As(err, &bad) && v.HierCodelist != "":
		return d, &formats.Error{File: v.HierCodelist, Line: bad.Line, Field: "code", Value: formats.Show(bad.Code), Want: bad.What, Err: bad}
	case err != nil:
		return d, &formats.Error{File: file, Field: v.Name, Want: i18n.T("%s", err), Err: err}
	}
	for i, c := range used {
		if c == v.TotCode {
			continue
		}
		if _, ok := parent[c]; !ok {
			where := "the hierarchy"
			if v.HierCodelist != "" {
				where = v.HierCodelist
			}
			return d, &formats.Error{File: file, Line: lines[i], Field: v.Name, Value: formats.Show(c),
				Want: i18n.T("not a code of %s, nor the total code %s, nor a missing code", where, formats.Show(v.TotCode))}
		}
	}
	return d, nil
}
