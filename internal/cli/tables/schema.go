package tables

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// NewSchema is hitoku schema.
func NewSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of the documents that --json prints",
		Long: `Print the JSON Schema (draft 2020-12) of a kind of documents, like suppress or
risk-k-map. The first key of every document, schema, names its kind and the version of
its keys. Without a KIND all are listed.`,
		Example: `  hitoku schema
  hitoku schema audit > audit.schema.json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: document.Kinds(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listKinds(cmd.OutOrStdout())
			}
			text := document.Schema(args[0])
			if text == nil {
				return i18n.Errorf("schema: no documents of kind %q%s; hitoku schema lists them", args[0], near.Hint(args[0], document.Kinds(), ""))
			}
			_, err := cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

// listKinds writes what the documents of each kind are about.
func listKinds(w io.Writer) error {
	width := 0
	for _, k := range document.Kinds() {
		width = max(width, len(k))
	}
	for _, k := range document.Kinds() {
		if _, err := fmt.Fprintf(w, "%s%s  %s\n", k, strings.Repeat(" ", width-len(k)), document.About(k)); err != nil {
			return err
		}
	}
	return nil
}
