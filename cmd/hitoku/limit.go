package main

import (
	"strconv"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A readLimit is the value of --read-limit.
type readLimit int64

func (r *readLimit) String() string { return strconv.FormatInt(int64(*r), 10) }
func (r *readLimit) Type() string   { return "times" }

func (r *readLimit) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > budget.MostTimes {
		return i18n.Errorf("want a whole number from 1 to %d", budget.MostTimes)
	}
	*r = readLimit(n)
	budget.Raise(n)
	return nil
}
