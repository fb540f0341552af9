package flags

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/protect"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A page of docs has tables of flags between these marks:
//
//	<!-- flags suppress, audit: Input, --lp --> … <!-- end of flags -->
//
// with the flags of verbs that are called so or stand under such titles; <!-- flags audit --> has those of a verb that
// no other table has.
var marked = regexp.MustCompile(`(?ms)^<!-- flags ([^:\n]*?)(?:: ([^\n]*?))? -->\n.*?^<!-- end of flags -->$`)

// Document fills the tables of flags in pages. It reports flags that no table has, and marks that name nothing.
func Document(root *cobra.Command, pages []string) ([]string, error) {
	shown := map[*pflag.Flag]bool{}
	for _, rest := range []bool{false, true} { // what is left is known in the second pass
		for k := range pages {
			var err error
			pages[k] = marked.ReplaceAllStringFunc(pages[k], func(text string) string {
				m := marked.FindStringSubmatch(text)
				if rest != (m[2] == "") || err != nil {
					return text
				}
				var verbs []*cobra.Command
				if verbs, err = verbsOf(root, m[1]); err != nil {
					return text
				}
				var rows string
				if rows, err = flagTable(verbs, splitList(m[2]), shown); err != nil {
					err = fmt.Errorf("flags %s: %w", m[1], err)
				}
				head, _, _ := strings.Cut(text, "\n")
				return head + "\n" + rows + "<!-- end of flags -->"
			})
			if err != nil {
				return nil, err
			}
		}
	}
	for _, c := range Manned(root) {
		for _, g := range grouped(c) {
			for _, f := range g.flags {
				if note(f, "title") != "" && !shown[f] {
					return nil, fmt.Errorf("no table has --%s of %s", f.Name, c.CommandPath())
				}
			}
		}
	}
	return pages, nil
}

// verbsOf finds verbs by their names.
func verbsOf(root *cobra.Command, names string) ([]*cobra.Command, error) {
	var verbs []*cobra.Command
	for _, name := range splitList(names) {
		c, rest, err := root.Find(strings.Fields(name))
		if err != nil || len(rest) > 0 || c == root {
			return nil, fmt.Errorf("flags %s: no verb %q", names, name)
		}
		verbs = append(verbs, c)
	}
	return verbs, nil
}

// splitList parts what commas separate.
func splitList(list string) []string {
	var parts []string
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// flagTable has a row for every flag of verbs that is wanted, by its name or title; without wishes for those not shown yet. Flags of one
// name whose texts are alike share a row, which names the verbs if it is not of all.
func flagTable(verbs []*cobra.Command, wanted []string, shown map[*pflag.Flag]bool) (string, error) {
	type row struct {
		flag          *pflag.Flag
		title         Title
		verbs         []string
		text, instead string
		not           []string // what excludes it
	}
	var rows []*row
	for _, c := range verbs {
		for _, g := range grouped(c) {
			for _, f := range g.flags {
				asked := slices.Contains(wanted, "--"+f.Name) || slices.ContainsFunc(wanted, func(w string) bool { return strings.HasPrefix(string(g.title), w) })
				if note(f, "title") == "" || wanted != nil && !asked || wanted == nil && shown[f] {
					continue
				}
				shown[f] = true
				text, instead := meaning(f)
				k := slices.IndexFunc(rows, func(r *row) bool { return r.flag.Name == f.Name && r.text == text && r.instead == instead })
				if k < 0 {
					rows = append(rows, &row{flag: f, title: g.title, text: text, instead: instead})
					k = len(rows) - 1
				}
				rows[k].verbs = append(rows[k].verbs, verbName(c))
				for _, x := range against(c, f) {
					if !slices.Contains(rows[k].not, x) {
						rows[k].not = append(rows[k].not, x)
					}
				}
			}
		}
	}
	if rows == nil {
		return "", fmt.Errorf("there are none of %s", strings.Join(wanted, ", "))
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return slices.Index(titles, a.title) - slices.Index(titles, b.title) })
	several := rows[0].title != rows[len(rows)-1].title
	var b strings.Builder
	b.WriteString("| flag | meaning | default |\n|---|---|---|\n")
	for k, r := range rows {
		if several && (k == 0 || rows[k-1].title != r.title) {
			fmt.Fprintf(&b, "| **%s** | | |\n", r.title)
		}
		var without []string
		for _, c := range verbs {
			if !slices.Contains(r.verbs, verbName(c)) {
				without = append(without, verbName(c))
			}
		}
		of := ""
		switch {
		case len(without) >= len(r.verbs):
			of = " (" + strings.Join(r.verbs, ", ") + ")"
		case without != nil:
			of = " (not " + strings.Join(without, ", ") + ")"
		}
		arg, _ := argument(r.flag)
		name := strings.TrimSpace("--" + r.flag.Name + " " + arg)
		if r.flag.Shorthand != "" {
			name = "-" + r.flag.Shorthand + "`, `" + name
		}
		if r.not != nil {
			r.text += ". Not with " + listed(r.not, "and")
		}
		fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", bars.Replace(name), of, bars.Replace(r.text), bars.Replace(r.instead))
	}
	return b.String(), nil
}

// verbName is how a table calls a verb.
func verbName(c *cobra.Command) string {
	return "`" + strings.TrimPrefix(c.CommandPath(), "hitoku ") + "`"
}

var bars = strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;")

// meaning is what a flag does, and what holds without it.
func meaning(f *pflag.Flag) (text, instead string) {
	switch instead = note(f, "else"); {
	case instead != "":
	case has(f, "wanted"):
		instead = "needed"
		for _, or := range f.Annotations["unless"] {
			instead += ", or " + condition(or).plain()
		}
	default:
		instead = defaultOf(f)
	}
	_, text = argument(f)
	if more := note(f, "more"); more != "" {
		text += ". " + more
	}
	return text, instead
}

// against are the flags that a flag of a verb excludes, or that exclude it.
func against(c *cobra.Command, f *pflag.Flag) []string {
	var all []string
	for _, x := range f.Annotations["excludes"] {
		if o := c.Flags().Lookup(x); o == nil || !o.Hidden {
			all = append(all, condition(x).plain())
		}
	}
	c.LocalFlags().VisitAll(func(o *pflag.Flag) {
		if !o.Hidden && slices.ContainsFunc(o.Annotations["excludes"], func(x string) bool { return x == f.Name || strings.HasPrefix(x, f.Name+"=") }) {
			all = append(all, flagName(o))
		}
	})
	if c.Flags().Lookup("policy") == nil {
		return all
	}
	for _, x := range protect.Conflicts() {
		name, value, one := strings.Cut(x.Field, "=")
		with, _, other := strings.Cut(x.With, "=")
		switch { // of a value the other flag tells
		case name == f.Name && !one && c.Flags().Lookup(with) != nil:
			all = append(all, condition(x.With).plain())
		case with == f.Name && !other && c.Flags().Lookup(name) != nil:
			all = append(all, strings.TrimSpace("--"+name+" "+value))
		}
	}
	return all
}
