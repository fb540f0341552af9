package desk

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/layout"
)

// The most that a question may cost: answers that are tried, and the size of the files that are read for each.
const (
	maxTried   = 12
	maxTrySize = 8 << 20
)

// remedies are answers to the question with which a reader refuses a table: those alone with which it reads the table, or asks something else.
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
		if size <= maxTrySize {
			t, err := d.tableOf(a.Files, given)
			if err != nil {
				continue
			}
			switch _, err := t.read(a.Policy); {
			case err == nil:
				x.Reads = true
			case err.Error() == failed.Error() || isUsage(err):
				continue
			}
		}
		if all = append(all, x); len(all) == maxTried {
			break
		}
	}
	reads, asks := []document.Remedy{}, []document.Remedy{}
	for _, x := range all {
		if x.Reads {
			reads = append(reads, x)
		} else {
			asks = append(asks, x)
		}
	}
	return append(reads, asks...), nil
}

var (
	named  = regexp.MustCompile(`--([a-z]+(?:-[a-z]+)*)(?:[ =]("[^"]*"|[^\s,;]+))?`)
	sheets = regexp.MustCompile(`\(sheet ([^,()]+), from`)
)

// words are what follows a flag that a message names without a value.
var words = []string{"or", "and", "which", "to", "says", "reads", "beside", "if", "for", "in", "is", "are"}

// answers are flags that may answer a question, most likely first.
func (d *desk) answers(a openCall, failed error) (all []document.Remedy) {
	add := func(flag, value string) {
		if x := (document.Remedy{Flag: flag, Value: value}); value != "" && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	said := func(text string) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			flag, value := m[1], m[2]
			if strings.HasPrefix(value, `"`) {
				if whole, err := strconv.Unquote(value); err == nil {
					value = whole
				}
			} else {
				if value = strings.TrimRight(value, ".,;:"); strings.Count(value, ")") > strings.Count(value, "(") {
					value = strings.TrimSuffix(value, ")")
				}
				if slices.Contains(words, value) {
					value = ""
				}
			}
			d.answer(a, flag, value, add)
		}
	}
	if dims := d.lines(a); dims != "" {
		add("dims", dims)
	}
	text := failed.Error()
	var two *layout.AmbiguityError
	if errors.As(failed, &two) {
		for _, o := range two.Options {
			said(o)
		}
	}
	for _, m := range sheets.FindAllStringSubmatch(text, -1) {
		add("sheet", m[1])
	}
	said(text)
	return all
}

// lines are the dimensions of a file that looks like one cell a line, numbers behind codes, although no column is called value or freq; "" of another.
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

// answer adds a flag as a message has it, with what may stand for a placeholder.
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

// placeholders stand in messages for what only the user knows.
var placeholders = []string{"NAME", "FILE", "CODE", "FIELD", "COLUMN", "FILE.rda", "MARK", "N"}

// numeric reports whether a column of the first lines has numbers alone, and more than one of them.
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

// isUsage reports whether a flag was refused itself.
func isUsage(err error) bool {
	return flags.ValueError(err, "--") != nil || strings.Contains(err.Error(), "no flag of reading")
}
