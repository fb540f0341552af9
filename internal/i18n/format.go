package i18n

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A part of a format is what stands before a verb, and the verb.
type part struct {
	before string // own words, with %% as %
	verb   rune   // 0 at the end of the format
	format string // the verb with its flags, for fmt
	arg    int    // which argument it takes, from 0
}

var parsed sync.Map // format → []part

// parse takes a format apart. Of package fmt it knows verbs with flags, width and precision in digits, and the numbers of arguments in
// brackets: formats of messages have no others (TestFormats).
func parse(format string) []part {
	if p, ok := parsed.Load(format); ok {
		return p.([]part)
	}
	var all []part
	arg, before := 0, ""
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			own, _, _ := strings.Cut(format[i:], "%")
			before, i = before+own, i+len(own)-1
			continue
		}
		j, index := i+1, -1
		for ; j < len(format); j++ {
			switch c := format[j]; {
			case c == '[':
				index = 0
				for j++; j < len(format) && format[j] != ']'; j++ {
					index = 10*index + int(format[j]-'0')
				}
				continue
			case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '#' || c == ' ' || c == '.':
				continue
			}
			break
		}
		switch {
		case j == len(format):
			before += format[i:]
		case format[j] == '%':
			before += "%"
		default:
			if index > 0 {
				arg = index - 1
			}
			all = append(all, part{before, rune(format[j]), plain(format[i : j+1]), arg})
			before, arg = "", arg+1
		}
		i = j
	}
	all = append(all, part{before: before})
	parsed.Store(format, all)
	return all
}

// plain is a verb without the number of its argument.
func plain(verb string) string {
	out, inside := "", false
	for _, c := range verb {
		switch {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case !inside:
			out += string(c)
		}
	}
	return out
}

// field is the name of a field of a file or of a flag, which readers call differently, in a format.
var field = regexp.MustCompile(`\{[a-z][a-z0-9_-]*\}`)

// An identity is the identifier of a format, the blanks and line ends around it, which are no part of it, and the fields that it names.
type identity struct {
	id, lead, trail string
	fields          []string // in braces
}

var identities sync.Map // format → identity

// identify makes a format the identifier of its message: verbs of all kinds are %s.
func identify(format string) identity {
	if m, ok := identities.Load(format); ok {
		return m.(identity)
	}
	var b strings.Builder
	next := 0
	for _, p := range parse(format) {
		b.WriteString(strings.ReplaceAll(p.before, "%", "%%"))
		switch {
		case p.verb == 0:
		case p.arg == next:
			b.WriteString("%s")
		default:
			fmt.Fprintf(&b, "%%[%d]s", p.arg+1)
		}
		next = p.arg + 1
	}
	all := b.String()
	m := identity{id: strings.Trim(all, " \n")}
	m.lead = all[:len(all)-len(strings.TrimLeft(all, " \n"))]
	m.trail = all[len(strings.TrimRight(all, " \n")):]
	m.fields = field.FindAllString(m.id, -1)
	identities.Store(format, m)
	return m
}

// Identifier is that by which catalogues know the message of a format.
func Identifier(format string) string { return identify(format).id }
