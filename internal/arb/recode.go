package arb

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table/tabulate"
)

// recode runs table,variable,"file.grc" or table,variable,levels. As in τ-ARGUS, where each table of the same
// records has its own variables, only that table is recoded, and a second recoding of a variable replaces the
// first. Of several such commands in a row only the last makes the tables anew.
func (b *batch) recode(ctx context.Context, args string) error {
	f := fields(args, ',')
	if len(f) != 3 || f[1] == "" || f[2] == "" {
		return i18n.New(`want table,"variable","file.grc" or table,"variable",levels`)
	}
	j, err := b.job(f[0])
	switch {
	case err != nil:
		return err
	case j.from == nil && j.t == nil:
		return i18n.Errorf("table %s has not been read", f[0])
	case j.from == nil:
		return i18n.New("a table that was read cannot be recoded; only tables of microdata can")
	}
	k := slices.IndexFunc(j.dims, func(d string) bool { return strings.EqualFold(d, f[1]) })
	if k < 0 {
		return i18n.Errorf("variable %q: not in table %s, whose variables are %s", f[1], f[0], strings.Join(j.dims, ", "))
	}
	by := f[2]
	if _, err := strconv.Atoi(by); err != nil {
		by = b.find(by)
	}
	r, err := tabulate.ReadRecoding(by, b.encoding())
	if err != nil {
		return err
	}
	switch {
	case j.pattern != nil || j.changed != nil:
		return i18n.Errorf("table %s has been protected already; want <RECODE> before <SUPPRESS>", f[0])
	case j.edited:
		return i18n.Errorf("table %s would lose what <APRIORI> changed; want <RECODE> before it", f[0])
	}
	if j.recode == nil {
		j.recode = map[string]tabulate.Recoding{}
	}
	j.recode[strings.ToLower(f[1])] = r
	j.t = nil
	b.say("Variable %s has been recoded for table %s", j.dims[k], f[0])
	if b.more {
		return nil
	}
	if err := b.tabulate(ctx, j.from); err != nil {
		return err
	}
	b.count()
	return nil
}
