package cellkey

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A File holds the perturbation tables of a file, nil for those that it lacks.
type File struct {
	Counts    *Table // without a type
	All       *Table // type all: of magnitudes
	Even, Odd *Table // even and odd: of magnitudes by the number of contributors
	Small     *Table // small_cells: of small magnitudes
}

// of returns the field for the table of a type, nil for an unknown type; "" is the table of counts.
func (f *File) of(typ string) **Table {
	switch typ {
	case "":
		return &f.Counts
	case "all":
		return &f.All
	case "even":
		return &f.Even
	case "odd":
		return &f.Odd
	case "small_cells":
		return &f.Small
	}
	return nil
}

// columns of such files, by their names in ptable, τ-ARGUS, SAS and the format of Destatis.
var columns = map[string]string{
	"i": "i", "j": "j", "p": "p", "p_ij": "p", "v": "v", "diff": "v", "type": "type",
	"p_int_ub": "ub", "p_ij_ub": "ub", "ub": "ub", "p_kum_o": "ub", "p_int_lb": "lb", "p_ij_lb": "lb", "lb": "lb", "p_kum_u": "lb",
}

// Read reads the perturbation tables of the file path.
func Read(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, formats.OSError(path, err)
	}
	defer f.Close()
	return readFrom(f, path)
}

// maxLines bounds the number of outcomes in a file.
const maxLines = 1 << 20

// readFrom reads what ptable exports for τ-ARGUS and SAS, and what Destatis publishes: a header, and for each outcome a
// line with the true value i, the published value j, the probability p and the cumulative probability. The cumulative
// ones are used, as in τ-ARGUS and cellKey; probabilities that contradict them by more than 10^−5 are an error. A type
// column makes it a table of magnitudes. Errors are *formats.Error.
func readFrom(r io.Reader, file string) (File, error) {
	lines, err := formats.NewLines(r, file, "")
	if err != nil {
		return File{}, err
	}
	p := &formatReader{file: file, lines: lines, at: map[string]int{}, tables: map[string][]outcome{}}
	head, err := lines.Next()
	if err != nil {
		return File{}, p.fault("", i18n.T("no header, want one like i;j;p;v;p_int_ub"))
	}
	if err := p.header(head); err != nil {
		return File{}, err
	}
	for n := 0; ; n++ {
		text, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err == nil && n >= maxLines {
			err = p.fault("", i18n.T("more than %d outcomes", maxLines))
		}
		if err == nil {
			err = p.line(text)
		}
		if err != nil {
			return File{}, err
		}
	}
	return p.finish()
}

// An outcome is one line of such a file.
type outcome struct {
	line int
	i    int64
	v    float64
	ub   uint64
}

type formatReader struct {
	file   string
	lines  *formats.Lines
	sep    string
	names  []string
	at     map[string]int
	tables map[string][]outcome
}

func (p *formatReader) fault(value string, want i18n.Text) error {
	return &formats.Error{File: p.file, Line: p.lines.Number(), Value: value, Want: want}
}

func (p *formatReader) split(text string) []string {
	f := strings.Split(text, p.sep)
	for k := range f {
		f[k] = strings.Trim(strings.TrimSpace(f[k]), `"`)
	}
	return f
}

func (p *formatReader) header(text string) error {
	p.sep = ";"
	for _, s := range []string{"\t", ","} {
		if strings.Count(text, s) > strings.Count(text, p.sep) {
			p.sep = s
		}
	}
	p.names = p.split(text)
	for k, name := range p.names {
		if c, ok := columns[strings.ToLower(name)]; ok {
			if _, twice := p.at[c]; twice {
				return p.fault(formats.Show(name), i18n.T("the column stands there twice"))
			}
			p.at[c] = k
		}
	}
	for _, c := range []string{"i", "j", "ub"} {
		if _, ok := p.at[c]; !ok {
			return p.fault(formats.Show(text), i18n.T("want columns i, j and p_int_ub (or p_ij_ub, ub), and p, v and type where there are such"))
		}
	}
	return nil
}

func (p *formatReader) line(text string) error {
	f := p.split(text)
	if len(f) != len(p.names) {
		return p.fault(fmt.Sprintf("%d fields", len(f)), i18n.T("want %d", len(p.names)))
	}
	value := func(name string) (float64, error) {
		x, err := strconv.ParseFloat(strings.Replace(f[p.at[name]], ",", ".", 1), 64)
		if err != nil || !(math.Abs(x) <= 1e6) {
			return 0, &formats.Error{File: p.file, Line: p.lines.Number(), Field: p.names[p.at[name]], Value: formats.Show(f[p.at[name]]), Want: i18n.T("want a number")}
		}
		return x, nil
	}
	i, err := value("i")
	if err != nil {
		return err
	}
	j, err := value("j")
	if err != nil {
		return err
	}
	if i != math.Floor(i) || i < 0 || j < 0 {
		return p.fault(formats.Show(text), i18n.T("want a whole i ≥ 0 and a j ≥ 0"))
	}
	x := outcome{line: p.lines.Number(), i: int64(i), v: j - i}
	if _, ok := p.at["v"]; ok {
		v, err := value("v")
		if err != nil {
			return err
		}
		if math.Abs(v-x.v) > 1e-3 {
			return p.fault(f[p.at["v"]], i18n.T("want v = j − i = %g", x.v))
		}
	}
	var ok bool
	if x.ub, ok = fraction(f[p.at["ub"]]); !ok {
		return p.fault(formats.Show(f[p.at["ub"]]), i18n.T("want a sum of chances, from 0 to 1"))
	}
	typ := ""
	if at, ok := p.at["type"]; ok {
		if typ = f[at]; typ == "" || new(File).of(typ) == nil {
			return p.fault(formats.Show(typ), i18n.T("want the type all, even, odd or small_cells"))
		}
	}
	before := uint64(0)
	if all := p.tables[typ]; len(all) > 0 && all[len(all)-1].i == x.i {
		before = all[len(all)-1].ub
	}
	if before > x.ub {
		return p.fault(f[p.at["ub"]], i18n.T("is less than the sum of chances above it"))
	}
	if _, ok := p.at["p"]; ok {
		chance, err := value("p")
		if err != nil {
			return err
		}
		if math.Abs(float64(x.ub-before)/one-chance) > 1e-5 {
			return p.fault(f[p.at["p"]], i18n.T("the sums of chances say %.8g", float64(x.ub-before)/one))
		}
	}
	p.tables[typ] = append(p.tables[typ], x)
	return nil
}

// fraction reads a number from 0 to 1 in units of 10^−18, rounded down.
func fraction(text string) (uint64, bool) {
	text = strings.Replace(text, ",", ".", 1)
	_, exp, _ := strings.Cut(strings.ToLower(text), "e")
	if len(text) > 60 || len(exp) > 4 {
		return 0, false
	}
	x, ok := new(big.Rat).SetString(text)
	if !ok || x.Sign() < 0 || strings.Contains(text, "/") {
		return 0, false
	}
	x.Mul(x, new(big.Rat).SetInt64(one))
	q := new(big.Int).Quo(x.Num(), x.Denom())
	if q.Cmp(big.NewInt(one)) > 0 {
		return one, q.Cmp(big.NewInt(one+one/1_000_000)) <= 0
	}
	return q.Uint64(), true
}

// finish makes tables from the outcomes.
func (p *formatReader) finish() (File, error) {
	var out File
	for typ, all := range p.tables {
		t := &Table{Step: steps(all)}
		if t.Step == 0 || typ == "" && t.Step != 1 {
			return File{}, &formats.Error{File: p.file, Line: all[0].line, Want: i18n.T("want whole numbers, or magnitudes (a column type) in steps of one part of 1")}
		}
		for _, x := range all {
			if n := len(t.Rows); n == 0 || t.Rows[n-1].I != x.i {
				if n > 0 && t.Rows[n-1].I > x.i {
					return File{}, &formats.Error{File: p.file, Line: x.line, Want: i18n.T("want the rows in the order of i")}
				}
				t.Rows = append(t.Rows, Row{I: x.i})
			}
			r := &t.Rows[len(t.Rows)-1]
			v := int64(math.Round(x.v * float64(t.Step)))
			if n := len(r.V); n > 0 && r.V[n-1] >= v {
				return File{}, &formats.Error{File: p.file, Line: x.line, Want: i18n.T("want the rows of an i in the order of j")}
			}
			r.V, r.Upper = append(r.V, v), append(r.Upper, x.ub)
		}
		if t.Rows[0].I > 0 {
			t.Rows = slices.Insert(t.Rows, 0, Row{V: []int64{0}, Upper: []uint64{one}})
		}
		for n := range t.Rows {
			r := &t.Rows[n]
			last := &r.Upper[len(r.Upper)-1]
			if one-*last > one/1_000_000 {
				return File{}, &formats.Error{File: p.file, Want: i18n.T("row i = %d: the chances add up to %.8g, want 1", r.I, float64(*last)/one)}
			}
			*last = one
		}
		if err := t.check(typ == ""); err != nil {
			return File{}, &formats.Error{File: p.file, Want: i18n.T("%s", err)}
		}
		*out.of(typ) = t
	}
	if len(p.tables) == 0 {
		return File{}, &formats.Error{File: p.file, Want: i18n.T("no outcomes")}
	}
	return out, nil
}

// steps returns the least number of parts of 1 of which all noise is a multiple, 0 if there is none.
func steps(all []outcome) int64 {
	for s := int64(1); s <= most; s++ {
		if !slices.ContainsFunc(all, func(x outcome) bool {
			y := float64(x.v * float64(s))
			return math.Abs(y-math.Round(y)) > 1e-3
		}) {
			return s
		}
	}
	return 0
}

// Write writes t as ptable exports it, if layout is tauargus or sas, or in the format of Destatis; typ is empty for
// counts, else all, even, odd or small_cells ([File]).
func (t *Table) Write(w io.Writer, layout, typ string) error {
	b := bufio.NewWriter(w)
	head := "i;j;p;v;p_int_ub"
	switch layout {
	case "sas":
		head = "i;j;p;v;p_int_lb;p_int_ub"
	case "destatis":
		head = "i;j;p_ij;v;p_ij_ub"
	}
	if typ != "" {
		head += ";type"
	}
	fmt.Fprintln(b, head)
	for n := range t.Rows {
		r := &t.Rows[n]
		lower := uint64(0)
		for k, v := range r.V {
			fmt.Fprintf(b, "%d;%s;%s;%s", r.I, part(r.I*t.Step+v, t.Step), chance(r.p(k)), part(v, t.Step))
			if layout == "sas" {
				fmt.Fprintf(b, ";%s", chance(lower))
			}
			lower = r.Upper[k]
			fmt.Fprintf(b, ";%s", chance(lower))
			if typ != "" {
				fmt.Fprintf(b, ";%s", typ)
			}
			fmt.Fprintln(b)
		}
	}
	return b.Flush()
}

// part returns v/step as a decimal, rounded to ptable's four decimals if it has more.
func part(v, step int64) string {
	return strconv.FormatFloat(math.Round(float64(v)/float64(step)*1e4)/1e4, 'f', -1, 64)
}

// chance returns u·10^−18 as a decimal.
func chance(u uint64) string {
	if u == one {
		return "1"
	}
	s := fmt.Sprintf("0.%018d", u)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
