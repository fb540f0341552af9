package formats

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// A hierarchy is a tree of codes as a file gives it. Codes without a parent are directly below the total.
type hierarchy struct {
	root  string // the total code, if the file names it
	nodes []table.Edge
}

// edges returns the tree below total.
func (h *hierarchy) edges(total string) []table.Edge {
	edges := make([]table.Edge, 0, len(h.nodes))
	for _, e := range h.nodes {
		if e.Parent == "" {
			if e.Code == total {
				continue // this line only names the root
			}
			e.Parent = total
		}
		edges = append(edges, e)
	}
	return edges
}

// codes returns the codes of the tree; h may be nil.
func (h *hierarchy) codes() map[string]bool {
	all := map[string]bool{}
	if h != nil {
		for _, e := range h.nodes {
			all[e.Code] = true
		}
	}
	return all
}

// ReadHierarchy reads the tree of a dimension from a τ-ARGUS .hrc file or a CSV file with columns code and
// parent. lead indents .hrc files, empty means @. total is the code of the root; empty means the one that the
// file names, else "Total". encoding is as for NewLines.
func ReadHierarchy(path, name, total, lead, encoding string) (table.Dimension, error) {
	o := Options{Hierarchies: map[string]string{name: path}, Lead: lead, Encoding: cmp.Or(encoding, either)}
	if total != "" {
		o.Totals = map[string]string{name: total}
	}
	all, err := newCodes(path, []string{name}, &o)
	if err != nil {
		return table.Dimension{}, err
	}
	c := all[0]
	c.add(c.total, 0)
	for _, e := range c.tree.nodes { // use all codes, so that none is pruned
		c.add(e.Code, e.Line)
	}
	return c.dimension()
}

// readHierarchy recognises the two kinds of files: .hrc by its extension, CSV by a first line that names
// columns code and parent. labels is as for ReadEdges.
func readHierarchy(r io.Reader, file, lead, enc string, labels map[string]string) (*hierarchy, error) {
	text, err := OpenText(r, file)
	if err != nil {
		return nil, err
	}
	l, err := newLines(text, file, enc)
	if err != nil {
		return nil, err
	}
	first, err := l.Next()
	if err == io.EOF {
		return nil, &Error{File: file, Want: i18n.T("the file is empty, want codes")}
	}
	if err != nil {
		return nil, err
	}
	if !strings.EqualFold(filepath.Ext(file), ".hrc") {
		s := &rows{Lines: l, sep: records.Separator(first)}
		if s.header, err = s.split(nil, first); err != nil {
			return nil, err
		}
		code, parent := s.find("code"), s.find("parent")
		switch {
		case code >= 0 && parent >= 0:
			return readParents(s, code, parent)
		case code >= 0 || parent >= 0 || strings.EqualFold(filepath.Ext(file), ".csv"):
			return nil, l.fault(0, "", i18n.T("want the columns code and parent in the header of a hierarchy"))
		}
	}
	return readHRC(l, first, lead, labels)
}

func (s *rows) find(name string) int {
	return slices.IndexFunc(s.header, func(f field) bool { return strings.EqualFold(f.text, name) })
}

// readParents reads lines with a code and its parent. The root is the only code without a parent or, if every
// code has one, the only parent that is no code.
func readParents(s *rows, code, parent int) (*hierarchy, error) {
	h := &hierarchy{}
	roots := 0
	for {
		row, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		e := table.Edge{Code: row[code].text, Parent: row[parent].text, Line: s.line}
		if e.Code == "" {
			return nil, s.at("code", "", i18n.T("empty, want a code"))
		}
		if want := s.r.Room(len(h.nodes) + 1); !want.IsZero() {
			return nil, s.fault(0, "", want)
		}
		if e.Parent == "" {
			roots++
			h.root = e.Code
		}
		h.nodes = append(h.nodes, e)
	}
	if len(h.nodes) == 0 {
		return nil, &Error{File: s.file, Want: i18n.T("a header but no codes")}
	}
	known := make(map[string]bool, len(h.nodes))
	for _, e := range h.nodes {
		known[e.Code] = true
	}
	outside, several := "", false
	for _, e := range h.nodes {
		if e.Parent != "" && !known[e.Parent] {
			several = several || outside != "" && outside != e.Parent
			outside = e.Parent
		}
	}
	switch {
	case roots == 1 && outside == "":
	case roots == 0 && !several:
		h.root = outside
	default:
		h.root = ""
	}
	return h, nil
}

// readHRC reads codes indented by repetitions of lead: a code is below the last code with one repetition less.
func readHRC(l *Lines, first, lead string, labels map[string]string) (*hierarchy, error) {
	given := lead != ""
	if !given {
		lead = "@"
	}
	h := &hierarchy{}
	var path []string // the current code and its ancestors, outermost first
	seen, dots := false, 0
	times := map[string]int{}
	for text := first; ; {
		s := strings.TrimSpace(text)
		depth := 0
		for strings.HasPrefix(s, lead) {
			s = s[len(lead):]
			depth++
		}
		seen = seen || depth > 0
		if dots == 0 && strings.HasPrefix(s, ".") {
			dots = l.line
		}
		s = strings.TrimSpace(s)
		switch {
		case s == "":
			return nil, l.fault(0, Show(text), i18n.T("a lead string without a code"))
		case depth > 0 && len(path) == 0:
			return nil, l.fault(0, Show(s), i18n.T("the first code is indented, below which one?"))
		case depth > len(path):
			return nil, l.fault(0, Show(s), i18n.T("at depth %d below a code at depth %d; want one lead string %s more at most", depth, len(path)-1, Show(lead)))
		}
		if want := l.r.Room(len(h.nodes) + 1); !want.IsZero() {
			return nil, l.fault(0, "", want)
		}
		if labels != nil {
			if times[s]++; times[s] > 1 {
				label := s
				s = fmt.Sprintf("%s (%d)", s, times[s])
				labels[s] = label
			}
		}
		e := table.Edge{Code: s, Line: l.line}
		if depth > 0 {
			e.Parent = path[depth-1]
		}
		h.nodes = append(h.nodes, e)
		path = append(path[:depth], s)
		var err error
		if text, err = l.Next(); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
	}
	if !given && !seen && dots > 0 {
		l.line = dots
		return nil, l.fault(0, "", i18n.T("a code that begins with a dot, and no line with the lead string @; say --lead . if dots indent this file, or --lead @ if they do not"))
	}
	return h, nil
}

// WriteHierarchy writes the tree of d as a CSV file with columns code and parent.
func WriteHierarchy(w io.Writer, d *table.Dimension) error {
	t := newTextWriter(w, "", Dialect{})
	t.text("code")
	t.text("parent")
	t.end()
	for i := 1; i < len(d.Codes); i++ {
		t.text(d.Codes[i])
		t.text(d.Codes[d.Parent[i]])
		t.end()
	}
	return t.close()
}

// SaveTree writes the tree of d to the .hrc file that readers find beside the table called path, in the
// encoding and with the line ends of the dialect. A file there that has this tree, or a larger one that
// contains it, is kept. If a .hrc file cannot hold some name or code, SaveTree returns an error and writes
// nothing.
func SaveTree(path string, d *table.Dimension, as Dialect) error {
	if strings.ContainsAny(d.Name, `/\`) {
		return i18n.Errorf("%s: its name cannot be that of a file", d.Name)
	}
	for _, code := range d.Codes[1:] {
		// Readers would take these for an indent.
		if strings.HasPrefix(code, "@") || d.Flat() && strings.HasPrefix(code, ".") {
			return i18n.Errorf("%s: code %q: begins like the indent of .hrc files", d.Name, code)
		}
	}
	file := TreeFile(path, d.Name)
	if there, err := ReadHierarchy(file, d.Name, d.Codes[0], "", ""); err == nil && extends(&there, d) {
		return nil
	}
	as.Trailing = 0
	return save(file, how{durable: true, public: private.Trees.Public}, func(w io.Writer) error {
		t := newTextWriter(w, file, as)
		depth := make([]int, len(d.Codes))
		for i := 1; i < len(d.Codes); i++ {
			if d.Parent[i] > 0 {
				depth[i] = depth[d.Parent[i]] + 1
			}
			t.raw(strings.Repeat("@", depth[i]) + d.Codes[i])
			t.end()
		}
		return t.close()
	})
}

// extends reports whether every code of d is also in all, below the same code.
func extends(all, d *table.Dimension) bool {
	above := make(map[string]string, len(all.Codes))
	for i := 1; i < len(all.Codes); i++ {
		above[all.Codes[i]] = all.Codes[all.Parent[i]]
	}
	for i := 1; i < len(d.Codes); i++ {
		if parent, ok := above[d.Codes[i]]; !ok || parent != d.Codes[d.Parent[i]] {
			return false
		}
	}
	return true
}
