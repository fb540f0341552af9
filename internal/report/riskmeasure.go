package report

import (
	"cmp"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/sets"
)

// A riskMetric is a metric that hitoku risk measures.
type riskMetric struct {
	main   []string // keys of the figures in a summary, as far as they are present
	models []string // ways of computing it that have texts of their own
	kinds  []string // kinds of its documents; nil: the kind of its name
}

var riskMetrics = map[string]riskMetric{
	"k_anonymity":        {main: []string{"k"}},
	"k_anonymity_entity": {main: []string{"k"}},
	"special_uniques":    {main: []string{"special_uniques", "max_dis"}},
	"beta_likeness":      {main: []string{"beta", "delta"}},
	"generalise":         {main: []string{"nodes", "measured"}},
	"withhold":           {main: []string{"cells", "bound"}},
	"l_diversity":        {main: []string{"distinct_l", "entropy_l", "alpha"}},
	"t_closeness":        {main: []string{"t"}},
	"k_map":              {main: []string{"k_map", "k_map_estimate", "threshold", "min_class"}, models: []string{"attack_table", "relative_frequency", "thinning", "poisson"}, kinds: []string{"risk-k-map", "risk-k-map-relative", "risk-k-map-thinning", "risk-k-map-poisson"}},
	"delta_presence":     {main: []string{"delta_max", "delta_estimate"}, models: []string{"attack_table", "relative_frequency", "thinning"}, kinds: []string{"risk-delta-presence", "risk-delta-presence-relative", "risk-delta-presence-thinning"}},
	"survey":             {main: []string{"max_risk", "expected_reidentifications"}},
	"population_uniques": {main: []string{"population_uniques", "share"}, kinds: []string{"risk-uniques"}},
	"sampling":           {main: []string{"m", "risk", "k"}},
	"retention":          {main: []string{"rho", "m", "k"}},
	"matrix":             {main: []string{"m", "k"}},
	"noise":              {main: []string{"sigma", "k"}, kinds: []string{"risk-noise", "risk-noise-target"}},
	"mixed":              {main: []string{"rho", "sigma", "k"}},
	"pws":                {main: []string{"r", "all_correct"}, kinds: []string{"risk-pws", "risk-pws-table", "risk-pws-class", "risk-pws-hits"}},
	"cell":               {main: []string{"share", "interval_width", "count"}},
	"pram":               {main: []string{"rho", "m", "k"}},
	"laplace":            {main: []string{"scales", "k"}},
	"sample":             {main: []string{"m", "risk", "k"}, kinds: []string{"risk-sample", "risk-sample-target"}},
	"microaggregate":     {main: []string{"k"}},
	"rank_swap":          {main: []string{"window"}},
	"compare":            {main: []string{"largest_risk", "loss"}},
	"mix":                {main: []string{"rho", "m", "k"}},
	"posterior":          {main: []string{"risk", "k"}},
	"reconstruct":        {main: []string{"records"}},
	"all":                {main: []string{"verdict"}},
	"columns":            {main: []string{"records"}},
	"history":            {},
}

// inputKeys are the keys with the inputs of the measure, in the order of the page.
var inputKeys = []string{
	"files", "file", "documents", "original", "release", "control", "known", "truth", "guess", "r_file", "attribute", "mechanism", "new", "date", "author", "tags", "seed", "confidence", "numbers", "qi", "dropped", "entity", "household", "sensitive", "missing", "missing_sensitive", "population_files", "wildcards", "aux_files", "population_size",
	"design", "kind", "n", "n0", "target_k", "values_before", "values_after", "values", "different", "categorical_values", "numeric_attributes", "weight",
	"attributes", "values_from", "ranges", "ranges_from", "grids", "digits", "p", "class", "s", "count", "min_freq", "coalition", "output", "shuffled", "written", "untouched",
}

// toldElsewhere are keys with places of their own on the page.
var toldElsewhere = []string{
	"metric", "status", "limits", "formula", "source", "model", "missing_markers", "excluded", "with_missing", "all_missing",
	"schema", "identifiers", "histogram", "delta_histogram", "sizes", "worst", "unsafe", "from", "to", "r_sharp", "chosen",
}

// onlyAbove0 are counts that are not shown if they are 0.
var onlyAbove0 = []string{"without_id", "suppressed"}

// fill makes the section about the document.
func (m *riskMeasure) fill() error {
	doc, p := m.doc, m.p
	all := []riskText{p.measure(doc.Metric)}
	if t := p.measure(doc.Metric + "." + doc.text("model")); t.Title != "" {
		all = append(all, t)
	}
	for _, t := range all {
		m.Title = cmp.Or(t.Title, m.Title)
		m.Formula = cmp.Or(t.Formula, m.Formula)
		m.Source = cmp.Or(t.Source, m.Source)
		m.Attacker = cmp.Or(t.Attacker, m.Attacker)
		m.What = append(m.What, t.What)
		m.Not = append(m.Not, t.Not...)
	}
	if mode := p.T("mode." + doc.text("missing")); mode != "" {
		m.Title += mode
	}
	if doc.values["different"] == true {
		m.Formula = p.T("formula.different")
	}
	if doc.Metric == "noise" && doc.has("why") && (doc.text("kind") != "laplace" || !doc.has("ranges")) {
		m.Formula = "" // a theorem is shown in its place
	}
	if doc.text("missing") == "wildcard" {
		m.What = append(m.What, p.T("whatwildcard"))
		m.Not = append(m.Not, p.T("notwildcard"))
	}
	if len(doc.texts("untouched")) > 0 {
		m.Not = append(m.Not, p.say("notuntouched", strings.Join(doc.texts("untouched"), ", ")))
	}
	m.riskSays = p.judge(doc)
	if doc.identified() {
		m.Judged = append(m.Judged, p.say("identifiers", strings.Join(doc.texts("identifiers"), ", ")))
	}
	for _, l := range doc.limits() {
		key := "limitmet"
		switch {
		case l.Models != nil:
			key = "limitmodels"
		case l.Open && l.Under == "":
			key = "limitchance"
		case l.Open:
			key = "limitopen"
		case !l.Met:
			key = "limitbroken"
		case l.Under != "":
			key = "limitunder"
		}
		got, err := p.riskValue(l.Got, p.word("got"))
		if err != nil {
			return i18n.Errorf("key limits: %w", err)
		}
		m.Judged = append(m.Judged, p.say(key, m.limit(l), got))
	}
	switch {
	case doc.Status == "infeasible" && doc.has("target_k"):
		m.Judged = append(m.Judged, p.say("infeasiblek", m.number("target_k")))
	case doc.Status == "empty":
		m.Judged = append(m.Judged, p.T("norecords"))
	}
	if doc.values["written"] == false {
		m.Judged = append(m.Judged, p.T("notwritten"))
	}
	if err := m.facts(); err != nil {
		return err
	}
	if err := m.draw(); err != nil {
		return err
	}
	return m.tables()
}

// label returns the name of a key, which is the key itself if this version does not know it.
func (m *riskMeasure) label(key string) string {
	return cmp.Or(m.p.T("f."+m.doc.Metric+"."+key), m.p.T("f."+key), key)
}

// word returns a function that translates values of a key into words of the page.
func (p *riskPage) word(key string) func(string) string {
	return func(v string) string {
		if text := p.T("v." + key + "." + v); text != "" {
			return text
		}
		if slices.Contains(spoken, key) {
			return p.again(v)
		}
		return v
	}
}

// spoken are the keys whose values are texts of the program; documents have these in English.
var spoken = []string{"attack", "largest_attack", "kind", "forms", "measure", "steps", "said", "why"}

// withData are those of these texts that contain data.
var withData = []string{"singling out, %d columns", "inference of %s", "minimal sample uniques of up to %d columns", "width %s", "%d characters", "step %d"}

// again returns a text of a document in the language of the page.
func (p *riskPage) again(english string) string {
	lang, err := catalogue.For(p.Lang)
	if err != nil {
		return english
	}
	for _, format := range withData {
		before, rest, _ := strings.Cut(format, "%")
		x, begins := strings.CutPrefix(english, before)
		x, ends := strings.CutSuffix(x, rest[1:])
		if !begins || !ends {
			continue
		}
		if n, err := strconv.Atoi(x); err == nil && rest[0] == 'd' {
			return lang.Say(i18n.T(format, n))
		} else if rest[0] == 's' {
			return lang.Say(i18n.T(format, x))
		}
	}
	return lang.Say(i18n.Term(english))
}

// number returns the value of a key, which must be known to be a number.
func (m *riskMeasure) number(key string) string {
	s, err := m.p.riskValue(m.doc.values[key], m.p.word(key))
	if err != nil {
		return unknown
	}
	return s
}

// limit returns a limit in words.
func (m *riskMeasure) limit(l document.Limit) string {
	want, err := m.p.riskValue(l.Want, m.p.word("want"))
	if key := "l." + l.Limit; m.p.T(key) != "" && err == nil {
		return m.p.say(key, want)
	}
	return l.Limit + " " + want
}

// results returns the figures for a summary.
func (m *riskMeasure) results() []string {
	var all []string
	for _, key := range riskMetrics[m.doc.Metric].main {
		if m.doc.has(key) && !(m.doc.Metric == "pws" && m.doc.has("to")) {
			all = append(all, m.label(key)+" = "+m.number(key))
		}
	}
	return all
}

// facts fills the lists of inputs and results.
func (m *riskMeasure) facts() error {
	doc, p := m.doc, m.p
	lists := []string{"documents", "qi", "numbers", "tags", "sensitive", "files", "population_files", "aux_files", "wildcards", "attributes", "untouched"}
	add := func(to *[]Fact, key string) error {
		text, err := "", error(nil)
		switch _, objects := doc.objects(key); {
		case key == "missing":
			text, err = m.missing()
		case objects:
			return nil // it is shown as a table
		case slices.Contains(lists, key):
			names := doc.texts(key)
			if text = quoted(names); len(names) == 0 {
				text = p.T("nothing")
			}
		case slices.Contains([]string{"file", "output", "entity", "household", "per_record", "original", "release", "control", "known", "guess", "attribute", "r_file", "date", "author"}, key) || key == "truth" && doc.Metric == "pws":
			text = doc.text(key)
		default:
			text, err = p.riskValue(doc.values[key], p.word(key))
		}
		if err != nil {
			return i18n.Errorf("key %s: %w", key, err)
		}
		*to = append(*to, Fact{m.label(key), text})
		return nil
	}
	inputs := inputKeys
	if doc.Metric == "pws" {
		inputs = append(slices.Clone(inputs), "alpha")
	}
	for _, key := range inputs {
		if !doc.is(key) {
			continue
		}
		if err := add(&m.Inputs, key); err != nil {
			return err
		}
	}
	if a, ok := doc.objects("attributes"); ok { // the attributes of l-diversity and t-closeness
		names := sets.Each(a, func(x *object) string { return x.text("attribute") })
		at := slices.IndexFunc(m.Inputs, func(f Fact) bool { return f.Name == m.label("qi") })
		m.Inputs = slices.Insert(m.Inputs, at+1, Fact{p.T("f.sensitive"), quoted(names)})
	}
	for _, key := range doc.keys {
		base, isFloat := strings.CutSuffix(key, "_float")
		switch {
		case slices.Contains(inputs, key), slices.Contains(toldElsewhere, key):
		case isFloat && doc.is(base):
		case slices.Contains(onlyAbove0, key) && doc.count(key) == 0:
		case !doc.has(key) && (doc.Status == "infeasible" || key == "classes" && doc.text("missing") == "wildcard"):
		case doc.Metric == "pws" && doc.has("to") && key == "r":
		default:
			if err := add(&m.Facts, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// missing says how missing values were treated, and how many there are.
func (m *riskMeasure) missing() (string, error) {
	doc, p := m.doc, m.p
	mode := doc.text("missing")
	words := p.T("v.missing." + mode)
	if words == "" {
		return "", i18n.Errorf("unknown mode %q; known are own, drop, suppressed, wildcard, ignore", mode)
	}
	markers := p.T("nothing")
	if list := doc.texts("missing_markers"); len(list) > 0 {
		for k, s := range list {
			if s == "" {
				list[k] = p.T("emptyfield")
			}
		}
		markers = strings.Join(list, ", ")
	}
	text := p.say("missing", words, markers)
	for _, key := range []string{"with_missing", "all_missing", "excluded"} {
		if doc.count(key) > 0 {
			text += p.T("semicolon") + p.say("c."+key, m.number(key))
		}
	}
	return text, nil
}

// quoted joins values of records or names, with quotes around those that could be misread.
func quoted(list []string) string {
	texts := make([]string, len(list))
	for k, v := range list {
		if texts[k] = v; v == "" || strings.TrimSpace(v) != v || strings.ContainsAny(v, ",\"\n\r\t") {
			texts[k] = strconv.Quote(v)
		}
	}
	return strings.Join(texts, ", ")
}

// objects returns the structs in the list of a key; ok is false if there is no such list.
func (o *object) objects(key string) (list []*object, ok bool) {
	v := reflect.ValueOf(o.values[key])
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Struct {
		return nil, false
	}
	for k := range v.Len() {
		list = append(list, objectOf(v.Index(k)))
	}
	return list, true
}

// count returns the number of a key, 0 if there is none.
func (o *object) count(key string) uint64 {
	n, _ := o.values[key].(uint64)
	return n
}

// wanted returns the limit given by a flag as a number, nil if there is none.
func (r *RiskDocument) wanted(flag string) *big.Rat {
	for _, l := range r.limits() {
		if l.Limit == flag {
			return parseFraction(string(l.Want))
		}
	}
	return nil
}
