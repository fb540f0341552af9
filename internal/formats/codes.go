package formats

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// DefaultTotal is the total code unless another is given.
const DefaultTotal = "Total"

// codes holds the codes of one dimension in the order of their first use.
type codes struct {
	file, name string
	total      string
	common     bool // total was given for all dimensions
	chosen     bool // total was given for this dimension
	tree       *hierarchy
	treeFile   string
	beside     bool               // treeFile was found beside the file, not named by the user
	fitting    bool               // treeFile is ignored if it lacks a code
	say        func(fmt.Stringer) // Options.Say
	took       func(dim, file string)
	unsaid     i18n.Text // the option by which the file is read without treeFile
	index      map[string]int
	list       []string
	line       []int // the line of the first use of each code
	last       int   // the code found last; it is tried first, as files are often sorted
}

// newCodes prepares the dimensions of a file and reads their hierarchies.
func newCodes(file string, names []string, o *Options) ([]*codes, error) {
	known := func(what i18n.Text, m map[string]string) error {
		for name := range m {
			if !o.IgnoreMissingDims && !slices.Contains(names, name) {
				return &Error{File: file, Value: Show(name), Want: i18n.T("%s for a dimension that the table does not have%s; its dimensions are %s", what, near.Hint(name, names, ""), ShowList(names))}
			}
		}
		return nil
	}
	if err := known(i18n.T("a total code"), o.Totals); err != nil {
		return nil, err
	}
	if err := known(i18n.T("a hierarchy"), o.Hierarchies); err != nil {
		return nil, err
	}
	for _, name := range o.Flat {
		if err := known(i18n.T("--flat"), map[string]string{name: ""}); err != nil {
			return nil, err
		}
	}
	all := make([]*codes, len(names))
	for d, name := range names {
		if slices.Contains(names[:d], name) {
			return nil, &Error{File: file, Value: Show(name), Want: i18n.T("two dimensions of this name")}
		}
		c := &codes{file: file, name: name, total: DefaultTotal, index: map[string]int{}, say: o.Say, took: o.Took, unsaid: o.flatFlag(name)}
		if o.Total != "" {
			c.total, c.common = o.Total, true
		}
		if t := o.Totals[name]; t != "" {
			c.total, c.chosen = t, true
		}
		path := o.Hierarchies[name]
		if path == "" && o.Beside && !slices.Contains(o.Flat, name) {
			path, c.fitting = hierarchyBeside(file, name)
			c.beside = path != ""
		}
		if path != "" {
			f, err := Open(path)
			if err != nil {
				return nil, err
			}
			c.tree, err = readHierarchy(f, path, o.Lead, o.Encoding, nil)
			f.Close()
			if err != nil {
				return nil, err
			}
			c.treeFile = path
			if c.tree.root != "" && o.Total == "" && !c.chosen {
				c.total = c.tree.root
			}
		}
		all[d] = c
	}
	return all, nil
}

// hierarchyBeside finds the hierarchy of a dimension beside the file of a table: NAME.DIM.hrc, or DIM.hrc or
// NAME.hrc. The latter two may belong to other tables or dimensions, so they are used only if they have all
// codes, which fitting says.
func hierarchyBeside(file, dim string) (path string, fitting bool) {
	if strings.ContainsAny(dim, `/\`) {
		return "", false
	}
	base := baseOf(file)
	for n, path := range []string{TreeFile(file, dim), filepath.Join(filepath.Dir(file), dim+".hrc"), base + ".hrc"} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, n > 0
		}
	}
	return "", false
}

// TreeFile returns the path at which readers look for the hierarchy of a dimension beside the file of a table.
func TreeFile(file, dim string) string { return baseOf(file) + "." + dim + ".hrc" }

// baseOf returns the name of a file without .gz and its extension.
func baseOf(file string) string {
	if strings.EqualFold(filepath.Ext(file), ".gz") {
		file = file[:len(file)-3]
	}
	return strings.TrimSuffix(file, filepath.Ext(file))
}

// outside returns the codes that the tree lacks.
func (c *codes) outside() (codes []string) {
	known := map[string]bool{c.total: true}
	for _, e := range c.tree.nodes {
		known[e.Code] = true
	}
	for _, code := range c.list {
		if !known[code] {
			codes = append(codes, code)
		}
	}
	return codes
}

// fromBeside decides whether a hierarchy that nobody named is used, and says so. If the total is not known from
// elsewhere and the hierarchy lacks exactly one code, that code is taken for the total; Build then checks its
// sums.
func (c *codes) fromBeside() {
	lacks := c.outside()
	_, used := c.index[c.total]
	total := len(lacks) == 1 && !used && !c.chosen && !c.common
	if c.fitting && len(lacks) > 0 && !total {
		c.tree = nil
		return
	}
	var besides i18n.Text
	if total {
		c.total = lacks[0]
		besides = i18n.T(", and its total %s, which that lacks", Show(c.total))
	}
	if c.say != nil {
		c.say(i18n.T("%s: the hierarchy of %s is %s beside it%s; %s reads it without", c.file, Show(c.name), c.treeFile, besides, c.unsaid))
	}
}

// add records a code and returns a string equal to it, always the same one.
func (c *codes) add(code string, line int) string {
	if c.last < len(c.list) && c.list[c.last] == code {
		return c.list[c.last]
	}
	i, ok := c.index[code]
	if !ok {
		i = len(c.list)
		code = strings.Clone(code) // so that the line need not stay in memory
		c.index[code] = i
		c.list = append(c.list, code)
		c.line = append(c.line, line)
	}
	c.last = i
	return c.list[i]
}

// dimension returns the tree of the codes: flat with leaves in file order, or the hierarchy without the
// subtrees that the table does not use.
func (c *codes) dimension() (table.Dimension, error) {
	if c.beside {
		c.fromBeside()
	}
	if err := c.alike(); err != nil {
		return table.Dimension{}, err
	}
	if err := c.checkTotal(); err != nil {
		return table.Dimension{}, err
	}
	if c.tree == nil {
		leaves := slices.DeleteFunc(slices.Clone(c.list), func(s string) bool { return s == c.total })
		return table.FlatDimension(c.name, c.total, leaves)
	}
	d, err := table.NewDimension(c.name, c.total, c.tree.edges(c.total))
	var bad *table.HierarchyError
	if errors.As(err, &bad) {
		return d, &Error{File: c.treeFile, Line: bad.Line, Field: "code", Value: Show(bad.Code), Want: bad.What, Err: bad}
	}
	if err != nil {
		return d, err
	}
	if c.took != nil {
		c.took(c.name, c.treeFile)
	}
	used := make([]bool, len(d.Codes))
	used[0] = true
	found := 0
	for i, code := range d.Codes {
		if _, ok := c.index[code]; ok {
			used[i] = true
			found++
		}
	}
	if found < len(c.list) {
		known := sets.Of(d.Codes)
		_, chosen := c.index[c.total]
		for i, code := range c.list {
			if !known[code] {
				var remedy i18n.Text
				if !chosen && found > 0 && found == len(c.list)-1 {
					remedy = i18n.T("; if it is the total, say --total %s=%s", c.name, code)
				}
				return d, &Error{File: c.file, Line: c.line[i], Field: c.name, Value: Show(code),
					Want: i18n.T("not a code of %s, nor the total code %s%s", c.treeFile, Show(c.total), remedy)}
			}
		}
	}
	return prune(d, used), nil
}

// prune removes the codes that are not used and have no used descendant.
func prune(d table.Dimension, used []bool) table.Dimension {
	for i := len(used) - 1; i > 0; i-- { // children come after their parents
		used[d.Parent[i]] = used[d.Parent[i]] || used[i]
	}
	p := table.Dimension{Name: d.Name}
	to := make([]int32, len(used))
	for i, code := range d.Codes {
		if !used[i] {
			continue
		}
		to[i] = int32(len(p.Codes))
		parent := int32(-1)
		if i > 0 {
			parent = to[d.Parent[i]]
		}
		p.Codes, p.Parent = append(p.Codes, code), append(p.Parent, parent)
	}
	return p
}

// ErrTotal is in the error for a table whose total code is not known.
var ErrTotal = errors.New("a code looks like a total")

// checkTotal refuses a table without its total code that has another code that looks like a total: to take that
// one for a leaf would count every unit twice.
func (c *codes) checkTotal() error {
	if _, used := c.index[c.total]; used || c.chosen || len(c.list) == 1 {
		return nil
	}
	var known map[string]bool
	for i, code := range c.list {
		if looksTotal(code) && known == nil {
			known = c.tree.codes()
		}
		if looksTotal(code) && !known[code] {
			say := code
			if c.common {
				say = c.name + "=" + code
			}
			return &Error{File: c.file, Line: c.line[i], Field: c.name, Value: Show(code), Err: ErrTotal, Want: i18n.T("looks like a total, but no line has the total code %s; say --total %s, or --total %s=%s if it is an ordinary code", Show(c.total), say, c.name, c.total)}
		}
	}
	return nil
}

// totalCodes are the usual names of totals, in lower case.
var totalCodes = []string{
	"total", "totals", "tot", "_t", "t", "sum", "all", "合計", "総計", "総数", "総合計", "計", "全体", "全国",
	"gesamt", "insgesamt", "ensemble", "totaal", "yhteensä", "i alt",
}

func looksTotal(code string) bool {
	code = strings.ToLower(code)
	return slices.Contains(totalCodes, code) || strings.HasPrefix(code, "total")
}
