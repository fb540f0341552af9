package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/words"
)

// argument returns the word for the argument of a flag, and what the flag does, in the language in use.
func argument(f *pflag.Flag) (arg, text string) {
	said := *f
	said.Usage = words.Text(f.Usage)
	arg, text = pflag.UnquoteUsage(&said)
	text = strings.TrimPrefix(text, arg+": ")
	if needs := Of(f).Needs; len(needs) > 0 {
		var with []string
		for _, n := range needs {
			with = append(with, plain(n))
		}
		text = words.F("with %s: %s", strings.Join(with, words.Text(" and ")), text)
	}
	if _, list := Of(f).To.(*[]string); list && !Of(f).Split {
		text += words.Text("; repeatable")
	}
	return arg, text
}

// usage is what help and manual say of a flag.
func usage(f *pflag.Flag) (arg, text string) {
	arg, text = argument(f)
	instead := words.Text(Of(f).Else)
	if instead == "" {
		instead = defaultOf(f)
	}
	if instead != "" {
		text += words.F(" (default: %s)", instead)
	}
	return arg, text
}

// defaultOf is the value that a flag has where it is not given, "" for one that says nothing.
func defaultOf(f *pflag.Flag) string {
	if slices.Contains([]string{"", "false", "0", "[]", "0s", "-1"}, f.DefValue) {
		return ""
	}
	return strings.Trim(f.DefValue, "[]")
}

// Texts are the English texts that help and manual of a command and the verbs below it look up, each once, in the order in
// which they stand there: what a catalogue of another language is to have.
func Texts(root *cobra.Command) []string {
	all := slices.Clone(furniture)
	all = append(append(all, titles...), common, rare, other)
	for _, f := range Formats {
		all = append(all, f.About)
	}
	for _, code := range cli.Codes {
		all = append(all, code.Meaning())
	}
	for _, c := range Manned(root) {
		for _, g := range c.Groups() {
			all = append(all, g.Title)
		}
		all = append(all, c.Short, c.Long, c.Example)
		for _, g := range grouped(c) {
			for _, f := range g.flags {
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
