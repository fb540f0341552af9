package protect

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// An Input is a table that an office is about to publish, or one response of it.
type Input struct {
	// Table is modified: it gets its statuses, costs and levels.
	Table *table.Table
	// Response names the values if one mask protects several responses of the same cells. Every response must have the
	// same inputs in the same order.
	Response string
	// SharedCost: the costs belong to the cells and count once, whatever the number of responses.
	SharedCost bool
	// CrossTab: the table is laid out with margins, which are published by default.
	CrossTab bool
	// AtMost are pairs of cells of which readers know, although no relation says so, that the first is at most the
	// second. Patterns protect from them as well.
	AtMost [][2]int
	// Source is a prefix for errors about the table, such as its file's name.
	Source string
}

// Prepared is the one table that inputs make together, with a policy applied.
type Prepared struct {
	// Table is the table of the only input, several inputs linked, or a stack of layers (table.Stack) if there are
	// several responses.
	Table *table.Table
	// Cells[k][i] is the cell of Table (in its first layer, if there are several) that is cell i of inputs[k].
	Cells [][]int32
	// With several responses: their names, the table (a layer of Table) of each, and for each cell the responses by
	// which it is sensitive, joined by "+".
	Responses []string
	Tables    []*table.Table
	By        []string
	// Joint is Table joined with what is published already; nil if the policy names nothing. Only Run sets it.
	Joint *ledger.Joint

	marked []int // sensitive cells of Table that stay marked when intervals are published
}

// Prepare joins the inputs, modifying their tables, and applies p. Several inputs are linked: cells with the same codes
// are the same cell. opt may be nil. Errors about p are *FieldError.
func Prepare(inputs []Input, p Policy, opt *Options) (*Prepared, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return prepare(inputs, &p, opt.own())
}

func prepare(inputs []Input, p *Policy, o *Options) (*Prepared, error) {
	if len(inputs) == 0 || slices.ContainsFunc(inputs, func(in Input) bool { return in.Table == nil }) {
		return nil, i18n.Errorf("protect: no table")
	}
	groups, err := byResponse(inputs)
	if err != nil {
		return nil, err
	}
	if inputs[0].Response != "" {
		return stack(groups, p, o)
	}
	s := &Prepared{}
	s.Table, s.Cells, s.marked, err = join(name(inputs), inputs, p, o)
	return s, err
}

// byResponse groups the inputs by response, in order of first appearance.
func byResponse(inputs []Input) ([][]Input, error) {
	var groups [][]Input
	at := map[string]int{}
	for _, in := range inputs {
		k, ok := at[in.Response]
		if !ok {
			k = len(groups)
			at[in.Response] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], in)
	}
	for _, g := range groups {
		if len(g) != len(groups[0]) || len(groups) > 1 && g[0].Response == "" {
			return nil, i18n.Errorf("protect: %d tables of response %q, want %d as of %q", len(g), g[0].Response, len(groups[0]), groups[0][0].Response)
		}
	}
	return groups, nil
}

// name returns a name for several tables together.
func name(inputs []Input) string {
	return strings.Join(sets.Each(inputs, func(in Input) string { return in.Table.Name }), "+")
}

// join makes one table, called name, of the inputs of one response and applies p to it. cell[k][i] is its cell that is
// cell i of inputs[k]; marked is as in Prepared.
func join(name string, inputs []Input, p *Policy, o *Options) (t *table.Table, cell [][]int32, marked []int, err error) {
	for _, in := range inputs {
		// Each table publishes its own margins before linking: a cell that is no margin in its own table may stand at
		// the total of a dimension that other tables have.
		if p.PublishesMargins(in.CrossTab) {
			in.Table.PublishMargins()
		}
	}
	if len(inputs) == 1 {
		t := inputs[0].Table
		own := t.Name
		t.Name = name // the name used in messages
		defer func() { t.Name = own }()
		if marked, err = p.mark(t, o); err != nil {
			return nil, nil, nil, inputs[0].about(err)
		}
		cell = [][]int32{make([]int32, t.Len())}
		for i := range cell[0] {
			cell[0][i] = int32(i)
		}
		return t, cell, marked, nil
	}
	tables := sets.Each(inputs, func(in Input) *table.Table { return in.Table })
	l, err := table.Link(name, tables)
	if err != nil {
		return nil, nil, nil, err
	}
	if o.Joined != nil {
		if err := o.Joined(l.Table); err != nil {
			return nil, nil, nil, err
		}
	}
	marked, err = p.mark(l.Table, o)
	return l.Table, l.Cell, marked, err
}

// about prefixes an error with the source of the table.
func (in *Input) about(err error) error {
	if in.Source == "" || err == nil {
		return err
	}
	return i18n.Errorf("%s: %w", in.Source, err)
}

// stack makes the responses layers of one table.
func stack(groups [][]Input, p *Policy, o *Options) (*Prepared, error) {
	s := &Prepared{Responses: sets.Each(groups, func(g []Input) string { return g[0].Response })}
	all := name(groups[0])
	for r, inputs := range groups {
		for _, in := range inputs {
			OpenCounts(in.Table, s.Responses)
		}
		t, cell, _, err := join(all+"."+s.Responses[r], inputs, p, o)
		if err != nil {
			return nil, err
		}
		if r > 0 && !p.eachPays(&inputs[0]) {
			clear(t.Cost)
		}
		s.Tables, s.Cells = append(s.Tables, t), append(s.Cells, cell...)
	}
	var err error
	if s.Table, err = table.Stack(all, s.Responses, s.Tables); err != nil {
		return nil, groups[0][0].about(err)
	}
	s.By = make([]string, s.Tables[0].Len())
	for i := range s.By {
		var by []string
		for r, t := range s.Tables {
			if t.Status[i] == table.Sensitive {
				by = append(by, s.Responses[r])
			}
		}
		s.By[i] = strings.Join(by, "+")
		for r, t := range s.Tables {
			if t.Status[i] == table.Published && t.Value[i] != 0 && s.Table.Status[i] != table.Published {
				o.say(s.Table, "cell %s must stay published in %s, but another response withholds it", t.CellName(i), s.Responses[r])
			}
		}
	}
	return s, nil
}

// eachPays reports whether the cost of a cell is the sum of the responses' costs; otherwise it is one cost whatever the
// number of responses.
func (p *Policy) eachPays(in *Input) bool {
	switch p.Cost.Kind {
	case "value", "power":
		return true
	case "", "given":
		return !in.SharedCost
	}
	return false
}

// OpenCounts publishes the cells of t without contributors if counts of contributors are not among the responses under
// the mask: the counts stay published and tell that such cells are empty.
func OpenCounts(t *table.Table, responses []string) {
	if t.Freq == nil || slices.ContainsFunc(responses, func(r string) bool { return strings.EqualFold(r, "freq") }) {
		return
	}
	for i, n := range t.Freq {
		if n == 0 && t.Status[i] == table.Safe {
			t.Status[i] = table.Published
		}
	}
}
