package bench

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/hitoku/hitoku/table"
)

// A Number is a cost, digit for digit. It is empty, and null in JSON, where
// there is none.
type Number string

// number returns v·10^−scale.
func number(v int64, scale int) Number { return Number(table.FormatDecimal(v, scale)) }

// float returns the nearest float64, nil where there is no number.
func (n Number) float() *float64 {
	if n == "" {
		return nil
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return nil
	}
	return &f
}

// MarshalJSON writes the digits as a JSON number.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return []byte(n), nil
}

// UnmarshalJSON reads a JSON number or null.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = ""
		return nil
	}
	var j json.Number
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	return n.set(j.String())
}

// set reads a decimal number, or nothing.
func (n *Number) set(s string) error {
	if s != "" {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return fmt.Errorf("%q: want a number", s)
		}
	}
	*n = Number(s)
	return nil
}

// Short writes x ≥ 0 with three digits, more where its whole part has more.
func Short(x float64) string {
	places := 0
	for limit := 100.0; x < limit && places < 2; limit /= 10 {
		places++
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}
