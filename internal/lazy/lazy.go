// Package lazy delays what most runs of a program never use until it is first used, so that the program starts
// sooner.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the regular expression s, which is compiled at the first call. s must
// be valid (TestRegexps of internal/test/outside).
func Regexp(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}
