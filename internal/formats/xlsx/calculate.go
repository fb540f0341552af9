package xlsx

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/ods"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// results calculates those formulas of a workbook whose results the file lacks, because a library wrote it and
// no program has calculated it.
type results struct {
	w      *Workbook
	sheets map[string]map[[2]int]*Cell // by folded name of the sheet, then by row and column
	under  map[*Cell]bool              // cells whose calculation is under way
}

// errCircle is returned for a formula whose result depends on itself.
var errCircle = i18n.New("it depends on itself")

// shown reports whether readers of the file see the sheet.
func (s *Sheet) shown() bool { return s.State == "" || s.State == "visible" }

// calculate sets the results of those formulas of w, read from b, for which the file has none; in hidden sheets
// only where others need them. It returns the file with these results, nil if none was missing. The error names
// a formula that cannot be calculated.
func (w *Workbook) calculate(b *book) ([]byte, error) {
	r := &results{w: w, sheets: map[string]map[[2]int]*Cell{}, under: map[*Cell]bool{}}
	some := false
	for i := range w.Sheets {
		some = some || w.Sheets[i].shown() && slices.ContainsFunc(w.Sheets[i].Cells, func(c Cell) bool { return c.unstored })
	}
	if !some {
		return nil, nil
	}
	for i := range w.Sheets {
		s := &w.Sheets[i]
		of := make(map[[2]int]*Cell, len(s.Cells))
		for k := range s.Cells {
			of[[2]int{s.Cells[k].Row, s.Cells[k].Column}] = &s.Cells[k]
		}
		r.sheets[foldSheet(s.Name)] = of
	}
	for i := range w.Sheets {
		s := &w.Sheets[i]
		for k := range s.Cells {
			c := &s.Cells[k]
			if !c.unstored || !s.shown() {
				continue
			}
			if err := r.cell(s.Name, c); err != nil {
				at := Place{s.Name, ooxml.CellName(c.Row, c.Column)}
				return nil, &formats.Error{File: b.file, Value: formats.Show(at.String()), Err: ErrResult, Want: i18n.T("the formula %s has no stored result, and is not calculated here: %s; open the workbook in a spreadsheet program and save it", formats.Show(c.Formula), err)}
			}
		}
	}
	return w.stored(b)
}

// cell calculates c, a cell of the sheet.
func (r *results) cell(sheet string, c *Cell) error {
	if r.under[c] || len(r.under) > 2000 {
		return errCircle
	}
	r.under[c] = true
	v, err := ooxml.Calculate(strings.TrimLeft(c.Formula, "="), func(of string, row, col int) (ooxml.Value, error) {
		of = cmp.Or(of, sheet)
		cells, ok := r.sheets[foldSheet(of)]
		if !ok {
			return ooxml.Value{}, i18n.Errorf("there is no sheet %s", formats.Show(of))
		}
		other := cells[[2]int{row, col}]
		if other == nil {
			return ooxml.Value{}, nil
		}
		if other.unstored {
			if err := r.cell(of, other); err != nil {
				return ooxml.Value{}, err
			}
		}
		if x, err := strconv.ParseFloat(other.Text, 64); err == nil && other.Number {
			return ooxml.Value{Number: x, Kind: ooxml.IsNumber}, nil
		}
		return ooxml.Value{Text: other.Text, Kind: ooxml.IsText}, nil
	})
	delete(r.under, c)
	if err != nil {
		return err
	}
	c.unstored, c.calculated = false, true
	c.Text, c.Number = v.String(), v.Kind == ooxml.IsNumber
	if c.Number {
		c.Text = decimal(c.Text, v.Number)
	}
	return nil
}

// stored returns the file of b with the results in w.
func (w *Workbook) stored(b *book) ([]byte, error) {
	if w.Format == ODS {
		return w.storedODS(b)
	}
	for i := range w.Sheets {
		of := map[[2]int]*Cell{}
		for k := range w.Sheets[i].Cells {
			if c := &w.Sheets[i].Cells[k]; c.calculated {
				of[[2]int{c.Row, c.Column}] = c
			}
		}
		if len(of) == 0 {
			continue
		}
		raw, err := b.p.Read(b.sheets[i].part)
		if err != nil {
			return nil, err
		}
		edits, err := store(raw, of)
		if err != nil {
			return nil, err
		}
		if err := b.p.Edit(b.sheets[i].part, edits); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	err := b.p.Write(&out)
	return out.Bytes(), err
}

// storedODS is stored for an OpenDocument spreadsheet.
func (w *Workbook) storedODS(b *book) ([]byte, error) {
	f, err := ods.Open(b.raw)
	if err != nil {
		return nil, err
	}
	results := map[[3]int]ods.Result{}
	for i := range w.Sheets {
		for _, c := range w.Sheets[i].Cells {
			if c.calculated {
				results[[3]int{i + 1, c.Row, c.Column}] = ods.Result{Text: c.Text, Number: c.Number}
			}
		}
	}
	var out bytes.Buffer
	err = f.Store(&out, results)
	return out.Bytes(), err
}

// store returns the edits that write results after the formulas in the XML of a sheet.
func store(raw []byte, of map[[2]int]*Cell) (edits []ooxml.Edit, err error) {
	row, col := 0, 0
	var now *Cell
	var value ooxml.Edit
	for l := ooxml.LexerAt(raw, 0); ; {
		t, err := l.Next()
		if err != nil {
			return nil, err
		}
		local := ooxml.Local(t.Name)
		switch {
		case t.Kind == ooxml.EOF:
			return edits, nil
		case t.Kind == ooxml.Start && local == "row":
			row, col = row+1, 0
			if n, err := strconv.Atoi(attributeOf(t, "r")); err == nil {
				row = n
			}
		case t.Kind == ooxml.Start && local == "c":
			col++
			if r, k, ok := ooxml.Cell(attributeOf(t, "r")); ok {
				row, col = r, k
			}
			if now = of[[2]int{row, col}]; now != nil {
				edits = append(edits, kindOf(t, now.Number))
			}
		case now == nil:
		case local == "f" && (t.Kind == ooxml.End || t.Empty):
			value = ooxml.Edit{From: t.To, To: t.To}
		case local == "v" && t.Kind == ooxml.Start:
			value.From, value.To = t.From, t.To
		case local == "v" && t.Kind == ooxml.End:
			value.To = t.To
		case local == "c" && t.Kind == ooxml.End:
			p := prefix(t.Name)
			value.New = "<" + p + "v>" + ooxml.Escape(now.Text) + "</" + p + "v>"
			edits, now = append(edits, value), nil
		}
	}
}

func attributeOf(t ooxml.Token, name string) string {
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// kindOf returns the edit that makes the start tag of a cell say whether its result is a number.
func kindOf(t ooxml.Token, number bool) ooxml.Edit {
	kind := map[bool]string{true: "n", false: "str"}[number]
	for k := range t.Attrs {
		if t.Attrs[k].Name == "t" {
			return t.Attrs[k].Set(kind)
		}
	}
	at := t.From + 1 + len(t.Name)
	return ooxml.Edit{From: at, To: at, New: ` t="` + kind + `"`}
}
