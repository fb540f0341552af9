package ooxml

import (
	"math"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Value is what a cell holds or a formula results in: a number, a text, or nothing.
type Value struct {
	Number float64
	Text   string
	Kind   ValueKind
}

// A ValueKind says which of these a Value is.
type ValueKind byte

// The kinds of values.
const (
	Nothing ValueKind = iota
	IsNumber
	IsText
)

// String returns v as a file stores it: numbers with up to 15 digits.
func (v Value) String() string {
	if v.Kind != IsNumber {
		return v.Text
	}
	return strconv.FormatFloat(v.Number, 'g', 15, 64)
}

var (
	errFormula = i18n.New("it is more than sums, differences, products, quotients, rounding and comparisons")
	errNumber  = i18n.New("it has no number for its result")
)

// Calculate returns the result of a formula, without its =. at gives the values of cells: of a sheet (empty: that
// of the formula), and a row and a column that count from 1. It knows the functions that official tables are made
// with; the error says that the formula has others, or that there is no result, for instance after a division by
// 0. Numbers have 64 bits, as in spreadsheet programs.
func Calculate(formula string, at func(sheet string, row, col int) (Value, error)) (Value, error) {
	c := &calculator{s: formula, at: at}
	v := c.comparison()
	if c.blank(); c.err == nil && c.i < len(c.s) {
		c.err = errFormula
	}
	one := c.single(v)
	if c.err == nil && one.Kind == IsNumber && (math.IsNaN(one.Number) || math.IsInf(one.Number, 0)) {
		c.err = errNumber
	}
	return one, c.err
}

// mostCells bounds the cells in the ranges of one formula.
const mostCells = 1 << 20

// A calculator evaluates a formula from left to right. NaN stands for a value that is no number, which IFERROR
// tests for. A formula that is not understood sets err, after which nothing more is read.
type calculator struct {
	s     string
	i     int
	at    func(sheet string, row, col int) (Value, error)
	err   error
	depth int
	cells int
}

// An operand is a value, or a range of cells.
type operand struct {
	one   Value
	sheet string
	area  Area // set for a range
}

func (c *calculator) fail(err error) operand {
	if c.err == nil {
		c.err = err
	}
	c.i = len(c.s)
	return operand{}
}

func (c *calculator) blank() {
	for c.i < len(c.s) && (c.s[c.i] == ' ' || c.s[c.i] == '\n' || c.s[c.i] == '\r') {
		c.i++
	}
}

// took skips the first of the signs that comes next and returns it, "" if none does.
func (c *calculator) took(signs ...string) string {
	c.blank()
	for _, s := range signs {
		if strings.HasPrefix(c.s[c.i:], s) {
			c.i += len(s)
			return s
		}
	}
	return ""
}

// single returns the value of an operand that is a value or a single cell.
func (c *calculator) single(o operand) Value {
	if o.area == (Area{}) {
		return o.one
	}
	if o.area.Row != o.area.LastRow || o.area.Col != o.area.LastCol {
		c.fail(errFormula)
		return Value{}
	}
	return c.cell(o.sheet, o.area.Row, o.area.Col)
}

func (c *calculator) cell(sheet string, row, col int) Value {
	if c.cells++; c.cells > mostCells {
		c.fail(errFormula)
	}
	if c.err != nil {
		return Value{}
	}
	v, err := c.at(sheet, row, col)
	if err != nil {
		c.fail(err)
	}
	return v
}

// number returns the number of an operand: 0 for nothing, NaN for a text.
func (c *calculator) number(o operand) float64 {
	v := c.single(o)
	if v.Kind == IsText {
		return math.NaN()
	}
	return v.Number
}

func of(x float64) operand { return operand{one: Value{Number: x, Kind: IsNumber}} }

func (c *calculator) comparison() operand {
	x := c.sum()
	for {
		sign := c.took("<=", ">=", "<>", "=", "<", ">")
		if sign == "" {
			return x
		}
		a, b := c.single(x), c.single(c.sum())
		if math.IsNaN(a.Number) || math.IsNaN(b.Number) {
			x = of(math.NaN())
			continue
		}
		if a.Kind == IsText || b.Kind == IsText {
			a.Number, b.Number = float64(strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text))), 0
		}
		holds := map[string]bool{"<=": a.Number <= b.Number, ">=": a.Number >= b.Number, "<>": a.Number != b.Number, "=": a.Number == b.Number, "<": a.Number < b.Number, ">": a.Number > b.Number}[sign]
		x = truth(holds)
	}
}

func truth(b bool) operand {
	if b {
		return of(1)
	}
	return of(0)
}

func (c *calculator) sum() operand {
	x := c.product()
	for {
		switch c.took("+", "-") {
		case "+":
			x = of(c.number(x) + c.number(c.product()))
		case "-":
			x = of(c.near(c.number(x), c.number(c.product())))
		default:
			return x
		}
	}
}

// near returns a − b, or 0 if the two differ in no digit that spreadsheet programs show.
func (c *calculator) near(a, b float64) float64 {
	if d := a - b; math.Abs(d) > 1e-15*math.Abs(a) {
		return d
	}
	return 0
}

func (c *calculator) product() operand {
	x := c.power()
	for {
		switch c.took("*", "/") {
		case "*":
			x = of(c.number(x) * c.number(c.power()))
		case "/":
			a, b := c.number(x), c.number(c.power())
			if b == 0 {
				a = math.NaN()
			}
			x = of(a / b)
		default:
			return x
		}
	}
}

func (c *calculator) power() operand {
	x := c.signed()
	for c.took("^") != "" {
		x = of(math.Pow(c.number(x), c.number(c.signed())))
	}
	return x
}

func (c *calculator) signed() operand {
	if c.depth++; c.depth > 200 {
		return c.fail(errFormula)
	}
	defer func() { c.depth-- }()
	switch c.took("-", "+") {
	case "-":
		return of(-c.number(c.signed()))
	case "+":
		return c.signed()
	}
	x := c.atom()
	for c.took("%") != "" {
		x = of(c.number(x) / 100)
	}
	return x
}

func (c *calculator) atom() operand {
	c.blank()
	if c.i >= len(c.s) {
		return c.fail(errFormula)
	}
	from := c.i
	switch b := c.s[c.i]; {
	case b == '(':
		c.i++
		x := c.comparison()
		if c.took(")") == "" {
			return c.fail(errFormula)
		}
		return x
	case b == '"':
		p := formulaReader{s: c.s, i: c.i}
		text, ok := p.quoted('"')
		if c.i = p.i; !ok {
			return c.fail(errFormula)
		}
		return operand{one: Value{Text: text, Kind: IsText}}
	case '0' <= b && b <= '9' || b == '.':
		for c.i < len(c.s) && ('0' <= c.s[c.i] && c.s[c.i] <= '9' || c.s[c.i] == '.' || (c.s[c.i] == 'E' || c.s[c.i] == 'e') && c.i+1 < len(c.s) && strings.ContainsRune("+-0123456789", rune(c.s[c.i+1])) ||
			(c.s[c.i] == '+' || c.s[c.i] == '-') && (c.s[c.i-1] == 'E' || c.s[c.i-1] == 'e')) {
			c.i++
		}
		v, err := strconv.ParseFloat(c.s[from:c.i], 64)
		if err != nil {
			return c.fail(errFormula)
		}
		return of(v)
	}
	sheet := ""
	p := formulaReader{s: c.s, i: c.i}
	if c.s[c.i] == '\'' {
		quoted, ok := p.quoted('\'')
		if !ok || p.i >= len(c.s) || c.s[p.i] != '!' {
			return c.fail(errFormula)
		}
		sheet, p.i = quoted, p.i+1
	} else if word := p.word(); p.i < len(c.s) && c.s[p.i] == '!' {
		sheet, p.i = word, p.i+1
	} else if p.i < len(c.s) && c.s[p.i] == '(' {
		c.i = p.i + 1
		return c.call(strings.ToUpper(strings.TrimPrefix(word, "_xlfn.")))
	} else {
		p.i = c.i
	}
	first := p.word()
	if strings.HasPrefix(c.s[p.i:], ":") {
		p.i++
		first += ":" + p.word()
	}
	area, ok := ParseArea(strings.ReplaceAll(first, "$", ""))
	if c.i = p.i; !ok || first == "" {
		return c.fail(errFormula)
	}
	return operand{sheet: sheet, area: area}
}

// call returns the result of a function, whose arguments come next.
func (c *calculator) call(name string) operand {
	var args []operand
	for c.took(")") == "" {
		if len(args) > 0 && c.took(",") == "" {
			return c.fail(errFormula)
		}
		if args = append(args, c.comparison()); c.err != nil {
			return operand{}
		}
	}
	if name == "SUBTOTAL" && len(args) > 1 {
		if name = map[float64]string{9: "SUM", 109: "SUM", 1: "AVERAGE", 101: "AVERAGE"}[c.number(args[0])]; name != "" {
			args = args[1:]
		}
	}
	digits := func() float64 {
		if len(args) < 2 {
			return 1
		}
		return math.Pow(10, math.Trunc(c.number(args[1])))
	}
	switch {
	case len(args) == 0:
	case name == "SUM", name == "AVERAGE", name == "COUNT", name == "MIN", name == "MAX", name == "PRODUCT":
		return c.over(name, args)
	case name == "ROUND" && len(args) <= 2:
		return of(c.rounded(c.number(args[0]), digits(), math.Round))
	case name == "ROUNDUP" && len(args) <= 2:
		return of(c.rounded(c.number(args[0]), digits(), func(x float64) float64 { return math.Copysign(math.Ceil(math.Abs(x)), x) }))
	case name == "ROUNDDOWN" && len(args) <= 2, name == "TRUNC" && len(args) <= 2:
		return of(c.rounded(c.number(args[0]), digits(), math.Trunc))
	case name == "INT" && len(args) == 1:
		return of(math.Floor(c.number(args[0])))
	case name == "ABS" && len(args) == 1:
		return of(math.Abs(c.number(args[0])))
	case name == "HYPERLINK" && len(args) <= 2: // shows the name of the link
		return args[len(args)-1]
	case name == "IFERROR" && len(args) == 2:
		if v := c.single(args[0]); v.Kind == IsNumber && math.IsNaN(v.Number) {
			return args[1]
		}
		return args[0]
	case name == "IF" && len(args) == 3:
		switch x := c.number(args[0]); {
		case math.IsNaN(x):
			return of(x)
		case x != 0:
			return args[1]
		}
		return args[2]
	}
	return c.fail(errFormula)
}

// rounded returns x rounded by f in units of 1/scale. What 64 bits make slightly less than a half is rounded as a
// half, as in spreadsheet programs.
func (c *calculator) rounded(x, scale float64, f func(float64) float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x*scale, 'g', 15, 64), 64)
	if err != nil || scale == 0 {
		return math.NaN()
	}
	return f(y) / scale
}

// over returns the result of a function over all numbers of its arguments; texts and empty cells in ranges do not
// count.
func (c *calculator) over(name string, args []operand) operand {
	n, sum, product, least, most := 0, 0.0, 1.0, math.Inf(1), math.Inf(-1)
	take := func(v Value) {
		if v.Kind == IsNumber {
			n, sum, product, least, most = n+1, sum+v.Number, product*v.Number, min(least, v.Number), max(most, v.Number)
		}
	}
	for _, a := range args {
		if a.area == (Area{}) {
			take(Value{Number: c.number(a), Kind: IsNumber})
			continue
		}
		for r := a.area.Row; r <= a.area.LastRow && c.err == nil; r++ {
			for k := a.area.Col; k <= a.area.LastCol && c.err == nil; k++ {
				take(c.cell(a.sheet, r, k))
			}
		}
	}
	switch {
	case name == "SUM":
		return of(sum)
	case name == "COUNT":
		return of(float64(n))
	case n == 0 && name == "AVERAGE":
		return of(math.NaN())
	case n == 0:
		return of(0)
	}
	return of(map[string]float64{"AVERAGE": sum / float64(n), "MIN": least, "MAX": most, "PRODUCT": product}[name])
}
