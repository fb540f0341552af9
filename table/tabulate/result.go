package tabulate

import (
	"bufio"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Len returns the number of cells.
func (r *Result) Len() int { return len(r.order) }

// CellName returns the codes of cell n joined with "/".
func (r *Result) CellName(n int) string { return strings.Join(r.Codes(n), "/") }

// Codes returns the codes of cell n.
func (r *Result) Codes(n int) []string {
	k := r.cells.key[r.order[n]]
	return sets.List(len(r.Dims), func(d int) string { return r.Dims[d].Codes[k.code(d)] })
}

// counts reports whether the values count records rather than add up amounts.
func (r *Result) counts() bool { return r.cells.response < 0 && r.cells.plan.weight < 0 }

// total returns the sum of variable v in cell i and its decimals.
func (r *Result) total(v int, i int32) (num.Int128, int) {
	s := r.cells.place(v)
	return r.cells.sum[s][i], r.decimal[s] + r.weight
}

// A Cell is one cell of a finished table.
type Cell struct {
	Codes    []string
	Value    table.Decimal // Σ response, or the number of records
	Freq     int64         // contributors: holdings if there are any, else records
	Records  int64
	Cost     table.Decimal // if the spec has one
	Max      []table.Decimal
	Who      []string      // names behind the largest contributions, if wanted
	Absolute table.Decimal // the sum of absolute contributions, if the rules ask for it
	Verdict  table.Verdict
	Contribs table.Facts   // the facts that the rules used
	Least    table.Decimal // the smallest absolute contribution, if the spec asks for it
	// Key is the fractional part of the sum of record keys, in units of 10^−18; KeyNonzero is the same over records
	// whose response is not 0.
	Key, KeyNonzero uint64
}

// Cell returns cell n. It fails where a number needs more than 18 digits.
func (r *Result) Cell(n int) (Cell, error) {
	c, i := r.cells, r.order[n]
	cell := Cell{Codes: r.Codes(n), Records: c.n[i], Freq: c.n[i]}
	if r.groups != nil {
		cell.Freq = r.groups[i].n
	}
	fail := func(err error) (Cell, error) {
		return cell, i18n.Errorf("table %s: cell %s: %w", r.Spec.Name, r.CellName(n), err)
	}
	var err error
	switch {
	case c.response >= 0:
		x, scale := r.total(c.response, i)
		cell.Value, err = decimal(x, scale)
	case c.plan.weight >= 0:
		cell.Value, err = decimal(c.weight[i], r.weight)
	default:
		cell.Value = table.Decimal{Unscaled: c.n[i]}
	}
	if err != nil {
		return fail(err)
	}
	switch {
	case r.Spec.Cost == "-1":
		cell.Cost = table.Decimal{Unscaled: c.n[i]}
	case r.Spec.Cost == "-2":
		cell.Cost = table.Decimal{Unscaled: 1}
	case c.cost >= 0:
		x, scale := r.total(c.cost, i)
		if x.Sign() < 0 { // |cost|, as withholding cannot be a gain
			x = num.Int128{}.Sub(x)
		}
		if cell.Cost, err = decimal(x, scale); err != nil {
			return fail(err)
		}
	}
	if c.plan.key >= 0 {
		cell.Key = uint64(c.keys[i])
		if c.nonzero != nil {
			cell.KeyNonzero = uint64(c.nonzero[i])
		}
	}
	f := &cell.Contribs
	if *f, err = r.facts(i, cell.Value); err != nil {
		return fail(err)
	}
	if c.least && c.n[i] > 0 {
		cell.Least = table.Decimal{Unscaled: c.lows[i], Scale: f.XDecimals}
	}
	if cell.Max, err = r.largest(f); err != nil {
		return fail(err)
	}
	if r.whose != nil && r.names != nil {
		for k := range min(cell.Freq, int64(r.cells.heldPlaces)) {
			cell.Who = append(cell.Who, r.whose.name(r.whose.topWho[int64(i)*int64(r.cells.heldPlaces)+k]))
		}
	}
	if f.Absolute != nil {
		if cell.Absolute, err = bigDecimal(f.Absolute, f.XDecimals+f.WeightDecimals); err != nil {
			return fail(err)
		}
	}
	if r.Spec.Rules != nil {
		if cell.Verdict, err = r.Spec.Rules.Judge(f); err != nil {
			return fail(err)
		}
	}
	return cell, nil
}

// facts returns the facts of cell i that the rules need.
func (r *Result) facts(i int32, value table.Decimal) (table.Facts, error) {
	c := r.cells
	f := table.Facts{Decimals: max(value.Scale, r.least), Freq: r.counts(), WeightDecimals: r.weight, Weight: c.n[i]}
	if c.response < 0 {
		f.Decimals = value.Scale
	}
	var ok bool
	if f.Value, ok = value.At(f.Decimals); !ok {
		return f, table.ErrOutOfRange
	}
	k := c.key[i]
	for d := range r.Dims {
		f.Missing = f.Missing || r.missing[d][k.code(d)]
	}
	if c.plan.weight >= 0 {
		if f.Weight, ok = c.weight[i].Int64(); !ok {
			return f, table.ErrOutOfRange
		}
	}
	f.Records.N = c.n[i]
	if c.ask >= 0 {
		f.Records.Ask = c.asked[i]
	}
	if r.groups != nil {
		f.Holdings.N, f.Holdings.Ask = r.groups[i].n, r.groups[i].ask
	}
	if c.shadow < 0 {
		return f, nil
	}
	s := c.place(c.shadow)
	f.X, f.XDecimals = c.sum[s][i].Big(), r.decimal[s]
	if of := c; c.absolute {
		if r.whose != nil {
			of = r.whose
		}
		f.Absolute = of.abs[i].Big()
	}
	if c.waivers {
		f.Records.Waived, f.Records.Target = c.waived[i], c.target[i]
		if r.whose != nil {
			f.Holdings.Waived, f.Holdings.Target = r.whose.waived[i], r.whose.target[i]
		}
	}
	list := func(n int64, places int, top []int64, asks []uint8) (out []table.Contribution) {
		at := int64(i) * int64(places)
		for k := range min(n, int64(places)) {
			x := table.Contribution{X: top[at+k], W: 1}
			if asks != nil {
				x.Request = asks[at+k]
			}
			out = append(out, x)
		}
		return out
	}
	switch {
	case c.places == 0:
	case c.plan.weight >= 0:
		f.Records.Top = c.heavy[i]
	default:
		f.Records.Top = list(c.n[i], c.places, c.top, c.topAsk)
	}
	switch {
	case r.groups == nil || c.heldPlaces == 0:
	case c.plan.weight >= 0:
		f.Holdings.Top = r.heavy[i]
	default:
		f.Holdings.Top = list(r.groups[i].n, c.heldPlaces, r.tops, r.asks)
	}
	return f, nil
}

// places returns how many of the largest contributions are output.
func (r *Result) places() int {
	if r.groups != nil {
		return r.cells.heldPlaces
	}
	return r.cells.places
}

// largest returns the contributions to output: by holding if there are holdings, weighted as the places are filled.
func (r *Result) largest(f *table.Facts) ([]table.Decimal, error) {
	g := r.contributors(f)
	out := make([]table.Decimal, 0, r.places())
	last := new(big.Int)
	for m := range r.places() {
		if r.cells.plan.weight < 0 {
			if m >= len(g.Top) {
				break
			}
			out = append(out, table.Decimal{Unscaled: g.Top[m].X, Scale: f.XDecimals})
			continue
		}
		s := f.Places(g.Top, m+1)
		d := new(big.Int).Sub(s, last)
		if d.Sign() == 0 {
			break
		}
		v, err := bigDecimal(d, f.XDecimals+f.WeightDecimals)
		if err != nil {
			return nil, err
		}
		out, last = append(out, v), s
	}
	return out, nil
}

// decimal returns a·10^−scale without trailing zeros.
func decimal(a num.Int128, scale int) (table.Decimal, error) {
	if v, ok := a.Int64(); ok && v <= maxAmount && v >= -maxAmount && scale <= table.MaxDecimals {
		for scale > 0 && v%10 == 0 {
			v /= 10
			scale--
		}
		return table.Decimal{Unscaled: v, Scale: scale}, nil
	}
	return bigDecimal(a.Big(), scale)
}

func bigDecimal(v *big.Int, scale int) (table.Decimal, error) {
	ten, q, rem := big.NewInt(10), new(big.Int).Set(v), new(big.Int)
	for scale > 0 {
		n, _ := new(big.Int).QuoRem(q, ten, rem)
		if rem.Sign() != 0 {
			break
		}
		q = n
		scale--
	}
	if !q.IsInt64() || q.Int64() > maxAmount || q.Int64() < -maxAmount || scale > table.MaxDecimals {
		return table.Decimal{}, table.ErrOutOfRange
	}
	return table.Decimal{Unscaled: q.Int64(), Scale: scale}, nil
}

// Table returns the result as a table. Build checks its margins to the last digit.
func (r *Result) Table() (*table.Table, error) {
	records := make([]table.Record, r.Len())
	negative := false
	num := func(d table.Decimal) table.Number { return table.Number{Decimal: d, Set: true} }
	for n := range records {
		c, err := r.Cell(n)
		if err != nil {
			return nil, err
		}
		rec := &records[n]
		rec.Line, rec.Codes, rec.Value = n+1, c.Codes, num(c.Value)
		if !r.counts() || r.groups != nil {
			rec.Freq = table.Num(c.Freq, 0)
		}
		if r.Spec.Cost != "" {
			rec.Cost = num(c.Cost)
		}
		for _, x := range c.Max {
			rec.Max = append(rec.Max, num(x))
		}
		rec.Told = r.told(&c)
		negative = negative || c.Value.Unscaled < 0
		if v := c.Verdict; v.Reason != table.NoReason {
			rec.Status, rec.Reason, rec.LPL, rec.UPL = table.Sensitive, v.Reason, num(v.LPL), num(v.UPL)
		}
	}
	for n := range records {
		if negative { // then no amount is known to be ≥ 0
			records[n].Lower = table.Number{Set: true, Inf: -1}
		}
	}
	return table.Build(r.Spec.Name, r.Dims, records, r.counts())
}

// A Summary counts the cells of a table by the rules' verdicts.
type Summary struct {
	Cells int
	By    map[table.Reason]int
}

// write is WriteCSV for one table.
func (r *Result) write(w io.Writer) (Summary, error) {
	o := newCSV(w)
	o.header(r)
	value := !r.counts() || r.groups != nil
	if value {
		o.field("value")
	}
	o.field("freq")
	if r.Spec.Cost != "" {
		o.field("cost")
	}
	r.head(o, "")
	o.end()
	sum := Summary{By: map[table.Reason]int{}}
	for n := range r.Len() {
		c, err := r.Cell(n)
		if err != nil {
			return sum, err
		}
		for _, code := range c.Codes {
			o.field(code)
		}
		if value {
			o.field(c.Value.String())
		}
		o.field(strconv.FormatInt(c.Freq, 10))
		if r.Spec.Cost != "" {
			o.field(c.Cost.String())
		}
		r.judged(o, &c, &sum)
		o.end()
	}
	return sum, o.Flush()
}

// head writes the column names for what judged writes, each after a prefix.
func (r *Result) head(o *csvLines, prefix string) {
	if !r.Spec.Rules.Empty() {
		for _, s := range []string{"status", "reason", "lpl", "upl"} {
			o.field(prefix + s)
		}
	}
	for m := range r.places() {
		o.field(prefix + "max" + strconv.Itoa(m+1))
	}
	if r.names != nil {
		for m := range r.places() {
			o.field(prefix + "who" + strconv.Itoa(m+1))
		}
	}
	if r.cells.absolute {
		o.field(prefix + "absolute")
	}
	if r.cells.waivers {
		o.field(prefix + "waived")
		o.field(prefix + "unwaived")
	}
}

// judged writes the rules' verdict on a cell, if there are rules, and its largest contributions, and counts the cell in
// sum.
func (r *Result) judged(o *csvLines, c *Cell, sum *Summary) {
	sum.Cells++
	rules := !r.Spec.Rules.Empty()
	if v := c.Verdict; rules && v.Reason != table.NoReason {
		sum.By[v.Reason]++
		o.field("u")
		o.field(v.Reason.String())
		for _, l := range []table.Decimal{v.LPL, v.UPL} {
			if v.LPL.Unscaled == 0 && v.UPL.Unscaled == 0 { // the rule sets no levels
				o.field("")
			} else {
				o.field(l.String())
			}
		}
	} else if rules {
		o.field("s")
		o.field("")
		o.field("")
		o.field("")
	}
	for m := range r.places() {
		if m < len(c.Max) {
			o.field(c.Max[m].String())
		} else {
			o.field("")
		}
	}
	if r.names != nil {
		for m := range r.places() {
			if m < len(c.Who) {
				o.field(c.Who[m])
			} else {
				o.field("")
			}
		}
	}
	if r.cells.absolute {
		o.field(c.Absolute.String())
	}
	if r.cells.waivers {
		g := r.contributors(&c.Contribs)
		o.field(strconv.FormatInt(g.Waived, 10))
		o.field(table.FormatDecimal(g.Target, c.Contribs.XDecimals))
	}
}

// told returns what the record of a cell tells of its contributors, nil for nothing.
func (r *Result) told(c *Cell) *table.Told {
	told := table.Told{Who: c.Who}
	if c.Contribs.Absolute != nil {
		told.Absolute = table.Number{Decimal: c.Absolute, Set: true}
	}
	if r.cells.waivers {
		g := r.contributors(&c.Contribs)
		told.Waived, told.Target = table.Num(g.Waived, 0), table.Num(g.Target, c.Contribs.XDecimals)
	}
	if told.Who == nil && !told.Absolute.Set && !told.Waived.Set {
		return nil
	}
	return &told
}

// contributors returns the holdings if the table has any, else the records.
func (r *Result) contributors(f *table.Facts) *table.Group {
	if r.groups != nil {
		return &f.Holdings
	}
	return &f.Records
}

// csvLines writes CSV lines and quotes fields where needed.
type csvLines struct {
	*bufio.Writer
	within bool // within a line
}

func newCSV(w io.Writer) *csvLines { return &csvLines{Writer: bufio.NewWriterSize(w, 1<<16)} }

func (o *csvLines) field(s string) {
	if o.within {
		o.WriteByte(',')
	}
	o.within = true
	if strings.ContainsAny(s, "\",\n\r") || strings.TrimSpace(s) != s {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	o.WriteString(s)
}

func (o *csvLines) end() {
	o.WriteByte('\n')
	o.within = false
}

// header writes the names of the dimensions.
func (o *csvLines) header(r *Result) {
	for _, d := range r.Dims {
		o.field(d.Name)
	}
}
