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
	// Table is changed: it gets its statuses, costs and levels.
	Table *table.Table
	// Response names what the values are where one mask withholds several responses of
	// the same cells. The inputs of a response are those of the others, in the same order.
	Response string
	// SharedCost: the costs of the table are those of its cells, whatever the number of responses.
	SharedCost bool
	// CrossTab: the table is laid out with its margins around it, which are published by default.
	CrossTab bool
	// Source begins errors about the table by itself, like the name of its file.
	Source string
}

// Prepared are inputs seen as one table to which a policy has been applied.
type Prepared struct {
	// Table is the one of the input, what several of them make linked, or their stack of layers
	// (table.Stack) where there are several responses.
	Table *table.Table
	// Cells[k][i] is the cell of Table, of its first layer where there are several, that is cell i of inputs[k].
	Cells [][]int32
	// Of several responses: their names, the table of each, which is a layer of Table, and by cell
	// the responses, joined by +, by which it is sensitive.
	Responses []string
	Tables    []*table.Table
	By        []string
	// Joint is Table with what is published already, nil where the policy has nothing of it. Run alone makes it.
	Joint *ledger.Joint

	marked []int // sensitive cells of Table that keep their marks where intervals are published
}

// Prepare joins the inputs, in which it changes the tables, and applies p. Several inputs are
// linked: cells with the same codes are the same. opt may be nil. Errors about p are *FieldError.
func Prepare(inputs []Input, p Policy, opt *Options) (*Prepared, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return prepare(inputs, &p, opt.own())
}

func prepare(inputs []Input, p *Policy, o *Options) (*Prepared, error) {
	if len(inputs) == 0 {
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

// byResponse parts the inputs by their responses, in the order of these.
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

// name is that of several tables together.
func name(inputs []Input) string {
	return strings.Join(sets.Each(inputs, func(in Input) string { return in.Table.Name }), "+")
}

// join makes one table of one response, called name, to which p has been applied. cell[k][i] is its cell that
// is cell i of inputs[k]; marked are those of Prepared.
func join(name string, inputs []Input, p *Policy, o *Options) (t *table.Table, cell [][]int32, marked []int, err error) {
	for _, in := range inputs {
		// A cell that is no margin in its own table may stand at the total of a
		// dimension which others have.
		if p.PublishesMargins(in.CrossTab) {
			in.Table.PublishMargins()
		}
	}
	if len(inputs) == 1 {
		t := inputs[0].Table
		own := t.Name
		t.Name = name // in what is said of it
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

// about puts the source of the table before an error.
func (in *Input) about(err error) error {
	if in.Source == "" || err == nil {
		return err
	}
	return i18n.Errorf("%s: %w", in.Source, err)
}

// stack makes layers of the responses.
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

// eachPays reports whether the price of a cell is made of the responses' own, which add
// up; else it is one price whatever the number of responses.
func (p *Policy) eachPays(in *Input) bool {
	switch p.Cost.Kind {
	case "value", "power":
		return true
	case "", "given":
		return !in.SharedCost
	}
	return false
}

// OpenCounts publishes the cells of t without contributors where numbers of contributors are
// not among the responses that one mask withholds: these stay published, and tell that nobody is there.
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
