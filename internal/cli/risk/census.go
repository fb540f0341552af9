package risk

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/census"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// censusFlags are the flags about how a table of the population matches the records.
type censusFlags struct {
	tags      []string
	variables []string
	selected  []string
	on        string
}

// flags returns the flags of a table.
func (c *censusFlags) flags() []flags.Flag {
	return []flags.Flag{
		{Name: "tag", To: &c.tags, Needs: []string{"population"}, Text: "`COLUMN=age`, date (of birth), region or exact: how its values are taken to the categories of a population table"},
		{Name: "variable", To: &c.variables, Needs: []string{"population"}, Text: "`COLUMN=NAME`: the name of a quasi-identifier in a population table, if another"},
		{Name: "select", To: &c.selected, Needs: []string{"population"}, Text: "`NAME=CATEGORY`: the category of another variable of a population table", Else: "its only one, or that of all"},
		{Name: "as-of", To: &c.on, Needs: []string{"tag"}, Text: "`date` like 2025-10-01 on which ages are taken of dates of birth"},
	}
}

// asked reports whether a population is a table of categories, not rows of people.
func (c *censusFlags) asked(files []string) bool {
	return len(c.tags)+len(c.variables)+len(c.selected) > 0 || slices.ContainsFunc(files, func(path string) bool { return strings.EqualFold(filepath.Ext(path), ".px") })
}

// pairs parses a list of NAME=VALUE.
func pairs(flag string, list []string) (map[string]string, error) {
	m := map[string]string{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, "=")
		if _, dup := m[name]; !ok || name == "" || value == "" || dup {
			return nil, i18n.Errorf("--%s %q: want NAME=VALUE, each name once", flag, text)
		}
		m[name] = value
	}
	return m, nil
}

// table counts people by a table of categories. The records are first recoded to these categories, so that F and f are
// about them. Categories without records are left out.
func (k *kMap) table(cmd *cobra.Command, data *risk.Classes) (*risk.Population, error) {
	tags, err := pairs("tag", k.census.tags)
	if err != nil {
		return nil, err
	}
	names, err := pairs("variable", k.census.variables)
	if err != nil {
		return nil, err
	}
	w := census.Wanted{Count: k.count, Encoding: k.encoding}
	if w.Select, err = pairs("select", k.census.selected); err != nil {
		return nil, err
	}
	var on time.Time
	if k.census.on != "" {
		if on, err = census.ParseDate(k.census.on); err != nil {
			return nil, i18n.Errorf("--as-of: %w", err)
		}
	}
	for name, tag := range tags {
		switch {
		case !slices.Contains(k.qi, name):
			return nil, i18n.Errorf("--tag %s=%s: is none of --qi", name, tag)
		case !slices.Contains(census.Tags, tag):
			return nil, i18n.Errorf("--tag %s=%s: want %s", name, tag, strings.Join(census.Tags, ", "))
		case tag == string(census.Date) && k.census.on == "":
			return nil, i18n.Errorf("--tag %s=date: want --as-of DATE, the day for which ages are taken", name)
		}
	}
	for name := range names {
		if !slices.Contains(k.qi, name) {
			return nil, i18n.Errorf("--variable %s: is none of --qi", name)
		}
	}
	for _, q := range k.qi {
		name := q
		if n := names[q]; n != "" {
			name = n
		}
		w.Names = append(w.Names, name)
	}
	if len(k.files) != 1 {
		return nil, i18n.Errorf("--population: %d tables, want one", len(k.files))
	}
	t, err := census.Read(k.files[0], w)
	if err != nil {
		return nil, err
	}
	if t.Unknown > 0 {
		cli.Note(cmd.ErrOrStderr(), "%s: %d cells have a mark and no number; their people are taken not to be there", k.files[0], t.Unknown)
	}
	return k.matched(cmd, data, t, tags, on)
}

// matched recodes the records to the categories of a table and counts its people.
func (k *kMap) matched(cmd *cobra.Command, data *risk.Classes, t *census.Table, tags map[string]string, on time.Time) (*risk.Population, error) {
	var matchers []*census.Matcher
	for c, q := range k.qi {
		tag := census.Exact
		if text := tags[q]; text != "" {
			tag = census.Tag(text)
		}
		matchers = append(matchers, census.NewMatcher(t.Variables[c], tag, on))
	}
	columns, err := risk.NewColumns(k.qi...)
	if err != nil {
		return nil, err
	}
	coarse := risk.NewClasses(columns, len(k.qi))
	used := make([]map[int]bool, len(k.qi))
	lost := make([]map[string]bool, len(k.qi))
	for c := range used {
		used[c], lost[c] = map[int]bool{}, map[string]bool{}
	}
	for g := range data.Len() {
		tuple := data.Tuple(g)
		for c, v := range tuple {
			at := matchers[c].Match(v)
			switch {
			case slices.Contains(k.wildcards, v):
				continue
			case at < 0:
				lost[c][v] = true
				continue
			}
			used[c][at] = true
			tuple[c] = t.Variables[c].Labels[at]
		}
		if err := coarse.Add(data.Size(g), tuple...); err != nil {
			return nil, err
		}
	}
	for c, values := range lost {
		if len(values) > 0 {
			one := ""
			for v := range values {
				if one == "" || v < one {
					one = v
				}
			}
			cli.Note(cmd.ErrOrStderr(), "column %s: %d values, like %s, are in no category of the population, which has nobody then", formats.Show(k.qi[c]), len(values), formats.Show(one))
		}
	}
	p := risk.NewPopulation(coarse, k.wildcards)
	labels := make([]string, len(k.qi))
cells:
	for _, cell := range t.Cells {
		for c, at := range cell.At {
			if !used[c][at] && len(used[c]) > 0 {
				continue cells
			}
			labels[c] = t.Variables[c].Labels[at]
		}
		if err := p.Add(cell.N, labels...); err != nil {
			return nil, err
		}
	}
	return p, nil
}
