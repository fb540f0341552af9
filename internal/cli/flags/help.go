package flags

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli/render"
)

// Widths of lines of the help.
const (
	elsewhere = 100 // where the output is not a terminal
	least     = 40
	widest    = 120
)

// furniture are the words of the help outside tables. Those with a verb of fmt are formats.
var furniture = []string{
	"Usage:", "Examples:", "Other verbs:", "VERB [flags]",
	"with %s: %s", " and ", "; repeatable", " (default: %s)", "e.g. %s",
	"hitoku help %s VERB, or %[2]s VERB --help, says more of a verb.",
	"hitoku help VERB says more of a verb, hitoku help TOPIC of a topic.",
	"Topics:", "read", "written", "read and written",
}

// GroupHelp makes the help of a command and of the verbs below it show flags in groups, as wide as the window.
func GroupHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		render.Page(cmd.OutOrStdout(), cmd.ErrOrStderr(), false)
		newHelp(cmd.OutOrStdout()).verb(cmd)
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		h := newHelp(cmd.ErrOrStderr())
		h.use(cmd)
		return nil
	})
}

// Complete prepares a command and those below it for shell completion: the words that flags take are offered, and
// descriptions of verbs and flags are put, in the language in use, where cobra looks for them. This is done only then,
// because cobra keeps flags with offered words, and with them their commands, until the process ends.
func Complete(cmd *cobra.Command) {
	cmd.Short = said(cmd.Short)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		f.Usage = said(f.Usage)
		if words := slices.Concat(Of(f).From, Of(f).Offer); words != nil {
			if err := cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
				panic(err) // registered twice: a bug in this program
			}
		}
	})
	for _, c := range cmd.Commands() {
		Complete(c)
	}
}

// Paged makes the user's pager show results of verbs, and of those below them, that do not fit into the window, except
// documents.
func Paged(verbs ...*cobra.Command) {
	for _, v := range verbs {
		Paged(v.Commands()...)
		run := v.RunE
		v.RunE = func(cmd *cobra.Command, args []string) error {
			if f := cmd.Flags().Lookup("json"); f == nil || !given(f) {
				render.Page(cmd.OutOrStdout(), cmd.ErrOrStderr(), true)
			}
			return run(cmd, args)
		}
	}
}

// AddVerbs adds verbs below cmd under a title of its help.
func AddVerbs(cmd *cobra.Command, title string, verbs ...*cobra.Command) {
	cmd.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, v := range verbs {
		v.GroupID = title
	}
	cmd.AddCommand(verbs...)
}

// Common sets examples of the flags of a verb that most people want, like "--below 5"; the help shows these flags
// first.
func Common(cmd *cobra.Command, examples ...string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations["common"] = strings.Join(examples, "\n")
	if n := len(commonFlags(cmd)); n < len(examples) {
		panic(cmd.CommandPath() + ": no such flag: " + examples[n]) // a bug in this program
	}
}

// commonFlags returns those flags, up to the first one that does not exist.
func commonFlags(cmd *cobra.Command) []*pflag.Flag {
	var all []*pflag.Flag
	for _, eg := range Examples(cmd) {
		name, _, _ := strings.Cut(eg, " ")
		f := cmd.Flags().Lookup(strings.TrimPrefix(name, "--"))
		if f == nil && len(name) == 2 {
			f = cmd.Flags().ShorthandLookup(name[1:])
		}
		if f == nil {
			break
		}
		all = append(all, f)
	}
	return all
}

// Examples returns the examples of the common flags of a verb.
func Examples(cmd *cobra.Command) []string {
	if cmd.Annotations["common"] == "" {
		return nil
	}
	return strings.Split(cmd.Annotations["common"], "\n")
}

// help writes help as wide as a window.
type help struct {
	w     io.Writer
	width int
}

func newHelp(w io.Writer) help {
	h := help{w, elsewhere}
	if s := render.ScreenOf(w); s != nil {
		h.width = min(max(s.Width, least), widest)
	}
	return h
}

func (h help) head(title string) {
	render.Paint(h.w, render.Heading, said(title))
	io.WriteString(h.w, "\n")
}

// verb writes the help of a verb.
func (h help) verb(cmd *cobra.Command) {
	about := cmp.Or(cmd.Long, cmd.Short)
	io.WriteString(h.w, render.Fill(said(about), h.width)+"\n")
	h.use(cmd)
}

// use writes what follows the description of a verb.
func (h help) use(cmd *cobra.Command) {
	h.head("Usage:")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(h.w, "  %s %s\n", cmd.CommandPath(), said("VERB [flags]"))
	} else {
		fmt.Fprintf(h.w, "  %s\n", cmd.UseLine())
	}
	if cmd.Example != "" {
		io.WriteString(h.w, "\n")
		h.head("Examples:")
		io.WriteString(h.w, said(cmd.Example)+"\n")
	}
	h.verbs(cmd)
	for _, g := range ordered(cmd) {
		io.WriteString(h.w, "\n")
		h.head(said(g.Title) + ":")
		for k, f := range g.Flags {
			example := ""
			if g.Title == common {
				example = Examples(cmd)[k]
			}
			h.flag(f, example)
		}
	}
	switch {
	case !cmd.HasParent():
		h.topics()
		io.WriteString(h.w, "\n"+said("hitoku help VERB says more of a verb, hitoku help TOPIC of a topic.")+"\n")
	case cmd.HasAvailableSubCommands():
		path := cmd.CommandPath()
		io.WriteString(h.w, "\n"+said("hitoku help %s VERB, or %[2]s VERB --help, says more of a verb.", strings.TrimPrefix(path, cmd.Root().Name()+" "), path)+"\n")
	}
}

// verbs lists the verbs below cmd.
func (h help) verbs(cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	wide := 0
	for _, v := range cmd.Commands() {
		if v.IsAvailableCommand() {
			wide = max(wide, len(v.Name()))
		}
	}
	list := func(title, group string) {
		first := true
		for _, v := range cmd.Commands() {
			if !v.IsAvailableCommand() || v.GroupID != group {
				continue
			}
			if first {
				io.WriteString(h.w, "\n")
				h.head(title)
				first = false
			}
			h.entry(v.Name(), said(v.Short), wide+4)
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	list("Other verbs:", "")
}

// topics lists the pages of help.
func (h help) topics() {
	io.WriteString(h.w, "\n")
	h.head("Topics:")
	for _, topic := range topics() {
		title, _, _ := strings.Cut(page(topic), "\n")
		h.entry(topic, title, 15)
	}
}

// flag writes a flag and its description, and an example if that is wanted.
func (h help) flag(f *pflag.Flag, example string) {
	arg, text := usage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	column := 30
	if h.width < 72 {
		column = 10
	}
	h.entry(strings.TrimSpace(name+" "+arg), text, column)
	if example != "" {
		h.under(said("e.g. %s", example), column)
	}
}

// entry writes a name with a text beside it that begins in a column, or below it if the name reaches that far.
func (h help) entry(name, text string, column int) {
	if strings.HasPrefix(name, "--") {
		name = "    " + name // aligned with flags that also have a letter
	}
	name = "  " + name
	lines := render.Wrap(text, max(h.width-column, 20))
	if len(lines) > 0 && render.TextWidth(name)+2 <= column {
		name += strings.Repeat(" ", column-render.TextWidth(name)) + lines[0]
		lines = lines[1:]
	}
	io.WriteString(h.w, strings.TrimRight(name, " ")+"\n")
	for _, l := range lines {
		io.WriteString(h.w, strings.Repeat(" ", column)+l+"\n")
	}
}

// under writes a text that begins in a column, on a new line.
func (h help) under(text string, column int) {
	for _, l := range render.Wrap(text, max(h.width-column, 20)) {
		io.WriteString(h.w, strings.Repeat(" ", column)+l+"\n")
	}
}

// A ShownGroup holds the flags of a verb under one title.
type ShownGroup struct {
	Title string
	Flags []*pflag.Flag
}

// Titles outside the table of flags: for flags that most people want, for those that few want, and for those not
// declared here, like --help.
const (
	common = "Most used"
	rare   = "Advanced"
	other  = "Other"
)

// Grouped returns the visible flags of a verb, in the order of the titles.
func Grouped(cmd *cobra.Command) []ShownGroup {
	cmd.InitDefaultHelpFlag()
	var groups []ShownGroup
	for _, title := range append(slices.Clone(Titles), other) {
		g := ShownGroup{Title: title}
		add := func(f *pflag.Flag) {
			if cmp.Or(Of(f).Title, other) == title && !f.Hidden {
				g.Flags = append(g.Flags, f)
			}
		}
		cmd.LocalFlags().VisitAll(add)
		cmd.InheritedFlags().VisitAll(add)
		if g.Flags != nil {
			groups = append(groups, g)
		}
	}
	if len(groups) == 1 && groups[0].Title == other {
		groups[0].Title = "Flags"
	}
	return groups
}

// ordered returns the groups with the common flags first and the rare ones last, before those outside the table.
func ordered(cmd *cobra.Command) []ShownGroup {
	first, last := ShownGroup{common, commonFlags(cmd)}, ShownGroup{Title: rare}
	groups := []ShownGroup{first}
	for _, g := range Grouped(cmd) {
		var rest []*pflag.Flag
		for _, f := range g.Flags {
			switch {
			case slices.Contains(first.Flags, f):
			case Of(f).Rare:
				last.Flags = append(last.Flags, f)
			default:
				rest = append(rest, f)
			}
		}
		if g.Title == other {
			groups = append(groups, last)
		}
		groups = append(groups, ShownGroup{g.Title, rest})
	}
	return slices.DeleteFunc(groups, func(g ShownGroup) bool { return g.Flags == nil })
}
