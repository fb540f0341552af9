package tabulate

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
)

// A drawn is a record key drawn from an identifier, with the record's place. Two identifiers have the same key with
// probability 10^−18, so equal keys reveal repeated identifiers; they take 24 bytes a record, however long the
// identifiers.
type drawn struct {
	key  recordkey.Key
	file int32
	line int64
}

// repeated reports the first record whose identifier an earlier record has: both would get the same noise, and the sum
// of their keys would no longer be uniform.
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
