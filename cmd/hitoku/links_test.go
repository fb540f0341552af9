package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hitoku/hitoku/internal/test/filetest"
	"github.com/hitoku/hitoku/internal/test/must"
)

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```$")
	code     = regexp.MustCompile("`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.*)$`)
	pageName = regexp.MustCompile(`\bdocs/[a-z_]+\.md\b`)
)

// TestLinks follows every relative link of the Markdown files, to files and to headings,
// and every page docs/*.md that a program or a page names.
func TestLinks(t *testing.T) {
	root := os.DirFS("../..")
	files, links := 0, 0
	filetest.Walk(t, root, func(file, text string) {
		for _, page := range pageName.FindAllString(text, -1) {
			if _, err := fs.Stat(root, page); err != nil {
				t.Errorf("%s names %s: %v", file, page, err)
			}
		}
		if path.Ext(file) != ".md" {
			return
		}
		files++
		text = code.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			links++
			to, anchor, _ := strings.Cut(m[1], "#")
			target := file
			if to != "" {
				target = path.Join(path.Dir(file), to)
			}
			b, err := fs.ReadFile(root, target)
			if info, serr := fs.Stat(root, target); serr == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("%s: link to %s: %v", file, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(string(b)), anchor) {
				t.Errorf("%s: link to %s: no such heading", file, m[1])
			}
		}
	}, ".md", ".go")
	if files < 20 || links < 100 {
		t.Errorf("%d links in %d files", links, files)
	}
}

// anchors are the names that GitHub gives to the headings of a page.
func anchors(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.Map(func(c rune) rune {
			switch {
			case c == ' ':
				return '-'
			case c == '-', c == '_', unicode.IsLetter(c), unicode.IsDigit(c):
				return unicode.ToLower(c)
			}
			return -1
		}, m[1]))
	}
	return all
}

// TestIndex asks that docs/README.md has every page.
func TestIndex(t *testing.T) {
	index := must.Get(os.ReadFile("../../docs/README.md"))(t)
	for _, page := range pages(t) {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}
