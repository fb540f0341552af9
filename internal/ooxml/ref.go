package ooxml

import (
	"slices"
	"strconv"
	"strings"
)

// The size of a sheet.
const (
	MaxRows    = 1 << 20
	MaxColumns = 1 << 14
)

// An Area is a rectangle of cells; rows and columns count from 1, and both ends are included.
type Area struct{ Row, Col, LastRow, LastCol int }

// Has reports whether the area has the cell.
func (a Area) Has(row, col int) bool {
	return row >= a.Row && row <= a.LastRow && col >= a.Col && col <= a.LastCol
}

// Meets reports whether two areas share a cell.
func (a Area) Meets(b Area) bool {
	return a.Row <= b.LastRow && b.Row <= a.LastRow && a.Col <= b.LastCol && b.Col <= a.LastCol
}

// Cell reads the name of a cell, like A1.
func Cell(s string) (row, col int, ok bool) {
	k := 0
	for ; k < len(s) && k < 4 && s[k] >= 'A' && s[k] <= 'Z'; k++ {
		col = col*26 + int(s[k]-'A') + 1
	}
	if k == 0 || col > MaxColumns || k == len(s) || s[k] == '0' {
		return 0, 0, false
	}
	row, ok = digits(s[k:])
	return row, col, ok && row >= 1 && row <= MaxRows
}

func digits(s string) (int, bool) {
	if s == "" || len(s) > 7 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// CellName is the inverse of Cell.
func CellName(row, col int) string { return columnName(col) + strconv.Itoa(row) }

// columnName returns the name of a column.
func columnName(col int) string {
	var name []byte
	for ; col > 0; col = (col - 1) / 26 {
		name = append(name, 'A'+byte((col-1)%26))
	}
	slices.Reverse(name)
	return string(name)
}

// ParseArea reads A1, A1:B2, A:B or 1:2, with or without $.
func ParseArea(s string) (Area, bool) {
	s = strings.ReplaceAll(s, "$", "")
	first, last, two := strings.Cut(s, ":")
	row, col, ok := Cell(first)
	if !two {
		return Area{row, col, row, col}, ok
	}
	row2, col2, ok2 := Cell(last)
	if ok && ok2 {
		return Area{min(row, row2), min(col, col2), max(row, row2), max(col, col2)}, true
	}
	if c1, c2 := column(first), column(last); c1 > 0 && c2 > 0 {
		return Area{1, min(c1, c2), MaxRows, max(c1, c2)}, true
	}
	r1, ok := digits(first)
	r2, ok2 := digits(last)
	if ok && ok2 && r1 > 0 && r2 > 0 && r1 <= MaxRows && r2 <= MaxRows {
		return Area{min(r1, r2), 1, max(r1, r2), MaxColumns}, true
	}
	return Area{}, false
}

// column returns the number of a column by its name, 0 if s is none.
func column(s string) int {
	if len(s) == 0 || len(s) > 3 {
		return 0
	}
	n := 0
	for _, c := range []byte(s) {
		if c < 'A' || c > 'Z' {
			return 0
		}
		n = n*26 + int(c-'A') + 1
	}
	if n > MaxColumns {
		return 0
	}
	return n
}

// ParseAreas reads areas separated by blanks, as in sqref.
func ParseAreas(s string) []Area {
	var all []Area
	for f := range strings.FieldsSeq(s) {
		if a, ok := ParseArea(f); ok {
			all = append(all, a)
		}
	}
	return all
}
