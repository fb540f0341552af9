// Package lazy makes at their first use what most runs of a program never use, so that it starts sooner.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is the regular expression s, compiled at its first use; s must be one (TestRegexps of internal/test/outside).
func Regexp(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}
