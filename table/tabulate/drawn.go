package tabulate

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
)

// A drawn is a key that was drawn from an identifier, and where that stands. Two identifiers have one key with a chance of 10^−18, so
// that keys tell which identifiers repeat, and take 24 bytes a record whatever their length.
type drawn struct {
	key  recordkey.Key
	file int32
	line int64
}

// repeated names the first record whose identifier an earlier one has: their noise would be one, and the sum of their keys no longer
// uniform.
func (t *Tabulator) repeated() error {
	for k, v := range t.vars {
		if v.secret == "" {
			continue
		}
		var all []drawn
		for _, w := range t.workers {
			all, w.drawn[k] = append(all, w.drawn[k]...), nil
		}
		place := func(a, b drawn) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line)) }
		slices.SortFunc(all, func(a, b drawn) int { return cmp.Or(cmp.Compare(a.key, b.key), place(a, b)) })
		first, again := -1, -1
		for i := 1; i < len(all); i++ {
			if all[i].key == all[i-1].key && (again < 0 || place(all[i], all[again]) < 0) {
				first, again = i-1, i
			}
		}
		if again >= 0 {
			a, b := all[first], all[again]
			return &formats.Error{File: t.files[b.file], Line: int(b.line), Field: v.Name,
				Want: i18n.T("the identifier of line %d of %s again; want one a record, from which its key is drawn", a.line, t.files[a.file])}
		}
	}
	return nil
}
