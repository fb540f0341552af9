package certificate

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawRules draws rows of every kind about a level that z meets, those that rest on others behind these.
func drawRules(t *rapid.T, p *problem, k int32) []Rule {
	dual := func(cell int32) *Dual {
		d := &Dual{Cell: cell, Den: 1}
		for j := range int32(p.t.Rel.Len()) { // the cell's own relations, which say what it is made of
			cells, coef := p.t.Rel.Row(int(j))
			if at := slices.Index(cells, cell); at >= 0 && rapid.Bool().Draw(t, "relation") {
				d.Rel, d.Mult = append(d.Rel, j), append(d.Mult, int64(coef[at]))
				break
			}
		}
		return d
	}
	var level Level
	if p.t.UPL[k] > 0 || p.t.Width[k] > 0 {
		level.Up = dual(k)
	}
	if p.t.LPL[k] > 0 || p.t.Width[k] > 0 {
		level.Down = dual(k)
	}
	rules := []Rule{&level}
	var free []int32
	for i, is := range p.free {
		if is {
			free = append(free, int32(i))
		}
	}
	some := func() (s []int32) {
		for _, i := range free {
			if rapid.IntRange(0, 3).Draw(t, "some") == 0 {
				s = append(s, i)
			}
		}
		return s
	}
	rules = append(rules, &Pattern{Level: level, Withheld: some()})
	lean := &Bottleneck{Level: level}
	for _, side := range []bool{false, true} {
		for j := range int32(p.t.Rel.Len()) {
			cells, _ := p.t.Rel.Row(int(j))
			lean.Lines = append(lean.Lines, Line{side, cells[rapid.IntRange(0, len(cells)-1).Draw(t, "lean")], j})
		}
	}
	rules = append(rules, lean)
	if len(free) > 0 {
		rules = append(rules, &Bridge{Dual: dual(rapid.SampledFrom(free).Draw(t, "bridge"))})
	}
	for range 4 {
		of := rapid.SampledFrom(rules).Draw(t, "of")
		rules = append(rules, &Cover{Of: of, Spend: some()},
			&Round{Of: []Rule{of, rapid.SampledFrom(rules).Draw(t, "and")}, Mult: []int64{1, rapid.Int64Range(1, 3).Draw(t, "mult")}, Div: rapid.Int64Range(1, 3).Draw(t, "div"), Flip: some()})
	}
	return rules
}

// A proof made of any rows, by any tree, is confirmed as it was written, and no more than what a protected pattern costs:
// tables are drawn with a table that an intruder cannot tell from them, whose differences protect. Whatever is changed in
// it, what Verify then confirms is true all the same.
func TestDrawnCertificates(t *testing.T) {
	kinds := map[string]int{}
	refused, malformed := 0, 0
	whole := t
	draw := func(t *rapid.T) {
		p, z, k := drawMoved(t)
		for i := range p.t.Cost {
			p.t.Cost[i] = rapid.Int64Range(0, 9).Draw(t, "cost") * 10
		}
		pattern, cost := make([]bool, p.n), int64(0)
		up, down := &Witness{Den: 1}, &Witness{Den: 1}
		for i, v := range z {
			if pattern[i] = p.given[i] || v != 0; pattern[i] && !p.given[i] {
				cost += p.t.Cost[i]
			}
			if v != 0 {
				up.Cells, up.Num = append(up.Cells, int32(i)), append(up.Num, v)
				down.Cells, down.Num = append(down.Cells, int32(i)), append(down.Num, -v)
			}
		}
		witnesses := []*Witness{up}
		if p.t.Width[k] > 0 {
			witnesses = append(witnesses, down)
		}
		r, err := NewRecorder(p.t)
		if err != nil {
			t.Fatal(err)
		}
		rules := drawRules(t, r.b.p, k)
		note := func(n *Node) {
			r.Note(n, 1, func(into []Term) []Term {
				for _, rule := range rules {
					if rapid.Bool().Draw(t, "used") {
						into = append(into, Term{Rule: rule, Y: rapid.SampledFrom([]float64{0.25, 1, 3, 10}).Draw(t, "y"), RHS: 1})
					}
				}
				return into
			}, rapid.IntRange(0, 9).Draw(t, "ray") == 0)
		}
		bound := rapid.Int64Range(0, 200).Draw(t, "bound")
		note(r.Root)
		if rapid.IntRange(0, 2).Draw(t, "settle") == 0 {
			y := r.Proof([]Term{{Rule: rules[0], Y: 5, RHS: 1}}, false)
			r.Settle(y, bound+rapid.Int64Range(0, 50).Draw(t, "above"), func(int32, bool) {})
		}
		leaves := []*Node{r.Root}
		for i := range r.b.p.free {
			if len(leaves) < 4 && r.b.p.free[i] && r.k.state[i] < 0 && rapid.Bool().Draw(t, "split") {
				n := leaves[0]
				zero, one := n.Split(int32(i))
				note(zero)
				note(one)
				leaves = append(leaves[1:], zero, one)
			}
		}
		if rapid.Bool().Draw(t, "forget") { // which costs no more than what a node above proves
			r.Forget(bound)
		}
		c := r.Finish(bound, pattern, witnesses)
		var file bytes.Buffer
		if err := c.Write(&file); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		check := func(file []byte) error {
			rep, err := checked(whole, string(file), p.t)
			var no *Refuted
			var bad *Malformed
			switch {
			case errors.As(err, &no):
				refused++
			case errors.As(err, &bad):
				malformed++
			case err != nil:
				t.Fatalf("error %v", err)
			case rep.Bound > cost:
				t.Fatalf("a bound of %d is confirmed, but a protected pattern costs %d\n%s", rep.Bound, cost, file)
			case rep.Pattern != nil && rep.Witnesses == 0:
				t.Fatalf("a pattern without witnesses is confirmed\n%s", file)
			}
			return err
		}
		if err := check(file.Bytes()); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		lines := bytes.SplitAfter([]byte(text), []byte("\n"))
		lines = lines[:len(lines)-1]
		for _, l := range lines {
			var x line
			if err := json.Unmarshal(l, &x); err != nil {
				t.Fatal(err)
			}
			kinds[x.Is]++
		}
		// One number of one line is another, or a line is not there or there twice.
		for range 8 {
			changed := slices.Clone(lines)
			at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			switch rapid.IntRange(0, 5).Draw(t, "how") {
			case 0:
				changed = slices.Delete(changed, at, at+1)
			case 1:
				changed = slices.Insert(changed, at, changed[at])
			default:
				l := slices.Clone(changed[at])
				var digits []int
				for i := bytes.LastIndexByte(l, '"') + 1; i < len(l); i++ {
					if l[i] >= '0' && l[i] <= '9' {
						digits = append(digits, i)
					}
				}
				for i, b := range l[:bytes.LastIndexByte(l, '"')+1] {
					if b >= '0' && b <= '9' && !bytes.Contains(l, []byte("digest")) {
						digits = append(digits, i)
					}
				}
				if len(digits) > 0 {
					l[rapid.SampledFrom(digits).Draw(t, "digit")] = byte(rapid.IntRange('0', '9').Draw(t, "to"))
				}
				changed[at] = l
			}
			check(bytes.Join(changed, nil))
		}
	}
	rapid.Check(t, draw)
	if testing.Short() {
		return // too few are drawn to have one of each kind
	}
	missing := func() string {
		for _, kind := range []string{"dual", "level", "exclude", "bottleneck", "bridge", "cover", "round", "split", "leaf", "fix", "pattern", "witness"} {
			if kinds[kind] == 0 {
				return kind
			}
		}
		return ""
	}
	for range 20 { // a kind that is rare may be absent from a hundred certificates
		if missing() == "" {
			break
		}
		rapid.Check(t, draw)
	}
	if kind := missing(); kind != "" {
		t.Errorf("no line of kind %s was drawn: %v", kind, kinds)
	}
	if refused == 0 || malformed == 0 {
		t.Errorf("%d changed certificates refuted, %d malformed", refused, malformed)
	}
}
