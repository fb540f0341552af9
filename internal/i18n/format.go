package i18n

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A part of a format is a verb and the text before it.
type part struct {
	before string // the text, with %% resolved to %
	verb   rune   // 0 for the end of the format
	format string // the verb with its flags, to be used with fmt
	arg    int    // number of its argument, from 0
}

var parsed sync.Map // format → []part

// parse splits a format. Of package fmt it knows verbs with flags, numeric width and precision, and argument
// numbers in brackets; messages use nothing else (TestFormats).
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

// plain returns a verb without the number of its argument.
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

// field matches in a format the name of a field of a file or of a flag, which readers may know by another name.
var field = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[a-z][a-z0-9_-]*\}`) })

// An identity is what identifies the message of a format, and what is not part of that: surrounding blanks and
// line ends, and the names of fields.
type identity struct {
	id, lead, trail string
	fields          []string // the names in braces
}

var identities sync.Map // format → identity

// identify returns the identity of a format; in an identifier verbs of all kinds are %s.
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
	if strings.Contains(m.id, "{") {
		m.fields = field().FindAllString(m.id, -1)
	}
	identities.Store(format, m)
	return m
}

// Identifier returns the identifier by which catalogues know the message of a format.
func Identifier(format string) string { return identify(format).id }
