package flags

import (
	"math/big"
	"strconv"

	"github.com/hitoku/hitoku/internal/lazy"
)

// int64Value and uint64Value are whole numbers, also with an exponent: 1e6 is 1000000.
type (
	int64Value  struct{ to *int64 }
	uint64Value struct{ to *uint64 }
)

func (v int64Value) Type() string   { return "int64" }
func (v uint64Value) Type() string  { return "uint64" }
func (v int64Value) String() string { return strconv.FormatInt(*v.to, 10) }

func (v uint64Value) String() string { return strconv.FormatUint(*v.to, 10) }

func (v int64Value) Set(s string) error {
	n, err := strconv.ParseInt(writtenOut(s), 0, 64)
	if err == nil {
		*v.to = n
	}
	return err
}

func (v uint64Value) Set(s string) error {
	n, err := strconv.ParseUint(writtenOut(s), 0, 64)
	if err == nil {
		*v.to = n
	}
	return err
}

var exponent = lazy.Regexp(`^[+-]?[0-9]{1,20}(\.[0-9]{1,20})?[eE]\+?[0-9]{1,2}$`)

// writtenOut is a whole number with an exponent without it, and any other text as it is.
func writtenOut(s string) string {
	if exponent().MatchString(s) {
		if x, ok := new(big.Rat).SetString(s); ok && x.IsInt() {
			return x.Num().String()
		}
	}
	return s
}
