package bench

import (
	"strconv"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// number returns v·10^−scale.
func number(v int64, scale int) document.Exact {
	return document.Exact(table.FormatDecimal(v, scale))
}

// float returns the nearest float64, nil if there is no number.
func float(n document.Exact) *float64 {
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return nil
	}
	return &f
}

// parseNumber parses a decimal number, or an empty text.
func parseNumber(n *document.Exact, s string) error {
	if s != "" {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return i18n.Errorf("%q: want a number", s)
		}
	}
	*n = document.Exact(s)
	return nil
}
