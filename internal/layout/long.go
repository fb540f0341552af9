package layout

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// Long tables have one cell on each line, columns of codes and a column of values. Those of statistical offices are
// recognized by the names of their columns, others by a column that is called a value.

// A longDim is a dimension of a long table.
type longDim struct {
	name   string
	code   int  // the column of its codes
	label  int  // the column of their names, −1 where the codes serve as names
	listed bool // it is a dimension even if it has a single code
	role   string
	whole  bool // the column has code: name in one field
}

// A longForm says which column of a long table holds what.
type longForm struct {
	header int          // its row
	looks  []columnLook // what its columns look like, once that was examined
	format string
	marks  string // the convention that its marks follow
	dims   []longDim
	value  int
	status []int             // columns of marks and flags, first the one that tells of secrecy
	known  bool              // the names of its columns are those of a known format
	told   map[string]string // marks that a saved layout or the file itself explains
	named  int               // the column with the names of what status[0] holds, 0 for none
	office []int             // other columns that may tell of the value
	unit   int               // the column of units, −1 for none
	scale  int               // the column with the word for a multiplier, −1 for none
	freq   int               // the column with the numbers of contributors, −1 for none
	saved  bool              // a saved layout says all of this
	unused error             // why no table is made: a column says what is sensitive, and is not used
	aside  []Aside
}

// long reads a grid that is a long table. It returns nil where it is none.
func long(g *Grid, f File, o Options) (*Reading, error) {
	if g.eurostat() {
		return g.readEurostat(f, o)
	}
	form := g.longForm(f, o)
	if o.From != nil && o.From.Format == longFormat && len(o.From.Blocks) == 1 {
		var err error
		b := &o.From.Blocks[0]
		if form, err = g.savedForm(f, b); err != nil {
			return nil, err
		}
		for _, d := range b.Dimensions {
			if d.NoTotal && d.Role == ofClassification {
				o.NoTotal = append(slices.Clone(o.NoTotal), d.Name)
			}
		}
		o.Tolerance = cmp.Or(o.Tolerance, b.Tolerance)
	}
	if form == nil {
		return nil, nil
	}
	if err := g.settleColumns(form, f, o.Freq); err != nil {
		return nil, err
	}
	return g.readLong(form, f, o)
}

// headerRow returns the row of names above a long table, the first one as wide as most rows; −1 for none.
func (g *Grid) headerRow() int {
	count := map[int]int{}
	for _, row := range g.Rows {
		if len(row) > 0 {
			count[len(row)]++
		}
	}
	wide, most := 0, 0
	for w, n := range count {
		if n > most || n == most && w > wide {
			wide, most = w, n
		}
	}
	if wide < 2 {
		return -1
	}
	for r, row := range g.Rows {
		if len(row) < wide {
			continue
		}
		full := sets.Count(row, func(f Field) bool { return strings.TrimSpace(f.Text) != "" })
		if full >= 2 && full >= wide-2 {
			return r
		}
	}
	return -1
}

// words that name what a column holds, in lower case without blanks
var (
	valueNames  = wordSet(`value values obs_value observation observationvalue wert werte valeur valeurs valor waarde arvo 値 数値 観測値 統計値 data_value datavalue figure estimate`)
	statusNames = wordSet(`conf_status obs_status obs_flag status flag flags observationstatus symbol annotation 注釈 備考 value_q quality symbols footnote_codes footnotes statusflag value_flag`)
	timeNames   = wordSet(`time time_period timeperiod ref_date year years period periods periode perioden periodo jahr jahre zeit année annee annees anno año date month quarter 年 年次 年度 月 月次 四半期 時点 時間軸 調査年 集計年 mes trimestre monat quartal mois vuosi vuosineljännes år tid refper rok год ano gads`)
	measureName = lazy.Regexp(`(?i)^表章項目|^measures?$|^indicators?$|^indic_?|^variables?$|^merkmal$|^onderwerp|^tiedot$|^estimates?$|^statistics?$|contents?code|^tietoja$`)
)

// timeName reports whether s names a column of times.
func timeName(s string) bool {
	w := wordOf(s)
	for _, cut := range []string{"(", "（"} {
		w, _, _ = strings.Cut(w, cut)
	}
	return timeNames[w]
}

// longForm finds out what the columns hold. It returns nil where the grid is no long table.
func (g *Grid) longForm(f File, o Options) *longForm {
	h := g.headerRow()
	if o.HeaderRows > 0 || o.Range != "" || o.LabelColumns > 0 {
		return nil // the options describe a wide table
	}
	if h < 0 || h+1 >= len(g.Rows) {
		return nil
	}
	names := make([]string, len(g.Rows[h]))
	words := make([]string, len(names))
	for c, f := range g.Rows[h] {
		names[c] = strings.TrimSpace(squeeze(f.Text))
		words[c] = wordOf(names[c])
	}
	form := &longForm{header: h, unit: -1, scale: -1, value: -1, freq: -1, format: f.Format}
	for _, known := range []func(*longForm, []string, []string) bool{g.sdmx, g.statcan, g.genesis, g.estat, g.plainLong} {
		try := *form
		if known(&try, names, words) {
			return &try
		}
	}
	return nil
}

// sheet returns the name of the sheet, nil for a text file.
func (g *Grid) sheet() *string {
	if g.Lines != nil {
		return nil
	}
	return &g.Sheet
}

// readLong reads a long table. Where its numbers can be read in two ways, its sums decide.
func (g *Grid) readLong(l *longForm, f File, o Options) (*Reading, error) {
	f.Format = l.format
	marks := marksOf(l.marks)
	g.legends(marks, 0, l.header)
	last := len(g.Rows)
	for last > l.header+1 && (len(g.Rows[last-1]) <= l.value || g.footer(last-1, l)) {
		last--
	}
	g.legends(marks, last, len(g.Rows))
	for mark, means := range l.told {
		marks.tell(mark, means)
	}
	l.told = marks.Told()
	var forms numberForms
	var separator byte
	if f.Separator != "" {
		separator = f.Separator[0]
	}
	for r := l.header + 1; r < last; r++ {
		forms.add(g.At(r, l.value).Text)
	}
	styles := forms.styles(separator)
	if f.Decimal != "" {
		styles = []numberStyle{{Decimal: f.Decimal[0], Thousands: f.Thousands}}
	}
	var best *Reading
	var first error
	most, even := -1, false
	for _, style := range styles {
		style.Marks = marks
		form := *l
		r, err := g.readLongAs(&form, f, o, &style, last)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		right := 0
		for _, x := range r.Tables[0].Relations {
			right += x.Checked - x.Missed
		}
		if even = right == most; right > most {
			best, most = r, right
		}
	}
	switch {
	case best == nil:
		return nil, first
	case even && forms.decimal[0]+forms.decimal[1] == 0:
		k := 0
		if forms.either[1] > 0 {
			k = 1
		}
		mark := points[k : k+1]
		return nil, &AmbiguityError{File: f.Name, Ambiguity: Ambiguity{Question: i18n.T("how is %s meant?", forms.first[k]),
			Readings: []i18n.Text{i18n.T("a whole number, %s stands between thousands", mark), i18n.T("a number with three decimals")}, Options: []string{"--thousands " + mark, "--decimal " + mark}}}
	}
	return best, nil
}

// readLongAs reads the lines of a long table up to the row last, with numbers in one style.
func (g *Grid) readLongAs(l *longForm, f File, o Options, style *numberStyle, last int) (*Reading, error) {
	t := &Table{unused: l.unused}
	fault := func(r, c int, value string, want i18n.Text) error {
		e := &formats.Error{File: f.Name, Line: g.line(r), Value: value, Want: want}
		if c >= 0 {
			e.Field = g.At(l.header, c).Text
		}
		return e
	}
	f.Decimal, f.Thousands = string(rune(style.Decimal)), style.Thousands
	listed := make([]map[string]int, len(l.dims))
	for d, x := range l.dims {
		listed[d] = map[string]int{}
		t.Dimensions = append(t.Dimensions, Dimension{Name: x.name, Role: x.role})
	}
	first := map[string]int{}
	unitsSeen, scales := map[string]int{}, map[string]int{}
	for r := l.header + 1; r < last; r++ {
		if len(g.Rows[r]) == 0 {
			continue
		}
		if len(g.Rows[r]) <= l.value {
			return nil, fault(r, -1, "", i18n.T("%d fields, but the header has %d", len(g.Rows[r]), len(g.Rows[l.header])))
		}
		cell := Cell{Sheet: g.sheet(), Ref: g.ref(r, l.value), Codes: make([]string, len(l.dims))}
		for d, x := range l.dims {
			code := strings.TrimSpace(g.At(r, x.code).Text)
			label := code
			if x.whole {
				if a, b, ok := strings.Cut(code, ": "); ok {
					code, label = a, b
				}
			} else if x.label >= 0 {
				if s := strings.TrimSpace(squeeze(g.At(r, x.label).Text)); s != "" {
					label = s
				}
			}
			if code == "" {
				if code = label; code == "" {
					return nil, fault(r, x.code, `""`, i18n.T("want a code"))
				}
			}
			if k, ok := listed[d][code]; !ok {
				listed[d][code] = len(t.Dimensions[d].Codes)
				t.Dimensions[d].Codes = append(t.Dimensions[d].Codes, Code{Code: code, Label: label})
			} else if have := &t.Dimensions[d].Codes[k]; have.Label == have.Code && label != code {
				have.Label = label
			}
			cell.Codes[d] = code
		}
		key := strings.Join(cell.Codes, "\x00")
		if before, dup := first[key]; dup {
			return nil, fault(r, -1, strings.Join(cell.Codes, "/"), i18n.T("cell given twice, first on line %s; if lines are single units and no cells, make the table with hitoku tabulate", cmp.Or(strings.Split(g.ref(before, 0), ":")[0], "?")))
		}
		first[key] = r
		if err := g.longValue(&cell, r, l, style); err != nil {
			return nil, fault(r, l.value, formats.Show(g.At(r, l.value).Text), i18n.T("%s", err))
		}
		told, c, err := g.besides(l, r)
		if err != nil && t.unused == nil {
			t.unused = fault(r, c, formats.Show(g.At(r, c).Text), i18n.T("%s", err))
		}
		t.beside = append(t.beside, told)
		if l.unit >= 0 {
			u := strings.TrimSpace(g.At(r, l.unit).Text)
			unitsSeen[u]++
			for d, x := range l.dims {
				if x.role == Measure {
					k := listed[d][cell.Codes[d]]
					t.Dimensions[d].Codes[k].Unit = u
				}
			}
		}
		if l.scale >= 0 {
			scales[strings.TrimSpace(g.At(r, l.scale).Text)]++
		}
		t.Cells = append(t.Cells, cell)
	}
	if len(t.Cells) == 0 {
		return nil, fault(l.header, -1, "", i18n.T("no lines below the header"))
	}
	g.longUnits(t, l, unitsSeen, scales)
	t.dropConstant(l)
	t.finishRoles()
	if err := addUp(t, nil, o); err != nil {
		return nil, err
	}
	g.longNotes(t, l, last)
	return &Reading{File: f, Tables: []*Table{t}, Aside: l.aside, Layout: l.layout(g, t, f), known: l.known}, nil
}

// longValue reads the value of a cell, and the flag or mark beside it.
func (g *Grid) longValue(cell *Cell, r int, l *longForm, style *numberStyle) error {
	text := g.At(r, l.value).Text
	w := style.read(text)
	switch {
	case w.OK && w.Mark == "":
		cell.Value, cell.Flag = w.Value, w.Flag
		for _, c := range l.status {
			if s := g.status(l, r, c); s != "" && cell.Flag == "" && !longText(s) {
				cell.Flag, cell.MarkRef = s, g.ref(r, c)
			}
		}
		return nil
	case w.OK:
		mark := w.Mark
		cell.Mark, cell.Means, cell.Value = &mark, w.Means, w.Value
		return nil
	case strings.TrimSpace(text) != "":
		return i18n.Errorf("want a number or a mark; say what it means in a layout: [table.marks] %q = \"suppressed\"", strings.TrimSpace(text))
	}
	mark, means := "", isUnavailable
	for _, c := range l.status {
		s := g.status(l, r, c)
		if s == "" {
			continue
		}
		mark, cell.MarkRef = s, g.ref(r, c)
		means = statusMeans(s, wordOf(g.At(l.header, c).Text), style.Marks)
		break
	}
	written := strings.TrimSpace(text)
	cell.Mark, cell.Means = &mark, means
	if cell.MarkRef != "" {
		cell.Written = &written
	}
	if means == isNil {
		zero := Decimal("0")
		cell.Value = &zero
	}
	return nil
}

// status returns the flag or mark in a column of these, without a name behind a colon; empty where it says that the
// value is an ordinary one.
func (g *Grid) status(l *longForm, r, c int) string {
	s, _, _ := strings.Cut(strings.TrimSpace(g.At(r, c).Text), ": ")
	confidential := strings.HasPrefix(wordOf(g.At(l.header, c).Text), "conf_status")
	if s == "A" && !confidential || s == "F" && confidential {
		return ""
	}
	return s
}

// longText reports whether a status is a remark rather than a flag.
func longText(s string) bool { return len([]rune(s)) > 8 }

// statusMeans returns what a status beside an empty value says of it.
func statusMeans(s, column string, marks *marks) string {
	if strings.HasPrefix(column, "conf_status") {
		return Suppressed // all codes of CL_CONF_STATUS but F restrict publication
	}
	if strings.HasPrefix(column, "obs_status") || strings.HasPrefix(column, "obs_flag") {
		switch {
		case strings.Contains(s, "c") || s == "Q":
			return Suppressed
		case s == "z" || s == "M" && false:
			return isInapplicable
		case strings.Contains(s, "u"):
			return isUnreliable
		}
		return isUnavailable
	}
	if _, means, ok := marks.find(s); ok {
		return means
	}
	if means := meaning(s); means != "" {
		return means
	}
	return isUnavailable
}

// longUnits sets the unit, kind and multiplier of a table.
func (g *Grid) longUnits(t *Table, l *longForm, seen, scales map[string]int) {
	if len(seen) == 1 {
		for u := range seen {
			x := parseUnit(u)
			t.Unit, t.UnitMultiplier = lowerWord(x.unit), x.times
		}
	}
	if len(scales) == 1 {
		for s := range scales {
			switch strings.ToLower(s) {
			case "thousands":
				t.UnitMultiplier = 1000
			case "millions":
				t.UnitMultiplier = 1000000
			case "billions":
				t.UnitMultiplier = 1000000000
			}
		}
	}
	for d := range t.Dimensions {
		for c := range t.Dimensions[d].Codes {
			if code := &t.Dimensions[d].Codes[c]; code.Unit != "" {
				code.Kind = kindOf(code.Unit)
			}
		}
	}
	if t.Unit == "" { // a dimension with one unit, as in the files of Eurostat
		for _, d := range t.Dimensions {
			if wordOf(d.Name) == "unit" && len(d.Codes) == 1 {
				x := parseUnit(d.Codes[0].Label)
				t.Unit, t.UnitMultiplier = lowerWord(x.unit), x.times
			}
		}
	}
	t.Kind = kindOf(t.Unit)
	if l.freq >= 0 && t.Kind == "" { // beside numbers of contributors, the values count something else
		t.Kind = ofMagnitudes
	}
	t.guessKind()
}

// lowerWord returns a unit as it is written within a sentence: number for Number, but EUR and Mill. EUR.
func lowerWord(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && strings.Trim(s[1:], "abcdefghijklmnopqrstuvwxyz ") == "" {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// guessKind takes a table without a known kind for counts if its numbers are whole and not below 0, else for
// magnitudes.
func (t *Table) guessKind() {
	if t.Kind != "" {
		return
	}
	t.Kind = ofCounts
	for i := range t.Cells {
		if v := t.Cells[i].Value; v != nil && (v.places() > 0 || strings.HasPrefix(string(*v), "-")) {
			t.Kind = ofMagnitudes
			return
		}
	}
}

// dropConstant drops dimensions with a single code, unless the file lists them as dimensions.
func (t *Table) dropConstant(l *longForm) {
	for d := len(t.Dimensions) - 1; d >= 0; d-- {
		if len(t.Dimensions[d].Codes) > 1 || l.dims[d].listed || len(t.Dimensions) == 1 {
			continue
		}
		if code := t.Dimensions[d].Codes[0]; t.Dimensions[d].Role == Measure && t.Title == "" {
			t.Title = code.Label
		}
		l.dims = slices.Delete(slices.Clone(l.dims), d, d+1)
		t.Dimensions = slices.Delete(t.Dimensions, d, d+1)
		for i := range t.Cells {
			t.Cells[i].Codes = slices.Delete(t.Cells[i].Codes, d, d+1)
		}
	}
}

// finishRoles finds dimensions of time by their codes, and of measures by their names.
func (t *Table) finishRoles() {
	for d := range t.Dimensions {
		dim := &t.Dimensions[d]
		if dim.Role == ofClassification && !slices.ContainsFunc(dim.Codes, func(c Code) bool { return !isTime(c.Label) }) && (timeName(dim.Name) || len(dim.Codes) > 1) {
			dim.Role = ofTime
		}
		if dim.Role == ofClassification && timeName(dim.Name) && len(dim.Codes) > 1 && !slices.ContainsFunc(dim.Codes, func(c Code) bool { return !strings.ContainsFunc(c.Label, unicode.IsDigit) }) {
			dim.Role = ofTime // 2011TI, 12月, M03
		}
		if dim.Role == ofClassification && len(dim.Codes) > 1 && (measureName().MatchString(dim.Name) || wordOf(dim.Name) == "unit") {
			dim.Role = Measure
		}
	}
}
