package risk

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// hierarchyFlags are the flags about how columns become coarser.
type hierarchyFlags struct {
	recode, band, bottom, top, prefix, withhold []string
}

// list returns the flags.
func (h *hierarchyFlags) list() []flags.Flag {
	return []flags.Flag{
		{Name: "recode", To: &h.recode, Text: "`COLUMN=FILE`: steps from a file with lines like 34;30-39;*, without a header"},
		{Name: "band", To: &h.band, Text: "`COLUMN=W,...`: intervals of these widths, each a multiple of the one before"},
		{Name: "bottom", To: &h.bottom, Text: "`COLUMN=X`: numbers below X become <X, at every step"},
		{Name: "top", To: &h.top, Text: "`COLUMN=X`: numbers from X on become >=X, at every step"},
		{Name: "prefix", To: &h.prefix, Text: "`COLUMN=N,...`: keep the first N characters, fewer at each step, and put * for the others"},
		{Name: "withhold", To: &h.withhold, Split: true, Text: "`columns` that get a last step at which every value is *"},
	}
}

// of returns the hierarchies of columns.
func (h *hierarchyFlags) of(columns []string) ([]*risk.Hierarchy, error) {
	all := make([]*risk.Hierarchy, len(columns))
	set := func(k int, x *risk.Hierarchy) error {
		if all[k] != nil {
			return i18n.Errorf("column %s: steps of two kinds; one of --recode, --band and --prefix goes with a column, once", columns[k])
		}
		all[k] = x
		return nil
	}
	for _, text := range h.recode {
		k, x, err := fileHierarchy("recode", text, columns)
		if err == nil {
			err = set(k, x)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := h.bands(columns, set); err != nil {
		return nil, err
	}
	for _, text := range h.prefix {
		k, list, err := ofColumn("prefix", text, columns)
		if err != nil {
			return nil, err
		}
		var lengths []int
		for _, n := range list {
			x, err := strconv.Atoi(n)
			if err != nil {
				return nil, i18n.Errorf("--prefix %s: %q: want a number of characters", text, n)
			}
			lengths = append(lengths, x)
		}
		x, err := risk.NewPrefixes(lengths)
		if err == nil {
			err = set(k, x)
		}
		if err != nil {
			return nil, i18n.Errorf("--prefix %s: %w", text, err)
		}
	}
	for k := range all {
		if all[k] == nil {
			all[k] = risk.NewHierarchy()
		}
	}
	for _, name := range h.withhold {
		k := slices.Index(columns, name)
		if k < 0 {
			return nil, i18n.Errorf("--withhold %s: is not among --qi", name)
		}
		all[k].Withhold()
	}
	return all, nil
}

// bands sets the hierarchies given by --band, --bottom and --top.
func (h *hierarchyFlags) bands(columns []string, set func(int, *risk.Hierarchy) error) error {
	widths := make([][]*big.Rat, len(columns))
	ends := [2][]*big.Rat{make([]*big.Rat, len(columns)), make([]*big.Rat, len(columns))}
	numbers := func(flag, text string, most int) (k int, out []*big.Rat, err error) {
		k, list, err := ofColumn(flag, text, columns)
		if err != nil {
			return 0, nil, err
		}
		for _, n := range list {
			x, err := num.ParseNumber(n)
			if err != nil {
				return 0, nil, i18n.Errorf("--%s %s: %q: %w", flag, text, n, err)
			}
			out = append(out, x)
		}
		if len(out) > most {
			return 0, nil, i18n.Errorf("--%s %s: want one number", flag, text)
		}
		return k, out, nil
	}
	for _, text := range h.band {
		k, list, err := numbers("band", text, len(text))
		if err != nil {
			return err
		}
		if widths[k] != nil {
			return i18n.Errorf("--band %s: the column has widths already", text)
		}
		widths[k] = list
	}
	for i, of := range []struct {
		flag string
		list []string
	}{{"bottom", h.bottom}, {"top", h.top}} {
		for _, text := range of.list {
			k, list, err := numbers(of.flag, text, 1)
			if err != nil {
				return err
			}
			ends[i][k] = list[0]
		}
	}
	for k := range columns {
		if widths[k] == nil && ends[0][k] == nil && ends[1][k] == nil {
			continue
		}
		x, err := risk.NewBands(widths[k], ends[0][k], ends[1][k])
		if err == nil {
			err = set(k, x)
		}
		if err != nil {
			return i18n.Errorf("--band %s: %w", columns[k], err)
		}
	}
	return nil
}

// ofColumn parses COLUMN=a,b,… for one of columns.
func ofColumn(flag, text string, columns []string) (k int, values []string, err error) {
	name, values, err := aColumn(flag, text)
	if err != nil {
		return 0, nil, err
	}
	if k = slices.Index(columns, name); k < 0 {
		return 0, nil, i18n.Errorf("--%s %s: %s is not among the columns %s", flag, text, name, strings.Join(columns, ", "))
	}
	return k, values, nil
}

// fileHierarchy reads the hierarchy of COLUMN=FILE for one of columns.
func fileHierarchy(flag, text string, columns []string) (int, *risk.Hierarchy, error) {
	name, path, ok := strings.Cut(text, "=")
	if !ok {
		return 0, nil, i18n.Errorf("--%s %q: want COLUMN=FILE", flag, text)
	}
	k := slices.Index(columns, name)
	if k < 0 {
		return 0, nil, i18n.Errorf("--%s %s: %s is not among the columns %s", flag, text, name, strings.Join(columns, ", "))
	}
	h, err := risk.ReadHierarchy(path, risk.Layout{})
	return k, h, err
}
