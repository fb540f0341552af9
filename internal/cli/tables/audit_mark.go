package tables

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/i18n"
)

// The colours of disclosed cells, and of those that miss a level.
const (
	disclosedFill = "FF9C9C"
	narrowFill    = "FFD966"
)

// errNoBook says that there is no workbook to mark cells in.
var errNoBook = i18n.New("-o marks cells in a copy of the workbook that was read by its layout; this input is none (--from layout reads one so)")

// mark writes a copy of the workbook called path in which cells that are disclosed or not protected have a colour and a
// comment that says how they follow.
func (r *auditReport) mark(path, output string, t naming) error {
	kind := strings.ToLower(filepath.Ext(path))
	if r.address == nil || path == "-" || kind != ".xlsx" && kind != ".ods" {
		return i18n.Errorf("%s: %w", path, errNoBook)
	}
	if to := strings.ToLower(filepath.Ext(output)); to != kind && (to == ".xlsx" || to == ".ods") {
		return i18n.Errorf("-o %s: the copy is one of %s, and of its format: want a name that ends in %s", output, path, kind)
	}
	src, err := budget.ReadFile(path, budget.Whole)
	if err != nil {
		return formats.OSError(path, err)
	}
	var cells []xlsx.HighlightedCell
	for k := range r.Cells {
		c := &r.Cells[k]
		if !c.Disclosed && c.Protected {
			continue
		}
		sheet, ref, ok := cutAddress(r.address(r.notes[k].index))
		if !ok {
			continue // a computed margin, which is not in the file
		}
		h := xlsx.HighlightedCell{Place: xlsx.Place{Sheet: sheet, Ref: ref}, Text: r.comment(t, k), Fill: narrowFill}
		if c.Disclosed {
			h.Fill = disclosedFill
		}
		cells = append(cells, h)
	}
	return formats.Save(output, func(w io.Writer) error { return xlsx.Highlight(w, src, cells) })
}

// at returns the address of cell i, "" if it is in another table.
func (r *auditReport) at(i int) string {
	if i >= r.cells {
		return ""
	}
	return r.address(i)
}

// comment returns the comment in a workbook that says what is wrong with a cell.
func (r *auditReport) comment(t naming, k int) string {
	c := &r.Cells[k]
	lines := []string{fmt.Sprintf("%s: %s, from %s to %s", c.Cell, r.word(t.Table, k), or(c.Lower, "−∞"), or(c.Upper, "∞"))}
	for n := range r.notes[k].follows {
		x := &r.notes[k].follows[n]
		if len(x.Terms)+len(x.Bounds) > maxTerms || len(x.Relations) == 0 {
			continue
		}
		lines = append(lines, x.Text(t.Table, t.name))
		if len(x.Terms) > 0 {
			lines = append(lines, "= "+x.Cells(func(i int) string { return cmp.Or(r.at(i), t.name(i)) }))
		}
	}
	return strings.Join(lines, "\n")
}

// cutAddress splits Sheet!B7.
func cutAddress(a string) (sheet, ref string, ok bool) {
	k := strings.LastIndexByte(a, '!')
	if k < 0 {
		return "", "", false
	}
	return a[:k], a[k+1:], true
}
