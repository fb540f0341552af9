package layout

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// cjk reports whether r is a letter of the kind between which offices pad labels with blanks.
func cjk(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60 || r == '〜' || r == '～' || r == '・'
}

// squeeze takes indentation, padding and line breaks out of a label: blanks between letters of Japanese are dropped,
// others become one.
func squeeze(s string) string {
	plain := true
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	last, blank := rune(0), false
	for _, r := range s {
		if r == '\u200b' || r == '\ufeff' || r == '\u00ad' {
			continue
		}
		if isBlank(r) || r < ' ' {
			blank = true
			continue
		}
		if blank && last != 0 && !(cjk(last) && cjk(r)) {
			b.WriteByte(' ')
		}
		blank, last = false, r
		b.WriteRune(r)
	}
	return b.String()
}

var (
	leaders = lazy.Regexp(`(\s*[.．…‥·・_]){2,}\s*:?$`)
	colon   = lazy.Regexp(`\s*[:：]$`)
	// marks of footnotes behind a label, and before it
	footnote = lazy.Regexp(`(?i)(?:\s*(?:[\[［](?:note|notes|注|r|p|b)\s*[0-9０-９, ]*[\]］]|[（(]注[0-9０-９]*[）)]|注[0-9０-９]*[）)]|※[0-9０-９]*|＊[0-9０-９]*|\*+[0-9]*[）)]?|[†‡§¶]+|⁽?[¹²³⁴⁵⁶⁷⁸⁹⁰]+[)⁾]?|⁽\pL{1,2}⁾|[0-9０-９]{1,2}[)）]|\s[（(][0-9０-９]{1,2}[)）]|[0-9]{1,2}/|\s[a-z]\)))+$`)
	before   = lazy.Regexp(`^(?:[※＊†‡]+[0-9０-９]*\s*|\*+\s*|[（(]注[0-9０-９]*[）)])`)
	revised  = lazy.Regexp(`^((?:19|20)\d\d)\s*(?:[rpe]|\([rpe]\)|速報|確報|（速報）)$`)
)

// clean returns a label without indentation, padding, footnote marks and dot leaders.
func clean(s string) string {
	s = squeeze(s)
	for range 3 {
		t := s
		last, _ := utf8.DecodeLastRuneInString(t)
		if strings.ContainsRune(leaderEnds, last) {
			t = without(leaders(), t)
		}
		if strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：") {
			t = without(colon(), t)
		}
		if mayBeNoted(t) {
			if u := without(footnote(), t); !opened(u) {
				t = u
			}
		}
		if first, _ := utf8.DecodeRuneInString(t); strings.ContainsRune(markStarts, first) {
			t = without(before(), t)
		}
		if strings.HasPrefix(t, "19") || strings.HasPrefix(t, "20") {
			if m := revised().FindStringSubmatch(t); m != nil {
				t = m[1]
			}
		}
		t = strings.TrimSpace(t)
		if t == "" || t == s {
			break
		}
		s = t
	}
	return s
}

// Most labels have no marks, as their ends tell, without a search: the last letters of dot leaders and of marks of
// footnotes that do not end in digits, and the first of marks before a label.
const (
	leaderEnds = ".．…‥·・_: \t\n\f\r"
	noteEnds   = "]］)）※＊*†‡§¶¹²³⁴⁵⁶⁷⁸⁹⁰⁾/"
	markStarts = "※＊†‡*(（"
)

// mayBeNoted reports whether s may end in marks of footnotes.
func mayBeNoted(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	digit := last >= '0' && last <= '9' || last >= '０' && last <= '９'
	return strings.ContainsRune(noteEnds, last) || digit && strings.ContainsAny(s, "※＊*")
}

// without returns s without what e matches, which is anchored at one end of it. The result is a part of s, where
// ReplaceAllString would make a copy.
func without(e *regexp.Regexp, s string) string {
	switch at := e.FindStringIndex(s); {
	case at == nil:
		return s
	case at[0] == 0:
		return s[at[1]:]
	default:
		return s[:at[0]]
	}
}

// opened reports whether s has an opening bracket that is not closed.
func opened(s string) bool {
	return strings.Count(s, "(")+strings.Count(s, "（") > strings.Count(s, ")")+strings.Count(s, "）")
}

// indentOf returns how far a field is indented, by blanks and by its style.
func indentOf(f *Field) int {
	n := 3 * f.indent()
	for _, r := range f.Text {
		switch {
		case r == '\u3000':
			n += 2
		case r == '\t':
			n += 4
		case isBlank(r):
			n++
		default:
			return n
		}
	}
	return n
}

// bareTotals are names of totals that do not say what they are the total of.
var bareTotals = wordSet(`計 小計 合計 総計 総数 総額 総合計 累計 中計 全体 全数 男女計 男女合計
	total totals subtotal sub-total grandtotal insgesamt zusammen gesamt summe ensemble totale totaal totalt yhteensä all alle tous toutes sum sumtotal suma razem celkem alt ialt bothsexes persons _t allpersons`)

// subtotals are bare totals of a group.
var subtotals = wordSet(`計 小計 中計 subtotal sub-total zusammen`)

// grandTotals are names of the total of all.
var grandTotals = wordSet(`全国 全県 全市 全産業 全域 全地域 全府 全道 県計 府計 都計 市計 全世帯 kokomaa allindustries bundesgebiet`)

func wordSet(s string) map[string]bool {
	return sets.Of(strings.Fields(s))
}

// wordOf returns a label for look-up: in lower case, without blanks.
func wordOf(label string) string {
	return strings.ToLower(strings.ReplaceAll(strings.Trim(fold(label), "（）()[]〔〕<>＜＞《》"), " ", ""))
}

// isBareTotal reports whether a label says total and no more.
func isBareTotal(label string) bool { return bareTotals[wordOf(label)] }

// isTotalName reports whether a label claims to be a total.
func isTotalName(label string) bool {
	w := wordOf(label)
	if bareTotals[w] || grandTotals[w] {
		return true
	}
	l := strings.ToLower(strings.TrimSpace(label))
	if allOthers().MatchString(l) {
		return false
	}
	for _, p := range []string{"total ", "total,", "total:", "total –", "total -", "all ", "totaal ", "alle ", "tous ", "toutes ", "ensemble ", "insgesamt,", "grand total", "sub-total", "subtotal", "totale ", "total des "} {
		if strings.HasPrefix(l, p) {
			return true
		}
	}
	for _, p := range []string{" total", " totals", " yhteensä", " insgesamt", " zusammen", " totalt", ", total"} {
		if strings.HasSuffix(l, p) {
			return true
		}
	}
	if strings.HasSuffix(w, "計") || strings.HasSuffix(w, "総数") || strings.HasSuffix(w, "合計") {
		return !notTotals[w]
	}
	if strings.HasPrefix(w, "総数") || strings.HasPrefix(w, "合計") || strings.HasPrefix(w, "全") && (strings.HasSuffix(w, "産業") || strings.HasSuffix(w, "規模") || strings.HasSuffix(w, "年齢")) {
		return true
	}
	return false
}

// allOthers matches the beginning of names of what is left beside the other codes, which is a part like them.
var allOthers = lazy.Regexp(`^(?:all|alle|tous|toutes) (?:the )?(?:les )?(?:others?|remaining|rest|autres|anderen|übrigen|sonstigen|overige|andere)\b`)

// notTotals end like a total, but are none.
var notTotals = wordSet(`統計 会計 家計 推計 時計 設計 生計 一般会計 特別会計 企業会計 余計`)

// groupName returns the name of the group of which a label is the subtotal: 市部 of 市部計.
func groupName(label string) (string, bool) {
	for _, end := range []string{"合計", "小計", "総数", "計"} {
		if rest, ok := strings.CutSuffix(label, end); ok && utf8.RuneCountInString(rest) >= 2 && !notTotals[label] && !bareTotals[wordOf(label)] {
			return strings.TrimRight(rest, "・ 　"), true
		}
	}
	return label, false
}

var memoWords = lazy.Regexp(`(?i)再掲|^内[)）]|別掲|of which|^\(?davon nachrichtlich`)

// isMemo reports whether a label says that it repeats a part of something.
func isMemo(label string) bool {
	return memoWords().MatchString(label) || whichPart().MatchString(label)
}

var (
	again     = lazy.Regexp(`[（(〔\[]?(?:再掲|別掲|内数)[）)〕\]]?`)
	whichPart = lazy.Regexp(`(?i)^[（(]?(?:うち|内数|(?:of which|including|incl\.|dont|darunter|dar\.:|nachrichtlich|waarvan|waaronder|onder wie|w\.\s?v\.|di cui|de (?:los|las) cuales|de ell[oa]s|d[ao]s quais|w tym|z toho|därav|varav|heraf|deraf|herav|siitä|joista|ebből|bunlardan|[그이] ?중|memo|memorandum)(?:[、,：:\s]|$))[、,：:\s]*`)
)

// memoName returns a label without the words that say so.
func memoName(label string) string {
	s := strings.TrimSpace(whichPart().ReplaceAllString(again().ReplaceAllString(label, ""), ""))
	if !opened(s) && strings.Count(s, "（") < strings.Count(s, "）") {
		s = strings.TrimSuffix(s, "）")
	}
	if s == "" {
		return label
	}
	return s
}

var times = lazy.Regexp(`(?i)^(?:(?:19|20)\d\d(?:\s?(?:年度?|년도?))?|(?:民國|民国)\s?\d{1,3}\s?年度?|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d|\d{1,2}/\d{1,2}/(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d-\d\d-\d\d|(?:19|20)\d\d[-/](?:\d\d|(?:19|20)\d\d|0?[1-9]|1[0-2])|(?:19|20)\d\d\s?[-年 ]?\s?(?:[QMW]\d{1,2}|T(?:[1-4]|I{1,3}|IV)|[KS][1-4]|[1-4]Q|(?:第?[1-4一二三四]四半期)|\d{1,2}月(?:\d{1,2}日)?|\d{1,2}月期)|(?:明治|大正|昭和|平成|令和|[MTSHR])\s?(?:元|\d{1,2})(?:\s?年度?|\.\d{1,2})?(?:\d{1,2}月)?(?:\d{1,2}日)?(?:\s?[（(](?:19|20)\d\d年?[)）])?|(?:19|20)\d\d年?[（(](?:明治|大正|昭和|平成|令和|[HR])\s?(?:元|\d{1,2})年?[)）]年?度?|(?:year ending|FY|CY)\s?.{0,12}(?:19|20)\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s?(?:19|20)\d\d|Q[1-4]\s?(?:19|20)\d\d|\d{1,2}月)$`)

// isTime reports whether a label names a year or another period.
func isTime(label string) bool {
	s := fold(label)
	return mayBeTime(s) && times().MatchString(s) || bracketYear(label)
}

// wholeYears matches those periods of times that are not a part of a year.
var wholeYears = lazy.Regexp(`(?i)^(?:(?:19|20)\d\d(?:\s?(?:年度?|년도?))?|(?:民國|民国)\s?\d{1,3}\s?年度?|(?:明治|大正|昭和|平成|令和|[MTSHR])\s?(?:元|\d{1,2})(?:\s?年度?)?(?:\s?[（(](?:19|20)\d\d年?[)）])?|(?:19|20)\d\d年?[（(](?:明治|大正|昭和|平成|令和|[HR])\s?(?:元|\d{1,2})年?[)）]年?度?|(?:FY|CY)\s?(?:19|20)\d\d)$`)

// isWholeYear reports whether a label names a year, rather than a part of one.
func isWholeYear(label string) bool {
	s := fold(label)
	return mayBeTime(s) && wholeYears().MatchString(s) || bracketYear(label)
}

// mayBeTime is false only where times does not match. What times matches in ASCII has a century or two slashes, or begins
// with the letter of an era; most labels do neither, and the expression is slow.
func mayBeTime(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return s != "" && strings.IndexByte("MTSHRmtshr", s[0]) >= 0 || strings.Contains(s, "19") || strings.Contains(s, "20") || strings.Count(s, "/") == 2
}

// isYear reports whether s is a year from 1900 to 2099.
func isYear(s string) bool {
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") && s[2] >= '0' && s[2] <= '9' && s[3] >= '0' && s[3] <= '9'
}

// yearsInOrder reports whether texts are years, perhaps before 1900, each later than the one before or each earlier.
func yearsInOrder(texts []string) bool {
	grows := len(texts) > 1 && texts[1] > texts[0]
	for i, s := range texts {
		if len(s) != 4 || strings.Trim(s, "0123456789") != "" || s < "1500" || s > "2099" || i > 0 && (s == texts[i-1] || s > texts[i-1] != grows) {
			return false
		}
	}
	return len(texts) >= leastRows
}

// isCodeLike reports whether s looks like a code: ASCII letters and digits without blanks.
func isCodeLike(s string) bool {
	if s == "" || len(s) > 20 {
		return false
	}
	digits := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digits = true
		case c >= 'A' && c <= 'Z', c == '_', c == '-', c == '.':
		case c >= 'a' && c <= 'z':
			if len(s) > 4 && !digits {
				return false
			}
		default:
			return false
		}
	}
	return digits || len(s) <= 3 || strings.ToUpper(s) == s
}

var codeHeads = lazy.Regexp(`(?i)コード|番号|^符号|\bcode\b|codgeo|^id$|_id$|_code$|\bnuts\b|schlüssel|^schl\.|^no\.?$|^nr\.?$|^code|^c[oó]d\b`)
