package tabulate

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// maxCodes is the largest number of codes of a dimension: 21 bits of a key.
const maxCodes = 1<<21 - 1

// A dict numbers the codes of one variable in order of first use, which depends on the workers; only the finished
// dimension has a fixed order.
type dict struct {
	v     *Variable
	total string

	mu    sync.Mutex
	index map[string]int32
	list  []string
	inner map[string]bool // codes of the tree that are not leaves
	leaf  map[string]bool // codes of the tree that are leaves
}

func newDict(v *Variable, total string) *dict {
	d := &dict{v: v, total: v.Total, index: map[string]int32{}}
	switch {
	case d.total != "":
	case v.Tree != nil:
		d.total = v.Tree.Total()
	case total != "":
		d.total = total
	default:
		d.total = "Total"
	}
	if v.Tree != nil {
		d.inner, d.leaf = map[string]bool{}, map[string]bool{}
		for i, is := range v.Tree.Leaves() {
			code := strings.TrimSpace(v.Tree.Codes[i])
			if is {
				d.leaf[code] = true
			} else {
				d.inner[code] = true
			}
		}
	}
	return d
}

func (d *dict) missing(code string) bool {
	return slices.ContainsFunc(d.v.Missing, func(m string) bool { return strings.TrimSpace(m) == code })
}

// id returns the number of a code; want is set if the code is not valid.
func (d *dict) id(code string) (id int32, want i18n.Text) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if id, ok := d.index[code]; ok {
		return id, i18n.Text{}
	}
	switch {
	case code == "":
		return 0, i18n.T("empty, want a code")
	case d.missing(code):
	case code == d.total:
		return 0, i18n.T("the total code; records hold codes of the lowest level only")
	case d.inner[code]:
		return 0, i18n.T("a code with codes below it in the hierarchy; records hold codes of the lowest level only")
	case d.leaf != nil && !d.leaf[code]:
		return 0, i18n.T("not a code of the hierarchy, and not a missing code")
	}
	if len(d.list) == maxCodes {
		return 0, i18n.T("more than %d codes", maxCodes)
	}
	id = int32(len(d.list))
	d.index[code] = id
	d.list = append(d.list, code)
	return id, i18n.Text{}
}

// edges collects the edges of a tree; for each code it notes the first parent given.
type edges struct {
	known map[string]bool
	list  []table.Edge
}

func (e *edges) add(code, parent string) {
	if !e.known[code] {
		e.known[code] = true
		e.list = append(e.list, table.Edge{Code: code, Parent: parent})
	}
}

// dimension returns the tree of the codes used and, by code number, the code's position in the tree and whether it is a
// missing code. Without a hierarchy the codes are sorted, numerically if all are whole numbers; missing codes come
// last.
func (d *dict) dimension() (dim table.Dimension, at []int32, missing []bool, err error) {
	codes := slices.Clone(d.list)
	inOrder(codes, d.missing)
	e := edges{known: map[string]bool{}}
	switch {
	case d.v.Tree != nil:
		t := d.v.Tree
		used := make([]bool, len(t.Codes))
		for i := len(t.Codes) - 1; i > 0; i-- {
			_, is := d.index[strings.TrimSpace(t.Codes[i])]
			if used[i] = used[i] || is; used[i] {
				used[t.Parent[i]] = true
			}
		}
		for i := 1; i < len(t.Codes); i++ {
			if used[i] {
				parent := strings.TrimSpace(t.Codes[t.Parent[i]])
				if t.Parent[i] == 0 {
					parent = d.total
				}
				e.add(strings.TrimSpace(t.Codes[i]), parent)
			}
		}
	case d.v.Levels != nil:
		for _, c := range codes {
			if d.missing(c) {
				continue
			}
			parent, n := d.total, 0
			for _, l := range d.v.Levels {
				if n += l; l > 0 && n < len(c) {
					e.add(c[:n], parent)
					parent = c[:n]
				}
			}
			if e.known[c] {
				return dim, nil, nil, i18n.Errorf("variable %q: code %q: a record holds it, and it has codes below it in the hierarchy by digits", d.v.Name, c)
			}
			e.add(c, parent)
		}
	}
	for _, c := range codes {
		e.add(c, d.total)
	}
	if dim, err = table.NewDimension(d.v.Name, d.total, e.list); err != nil {
		return dim, nil, nil, err
	}
	at, missing = make([]int32, len(d.list)), make([]bool, len(dim.Codes))
	for k, c := range dim.Codes {
		if id, ok := d.index[c]; ok {
			at[id] = int32(k)
			missing[k] = d.missing(c)
		}
	}
	return dim, at, missing, nil
}

// listed returns dim extended by the codes of the hierarchy and the missing codes that no record has.
func (d *dict) listed(dim *table.Dimension) (table.Dimension, error) {
	e := edges{known: map[string]bool{d.total: true, "": true}}
	if t := d.v.Tree; t != nil {
		for i, p := range t.Parent[1:] {
			parent := d.total
			if p > 0 {
				parent = strings.TrimSpace(t.Codes[p])
			}
			e.add(strings.TrimSpace(t.Codes[i+1]), parent)
		}
	}
	for i, p := range dim.Parent[1:] {
		e.add(dim.Codes[i+1], dim.Codes[p])
	}
	for _, m := range d.v.Missing {
		e.add(strings.TrimSpace(m), d.total)
	}
	return table.NewDimension(d.v.Name, d.total, e.list)
}

// inOrder sorts codes, numerically if all codes other than missing ones are whole numbers; missing codes come last.
func inOrder(codes []string, missing func(string) bool) {
	numbers := !slices.ContainsFunc(codes, func(c string) bool {
		return !missing(c) && (c == "" || strings.Trim(c, "0123456789") != "")
	})
	slices.SortFunc(codes, func(a, b string) int {
		if ma, mb := missing(a), missing(b); ma != mb {
			if mb {
				return -1
			}
			return 1
		}
		if x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0"); numbers && !missing(a) && x != y {
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
		}
		return cmp.Compare(a, b)
	})
}
