package tables

import (
	"io"
	"slices"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// roundedOptions converts the flags to options of the attack for a rounded table. No cell need be sensitive.
func (a *assault) roundedOptions(in *formats.Input, words io.Writer) (*attack.Options, int64, error) {
	t, p := in.Table, &a.rules.Policy
	base, err := exact(t, "rounded", a.rounded)
	if err != nil {
		return nil, 0, err
	}
	opt, err := a.plain(in)
	if err != nil {
		return nil, 0, err
	}
	if p.Below > 0 && !t.Counts {
		return nil, 0, i18n.Errorf("--below with --rounded: table %s is one of amounts, whose numbers of contributors the rounded values do not tell; statuses u (column status) may", t.Name)
	}
	if p.Cost.Kind == "" { // every cell costs 1
		opt.Cost = table.CostKind{}
	}
	if opt.Below > 0 || slices.Contains(t.Status, table.Sensitive) {
		a.sayStrict(t, opt, words)
	} else {
		opt.Strict = p.Strict || t.Strict
	}
	return opt, base, nil
}
