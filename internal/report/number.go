package report

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// grouped writes a decimal number with a comma after every three digits of its integer part and with a true
// minus sign, as English and Japanese publications do.
func grouped(s string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		sign, s = "−", rest
	}
	whole, part, broken := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for n, c := range whole {
		if n > 0 && (len(whole)-n)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	if broken {
		b.WriteString("." + part)
	}
	return b.String()
}

// A count is a number of things, for use in a sentence.
type count int

// Format writes the number grouped, whatever the verb.
func (n count) Format(f fmt.State, verb rune) { io.WriteString(f, n.String()) }

func (n count) String() string { return grouped(strconv.Itoa(int(n))) }

// ratText returns r·10^−scale as text; a number without a short decimal form is rounded to two decimals more
// than scale and preceded by ≈.
func ratText(r *big.Rat, scale int) string {
	s := table.FormatRat(r, scale)
	if !strings.Contains(s, "/") {
		return grouped(s)
	}
	q := new(big.Rat).Quo(r, new(big.Rat).SetInt64(table.Pow10(scale)))
	return "≈ " + grouped(q.FloatString(scale+2))
}

// padded appends zeros to a number until it has that many decimals, so that numbers in a column are aligned.
func padded(s string, places int) string {
	_, part, broken := strings.Cut(s, ".")
	if missing := places - len(part); missing > 0 && strings.ContainsAny(s, "0123456789") {
		if !broken {
			s += "."
		}
		s += strings.Repeat("0", missing)
	}
	return s
}

// placesOf returns how many decimals numbers with that scale need.
func placesOf(numbers []int64, skip func(i int) bool, scale int) int {
	places := 0
	for i, v := range numbers {
		if skip != nil && skip(i) {
			continue
		}
		for places < scale && v%table.Pow10(scale-places) != 0 {
			places++
		}
	}
	return places
}
