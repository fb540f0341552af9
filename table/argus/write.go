package argus

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// WriteOptions say how to write what a table.Table does not tell.
type WriteOptions struct {
	// Response names the variable of the values. Empty: Value, or Freq for counts.
	Response string
	// Spelling[d] pads codes of dimension d, as Table.Spelling.
	Spelling []map[string]string
	// Shadow is the shadow of each cell in units of 10^−ShadowDecimals. Nil: the
	// values.
	Shadow         []int64
	ShadowDecimals int
	// Decimals are written at least, zeros where the table has fewer.
	Decimals int
	// DecimalComma is the sign of the intermediate format; the others have points.
	DecimalComma bool
	// Encoding is utf-8, cp1252 or cp932. Empty: UTF-8. τ-ARGUS itself reads what
	// its machine uses, mostly CP1252.
	Encoding string
	// Lossy leaves out what the format has no place for: widths, bounds and reasons.
	Lossy bool
	// Percent says that a p%-rule is among the rules, which changes letters and
	// shares of the SBS format. Nil: as the reasons of the table tell.
	Percent *bool
	// Realized are the intervals that an audit found, by cell, for output type 5 with
	// AR. Nil: there was none.
	Realized []Interval
	// Holdings says that contributors are holdings, not records.
	Holdings bool

	keep []string // files of the input, not to be replaced
}

// An Interval is what an intruder learns of a cell, in units of its table; nil is no end.
type Interval struct{ Low, High *big.Rat }

// Known is the interval of a value in view.
func Known(v int64) Interval {
	r := new(big.Rat).SetInt64(v)
	return Interval{r, r}
}

// text writes encoded lines; its first fault is kept.
type text struct {
	w        *bufio.Writer
	encoding string
	line     int
	err      error
}

func newText(w io.Writer, enc string) (*text, error) {
	if !records.Known(enc) {
		return nil, fmt.Errorf("encoding %s: want utf-8, cp932 or cp1252", tableio.Show(enc))
	}
	return &text{w: bufio.NewWriter(w), encoding: enc}, nil
}

// print writes a line.
func (t *text) print(s string) {
	t.line++
	b, ok := records.Encode([]byte(s), t.encoding)
	if !ok && t.err == nil {
		t.err = fmt.Errorf("line %d: %s: %s has no such character; write UTF-8", t.line, tableio.Show(s), strings.ToUpper(t.encoding))
	}
	t.w.Write(b)
	if err := t.w.WriteByte('\n'); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *text) close() error {
	if err := t.w.Flush(); err != nil && t.err == nil {
		t.err = err
	}
	return t.err
}

// saveText fills a file with what write prints.
func saveText(path, enc string, write func(t *text)) error {
	return tableio.Save(path, func(w io.Writer) error {
		t, err := newText(w, enc)
		if err != nil {
			return err
		}
		write(t)
		return t.close()
	})
}

// fixed writes v·10^−scale with digits decimals, of which there must be enough.
func fixed(v int64, scale, digits int) string {
	s := table.FormatDecimal(v, scale)
	if digits == 0 {
		return s
	}
	point := strings.IndexByte(s, '.')
	if point < 0 {
		s, point = s+".", len(s)
	}
	return s + strings.Repeat("0", max(0, digits-(len(s)-point-1)))
}

// empty reports whether cell i is a structural zero as far as the table tells:
// published with value 0, and no contributors if those are known.
func empty(t *table.Table, i int) bool {
	return t.Status[i] == table.Published && t.Known(i) && t.Value[i] == 0 && (t.Freq == nil || t.Freq[i] <= 0)
}

// status returns τ-ARGUS's number of the status of cell i.
func status(t *table.Table, i int, pattern []bool) int {
	switch t.Status[i] {
	case table.Sensitive:
		switch t.ReasonOf(i) {
		case table.ByDominance, table.ByPercent:
			return 3
		case table.ByRequest:
			return 4
		case table.ByFrequency:
			return 5
		case table.ByZero:
			return 6
		}
		return 9
	case table.Published:
		if empty(t, i) {
			return 14
		}
		return 10
	case table.Withheld:
		return 11
	}
	if pattern != nil && pattern[i] {
		return 11
	}
	return 1
}

// letter returns the symbol of a status in tables.
func letter(status int) string {
	switch status {
	case 1, 2:
		return "S"
	case 10:
		return "P"
	case 11, 12:
		return "M"
	case 13, 14:
		return "E"
	}
	return "U"
}

// WriteTable writes t as a table of τ-ARGUS that can be read again: the file path, which
// holds the fields of output type 5, and beside it its metadata, called like it with the
// extension .rda, and a .hrc file for every dimension that is not flat; these replace others
// only where they stand beside an earlier table called path. pattern marks
// cells to withhold; nil: none beyond the statuses. Every value is written. Each file is
// complete or untouched.
func WriteTable(path string, t *table.Table, pattern []bool, o WriteOptions) error {
	return writeIntermediate(path, t, pattern, o, Output{Type: Intermediate, Quote: true})
}

// names are the columns of an intermediate file.
type names struct {
	dims                                               []string
	response, freq, shadow, cost, status, lower, upper string
	top, realized                                      []string
}

// newNames chooses names that differ, whatever their case.
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

// checkIntermediate refuses what a table of τ-ARGUS cannot hold.
func checkIntermediate(t *table.Table, n names, o WriteOptions) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("table %s: "+format, append([]any{t.Name}, args...)...)
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
		case t.SPL[i] != 0:
			return fail("cell %s has a width (spl), which τ-ARGUS tables have no place for; --lossy leaves it out", t.CellName(i))
		case t.ReasonOf(i) != table.NoReason && t.ReasonOf(i) != table.ByManual:
			return fail("cell %s has a reason (%s), which τ-ARGUS tables have no place for; --lossy leaves it out", t.CellName(i), t.ReasonOf(i))
		case t.Lower[i] != 0 || t.Upper[i] != table.PosInf:
			return fail("cell %s has bounds of its own, which τ-ARGUS tables have no place for; --lossy leaves them out", t.CellName(i))
		}
	}
	for d := range t.Dims {
		if err := checkText("name", n.dims[d]); err != nil {
			return fail("%v", err)
		}
		for _, c := range t.Dims[d].Codes {
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

// checkText refuses what τ-ARGUS cannot read within quotes.
func checkText(what, s string) error {
	switch {
	case strings.ContainsAny(s, "\"\r\n"):
		return fmt.Errorf("the %s %s holds a quote or line end, which τ-ARGUS cannot read", what, tableio.Show(s))
	case strings.Contains(s, ";"):
		return fmt.Errorf("the %s %s holds the separator ;, which τ-ARGUS cannot read", what, tableio.Show(s))
	case strings.TrimSpace(s) != s || s == "":
		return fmt.Errorf("the %s %s is blank at an end", what, tableio.Show(s))
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
		return fmt.Errorf("table %s: option AR+: no audit has been made", t.Name)
	case out.Holdings && !o.Holdings:
		return fmt.Errorf("table %s: option HI+: the contributors are not holdings", t.Name)
	}
	counts := t.Counts && t.Freq == nil
	freq, top := t.Freq != nil, len(t.Max)
	if out.StatusOnly {
		top = 0
	}
	shadow := !counts && !out.StatusOnly
	base := path
	if strings.EqualFold(filepath.Ext(base), ".gz") {
		base = base[:len(base)-3]
	}
	base = strings.TrimSuffix(base, filepath.Ext(base))
	trees, err := newTrees(base, t)
	if err != nil {
		return err
	}
	companions := []string{base + ".rda"}
	for _, tree := range trees {
		if tree.file != "" {
			companions = append(companions, tree.file)
		}
	}
	if err := checkCompanions(path, companions, o.keep); err != nil {
		return err
	}
	if err := writeTrees(trees, t, o); err != nil {
		return err
	}
	// Metadata: the columns in their order.
	err = saveText(base+".rda", o.Encoding, func(w *text) {
		w.print(`<SEPARATOR> ";"`)
		w.print("<SAFE> S\n<UNSAFE> U\n<PROTECT> P")
		for d := range t.Dims {
			w.print(quoteName(n.dims[d]))
			w.print("    <RECODEABLE>")
			w.print(`    <TOTCODE> "` + t.Dims[d].Total() + `"`)
			if trees[d].file != "" {
				w.print("    <HIERARCHICAL>")
				w.print(`    <HIERCODELIST> "` + filepath.Base(trees[d].file) + `"`)
				w.print(`    <HIERLEADSTRING> "` + trees[d].lead + `"`)
			}
		}
		w.print(quoteName(n.response))
		if counts {
			w.print("    <FREQUENCY>")
		} else {
			w.print(fmt.Sprintf("    <NUMERIC>\n    <DECIMALS> %d", max(t.Decimals, o.Decimals)))
		}
		if freq {
			w.print(n.freq + "\n    <FREQUENCY>")
		}
		if shadow {
			w.print(quoteName(n.shadow) + "\n    <NUMERIC> <SHADOW>")
		}
		w.print(quoteName(n.cost) + "\n    <NUMERIC> <COSTVAR>")
		for _, s := range n.top[:top] {
			w.print(s + "\n    <MAXSCORE>")
		}
		w.print(n.status + "\n    <STATUS>")
		w.print(n.lower + "\n    <NUMERIC> <LOWERPL>")
		w.print(n.upper + "\n    <NUMERIC> <UPPERPL>")
		if out.Audit { // columns without a role
			w.print(strings.Join(n.realized, "\n"))
		}
	})
	if err != nil {
		return err
	}
	digits := max(t.Decimals, o.Decimals)
	number := func(v int64, scale int) string {
		s := fixed(v, scale, max(scale, digits))
		if o.DecimalComma {
			s = strings.Replace(s, ".", ",", 1)
		}
		return ";" + s
	}
	return saveText(path, o.Encoding, func(w *text) {
		k := len(t.Dims)
		var b strings.Builder
		for i := range t.Len() {
			if out.SuppressEmpty && empty(t, i) {
				continue
			}
			b.Reset()
			for d := range k {
				if d > 0 {
					b.WriteByte(';')
				}
				b.WriteString(o.label(t, d, int(t.Coord[i*k+d]), out.Quote))
			}
			b.WriteString(number(t.Value[i], t.Decimals))
			if freq {
				b.WriteByte(';')
				if t.Freq[i] >= 0 {
					fmt.Fprint(&b, t.Freq[i])
				}
			}
			if shadow && o.Shadow != nil {
				b.WriteString(number(o.Shadow[i], o.ShadowDecimals))
			} else if shadow {
				b.WriteString(number(t.Value[i], t.Decimals))
			}
			b.WriteString(number(t.Cost[i], t.CostDecimals))
			for r := range top {
				b.WriteString(number(t.Max[r][i], t.Decimals))
			}
			b.WriteString(";" + letter(status(t, i, pattern)))
			b.WriteString(number(t.LPL[i], t.Decimals))
			b.WriteString(number(t.UPL[i], t.Decimals))
			if out.Audit {
				b.WriteString(realized(t, i, o.Realized[i], digits, o.DecimalComma))
			}
			w.print(b.String())
		}
	})
}

// realized are the columns of an audit: both ends, the width, and for a value other than 0 the
// three as shares of it, in %: how far the ends are from it, and the width. inf is no end.
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

// quoteName quotes a name that is not one word.
func quoteName(s string) string {
	if strings.ContainsAny(s, " \t<") || strings.HasPrefix(s, "//") {
		return `"` + s + `"`
	}
	return s
}

// label is a code as files show it: with the padding of the input, quoted or not.
// τ-ARGUS writes an apostrophe for a quote.
func (o *WriteOptions) label(t *table.Table, d, c int, quote bool) string {
	s := t.Dims[d].Codes[c]
	if d < len(o.Spelling) && o.Spelling[d][s] != "" {
		s = o.Spelling[d][s]
	}
	s = strings.ReplaceAll(s, `"`, "'")
	if quote {
		return `"` + s + `"`
	}
	return s
}

// A tree is where a hierarchy was written; no file for a flat dimension.
type tree struct{ file, lead string }

// checkCompanions refuses to replace files that are not companions of an earlier table of
// the same name: metadata of microdata, say, or the files of the input.
func checkCompanions(path string, companions, keep []string) error {
	_, err := os.Stat(path)
	earlier := err == nil
	for _, c := range companions {
		info, err := os.Stat(c)
		if err != nil {
			continue
		}
		if !earlier {
			return fmt.Errorf("%s exists already and would be replaced by that of %s; choose another name, or remove it", c, filepath.Base(path))
		}
		for _, k := range keep {
			if in, err := os.Stat(k); err == nil && os.SameFile(in, info) {
				return fmt.Errorf("%s belongs to the input and would be replaced; choose another name", c)
			}
		}
	}
	return nil
}

// newTrees names the files of the hierarchies beside a table.
func newTrees(base string, t *table.Table) ([]tree, error) {
	trees := make([]tree, len(t.Dims))
	taken := map[string]bool{}
	for d := range t.Dims {
		dim := &t.Dims[d]
		if dim.Flat() {
			continue
		}
		name := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
				return '_'
			}
			return r
		}, dim.Name)
		for taken[strings.ToLower(name)] {
			name += "_"
		}
		taken[strings.ToLower(name)] = true
		lead, err := leadOf(dim)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		trees[d] = tree{base + "_" + name + ".hrc", lead}
	}
	return trees, nil
}

// writeTrees writes the hierarchies.
func writeTrees(trees []tree, t *table.Table, o WriteOptions) error {
	for d, to := range trees {
		if to.file == "" {
			continue
		}
		err := saveText(to.file, o.Encoding, func(w *text) { printTree(w, &t.Dims[d], to.lead, o.spelling(d)) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *WriteOptions) spelling(d int) map[string]string {
	if d < len(o.Spelling) {
		return o.Spelling[d]
	}
	return nil
}

// leadOf chooses a lead string with which no code begins.
func leadOf(d *table.Dimension) (string, error) {
	for _, lead := range []string{"@", "#", "~", "$", "%", "&", "+", "*", "|"} {
		free := true
		for _, c := range d.Codes {
			free = free && !strings.HasPrefix(c, lead)
		}
		if free {
			return lead, nil
		}
	}
	return "", fmt.Errorf("dimension %s: codes begin with every character that could indent a .hrc file", d.Name)
}

func printTree(w *text, d *table.Dimension, lead string, spelling map[string]string) {
	depth := make([]int, len(d.Codes))
	for i, c := range d.Codes[1:] {
		depth[i+1] = depth[d.Parent[i+1]] + 1
		if spelling[c] != "" {
			c = spelling[c]
		}
		w.print(strings.Repeat(lead, depth[i+1]-1) + c)
	}
}

// save implements tableio.SaveFunc: the table in the format it came in.
func (t *Table) save(path string, in *tableio.Input, pattern []bool) error {
	o := t.WriteOptions()
	o.keep = []string{t.Meta.File}
	for _, v := range t.Vars {
		if v.HierCodelist != "" {
			o.keep = append(o.keep, v.HierCodelist)
		}
	}
	return WriteTable(path, in.Table, pattern, o)
}

// WriteOptions returns what t knows beyond its table.Table, for writing. Widths,
// bounds and reasons, which its format has no place for, come from elsewhere and are left
// out.
func (t *Table) WriteOptions() WriteOptions {
	o := WriteOptions{Response: t.Response.Name, Spelling: t.Spelling, Decimals: t.Response.Decimals, DecimalComma: t.Dialect.DecimalComma, Lossy: true}
	if t.ShadowValue != nil {
		o.Shadow, o.ShadowDecimals = t.ShadowValue, t.ShadowDecimals
	}
	return o
}
