package adversary

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

var cellName = regexp.MustCompile(`\$?[A-Z]{1,2}\$?[1-9][0-9]*`)

// move lays a sheet out anew: what stands at (r, c) stands where to says, with all that names it.
func (o *officeFile) move(s *drawnSheet, to func(r, c int) (int, int)) {
	old := s.grid
	s.grid = nil
	rename := func(name string) string {
		c, r, err := excelize.CellNameToCoordinates(name)
		if err != nil {
			return name
		}
		y, x := to(r-1, c-1)
		out, _ := excelize.CoordinatesToCellName(x+1, y+1, strings.Contains(name, "$"))
		return out
	}
	for r, row := range old {
		for c, f := range row {
			if f.text == "" && f.formula == "" {
				continue
			}
			y, x := to(r, c)
			f.formula = cellName.ReplaceAllStringFunc(f.formula, rename)
			s.put(y, x, f)
		}
	}
	place := func(p spotOn) spotOn {
		if p.s == s {
			p.r, p.c = to(p.r, p.c)
		}
		return p
	}
	for i := range o.tales {
		at := &o.tales[i].at
		switch {
		case o.text && at.ref != "":
			var r, c int
			fmt.Sscanf(at.ref, "%d:%d", &r, &c)
			r, c = to(r-1, c-1)
			at.ref = fmt.Sprintf("%d:%d", r+1, c+1)
		case !o.text && at.sheet == s.name && at.sheet != "":
			name, comment := strings.CutPrefix(at.ref, "comment ")
			at.ref = rename(name)
			if comment {
				at.ref = "comment " + at.ref
			}
		}
	}
	for i := range o.comments {
		if o.comments[i][0] == s.name {
			o.comments[i][1] = rename(o.comments[i][1])
		}
	}
	for i, m := range s.merged {
		a, b := to(m[0], m[1])
		c, d := to(m[2], m[3])
		s.merged[i] = [4]int{min(a, c), min(b, d), max(a, c), max(b, d)}
	}
	for i := range o.at {
		for j := range o.at[i] {
			o.at[i][j] = place(o.at[i][j])
		}
	}
	for cell, p := range o.k.where {
		o.k.where[cell] = place(p)
	}
}

// transpose turns the table on a sheet: its rows become columns. Titles and notes stay.
func (o *officeFile) transpose(s *drawnSheet) {
	top, bottom := -1, -1
	for r, row := range s.grid {
		n := 0
		for _, f := range row {
			if f.text != "" || f.formula != "" {
				n++
			}
		}
		if n > 1 {
			if bottom = r; top < 0 {
				top = r
			}
		}
	}
	if top < 0 || len(s.hiddenRows) > 0 {
		return
	}
	width := 0
	for _, row := range s.grid[top : bottom+1] {
		width = max(width, len(row))
	}
	o.move(s, func(r, c int) (int, int) {
		switch {
		case r < top:
			return r, c
		case r > bottom:
			return top + width + r - bottom - 1, c
		}
		return top + c, r - top
	})
	if c := s.hiddenColumn; c > 0 {
		s.hiddenColumn = 0
		s.hiddenRows = append(s.hiddenRows, top+c-1)
	}
	s.merged = slices.DeleteFunc(s.merged, func(m [4]int) bool { return m[0] == m[2] && m[1] == m[3] })
}
