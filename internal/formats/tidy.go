package formats

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// fieldOf returns the field that a column name stands for, "" for none.
func fieldOf(name string) string {
	switch name = strings.ToLower(name); name {
	case "value", "freq", "cost", "status", "reason", "lpl", "upl", "spl", "lower", "upper", "absolute", "waived", "unwaived":
		return name
	case "obs_value":
		return "value"
	case "conf_status", "obs_status":
		return "status"
	}
	for _, field := range []string{"max", "who"} {
		if n, ok := strings.CutPrefix(name, field); ok {
			if r, err := strconv.Atoi(n); err == nil && r >= 1 && r <= 99 && strconv.Itoa(r) == n {
				return name
			}
		}
	}
	return ""
}

// layout says what the columns of a tidy file hold.
type layout struct {
	header []field
	dims   []int
	at     map[string]int // field → column
	max    []int          // columns max1, max2, …
	status *statusKind
	counts bool            // the values are frequencies
	layers []int           // columns of the responses, if the options name them
	office []int           // columns of fields that belong to one response
	own    map[string]bool // fields for which the response that is read has its own column
	common map[string]int  // for fields with both kinds of columns, the one for all responses
	by     int             // column that tells by which response a cell is sensitive, −1 if there is none
}

// fieldColumn returns the column of a field, −1 if there is none.
func (y *layout) fieldColumn(name string) int {
	if c, ok := y.at[name]; ok {
		return c
	}
	return -1
}

// columnIn returns the column that holds a field on this line: the response's own or, if that is blank, the one
// for all responses; −1 if there is none.
func (y *layout) columnIn(row []field, name string) int {
	c := y.fieldColumn(name)
	if all, ok := y.common[name]; ok && row[c].text == "" {
		return all
	}
	return c
}

// Fold returns the same text for all texts that strings.EqualFold takes for equal.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, s)
}

// newLayout assigns the columns: first those that the options name, then those named like a field. All others
// are dimensions; unless the options name the dimensions, those must come before the first field.
func newLayout(s *rows, o *Options) (*layout, error) {
	y := &layout{header: s.header, at: map[string]int{}, by: -1, own: map[string]bool{}, common: map[string]int{}}
	names, err := columnNames(s)
	if err != nil {
		return nil, err
	}
	find := func(name string) (int, error) {
		c := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) })
		if c < 0 {
			return 0, s.fault(0, Show(name), i18n.T("no such column%s; the columns are %s", near.Hint(name, names, ""), ShowList(names)))
		}
		return c, nil
	}
	taken := make([]bool, len(names))
	assign := func(f string, c int) {
		y.at[f] = c
		taken[c] = true
	}
	for _, f := range slices.Sorted(maps.Keys(o.Columns)) {
		c, err := find(o.Columns[f])
		if err != nil {
			return nil, err
		}
		assign(f, c)
	}
	if o.CostColumn != "" {
		c, err := find(o.CostColumn)
		if err != nil {
			return nil, err
		}
		y.at["cost"] = c
		// A column that gives the costs may be used for the field in its name as well.
		taken[c] = taken[c] || fieldOf(names[c]) == "" || fieldOf(names[c]) == "cost"
	}
	other := make([]bool, len(names)) // named like a field for which another column is used
	if err := y.respond(names, other, find, assign, o); err != nil {
		return nil, err
	}
	y.nameFields(names, taken, other, assign, o)
	if len(o.Dims) > 0 {
		for _, n := range o.Dims {
			c, err := find(n)
			if err != nil {
				return nil, err
			}
			if taken[c] || slices.Contains(y.dims, c) {
				return nil, s.fault(s.header[c].col, Show(n), i18n.T("named twice as a dimension or as a dimension and a field"))
			}
			y.dims = append(y.dims, c)
		}
	} else {
		field := ""
		for c, n := range names {
			switch {
			case taken[c] || other[c]:
				field = n
			case field != "":
				return nil, s.fault(s.header[c].col, Show(n), i18n.T("not a field, and behind the field %s not a dimension either; say --column FIELD=%s, or name the dimensions with --dims to leave it unread", Show(field), Show(n)))
			default:
				y.dims = append(y.dims, c)
			}
		}
	}
	if err := y.check(s, names); err != nil {
		return nil, err
	}
	return y, nil
}

// columnNames returns the texts of the header, which must all be different.
func columnNames(s *rows) ([]string, error) {
	names := make([]string, len(s.header))
	seen := make(map[string]bool, len(s.header))
	for c, f := range s.header {
		names[c] = f.text
		if f.text == "" {
			return nil, s.fault(f.col, "", i18n.T("column %s has no name", strconv.Itoa(c+1)))
		}
		key := Fold(f.text)
		if seen[key] {
			return nil, s.fault(f.col, Show(f.text), i18n.T("column name given twice"))
		}
		seen[key] = true
	}
	return names, nil
}

// nameFields assigns the columns named like a field, first those with exactly its name. other marks the columns
// whose field is in another column.
func (y *layout) nameFields(names []string, taken, other []bool, assign func(f string, c int), o *Options) {
	exact := func(c int) bool { return strings.EqualFold(names[c], fieldOf(names[c])) }
	for _, pass := range []bool{true, false} {
		for c, n := range names {
			f := fieldOf(n)
			if f == "" || taken[c] || exact(c) != pass || slices.ContainsFunc(o.Dims, func(d string) bool { return strings.EqualFold(d, n) }) {
				continue
			}
			// Of the two SDMX attributes the one about confidentiality is preferred.
			better := func(was int) bool {
				return !pass && strings.EqualFold(n, "conf_status") && strings.EqualFold(names[was], "obs_status")
			}
			first, dup := y.at[f]
			if y.own[f] {
				other[c] = true
				if f == "cost" { // costs of the responses are added up, and this one counts once
					y.office = append(y.office, c)
				} else if was, ok := y.common[f]; !ok || better(was) {
					y.common[f] = c
					y.office = append(y.office, c)
				}
				continue
			}
			if !dup || better(first) {
				assign(f, c)
			}
			other[c] = dup
		}
	}
}

// check completes a layout and reports its errors.
func (y *layout) check(s *rows, names []string) error {
	freq := y.fieldColumn("freq")
	switch value := y.fieldColumn("value"); {
	case value < 0 && freq < 0:
		return s.fault(0, "", i18n.T("no column value or freq; say --column value=NAME; the columns are %s", ShowList(names)))
	case value < 0 || value == freq:
		y.at["value"] = freq
		delete(y.at, "freq")
		y.counts = true
	}
	dims := sets.Pick(names, y.dims)
	switch {
	case len(dims) == 0:
		return s.fault(0, "", i18n.T("no column is a dimension, want 1 to 6; the columns are %s", ShowList(names)))
	case len(dims) > 6:
		return s.fault(0, strconv.Itoa(len(dims))+" dimensions", i18n.T("want 1 to 6; taken as dimensions: %s", ShowList(dims)))
	}
	for r := 1; ; r++ {
		c := y.fieldColumn("max" + strconv.Itoa(r))
		if c < 0 {
			break
		}
		y.max = append(y.max, c)
	}
	for f, c := range y.at {
		if r, ok := strings.CutPrefix(f, "max"); ok {
			if n, _ := strconv.Atoi(r); n > len(y.max) {
				return s.fault(s.header[c].col, f, i18n.T("the largest contributions must be numbered from max1 without gaps"))
			}
		}
	}
	if c := y.fieldColumn("status"); c >= 0 {
		if y.status = kindOf(names[c]); y.status == nil {
			y.status = statusKinds[0]
		}
	}
	return nil
}

// readTidy reads a file with one line for each cell.
func readTidy(in *Input, s *rows, o *Options) error {
	y, err := newLayout(s, o)
	if err != nil {
		return err
	}
	src := &tidySource{layout: y, rows: rows{sep: s.sep, header: s.header}, head: s.text}
	in.source = src
	dims := y.dimNames()
	codes, err := newCodes(in.File, dims, o)
	if err != nil {
		return err
	}
	n := newNumbers(s, o)
	cells := gathered{codes: codes}
	spelt := make([]string, len(y.dims))
	for row, err := range s.all(&cells.n, 1) {
		if err != nil {
			return err
		}
		rec := table.Record{Line: s.line, Codes: spelt}
		if err := y.codes(rec.Codes, codes, row, s); err != nil {
			return err
		}
		if err := y.cell(&rec, row, n, o); err != nil {
			return err
		}
		in.HasCosts = in.HasCosts || rec.Cost.Set
		cells.add(&rec)
		src.text = append(src.text, s.text)
	}
	tree, err := dimensions(in.File, cells.n, n, codes)
	if err != nil {
		return err
	}
	in.columns(y)
	if len(o.Dims) == 0 {
		pairs := func(d, e int) bool { return oneToOne(cells.n, cells.at, d, e) }
		unique := func(d int) bool { return uniqueWithout(cells.n, cells.at, d) }
		if err := suspect(in.File, codes, cells.n, pairs, unique, n.withheld); err != nil {
			return err
		}
	}
	err = in.build(tree, cells.n, cells.at, y.counts, o.Rounded)
	if err == nil {
		err = checkFlat(in.File, tree, cells.n, cells.at, o)
	}
	var e *Error
	if errors.As(err, &e) && len(o.Dims) == 0 {
		for d, c := range codes {
			if numeric(c.list) {
				e.Want = i18n.T("%s; if %s is not a dimension, name those that are with --dims", e.Want, Show(dims[d]))
				break
			}
		}
	}
	return err
}

// columns sets the fields of in that say which columns the file has.
func (in *Input) columns(y *layout) {
	in.HasStatus = y.status != nil
	in.OwnCosts, in.Told = y.own["cost"], y.by >= 0
	in.HasLevels = y.fieldColumn("lpl") >= 0 || y.fieldColumn("upl") >= 0 || y.fieldColumn("spl") >= 0
	in.HasBounds = y.fieldColumn("lower") >= 0 || y.fieldColumn("upper") >= 0
}

// dimNames returns the headers of the dimensions.
func (y *layout) dimNames() []string {
	return sets.Each(y.dims, func(c int) string { return y.header[c].text })
}

// numeric reports whether there are many codes and all but the total are numbers, as in a column of amounts
// that was mistaken for a dimension.
func numeric(codes []string) bool {
	n := 0
	for _, c := range codes {
		if _, err := table.ParseDecimal(c); err == nil {
			n++
		}
	}
	return n >= 10 && n >= len(codes)-1
}

// codes reads the codes of one line.
func (y *layout) codes(to []string, codes []*codes, row []field, s *rows) error {
	for d, c := range y.dims {
		if row[c].text == "" {
			return s.at(y.header[c].text, "", i18n.T("empty, want a code; the total code of this dimension is %s", Show(codes[d].total)))
		}
		to[d] = codes[d].add(row[c].text, s.line)
	}
	return nil
}

// cell reads the fields of one line.
func (y *layout) cell(rec *table.Record, row []field, n *numbers, o *Options) (err error) {
	name := func(c int) string { return y.header[c].text }
	read := func(to *table.Number, f string, parse func(column, text string) (table.Number, error)) {
		if c := y.columnIn(row, f); c >= 0 && err == nil {
			*to, err = parse(name(c), row[c].text)
		}
	}
	kind, status := y.status, ""
	if kind != nil {
		c := y.columnIn(row, "status")
		if c != y.at["status"] {
			kind = kindOf(name(c))
		}
		status = row[c].text
		var ok bool
		if rec.Status, ok = kind.parse(status); !ok {
			return n.s.at(name(c), status, kind.want)
		}
	}
	if rec.Status == table.Sensitive && y.by >= 0 && !listed(row[y.by].text, o.Response) {
		rec.Status = table.Withheld
	}
	if c := y.columnIn(row, "reason"); c >= 0 {
		var ok bool
		if rec.Reason, ok = table.ParseReason(row[c].text); !ok {
			return n.s.at(name(c), row[c].text, i18n.T("want dominance, p-percent, measure, request, frequency, zero, manual or nothing"))
		}
	}
	if c := y.at["value"]; row[c].text == "" && strings.EqualFold(status, "e") && kind == statusKinds[0] {
		rec.Value = table.Num(0, 0) // τ-ARGUS writes nothing for an empty cell
	} else if y.counts {
		err = n.cell(rec, name(c), row[c].text, func(column, text string) (table.Number, error) { return n.count(column, text, i18n.Text{}) })
	} else {
		err = n.cell(rec, name(c), row[c].text, n.parse)
	}
	read(&rec.Freq, "freq", func(column, text string) (table.Number, error) {
		if text == "" {
			return table.Number{}, nil
		}
		return n.count(column, text, i18n.Text{})
	})
	read(&rec.Cost, "cost", func(column, text string) (table.Number, error) {
		return n.positive(column, text, i18n.T("costs must be ≥ 0"))
	})
	level := func(column, text string) (table.Number, error) {
		return n.positive(column, text, i18n.T("protection levels must be ≥ 0"))
	}
	read(&rec.LPL, "lpl", level)
	read(&rec.UPL, "upl", level)
	read(&rec.Width, "spl", level)
	read(&rec.Lower, "lower", n.bound)
	read(&rec.Upper, "upper", n.bound)
	if err != nil {
		return err
	}
	o.defaultBounds(rec)
	if err := y.contributions(rec, row, n); err != nil {
		return err
	}
	return y.contributors(rec, row, n)
}

// contributors reads who1, who2, …, which belong to max1, max2, …, and absolute, waived and unwaived.
func (y *layout) contributors(rec *table.Record, row []field, n *numbers) (err error) {
	var told table.Told
	for r := range y.max {
		if c := y.fieldColumn("who" + strconv.Itoa(r+1)); c >= 0 {
			if told.Who == nil {
				told.Who = make([]string, len(y.max))
			}
			told.Who[r] = row[c].text
		}
	}
	for _, f := range []struct {
		name string
		to   *table.Number
	}{{"absolute", &told.Absolute}, {"waived", &told.Waived}, {"unwaived", &told.Target}} {
		if c := y.columnIn(row, f.name); c >= 0 && err == nil {
			if column, text := y.header[c].text, row[c].text; f.name == "waived" && text != "" {
				*f.to, err = n.count(column, text, i18n.Text{})
			} else {
				*f.to, err = n.positive(column, text, i18n.T("want a number ≥ 0"))
			}
		}
	}
	if told.Who != nil || told.Absolute.Set || told.Waived.Set || told.Target.Set {
		kept := told
		rec.Told = &kept
	}
	return err
}

// defaultBounds gives a record without bounds those of the options.
func (o *Options) defaultBounds(rec *table.Record) {
	if o.Lower != nil && !rec.Lower.Set {
		rec.Lower = table.Number{Decimal: *o.Lower, Set: true}
	}
	if o.Upper != nil && !rec.Upper.Set {
		rec.Upper = table.Number{Decimal: *o.Upper, Set: true}
	}
}

// contributions reads max1 ≥ max2 ≥ … in absolute value; the last ones may be missing.
func (y *layout) contributions(rec *table.Record, row []field, n *numbers) error {
	for r, c := range y.max {
		column, text := y.header[c].text, row[c].text
		v, err := n.optional(column, text)
		if err != nil {
			return err
		}
		if r > 0 && v.Set {
			if rec.Max == nil || !rec.Max[r-1].Set {
				return n.s.at(column, text, i18n.T("a contribution behind a missing larger one"))
			}
			if before := rec.Max[r-1].Decimal; absLess(before, v.Decimal) {
				return n.s.at(column, text, i18n.T("larger than the contribution %s before it", before.String()))
			}
		}
		if rec.Max == nil && v.Set {
			rec.Max = make([]table.Number, len(y.max))
		}
		if rec.Max != nil {
			rec.Max[r] = v
		}
	}
	return nil
}

// absLess reports whether |a| < |b|.
func absLess(a, b table.Decimal) bool {
	x, y := max(a.Unscaled, -a.Unscaled), max(b.Unscaled, -b.Unscaled)
	scale := max(a.Scale, b.Scale)
	u, okA := table.Decimal{Unscaled: x, Scale: a.Scale}.At(scale)
	v, okB := table.Decimal{Unscaled: y, Scale: b.Scale}.At(scale)
	if okA && okB {
		return u < v
	}
	return okA // a number that does not fit the common scale is the larger one
}

// tidySource keeps the lines of a tidy file.
type tidySource struct {
	*layout
	rows rows // splits the lines again when they are written
	head string
	text []string

	stream *stream // if set, the file is read again, and head and text are empty

	beside map[int]companion // the columns whose texts go with codes of dimensions, for writing
}

// lines returns the number of lines with cells.
func (src *tidySource) lines() int {
	if src.stream != nil {
		return src.stream.lines
	}
	return len(src.text)
}

// each calls do with the fields of every line of a cell, in order, until do returns false. The fields are valid
// until it returns.
func (src *tidySource) each(do func(i int, row []field) (more bool)) error {
	if src.stream != nil {
		return src.stream.each(do)
	}
	var row []field
	var err error
	for i, line := range src.text {
		if row, err = src.rows.again(row[:0], line); err != nil {
			return err
		}
		if !do(i, row) {
			break
		}
	}
	return nil
}

// column implements source.
func (src *tidySource) column(_ int, field string) string {
	if c := src.fieldColumn(field); c >= 0 {
		return src.header[c].text
	}
	return field
}
