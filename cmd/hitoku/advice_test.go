package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/test/must"
)

// spoken are the words of a verb, a flag, or the end of a sentence.
var spoken = regexp.MustCompile(`\bhitoku((?: [a-z][a-z-]*)+)|--([a-z][a-z-]*[a-z])|\. `)

// translated begins the pair of a text.
var translated = regexp.MustCompile(`(?m)^("(?:[^"\\\n]|\\.)*") = `)

// unaccepted are flags that a text names of a verb, by the words before them, or else of the one that says it, and that this does not have. Flags in told were given by the caller. said may be nil: then
// some verb has to have them.
func unaccepted(root, said *cobra.Command, text string, told []string) (list []string) {
	for line := range strings.Lines(text) {
		of := said
		for _, m := range spoken.FindAllStringSubmatch(line, -1) {
			if m[2] == "" {
				of = said
				if m[1] == "" {
					continue
				}
				if c, _, err := root.Find(strings.Fields(m[1])); err == nil && c != root {
					of = c
				}
				continue
			}
			from := root
			if of != nil {
				from = of // a verb, or those below
			}
			if m[2] != "help" && !slices.ContainsFunc(everyVerb(from), func(c *cobra.Command) bool {
				return c.Flags().Lookup(m[2]) != nil || c.InheritedFlags().Lookup(m[2]) != nil
			}) && !slices.ContainsFunc(told, func(a string) bool { return strings.HasPrefix(a, "--"+m[2]) }) {
				list = append(list, fmt.Sprintf("--%s: %s", m[2], strings.TrimSpace(line)))
			}
		}
	}
	return list
}

// everyVerb is a command and all below it.
func everyVerb(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		all = append(all, everyVerb(sub)...)
	}
	return all
}

// heard runs what writes to standard error, and returns that, too.
func heard(do func()) string {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	own := os.Stderr
	os.Stderr = w
	text := make(chan string)
	go func() {
		var b strings.Builder
		io.Copy(io.MultiWriter(own, &b), r)
		text <- b.String()
	}()
	do()
	w.Close()
	os.Stderr = own
	return <-text
}

// TestAdvice goes through all texts: the flags that they name of a verb are flags of it, and others of some verb. What verbs say in scripts, where watched hears it,
// names flags of theirs, or says of which verb.
func TestAdvice(t *testing.T) {
	t.Parallel()
	root := newRoot(nil)
	files, err := filepath.Glob("../../internal/i18n/catalogue/ja/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if c, _, err := root.Find([]string{"risk", "release"}); err != nil || len(unaccepted(root, c, "leave it out: --drop a. hitoku risk all --drop a; --tries 3", nil)) != 2 {
		t.Error("flags of others are taken for its own")
	}
	texts := 0
	for _, path := range files {
		text := must.Get(os.ReadFile(path))(t)
		for _, m := range translated.FindAllSubmatch(text, -1) {
			said, err := strconv.Unquote(string(m[1]))
			if err != nil {
				t.Fatalf("%s: %s: %v", path, m[1], err)
			}
			texts++
			for _, fault := range unaccepted(root, nil, said, nil) {
				t.Errorf("%s: %s", filepath.Base(path), fault)
			}
		}
	}
	if texts < 4000 {
		t.Errorf("%d texts", texts)
	}
}
