package certificate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// halves are parts of the relations of the sensitive cell of tab, each with half of the costs.
func halves(t *testing.T, tab *table.Table) (parts []*Part) {
	t.Helper()
	for j := range int32(tab.Rel.Len()) {
		if cells, _ := tab.Rel.Row(int(j)); !slices.Contains(cells, 0) {
			continue
		}
		sub, _ := tab.Among([]int32{j})
		sub.Cost = slices.Clone(sub.Cost)
		for i := range sub.Cost {
			sub.Cost[i] /= 2
		}
		r := must.Get(NewRecorder(sub))(t)
		cells, coef := sub.Rel.Row(0)
		k := slices.Index(sub.Status, table.Sensitive)
		level := &Level{Up: &Dual{Cell: int32(k), Den: 1, Rel: []int32{0}, Mult: []int64{int64(coef[slices.Index(cells, int32(k))])}}}
		r.Note(r.Root, 1, func(into []Term) []Term { return append(into, Term{Rule: level, Y: 5, RHS: 1}) }, false)
		p, err := NewPart([]int32{j}, sub.Cost, r.Finish(100, nil, nil))
		if err != nil || p.Bound < 1 {
			t.Fatalf("part of relation %d: %+v, %v", j, p, err)
		}
		parts = append(parts, p)
	}
	return parts
}

// Bounds of parts add up, with a pattern beside them, and every change of them that proves more than is so, or what is no
// part, is refused.
func TestParts(t *testing.T) {
	tab := square(t, 3)
	parts := halves(t, tab)
	if len(parts) != 2 {
		t.Fatalf("%d parts", len(parts))
	}
	c, err := Sum(tab, parts, nil, nil)
	if err != nil || c.Bound != parts[0].Bound+parts[1].Bound {
		t.Fatalf("bound %d, %v", c.Bound, err)
	}
	pattern := make([]bool, tab.Len())
	var cells []int32
	for _, name := range []string{"c0/c0", "c0/c1", "c1/c0", "c1/c1"} {
		for i := range tab.Len() {
			if tab.CellName(i) == name {
				pattern[i], cells = true, append(cells, int32(i))
			}
		}
	}
	c = c.For(pattern, []*Witness{{Den: 1, Cells: cells, Num: []int64{3, -3, -3, 3}}, {Den: 1, Cells: cells, Num: []int64{-3, 3, 3, -3}}})
	if _, err := NewPart([]int32{0}, nil, c); err == nil {
		t.Error("parts of parts")
	}
	var file bytes.Buffer
	must.Do(t, c.Write(&file))
	text := file.String()
	rep, err := checked(t, text, tab)
	if err != nil || rep.Parts != 2 || rep.Bound != c.Bound || rep.Pattern == nil {
		t.Fatalf("%+v, %v\n%s", rep, err, text)
	}
	lines := strings.SplitAfter(text, "\n")
	first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, `{"is":"part"`) })
	second := first + 1 + slices.IndexFunc(lines[first+1:], func(l string) bool { return strings.HasPrefix(l, `{"is":"part"`) })
	end := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, `{"is":"pattern"`) })
	body := func(parts ...[]string) string {
		s := lines[0] + strings.Join(slices.Concat(parts...), "")
		return s + fmt.Sprintf(`{"is":"end","lines":%d}`, strings.Count(s, "\n")+1) + "\n"
	}
	one, two := lines[first:second], lines[second:end]
	swap := func(of []string, old, new string) []string {
		s := strings.Join(of, "")
		if !strings.Contains(s, old) {
			t.Fatalf("%s has no %s", s, old)
		}
		return []string{strings.Replace(s, old, new, 1)}
	}
	for _, tc := range []struct{ name, file, want string }{
		{"one part alone", body(one), "the parts prove a cost of at least"},
		{"one part three times", body(one, one, one), "the shares of cell"},
		{"a part without its leaf", body(one[:len(one)-1]), "the tree of part 1 is not complete"},
		{"a part within a part", body(one[:1], two), "a part within a part"},
		{"a line between parts", body(one, []string{`{"is":"leaf"}` + "\n"}), "between parts"},
		{"a leaf before the parts", body([]string{`{"is":"split","cell":1}` + "\n"}, one), "a part beside a tree"},
		{"a fixing before the parts", body([]string{`{"is":"fix"}` + "\n"}, one), "a part beside a tree"},
		{"no bound", body(swap(one, `"bound"`, `"cost"`)), "a part without a bound"},
		{"a relation twice", body(swap(one, `"relations":[`, `"relations":[`+strings.SplitN(strings.SplitN(strings.Join(one, ""), `"relations":[`, 2)[1], "]", 2)[0]+",")), "twice"},
		{"a cost too few", body(swap(one, `"num":[`, `"num":[1,`)), "cells, but"},
		{"a negative share", body(swap(one, `"num":[`, `"num":[-`)), "the shares of cell"},
		{"a higher bound", body(swap(one, `"bound":`, `"bound":9`)), "part 1: node 1: its multipliers prove a cost of at least"},
	} {
		_, err := checked(t, tc.file, tab)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %s\n%s", tc.name, err, tc.want, tc.file)
		}
	}
}

// Where nothing can be withheld besides, a table is shown to have no protected pattern, and only then.
func TestUnprotectable(t *testing.T) {
	tab := square(t, 2)
	level := func() *Level {
		cells, coef := tab.Rel.Row(0)
		j := int32(0)
		for ; !slices.Contains(cells, 0); cells, coef = tab.Rel.Row(int(j)) {
			j++
		}
		return &Level{Up: &Dual{Cell: 0, Den: 1, Rel: []int32{j}, Mult: []int64{int64(coef[slices.Index(cells, 0)])}}}
	}
	if c, err := Unprotectable(tab, []*Level{level()}); c != nil || err != nil {
		t.Errorf("a table that can be protected: %v, %v", c, err)
	}
	for i := range tab.Len() {
		if tab.Status[i] == table.Safe {
			tab.Status[i] = table.Published
		}
	}
	c, err := Unprotectable(tab, []*Level{level()})
	if c == nil || err != nil {
		t.Fatalf("a table of published cells: %v, %v", c, err)
	}
	var file bytes.Buffer
	must.Do(t, c.Write(&file))
	text := file.String()
	if rep, err := checked(t, text, tab); err != nil || !rep.Unprotectable || rep.Pattern != nil {
		t.Errorf("%+v, %v", rep, err)
	}
	for _, tc := range []struct{ old, new, want string }{
		{`"ray":true`, `"ray":false`, "do not prove that it holds no protected pattern"},
		{`"unprotectable":true`, `"unprotectable":true,"bound":1`, "a cost or a bound of an unprotectable table"},
		{`"unprotectable":true`, `"bound":-1`, "no bound, or a negative one"},
		{`"version":1`, `"version":2`, "version 2 of the format"},
		{`"is":"certificate"`, `"is":"leaf"`, "not a certificate"},
	} {
		if _, err := checked(t, strings.Replace(text, tc.old, tc.new, 1), tab); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %s", tc.new, err, tc.want)
		}
	}
	if _, err := NewPart([]int32{0}, nil, c); err == nil {
		t.Error("a part of a certificate without a bound")
	}
}
