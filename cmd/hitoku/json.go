package main

import (
	"encoding/json"
	"io"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// exact is a number printed digit for digit. It is null in JSON where it is
// empty (unknown or infinite) and a string "p/q" where no short decimal is exact.
type exact string

func (x exact) MarshalJSON() ([]byte, error) {
	switch {
	case x == "":
		return []byte("null"), nil
	case strings.Contains(string(x), "/"):
		return json.Marshal(string(x))
	}
	return []byte(x), nil
}

// decimal returns v·10^−scale, nothing where it is infinite.
func decimal(v int64, scale int) exact {
	if v == table.PosInf || v == table.NegInf {
		return ""
	}
	return exact(table.FormatDecimal(v, scale))
}

// ratio returns r·10^−scale, nothing for nil.
func ratio(r *big.Rat, scale int) exact {
	if r == nil {
		return ""
	}
	return exact(table.FormatRat(r, scale))
}

// value returns the value of cell i, nothing where it is not known.
func value(t *table.Table, i int) exact {
	if !t.Known(i) {
		return ""
	}
	return decimal(t.Value[i], t.Decimals)
}

// writeJSON prints one document on one line.
func writeJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}
