package tables

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table/tabulate"
)

// saveSame writes which cells of different tables have the same records, in the form of the sums that --relations
// reads.
func (t *tabulation) saveSame(cmd *cobra.Command, classes *tabulate.Result, tables []*tabulate.Result) error {
	var lines []string
	err := tabulate.Equal(classes, tables, func(table [2]int, codes [2][]string) {
		var sides [2]string
		for n, k := range table {
			r := tables[k]
			parts := sets.List(len(r.Dims), func(d int) string { return inSum(r.Dims[d].Name) + "=" + inSum(codes[n][d]) })
			sides[n] = "[" + strings.Join(parts, ", ") + "]"
		}
		lines = append(lines, sides[0]+" = "+sides[1]+"\n")
	})
	if err != nil {
		return i18n.Errorf("--same: %w", err)
	}
	err = formats.Save(t.same, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(lines, ""))
		return err
	})
	if err != nil {
		return err
	}
	names := sets.Each(tables, func(r *tabulate.Result) string { return r.Spec.Name })
	if !t.quiet {
		cli.Note(cmd.ErrOrStderr(), "%d cells of %s have the same records as one of another table", len(lines), strings.Join(names, ", "))
	}
	return nil
}

// inSum returns a name or code in the form that ledger.ReadSums reads.
func inSum(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\r　=+*:[],#") || strings.HasPrefix(word, "-") || strings.HasPrefix(word, "−") {
		return `"` + word + `"`
	}
	return word
}
