package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Verbs with many flags have five that the help shows first, with examples that they take.
func TestCommonFlags(t *testing.T) {
	t.Parallel()
	for _, c := range flags.Manned(newRoot(nil)) {
		n := 0
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				n++
			}
		})
		examples := flags.Examples(c)
		if n > 8 && len(examples) != 5 {
			t.Errorf("%s has %d flags, and examples of %d", c.CommandPath(), n, len(examples))
		}
		for _, eg := range examples {
			name, value, given := strings.Cut(eg, " ")
			args := []string{name}
			if given {
				args = append(args, strings.Trim(value, `'"`))
			}
			if err := again(t, c).ParseFlags(args); err != nil {
				t.Errorf("%s %s: %v", c.CommandPath(), eg, err)
			}
		}
	}
}

// again returns a verb that nothing has been given to yet.
func again(t *testing.T, c *cobra.Command) *cobra.Command {
	t.Helper()
	root := newRoot(nil)
	found, _ := must.Two(root.Find(strings.Fields(c.CommandPath())[1:]))(t)
	return found
}

// What help and manual print is among the texts that a catalogue is to have; no line is wider than 100 but for what cannot be cut.
func TestHelpTexts(t *testing.T) {
	t.Parallel()
	root := newRoot(nil)
	texts := flags.Texts(root)
	for _, c := range flags.Manned(root) {
		for _, text := range []string{c.Short, c.Long, c.Example} {
			if text != "" && !slices.Contains(texts, text) {
				t.Errorf("%s: %q is no text of a catalogue", c.CommandPath(), text)
			}
		}
		var b bytes.Buffer
		c.SetOut(&b)
		c.SetErr(&b)
		must.Do(t, c.Help())
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, " ") && !strings.Contains(line, "hitoku ") && len([]rune(line)) > 101 && len(strings.Fields(line)) > 2 {
				t.Errorf("%s: %s", c.CommandPath(), line)
			}
		}
	}
}

// Pages of topics ask only for what there is, and name pages of docs that are there.
func TestTopics(t *testing.T) {
	t.Parallel()
	doc := regexp.MustCompile(`docs/\w+\.md`)
	help := must.Get(catalogue.Of("en", "help"))(t)
	for _, topic := range help.Names("topic.") {
		page := help.Say("topic." + topic)
		for _, path := range doc.FindAllString(page, -1) {
			if _, err := os.Stat(filepath.Join("../..", path)); err != nil {
				t.Errorf("%s: %v", topic, err)
			}
		}
		root := newRoot(nil)
		var b bytes.Buffer
		root.SetOut(&b)
		root.SetErr(&b)
		root.SetArgs([]string{"help", topic})
		must.Do(t, root.Execute())
		if strings.Contains(b.String(), "FLAGS") || strings.Contains(b.String(), "FORMATS") || strings.Contains(b.String(), "EXITCODES") || strings.Contains(b.String(), "\n\n\n") {
			t.Errorf("%s:\n%s", topic, b.String())
		}
		if want := strings.Count(page, "\n") + 2; strings.Contains(page, "FLAGS ") && strings.Count(b.String(), "\n") < want {
			t.Errorf("%s lists no flags:\n%s", topic, b.String())
		}
	}
}
