package batch

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

const (
	maxJob   = 16 << 20 // bytes of a job file
	maxDepth = 64       // brackets within brackets, and parts of a key
)

// tooDeep says on which line of TOML text brackets stand too deep within each other, or a key has
// too many parts, 0 for none. The parser takes time and memory quadratic in the one
// and overflows its stack on the other.
func tooDeep(text []byte) (line int, want i18n.Text) {
	line = 1
	depth, dots := 0, 0
	quote, times := byte(0), 0 // of the string that is open: its quotes, one or three
	same := func(i int) int {  // quotes like that at i, three at most
		n := 1
		for n < 3 && i+n < len(text) && text[i+n] == text[i] {
			n++
		}
		return n
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\n' {
			line++
			dots = 0
			if times == 1 {
				quote = 0 // not closed on its line, which is a fault of its own
			}
		}
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				if i++; i < len(text) && text[i] == '\n' {
					line++
				}
			} else if c == quote && (times == 1 || same(i) == 3) {
				i += times - 1
				quote = 0
			}
		case c == '"' || c == '\'':
			quote, times = c, same(i)
			switch times {
			case 2: // an empty string
				quote = 0
				i++
			case 3:
				i += 2
			}
		case c == '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '[' || c == '{':
			depth++
			dots = 0
		case c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == '.':
			dots++
		case c == '=' || c == ',':
			dots = 0
		}
		switch {
		case depth > maxDepth:
			return line, i18n.T("more than %d brackets within each other", maxDepth)
		case dots >= maxDepth:
			return line, i18n.T("a key of more than %d parts", maxDepth)
		}
	}
	return 0, i18n.Text{}
}
