package records

import (
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Advice says how to resolve a number that may be decimal or whole.
func Advice(text string) i18n.Text {
	s := strings.TrimSpace(text)
	m := s[strings.IndexAny(s, ".,")]
	whole := strings.ReplaceAll(s, string(m), "")
	return i18n.T("%s, or %s? No number of the file tells; say --thousands %c or --decimal %c", whole, strings.Replace(s, ",", ".", 1), m, m)
}
