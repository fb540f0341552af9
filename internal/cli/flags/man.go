package flags

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/private"
)

// NewMan returns the command that writes the manual. It is hidden, because only packagers need it.
func NewMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIRECTORY",
		Short:  "Write the manual pages of all verbs",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return formats.OSError(args[0], err)
			}
			for _, c := range Manned(cmd.Root()) {
				path := filepath.Join(args[0], manName(c)+".1")
				if err := formats.SaveAs(private.Drawn, path, func(w io.Writer) error { return writeMan(w, c) }); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// Manned returns c and all verbs below it that have a page: those shown in help, without help itself.
func Manned(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			all = append(all, Manned(v)...)
		}
	}
	return all
}

// manName returns the name of a page, like hitoku-bench-csp.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// writeMan writes the page of one verb in the macros of man(7). It has no date, so that the same program writes the
// same bytes.
func writeMan(w io.Writer, c *cobra.Command) error {
	c.InitDefaultHelpFlag()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"hitoku %s\" \"User Commands\"\n.nh\n.ad l\n", strings.ToUpper(roff(manName(c))), roff(cli.Version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(said(c.Short)))
	b.WriteString(".SH SYNOPSIS\n")
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, ".B %s\n.I VERB\n.br\n", roff(c.CommandPath()))
	}
	fmt.Fprintf(&b, ".B %s\n%s\n", roff(c.CommandPath()), roffLine(strings.TrimPrefix(c.UseLine(), c.CommandPath()+" ")))
	long := said(c.Long)
	if long == "" {
		long = said(c.Short) + "."
	}
	b.WriteString(".SH DESCRIPTION\n")
	roffText(&b, long)
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH VERBS\n")
		for _, g := range c.Groups() {
			fmt.Fprintf(&b, ".SS %s\n", roff(said(g.Title)))
			roffVerbs(&b, c, g.ID)
		}
		if len(c.Groups()) > 0 && !c.AllChildCommandsHaveGroup() {
			b.WriteString(".SS Others:\n")
		}
		roffVerbs(&b, c, "")
	}
	b.WriteString(".SH OPTIONS\n")
	for _, g := range Grouped(c) {
		fmt.Fprintf(&b, ".SS %s\n", roff(said(g.Title)))
		for _, f := range g.Flags {
			arg, text := usage(f)
			head := manHead(f, arg)
			if more := said(Of(f).More); more != "" {
				text += ". " + links().ReplaceAllString(more, "docs/$1")
			}
			if x := against(c, f); len(x) > 0 {
				text += ". Not with " + i18n.Names("and", x).String()
			}
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", strings.ReplaceAll(roff(head), "|", `|\:`), roffLine(text))
		}
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		roffText(&b, said(c.Example))
	}
	if !c.HasParent() {
		b.WriteString(".SH EXIT STATUS\n")
		for _, code := range cli.Codes {
			fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", code, roffLine(said(code.Meaning())))
		}
	}
	b.WriteString(".SH SEE ALSO\n")
	if c.HasParent() {
		fmt.Fprintf(&b, ".BR %s (1)\n", roff(manName(c.Parent())))
	} else {
		b.WriteString("The pages of the verbs, and docs/ in the source.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// links match links to other pages, which the manual replaces by names.
var links = lazy.Regexp(`\[[^]]*\]\(([^)#]*)[^)]*\)`)

// roffVerbs lists the verbs of one group below c.
func roffVerbs(b *strings.Builder, c *cobra.Command, group string) {
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() && v.GroupID == group {
			fmt.Fprintf(b, ".TP\n.B %s\n%s; see\n.BR %s (1)\n", roff(v.Name()), roffLine(said(v.Short)), roff(manName(v)))
		}
	}
}

// manHead returns a flag as it is given, "-o, --output file".
func manHead(f *pflag.Flag, arg string) string {
	head := strings.TrimSpace("--" + f.Name + " " + arg)
	if f.Shorthand != "" {
		head = "-" + f.Shorthand + ", " + head
	}
	return head
}

// roffText writes paragraphs to be filled; indented lines are kept as they are.
func roffText(b *strings.Builder, text string) {
	asIs := false
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		switch indented := strings.HasPrefix(line, "  "); {
		case line == "":
			if !asIs {
				b.WriteString(".PP\n")
				continue
			}
		case indented != asIs:
			if asIs = indented; asIs {
				b.WriteString(".PP\n.nf\n")
			} else {
				b.WriteString(".fi\n.PP\n")
			}
		}
		b.WriteString(roffLine(line) + "\n")
	}
	if asIs {
		b.WriteString(".fi\n")
	}
}

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// roff escapes text for the inside of a line.
func roff(s string) string { return roffEscapes.Replace(s) }

// roffLine escapes a whole line, which must not begin a request of roff.
func roffLine(s string) string {
	if s = roff(s); strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// against returns the flags that a flag of a verb excludes, or that exclude it.
func against(c *cobra.Command, f *pflag.Flag) []string {
	var all []string
	add := func(condition string) {
		name, _, _ := strings.Cut(condition, "=")
		if o := c.Flags().Lookup(name); o != nil && !o.Hidden && !slices.Contains(all, Plain(condition)) {
			all = append(all, Plain(condition))
		}
	}
	for _, x := range Of(f).Excludes {
		add(x)
	}
	for _, x := range Of(f).Clashes {
		if x.If == "" { // a conflict of one value only is listed at the other flag
			add(x.With)
		}
	}
	c.LocalFlags().VisitAll(func(o *pflag.Flag) {
		if slices.ContainsFunc(Of(o).Excludes, func(x string) bool { return x == f.Name || strings.HasPrefix(x, f.Name+"=") }) {
			add(o.Name)
		}
		for _, x := range Of(o).Clashes {
			if x.With == f.Name {
				add(strings.TrimSuffix(o.Name+"="+x.If, "="))
			}
		}
	})
	return all
}
