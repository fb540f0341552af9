package tables

import (
	"io"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// sayFormulas says of a CSV output that a spreadsheet would take a code in it for a formula. The code
// stays: it is the office's.
func sayFormulas(words io.Writer, t *table.Table, output string, format tableio.Format) {
	if output == "" || format != tableio.Tidy && format != tableio.CrossTab {
		return
	}
	for d := range t.Dims {
		for _, c := range t.Dims[d].Codes {
			if len(c) > 1 && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
				render.Say(words, t, "%s: a spreadsheet may take the code %q of %s for a formula; import the column as text", output, c, t.Dims[d].Name)
				return
			}
		}
	}
}
