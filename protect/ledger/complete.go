package ledger

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// mostDecimals is how many more decimals the values found for unknown cells may have.
const mostDecimals = 3

// A contradictionError says that no table is consistent with the releases up to File, though one is with those before
// it.
type contradictionError struct {
	File string // "": what all files state
	Err  error
}

func (e *contradictionError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *contradictionError) Message() i18n.Text {
	if e.File == "" {
		return i18n.T("the sums and bounds on change contradict what is published: %v", e.Err)
	}
	return i18n.T("%s: no values of what it withholds agree with it and what was published before: %v", e.File, e.Err)
}

func (e *contradictionError) Unwrap() error { return e.Err }

// Complete gives the cells with unknown values, such as those that an earlier release withholds, values consistent with
// everything else. Which values does not matter for what can be learned, as every interval is taken over all tables
// consistent with the publication; but an exact search needs some true table to start from. The joint table may get up
// to three more decimals. The error wraps interval.ErrInconsistent if there are no such values. Cost: one linear
// program, or a search for whole numbers.
func (j *Joint) Complete(ctx context.Context, opt *interval.Options) error {
	if opt == nil {
		opt = new(interval.Options)
	}
	for more := 0; j.Missing != nil; more++ {
		t, rooms := j.boxed()
		first := slices.Index(t.Missing, true)
		for _, whole := range []bool{false, true} {
			if first < 0 {
				j.take(nil, t, rooms)
				return j.Validate()
			}
			o := interval.Options{LP: opt.LP, Workers: opt.Workers, Witness: true, Told: true, Cells: []int{first}, Integer: whole}
			rep, err := interval.Audit(ctx, t, t.Missing, &o)
			switch {
			case whole && (errors.Is(err, interval.ErrNotWhole) || errors.Is(err, interval.ErrFractional)):
				continue
			case errors.Is(err, interval.ErrInconsistent) && len(rooms) > 0 && more < mostDecimals: // perhaps more decimals help
				continue
			case err != nil:
				return err
			}
			if w := near(&rep.Cells[0]); w != nil && j.take(w, t, rooms) {
				return j.Validate()
			}
		}
		if more == mostDecimals {
			return i18n.Errorf("no values with %d decimals that agree with what is published were found for the cells that releases withhold; give the office's own tables with their values and statuses in place of the published ones", j.Decimals)
		}
		if err := j.Rescale(j.Decimals + 1); err != nil {
			return err
		}
	}
	return nil
}

// boxed returns the joint table with those bounds on change that have one unknown cell turned into bounds of that cell,
// without their relations; rooms maps the slack cell of each such bound to its relation.
func (j *Joint) boxed() (t *table.Table, rooms map[int]int) {
	t, rooms = j.Table.Clone(), map[int]int{}
	t.Rel = table.NewRelations(j.Len())
	t.Rel.Names = map[int]i18n.Text{}
	for r := range j.Rel.Len() {
		cell, coef := j.Rel.Row(r)
		s := int(cell[len(cell)-1])
		at, unknown := -1, 0
		for e, i := range cell[:len(cell)-1] {
			if j.Missing[i] {
				at, unknown = e, unknown+1
			}
		}
		if !j.slack(s) || !j.Missing[s] || unknown != 1 {
			if name, ok := j.Rel.Names[r]; ok {
				t.Rel.Names[t.Rel.Len()] = name
			}
			t.Rel.Add(cell, coef, j.Rel.RHS[r])
			t.Rel.Dim, t.Rel.Margin = append(t.Rel.Dim, j.Rel.Dim[r]), append(t.Rel.Margin, j.Rel.Margin[r])
			continue
		}
		rooms[s] = r
		t.Missing[s], t.Status[s], t.Value[s] = false, table.Published, 0
		y, known := int(cell[at]), 1-at
		v := new(big.Int).Mul(big.NewInt(int64(coef[known])), big.NewInt(j.Value[cell[known]]))
		end, rest := new(big.Int).QuoRem(v.Neg(v), big.NewInt(int64(coef[at])), new(big.Int)) // coef·y ≥ v; both quotients are at least 0
		switch {
		case !end.IsInt64():
		case coef[at] > 0:
			if rest.Sign() > 0 {
				end.Add(end, big.NewInt(1))
			}
			t.Lower[y] = max(t.Lower[y], end.Int64())
		default:
			t.Upper[y] = min(t.Upper[y], end.Int64())
		}
	}
	return t, rooms
}

// near returns a witness at a finite end of the interval, if there is one.
func near(c *interval.Cell) *interval.Witness {
	if c.Lo == nil && c.Hi != nil || c.LoWitness == nil {
		return c.HiWitness
	}
	return c.LoWitness
}

// take copies the missing values from w if they are whole, and sets the slack of the bounds on change in rooms.
func (j *Joint) take(w *interval.Witness, t *table.Table, rooms map[int]int) bool {
	value := slices.Clone(j.Value)
	for i := range value {
		if j.Known(i) || !t.Missing[i] {
			continue
		}
		v := w.At(i)
		if !v.IsInt() || !v.Num().IsInt64() {
			return false
		}
		value[i] = v.Num().Int64()
		if value[i] > j.Upper[i] || value[i] < j.Lower[i] {
			return false
		}
	}
	for s, r := range rooms {
		cell, coef := j.Rel.Row(r)
		room := big.NewInt(-j.Rel.RHS[r])
		for e, i := range cell[:len(cell)-1] {
			room.Add(room, new(big.Int).Mul(big.NewInt(int64(coef[e])), big.NewInt(value[i])))
		}
		if !room.IsInt64() || room.Sign() < 0 {
			return false
		}
		value[s] = room.Int64()
	}
	j.Value, j.Missing = value, nil
	return true
}

// An Exposed is a sensitive cell about which the publications so far disclose too much, whatever the present table
// withholds.
type Exposed struct {
	Cell    int
	Lo, Hi  *big.Rat // nil: infinite
	Follows []interval.Combination
}

// Exposed returns the sensitive cells of the present table and of releases whose levels are not met even if the present
// table adds nothing to what is published. From then on, cells of releases only have to keep the protection that is
// left, so that the present table does not reduce it. Cost: two linear programs for each sensitive cell.
func (j *Joint) Exposed(ctx context.Context, opt *interval.Options) (present, earlier []Exposed, err error) {
	if opt == nil {
		opt = new(interval.Options)
	}
	withheld := make([]bool, j.Len())
	var cells []int
	for i, st := range j.Status {
		withheld[i] = st != table.Published
		if st == table.Sensitive {
			cells = append(cells, i)
		}
	}
	if cells == nil {
		return nil, nil, nil
	}
	rep, err := interval.Audit(ctx, j.Table, withheld, &interval.Options{LP: opt.LP, Workers: opt.Workers, Told: true, Cells: cells})
	if err != nil {
		return nil, nil, err
	}
	var of []int
	for k := range rep.Cells {
		if !rep.Cells[k].Protected {
			of = append(of, k)
		}
	}
	found, err := rep.Explain(ctx, of, opt.Workers)
	if err != nil {
		return nil, nil, err
	}
	for n, k := range of {
		c := &rep.Cells[k]
		e := Exposed{c.Index, c.Lo, c.Hi, found[n]}
		if c.Index < j.Present {
			present = append(present, e)
			continue
		}
		earlier = append(earlier, e)
		j.keep(c)
	}
	return present, earlier, nil
}

// keep lowers the levels of a cell to the protection that it still has.
func (j *Joint) keep(c *interval.Cell) {
	i := c.Index
	lo, hi := c.Inner()
	least := func(level *int64, a, b *big.Rat) {
		if a == nil || b == nil {
			return
		}
		d := new(big.Rat).Sub(b, a)
		*level = min(*level, max(0, new(big.Int).Quo(d.Num(), d.Denom()).Int64()))
	}
	a := new(big.Rat).SetInt64(j.Value[i])
	least(&j.LPL[i], lo, a)
	least(&j.UPL[i], a, hi)
	least(&j.Width[i], lo, hi)
	if c.Disclosed || j.LPL[i] == 0 && j.UPL[i] == 0 && j.Width[i] == 0 {
		j.Status[i], j.LPL[i], j.UPL[i], j.Width[i] = table.Withheld, 0, 0, 0
	}
}
