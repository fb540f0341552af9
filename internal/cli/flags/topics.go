package flags

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/private"
)

// NewHelp returns hitoku help: the help of a verb, or a page about a topic.
func NewHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB | TOPIC]",
		Short:   "Say more of a verb or a topic",
		Example: "  hitoku help suppress\n  hitoku help risk k-anonymity\n  hitoku help exit-codes",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			c, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			names := VerbNames(c)
			if c == cmd.Root() {
				names = append(names, topics()...)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 1 && slices.Contains(topics(), args[0]) {
				render.Page(cmd.OutOrStdout(), cmd.ErrOrStderr(), false)
				newHelp(cmd.OutOrStdout()).topic(root, args[0])
				return nil
			}
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				names := VerbNames(c)
				if c == root {
					names = append(names, topics()...)
				}
				name := strings.Join(rest, " ")
				return i18n.Errorf("help: no verb or topic %q%s; see %s help", name, near.Hint(name, names, ""), root.Name())
			}
			return c.Help()
		},
	}
}

// topic writes a page of help. Lines that ask for it are replaced by what the command knows about itself.
func (h help) topic(root *cobra.Command, name string) {
	title, text, _ := strings.Cut(page(name), "\n")
	render.Paint(h.w, render.Heading, title)
	io.WriteString(h.w, "\n")
	for part := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n\n") {
		io.WriteString(h.w, "\n")
		switch what, of, _ := strings.Cut(strings.Trim(part, "\n"), " "); what {
		case "FORMATS":
			h.formats()
		case "EXITCODES":
			for _, code := range cli.Codes {
				h.entry(fmt.Sprint(int(code)), said(code.Meaning()), 6)
			}
		case "OUTPUTS":
			for _, o := range private.Outputs {
				if o.Public == (of == "public") {
					h.entry(o.By, said(o.What), 6)
				}
			}
		case "FLAGS":
			h.some(root, SplitList(of))
		default:
			io.WriteString(h.w, render.Fill(part, h.width))
		}
	}
}

// formats lists the formats that are read or written.
func (h help) formats() {
	read, written := FormatNames(true), FormatNames(false)
	for _, f := range Formats {
		how := said("written")
		switch name := string(f.Name); {
		case slices.Contains(read, name) && slices.Contains(written, name):
			how = said("read and written")
		case slices.Contains(read, name):
			how = said("read")
		}
		about := said(f.About)
		if f.Extensions != nil {
			about += " (" + strings.Join(f.Extensions, ", ") + ")"
		}
		h.entry(string(f.Name), about+"; "+how, 17)
	}
}

// some writes flags of hitoku suppress, by their names or the beginnings of their titles.
func (h help) some(root *cobra.Command, wanted []string) {
	cmd, _, err := root.Find([]string{"suppress"})
	if err != nil {
		return
	}
	for _, g := range Grouped(cmd) {
		for _, f := range g.Flags {
			if slices.Contains(wanted, "--"+f.Name) || slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(g.Title, w) }) {
				h.flag(f, "")
			}
		}
	}
}

// SplitList splits a list at commas.
func SplitList(list string) []string {
	var parts []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
