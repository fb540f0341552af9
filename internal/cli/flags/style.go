package flags

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// Style says how an office marks withheld cells.
type Style struct {
	symbol    string
	reason    []string
	secondary string
	drop      bool
	keep      []string
}

// Group returns its flags.
func (s *Style) Group() Group {
	return In(OutputGroup, []Flag{
		{Name: "symbol", To: &s.symbol, Needs: []string{"output"}, Text: "`MARK` for a withheld value, like x, .., c or (D)", Else: "that of the file or format"},
		{Name: "reason", Rare: true, To: &s.reason, Needs: []string{"output"}, Text: "`CODE` of SDMX CL_CONF_STATUS for sensitive cells, or RULE=CODE for those of one rule", Else: "A for frequency, G for dominance and p-percent, else C"},
		{Name: "secondary-reason", Rare: true, To: &s.secondary, Needs: []string{"output"}, Text: "`CODE` of cells withheld to protect them", Else: "D"},
		{Name: "drop-unsearched", Rare: true, To: &s.drop, Needs: []string{"output"}, Text: "leave out of a copy of a workbook what cannot be searched for withheld values: pictures, embedded objects, macros", Else: "such a workbook is refused"},
		{Name: "keep-unsearched", Rare: true, To: &s.keep, Needs: []string{"output"}, Text: "`PART` of a workbook, as the refusal names it, that stays because somebody has looked at it"},
	})
}

// Style returns the style that the flags ask for; null are the marks of structural zeros.
func (s *Style) Style(null []string) (formats.Style, error) {
	style := formats.Style{Symbol: s.symbol, DropUnsearched: s.drop, KeepUnsearched: s.keep}
	if err := formats.CheckSymbol(s.symbol, null); err != nil {
		return style, i18n.Errorf("--symbol %w", err)
	}
	for _, r := range s.reason {
		if err := formats.AddPrimary(&style, r); err != nil {
			return style, i18n.Errorf("--reason %w", err)
		}
	}
	if s.secondary != "" {
		if err := formats.SetSecondary(&style, s.secondary); err != nil {
			return style, i18n.Errorf("--secondary-reason %w", err)
		}
	}
	return style, nil
}

// Fits returns an error for the first given flag that a writer does not respect.
func (s *Style) Fits(flags *pflag.FlagSet, name formats.Format) error {
	for _, flag := range []string{"symbol", "flag", "reason", "secondary-reason", "drop-unsearched", "keep-unsearched"} {
		if flags.Changed(flag) && !slices.Contains(FormatNamed(name).Style, flag) {
			return i18n.Errorf("--%s is of no use for a %s file", flag, name)
		}
	}
	return nil
}
