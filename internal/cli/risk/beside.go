package risk

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/risk"
)

// besideFlags are the flags about columns that a measure does not read. A column with a different value on nearly every
// record, an identifier that was left in, tells who the records are, whatever the measure says.
type besideFlags struct {
	drop    []string
	unknown []string // columns that attackers do not know
	found   []string
}

// dropped returns the flag of columns that are not published.
func (b *besideFlags) dropped() flags.Flag {
	return flags.Flag{Name: "drop", To: &b.drop, Split: true, Text: "`columns` that are not published, so that it does not matter what they tell"}
}

// sensitive returns the flag of columns that nobody knows.
func (b *besideFlags) sensitive() flags.Flag {
	return flags.Flag{Name: "sensitive", To: &b.unknown, Split: true, Text: "`columns` that are published, but that no attacker is taken to know"}
}

// look looks for identifiers in the columns of files that are not read.
func (b *besideFlags) look(cmd *cobra.Command, files []string, l risk.Layout, read []string) error {
	var texts []string
	skipped := false
	for _, path := range files {
		if path == "-" || flags.IsParquet(path) {
			skipped = true
			continue
		}
		texts = append(texts, path)
	}
	found, all, err := risk.Identifying(cmd.Context(), texts, l, slices.Concat(read, b.drop, b.unknown)...)
	if err != nil {
		return err
	}
	if skipped {
		cli.Note(cmd.ErrOrStderr(), "columns beside those named are looked at in CSV files only, not in standard input or Parquet files")
	} else {
		for _, n := range slices.Concat(b.drop, b.unknown) {
			if !slices.Contains(all, n) {
				return i18n.Errorf("--drop, --sensitive: no column %s%s", formats.Show(n), near.Hint(n, slices.Compact(slices.Sorted(slices.Values(all))), ""))
			}
		}
	}
	for _, n := range b.drop {
		if slices.Contains(read, n) {
			return i18n.Errorf("--drop %s: is a column that is measured", formats.Show(n))
		}
	}
	b.found = found
	return nil
}

// note returns what was found, for a document.
func (b *besideFlags) note() document.Beside {
	return document.Beside{Dropped: b.drop, Identifiers: b.found}
}

// warn says what was found.
func (b *besideFlags) warn(cmd *cobra.Command) {
	if len(b.found) > 0 {
		cli.Note(cmd.ErrOrStderr(), "another value on (nearly) every record: %s; published, that tells who they are, whatever is measured here: --drop %s, or a coarser value",
			formats.ShowList(b.found), strings.Join(b.found, ","))
	}
}

// rest returns the columns that are published unchanged.
func (b *besideFlags) rest(names, changed []string) []string {
	rest := []string{}
	for _, name := range names {
		if !slices.Contains(changed, name) && !slices.Contains(b.drop, name) {
			rest = append(rest, name)
		}
	}
	return rest
}

// sayRest reports which columns are published unchanged, about which a verb guarantees nothing.
func (b *besideFlags) sayRest(cmd *cobra.Command, names, changed []string) document.Untouched {
	rest := b.rest(names, changed)
	if len(rest) > 0 {
		cli.Note(cmd.ErrOrStderr(), "published as they are: %s", formats.ShowList(rest))
	}
	return document.Untouched{Untouched: document.Some(rest)}
}
