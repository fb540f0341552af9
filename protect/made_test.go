package protect

import (
	"strings"

	"github.com/hitoku/hitoku/table"
)

// of is a policy in TOML.
func of(text string) Policy {
	p, _, err := Read(strings.NewReader(text), "p.toml")
	if err != nil {
		panic(err)
	}
	return p
}

func level(text string) *table.Level { return of("width = '" + text + "'").Width }
func cost(text string) Cost          { return of("cost = '" + text + "'").Cost }
func margins(text string) Margins    { return of("margins = '" + text + "'").Margins }
