package flags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// widest is the width of a line of the help.
const widest = 120

// GroupHelp lets the help of a command and of the verbs below it show flags in groups.
func GroupHelp(cmd *cobra.Command) {
	cobra.AddTemplateFunc("flagGroups", groupedUsages)
	const all = "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}"
	template := cmd.UsageTemplate()
	if !strings.Contains(template, all) {
		panic("the template of the help is another one") // a mistake of this program
	}
	cmd.SetUsageTemplate(strings.Replace(template, all, "{{flagGroups .}}", 1))
}

// AddVerbs puts verbs below cmd under a title of its help.
func AddVerbs(cmd *cobra.Command, title string, verbs ...*cobra.Command) {
	cmd.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, v := range verbs {
		v.GroupID = title
	}
	cmd.AddCommand(verbs...)
}

// groupedUsages is what the help says about the flags of a verb.
func groupedUsages(cmd *cobra.Command) string {
	all := pflag.NewFlagSet("", pflag.ContinueOnError) // one, so that all texts stand in one column
	all.SortFlags = false
	var heads []string
	for _, g := range grouped(cmd) {
		for k, f := range g.flags {
			all.AddFlag(f)
			head := ""
			if k == 0 {
				head = string(g.title)
			}
			heads = append(heads, head)
		}
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(all.FlagUsagesWrapped(widest)) {
		if at := strings.TrimLeft(line, " "); len(line)-len(at) <= 6 && strings.HasPrefix(at, "-") {
			if head := heads[n]; head != "" {
				if n > 0 {
					b.WriteString("\n")
				}
				b.WriteString(head + ":\n")
			}
			n++
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n")
}

// A shownGroup are flags of a verb under one title.
type shownGroup struct {
	title Title
	flags []*pflag.Flag
}

// other is the title of flags that are not declared here, like --help.
const other Title = "Other"

// grouped are the flags of a verb that help shows, in the order of the titles.
func grouped(cmd *cobra.Command) []shownGroup {
	cmd.InitDefaultHelpFlag()
	var groups []shownGroup
	for _, title := range append(slices.Clone(titles), other) {
		g := shownGroup{title: title}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			of := Title(note(f, "title"))
			if of == "" {
				of = other
			}
			if of == title && !f.Hidden {
				g.flags = append(g.flags, f)
			}
		})
		if g.flags != nil {
			groups = append(groups, g)
		}
	}
	if len(groups) == 1 && groups[0].title == other {
		groups[0].title = "Flags"
	}
	return groups
}
