// Package sdmx reads and writes tables as SDMX-CSV 2.0 and SDMX-JSON 2.0, and reads version 1.0 of both.
//
// A line is an observation: dimension columns, OBS_VALUE, and attributes. Of these OBS_STATUS and CONF_STATUS
// (code list CL_CONF_STATUS) tell whether and why a cell is withheld. A file for publication has withheld cells
// masked, value and all; one for a confidential transmission keeps the values beside flags.
//
// Source: SDMX 3.0 technical specifications, SDMX-CSV. docs/formats.md says what is read and written. Faults of
// a file are *formats.Error.
package sdmx

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// SDMX is the name of the format in formats.Options.From.
const SDMX formats.Format = "sdmx"

// total is the code of totals in SDMX code lists.
const total = "_T"

// Recognises reports whether text begins like SDMX-CSV.
func Recognises(head []byte) bool {
	head = bytes.TrimPrefix(head, records.Mark)
	for _, word := range []string{"STRUCTURE", "DATAFLOW"} {
		if rest, ok := bytes.CutPrefix(bytes.TrimPrefix(head, []byte{'"'}), []byte(word)); ok && len(rest) > 0 {
			return strings.IndexByte("\",;\t|[", rest[0]) >= 0
		}
	}
	return false
}

// reader holds a file while it is read, and is its layout afterwards.
type reader struct {
	file     string
	o        *formats.Options
	comma    rune
	bom      bool
	crlf     bool
	header   []string
	name     []string // names of the columns, without labels
	dims     []int    // columns before the values that are dimensions, …
	free     []int    // … and those of them with more than one code
	at       map[string]int
	obs      int    // column OBS_STATUS, −1 if there is none
	conf     int    // column CONF_STATUS, −1 if there is none
	ends     [2]int // columns LOWER and UPPER of the interval published in place of a value; −1 if there are none
	rows     [][]string
	line     []int
	withheld []string
	how      table.Notation
	null     []string
	parents  map[string]map[string]string // for each dimension, the parents of codes, if the file tells them
}

// newReader returns a reader for the file called name.
func newReader(name string, o *formats.Options) *reader {
	s := &reader{file: name, o: o, how: o.Numbers, at: map[string]int{}, obs: -1, conf: -1, ends: [2]int{-1, -1}, withheld: o.Withheld, null: o.Nil}
	if s.withheld == nil {
		s.withheld = append(formats.DefaultWithheld(), "NaN", "#N/A")
	}
	if s.null == nil {
		s.null = formats.DefaultNil()
	}
	return s
}

// ReadFrom reads SDMX-CSV from r; name stands for it in messages. Of the options it uses Total, Totals,
// Hierarchies, Lead, Columns, CostColumn, Dims, Select, Withheld, Nil, Lower and Upper.
func ReadFrom(r io.Reader, name string, o formats.Options) (*formats.Input, error) {
	text, err := formats.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	s := newReader(name, &o)
	if err := s.separator(text); err != nil {
		return nil, err
	}
	if err := s.read(text); err != nil {
		return nil, err
	}
	return s.build(SDMX, s)
}

// build makes the table from the rows.
func (s *reader) build(format formats.Format, layout formats.Layout) (*formats.Input, error) {
	recs := make([]table.Record, len(s.rows))
	for i := range s.rows {
		if err := s.record(i, &recs[i]); err != nil {
			return nil, err
		}
	}
	if line, column, text := s.how.Unsure(); line > 0 {
		return nil, s.fault(line, column, formats.Show(text), records.Advice(text))
	}
	dims, err := s.dimensions(recs)
	if err != nil {
		return nil, err
	}
	counts := s.column("value") == s.column("freq")
	if counts {
		for i := range recs {
			recs[i].Freq = table.Number{}
		}
	}
	if err := formats.CheckFlat(s.file, dims, recs, s.o); err != nil {
		return nil, err
	}
	return formats.BuildForeign(s.file, format, dims, recs, counts, s.o.Rounded, layout)
}

func (s *reader) fault(line int, field, value string, want i18n.Text) error {
	return &formats.Error{File: s.file, Line: line, Field: field, Value: value, Want: want}
}

// separator determines the separator: it follows the first word of the header, which is STRUCTURE, or
// STRUCTURE[;] with the separator of lists within a field in the brackets.
func (s *reader) separator(text *formats.Text) error {
	head, err := text.Peek(4)
	if err != nil && err != io.EOF {
		return err
	}
	if len(head) == 0 {
		return s.fault(0, "", "", i18n.T("the file is empty, want a header line"))
	}
	if bytes.HasPrefix(head, records.Mark) {
		s.bom = true
		if _, err := text.Discard(len(records.Mark)); err != nil {
			return err
		}
	}
	text.Reader = records.Narrow(text.Reader) // SDMX-CSV is always UTF-8, and is written so
	head, err = text.Peek(64)
	if err != nil && err != io.EOF {
		return err
	}
	rest := strings.TrimPrefix(string(head), `"`)
	for _, word := range []string{"STRUCTURE", "DATAFLOW"} {
		r, ok := strings.CutPrefix(rest, word)
		if !ok {
			continue
		}
		if len(r) > 2 && r[0] == '[' && r[2] == ']' {
			r = r[3:]
		}
		r = strings.TrimPrefix(r, `"`)
		if r != "" && strings.IndexByte(",;\t|", r[0]) >= 0 {
			s.comma = rune(r[0])
			return nil
		}
	}
	first, _, _ := strings.Cut(string(head), "\n")
	return s.fault(1, "", formats.Show(strings.TrimRight(first, "\r")), i18n.T("want a header that begins with STRUCTURE (SDMX-CSV 2.0) or DATAFLOW (1.0) and a separator: comma, semicolon, tab or |"))
}

// read reads all lines; of several periods or other slices, those selected.
func (s *reader) read(text *formats.Text) error {
	crlf := &crlfSeen{r: text, file: s.file}
	c := csv.NewReader(crlf)
	c.Comma, c.ReuseRecord = s.comma, false
	next := func() ([]string, int, error) {
		row, err := c.Read()
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			want := i18n.T("%s", bad.Err)
			switch bad.Err {
			case csv.ErrFieldCount:
				want = i18n.T("want %d, as in the header", len(s.header))
				return nil, 0, s.fault(bad.Line, "", fmt.Sprintf("%d fields", len(row)), want)
			case csv.ErrQuote:
				want = i18n.T(`text after a closing quote; want the separator, or two quotes for one inside`)
			case csv.ErrBareQuote:
				want = i18n.T(`a quote within a field that does not begin with one`)
			}
			return nil, 0, s.fault(bad.Line, "", "", want)
		}
		if err != nil {
			return nil, 0, err
		}
		line, _ := c.FieldPos(0)
		for n, f := range row {
			if !utf8.ValidString(f) {
				return nil, 0, s.fault(line, "", fmt.Sprintf("field %d", n+1), i18n.T("not UTF-8, which SDMX-CSV is"))
			}
		}
		return row, line, nil
	}
	var err error
	if s.header, _, err = next(); err != nil {
		return err
	}
	if err := s.layout(); err != nil {
		return err
	}
	pick, err := s.picks()
	if err != nil {
		return err
	}
	id := ""
	for {
		row, line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		for n := range row {
			row[n] = strings.TrimSpace(row[n])
		}
		if err := s.checkRow(row, line, &id); err != nil {
			return err
		}
		other := false
		for _, n := range s.dims {
			code := s.code(n, row[n])
			if code == "" {
				return s.fault(line, s.name[n], `""`, i18n.T("empty, want a code"))
			}
			other = other || pick[n] != "" && pick[n] != code
		}
		if other {
			continue
		}
		if want := text.Room(len(s.rows) + 1); !want.IsZero() {
			return s.fault(line, "", "", want)
		}
		s.rows, s.line = append(s.rows, row), append(s.line, line)
	}
	s.crlf = crlf.seen
	if len(s.rows) == 0 {
		if len(s.o.Select) > 0 {
			return s.fault(0, "", "", i18n.T("no line has the codes that --select names"))
		}
		return s.fault(0, "", "", i18n.T("a header but no cells"))
	}
	return nil
}

// picks returns for each column the code that --select gives.
func (s *reader) picks() ([]string, error) {
	pick := make([]string, len(s.name))
	for name, code := range s.o.Select {
		n := slices.Index(s.name, name)
		if n < 0 || !slices.Contains(s.dims, n) {
			names := sets.Each(s.dims, func(d int) string { return s.name[d] })
			return nil, s.fault(1, "", formats.Show(name), i18n.T("--select names no dimension of the file; they are %s", formats.ShowList(names)))
		}
		pick[n] = code
	}
	return pick, nil
}

// maxRecord is the largest number of bytes of a line, including line ends within its fields.
const maxRecord = 1 << 20

// crlfSeen notes whether the first line ends in CR LF, and stops at a line that is too long.
type crlfSeen struct {
	r          io.Reader
	file       string
	seen, done bool
	line, size int // the number of lines before the current record, and the bytes of that
	quoted     bool
}

func (c *crlfSeen) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if i := bytes.IndexByte(p[:n], '\n'); i >= 0 && !c.done {
		c.seen, c.done = i > 0 && p[i-1] == '\r', true
	}
	for _, b := range p[:n] {
		c.size++
		switch {
		case b == '"':
			c.quoted = !c.quoted
		case b == '\n' && !c.quoted:
			c.line++
			c.size = 0
		}
		if c.size > maxRecord {
			return 0, &formats.Error{File: c.file, Line: c.line + 1, Want: i18n.T("a record longer than %d bytes, or a quote \" that is not closed", maxRecord)}
		}
	}
	return n, err
}

// checkRow checks the columns that say what a line is for.
func (s *reader) checkRow(row []string, line int, id *string) error {
	if n := slices.Index(s.name, "ACTION"); n >= 0 {
		switch strings.ToUpper(row[n]) {
		case "", "I", "A", "R", "M":
		default:
			return s.fault(line, "ACTION", formats.Show(row[n]), i18n.T("want I, A, R or M; a table has no lines that delete or only talk of others"))
		}
	}
	n := max(slices.Index(s.name, "STRUCTURE_ID"), 0)
	this := s.code(n, row[n])
	if *id == "" {
		*id = this
	} else if this != *id {
		return s.fault(line, s.name[n], formats.Show(this), i18n.T("another structure than %s before; want one table a file", formats.Show(*id)))
	}
	return nil
}

// code removes the label from "CODE: Label" if the header says that there are labels.
func (s *reader) code(n int, text string) string {
	if s.header[n] != s.name[n] {
		text, _, _ = strings.Cut(text, ": ")
	}
	return text
}

func (s *reader) column(field string) int {
	if c, ok := s.at[field]; ok {
		return c
	}
	return -1
}

// layout determines what the columns are.
func (s *reader) layout() error {
	s.name = make([]string, len(s.header))
	seen := make(map[string]int, len(s.header))
	for n, h := range s.header {
		s.header[n] = strings.TrimSpace(h)
		s.name[n], _, _ = strings.Cut(s.header[n], ": ")
		if n == 0 { // the brackets contain the separator of lists within a field
			s.name[n], _, _ = strings.Cut(s.name[n], "[")
		}
		if s.name[n] == "" {
			return s.fault(1, "", "", i18n.T("column %d has no name", n+1))
		}
		if first, dup := seen[s.name[n]]; dup {
			return s.fault(1, "", formats.Show(s.name[n]), i18n.T("column name given twice, as columns %d and %d", first+1, n+1))
		}
		seen[s.name[n]] = n
	}
	find := func(what i18n.Text, name string) (int, error) {
		n := slices.Index(s.name, name)
		if n < 0 {
			return 0, s.fault(1, "", formats.Show(name), i18n.T("no such column for %s%s; the columns are %s", what, near.Hint(name, s.name, ""), formats.ShowList(s.name)))
		}
		return n, nil
	}
	fields := maps.Clone(s.o.Columns)
	if fields == nil {
		fields = map[string]string{}
	}
	if s.o.CostColumn != "" {
		fields["cost"] = s.o.CostColumn
	}
	fields["value"] = cmp.Or(fields["value"], "OBS_VALUE")
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		switch f {
		case "value", "freq", "cost", "lpl", "upl", "spl":
		default:
			return s.fault(0, "", "--column "+f, i18n.T("SDMX-CSV has value, freq, cost, lpl, upl and spl at most; statuses are those of CONF_STATUS and OBS_STATUS"))
		}
		n, err := find(i18n.T("the %s", f), fields[f])
		if err != nil {
			return err
		}
		s.at[f] = n
	}
	for k, name := range endColumns {
		if n := slices.Index(s.name, name); n > s.at["value"] && !slices.Contains(s.o.Dims, name) {
			s.ends[k] = n
		}
	}
	s.conf, s.obs = slices.Index(s.name, "CONF_STATUS"), slices.Index(s.name, "OBS_STATUS")
	if len(s.o.Dims) > 0 {
		for _, d := range s.o.Dims {
			n, err := find(i18n.T("a dimension"), d)
			if err != nil {
				return err
			}
			s.dims = append(s.dims, n)
		}
		return nil
	}
	lead := []string{"STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION", "DATAFLOW", "SERIES_KEY", "OBS_KEY"}
	taken := slices.Collect(maps.Values(s.at))
	for n := range s.at["value"] {
		if !slices.Contains(lead, s.name[n]) && !slices.Contains(taken, n) && n != s.conf && n != s.obs {
			s.dims = append(s.dims, n)
		}
	}
	if len(s.dims) == 0 {
		return s.fault(1, "", "", i18n.T("no dimension before %s; say --dims; the columns are %s", s.name[s.at["value"]], formats.ShowList(s.name)))
	}
	return nil
}

// number reads a number from a field other than the value.
func (s *reader) number(i int, field string, to *table.Number, want i18n.Text, whole bool) error {
	c := s.column(field)
	if c < 0 || s.rows[i][c] == "" {
		return nil
	}
	if field == "freq" && c == s.at["value"] && slices.Contains(s.withheld, s.rows[i][c]) {
		return nil
	}
	v, err := s.decimal(i, c)
	if err != nil {
		return err
	}
	if v.Unscaled < 0 || whole && v.Scale > 0 {
		return s.fault(s.line[i], s.name[c], formats.Show(s.rows[i][c]), want)
	}
	*to = table.Number{Decimal: v, Set: true}
	return nil
}

func (s *reader) decimal(i, c int) (table.Decimal, error) {
	text := s.rows[i][c]
	v, err := s.how.Parse(text, s.line[i], s.name[c])
	if err == nil && s.comma == ',' && s.how.Thousands != "," && strings.Contains(text, ",") {
		err = i18n.New("want a decimal point; commas separate the columns of this file")
	}
	if err != nil {
		return v, s.fault(s.line[i], s.name[c], formats.Show(text), i18n.T("%s", err))
	}
	return v, nil
}

// record reads one line.
func (s *reader) record(i int, rec *table.Record) error {
	row, line := s.rows[i], s.line[i]
	rec.Line = line
	conf, obs := "", ""
	ok := true
	if s.conf >= 0 {
		conf = s.code(s.conf, row[s.conf])
		if rec.Status, ok = formats.ConfStatus(conf); !ok {
			return s.fault(line, "CONF_STATUS", formats.Show(conf), formats.ConfWant())
		}
		rec.Reason = formats.ConfReason(conf)
	}
	if s.obs >= 0 {
		obs = strings.ToUpper(s.code(s.obs, row[s.obs]))
	}
	value := s.at["value"]
	text := row[value]
	missing := slices.Contains(s.withheld, text)
	switch obs {
	case "H", "L", "O": // missing; a confidential cell then is withheld like any other
		if !missing || rec.Status == table.Safe {
			return s.fault(line, "OBS_STATUS", obs, i18n.T("a missing observation; a table needs every value but those of confidential cells"))
		}
	case "M":
		if missing && rec.Status == table.Safe {
			rec.Value, rec.Status = table.Num(0, 0), table.Published
		}
	case "Q":
		if rec.Status == table.Safe {
			rec.Status = table.Withheld
		}
	default:
		if _, ok := formats.ObsStatus(obs); !ok {
			return s.fault(line, "OBS_STATUS", formats.Show(obs), formats.ObsWant())
		}
	}
	switch {
	case rec.Value.Set || missing:
	case slices.Contains(s.null, text):
		rec.Value = table.Num(0, 0)
		if rec.Status == table.Safe {
			rec.Status = table.Published
		}
	default:
		v, err := s.decimal(i, value)
		if err != nil {
			return err
		}
		rec.Value = table.Number{Decimal: v, Set: true}
	}
	for _, f := range []struct {
		name  string
		to    *table.Number
		want  i18n.Text
		whole bool
	}{
		{"freq", &rec.Freq, i18n.T("frequencies must be whole numbers ≥ 0"), true}, {"cost", &rec.Cost, i18n.T("costs must be ≥ 0"), false},
		{"lpl", &rec.LPL, i18n.T("protection levels must be ≥ 0"), false}, {"upl", &rec.UPL, i18n.T("protection levels must be ≥ 0"), false},
		{"spl", &rec.Width, i18n.T("protection levels must be ≥ 0"), false},
	} {
		if err := s.number(i, f.name, f.to, f.want, f.whole); err != nil {
			return err
		}
	}
	formats.Bound(rec, s.o.Lower, s.o.Upper)
	if missing {
		return s.interval(i, rec)
	}
	return nil
}

// dimensions makes the trees of the columns with several codes. Columns with one code say what the table is
// about, and are kept for writing.
func (s *reader) dimensions(recs []table.Record) ([]table.Dimension, error) {
	o := *s.o
	o.Totals = maps.Clone(o.Totals)
	if o.Totals == nil {
		o.Totals = map[string]string{}
	}
	o.Hierarchies = maps.Clone(o.Hierarchies)
	tree := map[string][]table.Edge{}
	var used []formats.Used
	for _, n := range s.dims {
		u := formats.Used{Name: s.name[n]}
		seen := map[string]bool{}
		for i, row := range s.rows {
			code := s.code(n, row[n])
			if !seen[code] {
				seen[code] = true
				u.Codes, u.Lines = append(u.Codes, code), append(u.Lines, s.line[i])
			}
		}
		last := n == s.dims[len(s.dims)-1]
		if len(u.Codes) == 1 && (!last || len(used) > 0) {
			delete(o.Totals, u.Name)
			delete(o.Hierarchies, u.Name)
			continue
		}
		if (u.Name == "TIME_PERIOD" || u.Name == "FREQ") && len(u.Codes) > 1 && o.Totals[u.Name] == "" && o.Hierarchies[u.Name] == "" {
			return nil, s.fault(u.Lines[1], u.Name, formats.Show(u.Codes[1]), i18n.T("one of %d periods, which do not add up to a table; choose one with --select %s=CODE", len(u.Codes), u.Name))
		}
		tree[u.Name] = s.tree(&u, &o)
		switch {
		case o.Totals[u.Name] != "" || o.Hierarchies[u.Name] != "":
		case len(u.Codes) == 1:
			o.Totals[u.Name] = u.Codes[0]
		case o.Total == "" && seen[total]:
			o.Totals[u.Name] = total
		}
		s.free = append(s.free, n)
		used = append(used, u)
	}
	if len(used) > 6 {
		names := sets.Each(used, func(u formats.Used) string { return u.Name })
		return nil, s.fault(1, "", strconv.Itoa(len(used))+" dimensions", i18n.T("want 1 to 6; fix some with --select, or name them with --dims; they are %s", formats.ShowList(names)))
	}
	codes := make([]string, len(recs)*len(s.free))
	for i, row := range s.rows {
		recs[i].Codes = codes[i*len(s.free) : (i+1)*len(s.free)]
		for d, n := range s.free {
			recs[i].Codes[d] = s.code(n, row[n])
		}
	}
	dims, err := formats.Dimensions(s.file, used, &o)
	if err != nil {
		return nil, err
	}
	for d, u := range used {
		if tree[u.Name] != nil {
			if dims[d], err = table.NewDimension(u.Name, o.Totals[u.Name], tree[u.Name]); err != nil {
				return nil, s.fault(0, u.Name, "", i18n.T("%s", err))
			}
		}
	}
	return dims, nil
}

// tree returns the tree of a dimension that the file itself gives, and makes its root the total. It returns nil
// if the file gives none, if the options do, or if the parents of some codes are not in the table.
func (s *reader) tree(u *formats.Used, o *formats.Options) []table.Edge {
	parents := s.parents[u.Name]
	if parents == nil || o.Totals[u.Name] != "" || o.Hierarchies[u.Name] != "" || o.Total != "" || slices.Contains(o.Flat, u.Name) {
		return nil
	}
	root := ""
	var edges []table.Edge
	for _, code := range u.Codes {
		up := parents[code]
		switch {
		case up == "" && root != "", up != "" && !slices.Contains(u.Codes, up):
			return nil
		case up == "":
			root = code
		default:
			edges = append(edges, table.Edge{Code: code, Parent: up})
		}
	}
	if root == "" || len(edges) == 0 {
		return nil
	}
	if _, err := table.NewDimension(u.Name, root, edges); err != nil {
		return nil // the parents form a circle
	}
	o.Totals[u.Name] = root
	return edges
}
