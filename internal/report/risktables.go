package report

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// The largest number of lines of a table about risk, and of one with estimates by size of the class, which tell
// less the larger the class is.
const (
	maxRiskRows  = 200
	maxRiskSizes = 20
)

// releaseTables are the lists in documents about releases that are shown as tables, with the keys of the names
// of their lines.
var releaseTables = []struct{ key, first, second string }{
	{"attacks", "attack", ""}, {"sets", "origin", ""}, {"links", "attack", ""}, {"intervals", "column", ""}, {"changes", "measure", ""}, {"marginals", "column", ""}, {"pairs", "a", "b"}, {"columns", "column", ""}, {"values", "value", ""}, {"figures", "measure", "of"}, {"models", "model", ""}, {"without", "column", ""}, {"next", "step", "of"},
}

// tables makes the tables of the document: attributes, sizes, critical numbers of hits, and the worst classes.
func (m *riskMeasure) tables() error {
	doc, p := m.doc, m.p
	switch doc.Metric {
	case "columns":
		return m.statistics()
	case "history":
		return m.history()
	}
	if attributes, ok := doc.objects("attributes"); ok {
		if err := m.table(p.T("t.attributes"), attributes, "attribute", "alpha_float", "t_float", "beta_float", "distinct_l_histogram", "worst", "recursive"); err != nil {
			return i18n.Errorf("key attributes: %w", err)
		}
		if err := m.recursive(attributes); err != nil {
			return i18n.Errorf("key attributes: %w", err)
		}
		for _, a := range attributes {
			if err := m.worst(a, p.say("t.worstof", a.text("attribute"))); err != nil {
				return i18n.Errorf("key attributes: %w", err)
			}
		}
	}
	if err := m.parts(); err != nil {
		return err
	}
	if sizes, ok := doc.objects("sizes"); ok {
		for _, s := range sizes { // {"2":…,"5":…} becomes columns
			at, _ := s.values["prob_F_at_least"].(map[string]float64)
			for _, k := range slices.SortedFunc(maps.Keys(at), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) {
				key := "F ≥ " + k
				s.keys = append(s.keys, key)
				s.values[key] = at[k]
			}
		}
		shown := sizes[:min(len(sizes), maxRiskSizes)]
		if err := m.table(p.T("t.sizes"), shown, "", "prob_F_at_least"); err != nil {
			return i18n.Errorf("key sizes: %w", err)
		}
		m.more(p.T("t.sizes"), len(sizes)-len(shown))
	}
	for _, x := range releaseTables {
		if list, _ := doc.objects(x.key); len(list) > 0 {
			if err := m.table(cmp.Or(p.T("t."+doc.Metric+"."+x.key), p.T("t."+x.key)), list, x.first, "rank", "text", "interactions", "matching", "unmatched"); err != nil {
				return i18n.Errorf("key %s: %w", x.key, err)
			}
			// A column that was not asked for is empty, rather than undefined.
			for _, row := range m.Tables[len(m.Tables)-1].Rows {
				for k, text := range row.Texts {
					if text == p.T("undefined") {
						row.Texts[k] = unknown
					}
				}
			}
			if t := m.Tables; x.second != "" { // the second key has names, too
				t[len(t)-1].Numbers = slices.DeleteFunc(t[len(t)-1].Numbers, func(k int) bool { return k < 3 })
			}
			for _, o := range list {
				if of, ok := o.values["matching"].(document.Matching); ok {
					if err := m.table(p.T("t.matching"), []*object{objectOf(reflect.ValueOf(of))}, ""); err != nil {
						return i18n.Errorf("key matching: %w", err)
					}
				}
			}
		}
	}
	if doc.Metric == "pws" && doc.has("to") {
		if err := m.hits(); err != nil {
			return err
		}
	}
	return m.worst(doc.object, p.T("t.worst"))
}

// parts makes the tables of columns, of sets of columns, and of the steps at which columns become coarser.
func (m *riskMeasure) parts() error {
	if chosen, ok := m.doc.values["chosen"].(document.Generalised); ok {
		if err := m.table(m.p.T("t.chosen"), []*object{objectOf(reflect.ValueOf(chosen))}, "", "below", "records_by_step"); err != nil {
			return i18n.Errorf("key chosen: %w", err)
		}
		m.local(chosen.Records)
	}
	for _, x := range []struct{ key, first string }{
		{"subsets", "columns"}, {"msu_sizes", ""}, {"contributions", "column"}, {"combinations", "columns"}, {"hierarchies", "column"}, {"by_column", "column"}, {"groups", "columns"}, {"steps", ""}, {"minimal", ""},
	} {
		list, _ := m.doc.objects(x.key)
		if err := m.table(m.p.T("t."+x.key), list, x.first, "below", "kind"); err != nil {
			return i18n.Errorf("key %s: %w", x.key, err)
		}
	}
	return nil
}

// local makes the table of a local recoding: how many records have each step.
func (m *riskMeasure) local(records [][]uint64) {
	p := m.p
	t := &sheet{Title: p.T("t.local"), Head: []string{p.T("w.column"), p.T("w.steps"), p.T("w.records")}, Numbers: []int{2}}
	list, _ := m.doc.objects("hierarchies")
	for k, steps := range records {
		if k >= len(list) {
			break
		}
		names := list[k].texts("steps")
		for step, n := range steps[:min(len(steps), len(names))] {
			t.Rows = append(t.Rows, sheetRow{Texts: []string{list[k].text("column"), p.again(names[step]), grouped(strconv.FormatUint(n, 10))}})
		}
	}
	if len(t.Rows) > 0 {
		m.Tables = append(m.Tables, t)
	}
}

// worst makes a table of the worst classes in an object.
func (m *riskMeasure) worst(o *object, title string) error {
	list, _ := o.objects("worst")
	if len(list) == 0 {
		return nil
	}
	if m.p.Mask {
		m.Notes = append(m.Notes, m.p.T("masked"))
		return nil
	}
	m.p.Secret = true
	if err := m.table(title, list, "tuple"); err != nil {
		return i18n.Errorf("key worst: %w", err)
	}
	return nil
}

// table shows objects with the same keys as lines. first is a key of texts; keys in without get no column.
func (m *riskMeasure) table(title string, list []*object, first string, without ...string) error {
	p := m.p
	t := &sheet{Title: title}
	if len(list) == 0 {
		return nil
	}
	var keys []string
	for _, key := range list[0].keys {
		if !slices.Contains(without, key) && key != "times" {
			keys = append(keys, key)
			t.Head = append(t.Head, cmp.Or(p.T("w."+m.doc.Metric+"."+key), p.column(key)))
		}
	}
	for k, key := range keys {
		if key != first && !slices.Contains([]string{"kind", "forms", "from", "tuples"}, key) && key != "distance" || key == "distance" && first == "tuple" {
			t.Numbers = append(t.Numbers, k)
		}
	}
	for _, o := range list[:min(len(list), maxRiskRows)] {
		var row sheetRow
		for _, key := range keys {
			text, err := "", error(nil)
			switch key {
			case "attribute":
				text = o.text(key)
			case "tuple", "columns":
				text = quoted(o.texts(key))
			case "msus":
				text, err = columnSets(o)
			case "tuples":
				text, err = multiset(o)
			default:
				text, err = p.riskValue(o.values[key], p.word(key))
			}
			if err != nil {
				return i18n.Errorf("%s: %w", key, err)
			}
			row.Texts = append(row.Texts, text)
		}
		t.Rows = append(t.Rows, row)
	}
	m.Tables = append(m.Tables, t)
	m.more(title, len(list)-len(t.Rows))
	return nil
}

// more says that rest lines of a table were left out.
func (m *riskMeasure) more(title string, rest int) {
	if rest > 0 {
		m.Notes = append(m.Notes, m.p.say("morerows", title, count(rest)))
	}
}

// column returns the heading of a column, which is the key itself if this version does not know it.
func (p *riskPage) column(key string) string {
	if s := p.T("w." + key); s != "" {
		return s
	}
	return key
}

// columnSets shows the sets of columns that single out a record, or their number.
func columnSets(o *object) (string, error) {
	if n, ok := o.values["msus"].(uint64); ok {
		return numberText(strconv.FormatUint(n, 10))
	}
	list, _ := o.values["msus"].([][]string)
	texts := sets.Each(list, func(set []string) string { return strings.Join(set, " + ") })
	return strings.Join(texts, "; "), nil
}

// multiset shows the records of a person, each with how often it occurs.
func multiset(o *object) (string, error) {
	tuples, _ := o.values["tuples"].([][]string)
	times, _ := o.values["times"].([]uint64)
	if len(tuples) != len(times) {
		return "", i18n.New("want lists of records and of how often each comes")
	}
	var texts []string
	for k, t := range tuples {
		text := "(" + quoted(t) + ")"
		if times[k] > 1 {
			text = fmt.Sprintf("%d × %s", times[k], text)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; "), nil
}

// recursive shows the infimum of c for each l and attribute.
func (m *riskMeasure) recursive(attributes []*object) error {
	p := m.p
	t := &sheet{Title: p.T("t.recursive"), Head: []string{p.T("w.attribute")}}
	for _, a := range attributes {
		list, ok := a.objects("recursive")
		if !ok {
			continue
		}
		row := sheetRow{Texts: []string{a.text("attribute")}}
		for k, x := range list {
			l, err := p.riskValue(x.values["l"], p.word("l"))
			if err != nil {
				return i18n.Errorf("recursive: %w", err)
			}
			text := p.T("noc")
			if x.has("c_infimum") {
				if text, err = p.riskValue(x.values["c_infimum"], p.word("c_infimum")); err != nil {
					return i18n.Errorf("recursive: %w", err)
				}
			}
			if len(t.Rows) == 0 {
				t.Head = append(t.Head, "l = "+l)
				t.Numbers = append(t.Numbers, k+1)
			}
			row.Texts = append(row.Texts, text)
		}
		if len(row.Texts) != len(t.Head) {
			return i18n.New("recursive: not the same l for each attribute")
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		m.Tables = append(m.Tables, t)
	}
	return nil
}

// hits shows the critical numbers of hits for a range of n.
func (m *riskMeasure) hits() error {
	p := m.p
	doc, ok := m.doc.measured.(*document.HitsTable)
	if !ok || len(doc.R) != len(doc.Sharp) {
		return i18n.New("key r: want lists r and r_sharp of one length")
	}
	r, sharp := doc.R, doc.Sharp
	t := &sheet{Title: p.T("t.hits"), Numbers: []int{0, 1, 2}, Head: []string{"n", "r(n)", p.T("w.r_sharp")}}
	for k := range r[:min(len(r), maxRiskRows)] {
		t.Rows = append(t.Rows, sheetRow{Texts: []string{count(doc.From + int64(k)).String(), count(r[k]).String(), count(sharp[k]).String()}})
	}
	m.Tables = append(m.Tables, t)
	m.more(t.Title, len(r)-len(t.Rows))
	return nil
}
