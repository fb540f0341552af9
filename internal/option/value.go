package option

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// A List is a Value to which each text that is set is added.
type List interface {
	Value
	Texts() []string // one text for each element
}

// One returns a Value for a variable of any type: parse reads it; show writes it, and returns "" if it is not
// given.
func One[T any](to *T, kind string, parse func(text string) (T, error), show func(T) string) Value {
	return one[T]{to, kind, parse, show}
}

type one[T any] struct {
	to    *T
	kind  string
	parse func(string) (T, error)
	show  func(T) string
}

func (v one[T]) Type() string   { return v.kind }
func (v one[T]) String() string { return v.show(*v.to) }

func (v one[T]) Set(text string) error {
	x, err := v.parse(text)
	if err == nil {
		*v.to = x
	}
	return err
}

func (v one[T]) clear() { *v.to = *new(T) }

// Many returns a List for a slice: parse reads the elements of a text, mostly one; show writes an element.
func Many[T any](to *[]T, parse func(text string) ([]T, error), show func(T) string) List {
	return many[T]{to, parse, show}
}

type many[T any] struct {
	to    *[]T
	parse func(string) ([]T, error)
	show  func(T) string
}

func (v many[T]) Type() string   { return "stringArray" }
func (v many[T]) String() string { return Spell(v.Texts()) }

func (v many[T]) Texts() []string { return sets.Each(*v.to, v.show) }

func (v many[T]) Set(text string) error {
	x, err := v.parse(text)
	if err == nil {
		*v.to = append(slices.Clip(*v.to), x...)
	}
	return err
}

func (v many[T]) clear() { *v.to = nil }

// Spell writes a list in brackets, as a line of CSV.
func Spell(texts []string) string {
	if len(texts) == 0 {
		return "[]"
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(texts)
	w.Flush()
	return "[" + strings.TrimSuffix(b.String(), "\n") + "]"
}

// Repeats reports whether the option may be given several times.
func (o *Option) Repeats() bool {
	switch o.To.(type) {
	case *[]string:
		return !o.Split
	case List:
		return true
	}
	return false
}

// Put sets an option that is a Value to texts as returned by Texts.
func (o *Option) Put(texts ...string) error {
	if v, ok := o.To.(interface{ clear() }); ok {
		v.clear()
	}
	for _, text := range texts {
		if err := o.To.(Value).Set(text); err != nil {
			return err
		}
	}
	return nil
}
