package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A page of docs has lists of flags between these marks:
//
//	<!-- flags suppress, audit: Input, --lp --> … <!-- end of flags -->
//
// with the flags of verbs that are called so or stand under such titles; <!-- flags audit --> has those of a verb that
// no other table has.
var marked = regexp.MustCompile(`(?ms)^<!-- flags ([^:\n]*?)(?:: ([^\n]*?))? -->\n.*?^<!-- end of flags -->$`)

// documented fills the tables of flags, and of fields of policies, in pages. It reports flags of verbs with tables that none of these has, and marks that name nothing.
func documented(root *cobra.Command, pages []string) ([]string, error) {
	shown, named := map[*pflag.Flag]bool{}, map[*cobra.Command]bool{}
	for k := range pages {
		pages[k] = documentFields(pages[k])
	}
	for _, rest := range []bool{false, true} { // what is left is known in the second pass
		for k := range pages {
			var err error
			pages[k] = marked.ReplaceAllStringFunc(pages[k], func(text string) string {
				m := marked.FindStringSubmatch(text)
				if rest != (m[2] == "") || err != nil {
					return text
				}
				var verbs []*cobra.Command
				if verbs, err = verbsCalled(root, m[1]); err != nil {
					return text
				}
				for _, c := range verbs {
					named[c] = true
				}
				var rows string
				if rows, err = flagTable(verbs, flags.SplitList(m[2]), shown); err != nil {
					err = fmt.Errorf("flags %s: %w", m[1], err)
				}
				head, _, _ := strings.Cut(text, "\n")
				return head + "\n" + strings.TrimLeft(rows, "\n") + "<!-- end of flags -->"
			})
			if err != nil {
				return nil, err
			}
		}
	}
	for _, c := range flags.Manned(root) {
		for _, g := range flags.Grouped(c) {
			for _, f := range g.Flags {
				if flags.Of(f).Title != "" && named[c] && !shown[f] {
					return nil, fmt.Errorf("no table has --%s of %s", f.Name, c.CommandPath())
				}
			}
		}
	}
	return pages, nil
}

// verbsCalled finds verbs by their names.
func verbsCalled(root *cobra.Command, names string) ([]*cobra.Command, error) {
	var verbs []*cobra.Command
	for _, name := range flags.SplitList(names) {
		c, rest, err := root.Find(strings.Fields(name))
		if err != nil || len(rest) > 0 || c == root {
			return nil, fmt.Errorf("flags %s: no verb %q", names, name)
		}
		verbs = append(verbs, c)
	}
	return verbs, nil
}

// flagTable has a row for every flag of verbs that is wanted, by its name or title; without wishes for those not shown yet. Flags of one
// name whose texts begin alike share a row, and rows of the same verbs a heading, which names the verbs if it is not of all.
func flagTable(verbs []*cobra.Command, wanted []string, shown map[*pflag.Flag]bool) (string, error) {
	type row struct {
		flag          *pflag.Flag
		title         string
		verbs         []string
		text, instead string
		of            string // the verbs that have it, where not all of the list do
	}
	var rows []*row
	for _, c := range verbs {
		for _, g := range flags.Grouped(c) {
			for _, f := range g.Flags {
				asked := slices.Contains(wanted, "--"+f.Name) || slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(g.Title, w) })
				if flags.Of(f).Title == "" || wanted != nil && !asked || wanted == nil && shown[f] {
					continue
				}
				shown[f] = true
				text, instead := meaning(f)
				k := slices.IndexFunc(rows, func(r *row) bool { return r.flag.Name == f.Name && inCommon(r.text, text) != "" })
				if k < 0 {
					rows = append(rows, &row{flag: f, title: g.Title, text: text, instead: instead})
					k = len(rows) - 1
				}
				rows[k].text = inCommon(rows[k].text, text)
				if rows[k].instead != instead { // of verbs that differ their help tells
					rows[k].instead = ""
				}
				rows[k].verbs = append(rows[k].verbs, verbName(c))
			}
		}
	}
	if rows == nil {
		return "", fmt.Errorf("there are none of %s", strings.Join(wanted, ", "))
	}
	for _, r := range rows {
		r.of = ofVerbs(verbs, r.verbs)
	}
	first := slices.Clone(rows)
	rank := func(r *row) int { // rows of the same verbs stand together
		return slices.IndexFunc(first, func(f *row) bool { return f.title == r.title && f.of == r.of })
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(slices.Index(flags.Titles, a.title)-slices.Index(flags.Titles, b.title), rank(a)-rank(b))
	})
	var b strings.Builder
	for k, r := range rows {
		if k == 0 || rows[k-1].title != r.title {
			fmt.Fprintf(&b, "\n**%s**%s\n\n", r.title, r.of)
		} else if rows[k-1].of != r.of {
			fmt.Fprintf(&b, "\n%s\n\n", cmp.Or(strings.TrimSpace(r.of), "(all)"))
		}
		arg, _ := flags.Argument(r.flag)
		name := strings.TrimSpace("--" + r.flag.Name + " " + arg)
		if r.flag.Shorthand != "" {
			name = "-" + r.flag.Shorthand + "`, `" + name
		}
		fmt.Fprintf(&b, "- `%s`: %s", name, plainMarks.Replace(r.text))
		switch {
		case strings.HasPrefix(r.instead, "needed"):
			fmt.Fprintf(&b, " (%s)", plainMarks.Replace(r.instead))
		case r.instead != "":
			fmt.Fprintf(&b, " (default: %s)", plainMarks.Replace(r.instead))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// inCommon is what two verbs say of a flag of one name: all of it, or the words at the beginning that both have, half of them at least, and "…".
func inCommon(a, b string) string {
	if a == b {
		return a
	}
	x, y := strings.Fields(strings.TrimSuffix(a, " …")), strings.Fields(b)
	n := 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	if 2*n < max(len(x), len(y)) {
		return ""
	}
	return strings.Join(x[:n], " ") + " …"
}

// ofVerbs tells which of the verbs of a table have a flag, unless all have.
func ofVerbs(verbs []*cobra.Command, having []string) string {
	var without []string
	for _, c := range verbs {
		if name := verbName(c); !slices.Contains(having, name) {
			without = append(without, name)
		}
	}
	switch {
	case len(without) == 0:
		return ""
	case len(without) >= len(having):
		return " (" + strings.Join(having, ", ") + ")"
	}
	return " (not " + strings.Join(without, ", ") + ")"
}

// verbName is how a table calls a verb.
func verbName(c *cobra.Command) string {
	return "`" + strings.TrimPrefix(c.CommandPath(), "hitoku ") + "`"
}

var plainMarks = strings.NewReplacer("*", `\*`, "<", "&lt;")

// meaning is what a flag does, and what holds without it.
func meaning(f *pflag.Flag) (text, instead string) {
	switch instead = flags.Of(f).Else; {
	case instead != "":
	case flags.Of(f).Wanted:
		instead = "needed"
		for _, or := range flags.Of(f).Unless {
			instead += ", or " + flags.Plain(or)
		}
	default:
		instead = flags.DefaultOf(f)
	}
	_, text = flags.Argument(f)
	return text, instead
}
