package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// The flag values below are checked while the command line is parsed, so that a
// wrong one is reported with its flag.

// levelValue is a protection level, absolute or a percentage.
type levelValue struct{ to **table.Level }

func (v levelValue) Type() string { return "level" }

func (v levelValue) String() string {
	if v.to == nil || *v.to == nil {
		return ""
	}
	if l := *v.to; l.Percent {
		return l.Decimal.String() + "%"
	}
	return (*v.to).Decimal.String()
}

func (v levelValue) Set(s string) error {
	l, err := table.ParseLevel(s)
	if err == nil {
		*v.to = &l
	}
	return err
}

// decimalValue is an exact number.
type decimalValue struct{ to **table.Decimal }

func (v decimalValue) Type() string { return "number" }

func (v decimalValue) String() string {
	if v.to == nil || *v.to == nil {
		return ""
	}
	return (*v.to).String()
}

func (v decimalValue) Set(s string) error {
	d, err := table.ParseDecimal(s)
	if err == nil {
		*v.to = &d
	}
	return err
}

// choiceValue is one of a few words.
type choiceValue struct {
	to   *string
	from []string
}

func (v choiceValue) Type() string { return strings.Join(v.from, "|") }

func (v choiceValue) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}

func (v choiceValue) Set(s string) error {
	if !slices.Contains(v.from, s) {
		return fmt.Errorf("want %s", strings.Join(v.from, ", "))
	}
	*v.to = s
	return nil
}
