package compare

import (
	"slices"
	"strings"
)

// withheldWords are words and signs, in lower case, that stand where a value was taken out.
var withheldWords = []string{"-", "--", "–", "—", "－", "ー", "n/a", "n.a.", "null", "none", "nan", "missing", "unknown", "withheld", "suppressed", "不詳", "不明", "非公表", "秘匿", "欠損", "欠測",
	"unbekannt", "keine angabe", "k. a.", "k.a.", "inconnu", "inconnue", "manquant", "non renseigné", "desconocido", "sconosciuto", "onbekend", "okänd"}

// withheldWord tells whether a text is one of them.
func withheldWord(text string) bool {
	return slices.Contains(withheldWords, strings.ToLower(strings.TrimSpace(text)))
}

// withheld finds the words that are to be read as any value: those that no value of the original, nor a category, is, where every other released value is one of the original or stands for any by
// itself. Beside others a word could be a class of its own, as for the values that belong to none of these; so it could where all records of some values have it, and none of another.
func (r *reader) withheld() {
	var words []string
	whole, kept := true, 0
	for n, text := range r.texts {
		place, same := slices.BinarySearch(r.domain.texts, text)
		if !same && r.numeric {
			if x, err := number(text); err == nil && text != "" {
				place, same = slices.BinarySearch(r.x, x)
				if same {
					place = r.numbers[place]
				}
			}
		}
		if same {
			kept++
			whole = whole && r.domain.count[place] == r.count[n]
		}
		_, category := r.domain.names[text]
		switch {
		case same || text == "" || anyOf(text):
		case withheldWord(text) && !category:
			words = append(words, text)
		default:
			return
		}
	}
	if whole && kept > 0 && r.original.N == r.release.N {
		return
	}
	r.domain.words = slices.Sorted(slices.Values(words))
}
