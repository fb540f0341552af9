package argus

import (
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// splitFields appends the fields of a line to dst, without their quotes but with the blanks inside these. A
// field that begins with a quote must end with one; inside, two quotes stand for one. The separator may stand
// inside quotes, too, which τ-ARGUS cannot read.
func splitFields(dst []string, file string, line int, text string, sep byte) ([]string, error) {
	for pos := 0; ; pos++ {
		start := pos
		for pos < len(text) && text[pos] != sep && (text[pos] == ' ' || text[pos] == '\t') {
			pos++
		}
		if pos == len(text) || text[pos] != '"' {
			end := strings.IndexByte(text[pos:], sep)
			if end < 0 {
				return append(dst, text[start:]), nil
			}
			dst = append(dst, text[start:pos+end])
			pos += end
			continue
		}
		open := pos
		doubled := false
		for pos++; ; pos++ {
			if pos == len(text) {
				return nil, &formats.Error{File: file, Line: line, Column: open + 1, Want: i18n.T(`the quote " opened here is not closed on its line`)}
			}
			if text[pos] == '"' {
				if pos+1 == len(text) || text[pos+1] != '"' {
					break
				}
				pos++
				doubled = true
			}
		}
		field := text[open+1 : pos]
		if doubled {
			field = strings.ReplaceAll(field, `""`, `"`)
		}
		dst = append(dst, field)
		end := strings.IndexByte(text[pos+1:], sep)
		rest := text[pos+1:]
		if end >= 0 {
			rest = rest[:end]
		}
		if strings.TrimSpace(rest) != "" {
			return nil, &formats.Error{File: file, Line: line, Column: pos + 2, Value: formats.Show(strings.TrimSpace(rest)), Want: i18n.T("text after a closing quote; want the separator")}
		}
		if end < 0 {
			return dst, nil
		}
		pos += 1 + end
	}
}
