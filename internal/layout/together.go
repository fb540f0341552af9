package layout

import (
	"slices"
	"strings"
)

// nowhere is the code of a dimension that a cell of another table has.
const nowhere = "—"

// mostTogether bounds the dimensions of tables that are protected as one, as those of any table are bounded.
const mostTogether = 6

// shares reports whether a dimension has two codes besides totals that one of another table has as well: their numbers may have to do with each
// other in a way that no sum tells.
func (t *Table) shares(other *Table) bool {
	for i := range t.Dimensions {
		d := &t.Dimensions[i]
		for k := range other.Dimensions {
			n := 0
			for _, c := range d.Codes {
				if j := other.Dimensions[k].find(c.Code); j >= 0 && !isTotalName(c.Label) {
					n++
				}
			}
			if n > 1 && d.Role != ofTime {
				return true
			}
		}
	}
	return false
}

// apart reports whether a table has the codes of another and in some places less than it, in others more: the same classification of something else, of
// which neither counts some of what the other counts.
func (t *Table) apart(other *Table) bool {
	if len(t.Dimensions) != len(other.Dimensions) || len(t.Cells) != len(other.Cells) {
		return false
	}
	values := map[string]int64{}
	for _, c := range t.Cells {
		if c.Value != nil {
			if v, ok := scaled(string(*c.Value), maxPlaces); ok {
				values[strings.Join(c.Codes, "\x00")] = v
			}
		}
	}
	more, less := false, false
	for _, c := range other.Cells {
		v, known := values[strings.Join(c.Codes, "\x00")]
		if c.Value == nil || !known {
			return false
		}
		w, ok := scaled(string(*c.Value), maxPlaces)
		if !ok {
			return false
		}
		more, less = more || w > v, less || w < v
	}
	return more && less
}

// together is one table of all tables of a file, in which each has its dimensions and its sums: what is withheld in one is chosen with what is
// withheld in the others. Nil where they are not of one kind, have too
// many dimensions or codes in common.
func together(all []*Table) *Table {
	t := &Table{Name: all[0].Name, Title: all[0].Title, Kind: all[0].Kind, Unit: all[0].Unit, UnitMultiplier: all[0].UnitMultiplier, parts: all}
	at := 0
	names := map[string]bool{}
	for _, of := range all {
		n := 0
		for i := range of.Dimensions {
			if d := &of.Dimensions[i]; d.Role == Measure && len(d.Codes) > 1 {
				return nil
			} else if len(d.Codes) > 1 {
				n++
			}
		}
		for _, other := range all {
			if other != of && of.shares(other) && !of.apart(other) {
				return nil
			}
		}
		if of.Kind != t.Kind || of.UnitMultiplier != t.UnitMultiplier || of.counted() || slices.ContainsFunc(of.Dimensions, func(d Dimension) bool { return d.find(nowhere) >= 0 }) {
			return nil
		}
		if at += n; at > mostTogether {
			return nil
		}
	}
	for _, of := range all {
		for _, d := range of.Dimensions {
			for names[d.Name] {
				d.Name += "'"
			}
			names[d.Name] = true
			d.Codes = append(slices.Clone(d.Codes), Code{Code: nowhere, Label: nowhere})
			t.Dimensions = append(t.Dimensions, d)
		}
	}
	at = 0
	for _, of := range all {
		place := func(codes []string) []string {
			out := make([]string, len(t.Dimensions))
			for i := range out {
				out[i] = nowhere
			}
			copy(out[at:], codes)
			return out
		}
		for i, c := range of.Cells {
			c.Codes = place(c.Codes)
			t.Cells = append(t.Cells, c)
			t.beside = append(t.beside, of.told(i))
		}
		for _, d := range of.Derived {
			codes := make([][]string, len(d.Of))
			for k := range d.Of {
				codes[k] = place(d.Of[k])
			}
			d.Of = codes
			t.Derived = append(t.Derived, d)
		}
		for _, r := range of.Relations {
			r.Dim += at
			t.Relations = append(t.Relations, r)
		}
		for _, r := range of.seen {
			r.Dim += at
			t.seen = append(t.seen, r)
		}
		for _, c := range of.unnamed {
			t.unnamed = append(t.unnamed, codeOf{c.dim + at, c.code})
		}
		t.Notes = append(t.Notes, of.Notes...)
		at += len(of.Dimensions)
	}
	return t
}
