package certificate

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// long is the witness z·k/k in long numbers, for a k beyond 64 bits.
func long(den int64, cells []int32, num []int64) *Witness {
	k, _ := new(big.Int).SetString("340282366920938463463374607431768211507", 10)
	w := &Witness{Cells: cells, Long: &Long{Den: new(big.Int).Mul(big.NewInt(den), k)}}
	for _, v := range num {
		w.Long.Num = append(w.Long.Num, new(big.Int).Mul(big.NewInt(v), k))
	}
	return w
}

// ring is a 2×2 table whose inner cells are withheld, and the cells of a cycle that moves the sensitive one.
func ring(t *testing.T) (tab *table.Table, pattern []bool, cells []int32) {
	t.Helper()
	tab = square(t, 2)
	pattern = make([]bool, tab.Len())
	for _, name := range []string{"c0/c0", "c0/c1", "c1/c0", "c1/c1"} {
		for i := range tab.Len() {
			if tab.CellName(i) == name {
				cells, pattern[i] = append(cells, int32(i)), true
			}
		}
	}
	if len(cells) != 4 || tab.Status[cells[0]] != table.Sensitive {
		t.Fatalf("cells %v", cells)
	}
	return tab, pattern, cells
}

// Witnesses in long numbers are confirmed to the last digit, and every change of them that shows less, or what cannot be,
// is refused for its own reason.
func TestLong(t *testing.T) {
	tab, pattern, cells := ring(t)
	up, down := []int64{3, -3, -3, 3}, []int64{-3, 3, 3, -3}
	published := int32(-1)
	for i, in := range pattern {
		if !in {
			published = int32(i)
		}
	}
	for _, tc := range []struct {
		name   string
		change func(u, d *Witness)
		want   string // "": confirmed
	}{
		{"as it is", func(_, _ *Witness) {}, ""},
		{"a published cell that does not move", func(u, _ *Witness) {
			u.Cells, u.Long.Num = append(u.Cells, published), append(u.Long.Num, new(big.Int))
		}, ""},
		{"the width is missed by the last digit", func(u, _ *Witness) { u.Long.Den.Add(u.Long.Den, big.NewInt(1)) }, "no witnesses show the width of cell c0/c0"},
		{"the width by one that is short", func(u, _ *Witness) { *u = Witness{Den: 1, Cells: cells, Num: []int64{2, -2, -2, 2}} }, "no witnesses show the width of cell c0/c0"},
		{"one is short", func(u, _ *Witness) { *u = Witness{Den: 1, Cells: cells, Num: up} }, ""},
		{"the other is short", func(_, d *Witness) { *d = Witness{Den: 1, Cells: cells, Num: down} }, ""},
		{"the upper level alone", func(_, d *Witness) { *d = *long(1, cells, []int64{7, -7, -7, 7}) }, "no witness shows the lower level of cell c0/c0"},
		{"the lower level alone", func(u, _ *Witness) { *u = *long(1, cells, down) }, "no witness shows the upper level of cell c0/c0"},
		{"no denominator", func(u, _ *Witness) { u.Long.Den = nil }, "needs a denominator ≥ 1"},
		{"denominator 0", func(u, _ *Witness) { u.Long.Den = new(big.Int) }, "needs a denominator ≥ 1"},
		{"a negative denominator", func(u, _ *Witness) { u.Long.Den.Neg(u.Long.Den) }, "needs a denominator ≥ 1"},
		{"both lengths", func(u, _ *Witness) { u.Den = 1 }, "needs a denominator ≥ 1"},
		{"numbers of both lengths", func(u, _ *Witness) { u.Num = up }, "needs a denominator ≥ 1"},
		{"a number too few", func(u, _ *Witness) { u.Long.Num = u.Long.Num[:3] }, "needs a denominator ≥ 1"},
		{"a number that is none", func(u, _ *Witness) { u.Long.Num[2] = nil }, "lacks a number"},
		{"a cell twice", func(u, _ *Witness) {
			u.Cells, u.Long.Num = append(u.Cells, cells[0]), append(u.Long.Num, new(big.Int))
		}, "names cell c0/c0 twice"},
		{"a published cell", func(u, _ *Witness) { u.Cells = append([]int32{published}, cells[1:]...) }, "which is published"},
		{"below 0", func(_, d *Witness) { *d = *long(1, cells, []int64{-11, 11, 11, -11}) }, "outside the intruder's bounds"},
		{"by the last digit below 0", func(_, d *Witness) {
			*d = *long(1, cells, []int64{-10, 10, 10, -10})
			d.Long.Num[0].Sub(d.Long.Num[0], big.NewInt(1))
		}, "moves cell c0/c0 outside the intruder's bounds"},
		{"one number by the last digit", func(u, _ *Witness) { u.Long.Num[3].Add(u.Long.Num[3], big.NewInt(1)) }, "violates the relation"},
		{"one number's sign", func(u, _ *Witness) { u.Long.Num[1].Neg(u.Long.Num[1]) }, "violates the relation"},
		{"a cell left out", func(u, _ *Witness) { u.Cells, u.Long.Num = u.Cells[1:], u.Long.Num[1:] }, "violates the relation"},
	} {
		u, d := long(1, append([]int32(nil), cells...), up), long(1, append([]int32(nil), cells...), down)
		tc.change(u, d)
		err := Protects(tab, pattern, []*Witness{u, d})
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: error %v, want %q", tc.name, err, tc.want)
		}
		// The same in a file.
		r := must.Get(NewRecorder(tab))(t)
		var file bytes.Buffer
		must.Do(t, r.Finish(0, pattern, []*Witness{u, d}).Write(&file))
		rep, err := Verify(t.Context(), &file, tab)
		if tc.want == "" && (err != nil || rep.Witnesses != 2) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s, in a file: error %v, want %q", tc.name, err, tc.want)
		}
	}
	u, d := long(1, cells, up), long(1, cells, down)
	less, more := []int64{1, -1, -1, 1}, []int64{-1, 1, 1, -1}
	weaker := []*Witness{u, d, long(1, cells, less), long(1, cells, more), {Den: 1, Cells: cells, Num: less}, {Den: 1, Cells: cells, Num: more}}
	if err := Protects(tab, pattern, weaker); err != nil {
		t.Errorf("witnesses that show less, behind those that show all: %v", err)
	}
	tab.Strict = true
	if err := Protects(tab, pattern, []*Witness{u, d}); err == nil || !strings.Contains(err.Error(), "no witnesses show the width") {
		t.Errorf("a strict width that is just met: %v", err)
	}
	for s, v := range u.Long.Num {
		v.Add(v, big.NewInt(less[s]))
	}
	if err := Protects(tab, pattern, []*Witness{u, d}); err != nil {
		t.Errorf("a strict width that is passed by the last digit: %v", err)
	}
}

// Whatever a witness is, in long numbers it is judged as in short ones, with the same words.
func TestLongIsShort(t *testing.T) {
	confirmed, refused := 0, map[string]int{}
	one := func(t *rapid.T) {
		p, z, k := drawMoved(t)
		pattern := make([]bool, p.n)
		for i, v := range z {
			pattern[i] = p.given[i] || v != 0
		}
		p.t.Strict = rapid.Bool().Draw(t, "strict")
		var short, longer, mixed []*Witness
		for _, sign := range []int64{1, -1} {
			den := rapid.Int64Range(1, 3).Draw(t, "den")
			w := &Witness{Den: den}
			for i, v := range z {
				if v != 0 || rapid.IntRange(0, 9).Draw(t, "still") == 0 {
					w.Cells, w.Num = append(w.Cells, int32(i)), append(w.Num, sign*v*den)
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "changed") == 0 {
				s := rapid.IntRange(0, len(w.Num)-1).Draw(t, "at")
				switch rapid.IntRange(0, 3).Draw(t, "change") {
				case 0:
					w.Num[s] += rapid.Int64Range(-2, 2).Draw(t, "by")
				case 1:
					w.Cells[s] = int32(rapid.IntRange(0, p.n-1).Draw(t, "cell"))
				case 2:
					w.Den++
				case 3:
					for s := range w.Num {
						w.Num[s] *= 2
					}
				}
			}
			l := long(w.Den, w.Cells, w.Num)
			short, longer = append(short, w), append(longer, l)
			if sign > 0 {
				mixed = append(mixed, w)
			} else {
				mixed = append(mixed, l)
			}
		}
		want := fmt.Sprint(Protects(p.t, pattern, short))
		if got := fmt.Sprint(Protects(p.t, pattern, longer)); got != want && !(strings.Contains(got, "violates") && strings.Contains(want, "violates")) {
			t.Fatalf("in long numbers %s, want %s", got, want)
		}
		if got := fmt.Sprint(Protects(p.t, pattern, mixed)); got != want && !(strings.Contains(got, "violates") && strings.Contains(want, "violates")) {
			t.Fatalf("in short and long numbers %s, want %s", got, want)
		}
		if want == "<nil>" {
			confirmed++
			if p.t.Status[k] != table.Sensitive {
				t.Fatal("nothing is sensitive")
			}
			return
		}
		refused[strings.Split(want, " cell")[0]]++
	}
	for range 4 { // of a hundred draws now and then only four are confirmed
		rapid.Check(t, one)
	}
	if !testing.Short() && (confirmed < 5 || len(refused) < 3) { // which draws few
		t.Errorf("%d confirmed, refused %v", confirmed, refused)
	}
}

// Cells that no witness moves are published again, and a pattern that contradicts the table is refused before its witnesses.
func TestTrim(t *testing.T) {
	tab, pattern, cells := ring(t)
	witnesses := []*Witness{long(1, cells, []int64{3, -3, -3, 3}), {Den: 1, Cells: cells, Num: []int64{-3, 3, 3, -3}}}
	still := int32(-1)
	for i, in := range pattern {
		if !in && tab.Status[i] == table.Safe {
			still = int32(i)
		}
	}
	pattern[still] = true
	witnesses[1].Cells, witnesses[1].Num = append(append([]int32(nil), cells...), still), append(witnesses[1].Num, 0)
	if saved := Trim(tab, pattern, witnesses); saved != tab.Cost[still] || pattern[still] || !pattern[cells[1]] {
		t.Errorf("%d is saved, want the cost %d of cell %s", saved, tab.Cost[still], tab.CellName(int(still)))
	}
	if err := Protects(tab, pattern, witnesses); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func() []bool{
		"a pattern of 8 cells for a table of 9": func() []bool { return make([]bool, tab.Len()-1) },
		"contradicts the status of cell c0/c0":  func() []bool { return make([]bool, tab.Len()) },
	} {
		if err := Protects(tab, change(), witnesses); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %s", err, name)
		}
	}
	tab.Status[cells[1]] = table.Published
	if err := Protects(tab, pattern, witnesses); err == nil || !strings.Contains(err.Error(), "contradicts the status of cell c0/c1") {
		t.Errorf("a published cell is withheld: %v", err)
	}
}
