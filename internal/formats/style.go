package formats

import (
	"slices"
	"strings"

	"golang.org/x/text/width"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Style says how an office marks withheld cells in what it writes. The zero value is for publication:
// withheld values are blank or have the format's usual mark, and the SDMX codes C and D.
type Style struct {
	// Symbol stands for a withheld value. Empty: the usual mark of the format.
	Symbol string
	// Flag keeps the values of withheld cells and flags them, for a confidential transmission; otherwise they
	// are masked.
	Flag bool
	// Tell writes why cells are withheld, in a format that has no column for that (PX).
	Tell bool
	// Primary maps reasons to codes of CL_CONF_STATUS; that of NoReason is for all reasons without one of their
	// own. Secondary is the code of cells withheld to protect others. By default the minimum frequency is A,
	// dominance by one or two units and p % are G, all others C, and secondary is D.
	Primary   map[table.Reason]string
	Secondary string
	// DropUnsearched leaves out of a copy of a workbook all parts that cannot be searched for withheld values:
	// pictures, embedded objects, macros. Without it a workbook with such parts is refused, except for those
	// that KeepUnsearched names.
	DropUnsearched bool
	KeepUnsearched []string
}

// CheckSymbol refuses a mark that would be read as a value: a number, or one of the marks null of structural
// zeros (nil: DefaultNil).
func CheckSymbol(mark string, null []string) error {
	if null == nil {
		null = DefaultNil()
	}
	mark = strings.TrimSpace(mark)
	plain := strings.NewReplacer(",", ".", "\u2212", "-").Replace(width.Narrow.String(mark))
	if _, err := table.ParseDecimal(plain); err == nil {
		return i18n.Errorf("%q: a withheld value would be taken for a number", mark)
	}
	if slices.Contains(null, mark) {
		return i18n.Errorf("%q: a withheld value would be taken for a structural zero", mark)
	}
	return nil
}

// Code returns the code of CL_CONF_STATUS for a cell. found is the code that the cell had in its file, if any;
// it is kept if it means the same.
func Code(s *Style, st table.Status, why table.Reason, withheld, uniform bool, found string) string {
	kind := statusKinds[1]
	switch {
	case st == table.Withheld, withheld && (uniform || st != table.Sensitive):
		st = table.Withheld
	case st == table.Published: // CL_CONF_STATUS has no code for it
		st = table.Safe
	}
	if was, ok := kind.parse(found); found != "" && ok && was == st && !(uniform && withheld) {
		return found
	}
	switch {
	case st == table.Sensitive:
		return s.primary(why)
	case st == table.Withheld && s.Secondary != "":
		return s.Secondary
	case st == table.Withheld:
		return kind.withheld
	}
	return kind.safe
}

func (s *Style) primary(why table.Reason) string {
	for _, r := range []table.Reason{why, table.NoReason} {
		if c := s.Primary[r]; c != "" {
			return c
		}
	}
	switch why {
	case table.ByFrequency:
		return "A"
	case table.ByDominance, table.ByPercent:
		return "G"
	}
	return statusKinds[1].sensitive
}

// AddPrimary reads CODE or RULE=CODE, as a flag gives it, into Primary.
func AddPrimary(s *Style, text string) error {
	rule, code, one := strings.Cut(text, "=")
	why := table.NoReason
	if one {
		var ok bool
		if why, ok = table.ParseReason(rule); !ok || why == table.NoReason {
			return i18n.Errorf("%s: no such rule; want dominance, p-percent, measure, request, frequency, zero or manual", Show(rule))
		}
	} else {
		code = rule
	}
	if st, ok := ConfStatus(code); !ok || st != table.Sensitive {
		return i18n.Errorf("%s: want a code of CL_CONF_STATUS for primary cells: C, N, A, O, T, G, M, X or P", Show(code))
	}
	if s.Primary == nil {
		s.Primary = map[table.Reason]string{}
	}
	s.Primary[why] = strings.ToUpper(code)
	s.Tell = true
	return nil
}

// SetSecondary reads the code of cells withheld to protect others.
func SetSecondary(s *Style, code string) error {
	if st, ok := ConfStatus(code); !ok || st != table.Withheld {
		return i18n.Errorf("%s: want D or S, the codes of CL_CONF_STATUS for secondary cells", Show(code))
	}
	s.Secondary, s.Tell = strings.ToUpper(code), true
	return nil
}

// ConfReason returns why a cell is sensitive, as far as its code of CL_CONF_STATUS tells.
func ConfReason(code string) table.Reason {
	switch strings.ToUpper(code) {
	case "A":
		return table.ByFrequency
	case "O", "T", "G":
		return table.ByDominance
	}
	return table.NoReason
}

// ConfStatus returns the status that a code of CL_CONF_STATUS means, Safe for an empty one.
func ConfStatus(code string) (table.Status, bool) { return statusKinds[1].parse(code) }

// ConfWant says which codes ConfStatus reads.
func ConfWant() i18n.Text { return statusKinds[1].want }

// ParseStatus reads a status from a column called status, CONF_STATUS or OBS_STATUS. want says what such a
// column may contain; ok is false for other columns and texts.
func ParseStatus(column, text string) (st table.Status, want i18n.Text, ok bool) {
	k := kindOf(column)
	if k == nil {
		return 0, i18n.Text{}, false
	}
	st, ok = k.parse(text)
	return st, k.want, ok
}

// ObsStatus is ConfStatus for CL_OBS_STATUS.
func ObsStatus(code string) (table.Status, bool) { return statusKinds[2].parse(code) }

// ObsWant says which codes ObsStatus reads.
func ObsWant() i18n.Text { return statusKinds[2].want }
