package protect

import (
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/table"
)

// A Change is how values are changed in place of withholding some, which a file may say beside a policy but Run does not do: Base, Kind, Steps and Partition are
// those of hitoku round, Norm and Most those of hitoku adjust.
type Change struct {
	Base      *table.Decimal
	Kind      string
	Steps     int
	Partition bool
	Norm      string
	Most      *table.Decimal
}

// Fields are the records of the fields, as those of Policy.Fields.
func (c *Change) Fields() []option.Option {
	return []option.Option{
		{Name: "base", To: numberField(&c.Base), Title: "Search", Text: "round to multiples of this"},
		{Name: "kind", To: &c.Kind, Title: "Search", From: []string{"controlled", "small", "conventional", "random"}, Default: "controlled", Text: "controlled: to one of the two nearest multiples, with all sums; small: only inner counts below the base; conventional, random: cell by cell, without sums"},
		{Name: "steps", To: &c.Steps, Title: "Search", Range: "[0, ∞)", Text: "where there is no rounding to the two nearest multiples, allow up to `K` more"},
		{Name: "partition", To: &c.Partition, Title: "Search", Text: "round slab by slab, for large tables: no search for the best, but a bound"},
		{Name: "norm", To: &c.Norm, Title: "Search", From: []string{"l1", "l2"}, Text: "l1: the sum of changes is smallest; l2: that of their squares, in the directions of l1"},
		{Name: "most", To: numberField(&c.Most), Title: "Search", Text: "no cell changes by more than this", Else: "the sum of the levels of all sensitive cells"},
	}
}
