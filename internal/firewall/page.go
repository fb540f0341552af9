package firewall

import (
	"html"
	"regexp"
	"strings"
	"sync"
)

// checksums matches checksums and the like, which have digits but are no numbers.
var checksums = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[0-9a-fA-F]{16,}\b`) })

// seen matches attributes that a browser shows or reads out; numbers in others are positions of drawings.
var seen = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\s(?:title|alt|value|content|aria-label|label|data-[a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
})

// eachText calls f with the readable texts of a page and the lines on which they begin: what stands between tags,
// in comments and in scripts, and some attributes.
func eachText(s string, f func(line int, text string)) {
	line := 1
	for s != "" {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			at = len(s)
		}
		if text := s[:at]; strings.TrimSpace(text) != "" {
			f(line, html.UnescapeString(text))
		}
		line += strings.Count(s[:at], "\n")
		if s = s[at:]; s == "" {
			return
		}
		end, comment := strings.IndexByte(s, '>'), strings.HasPrefix(s, "<!--")
		if comment {
			end = strings.Index(s, "-->")
		}
		for !comment && end >= 0 && strings.Count(s[:end], `"`)%2 == 1 { // inside an attribute
			next := strings.IndexByte(s[end+1:], '>')
			if next < 0 {
				break
			}
			end += next + 1
		}
		if end < 0 {
			end = len(s) - 1
		}
		tag := s[:end+1]
		if comment {
			f(line, tag)
		}
		for _, m := range seen().FindAllStringSubmatch(tag, -1) {
			f(line, html.UnescapeString(m[1]+m[2]))
		}
		line += strings.Count(tag, "\n")
		s = s[end+1:]
		if strings.HasPrefix(strings.ToLower(tag), "<style") {
			close := strings.Index(s, "</style")
			if close < 0 {
				close = len(s)
			}
			line += strings.Count(s[:close], "\n")
			s = s[close:]
		}
	}
}
