package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/sets"
)

// said returns a text of help or manual in the language in use, by its English, or a page of help by its topic.
func said(name string, args ...any) string { return inUse().Say(name, args...) }

func inUse() *catalogue.Part {
	part, err := catalogue.Of(cli.Speaks().Tag, "help")
	if err != nil {
		panic(err) // a bug in this program
	}
	return part
}

// topics returns the names of all pages of help, in alphabetical order.
func topics() []string { return inUse().Names("topic.") }

// page returns a page of help.
func page(name string) string { return said("topic." + name) }

// Argument returns the word for the argument of a flag, and what the flag does, in the language in use.
func Argument(f *pflag.Flag) (arg, text string) {
	translated := *f
	translated.Usage = said(f.Usage)
	arg, text = pflag.UnquoteUsage(&translated)
	text = strings.TrimPrefix(text, arg+": ")
	if needs := Of(f).Needs; len(needs) > 0 {
		with := sets.Each(needs, Plain)
		text = said("with %s: %s", strings.Join(with, said(" and ")), text)
	}
	if Of(f).Repeats() {
		text += said("; repeatable")
	}
	return arg, text
}

// usage returns what help and manual say about a flag.
func usage(f *pflag.Flag) (arg, text string) {
	arg, text = Argument(f)
	instead := said(Of(f).Else)
	if instead == "" {
		instead = DefaultOf(f)
	}
	if instead != "" {
		text += said(" (default: %s)", instead)
	}
	return arg, text
}

// DefaultOf returns the default value of a flag, "" if there is none to show.
func DefaultOf(f *pflag.Flag) string {
	if slices.Contains([]string{"", "false", "0", "[]", "0s", "-1"}, f.DefValue) {
		return ""
	}
	return strings.Trim(f.DefValue, "[]")
}

// Texts returns the English texts that help and manual of a command and the verbs below it look up, each once, in their
// order there: the texts that a catalogue of another language must have.
func Texts(root *cobra.Command) []string {
	all := slices.Clone(furniture)
	all = append(append(all, Titles...), common, rare, other)
	for _, f := range Formats {
		all = append(all, f.About)
	}
	for _, code := range cli.Codes {
		all = append(all, code.Meaning())
	}
	for _, o := range private.Outputs {
		all = append(all, o.What)
	}
	for _, c := range Manned(root) {
		for _, g := range c.Groups() {
			all = append(all, g.Title)
		}
		all = append(all, c.Short, c.Long, c.Example)
		for _, g := range Grouped(c) {
			for _, f := range g.Flags {
				all = append(all, f.Usage, Of(f).Else, Of(f).More)
			}
		}
	}
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(all, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}
