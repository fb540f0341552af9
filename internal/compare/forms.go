package compare

import (
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
)

// mark is the sign that stands for a character or for any value.
const mark = "*"

// anyOf reports whether a text stands for any value.
func anyOf(text string) bool { return text != "" && strings.Trim(text, mark) == "" || text == "NA" }

// An interval has ends that may be open or infinite. unit is a length of which a billionth is negligible.
type interval struct {
	low, high, unit   float64
	lowOpen, highOpen bool
}

// ends says to which intervals the ends of a range like 30-39 belong.
type ends int

const (
	half      ends = iota // the upper end belongs to the next interval
	halfBelow             // the lower end belongs to the interval before
	closed                // both ends belong to the interval
	upTo                  // the upper end stands for all numbers up to the next one with as many decimals
	endsKinds
)

// looseness says which words include the number itself.
type looseness int

const (
	looseUnder looseness = 1 << iota // "under" and "below" do
	looseOver                        // "over" and "above" do
)

const (
	numeral  = `([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`
	infinite = `([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:inf|Inf|∞|infinity|Infinity))`
	unitOf   = `\s*(?:歳|才|人|円|年|years?|yrs?)?`
	ahead    = `(?i:under|below|less than|fewer than|up to|at most|over|above|more than|at least|～|〜)`
	after    = `(?i:(?:or|and)\s+(?:more|over|above|older|up|less|fewer|under|below|younger)|plus)`
)

// spellings are the ways of writing intervals, compiled when first needed because most commands compare nothing.
var spellings = sync.OnceValue(func() (f struct{ bracketed, ranged, compared, worded, followed, decade *regexp.Regexp }) {
	f.bracketed = regexp.MustCompile(`^([\[\](])\s*` + infinite + `\s*[,;]\s*` + infinite + `\s*([\[\])])` + unitOf + `$`)
	f.ranged = regexp.MustCompile(`^` + numeral + unitOf + `\s*(?:-|–|—|~|〜|～|\.\.\.?|\bto\b|から)\s*` + numeral + unitOf + `(?:まで)?$`)
	f.compared = regexp.MustCompile(`^(<=|>=|=<|=>|<|>|≤|≥|≦|≧|＜|＞)\s*` + numeral + unitOf + `$`)
	f.worded = regexp.MustCompile(`^(` + ahead + `)\s*` + numeral + unitOf + `$`)
	f.followed = regexp.MustCompile(`^` + numeral + unitOf + `\s*(\+|未満|以上|以下|超|から|～|〜|` + after + `)$`)
	f.decade = regexp.MustCompile(`^(\d*0)(?:歳?代|['’]?s)$`)
	return f
})

// endOf returns an end of an interval, NaN if it is not a number.
func endOf(text string) float64 {
	switch strings.TrimLeft(text, "+-") {
	case "inf", "Inf", "∞", "infinity", "Infinity":
		return math.Inf(1 - 2*strings.Count(text[:1], "-"))
	}
	x, err := number(text)
	if err != nil {
		return math.NaN()
	}
	return x
}

// parseInterval reads an interval as releases write them: [34,36), (34,36], [34, 36[, 30-39, 30–39, <5, <=5, ≥90, 90+,
// under 5, 90 and over, 30s, 5歳未満, 30代. loose says which words include the number itself.
func parseInterval(text string, how ends, loose looseness) (v interval, ok bool) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "−", "-") // the mathematical minus sign
	v = interval{low: math.Inf(-1), high: math.Inf(1)}
	f := spellings()
	if m := f.bracketed.FindStringSubmatch(text); m != nil {
		v.low, v.high, v.lowOpen, v.highOpen = endOf(m[2]), endOf(m[3]), m[1] != "[", m[4] != "]"
	} else if m := f.ranged.FindStringSubmatch(text); m != nil {
		v.low, v.high = endOf(m[1]), endOf(m[2])
		if n := len(m[1]) - len(m[2]); v.high < v.low && n > 0 && strings.Trim(m[1]+m[2], "0123456789") == "" { // 1940-49
			v.high = endOf(m[1][:n] + m[2])
		}
		v.lowOpen, v.highOpen = how == halfBelow, how == half
		if how == upTo {
			_, part, _ := strings.Cut(m[2], ".")
			v.high, v.highOpen = v.high+math.Pow10(-len(part)), true
		}
	} else if m := f.compared.FindStringSubmatch(text); m != nil {
		x := endOf(m[2])
		switch m[1] {
		case "<", "＜":
			v.high, v.highOpen = x, true
		case "<=", "=<", "≤", "≦":
			v.high = x
		case ">", "＞":
			v.low, v.lowOpen = x, true
		default:
			v.low = x
		}
	} else if m := f.worded.FindStringSubmatch(text); m != nil {
		x := endOf(m[2])
		switch strings.ToLower(m[1]) {
		case "under", "below":
			v.high, v.highOpen = x, loose&looseUnder == 0
		case "less than", "fewer than":
			v.high, v.highOpen = x, true
		case "over", "above":
			v.low, v.lowOpen = x, loose&looseOver == 0
		case "more than":
			v.low, v.lowOpen = x, true
		case "at least":
			v.low = x
		default:
			v.high = x
		}
	} else if m := f.decade.FindStringSubmatch(text); m != nil {
		v.low = endOf(m[1])
		v.high, v.highOpen = v.low+10, true
	} else if m := f.followed.FindStringSubmatch(text); m != nil {
		x := endOf(m[1])
		words := strings.Fields(strings.ToLower(m[2]))
		switch words[len(words)-1] {
		case "未満":
			v.high, v.highOpen = x, true
		case "以下", "less", "fewer", "under", "below", "younger":
			v.high = x
		case "超":
			v.low, v.lowOpen = x, true
		default:
			v.low = x
		}
	} else {
		return v, false
	}
	return v, v.low <= v.high // false if one is NaN
}

// matches reports whether a text matches a pattern in which each mark stands for one character or, with any, for any
// number of them.
func matches(pattern, text string, any bool) bool {
	p, t := []rune(pattern), []rune(text)
	if !any {
		if len(p) != len(t) {
			return false
		}
		for n := range p {
			if p[n] != '*' && p[n] != t[n] {
				return false
			}
		}
		return true
	}
	n, m, star, from := 0, 0, -1, 0
	for m < len(t) {
		switch {
		case n < len(p) && p[n] == '*':
			star, from = n, m
			n++
		case n < len(p) && p[n] == t[m]:
			n++
			m++
		case star >= 0:
			from++
			n, m = star+1, from
		default:
			return false
		}
	}
	for n < len(p) && p[n] == '*' {
		n++
	}
	return n == len(p)
}

// A rounding is a way to round numbers to multiples of a base.
type rounding struct {
	name     i18n.Text
	wide     bool // the intervals overlap
	interval func(x, base float64) interval
}

// roundings are the ways of rounding that are tried, those with smaller sets first.
var roundings = []rounding{
	{i18n.T("half up"), false, func(x, b float64) interval { return interval{x - b/2, x + b/2, b, false, true} }},
	{i18n.T("half to even"), false, func(x, b float64) interval {
		odd := math.Mod(math.Round(x/b), 2) != 0
		return interval{x - b/2, x + b/2, b, odd, odd}
	}},
	{i18n.T("half away from 0"), false, func(x, b float64) interval { return interval{x - b/2, x + b/2, b, x <= 0, x >= 0} }},
	{i18n.T("half down"), false, func(x, b float64) interval { return interval{x - b/2, x + b/2, b, true, false} }},
	{i18n.T("always down"), false, func(x, b float64) interval { return interval{x, x + b, b, false, true} }},
	{i18n.T("always up"), false, func(x, b float64) interval { return interval{x - b, x, b, true, false} }},
	{i18n.T("to the nearest"), true, func(x, b float64) interval { return interval{x - b/2, x + b/2, b, false, false} }},
	{i18n.T("up or down"), true, func(x, b float64) interval { return interval{x - b, x + b, b, true, true} }},
}
