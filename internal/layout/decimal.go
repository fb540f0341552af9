package layout

import "strings"

// A Decimal is an exact decimal number as plain text: an optional minus, digits, and where
// it has a fraction a point and digits as the file gives them. No exponent, no separators.
type Decimal string

// MarshalJSON writes d as a number of JSON.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d), nil }

// UnmarshalJSON takes the text of a number of JSON.
func (d *Decimal) UnmarshalJSON(b []byte) error {
	*d = Decimal(b)
	return nil
}

// places returns the number of digits behind the point.
func (d Decimal) places() int {
	if _, after, ok := strings.Cut(string(d), "."); ok {
		return len(after)
	}
	return 0
}
