package tableio

import (
	"fmt"

	"github.com/hitoku/hitoku/table"
)

// A Style is how an office marks withheld cells in what it writes. The zero value
// publishes: blanks or the usual mark for withheld values, SDMX codes C and D.
type Style struct {
	// Symbol stands for a withheld value. Empty: that of the format.
	Symbol string
	// Flag keeps the values of withheld cells beside their flags, for a confidential
	// transmission; else they are masked.
	Flag bool
	// Primary and Secondary are the codes of CL_CONF_STATUS for sensitive cells and
	// for those withheld to protect them. Empty: C and D.
	Primary, Secondary string
}

// Code returns the code of CL_CONF_STATUS for a cell; found is the one it had in
// its file, if any, which stays where it still says the same.
func (s *Style) Code(st table.Status, withheld, uniform bool, found string) string {
	kind := statusKinds[1]
	switch {
	case st == table.Withheld, withheld && (uniform || st != table.Sensitive):
		st = table.Withheld
	case st == table.Published: // CL_CONF_STATUS has no word for it
		st = table.Safe
	}
	if was, ok := kind.parse(found); found != "" && ok && was == st && !(uniform && withheld) {
		return found
	}
	switch {
	case st == table.Sensitive && s.Primary != "":
		return s.Primary
	case st == table.Sensitive:
		return kind.sensitive
	case st == table.Withheld && s.Secondary != "":
		return s.Secondary
	case st == table.Withheld:
		return kind.withheld
	}
	return kind.safe
}

// Check finds codes that CL_CONF_STATUS does not have for such cells.
func (s *Style) Check() error {
	for _, c := range []struct {
		flag, code string
		st         table.Status
	}{{"--reason", s.Primary, table.Sensitive}, {"--secondary-reason", s.Secondary, table.Withheld}} {
		if st, ok := ConfStatus(c.code); c.code != "" && (!ok || st != c.st) {
			return fmt.Errorf("%s %s: %s", c.flag, show(c.code), statusKinds[1].want)
		}
	}
	return nil
}

// ConfStatus returns the status that a code of CL_CONF_STATUS stands for, Safe for
// an empty one.
func ConfStatus(code string) (table.Status, bool) { return statusKinds[1].parse(code) }

// ConfWant says what ConfStatus reads.
func ConfWant() string { return statusKinds[1].want }

// ObsStatus is ConfStatus for CL_OBS_STATUS.
func ObsStatus(code string) (table.Status, bool) { return statusKinds[2].parse(code) }

// ObsWant says what ObsStatus reads.
func ObsWant() string { return statusKinds[2].want }
