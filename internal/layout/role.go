package layout

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// measureWord matches labels of what is measured rather than of a class.
var measureWord = lazy.Regexp(`(?i)(?:数|額|額等|量|面積|費|人口|世帯|人員|価格|資本金|付加価値)$|^number of |\b(?:turnover|sales|value|payroll|wages|employment|employees|establishments|enterprises|shipments|receipts|output|costs?|revenue|expenditure|acres|farms|persons engaged|hours worked)\b|umsatz|^betriebe$|^beschäftigte$|^anzahl|^personen$|^unternehmen$|entgelte|lukumäärä|liikevaihto|henkilöstö|chiffre d'affaires|^effectifs?\b|omzet|^banen\b`)

// contributors matches measures that count those who contribute to the other measures.
var contributors = lazy.Regexp(`(?i)^(?:事業所数?|企業数?|経営体数?|会社数|法人数|客体数|世帯数|establishments?|number of (?:establishments|enterprises|firms|farms|companies)|enterprises|firms|farms|companies|établissements|entreprises)$`)

// isMeasure reports whether the codes of a dimension are different measures. told has the units that the file
// gives them.
func (dim *draftDim) isMeasure(told []unitText) bool {
	if len(dim.items) < 2 {
		return false
	}
	words, unitWords := 0, 0
	different := map[unitText]bool{}
	for i := range dim.items {
		l := dim.items[i].label
		if isTotalName(l) && !contributors().MatchString(l) {
			return false
		}
		if told[i] != (unitText{}) {
			different[told[i]] = true
		}
		if _, _, ok := unitIn(dim.items[i].label); ok {
			words++
			continue
		}
		if measureWord().MatchString(l) {
			words++
		} else if isUnit(l) {
			unitWords++
		}
	}
	return len(different) > 1 || words+unitWords == len(dim.items)
}

// setRoles tells times and measures from classifications. A dimension with a code in measures is the measure.
func (d *draft) setRoles(group []*part, measures []string) {
	for k := range d.dims {
		dim := &d.dims[k]
		dim.role = ofClassification
		all := len(dim.items) > 0
		for i := range dim.items {
			all = all && (isTime(dim.items[i].label) || dim.items[i].day)
		}
		if all && !d.addsUp(k) {
			dim.role = ofTime
		}
	}
	for k := range d.dims {
		if dim := &d.dims[k]; dim.role == ofClassification && slices.ContainsFunc(dim.items, func(e entry) bool { return slices.Contains(measures, e.key()) || slices.Contains(measures, e.label) }) {
			dim.role = Measure
			return
		}
	}
	for k := range d.dims {
		dim := &d.dims[k]
		if dim.role == ofClassification && dim.isMeasure(d.unitsOf(k, group)) {
			dim.role = Measure
			break
		}
	}
}

// leastTimes is the evidence, in bits, needed for a year to be the sum of its months, the same as for any total
// without a name.
const leastTimes = 10

// addsUp reports whether dimension k, whose codes are named like periods, has years that are the sum of their
// months or quarters. A year that is the sum of other years is a coincidence.
func (d *draft) addsUp(k int) bool {
	dim := &d.dims[k]
	year := make([]bool, len(dim.items))
	years := 0
	for i := range year {
		if year[i] = isWholeYear(dim.items[i].label); year[i] {
			years++
		}
	}
	if years == 0 || len(year)-years < 2 {
		return false
	}
	g := d.growBy(k, 0, 0, 1)
	for t, parts := range g.children {
		if year[t] && len(parts) > 1 && !slices.ContainsFunc(parts, func(p int) bool { return year[p] }) && g.check(t, parts).bits >= leastTimes {
			return true
		}
	}
	return d.yearsRounded(k, year)
}

// yearsRounded reports whether a year is the sum of the periods directly behind or before it, none of them a year, give or
// take rounding.
func (d *draft) yearsRounded(k int, year []bool) bool {
	m := d.matrix(k)
	if m == nil {
		return false
	}
	for t := range year {
		for _, step := range []int{-1, 1} {
			var parts []int
			for i := t + step; i >= 0 && i < len(year) && !year[i]; i += step {
				parts = append(parts, i)
			}
			if !year[t] || len(parts) < 2 {
				continue
			}
			if c := m.check(t, parts, rounded(parts)); c.holds() && c.bits >= leastTimes {
				return true
			}
		}
	}
	return false
}

// unitsOf returns the units that headers give to the codes of dimension k, empty where they disagree.
func (d *draft) unitsOf(k int, group []*part) []unitText {
	told := make([]unitText, len(d.dims[k].items))
	clash := make([]bool, len(told))
	outer := 0
	if group[0].outer != nil {
		outer = 1
	}
	for _, p := range group {
		c := k - outer - len(p.rows)
		if c < 0 || c >= len(p.cols) {
			continue
		}
		for i := range p.values {
			u := p.h.units[i]
			x := d.dims[k].index[p.cols[c].at[i].key()]
			if u == (unitText{}) {
				continue
			}
			if told[x] != (unitText{}) && told[x] != u {
				clash[x] = true
			}
			told[x] = u
		}
	}
	for i := range told {
		if clash[i] {
			told[i] = unitText{}
		}
	}
	return told
}

// nestedLast moves a measure that stands among the dimensions of the rows behind all other dimensions, as in
// tables that have a row per measure below each item.
func (d *draft) nestedLast(rows int) {
	for k := 1; k < rows && k < len(d.dims); k++ {
		if d.dims[k].role != Measure {
			continue
		}
		m := d.dims[k]
		d.dims = append(append(d.dims[:k:k], d.dims[k+1:]...), m)
		for i, c := range d.coord {
			x := c[k]
			copy(c[k:], c[k+1:])
			c[len(c)-1] = x
			d.coord[i] = c
		}
		return
	}
}

var (
	parenthesis = lazy.Regexp(`[（(][^）)]*[）)]`)
	byWords     = lazy.Regexp(`(?i)\b(?:by|nach|par|naar|mukaan|efter)\s+([^:;]+)`)
)

// titleNames returns the names of classifications that a title tells: 年齢，配偶関係別人口, "Offences by area and
// type", "par sexe et âge".
func titleNames(title string) []string {
	t := squeeze(parenthesis().ReplaceAllString(title, ""))
	if k := strings.LastIndex(t, "別"); k > 0 {
		t = t[:k]
		t = titleHead().ReplaceAllString(t, "")
		t = strings.TrimLeft(t, "0123456789０１２３４５６７８９-－.．　 :：")
		if m := strings.LastIndexAny(t, " 　"); m >= 0 {
			_, size := utf8.DecodeRuneInString(t[m:])
			t = t[m+size:]
		}
		var names []string
		for _, s := range strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("，、,・×及び", r) }) {
			if s = strings.TrimSuffix(squeeze(s), "別"); s != "" {
				names = append(names, s)
			}
		}
		return names
	}
	if m := byWords().FindStringSubmatch(t); m != nil {
		var names []string
		s := m[1]
		for _, year := range []string{" en 20", " in 20", ", 20", " 20", " en 19", " in 19", ", 19", " 19"} {
			if k := strings.Index(s, year); k > 0 {
				s = s[:k]
			}
		}
		for _, and := range []string{" and ", " und ", " et ", " en ", " ja ", " och ", " & "} {
			s = strings.ReplaceAll(s, and, ",")
		}
		for _, s := range strings.Split(s, ",") {
			s = strings.TrimSpace(s)
			if s == "" || strings.HasPrefix(s, "year ") || utf8.RuneCountInString(s) > 40 {
				continue
			}
			names = append(names, sentence(s))
		}
		return names
	}
	if _, after, ok := strings.Cut(t, ": "); ok && strings.Contains(after, ",") {
		return sets.Each(strings.Split(after, ","), strings.TrimSpace)
	}
	return nil
}

// timeWords are names of times in titles.
var timeWords = wordSet(`jahre jahr year years 年次 年 年度 année années perioden month quarter`)

// sentence returns words in sentence case.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	rest := s[size:]
	words := strings.Fields(rest)
	for i, w := range words {
		if len(w) > 1 && strings.ToUpper(w) != w {
			words[i] = strings.ToLower(w)
		}
	}
	if len(words) > 0 && !strings.HasPrefix(rest, " ") {
		return string(unicode.ToUpper(r)) + strings.Join(words, " ")
	}
	if len(words) > 0 {
		return string(unicode.ToUpper(r)) + " " + strings.Join(words, " ")
	}
	return string(unicode.ToUpper(r))
}

// setNames gives names to dimensions for which the file has none above their labels: from their total ("All
// offences") or the title, else by their role.
func (d *draft) setNames(title string, rows int, notes []Note) {
	var told []string
	for _, name := range titleNames(title) {
		constant := timeWords[wordOf(name)] // nor the place that a line of its own names
		for _, n := range notes {
			constant = constant || n.Text == name
		}
		if !constant {
			told = append(told, name)
		}
	}
	japanese := strings.ContainsFunc(title, cjk)
	german := regexp.MustCompile(`(?i)\b(?:und|nach|jahre?|der|betriebe|deutschland)\b`).MatchString(title)
	var classes []int
	unnamed := 0
	for k := range d.dims {
		if d.dims[k].role == ofClassification {
			classes = append(classes, k)
			if d.dims[k].name == "" {
				unnamed++
			}
		}
		japanese = japanese || d.dims[k].japanese
	}
	taken := map[string]bool{}
	for k := range d.dims {
		taken[d.dims[k].name] = true
	}
	for n, k := range classes {
		dim := &d.dims[k]
		if dim.name != "" {
			continue
		}
		for i := range dim.items {
			if s, ok := strings.CutPrefix(dim.items[i].label, "All "); ok && utf8.RuneCountInString(s) < 30 {
				dim.name = sentence(singular(s))
				for _, name := range told { // "Type of farm" says more than "Farm"
					if len(name) > len(dim.name) && strings.Contains(strings.ToLower(name), strings.ToLower(dim.name)) {
						dim.name = name
					}
				}
				break
			}
		}
		switch {
		case dim.name != "" && !taken[dim.name]:
		case len(told) == len(classes):
			dim.name = told[n]
		case len(told) == unnamed:
			u := sets.Count(classes[:n], func(j int) bool { return j >= rows })
			if u < len(told) && !taken[told[u]] {
				dim.name = told[u]
			}
		case len(told) > n && n == 0:
			dim.name = told[0]
		}
		taken[dim.name] = true
	}
	counts := map[string]int{}
	for k := range d.dims {
		dim := &d.dims[k]
		if dim.name == "" {
			switch {
			case dim.role == ofTime && japanese:
				dim.name = "年次"
			case dim.role == ofTime && german:
				dim.name = "Jahr"
			case dim.role == ofTime:
				dim.name = "Year"
			case dim.role == Measure && japanese:
				dim.name = "表章項目"
			case dim.role == Measure && german:
				dim.name = "Merkmal"
			case dim.role == Measure:
				dim.name = "Measure"
			case k < rows && japanese:
				dim.name = "行"
			case k < rows:
				dim.name = "Row"
			case japanese:
				dim.name = "列"
			default:
				dim.name = "Column"
			}
		}
		counts[dim.name]++
		if n := counts[dim.name]; n > 1 {
			dim.name += " " + itoa(n)
		}
	}
}

var perCent = lazy.Regexp(`(?i)per ?cent|prozent|pour ?cent|procent`)

// singular returns the singular of an English plural.
func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return strings.TrimSuffix(s, "ies") + "y"
	case strings.HasSuffix(s, "sses"):
		return strings.TrimSuffix(s, "es")
	case strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss"):
		return strings.TrimSuffix(s, "s")
	}
	return s
}

// setUnits sets the unit and kind of the table and of the codes of its measure.
func (d *draft) setUnits(t *Table, group []*part) {
	p := group[0]
	u := p.unit
	if u.unit == "" && u.times == 0 {
		for _, q := range group {
			for _, c := range append([]string{}, q.h.constants...) {
				if v, _, ok := unitIn(c); ok {
					u = v
				}
			}
		}
	}
	var parts []string // 人，％ for a table and its shares
	for _, s := range strings.FieldsFunc(u.unit, func(r rune) bool { return strings.ContainsRune("，、,・", r) }) {
		if !rates().MatchString(strings.TrimSpace(s)) {
			parts = append(parts, strings.TrimSpace(s))
		}
	}
	if len(parts) > 0 && (len(parts) == 1 || len(p.derived) > 0) && !strings.ContainsAny(u.unit, "0123456789") {
		u.unit = strings.Join(parts, ", ")
	}
	measure := -1
	for k := range d.dims {
		if d.dims[k].role == Measure {
			measure = k
		}
	}
	common := unitText{}
	for _, q := range group {
		for i, v := range q.h.units {
			if i == 0 && common == (unitText{}) {
				common = v
			}
		}
	}
	if u == (unitText{}) && measure < 0 {
		u = common
	}
	constant := ""
	for _, c := range p.h.constants {
		constant = c
	}
	if u.unit == "" && constant != "" {
		words := strings.Fields(parenthesis().ReplaceAllString(constant, ""))
		if len(words) > 0 {
			w := words[0]
			if u.times > 0 && len(words) > 1 && countUnits[wordOf(words[len(words)-1])] || len(words) > 1 && amountUnits[wordOf(words[len(words)-1])] {
				w = words[len(words)-1]
			}
			if isUnit(w) || len(words) == 1 && (measureWord().MatchString(w) || codeHeads().MatchString(w)) {
				u.unit = strings.ToLower(w)
			}
		}
	}
	if u.unit == "" && rates().MatchString(t.Title) {
		d.rates = measure < 0
		if perCent().MatchString(t.Title) {
			u.unit = "per cent"
		}
		if strings.Contains(t.Title, "％") || strings.Contains(t.Title, "割合") || strings.Contains(t.Title, "構成比") {
			u.unit = "％"
		}
	}
	if u.unit == "" && measure < 0 {
		u.unit = counted(t.Title)
		for k := range d.dims {
			for i := range d.dims[k].items {
				if s, ok := strings.CutPrefix(d.dims[k].items[i].label, "All "); ok && u.unit == "" {
					u.unit = strings.ToLower(s)
				}
			}
		}
	}
	t.Unit, t.UnitMultiplier = u.unit, u.times
	t.Kind = kindOf(u.unit)
	if t.Kind == "" {
		t.Kind = ofCounts
		if d.fractions() && u.times == 0 {
			t.Kind = ofMagnitudes
		}
	}
	if rates().MatchString(u.unit) && (measure < 0) {
		d.rates = true
	}
	if measure >= 0 {
		d.measured = d.measuredBy(t, measure, group)
	}
}

// fractions reports whether a number has decimals, apart from 0, which some write as 0.0 among whole numbers.
func (d *draft) fractions() bool {
	for i := range d.cells {
		if v := d.cells[i].Value; v != nil && v.places() > 0 && strings.Trim(string(*v), "-0.") != "" {
			return true
		}
	}
	return false
}

// measuredBy returns the units and kinds of the codes of the measure. Those of the table are set to the ones of
// its amounts, if it has any.
func (d *draft) measuredBy(t *Table, measure int, group []*part) *measured {
	dim := &d.dims[measure]
	told := d.unitsOf(measure, group)
	rate := make([]bool, len(dim.items))
	units, kinds := make([]string, len(dim.items)), make([]string, len(dim.items))
	for i := range dim.items {
		label := dim.items[i].label
		u := told[i]
		if v, _, ok := unitIn(label); ok && u == (unitText{}) {
			u = v
		}
		if u.unit == "" && isUnit(label) {
			u = parseUnit(label)
		}
		units[i], kinds[i] = u.unit, kindOf(u.unit)
		if kinds[i] == "" && contributors().MatchString(label) {
			kinds[i] = ofCounts
		}
		if kinds[i] == "" {
			kinds[i] = d.kindByValues(measure, i)
		}
		rate[i] = rates().MatchString(u.unit) || rates().MatchString(label)
	}
	amounts, amountUnit := false, ""
	for i := range kinds {
		if kinds[i] == ofMagnitudes && !rate[i] {
			amounts = true
			if amountUnit == "" {
				amountUnit = units[i]
			}
		}
	}
	if amounts {
		t.Kind = ofMagnitudes
		if amountUnit != "" {
			t.Unit = amountUnit
		}
	} else {
		t.Kind = ofCounts
		all := sets.Where(units, func(u string) bool { return u != "" })
		if len(all) > 0 {
			t.Unit = strings.Join(all, ", ")
		}
	}
	return &measured{units, kinds, rate}
}

// kindByValues returns the kind of a measure without a unit: counts if all its numbers are whole, else
// magnitudes.
func (d *draft) kindByValues(measure, code int) string {
	for i := range d.cells {
		if int(d.coord[i][measure]) == code && d.cells[i].Value != nil && d.cells[i].Value.places() > 0 {
			return ofMagnitudes
		}
	}
	return ofCounts
}
