package document

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Exact is a number printed digit for digit. It is null in JSON where it is empty, unknown or
// infinite, and a string "p/q" where no short decimal is exact.
type Exact string

// MarshalJSON writes a number, a string or null.
func (x Exact) MarshalJSON() ([]byte, error) {
	switch {
	case x == "":
		return []byte("null"), nil
	case strings.Contains(string(x), "/"):
		return json.Marshal(string(x))
	}
	return []byte(x), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (x *Exact) UnmarshalJSON(b []byte) error {
	text := string(b)
	switch {
	case text == "null":
		text = ""
	case strings.HasPrefix(text, `"`):
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	}
	// No exponents: MarshalJSON writes none, and a large one is a number without end.
	if text != "" && (strings.ContainsAny(text, "eEpP") || Exact(text).Rat() == nil) {
		return i18n.Errorf("%s: want a number written out", b)
	}
	*x = Exact(text)
	return nil
}

// Rat returns the number, nil for none.
func (x Exact) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(string(x))
	if !ok {
		return nil
	}
	return r
}

const fractionPattern = `^-?[0-9]+/[0-9]+$`

// Rational is a rational number in lowest terms: "1/4", or "3" for a whole one.
type Rational string

// Opt is a value that may be null, or not there at all in a field with omitzero: the zero Opt.
type Opt[T any] struct {
	value T
	state optState
}

type optState byte

const (
	absent optState = iota
	isNull
	isSome
)

// Some is a value.
func Some[T any](x T) Opt[T] { return Opt[T]{x, isSome} }

// Null is a key without a value.
func Null[T any]() Opt[T] { return Opt[T]{state: isNull} }

// SomeIf is x where ok, else null.
func SomeIf[T any](ok bool, x T) Opt[T] {
	if !ok {
		return Null[T]()
	}
	return Some(x)
}

// Get returns the value, if there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == isSome }

// Any is Get without the type.
func (o Opt[T]) Any() (any, bool) { return o.value, o.state == isSome }

// MarshalJSON writes the value, or null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != isSome {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(o.value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// UnmarshalJSON reads a value or null.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*o = Null[T]()
		return nil
	}
	o.state = isSome
	return json.Unmarshal(b, &o.value)
}

// inner is the type of the value, for the schema.
func (o Opt[T]) inner() any { return o.value }
