package table

import (
	"slices"
	"strconv"
	"strings"
)

// A Reason says why a cell is sensitive.
type Reason uint8

const (
	NoReason    Reason = iota // not sensitive, or no reason given
	ByDominance               // NK: the n largest contribute more than k %
	ByPercent                 // P, PQ: the largest can be estimated too closely
	ByRequest                 // a contributor asked for protection
	ByFrequency               // too few contributors
	ByZero                    // every contribution is 0
	ByManual                  // the input says so
	ByMeasure                 // a linear measure: the largest contribute too much
	ByGroup                   // nearly all units of a group are in one cell, see GroupRule
)

var reasonWords = [...]string{"", "dominance", "p-percent", "request", "frequency", "zero", "manual", "measure", "group"}

// String returns the word of the reason in tidy CSV files, "" for NoReason.
func (r Reason) String() string {
	if int(r) < len(reasonWords) {
		return reasonWords[r]
	}
	return "Reason(" + strconv.Itoa(int(r)) + ")"
}

// ParseReason reads what String writes.
func ParseReason(s string) (Reason, bool) {
	k := slices.Index(reasonWords[:], strings.ToLower(strings.TrimSpace(s)))
	return Reason(max(k, 0)), k >= 0
}

// ReasonOf returns why cell i is sensitive: NoReason for other cells, ByManual if no reason is recorded.
func (t *Table) ReasonOf(i int) Reason {
	switch {
	case t.Status[i] != Sensitive:
		return NoReason
	case t.Reason == nil || t.Reason[i] == NoReason:
		return ByManual
	}
	return t.Reason[i]
}

// setReason records why cell i is sensitive.
func (t *Table) setReason(i int, r Reason) {
	if t.Reason == nil {
		t.Reason = make([]Reason, t.Len())
	}
	t.Reason[i] = r
}
