package tables

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/protect"
)

func NewSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of the documents that --json prints",
		Long: `Print the JSON Schema (draft 2020-12) of a kind of documents, like suppress or
risk-k-map. The first key of every document, schema, names its kind and the version of
its keys. policy is what a file of --policy may have, in JSON or TOML. Without a KIND all
are listed.`,
		Example: `  hitoku schema
  hitoku schema audit > audit.schema.json
  hitoku schema policy > policy.schema.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return i18n.Errorf("schema: want one kind of document, not %d arguments", len(args))
			}
			return nil
		},
		ValidArgs: kinds(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listKinds(cmd.OutOrStdout())
			}
			text := document.Schema(args[0])
			if args[0] == policyKind {
				text = option.Schema(policyKind+"/1", aboutPolicy, append(new(protect.Policy).Fields(), new(protect.Change).Fields()...))
			}
			if text == nil {
				return i18n.Errorf("schema: no documents of kind %q%s; hitoku schema lists them", args[0], near.Hint(args[0], kinds(), ""))
			}
			_, err := cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

// The kind of a file that is read, in addition to those of documents.
const policyKind, aboutPolicy = "policy", "a policy: what an office decides before it protects tables"

func kinds() []string { return append(document.Kinds(), policyKind) }

// listKinds writes what documents of each kind are about.
func listKinds(w io.Writer) error {
	width := 0
	for _, k := range kinds() {
		width = max(width, len(k))
	}
	for _, k := range kinds() {
		if _, err := fmt.Fprintf(w, "%s%s  %s\n", k, strings.Repeat(" ", width-len(k)), i18n.Of(w).Label(cmp.Or(document.About(k), aboutPolicy))); err != nil {
			return err
		}
	}
	return nil
}
