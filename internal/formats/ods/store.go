package ods

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// A Result is the result of a formula, a number or a text.
type Result struct {
	Text   string
	Number bool
}

// Store writes a copy of the file in which formulas have results, given by sheet, row and column. All else is
// unchanged.
func (f *File) Store(w io.Writer, results map[[3]int]Result) error {
	var edits []ooxml.Edit
	for n, s := range f.sheets {
		for k := range s.rows {
			r := &s.rows[k]
			for _, x := range r.cells {
				v, ok := results[[3]int{n + 1, r.first, x.first}] // repeated cells have the same result
				if !ok {
					continue
				}
				text, err := f.with(&x, v)
				if err != nil {
					return err
				}
				edits = append(edits, ooxml.Edit{From: x.from, To: x.to, New: text})
			}
		}
	}
	if err := f.p.Edit(content, edits); err != nil {
		return err
	}
	return f.p.Write(w)
}

// with returns the element of a field with the result of its formula.
func (f *File) with(x *field, v Result) (string, error) {
	n, err := ooxml.ParseIn(f.raw, x.from, x.to, &f.nodes)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	kind, of, text := map[bool]string{true: "float", false: "string"}[v.Number], "office:", "text:"
	b.WriteString("<" + n.Name)
	for _, a := range n.Attrs {
		local := ooxml.Local(a.Name)
		if !slices.Contains(values, local) {
			b.WriteString(" " + a.Name + `="` + ooxml.Escape(a.Value) + `"`)
		} else if local == "value-type" && !strings.HasPrefix(a.Name, "calcext:") {
			of = strings.TrimSuffix(a.Name, local)
			if v.Number && (a.Value == "percentage" || a.Value == "currency") {
				kind = a.Value
			}
		}
	}
	b.WriteString(" " + of + `value-type="` + kind + `"`)
	if v.Number {
		b.WriteString(" " + of + `value="` + v.Text + `"`)
	}
	b.WriteString(">")
	for _, k := range n.Kids {
		if k.Local() == "p" {
			text = k.Name[:len(k.Name)-1]
			continue
		}
		b.Write(f.raw[k.From:k.To])
	}
	if v.Text != "" {
		Paragraphs(&b, text, v.Text)
	}
	b.WriteString("</" + n.Name + ">")
	return b.String(), nil
}
