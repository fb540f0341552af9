package formats

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Mask is what a file with several responses is written from: the tables of the responses, in the order of
// Options.Responses, before they were stacked.
type Mask struct {
	Tables []*table.Table
	By     []string // for each cell, the responses by which it is sensitive, joined by +
}

// byColumn is the name of the column that holds Mask.By.
const byColumn = "responses"

// by returns the responses by which cell i is sensitive, or nothing if all withheld cells are to look alike.
func (in *Input) by(i int) string {
	if in.Mask == nil || in.Uniform {
		return ""
	}
	return in.Mask.By[i]
}

// listed reports whether a response is among those joined by +; an empty text stands for all.
func listed(text, response string) bool {
	return text == "" || slices.ContainsFunc(strings.Split(text, "+"), func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), response) })
}

// respond assigns the columns that belong to o.Response, and marks those of the other responses so that they
// are used for nothing else.
func (y *layout) respond(names []string, other []bool, find func(string) (int, error), assign func(string, int), o *Options) error {
	if o.Response == "" {
		return nil
	}
	if c, given := o.Columns["value"]; given {
		return i18n.Errorf("--column value=%s: the values are those of --response", c)
	}
	for _, r := range o.Responses {
		if strings.Contains(r, "+") {
			return i18n.Errorf("--response %s: a + joins the names of responses and cannot be in one", r)
		}
		c, err := find(r)
		if err != nil {
			return err
		}
		if slices.Contains(y.layers, c) {
			return i18n.Errorf("--response %s given twice", r)
		}
		y.layers = append(y.layers, c)
		mine := strings.EqualFold(r, o.Response)
		if mine {
			assign("value", c)
			if strings.EqualFold(names[c], "freq") {
				y.at["freq"] = c // the response is a count
			}
		} else if !strings.EqualFold(names[c], "freq") {
			other[c] = true
		}
		for d, n := range names {
			field, own := "", len(n) > len(r) && strings.EqualFold(n[:len(r)+1], r+".")
			if own {
				field = fieldOf(n[len(r)+1:])
			}
			if field == "" || field == "value" || field == "freq" {
				continue
			}
			other[d] = true
			y.office = append(y.office, d)
			if _, given := o.Columns[field]; mine && !given && !(field == "cost" && o.CostColumn != "") {
				assign(field, d)
				y.own[field] = true
			}
		}
	}
	if c, err := find(byColumn); err == nil {
		y.by, other[c] = c, true
	}
	return nil
}

// statusColumn returns the column of the statuses for all responses, −1 if there is none.
func (y *layout) statusColumn() int {
	if c, ok := y.common["status"]; ok {
		return c
	}
	if y.status == nil || y.own["status"] {
		return -1
	}
	return y.at["status"]
}
