package document

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Exact is a number printed digit for digit. In JSON it is null if it is empty, unknown or infinite, and a
// string "p/q" if it has no short exact decimal form.
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
	// Exponents are not accepted: MarshalJSON writes none, and a large one would make a number of excessive
	// length.
	if text != "" && (strings.ContainsAny(text, "eEpP") || Exact(text).Rat() == nil) {
		return i18n.Errorf("%s: want a number written out", b)
	}
	*x = Exact(text)
	return nil
}

// Rat returns the number, nil if there is none.
func (x Exact) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(string(x))
	if !ok {
		return nil
	}
	return r
}

const fractionPattern = `^-?[0-9]+/[0-9]+$`

// Rational is a rational number in lowest terms: "1/4", or "3" for an integer.
type Rational string

// Opt is a value that may be null or, in a field with omitzero, absent, which is the zero Opt.
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

// Some returns a value that is present.
func Some[T any](x T) Opt[T] { return Opt[T]{x, isSome} }

// Null returns a value that is null.
func Null[T any]() Opt[T] { return Opt[T]{state: isNull} }

// SomeIf returns x if ok, else null.
func SomeIf[T any](ok bool, x T) Opt[T] {
	if !ok {
		return Null[T]()
	}
	return Some(x)
}

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == isSome }

// Any is Get, but without the type of the value.
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

// inner returns the zero value, from which the schema takes the type.
func (o Opt[T]) inner() any { return o.value }
