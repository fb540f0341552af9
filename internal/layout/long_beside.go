package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/table"
)

// Columns beside the values of a long table may decide what can be published: they say that a cell is confidential, or
// how many contribute to it. Such a column is used or the file is refused: if it were left aside, cells that the office
// has marked would be published.

// A beside is what a line says of its cell apart from the value.
type beside struct {
	status table.Status
	reason table.Reason
	freq   *Decimal // nil if it is not told
}

// secrecy matches names of columns that say that a cell is confidential, folded.
var secrecy = lazy.Regexp(`^(?:conf(?:_?status|identiality(?:_?(?:status|flag|code))?|identiel(?:le)?|identialité|_?flag|idencialidad|idencial)?|confidential(?:_?flag)?|secre(?:t|cy|to|tesse)|segreto|riservat(?:o|ezza)|sekretess|salassa(?:pito)?|luottamuksellisuus|geheim(?:haltung|houding|haltungsstatus)?|sperr(?:e|ung|vermerk|frist)?|vertrauli(?:ch|chkeit)|vertrouwelijk(?:heid)?|embargo(?:_?(?:time|date|until))?|suppress(?:ed|ion)?(?:_?(?:flag|status))?|disclosure(?:_?status)?|primary_?status|sdc_?status|秘匿|秘匿フラグ|秘匿記号|秘匿区分|秘密|非公表|公表区分|解禁日?)$`)

// countNames match names of columns that count the contributors to a value, apart from those that contributors matches.
var countNames = lazy.Regexp(`(?i)^(?:freq|n|n_?(?:ent|obs|est|firms?|units?|local_?units?|contrib(?:utors)?|enterprises)|nb_?(?:ent|obs|etab|unites)|num_?(?:ent|obs|units|firms)|obs_?count|contributors?|contrib|respondents|number of (?:contributors|respondents|units|local units)|anzahl (?:der )?(?:betriebe|unternehmen|einheiten|melder|firmen)|betriebe|unternehmen|nombre d['’](?:entreprises|établissements|unités)|aantal (?:bedrijven|vestigingen|eenheden)|bedrijven|yritysten lukumäärä|yrityksiä|antal (?:företag|arbetsställen)|número de (?:empresas|establecimientos)|empresas|numero di imprese|imprese|事業所数|企業数|回答数|客体数)$`)

// countsContributors reports whether a column with this name counts contributors.
func countsContributors(name string) bool {
	return countNames().MatchString(name) || contributors().MatchString(name)
}

// unused matches fields of tidy files that lay down what is sensitive, for which a layout has no use.
var unused = lazy.Regexp(`^(?:cost|[lus]pl|lower|upper|max[0-9]+|who[0-9]+|reason|absolute|waived|unwaived)$`)

// statusLetter matches the code of a status, as in SDMX, tidy files or τ-ARGUS.
var statusLetter = lazy.Regexp(`^[a-zA-Z]$`)

// safeLetters are the letters that most cells have in a column of statuses.
const safeLetters = "FfsSA"

// looksSecret reports whether a column that tells no lines apart looks like one of status letters.
func looksSecret(x *columnLook) bool {
	if len(x.distinct) == 0 || len(x.distinct) > 10 {
		return false
	}
	safe := false
	for _, s := range x.distinct {
		if !statusLetter().MatchString(s) {
			return false
		}
		safe = safe || strings.Contains(safeLetters, s)
	}
	return safe || len(x.distinct) == 1
}

// statusOf returns what a text in a column of statuses called name says. ok is false where that is not known.
func (l *longForm) statusOf(name, text string) (st table.Status, why table.Reason, ok bool) {
	s, _, _ := strings.Cut(strings.TrimSpace(text), ": ")
	if s == "" || s == "-" {
		return table.Safe, 0, true
	}
	word := wordOf(name)
	word, _, _ = strings.Cut(word, ":")
	switch {
	case strings.HasPrefix(word, "conf_status"):
		st, ok = formats.ConfStatus(s)
		return st, formats.ConfReason(s), ok
	case word == "obs_status":
		if st, ok = formats.ObsStatus(s); !ok && strings.Contains(strings.ToLower(s), "c") {
			st, ok = table.Sensitive, true
		}
		return st, 0, ok || l.known || l.saved
	case word == "obs_flag" || l.marks == eurostat: // several letters together, like bc
		if strings.ContainsAny(s, "cC") {
			return table.Sensitive, 0, true
		}
		return table.Safe, 0, true
	case word == "status" && !l.known:
		if st, _, ok = formats.ParseStatus("status", s); ok {
			if st == table.Published && strings.ToLower(s) != "z" { // p means provisional, except in τ-ARGUS
				st = table.Safe
			}
			return st, 0, ok
		}
	case secrecy().MatchString(word):
		st, ok = formats.ConfStatus(s)
		if meaning(s) == Suppressed {
			st, ok = table.Sensitive, true
		}
		return st, formats.ConfReason(s), ok
	}
	if _, means, found := marksOf(l.marks).find(s); found && means == Suppressed || meaning(s) == Suppressed {
		return table.Sensitive, 0, true
	}
	// remarks and letters of quality say nothing of secrecy; a single letter in an unknown format may
	return table.Safe, 0, l.known || l.saved || !statusLetter().MatchString(s)
}

// besides reads what line r says of its cell apart from the value. An error is about column c.
func (g *Grid) besides(l *longForm, r int) (b beside, c int, err error) {
	for _, c := range l.status {
		text := g.At(r, c).Text
		st, why, ok := l.statusOf(g.At(l.header, c).Text, text)
		if !ok {
			return b, c, i18n.Errorf("nobody says whether the cell is confidential; want %s, or leave the column out", formats.ConfWant())
		}
		if rank(st) > rank(b.status) {
			b.status, b.reason = st, why
		}
	}
	if l.freq < 0 {
		return b, 0, nil
	}
	text := strings.TrimSpace(g.At(r, l.freq).Text)
	if text == "" {
		return b, 0, nil
	}
	w := (&numberStyle{Decimal: '.', Thousands: " "}).read(text)
	if w.Value == nil || w.Value.places() > 0 || strings.HasPrefix(string(*w.Value), "-") {
		return b, l.freq, i18n.Errorf("the column counts contributors; want a whole number ≥ 0")
	}
	b.freq = w.Value
	return b, 0, nil
}

// rank orders statuses by how much protection they ask for.
func rank(st table.Status) int {
	return slices.Index([]table.Status{table.Safe, table.Published, table.Withheld, table.Sensitive}, st)
}

// settleColumns decides what each column is that holds no code, label or value: one of statuses, one of contributors,
// one that may tell of the value and is blanked with it, or one that tells nothing of it. Where a column says what is
// sensitive in a way that is not used, l.unused says why no table is made.
func (g *Grid) settleColumns(l *longForm, f File, freq string) error {
	names := g.Rows[l.header]
	columns := l.looks
	if len(columns) != len(names) {
		columns = g.columns(l.header, len(names))
	}
	taken := map[int]bool{l.value: true, l.unit: true, l.scale: true}
	if l.named > 0 {
		taken[l.named] = true
	}
	for _, d := range l.dims {
		taken[d.code], taken[d.label] = true, true
	}
	for _, c := range l.status {
		taken[c] = true
	}
	refuse := func(c int, want i18n.Text) {
		if l.unused == nil {
			l.unused = &formats.Error{File: f.Name, Line: g.line(l.header), Value: formats.Show(names[c].Text), Want: want}
		}
	}
	measured := slices.ContainsFunc(l.dims, func(d longDim) bool { return d.role == Measure })
	if freq != "" && !(measured && !slices.ContainsFunc(names, func(f Field) bool { return strings.TrimSpace(f.Text) == freq })) {
		if l.freq = slices.IndexFunc(names, func(f Field) bool { return strings.TrimSpace(f.Text) == freq }); l.freq < 0 || l.freq == l.value {
			return &formats.Error{File: f.Name, Line: g.line(l.header), Value: formats.Show(freq), Want: i18n.T("no such column of contributors")}
		}
		l.dims = slices.DeleteFunc(slices.Clone(l.dims), func(d longDim) bool { return d.code == l.freq })
	}
	for c := range names {
		name, word := strings.TrimSpace(names[c].Text), wordOf(names[c].Text)
		bare, _, _ := strings.Cut(name, ":")
		x := &columns[c]
		varies := len(x.distinct) > 1 || x.filled > 0 && x.filled < columns[l.value].filled
		switch {
		case taken[c] || x.filled == 0 || slices.ContainsFunc(l.aside, func(a Aside) bool { return a.Ref == g.ref(l.header, c) && a.Why.String() == identifies }):
		case secrecy().MatchString(wordOf(bare)):
			l.status = append(l.status, c)
			l.office = slices.DeleteFunc(l.office, func(o int) bool { return o == c })
			l.drop(g, c)
		case freq == "" && l.freq < 0 && countsContributors(bare) && x.numbers == x.filled:
			l.freq = c
		case c == l.freq:
		case unused().MatchString(word) && varies && !l.known:
			refuse(c, i18n.T("says what is sensitive, which a table inside a layout has no place for; read the file with --from tidy, without flags of layouts, or leave the column out"))
		case freq == "" && countsContributors(bare) && varies:
			refuse(c, i18n.T("two columns may count contributors; say which with --freq"))
		case varies && x.numbers*2 > x.filled && !slices.Contains(l.office, c) && !g.goesWithCode(l, c):
			l.office = append(l.office, c)
			l.drop(g, c)
			l.leave(g, c, "numbers that are no codes; blanked where a value is withheld")
		}
	}
	for k := len(l.dims) - 1; k >= 0; k-- {
		d := l.dims[k]
		switch {
		case l.saved:
		case secrecy().MatchString(wordOf(names[d.code].Text)) && g.apartWithout(l, k):
			l.dims = slices.Delete(slices.Clone(l.dims), k, k+1)
			l.status = append(l.status, d.code)
		case l.known || d.role != ofClassification || !g.apartWithout(l, k):
		case looksSecret(&columns[d.code]):
			refuse(d.code, i18n.T("looks like a column of statuses, which nobody says how to read; call it CONF_STATUS with the codes of SDMX, or status with s, u, z and m, or leave it out"))
		case freq == "" && l.freq < 0 && countsContributors(strings.TrimSpace(names[d.code].Text)) && columns[d.code].numbers == columns[d.code].filled:
			l.freq = d.code
			l.dims = slices.Delete(slices.Clone(l.dims), k, k+1)
		case columns[d.code].numbers == columns[d.code].filled && columns[d.code].times < columns[d.code].filled:
			l.dims = slices.Delete(slices.Clone(l.dims), k, k+1)
			l.office = append(l.office, d.code)
			l.leave(g, d.code, "numbers that are no codes; blanked where a value is withheld")
		}
	}
	if l.freq >= 0 {
		l.drop(g, l.freq)
		l.leave(g, l.freq, "counts the contributors")
		if !slices.Contains(l.office, l.freq) {
			l.office = append(l.office, l.freq)
		}
	}
	return nil
}

// drop takes back that a column was left aside.
func (l *longForm) drop(g *Grid, c int) {
	ref := g.ref(l.header, c)
	l.aside = slices.DeleteFunc(slices.Clone(l.aside), func(a Aside) bool { return a.Ref == ref })
}

// apartWithout reports whether the dimensions other than k tell all lines apart.
func (g *Grid) apartWithout(l *longForm, k int) bool {
	if len(l.dims) < 2 {
		return false
	}
	seen := map[string]bool{}
	for r := l.header + 1; r < len(g.Rows); r++ {
		if len(g.Rows[r]) <= l.value {
			continue
		}
		var key strings.Builder
		for n, d := range l.dims {
			if n != k {
				key.WriteString(strings.TrimSpace(g.At(r, d.code).Text) + "\x00")
			}
		}
		if seen[key.String()] {
			return false
		}
		seen[key.String()] = true
	}
	return true
}

// goesWithCode reports whether a column says no more than a dimension: each code has the same text in it on all lines.
func (g *Grid) goesWithCode(l *longForm, c int) bool {
	return slices.ContainsFunc(l.dims, func(d longDim) bool {
		of := map[string]string{}
		for r := l.header + 1; r < len(g.Rows); r++ {
			if len(g.Rows[r]) <= max(c, d.code) {
				continue
			}
			code, text := g.Rows[r][d.code].Text, g.Rows[r][c].Text
			if have, ok := of[code]; ok && have != text {
				return false
			}
			of[code] = text
		}
		return len(of) > 1 && len(of) < len(g.Rows)-l.header-1
	})
}
