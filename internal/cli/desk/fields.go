package desk

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/layout"
)

// fieldsCall asks for the columns, measures and dimensions of a file read with flags.
type fieldsCall struct {
	File  string
	Flags map[string][]string
}

// fields returns what a form can offer: for a tidy file its columns and their roles, else the measures and dimensions
// of the layout.
func (d *desk) fields(a fieldsCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	o := &document.OpenFields{Columns: []document.OpenColumn{}, Measures: []string{}, Dimensions: []string{}}
	if c, err := columnsOf(f); err == nil && (tidy(c.Columns, a.Flags) || flags.Large(f.path)) {
		o.Columns = columnRoles(c.Columns, a.Flags)
		for _, x := range o.Columns {
			if x.Is == "dimension" {
				o.Dimensions = append(o.Dimensions, x.Name)
			}
		}
		return o, nil
	}
	s, err := d.inspected(f, a.Flags)
	if err != nil {
		return nil, err
	}
	for _, t := range s.Reading.Tables {
		for _, x := range t.Dimensions {
			if x.Role != layout.Measure {
				continue
			}
			for _, c := range x.Codes {
				if !slices.Contains(o.Measures, c.Code) {
					o.Measures = append(o.Measures, c.Code)
				}
			}
		}
	}
	return o, nil
}

// inspected returns how the layout reader understands a file read with flags.
func (d *desk) inspected(f *deskFile, given map[string][]string) (*layout.Source, error) {
	r, err := newReader(d.resolve(given))
	if err != nil {
		return nil, err
	}
	s, err := r.inputs.Inspect(r.cmd, f.path, nil)
	if err != nil {
		return nil, d.plain(err)
	}
	return s, nil
}

// plainFields are the columns that tidy files know by name, besides max1, max2, … and who1, who2, ….
var plainFields = []string{"value", "freq", "cost", "status", "reason", "lpl", "upl", "spl", "lower", "upper", "absolute", "waived", "unwaived"}

func isField(name string) bool {
	return slices.Contains(plainFields, name) || (strings.HasPrefix(name, "max") || strings.HasPrefix(name, "who")) && len(name) > 3 && strings.Trim(name[3:], "0123456789") == ""
}

// tidy reports whether a file with these columns has one cell per line: some column is a field by its name, or flags
// give the roles of columns.
func tidy(columns []string, given map[string][]string) bool {
	return given["dims"] != nil || given["response"] != nil || given["column"] != nil || slices.Contains(columns, "value") || slices.Contains(columns, "freq")
}

// columnRoles returns the roles of columns by flags and names.
func columnRoles(columns []string, given map[string][]string) []document.OpenColumn {
	is := map[string]string{}
	split := func(flag, role string) {
		for _, v := range given[flag] {
			for name := range strings.SplitSeq(v, ",") {
				is[name] = role
			}
		}
	}
	split("dims", "dimension")
	split("response", "response")
	for _, v := range given["column"] {
		if field, name, ok := strings.Cut(v, "="); ok {
			is[name] = field
		}
	}
	var all []document.OpenColumn
	before := given["dims"] == nil // columns before the first field are dimensions
	for _, name := range columns {
		role := is[name]
		before = before && role == "" && !isField(name)
		switch {
		case role != "":
		case before:
			role = "dimension"
		case name == "value" && given["response"] != nil:
			role = "unread"
		case isField(name):
			role = name
		default:
			role = "unread"
		}
		all = append(all, document.OpenColumn{Name: name, Is: role})
	}
	return all
}
