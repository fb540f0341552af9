package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
)

// column returns the index of the first of the names that is among the words, −1 for none.
func column(words []string, names ...string) int {
	for _, n := range names {
		if c := slices.Index(words, n); c >= 0 {
			return c
		}
	}
	return -1
}

// leave notes that a column is left aside, and why.
func (l *longForm) leave(g *Grid, c int, why string, args ...any) {
	l.aside = append(l.aside, Aside{Sheet: g.sheet(), Ref: g.ref(l.header, c), Why: i18n.T(why, args...)})
}

// sdmx recognizes SDMX-CSV 1.0 and 2.0: with codes only, with names in columns of their own, or with both in one field.
func (g *Grid) sdmx(l *longForm, names, words []string) bool {
	bare := make([]string, len(names)) // FREQ, where a name is FREQ: Frequency
	for c, n := range names {
		bare[c], _, _ = strings.Cut(n, ":")
		bare[c] = strings.TrimSpace(bare[c])
	}
	bare[0], _, _ = strings.Cut(bare[0], "[") // STRUCTURE[;] names the separator of lists in a field
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
	paired := false // columns of names stand beside those of codes
	for c := l.value + 1; c < len(names); c++ {
		if words[c] == "observationvalue" || bare[c] == "OBS_FLAG" && c == l.value+2 {
			paired = true
		}
	}
	for c := first; c < l.value; c++ {
		if bare[c] == "SERIES_KEY" || bare[c] == "OBS_KEY" {
			l.leave(g, c, "repeats the codes")
			continue
		}
		d := longDim{name: bare[c], code: c, label: -1, listed: true, role: ofClassification, whole: strings.Contains(names[c], ":")}
		if paired && c+1 < l.value {
			d.label = c + 1
			c++
		}
		if d.name == "TIME_PERIOD" {
			d.role = ofTime
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
				l.office = append(l.office, c)
				l.leave(g, c, "an attribute of the observation")
			}
		}
	}
	l.marks = eurostat
	return len(l.dims) > 0
}

// identifies is why columns are left aside that only repeat what the codes say.
const identifies = "identifies the series, is no dimension"

// statcan recognizes the tables of Statistics Canada.
func (g *Grid) statcan(l *longForm, names, words []string) bool {
	l.value = column(words, "value")
	if l.value < 0 || column(words, "ref_date") < 0 || column(words, "vector", "coordinate", "dguid") < 0 {
		return false
	}
	for c, w := range words[:l.value] {
		switch w {
		case "dguid", "vector", "coordinate", "uom_id", "scalar_id", "id":
			l.leave(g, c, identifies)
		case "uom":
			l.unit = c
		case "scalar_factor":
			l.scale = c
		default:
			d := longDim{name: names[c], code: c, label: -1, listed: true, role: ofClassification}
			if w == "ref_date" {
				d.role = ofTime
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
	genesisCode  = lazy.Regexp(`^(\d+)_(?:auspraegung|ausprägung|variable_attribute)_code$`)
	genesisLabel = lazy.Regexp(`^(\d+)_(?:auspraegung|ausprägung|variable_attribute)_label$`)
	genesisName  = lazy.Regexp(`^(\d+)_(?:merkmal|variable)_label$`)
)

// genesis recognizes the flat files of GENESIS, old and new.
func (g *Grid) genesis(l *longForm, names, words []string) bool {
	dims := map[string]*longDim{}
	var order []string
	timeColumn := -1
	for c, w := range words {
		m := genesisCode().FindStringSubmatch(w)
		switch {
		case m != nil:
			dims[m[1]] = &longDim{code: c, label: -1, listed: true, role: ofClassification, name: m[1]}
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
		if m := genesisLabel().FindStringSubmatch(w); m != nil && dims[m[1]] != nil {
			dims[m[1]].label = c
		}
		if m := genesisName().FindStringSubmatch(w); m != nil && dims[m[1]] != nil {
			if name := strings.TrimSpace(g.At(l.header+1, c).Text); name != "" {
				dims[m[1]].name = name
			}
		}
	}
	if timeColumn >= 0 {
		l.dims = append(l.dims, longDim{name: names[timeColumn], code: timeColumn, label: -1, role: ofTime})
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

// estatCode matches the names of code columns of e-Stat: 地域 コード beside 地域.
var estatCode = lazy.Regexp(`^(.+?)\s*(コード|補助コード)$`)

// estat recognizes the long files of e-Stat, from its database and its API.
func (g *Grid) estat(l *longForm, names, words []string) bool {
	l.value = column(words, "value", "値")
	if l.value < 0 {
		return false
	}
	named := map[string]int{}
	japanese := column(words, "tab_code", "cat01_code") >= 0
	for c, n := range names {
		named[n] = c
		japanese = japanese || estatCode().MatchString(n)
	}
	if !japanese {
		return false
	}
	used := map[int]bool{l.value: true}
	for c, n := range names[:l.value] {
		m := estatCode().FindStringSubmatch(n)
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
			l.office = append(l.office, c)
			l.leave(g, c, "no code stands beside it; blanked where a value is withheld")
		}
	}
	return true
}

func estatRole(name string) string {
	switch {
	case timeName(name) || strings.HasPrefix(name, "時間軸"):
		return ofTime
	case measureName().MatchString(name):
		return Measure
	}
	return ofClassification
}

// plainLong recognizes a long table by one column that is called a value, or has amounts and stands last, and by
// columns of codes that tell its lines apart.
func (g *Grid) plainLong(l *longForm, names, words []string) bool {
	for c, w := range words {
		if valueNames[w] {
			if l.value >= 0 {
				return false
			}
			l.value = c
		}
	}
	if len(names) < 3 {
		return false
	}
	columns := g.columns(l.header, len(names))
	l.looks = columns
	if l.value < 0 && strings.Count(" "+strings.Join(words, " ")+" ", " freq ") == 1 { // as tidy files call it
		l.value = slices.Index(words, "freq")
	}
	if l.value < 0 {
		if l.value = g.lastValue(l.header, columns); l.value < 0 {
			return false
		}
	}
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
		case x.numbers == x.filled && tidyField().MatchString(w), holdings().MatchString(w):
			l.office = append(l.office, c)
			l.leave(g, c, "beside the values, as tidy files name it; blanked where a value is withheld")
		case len(x.distinct) == 1:
			l.leave(g, c, "the same on every line: %s", formats.Show(x.distinct[0]))
		case x.measured:
			l.office = append(l.office, c)
			l.leave(g, c, "numbers that are no codes; blanked where a value is withheld")
		default:
			free = append(free, c)
		}
	}
	taken := map[int]bool{}
	if len(free) > 2 { // the number of a line is no code
		for _, c := range free {
			if x := columns[c]; len(x.distinct) == x.filled && x.filled > 8 && !slices.ContainsFunc(free, func(k int) bool { return k != c && len(columns[k].distinct) == columns[k].filled }) {
				taken[c] = true
				l.leave(g, c, "another text on every line")
			}
		}
	}
	for i, c := range free {
		if taken[c] {
			continue
		}
		d := longDim{name: names[c], code: c, label: -1, role: ofClassification}
		for _, k := range free[i+1:] {
			if taken[k] || !g.oneToOne(l.header, c, k) {
				continue
			}
			taken[k] = true
			if d.label < 0 { // the column that looks like codes has the codes
				if d.label = k; !columns[c].codelike && columns[k].codelike {
					d.code, d.label = k, c
				}
				d.name = nameOf(names[d.code], names[d.label])
			} else {
				l.leave(g, k, "goes with %s one to one", names[d.code])
			}
		}
		if timeName(d.name) {
			d.role = ofTime
		} else if measureName().MatchString(d.name) {
			d.role = Measure
		}
		l.dims = append(l.dims, d)
	}
	return len(l.dims) > 0
}

// lastValue returns the last column if it alone holds numbers, the others hold labels or times, two or more of these
// vary, and at least half of their combinations stand in the file, each once; else −1.
func (g *Grid) lastValue(header int, columns []columnLook) int {
	last := len(columns) - 1
	if columns[last].numbers*10 < columns[last].filled*7 || columns[last].filled == 0 || columns[last].times > 0 {
		return -1
	}
	product, several := 1, 0
	for _, x := range columns[:last] {
		if x.filled != columns[0].filled || x.numbers > x.marks && x.times < x.filled || x.filled > 0 && x.marks == x.filled {
			return -1
		}
		if n := len(x.distinct); n > 1 {
			several++
			product = min(product*n, 1<<40)
		}
	}
	rows := columns[0].filled
	if several < 2 || product > 2*rows || rows < 6 {
		return -1
	}
	seen := map[string]bool{}
	for r := header + 1; r < len(g.Rows); r++ {
		var key strings.Builder
		for c := range last {
			key.WriteString(g.At(r, c).Text + "\x00")
		}
		if len(g.Rows[r]) > 0 && seen[key.String()] {
			return -1
		}
		seen[key.String()] = true
	}
	return last
}

// nameOf returns the name of a dimension whose codes and names stand in columns of their own.
func nameOf(code, label string) string {
	for _, end := range []string{"名", "名称", "_name", " name", "_label", " label", "_NAME", "_LABEL"} {
		if n, ok := strings.CutSuffix(label, end); ok && n != "" {
			return strings.TrimSpace(n)
		}
	}
	if codeHeads().MatchString(label) {
		return code
	}
	return label
}

// holdings matches the columns of tidy files that tell who has the largest contributions.
var holdings = lazy.Regexp(`^who[0-9]+$`)

// tidyField matches the columns of numbers that tidy files have beside the values.
var tidyField = lazy.Regexp(`^(freq|cost|[lus]pl|lower|upper|max[0-9]+)$`)

// A columnLook says what a column looks like.
type columnLook struct {
	filled   int
	distinct []string // up to a limit
	codelike bool
	measured bool // numbers with decimals
	numbers  int  // fields that are numbers or marks
	marks    int  // those of them that are marks; a code such as c or x may look like one
	times    int  // fields that name periods
}

// columns examines the columns below a header.
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
			time := isTime(s)
			if time {
				x.times++
			}
			if _, ok := takeApart(s); ok {
				x.numbers++
			} else if _, _, ok := (*marks)(nil).find(s); ok {
				x.numbers++
				x.marks++
			}
			if !seen[s] && len(seen) < most {
				seen[s] = true
				x.distinct = append(x.distinct, s)
				x.codelike = x.codelike && isCodeLike(s)
				if k := strings.IndexAny(s, ".,"); k > 0 && !time {
					if w := (&numberStyle{Decimal: s[k]}).read(s); w.OK && w.Mark == "" {
						x.measured = true
					}
				}
			}
		}
	}
	return all
}

// oneToOne reports whether each text of column a goes with one text of column b only, and the other way round.
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
