package risk

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
)

// Write writes the records of a file with their quasi-identifiers as they are at g, all orders equally likely by rng, or in the order of the file where that is nil. Records that g leaves out, or
// that have no quasi-identifiers that count, are not written, nor are the columns in drop. Everything else stays byte by byte. The file must be one that the
// lattice has counted, read again.
func (l *Lattice) Write(ctx context.Context, w io.Writer, path string, layout Layout, g *Generalisation, drop []string, rng *rand.Rand) error {
	if g == nil {
		return i18n.New("risk: no generalisation to write")
	}
	columns := l.s.columns.names[:l.s.t.w]
	at := l.classes(g.node, false)
	release := Release{KeepOrder: rng == nil, Drop: drop}
	out := release.sink(w, rng)
	texts := make([]map[uint32][]byte, len(columns)) // per number at the level
	for k := range texts {
		texts[k] = map[uint32][]byte{}
	}
	to := make([][]byte, len(columns))
	ids, codes := make([]uint32, len(columns)), make([]uint32, len(columns))
	var text []byte
	err := eachRecord(ctx, path, layout, columns, out.head, func(r *record) error {
		for k, v := range r.values {
			s, ok := records.Decode(v, r.file.encoding)
			if !ok {
				return r.fault(columns[k], v, records.Not(r.file.encoding))
			}
			if ids[k], ok = l.s.columns.Find(k, s); !ok {
				return errChanged
			}
		}
		class := l.s.t.find(ids)
		if class < 0 {
			return errChanged
		}
		if l.keep[class] == 0 {
			return nil
		}
		for k := range ids {
			codes[k] = l.code[k][g.Levels[k]][l.place[k][class]]
			if texts[k][codes[k]] == nil {
				b, ok := records.Encode([]byte(l.all.Value(k, codes[k])), r.file.encoding)
				if !ok {
					return i18n.Errorf("column %s: value %q cannot be written in %s", columns[k], l.all.Value(k, codes[k]), strings.ToUpper(r.file.encoding))
				}
				texts[k][codes[k]] = r.file.quote(b)
			}
			to[k] = texts[k][codes[k]]
		}
		if g.short[at.t.find(codes)] > 0 {
			return nil
		}
		text = r.with(text[:0], to)
		return out.put(text)
	})
	if err != nil {
		return err
	}
	return out.end()
}
