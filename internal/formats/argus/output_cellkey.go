package argus

import (
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/table"
)

// CellKeyed is the result of the cell key method for a table.
type CellKeyed struct {
	Published []int64 // the published value of each cell, in units of the table
	Keys      []string
	Decimals  int // decimals of the keys
}

// WriteCellKeyed writes output type 7: one line for each cell with its codes and its published value, with AO
// also the true value, with AD the difference of the two, with AC the cell key, separated by semicolons.
// Metadata are written beside it, to the same name with .rda. Unless one of AO, AD and AC is on, a cell
// published as 0 looks like an empty cell, and SE leaves it out like one.
func WriteCellKeyed(path string, t *table.Table, k *CellKeyed, out Output, o WriteOptions) error {
	p, err := newPrinter(t, nil, out, o)
	if err != nil {
		return err
	}
	base := stem(path)
	open := !out.Original && !out.Difference && !out.Key // else the file is for the office only
	meta, err := lines(&o, func(w *text) {
		w.print(`   <SEPARATOR> ";"`)
		for _, d := range t.Dims {
			w.print(d.Name)
			w.print("    <RECODEABLE>")
			w.print("    <TOTCODE> " + quoteName(d.Codes[0]))
		}
		w.print(responseName(t, o))
		w.print("    <NUMERIC>")
		for _, c := range []struct {
			on         bool
			name, what string
		}{{out.Original, "OrigVar", "<NUMERIC>"}, {out.Difference, "Difference", "<NUMERIC>"}, {out.Key, "CellKey", "<CELLKEY>"}} {
			if c.on {
				w.print(c.name)
				w.print("    " + c.what)
			}
		}
	})
	if err != nil {
		return err
	}
	if err := saveCompanions(path, []companion{{base + ".rda", meta}}, o.keep, open); err != nil {
		return err
	}
	save := formats.Save
	if open {
		published := t.Clone()
		published.Value = k.Published
		save = saveNew(published, t)
	}
	return saveTextBy(save, path, &o, func(w *text) {
		code := make([]int, len(p.size))
		var b strings.Builder
		for g := range p.at {
			p.codes(g, code)
			i := int(p.at[g]) - 1
			published, truth, key := int64(0), int64(0), "0"
			if i >= 0 {
				published, truth, key = k.Published[i], t.Value[i], k.Keys[i]
			}
			if out.SuppressEmpty && published == 0 && !(out.Original || out.Difference || out.Key) || out.SuppressEmpty && (i < 0 || empty(t, i)) {
				continue
			}
			b.Reset()
			for d := range code {
				b.WriteString(p.o.label(p.dims, d, code[d], out.Quote) + ";")
			}
			b.WriteString(fixed(published, t.Decimals, p.digits))
			if out.Original {
				b.WriteString(";" + fixed(truth, t.Decimals, p.digits))
			}
			if out.Difference {
				b.WriteString(";" + fixed(published-truth, t.Decimals, p.digits))
			}
			if out.Key {
				if n := k.Decimals - max(0, len(key)-2); n > 0 {
					if len(key) < 2 {
						key += "."
					}
					key += strings.Repeat("0", n)
				}
				b.WriteString(";" + key)
			}
			w.print(b.String())
		}
	})
}

// stem returns a path without .gz and without its extension.
func stem(path string) string {
	if strings.EqualFold(filepath.Ext(path), ".gz") {
		path = path[:len(path)-3]
	}
	return strings.TrimSuffix(path, filepath.Ext(path))
}
