package desk

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/option"
)

// Limits on the cost of a question: the answers that are tried, and the size of the files that are read for each.
const (
	maxTried   = 12
	maxTrySize = 8 << 20
)

// remedies returns answers to the question with which a reader refuses a table: only those with which it reads the
// table, or asks something else.
func (d *desk) remedies(a openCall) (any, error) {
	all := []document.Remedy{}
	t, err := d.tableOf(a.Files, a.Flags)
	if err != nil {
		return nil, err
	}
	_, failed := t.read(a.Policy)
	if failed == nil {
		return all, nil
	}
	size := int64(0)
	for _, path := range t.paths {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	for _, x := range d.answers(a, failed) {
		given := cloned(a.Flags)
		if slices.Contains(given[x.Flag], x.Value) {
			continue // it was given, and did not help
		}
		given[x.Flag] = append(given[x.Flag], x.Value)
		if _, err := newReader(d.resolve(given)); err != nil {
			continue
		}
		if size <= maxTrySize {
			t, err := d.tableOf(a.Files, given)
			if err != nil {
				continue
			}
			switch _, err := t.read(a.Policy); {
			case err == nil:
				x.Reads = true
			case err.Error() == failed.Error():
				continue
			}
		}
		if all = append(all, x); len(all) == maxTried {
			break
		}
	}
	slices.SortStableFunc(all, func(x, y document.Remedy) int {
		switch {
		case x.Reads == y.Reads:
			return 0
		case x.Reads:
			return -1
		}
		return 1
	})
	return all, nil
}

// named matches a flag in a message and its value, perhaps after a name and an equals sign: data of the user, for which
// a letter of private use stands, or words of the program.
var named = lazy.Regexp(`--([a-z]+(?:-[a-z]+)*)(?:[ =]("(?:[^"\\]|\\.)*"|[^\s,;()]+))?`)

// private is the first letter that stands for data.
const private = '\U000F0000'

// answers returns flags that may answer a question, most likely first.
func (d *desk) answers(a openCall, failed error) (all []document.Remedy) {
	add := func(flag, value string) {
		if x := (document.Remedy{Flag: flag, Value: value}); value != "" && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	reading := readingOptions()
	said := func(text string, data []string) {
		for _, m := range named().FindAllStringSubmatch(text, -1) {
			flag, value := m[1], strings.TrimRight(m[2], ".:")
			o := reading[flag]
			if o == nil {
				continue
			}
			if own := strings.IndexFunc(value, func(c rune) bool {
				return c >= private || c == '=' || c == '"' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
			}) >= 0; !own && !slices.Contains(o.From, value) {
				value = "" // the message continues, and this is no value
			}
			for k, text := range data {
				value = strings.ReplaceAll(value, string(private+rune(k)), text)
			}
			if whole, err := strconv.Unquote(value); err == nil {
				value = whole
			}
			d.answer(a, flag, value, add)
		}
	}
	if dims := d.lines(a); dims != "" {
		add("dims", dims)
	}
	var two *layout.AmbiguityError
	if errors.As(failed, &two) {
		for _, o := range two.Options {
			said(o, nil)
		}
	}
	var data []string
	said(i18n.English.Data(func(text string) string {
		data = append(data, text)
		return string(private + rune(len(data)-1))
	}).Say(failed), data)
	return all
}

// readingOptions returns the options of reading by name.
func readingOptions() map[string]*option.Option {
	all := map[string]*option.Option{}
	in := new(flags.Input)
	for _, g := range []flags.Group{in.Group(), in.LayoutGroup(), in.ResponseGroup()} {
		for k := range g {
			all[g[k].Name] = &g[k]
		}
	}
	return all
}

// lines returns the dimensions of a file that looks as if it had one cell per line, with numbers after codes, although
// no column is called value or freq; "" if it does not.
func (d *desk) lines(a openCall) string {
	f, err := d.file(a.Files[0])
	if err != nil || len(a.Flags["dims"]) > 0 {
		return ""
	}
	c, err := columnsOf(f)
	if err != nil || tidy(c.Columns, a.Flags) {
		return ""
	}
	k := 0
	for k < len(c.Columns) && !numeric(c.Rows, k) {
		k++
	}
	for j := k; j < len(c.Columns); j++ {
		if !numeric(c.Rows, j) {
			return ""
		}
	}
	if k < 2 || k == len(c.Columns) {
		return ""
	}
	return strings.Join(c.Columns[:k], ",")
}

// answer adds a flag from a message, with what may stand for its placeholder.
func (d *desk) answer(a openCall, flag, value string, add func(flag, value string)) {
	lead, last, ok := strings.Cut(value, "=")
	if !ok {
		lead, last = "", value
	} else {
		lead += "="
	}
	fields := func() *document.OpenFields {
		if got, err := d.fields(fieldsCall{File: a.Files[0], Flags: a.Flags}); err == nil {
			return got.(*document.OpenFields)
		}
		return &document.OpenFields{}
	}
	switch {
	case flag == "response" && value == "":
		for _, m := range fields().Measures {
			add(flag, m)
		}
	case flag == "sheet" && value == "":
		for _, name := range d.sheetsOf(a) {
			add(flag, name)
		}
	case flag == "leave-aside" && value == "":
		add(flag, "true")
	case flag == "hierarchy" && last == "FILE":
		d.mu.Lock()
		files := slices.Clone(d.files)
		d.mu.Unlock()
		for k, f := range files {
			if f.path != "" && !slices.Contains(a.Files, "f"+strconv.Itoa(k)) {
				add(flag, lead+f.name)
			}
		}
	case flag == "column" && lead == "FIELD=":
		for _, field := range []string{"max1", "freq", "cost"} {
			add(flag, field+"="+last)
		}
	case flag == "dims" && value == "":
		var dims []string
		for _, c := range fields().Columns {
			if c.Is == "dimension" {
				dims = append(dims, c.Name)
			}
		}
		add(flag, strings.Join(dims, ","))
	case flag == "column" && (last == "NAME" || last == "COLUMN"):
		f, err := d.file(a.Files[0])
		if err != nil {
			return
		}
		if c, err := columnsOf(f); err == nil {
			for k, name := range c.Columns {
				if numeric(c.Rows, k) {
					add(flag, lead+name)
				}
			}
		}
	case last != "" && !slices.Contains(placeholders, last):
		add(flag, value)
	}
}

// sheetsOf returns the sheets that a table is on, or all visible ones if none is found.
func (d *desk) sheetsOf(a openCall) (names []string) {
	f, err := d.file(a.Files[0])
	if err != nil {
		return nil
	}
	if s, err := d.inspected(f, a.Flags); err == nil {
		for _, t := range s.Reading.Tables {
			if len(t.Cells) > 0 && t.Cells[0].Sheet != nil && !slices.Contains(names, *t.Cells[0].Sheet) {
				names = append(names, *t.Cells[0].Sheet)
			}
		}
	}
	if names != nil {
		return names
	}
	book, err := bookOf(f.path)
	if err != nil {
		return nil
	}
	for _, g := range shownGrids(book) {
		if g.Sheet != "" {
			names = append(names, g.Sheet)
		}
	}
	return names
}

// placeholders stand in messages for what only the user knows.
var placeholders = []string{"NAME", "FILE", "CODE", "FIELD", "COLUMN", "FILE.rda", "MARK", "N"}

// numeric reports whether a column of the first lines has only numbers, and more than one.
func numeric(rows [][]string, k int) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		if k >= len(row) || row[k] == "" {
			continue
		}
		if _, err := strconv.ParseFloat(strings.ReplaceAll(row[k], ",", "."), 64); err != nil {
			return false
		}
		seen[row[k]] = true
	}
	return len(seen) > 1
}
