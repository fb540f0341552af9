package flags

import (
	"slices"

	"github.com/hitoku/hitoku/internal/records"
)

// JSON prints documents instead of text.
func JSON(to *bool, text string) Flag { return Flag{Name: "json", To: to, Text: text, Run: true} }

// Quiet leaves out progress.
func Quiet(to *bool) Flag {
	return Flag{Name: "quiet", Short: "q", To: to, Run: true, Text: "no progress on a terminal"}
}

// Encoding is that of text files.
func Encoding(to *string, of string) Flag {
	names := []string{"utf-8", "cp932", "cp1252"}
	return Flag{Name: "encoding", To: encodingValue{choiceValue{to, names}}, Offer: names, Text: "encoding of " + of, Else: "found out", More: "sjis is another name of cp932"}
}

// An encodingValue knows encodings by the names that other programs have for them, too.
type encodingValue struct{ choiceValue }

func (v encodingValue) Set(s string) error {
	if name := records.Named(s); slices.Contains(v.from, name) {
		s = name
	}
	return v.choiceValue.Set(s)
}
