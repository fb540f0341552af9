package argus

import (
	"fmt"
	"io"
	"iter"
	"math/big"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// names are the names of the columns of an intermediate file.
type names struct {
	dims                                               []string
	response, freq, shadow, cost, status, lower, upper string
	top, realized                                      []string
}

// newNames chooses names that differ even if case is ignored.
func newNames(t *table.Table, o WriteOptions) names {
	taken := map[string]bool{}
	choose := func(s string) string {
		for taken[strings.ToLower(s)] {
			s = "_" + s
		}
		taken[strings.ToLower(s)] = true
		return s
	}
	var n names
	for _, d := range t.Dims {
		n.dims = append(n.dims, choose(d.Name))
	}
	response := responseName(t, o)
	n.response = choose(response)
	n.freq, n.shadow, n.cost = choose("FreqVar"), choose(response+"_Shadow"), choose(response+"_Cost")
	for r := range t.Max {
		n.top = append(n.top, choose(fmt.Sprintf("Top%d", r+1)))
	}
	n.status, n.lower, n.upper = choose("StatusVar"), choose("LowerProtLevel"), choose("UpperProtLevel")
	for _, s := range []string{"RealizedLower", "RealizedUpper", "RealizedRange", "RealizedLowerPerc", "RealizedUpperPerc", "RealizedRangePerc"} {
		n.realized = append(n.realized, choose(s))
	}
	return n
}

func responseName(t *table.Table, o WriteOptions) string {
	switch {
	case o.Response != "":
		return o.Response
	case t.Counts && t.Freq == nil:
		return "Freq"
	}
	return "Value"
}

// checkIntermediate returns an error for what a table of τ-ARGUS cannot hold.
func checkIntermediate(t *table.Table, n names, o WriteOptions) error {
	fail := func(format string, args ...any) error {
		return i18n.Errorf("table %s: %s", t.Name, i18n.T(format, args...))
	}
	if len(t.Dims) == 0 {
		return fail("no dimensions; a table of relations alone is written as JJ")
	}
	for i := range t.Len() {
		switch {
		case !t.Known(i):
			return fail("cell %s has no value, but τ-ARGUS tables hold all values", t.CellName(i))
		case t.Freq != nil && t.Freq[i] == 0 && (t.Value[i] != 0 || t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld):
			return fail("cell %s has no contributors, but a value or a status of one that has; τ-ARGUS knows only empty cells without contributors", t.CellName(i))
		case o.Lossy:
		case t.Width[i] != 0:
			return fail("cell %s has a width (spl), which τ-ARGUS tables have no place for; --lossy leaves it out", t.CellName(i))
		case t.ReasonOf(i) != table.NoReason && t.ReasonOf(i) != table.ByManual:
			return fail("cell %s has a reason (%s), which τ-ARGUS tables have no place for; --lossy leaves it out", t.CellName(i), t.ReasonOf(i))
		case t.Lower[i] != 0 || t.Upper[i] != table.PosInf:
			return fail("cell %s has bounds of its own, which τ-ARGUS tables have no place for; --lossy leaves them out", t.CellName(i))
		}
	}
	for d, dim := range o.dims(t) {
		if err := checkText("name", n.dims[d]); err != nil {
			return fail("%v", err)
		}
		for _, c := range dim.Codes {
			if err := checkText("code", c); err != nil {
				return fail("dimension %s: %v", t.Dims[d].Name, err)
			}
		}
	}
	if err := checkText("name", n.response); err != nil {
		return fail("%v", err)
	}
	return nil
}

// checkText returns an error for what τ-ARGUS cannot read within quotes.
func checkText(what, s string) error {
	switch {
	case strings.ContainsAny(s, "\"\r\n"):
		return i18n.Errorf("the %s %s holds a quote or line end, which τ-ARGUS cannot read", what, formats.Show(s))
	case strings.Contains(s, ";"):
		return i18n.Errorf("the %s %s holds the separator ;, which τ-ARGUS cannot read", what, formats.Show(s))
	case strings.TrimSpace(s) != s || s == "":
		return i18n.Errorf("the %s %s is blank at an end", what, formats.Show(s))
	}
	return nil
}

// writeIntermediate writes output type 5.
func writeIntermediate(path string, t *table.Table, pattern []bool, o WriteOptions, out Output) error {
	n := newNames(t, o)
	if err := checkIntermediate(t, n, o); err != nil {
		return err
	}
	switch {
	case out.Audit && o.Realized == nil:
		return i18n.Errorf("table %s: option AR+: no audit has been made", t.Name)
	case out.Holdings && !o.Holdings:
		return i18n.Errorf("table %s: option HI+: the contributors are not holdings", t.Name)
	}
	base := stem(path)
	trees, err := newTrees(base, t.Name, o.dims(t))
	if err != nil {
		return err
	}
	companions, err := printTrees(trees, o.dims(t), o)
	if err != nil {
		return err
	}
	f := newIntermediate(t, n, o, out)
	meta, err := lines(&o, func(w *text) { f.metadata(w, trees) })
	if err != nil {
		return err
	}
	if err := saveCompanions(path, append(companions, companion{base + ".rda", meta}), o.keep, o.Behind != nil); err != nil {
		return err
	}
	order, err := f.order()
	if err != nil {
		return err
	}
	return saveTextBy(saveNew(t, o.Behind), path, &o, func(w *text) { f.cells(w, order, pattern) })
}

// saveNew is formats.SaveNew for a table whose values replace those of the table behind.
func saveNew(t, behind *table.Table) func(string, func(io.Writer) error) error {
	return func(path string, write func(io.Writer) error) error {
		return formats.SaveNew(&formats.Input{Table: t, Behind: behind}, path, write)
	}
}

// intermediate says which columns an intermediate file has, and how they are written.
type intermediate struct {
	t                    *table.Table
	n                    names
	o                    WriteOptions
	out                  Output
	counts, freq, shadow bool
	top                  int // number of largest contributions written
	values, levels       int // least number of decimals of values and of levels
}

func newIntermediate(t *table.Table, n names, o WriteOptions, out Output) *intermediate {
	f := &intermediate{t: t, n: n, o: o, out: out, counts: t.Counts && t.Freq == nil, freq: t.Freq != nil, values: max(decimals(t), o.Decimals), levels: max(t.Decimals, o.Decimals)}
	if !out.StatusOnly {
		if f.top, f.shadow = len(t.Max), !f.counts; o.Rules != nil {
			f.top = min(f.top, kept(o.Rules))
		}
	}
	return f
}

// metadata prints the metadata of the columns, in order.
func (f *intermediate) metadata(w *text, trees []tree) {
	n := &f.n
	w.print(`<SEPARATOR> ";"`)
	w.print("<SAFE> S\n<UNSAFE> U\n<PROTECT> P")
	for d := range f.t.Dims {
		w.print(quoteName(n.dims[d]))
		w.print("    <RECODEABLE>")
		w.print(`    <TOTCODE> "` + f.t.Dims[d].Total() + `"`)
		if trees[d].file != "" {
			w.print("    <HIERARCHICAL>")
			w.print(`    <HIERCODELIST> "` + filepath.Base(trees[d].file) + `"`)
			w.print(`    <HIERLEADSTRING> "` + trees[d].lead + `"`)
		}
	}
	w.print(quoteName(n.response))
	if f.counts {
		w.print("    <FREQUENCY>")
	} else {
		w.print(fmt.Sprintf("    <NUMERIC>\n    <DECIMALS> %d", f.values))
	}
	if f.freq {
		w.print(n.freq + "\n    <FREQUENCY>")
	}
	if f.shadow {
		w.print(quoteName(n.shadow) + "\n    <NUMERIC> <SHADOW>")
	}
	w.print(quoteName(n.cost) + "\n    <NUMERIC> <COSTVAR>")
	for _, s := range n.top[:f.top] {
		w.print(s + "\n    <MAXSCORE>")
	}
	w.print(n.status + "\n    <STATUS>")
	w.print(n.lower + "\n    <NUMERIC> <LOWERPL>")
	w.print(n.upper + "\n    <NUMERIC> <UPPERPL>")
	if f.out.Audit { // columns that have no role in metadata
		w.print(strings.Join(n.realized, "\n"))
	}
}

// A row is a line of an intermediate file: the codes and the number of a cell, −1 for an empty cell that is not
// part of the table.
type row struct {
	cell int
	code []int
}

// order yields the rows: the cells of the table in their order or, if the options have trees, all combinations
// of codes as τ-ARGUS lists them.
func (f *intermediate) order() (iter.Seq[row], error) {
	t := f.t
	k := len(t.Dims)
	code := make([]int, k)
	if f.o.Trees == nil {
		return func(yield func(row) bool) {
			for i := range t.Len() {
				for d := range k {
					code[d] = int(t.Coord[i*k+d])
				}
				if !yield(row{i, code}) {
					return
				}
			}
		}, nil
	}
	g, err := newGrid(t, f.o.listed(t, f.out))
	if err != nil {
		return nil, err
	}
	return func(yield func(row) bool) {
		for place, i := range g.at {
			g.codes(place, code)
			if !yield(row{int(i) - 1, code}) {
				return
			}
		}
	}, nil
}

// cells prints one line for each cell.
func (f *intermediate) cells(w *text, rows iter.Seq[row], pattern []bool) {
	t, o := f.t, &f.o
	dims := o.listed(t, f.out)
	var b strings.Builder
	for r := range rows {
		i := r.cell
		if f.out.SuppressEmpty && (i < 0 || o.status(t, i, pattern) == 14) {
			continue
		}
		b.Reset()
		for d, c := range r.code {
			if d > 0 {
				b.WriteByte(';')
			}
			b.WriteString(o.label(dims, d, c, f.out.Quote))
		}
		if i < 0 {
			f.none(&b)
			w.print(b.String())
			continue
		}
		b.WriteString(f.number(t.Value[i], t.Decimals, f.values))
		if f.freq {
			b.WriteByte(';')
			if t.Freq[i] >= 0 {
				fmt.Fprint(&b, t.Freq[i])
			}
		}
		if f.shadow && o.Shadow != nil {
			b.WriteString(f.number(o.Shadow[i], o.ShadowDecimals, max(o.ShadowDecimals, f.values)))
		} else if f.shadow {
			b.WriteString(f.number(t.Value[i], t.Decimals, f.values))
		}
		b.WriteString(f.number(t.Cost[i], t.CostDecimals, f.values))
		for r := range f.top {
			b.WriteString(f.number(t.Max[r][i], t.Decimals, f.values))
		}
		b.WriteString(";" + letter(o.status(t, i, pattern)))
		b.WriteString(f.number(t.LPL[i], t.Decimals, f.levels))
		b.WriteString(f.number(t.UPL[i], t.Decimals, f.levels))
		if f.out.Audit {
			b.WriteString(realized(t, i, o.Realized[i], f.levels, o.DecimalComma))
		}
		w.print(b.String())
	}
}

// none writes the fields after the codes for an empty cell that is not part of the table.
func (f *intermediate) none(b *strings.Builder) {
	zero := f.number(0, 0, f.values)
	b.WriteString(zero)
	if f.freq {
		b.WriteString(";0")
	}
	if f.shadow {
		b.WriteString(zero)
	}
	b.WriteString(strings.Repeat(zero, 1+f.top) + ";E" + strings.Repeat(f.number(0, 0, f.levels), 2))
	if f.out.Audit {
		b.WriteString(strings.Repeat(f.number(0, 0, f.levels), 3) + ";;;")
	}
}

// number returns the separator and v·10^−scale with at least that many decimals.
func (f *intermediate) number(v int64, scale, digits int) string {
	s := fixed(v, scale, digits)
	if f.o.DecimalComma {
		s = strings.Replace(s, ".", ",", 1)
	}
	return ";" + s
}

// realized returns the columns of an audit: both ends of the interval and its width, and for a value other than
// 0 the distances of the ends from it and the width in % of the value. An unbounded end is inf.
func realized(t *table.Table, i int, x Interval, digits int, comma bool) string {
	v := new(big.Rat).SetInt64(t.Value[i])
	one := new(big.Rat).SetInt64(table.Pow10(t.Decimals))
	sub := func(a, b *big.Rat) *big.Rat {
		if a == nil || b == nil {
			return nil
		}
		return new(big.Rat).Sub(a, b)
	}
	share := func(d *big.Rat) *big.Rat {
		if d == nil || v.Sign() == 0 {
			return d
		}
		d = new(big.Rat).Quo(d, new(big.Rat).Abs(v))
		return d.Mul(d, big.NewRat(100, 1))
	}
	var b strings.Builder
	add := func(r *big.Rat, unit *big.Rat, digits int, sign string) {
		s := sign + "inf"
		if r != nil {
			s = new(big.Rat).Quo(r, unit).FloatString(digits)
		}
		if comma {
			s = strings.Replace(s, ".", ",", 1)
		}
		b.WriteString(";" + s)
	}
	width := sub(x.High, x.Low)
	add(x.Low, one, digits, "-")
	add(x.High, one, digits, "")
	add(width, one, digits, "")
	if v.Sign() == 0 {
		return b.String() + ";;;"
	}
	percent := big.NewRat(1, 1)
	add(share(sub(v, x.Low)), percent, 2, "")
	add(share(sub(x.High, v)), percent, 2, "")
	add(share(width), percent, 2, "")
	return b.String()
}
