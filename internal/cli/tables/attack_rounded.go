package tables

import (
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// roundedOptions puts the flags into the attack's words for a table that was rounded. No cell need be sensitive.
func (a *assault) roundedOptions(in *tableio.Input, words io.Writer) (*attack.Options, int64, error) {
	t, p, x := in.Table, &a.rules.Policy, a.rules.Parsed
	base, err := exact(t, "rounded", a.rounded)
	if err != nil {
		return nil, 0, err
	}
	opt, err := a.plain(in)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case p.Below > 0 && t.Counts:
		opt.Below, opt.Zeros = p.Below, p.ZerosSensitive
	case p.Below > 0:
		return nil, 0, i18n.Errorf("--below with --rounded: table %s is one of amounts, whose numbers of contributors the rounded values do not tell; statuses u (column status) may", t.Name)
	}
	switch {
	case x.CostColumn != "", p.Cost == "given":
		opt.Cost.Kind = "given"
	case strings.HasPrefix(p.Cost, "distance:"):
		return nil, 0, errDistance
	case p.Cost != "":
		if opt.Cost, err = table.ParseCost(p.Cost); err != nil {
			return nil, 0, err
		}
	}
	if told := opt.Below > 0 || slices.Contains(t.Status, table.Sensitive); told && !opt.Strict && !a.hasLevels(t) {
		opt.Strict = true
		render.Say(words, t, noLevels)
	}
	return opt, base, nil
}
