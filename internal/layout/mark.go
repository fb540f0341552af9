package layout

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks knows what texts in place of numbers mean: as the file itself says, else as its format defines, else as
// is usual. A nil *marks knows only the last.
type marks struct {
	told   map[string]string // as the notes of the file say
	format map[string]string // as its format defines
}

// Formats whose marks differ from the usual ones.
const (
	eurostat = "eurostat"
	statcan  = "statcan"
	pcaxis   = "px"
	cbs      = "cbs"
)

// common are the usual marks, folded.
var common = map[string]string{
	"X": Suppressed, "x": Suppressed, "χ": Suppressed, "Χ": Suppressed, "×": Suppressed, "*": Suppressed, "ⅹ": Suppressed, "Ⅹ": Suppressed, "х": Suppressed, "Х": Suppressed, // Greek, Roman and Cyrillic, too
	"(D)": Suppressed, "D": Suppressed, "(d)": Suppressed, "(S)": Suppressed, "[c]": Suppressed, "c": Suppressed, "C": Suppressed, "(c)": Suppressed,
	":c": Suppressed, ": c": Suppressed, "s": Suppressed, "S": Suppressed, ".": Suppressed, "秘匿": Suppressed, "秘": Suppressed, "[s]": Suppressed,
	"***": isUnavailable, "**": isUnavailable, "…": isUnavailable, "...": isUnavailable, "..": isUnavailable, "....": isUnavailable, "・・・": isUnavailable, "･･･": isUnavailable, "‥": isUnavailable, "……": isUnavailable,
	"(NA)": isUnavailable, "NA": isUnavailable, "N/A": isUnavailable, "n/a": isUnavailable, "n.a.": isUnavailable, "n.a": isUnavailable, "na": isUnavailable, "n/d": isUnavailable, "nd": isUnavailable, "n.d.": isUnavailable, "ND": isUnavailable,
	"[x]": isUnavailable, ":": isUnavailable, "[w]": isUnavailable, "不詳": isUnavailable,
	"-": isNil, "--": isNil, "[nil]": isNil,
	"(Z)": isLow, "[low]": isLow, "0s": isLow, "~": isLow,
	"(X)": isInapplicable, "[z]": isInapplicable, "z": isInapplicable, ":z": isInapplicable, ": z": isInapplicable, "//": isInapplicable,
	"/": isUnreliable, "F": isUnreliable, "[u]": isUnreliable, ":u": isUnreliable, ": u": isUnreliable, "ns": isUnreliable, "n.s.": isUnreliable, "(B)": isUnreliable,
}

// byFormat are the marks of formats that have their own.
var byFormat = map[string]map[string]string{
	eurostat: {":": isUnavailable, "-": isNil},
	statcan:  {"x": Suppressed, "X": Suppressed, "..": isUnavailable, "...": isInapplicable, "F": isUnreliable, "0s": isLow, "-": isNil, "<LOD": isLow},
	pcaxis:   {".": isInapplicable, "..": Suppressed, "...": isUnavailable, "....": isUnavailable, ".....": isUnavailable, "......": isUnavailable, "-": isNil, ":": Suppressed},
	cbs:      {".": Suppressed, "-": isNil, "": isInapplicable, "x": Suppressed},
}

// marksOf returns the marks of a format; "" is one that has none of its own.
func marksOf(format string) *marks { return &marks{format: byFormat[format]} }

// find returns the mark that text is, and its meaning; ok is false if it is none. An empty text is a mark only if
// the format says so.
func (m *marks) find(text string) (mark, means string, ok bool) {
	if len(text) > 24 {
		return "", "", false
	}
	s := foldMark(text)
	if m != nil {
		for _, of := range []map[string]string{m.told, m.format} {
			if means, ok := of[s]; ok {
				return strings.TrimSpace(text), means, true
			}
		}
	}
	if s == "" {
		return "", "", false
	}
	if means, ok := common[s]; ok {
		return strings.TrimSpace(text), means, true
	}
	if rest, ok := strings.CutPrefix(s, ":"); ok { // Eurostat: flags behind the colon
		return markOfFlags(text, strings.TrimSpace(rest))
	}
	return "", "", false
}

// markOfFlags interprets the flags of a value that Eurostat leaves out.
func markOfFlags(text, flags string) (string, string, bool) {
	if len(flags) > 4 || strings.Trim(flags, "abcdefilmnprsuvxz ") != "" {
		return "", "", false
	}
	means := isUnavailable
	switch {
	case strings.Contains(flags, "c"):
		means = Suppressed
	case strings.Contains(flags, "z"):
		means = isInapplicable
	case strings.Contains(flags, "u"):
		means = isUnreliable
	}
	return strings.TrimSpace(text), means, true
}

// foldMark writes a mark in characters of normal width. Letters keep their case.
func foldMark(text string) string {
	s := fold(text)
	if strings.ContainsFunc(s, unicode.IsSpace) {
		s = strings.Join(strings.Fields(s), " ")
	}
	switch s {
	case "一", "ー", "ｰ": // dashes as typed in Japanese
		return "-"
	}
	return s
}

// tell sets the meaning of a mark, which overrides that of the format.
func (m *marks) tell(mark, means string) {
	if m.told == nil {
		m.told = map[string]string{}
	}
	m.told[foldMark(mark)] = means
}

// Told returns the marks that the file explained, with their meanings.
func (m *marks) Told() map[string]string {
	if m == nil {
		return nil
	}
	return maps.Clone(m.told)
}

// Words of explanations, in lower case, by meaning; the first that is found counts. "geheim" comes before
// "unbekannt", since a mark for "unknown or secret" may be secret.
var meanings = []struct {
	means string
	words []string
}{
	{isLow, []string{"rounds to zero", "rounded to zero", "less than half", "weniger als die hälfte", "mehr als nichts", "單位未満", "単位未満", "単位に満たない", "negligible", "minder dan de helft", "inférieur à la moitié", "too small to"}},
	{Suppressed, []string{"confiden", "withheld", "suppress", "disclos", "secre", "geheim", "秘匿", "秘密", "伏せ", "salass", "salaisuus", "sekret", "vertrouwelijk", "konfiden", "secreto", "protect", "not published"}},
	{isInapplicable, []string{"not applicable", "inapplicable", "gesperrt", "sans objet", "あり得ない", "ありえない", "cannot exist", "kann nicht vorkommen", "kan niet voorkomen", "not relevant", "no procede", "keine aussage", "trifft nicht zu"}},
	{isUnreliable, []string{"unreliab", "not reliable", "reliab", "nicht sicher", "unsicher", "信頼", "精度", "non significatif", "too uncertain", "fehler", "epävarma"}},
	{isNil, []string{"該当数字なし", "該当数値なし", "該当なし", "該当する数値", "該当数字がない", "該当数値がない", "事実のない", "計数のない", "皆無", "nichts vorhanden", "zero", "nil", "nihil", "néant", "none", "null", "ei yhtään", "genau null", "ingen"}},
	{isUnavailable, []string{"not available", "unavailable", "not yet", "unknown", "数字が得られない", "数値が得られない", "得られない", "不詳", "不明", "資料なし", "調査していない", "未調査", "non disponible", "donnée manquante", "nicht verfügbar", "unbekannt", "keine angabe", "liegt noch", "niet beschikbaar", "ontbreekt", "no disponible", "missing", "n'est pas disponible", "ei ole saatavissa", "saatavissa", "puuttuu"}},
}

// meaning returns the meaning of a mark according to the words of an explanation, "" if none is recognised.
func meaning(words string) string {
	s := strings.ToLower(words)
	for _, m := range meanings {
		if slices.ContainsFunc(m.words, func(w string) bool { return strings.Contains(s, w) }) {
			return m.means
		}
	}
	return ""
}

// isMarkLike reports whether s may be a mark in a legend: it is short and no word.
func isMarkLike(s string) bool {
	s = foldMark(s)
	if s == "" || utf8.RuneCountInString(s) > 6 {
		return false
	}
	if _, ok := common[s]; ok {
		return true
	}
	if strings.Trim(s, ".-*:/+~#§…‥·•×χxXⅹⅩхХ0") == "" && s != "0" {
		return true
	}
	inside := s
	for _, pair := range []string{"[]", "()", "「」", "\"\"", "''"} {
		if t, ok := strings.CutPrefix(inside, pair[:len(pair)/2]); ok {
			if t, ok = strings.CutSuffix(t, pair[len(pair)/2:]); ok {
				return t != "" && utf8.RuneCountInString(t) <= 4 && strings.Trim(t, "0123456789") != ""
			}
		}
	}
	return len(s) <= 2 && strings.Trim(s, letter) == ""
}

// learnPair reads a legend whose mark and explanation stand in separate fields.
func (m *marks) learnPair(mark, words string) bool {
	if !isMarkLike(mark) {
		return false
	}
	means := meaning(words)
	if means == "" {
		return false
	}
	m.tell(mark, means)
	return true
}

// learn reads what a note says about marks: 「x」は秘匿した数値である, [c] = confidential, "- nichts vorhanden; .
// Zahlenwert unbekannt", (D) Withheld. It reports whether it learned any.
func (m *marks) learn(note string) bool {
	if len(note) > 4000 {
		return false
	}
	before := len(m.told)
	m.learnQuoted(note)
	m.learnSpelt(note)
	var letters [][2]string // a letter before a blank: a mark only if there are others
	for _, part := range clauses(note) {
		mark, words, plain, ok := legend(part)
		switch {
		case !ok:
		case plain && strings.Trim(foldMark(mark), letter) == "":
			letters = append(letters, [2]string{mark, words})
		default:
			m.learnPair(mark, words)
		}
	}
	if len(m.told) > before {
		for _, l := range letters {
			m.learnPair(l[0], l[1])
		}
	}
	return len(m.told) > before
}

// learnQuoted reads marks in quotes, each explained by the text up to the next.
func (m *marks) learnQuoted(note string) {
	type at struct{ from, to, end int }
	var all []at
	for _, pair := range [][2]string{{"「", "」"}, {"“", "”"}, {"\"", "\""}, {"『", "』"}, {"‘", "’"}, {"«", "»"}} {
		for i := 0; ; {
			k := strings.Index(note[i:], pair[0])
			if k < 0 {
				break
			}
			from := i + k + len(pair[0])
			e := strings.Index(note[from:], pair[1])
			if e < 0 {
				break
			}
			if utf8.RuneCountInString(note[from:from+e]) <= 6 {
				all = append(all, at{from, from + e, from + e + len(pair[1])})
			}
			i = from + e + len(pair[1])
		}
	}
	slices.SortFunc(all, func(a, b at) int { return a.from - b.from })
	for n, a := range all {
		end := len(note)
		if n+1 < len(all) {
			end = all[n+1].from
		}
		m.learnPair(note[a.from:a.to], note[a.end:end])
	}
}

// spelt are marks that notes spell out in words.
var spelt = []struct{ words, mark string }{
	{"kahdella pisteellä", ".."}, {"kolmella pisteellä", "..."}, {"yhdellä pisteellä", "."},
	{"two dots", ".."}, {"three dots", "..."}, {"två punkter", ".."}, {"tre punkter", "..."}, {"zwei punkte", ".."}, {"drei punkte", "..."},
	{"to prikker", ".."}, {"deux points", ":"}, {"an asterisk", "*"},
}

func (m *marks) learnSpelt(note string) {
	s := strings.ToLower(note)
	for _, w := range spelt {
		if strings.Contains(s, w.words) {
			if means := meaning(s); means != "" {
				m.tell(w.mark, means)
			}
		}
	}
}

// clauses splits a note into the explanations of single marks.
func clauses(note string) []string {
	s := strings.NewReplacer("；", ";", "、「", ";「", "，「", ";「", "。", ";", "\n", ";", "\u3000", "  ").Replace(note)
	for _, head := range []string{"Zeichenerklärung:", "Zeichen:", "Symbols:", "Legend:", "Légende :", "凡例:", "記号:", "Some cells use shorthand:", "shorthand:", "Shorthand:", "Notes:", "Note:"} {
		if k := strings.Index(s, head); k >= 0 {
			s = s[:k] + ";" + s[k+len(head):]
		}
	}
	var all []string
	for _, part := range strings.Split(s, ";") {
		for _, p := range strings.Split(part, "  ") { // offices put several on one line
			all = append(all, cutMarks(strings.TrimSpace(p))...)
		}
	}
	return all
}

// cutMarks splits a clause before each mark in brackets and each one followed by =.
func cutMarks(s string) []string {
	var all []string
	from := 0
	for i := 1; i < len(s); i++ {
		if s[i-1] != ' ' {
			continue
		}
		word := s[i:]
		if k := strings.IndexByte(word, ' '); k >= 0 {
			word = word[:k]
		}
		rest := strings.TrimSpace(s[i+len(word):])
		bracket := (word[0] == '[' || word[0] == '(') && isMarkLike(word)
		equals := strings.HasPrefix(rest, "=") && isMarkLike(word)
		if bracket || equals {
			all = append(all, strings.TrimRight(strings.TrimSpace(s[from:i]), ","))
			from = i
		}
	}
	return append(all, strings.TrimSpace(s[from:]))
}

const letter = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// legend splits a clause into a mark and its explanation; plain says that only a blank separates them.
func legend(s string) (mark, words string, plain, ok bool) {
	s = strings.TrimSpace(s)
	for _, sep := range []string{" = ", "=", " : ", ": ", "：", "＝", "… ", " "} {
		mark, words, ok := strings.Cut(s, sep)
		mark = strings.Trim(strings.TrimSpace(mark), "\"'「」“”")
		if ok && mark != "" && strings.TrimSpace(words) != "" && isMarkLike(mark) {
			return mark, words, sep == " ", true
		}
	}
	return "", "", false, false
}
