package flags

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// mostAnswers is how many cells a question about such pairs explains and names; a run with these withheld asks about
// the rest.
const mostAnswers = 8

// Within returns an error if pairs reveal more about cells of t (those in the list, which its sums protect) than levels
// and statuses allow: readers know for each pair that the first cell is at most the second. The error asks for the
// published cells of such pairs to be withheld. t does not contain the pairs; the audit is of t with the remainder of
// each pair as a withheld cell, and the relation between the three. name returns what the user calls a cell. Pairs of
// which both cells are published reveal nothing. Cost: that of an audit of the cells, none if no pair is left.
func Within(ctx context.Context, t *table.Table, withheld []bool, cells []int, pairs [][2]int, name func(i int) string, opt interval.Options) error {
	pairs = slices.DeleteFunc(pairs, func(p [2]int) bool { return !withheld[p[0]] && !withheld[p[1]] })
	if len(pairs) == 0 || len(cells) == 0 {
		return nil
	}
	opt.Cells = cells
	rep, err := interval.Audit(ctx, remainders(t, pairs), append(slices.Clone(withheld), slices.Repeat([]bool{true}, len(pairs))...), &opt)
	if err != nil {
		return err
	}
	var of []int
	for k := range rep.Cells {
		if !rep.Cells[k].Protected {
			of = append(of, k)
		}
	}
	if of == nil {
		return nil
	}
	found, err := rep.Explain(ctx, of[:min(len(of), mostAnswers)], opt.Workers)
	if err != nil {
		return err
	}
	var answers []string
	for _, all := range found {
		for _, c := range all {
			for _, i := range published(&c, t.Len(), withheld, pairs) {
				if answer := "--withhold " + strconv.Quote(name(i)); len(answers) < mostAnswers && !slices.Contains(answers, answer) {
					answers = append(answers, answer)
				}
			}
		}
	}
	err = i18n.Errorf("%d withheld cells are not protected, %s among them, as readers know which of two cells is the larger, of a memo item and its whole or of rows sorted by their values", len(of), name(rep.Cells[of[0]].Index))
	if answers != nil {
		err = i18n.Errorf("%w; withhold these as well (%s)", err, strings.Join(answers, " "))
	}
	return err
}

// published returns the published cells of the pairs whose remainders, numbered from n, c uses. If there are none,
// because both cells of each such pair are withheld, it returns the memo items among the terms of c or, failing these,
// the cell of the least number.
func published(c *interval.Combination, n int, withheld []bool, pairs [][2]int) (cells []int) {
	for _, term := range c.Bounds {
		if term.Cell < n {
			continue
		}
		for _, i := range pairs[term.Cell-n] {
			if !withheld[i] {
				cells = append(cells, i)
			}
		}
	}
	if cells != nil || len(c.Terms) == 0 {
		return cells
	}
	for _, term := range c.Terms {
		if slices.ContainsFunc(pairs, func(p [2]int) bool { return p[0] == term.Cell }) {
			cells = append(cells, term.Cell)
		}
	}
	if cells == nil {
		cells = []int{slices.MinFunc(c.Terms, func(a, b interval.Term) int { return a.Value.Cmp(b.Value) }).Cell}
	}
	return cells
}

// remainders returns t with a cell for each pair: the second minus the first, which is not negative.
func remainders(t *table.Table, pairs [][2]int) *table.Table {
	w := t.Clone()
	n := len(pairs)
	w.Dims, w.Coord, w.Rel.Dim, w.Rel.Margin, w.Layers = nil, nil, nil, nil, 0
	w.Max, w.Contributors, w.Reason, w.Given, w.Freq = nil, nil, nil, nil, nil
	for _, column := range []*[]int64{&w.Cost, &w.LPL, &w.UPL, &w.Width, &w.Lower} {
		*column = append(*column, make([]int64, n)...)
	}
	if w.Missing != nil {
		w.Missing = append(w.Missing, make([]bool, n)...)
	}
	if w.Rounding != nil {
		w.Rounding = append(w.Rounding, make([]int64, n)...)
	}
	for _, p := range pairs {
		rest := int32(w.Len())
		if w.Missing != nil {
			w.Missing[rest] = !t.Known(p[0]) || !t.Known(p[1])
		}
		w.Value, w.Upper, w.Status = append(w.Value, w.Value[p[1]]-w.Value[p[0]]), append(w.Upper, table.PosInf), append(w.Status, table.Withheld)
		w.Rel.Add([]int32{int32(p[0]), int32(p[1]), rest}, []int32{1, -1, 1}, 0)
	}
	w.Rel.N = w.Len()
	return w
}

// Within returns an error if what readers know about pairs of cells (layout.Within) reveals more about the sensitive
// cells than the pattern of res, which protects them by the sums alone, was to allow.
func (s *FileSet) Within(ctx context.Context, res *protect.Result, lp string, workers int) error {
	t, pattern := res.Table, res.Solution.Pattern
	if res.Joint != nil {
		t, pattern = res.Joint.Table, res.Earlier.Pattern
	}
	layer := res.Table.Len() / max(1, res.Table.Layers)
	var pairs [][2]int
	for r, inputs := range s.Read {
		for k, in := range inputs {
			for _, p := range layout.Within(in) {
				pairs = append(pairs, [2]int{r*layer + int(res.Cells[k][p[0]]), r*layer + int(res.Cells[k][p[1]])})
			}
		}
	}
	var cells []int
	for i, w := range pattern {
		if w && t.Status[i] == table.Sensitive {
			cells = append(cells, i)
		}
	}
	name := t.CellName
	if res.Responses != nil { // their cells are named by the tables of each response
		name = func(i int) string { return res.Tables[i/layer].CellName(i % layer) }
	}
	if err := Within(ctx, t, pattern, cells, pairs, name, interval.Options{LP: lp, Workers: workers}); err != nil {
		return i18n.Errorf("table %s: %w", res.Table.Name, err)
	}
	return nil
}
