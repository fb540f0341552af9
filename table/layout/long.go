package layout

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/table/tableio"
)

// Long tables have a cell on each line, columns of codes and a column of values. Those of
// statistical offices are known by their columns; others by a column that is called a value.

// A longDim is a dimension of a long table.
type longDim struct {
	name   string
	code   int  // the column of its codes
	label  int  // of their names, −1: the codes themselves
	listed bool // a dimension although it has one code
	role   string
	whole  bool // labels are code: name in one field
}

// A longForm says which column of a long table holds what.
type longForm struct {
	header int // row
	format string
	marks  string // the convention of its marks
	dims   []longDim
	value  int
	status []int // columns of marks and flags, the one that tells of secrets first
	known  bool  // by the names of its columns
	named  int   // of the names of status[0], 0 none
	unit   int   // −1 none
	scale  int   // of the word for a multiplier, −1 none
	aside  []Aside
}

// long reads a grid that is a long table; nil where it is none.
func long(g *Grid, f File, o Options) (*Reading, error) {
	if g.eurostat() {
		return g.readEurostat(f, o)
	}
	form := g.longForm(f, o)
	if form == nil {
		return nil, nil
	}
	return g.readLong(form, f, o)
}

// headerRow finds the row of names above a long table: the first as wide as most are.
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
		full := 0
		for _, f := range row {
			if strings.TrimSpace(f.Text) != "" {
				full++
			}
		}
		if full >= 2 && full >= wide-2 {
			return r
		}
	}
	return -1
}

// words that name what a column holds, folded to lower case without blanks.
var (
	valueNames  = wordSet(`value values obs_value observation observationvalue wert werte valeur valeurs valor waarde arvo 値 数値 観測値 統計値 data_value datavalue figure estimate`)
	statusNames = wordSet(`conf_status obs_status obs_flag status flag flags observationstatus symbol annotation 注釈 備考 value_q quality symbols footnote_codes footnotes statusflag value_flag`)
	timeNames   = wordSet(`time time_period timeperiod ref_date year years period periods periode perioden periodo jahr jahre zeit année annee annees anno año date month quarter 年 年次 年度 時点 時間軸 調査年 集計年 vuosi vuosineljännes år tid refper`)
	measureName = regexp.MustCompile(`(?i)^表章項目|^measures?$|^indicators?$|^indic_?|^variables?$|^merkmal$|^onderwerp|^tiedot$|^estimates?$|^statistics?$|contents?code|^tietoja$`)
)

// timeName reports whether a column is called a time.
func timeName(s string) bool {
	w := wordOf(s)
	for _, cut := range []string{"(", "（"} {
		w, _, _ = strings.Cut(w, cut)
	}
	return timeNames[w]
}

// longForm finds what the columns hold; nil where the grid is no long table.
func (g *Grid) longForm(f File, o Options) *longForm {
	h := g.headerRow()
	if o.HeaderRows > 0 || o.Range != "" || o.LabelColumns > 0 {
		return nil // said to be wide
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
	form := &longForm{header: h, unit: -1, scale: -1, value: -1, format: f.Format}
	for _, known := range []func(*longForm, []string, []string) bool{g.sdmx, g.statcan, g.genesis, g.estat, g.plainLong} {
		try := *form
		if known(&try, names, words) {
			return &try
		}
	}
	return nil
}

// column returns the place of a name among the words, −1 for none.
func column(words []string, names ...string) int {
	for _, n := range names {
		if c := slices.Index(words, n); c >= 0 {
			return c
		}
	}
	return -1
}

// leave sets a column aside.
func (l *longForm) leave(g *Grid, c int, why string) {
	l.aside = append(l.aside, Aside{Sheet: g.sheet(), Ref: g.Ref(l.header, c), Why: why})
}

// sheet is the name of the sheet, nil for a text.
func (g *Grid) sheet() *string {
	if g.Lines != nil {
		return nil
	}
	return &g.Sheet
}

// sdmx knows SDMX-CSV 1.0 and 2.0: with codes alone, with names in columns of their own, or
// with both in one field.
func (g *Grid) sdmx(l *longForm, names, words []string) bool {
	bare := make([]string, len(names)) // FREQ of FREQ: Frequency
	for c, n := range names {
		bare[c], _, _ = strings.Cut(n, ":")
		bare[c] = strings.TrimSpace(bare[c])
	}
	l.value = slices.Index(bare, "OBS_VALUE")
	if l.value < 0 || !slices.Contains([]string{"DATAFLOW", "STRUCTURE"}, bare[0]) {
		return false
	}
	l.format, l.known = "sdmx-csv", true
	first := 1
	if bare[0] == "STRUCTURE" {
		for first < len(bare) && slices.Contains([]string{"STRUCTURE_ID", "STRUCTURE_NAME", "ACTION"}, bare[first]) {
			first++
		}
	}
	for c := range first {
		l.leave(g, c, "names the structure of the file")
	}
	paired := false // names stand beside codes
	for c := l.value + 1; c < len(names); c++ {
		if words[c] == "observationvalue" || bare[c] == "OBS_FLAG" && c == l.value+2 {
			paired = true
		}
	}
	for c := first; c < l.value; c++ {
		d := longDim{name: bare[c], code: c, label: -1, listed: true, role: Classification, whole: strings.Contains(names[c], ": ")}
		if paired && c+1 < l.value {
			d.label = c + 1
			c++
		}
		if d.name == "TIME_PERIOD" {
			d.role = Time
		}
		l.dims = append(l.dims, d)
	}
	for c := l.value + 1; c < len(bare); c++ {
		switch bare[c] {
		case "CONF_STATUS":
			l.status = slices.Insert(l.status, 0, c)
			if paired && c+1 < len(bare) {
				l.named = c + 1
			}
		case "OBS_STATUS", "OBS_FLAG":
			l.status = append(l.status, c)
		default:
			if c > l.value+1 || !paired {
				l.leave(g, c, "an attribute of the observation")
			}
		}
	}
	l.marks = eurostat
	return len(l.dims) > 0
}

// statcan knows the tables of Statistics Canada.
func (g *Grid) statcan(l *longForm, names, words []string) bool {
	l.value = column(words, "value")
	if l.value < 0 || column(words, "ref_date") < 0 || column(words, "vector", "coordinate", "dguid") < 0 {
		return false
	}
	for c, w := range words[:l.value] {
		switch w {
		case "dguid", "vector", "coordinate", "uom_id", "scalar_id", "id":
			l.leave(g, c, "identifies the series, is no dimension")
		case "uom":
			l.unit = c
		case "scalar_factor":
			l.scale = c
		default:
			d := longDim{name: names[c], code: c, label: -1, listed: true, role: Classification}
			if w == "ref_date" {
				d.role = Time
			}
			l.dims = append(l.dims, d)
		}
	}
	for c := l.value + 1; c < len(words); c++ {
		if words[c] == "status" || words[c] == "symbol" {
			l.status = append(l.status, c)
		} else {
			l.leave(g, c, "is no dimension")
		}
	}
	l.marks, l.known = statcan, true
	return true
}

var (
	genesisCode  = regexp.MustCompile(`^(\d+)_(?:auspraegung|ausprägung|variable_attribute)_code$`)
	genesisLabel = regexp.MustCompile(`^(\d+)_(?:auspraegung|ausprägung|variable_attribute)_label$`)
	genesisName  = regexp.MustCompile(`^(\d+)_(?:merkmal|variable)_label$`)
)

// genesis knows the flat files of GENESIS, old and new.
func (g *Grid) genesis(l *longForm, names, words []string) bool {
	dims := map[string]*longDim{}
	var order []string
	timeColumn := -1
	for c, w := range words {
		m := genesisCode.FindStringSubmatch(w)
		switch {
		case m != nil:
			dims[m[1]] = &longDim{code: c, label: -1, listed: true, role: Classification, name: m[1]}
			order = append(order, m[1])
		case w == "zeit" || w == "time":
			timeColumn = c
		case w == "value" || w == "wert":
			l.value = c
		case w == "value_unit" || w == "wert_einheit":
			l.unit = c
		}
	}
	if len(dims) == 0 {
		return false
	}
	for c, w := range words {
		if m := genesisLabel.FindStringSubmatch(w); m != nil && dims[m[1]] != nil {
			dims[m[1]].label = c
		}
		if m := genesisName.FindStringSubmatch(w); m != nil && dims[m[1]] != nil {
			if name := strings.TrimSpace(g.At(l.header+1, c).Text); name != "" {
				dims[m[1]].name = name
			}
		}
	}
	if timeColumn >= 0 {
		l.dims = append(l.dims, longDim{name: names[timeColumn], code: timeColumn, label: -1, role: Time})
	}
	for _, k := range order {
		l.dims = append(l.dims, *dims[k])
	}
	if c := column(words, "value_variable_code"); c >= 0 {
		l.dims = append(l.dims, longDim{name: "Merkmal", code: c, label: column(words, "value_variable_label"), role: Measure})
	}
	l.known = true
	if l.value < 0 { // the old files have a column for each measure: CODE__Label__Unit
		for c, n := range names {
			if strings.Count(n, "__") == 2 {
				if l.value >= 0 {
					return false // several measures side by side are a wide table
				}
				l.value = c
			}
		}
	}
	return l.value >= 0
}

// code heads of e-Stat: 地域 コード beside 地域.
var estatCode = regexp.MustCompile(`^(.+?)\s*(コード|補助コード)$`)

// estat knows the long files of e-Stat, from its database and its API.
func (g *Grid) estat(l *longForm, names, words []string) bool {
	l.value = column(words, "value", "値")
	if l.value < 0 {
		return false
	}
	named := map[string]int{}
	for c, n := range names {
		named[n] = c
	}
	used := map[int]bool{l.value: true}
	for c, n := range names[:l.value] {
		m := estatCode.FindStringSubmatch(n)
		api := strings.HasSuffix(words[c], "_code") && c+1 < l.value
		switch {
		case m != nil && m[2] == "コード":
			if label, ok := named[m[1]]; ok && !used[label] {
				l.dims = append(l.dims, longDim{name: m[1], code: c, label: label, role: estatRole(m[1])})
				used[c], used[label] = true, true
			}
		case m != nil:
			used[c] = true // 補助コード repeats the code, or is empty
			l.leave(g, c, "an auxiliary code")
		case api && !used[c]:
			l.dims = append(l.dims, longDim{name: names[c+1], code: c, label: c + 1, role: estatRole(names[c+1])})
			used[c], used[c+1] = true, true
		}
	}
	if len(l.dims) == 0 {
		return false
	}
	l.known = true
	for c, w := range words {
		switch {
		case used[c]:
		case w == "unit" || w == "単位":
			l.unit = c
		case statusNames[w]:
			l.status = append(l.status, c)
		default:
			l.leave(g, c, "no code stands beside it")
		}
	}
	return true
}

func estatRole(name string) string {
	switch {
	case timeName(name) || strings.HasPrefix(name, "時間軸"):
		return Time
	case measureName.MatchString(name):
		return Measure
	}
	return Classification
}

// plainLong knows a table by one column that is called a value, or has amounts and stands last,
// and columns of codes that tell its lines apart.
func (g *Grid) plainLong(l *longForm, names, words []string) bool {
	for c, w := range words {
		if valueNames[w] {
			if l.value >= 0 {
				return false
			}
			l.value = c
		}
	}
	if l.value < 0 || len(names) < 3 {
		return false
	}
	columns := g.columns(l.header, len(names))
	var free []int
	for c, w := range words {
		x := columns[c]
		switch {
		case c == l.value:
		case statusNames[w]:
			l.status = append(l.status, c)
		case w == "unit" || w == "uom" || w == "einheit" || w == "単位" || w == "unité" || w == "yksikkö":
			l.unit = c
		case x.filled == 0:
			l.leave(g, c, "empty")
		case len(x.distinct) == 1:
			l.leave(g, c, "the same on every line: "+tableio.Show(x.distinct[0]))
		case x.measured:
			l.leave(g, c, "numbers that are no codes")
		default:
			free = append(free, c)
		}
	}
	taken := map[int]bool{}
	for i, c := range free {
		if taken[c] {
			continue
		}
		d := longDim{name: names[c], code: c, label: -1, role: Classification}
		for _, k := range free[i+1:] {
			if taken[k] || !g.oneToOne(l.header, c, k) {
				continue
			}
			taken[k] = true
			if d.label < 0 { // the code is the one that looks like one
				if d.label = k; !columns[c].codelike && columns[k].codelike {
					d.code, d.label = k, c
				}
				d.name = nameOf(names[d.code], names[d.label])
			} else {
				l.leave(g, k, "goes with "+names[d.code]+" one to one")
			}
		}
		if timeName(d.name) {
			d.role = Time
		} else if measureName.MatchString(d.name) {
			d.role = Measure
		}
		l.dims = append(l.dims, d)
	}
	return len(l.dims) > 0
}

// nameOf is what a dimension is called whose codes and names stand in columns of their own.
func nameOf(code, label string) string {
	for _, end := range []string{"名", "名称", "_name", " name", "_label", " label", "_NAME", "_LABEL"} {
		if n, ok := strings.CutSuffix(label, end); ok && n != "" {
			return strings.TrimSpace(n)
		}
	}
	if codeHeads.MatchString(label) {
		return code
	}
	return label
}

// A columnLook says what stands in a column.
type columnLook struct {
	filled   int
	distinct []string // at most so many
	codelike bool
	measured bool // numbers with decimals
}

// columns looks at the columns below a header.
func (g *Grid) columns(header, n int) []columnLook {
	const most = 1 << 16
	all := make([]columnLook, n)
	for c := range all {
		x := &all[c]
		x.codelike = true
		seen := map[string]bool{}
		for r := header + 1; r < len(g.Rows); r++ {
			s := strings.TrimSpace(g.At(r, c).Text)
			if s == "" {
				continue
			}
			x.filled++
			if !seen[s] && len(seen) < most {
				seen[s] = true
				x.distinct = append(x.distinct, s)
				x.codelike = x.codelike && isCodeLike(s)
				if k := strings.IndexAny(s, ".,"); k > 0 && !isTime(s) {
					if w := (&NumberStyle{Decimal: s[k]}).Read(s); w.OK && w.Mark == "" {
						x.measured = true
					}
				}
			}
		}
	}
	return all
}

// oneToOne reports whether each text of one column goes with one of another.
func (g *Grid) oneToOne(header, a, b int) bool {
	to, from := map[string]string{}, map[string]string{}
	for r := header + 1; r < len(g.Rows); r++ {
		if len(g.Rows[r]) <= max(a, b) {
			continue
		}
		x, y := g.Rows[r][a].Text, g.Rows[r][b].Text
		if k, ok := to[x]; ok && k != y {
			return false
		}
		if k, ok := from[y]; ok && k != x {
			return false
		}
		to[x], from[y] = y, x
	}
	return len(to) > 0
}

// readLong reads the lines of a long table.
func (g *Grid) readLong(l *longForm, f File, o Options) (*Reading, error) {
	f.Format = l.format
	t := &Table{}
	fault := func(r, c int, value, want string) error {
		e := &tableio.Error{File: f.Name, Value: value, Want: want}
		if e.Line = r + 1; g.Lines != nil {
			e.Line = g.Lines[r]
		}
		if c >= 0 {
			e.Field = g.At(l.header, c).Text
		}
		return e
	}
	marks := MarksOf(l.marks)
	g.legends(marks, 0, l.header)
	last := len(g.Rows)
	for last > l.header+1 && (len(g.Rows[last-1]) <= l.value || g.footer(last-1, l)) {
		last--
	}
	g.legends(marks, last, len(g.Rows))
	var forms numberForms
	var separator byte
	if f.Separator != "" {
		separator = f.Separator[0]
	}
	for r := l.header + 1; r < last; r++ {
		forms.add(g.At(r, l.value).Text)
	}
	style := forms.styles(separator)[0]
	if f.Decimal != "" {
		style.Decimal = f.Decimal[0]
		style.Thousands = f.Thousands
	}
	style.Marks = marks
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
			return nil, fault(r, -1, "", fmt.Sprintf("%d fields, but the header has %d", len(g.Rows[r]), len(g.Rows[l.header])))
		}
		cell := Cell{Sheet: g.sheet(), Ref: g.Ref(r, l.value), Codes: make([]string, len(l.dims))}
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
					return nil, fault(r, x.code, `""`, "want a code")
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
			return nil, fault(r, -1, strings.Join(cell.Codes, "/"), "cell given twice, first on line "+cmp.Or(strings.Split(g.Ref(before, 0), ":")[0], "?"))
		}
		first[key] = r
		if err := g.longValue(&cell, r, l, &style); err != nil {
			return nil, fault(r, l.value, tableio.Show(g.At(r, l.value).Text), err.Error())
		}
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
		return nil, fault(l.header, -1, "", "no lines below the header")
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

// longValue reads the value of a cell and what stands beside it.
func (g *Grid) longValue(cell *Cell, r int, l *longForm, style *NumberStyle) error {
	text := g.At(r, l.value).Text
	w := style.Read(text)
	switch {
	case w.OK && w.Mark == "":
		cell.Value, cell.Flag = w.Value, w.Flag
		for _, c := range l.status {
			if s := strings.TrimSpace(g.At(r, c).Text); s != "" && s != "A" && cell.Flag == "" && !longText(s) {
				cell.Flag, cell.MarkRef = s, g.Ref(r, c)
			}
		}
		return nil
	case w.OK:
		mark := w.Mark
		cell.Mark, cell.Means, cell.Value = &mark, w.Means, w.Value
		return nil
	case strings.TrimSpace(text) != "":
		return fmt.Errorf("want a number or a mark; say what it means in a layout: [table.marks] %q = \"suppressed\"", strings.TrimSpace(text))
	}
	mark, means := "", Unavailable
	for _, c := range l.status {
		s := strings.TrimSpace(g.At(r, c).Text)
		if s == "" || s == "A" || s == "F" && l.format == "sdmx-csv" && wordOf(g.At(l.header, c).Text) == "conf_status" {
			continue
		}
		mark, cell.MarkRef = s, g.Ref(r, c)
		means = statusMeans(s, wordOf(g.At(l.header, c).Text), style.Marks)
		break
	}
	written := strings.TrimSpace(text)
	cell.Mark, cell.Means = &mark, means
	if cell.MarkRef != "" {
		cell.Written = &written
	}
	if means == Nil {
		zero := Decimal("0")
		cell.Value = &zero
	}
	return nil
}

// longText reports whether a status is a remark rather than a flag.
func longText(s string) bool { return len([]rune(s)) > 8 }

// statusMeans is what a status beside an empty value says of it.
func statusMeans(s, column string, marks *Marks) string {
	if strings.HasPrefix(column, "conf_status") {
		return Suppressed // all codes of CL_CONF_STATUS but F
	}
	if strings.HasPrefix(column, "obs_status") || strings.HasPrefix(column, "obs_flag") {
		switch {
		case strings.Contains(s, "c") || s == "Q":
			return Suppressed
		case s == "z" || s == "M" && false:
			return Inapplicable
		case strings.Contains(s, "u"):
			return Unreliable
		}
		return Unavailable
	}
	if _, means, ok := marks.Find(s); ok {
		return means
	}
	if means := Meaning(s); means != "" {
		return means
	}
	return Unavailable
}

// longUnits sets unit, kind and multiplier of a table.
func (g *Grid) longUnits(t *Table, l *longForm, seen, scales map[string]int) {
	if len(seen) == 1 {
		for u := range seen {
			x := parseUnit(u)
			t.Unit, t.UnitMultiplier = x.unit, x.times
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
	if t.Unit == "" { // a dimension of one unit, as Eurostat has it
		for _, d := range t.Dimensions {
			if wordOf(d.Name) == "unit" && len(d.Codes) == 1 {
				x := parseUnit(d.Codes[0].Label)
				t.Unit, t.UnitMultiplier = x.unit, x.times
			}
		}
	}
	t.Kind = kindOf(t.Unit)
	t.guessKind()
}

// guessKind calls a table counts whose unit is unknown and whose numbers are whole and ≥ 0.
func (t *Table) guessKind() {
	if t.Kind != "" {
		return
	}
	t.Kind = Counts
	for i := range t.Cells {
		if v := t.Cells[i].Value; v != nil && (v.Places() > 0 || strings.HasPrefix(string(*v), "-")) {
			t.Kind = Magnitudes
			return
		}
	}
}

// dropConstant leaves dimensions of one code out, unless the file lists them as dimensions.
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

// finishRoles finds times by their codes, and measures by several units.
func (t *Table) finishRoles() {
	for d := range t.Dimensions {
		dim := &t.Dimensions[d]
		if dim.Role == Classification && !slices.ContainsFunc(dim.Codes, func(c Code) bool { return !isTime(c.Label) }) && (timeName(dim.Name) || len(dim.Codes) > 1) {
			dim.Role = Time
		}
		if dim.Role == Classification && len(dim.Codes) > 1 && (measureName.MatchString(dim.Name) || wordOf(dim.Name) == "unit") {
			dim.Role = Measure
		}
	}
}

// legends reads what the rows from … to tell of marks.
func (g *Grid) legends(m *Marks, from, to int) {
	for r := from; r < to && r < len(g.Rows); r++ {
		row := g.Rows[r]
		if len(row) > 1 && m.LearnPair(row[0].Text, row[1].Text) {
			continue
		}
		for _, f := range row {
			if f.Text != "" && !f.Number {
				m.Learn(f.Text)
			}
		}
	}
}

// footer reports whether a row below a long table is a note: one text in its first field, none
// where the value stands.
func (g *Grid) footer(r int, l *longForm) bool {
	full := 0
	for _, f := range g.Rows[r] {
		if strings.TrimSpace(f.Text) != "" {
			full++
		}
	}
	return full == 0 || full == 1 && len(l.dims) > 1 && strings.TrimSpace(g.At(r, l.value).Text) == ""
}

var titleWords = regexp.MustCompile(`^(?:表題|表名|統計表名|title|titel|titre)`)

// longNotes takes the texts above and below a long table.
func (g *Grid) longNotes(t *Table, l *longForm, last int) {
	note := func(r int) {
		row := g.Rows[r]
		var at []int
		for c := range row {
			if strings.TrimSpace(row[c].Text) != "" {
				at = append(at, c)
			}
		}
		if len(at) == 0 {
			return
		}
		c, what := at[0], "note"
		if len(at) == 2 { // a name and what it says
			if c = at[1]; titleWords.MatchString(wordOf(row[at[0]].Text)) {
				what = "title"
			}
			if isMarkLike(row[c].Text) {
				return
			}
		}
		text := strings.TrimSpace(row[c].Text)
		if sourceLine.MatchString(text) {
			what = "source"
		}
		if what == "title" && (t.Title == "" || len(at) == 2) {
			t.Title = text
		}
		t.Notes = append(t.Notes, Note{What: what, Text: text, Sheet: g.sheet(), Ref: g.Ref(r, c)})
	}
	for r := range l.header {
		note(r)
	}
	for r := last; r < len(g.Rows); r++ {
		note(r)
	}
}

var sourceLine = regexp.MustCompile(`(?i)^(?:source|sources|quelle|bron|lähde|källa|fuente|資料|出典|©)[\s:：]?`)

// layout is how the table was read, to be saved.
func (l *longForm) layout(g *Grid, t *Table, f File) *Layout {
	b := Block{Name: t.Name, Sheet: g.Sheet, HeaderRows: []int{l.header + 1}, Unit: t.Unit, Multiplier: t.UnitMultiplier, Kind: t.Kind, Decimal: f.Decimal, Thousands: f.Thousands}
	if g.Lines != nil {
		b.HeaderRows[0] = g.Lines[l.header]
	}
	name := func(c int) string { return g.column(c) }
	for d, x := range l.dims {
		b.Labels = append(b.Labels, Stub{Column: name(x.code), Holds: "code", Dimension: t.Dimensions[d].Name})
		if x.label >= 0 {
			b.Labels = append(b.Labels, Stub{Column: name(x.label), Holds: "label", Dimension: t.Dimensions[d].Name})
		}
		s := SavedDimension{Name: t.Dimensions[d].Name, Role: t.Dimensions[d].Role, NoTotal: !t.Dimensions[d].Additive}
		b.Dimensions = append(b.Dimensions, s)
	}
	b.Values = []string{name(l.value)}
	apart := l.format == "sdmx-csv" || l.marks == statcan || slices.ContainsFunc(t.Cells, func(c Cell) bool { return c.Written != nil })
	for n, c := range l.status {
		holds := "flag"
		if n == 0 && apart {
			holds = "mark"
		}
		b.Labels = append(b.Labels, Stub{Column: name(c), Holds: holds})
	}
	if l.named > 0 {
		b.Labels = append(b.Labels, Stub{Column: name(l.named), Holds: "mark name"})
	}
	return &Layout{Format: "long", Blocks: []Block{b}}
}

// column is what a layout calls a column.
func (g *Grid) column(c int) string {
	if g.Lines != nil {
		return fmt.Sprint(c + 1)
	}
	return columnName(c)
}
