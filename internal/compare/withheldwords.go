package compare

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// withheldWords are words and signs, in lower case, that stand where a value was taken out.
var withheldWords = []string{"-", "--", "–", "—", "－", "ー", "n/a", "n.a.", "null", "none", "nan", "missing", "unknown", "withheld", "suppressed", "不詳", "不明", "非公表", "秘匿", "欠損", "欠測",
	"unbekannt", "keine angabe", "k. a.", "k.a.", "inconnu", "inconnue", "manquant", "non renseigné", "desconocido", "sconosciuto", "onbekend", "okänd"}

// withheldWord tells whether a text is one of them.
func withheldWord(text string) bool {
	return slices.Contains(withheldWords, strings.ToLower(strings.TrimSpace(text)))
}

// withheld finds the texts that are to be read as any value, or as what no other stands for ([reader.rest] tells which): words for what was taken out, or the only text that nothing else is known of, where
// no value of the original, nor a category, is one of them and every other released value is read. Numbers are not looked at, for these may be read later.
func (r *reader) withheld(how *reading) (some bool) {
	var words []string
	all := true
	for n, text := range r.texts {
		if _, err := number(text); err == nil && r.numeric {
			continue
		}
		if _, _, ok := r.read(r.ids[n], text, r.emptied, how); ok && !(withheldWord(text) && r.strange(text)) {
			continue
		}
		if text == "" || r.numeric && !withheldWord(text) && strings.ContainsFunc(text, unicode.IsDigit) {
			continue
		}
		words = append(words, text)
		all = all && withheldWord(text)
	}
	if len(words) == 0 || len(words) > 1 && !all {
		return false
	}
	r.domain.words = slices.Sorted(slices.Values(words))
	return true
}

// strange tells whether a text is neither a value of the original nor a category.
func (d *domain) strange(text string) bool {
	_, same := slices.BinarySearch(d.texts, text)
	_, category := d.names[text]
	return !same && !category
}

// rest tells what the words stand for that nothing else is known of: for the values of the original for which no other released value stands, or for any. Values of which records were withheld are
// short of as many: so where the release has all records, words for any are as many as all others are short of, and more than those that none stands for have. Where it is known which record is
// which, or else where the release is a sample, the likelier of the two is taken, the narrower one if both may be. Where the numbers contradict both they are not read.
func (r *reader) rest(sets []set, read []bool, form []int) {
	covered := make([]bool, len(r.domain.ids))
	var words []int
	marked, others, short := 0, 0, true
	for n := range r.ids {
		if _, is := slices.BinarySearch(r.domain.words, r.texts[n]); is {
			words = append(words, n)
			marked += r.count[n]
			continue
		}
		if sets[n].all {
			others += r.count[n]
		}
		if sets[n].all || !read[n] {
			continue
		}
		records := 0
		r.each(sets[n], func(o uint32) {
			covered[r.at[o]] = true
			records += r.domain.count[r.at[o]]
		})
		short = short && r.count[n] <= records
	}
	var list []uint32
	left := 0
	for p, c := range r.domain.count {
		if !covered[p] && r.domain.texts[p] != "" {
			list = append(list, r.domain.ids[p])
			left += c
		}
	}
	any := left == 0
	switch n, all := float64(r.release.N), float64(r.original.N); {
	case r.truth != nil:
		for p := range r.pairs {
			at, known := r.at[p[1]]
			any = any || slices.ContainsFunc(words, func(w int) bool { return r.ids[w] == p[0] }) && known && covered[at]
		}
	case r.release.N == r.original.N:
		if !short || marked+others < left {
			for _, n := range words {
				read[n] = false
			}
			return
		}
		any = any || marked > left || others > 0
	case left > 0:
		share := float64(marked) / n
		chance := float64(marked) * math.Log(share)
		if share < 1 {
			chance += (n - float64(marked)) * math.Log1p(-share)
		}
		any = float64(marked)*math.Log(float64(left)/all) < chance+math.Log(0.001)
	}
	if !any {
		for _, n := range words {
			sets[n], form[n] = set{list: list}, formRest
		}
	}
}
