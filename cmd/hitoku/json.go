package main

import (
	"encoding/json"
	"io"
	"math/big"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/table"
)

type exact = document.Exact

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
