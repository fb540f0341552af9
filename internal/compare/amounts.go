package compare

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// amountForms match amounts, with a currency before or after them and a multiplier such as k or 万; compiled when first
// needed.
var amountForms = sync.OnceValue(func() (f struct{ grouped, plain, threes *regexp.Regexp }) {
	const (
		mark  = `(?:[$€£¥￥₩₹]|(?i:usd|eur|gbp|jpy|chf|cad|aud)\b)?`
		times = `(?:\s?(?i:(thousand|tsd|k)|(million|millionen|mio|mn|m)|(billion|mrd|bn|b))\b\.?|(億)|(千万)|(百万)|(十万)|(万)|(千))?`
		unit  = `(?:[$€£¥￥₩₹円]|(?i:usd|eur|gbp|jpy|chf|cad|aud)\b)?`
	)
	f.grouped = regexp.MustCompile(`([+-]?)` + mark + `\s?(` + inThrees + `\b|\d+(?:[.,]\d{1,2}\b)?|\d+)` + times + `\s?` + unit)
	f.plain = regexp.MustCompile(`([+-]?)` + mark + `\s?(\d+(?:[.,]\d+)?)` + times + `\s?` + unit)
	f.threes = regexp.MustCompile(`^` + inThrees + `$`)
	return f
})

// powers are the powers of ten of the multipliers, in the order of amountForms.
var powers = []int{3, 6, 9, 8, 7, 6, 5, 4, 3}

// amounts returns a text with its amounts as plain numbers, such as 2000-2500 for 2k-2.5k, $2,000-$2,500 and 2-2.5k.
// With grouped, signs between groups of three digits are dropped.
func amounts(text string, grouped bool) string {
	f := amountForms()
	re := f.plain
	if grouped {
		re = f.grouped
	}
	half := halfWidth(text)
	found := re.FindAllStringSubmatchIndex(half, -1)
	power := func(m []int) int {
		for n, p := range powers {
			if m[6+2*n] >= 0 {
				return p
			}
		}
		return 0
	}
	var b strings.Builder
	at, changed := 0, half != text
	for n, m := range found {
		digits, p := half[m[4]:m[5]], power(m)
		if n == 0 && len(found) == 2 && p == 0 { // 2-3k means 2k-3k
			q := power(found[1])
			x, _ := strconv.ParseFloat(digits, 64)
			if y, err := strconv.ParseFloat(half[found[1][4]:found[1][5]], 64); err == nil && x < y {
				p = q
			}
		}
		if grouped && f.threes.MatchString(digits) {
			digits = strings.Map(func(c rune) rune {
				if '0' <= c && c <= '9' {
					return c
				}
				return -1
			}, digits)
		}
		digits = shifted(strings.Replace(digits, ",", ".", 1), p)
		sign := half[m[2]:m[3]]
		b.WriteString(half[at:m[0]])
		b.WriteString(sign + digits)
		changed = changed || sign+digits != half[m[0]:m[1]]
		at = m[1]
	}
	if !changed {
		return text
	}
	return b.String() + half[at:]
}

// shifted returns a decimal number times 10^n.
func shifted(x string, n int) string {
	whole, part, _ := strings.Cut(x, ".")
	for ; n > 0; n-- {
		if part == "" {
			part = "0"
		}
		whole, part = whole+part[:1], part[1:]
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// amounts replaces released texts that are amounts by plain numbers, such as 1200000 for 1.2m. Digits are read as
// grouped if more of the numbers are then in the range of the original.
func (r *reader) amounts() {
	if !r.numeric {
		return
	}
	var best map[uint32]string
	most := -1
	for _, grouped := range []bool{false, true} {
		all, among := map[uint32]string{}, 0
		for n, t := range r.texts {
			if _, err := number(t); err == nil {
				continue
			}
			plain := amounts(t, grouped)
			x, err := number(plain)
			if err != nil {
				continue
			}
			all[r.ids[n]] = plain
			if r.x[0] <= 2*x && x <= 2*r.x[len(r.x)-1] {
				among++
			}
		}
		if among > most {
			best, most = all, among
		}
	}
	r.written = best
	for n, id := range r.ids {
		if t, ok := best[id]; ok {
			r.texts[n] = t
		}
	}
}
