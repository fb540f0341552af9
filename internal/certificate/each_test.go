package certificate_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/table"
)

// What each kind of line needs is asked for, by both checkers: certificates of a bound of 0, which needs no proof, with one more line that does
// not follow, and with one like it that does.
func TestEachRule(t *testing.T) {
	tab := grid(t)
	file, _ := proof(t, tab)
	_, digest, _ := strings.Cut(string(file), `"digest":"`)
	digest, _, _ = strings.Cut(digest, `"`)
	at := func(name string) int {
		for i := range tab.Len() {
			if tab.CellName(i) == name {
				return i
			}
		}
		t.Fatalf("no cell %s", name)
		return 0
	}
	// with is the one relation of two cells, and the number that takes the cell out of a dual of it.
	with := func(cell, other string) (j, num int) {
		for j := range tab.Rel.Len() {
			cells, coef := tab.Rel.Row(j)
			if k := slices.Index(cells, int32(at(cell))); k >= 0 && slices.Contains(cells, int32(at(other))) {
				return j, int(coef[k])
			}
		}
		t.Fatalf("no relation of %s and %s", cell, other)
		return 0, 0
	}
	dual := func(cell, other string) string {
		if other == "" {
			return fmt.Sprintf(`{"is":"dual","cell":%d,"den":1}`, at(cell))
		}
		j, num := with(cell, other)
		return fmt.Sprintf(`{"is":"dual","cell":%d,"den":1,"relations":[%d],"num":[%d]}`, at(cell), j, num)
	}
	row := dual("a/b", "a/a") + "\n" + `{"is":"level","up":0}` + "\n"
	bridge := dual("b/a", "b/b") + "\n" + `{"is":"bridge","up":1}` + "\n"
	free, sensitive, margin := at("a/a"), at("a/b"), at("T/T")
	column, _ := with("a/a", "b/a")
	elsewhere, _ := with("b/a", "b/b")
	all := ""
	for i, s := range tab.Status {
		if s == table.Safe {
			all += fmt.Sprintf(",%d", i)
		}
	}
	const leaf = `{"is":"leaf"}` + "\n"
	for _, tc := range []struct{ name, body, want string }{
		{"nothing more", leaf, ""},
		{"a level", row + leaf, ""},
		{"a level of a safe cell", dual("a/a", "a/b") + "\n" + `{"is":"level","up":0}` + "\n" + leaf, "its cell is not sensitive"},
		{"a level without dual", `{"is":"level"}` + "\n" + leaf, "has no dual"},
		{"a level of two cells", dual("a/b", "a/a") + "\n" + dual("c/d", "c/c") + "\n" + `{"is":"level","up":0,"down":1}` + "\n" + leaf, "its duals are of different cells"},
		{"a level that the cell meets itself", dual("a/b", "") + "\n" + `{"is":"level","up":0}` + "\n" + leaf, "says nothing"},
		{"a bottleneck", row + fmt.Sprintf(`{"is":"bottleneck","up":0,"cells":[%d],"relations":[%d],"num":[1]}`, free, column) + "\n" + leaf, ""},
		{"a bottleneck elsewhere", row + fmt.Sprintf(`{"is":"bottleneck","up":0,"cells":[%d],"relations":[%d],"num":[1]}`, free, elsewhere) + "\n" + leaf, "a relation that its cell is not in"},
		{"a bottleneck without term", row + fmt.Sprintf(`{"is":"bottleneck","up":0,"cells":[%d,%d],"relations":[%d,%d],"num":[-1,1]}`, free, margin, elsewhere, elsewhere) + "\n" + leaf, ""},
		{"the last bottleneck counts", row + fmt.Sprintf(`{"is":"bottleneck","up":0,"cells":[%d,%d],"relations":[%d,%d],"num":[1,1]}`, free, free, elsewhere, column) + "\n" + leaf, ""},
		{"a bottleneck of no direction", row + fmt.Sprintf(`{"is":"bottleneck","up":0,"cells":[%d],"relations":[%d],"num":[2]}`, free, column) + "\n" + leaf, "the sign 2"},
		{"a cover", row + `{"is":"cover","of":[0],"cells":[]}` + "\n" + leaf, ""},
		{"a cover of two rows", row + `{"is":"cover","of":[0,0],"cells":[]}` + "\n" + leaf, "the wrong number of rows"},
		{"a cover by all", row + `{"is":"cover","of":[0],"cells":[` + all[1:] + `]}` + "\n" + leaf, "says nothing"},
		{"a cover of a bridge", row + bridge + `{"is":"cover","of":[1],"cells":[]}` + "\n" + leaf, "negative coefficients"},
		{"a round", row + `{"is":"round","of":[0],"mult":[1],"div":2}` + "\n" + leaf, ""},
		{"a round of a bridge", row + bridge + `{"is":"round","of":[0,1],"mult":[1,1],"div":2}` + "\n" + leaf, ""},
		{"a round of nothing", `{"is":"round","div":2}` + "\n" + leaf, "the wrong number of rows"},
		{"a round without divisor", row + `{"is":"round","of":[0],"mult":[1]}` + "\n" + leaf, "the wrong number of rows"},
		{"a round of a negative number", row + `{"is":"round","of":[0],"mult":[-1],"div":2}` + "\n" + leaf, "a weight that is not positive"},
		{"a round that takes a row away", row + dual("c/d", "c/c") + "\n" + `{"is":"level","up":1}` + "\n" + `{"is":"round","of":[0,1],"mult":[2,-1],"div":2}` + "\n" + leaf, "a weight that is not positive"},
		{"a round of an integer", row + `{"is":"round","of":[0],"mult":[2],"div":2}` + "\n" + leaf, "says nothing"},
		{"a bridge", row + bridge + leaf, ""},
		{"a bridge of a sensitive cell", row + `{"is":"bridge","up":0}` + "\n" + leaf, "not all free"},
		{"a bridge without relation", dual("a/a", "") + "\n" + `{"is":"bridge","up":0}` + "\n" + leaf, "says nothing of its own cell"},
		{"a bridge to a sensitive cell", dual("a/a", "a/b") + "\n" + `{"is":"bridge","up":0}` + "\n" + leaf, "says nothing"},
		{"an exclusion", row + `{"is":"exclude","up":0}` + "\n" + leaf, ""},
		{"an exclusion of what suffices", row + `{"is":"exclude","up":0,"cells":[` + all[1:] + `]}` + "\n" + leaf, "says nothing"},
		{"an exclusion of a margin", row + fmt.Sprintf(`{"is":"exclude","up":0,"cells":[%d]}`, margin) + "\n" + leaf, "not all free"},
		{"a negative multiplier", row + `{"is":"leaf","of":[0],"mult":[-1]}` + "\n", "a negative multiplier"},
		{"a negative multiplier of a fixing", row + `{"is":"fix","of":[0],"mult":[-1]}` + "\n" + leaf, "a negative multiplier"},
		{"multipliers that make up for each other", row + `{"is":"leaf","of":[0,0],"mult":[-1,1]}` + "\n", ""},
		{"a split", fmt.Sprintf(`{"is":"split","cell":%d}`, free) + "\n" + leaf + leaf, ""},
		{"a split on a sensitive cell", fmt.Sprintf(`{"is":"split","cell":%d}`, sensitive) + "\n" + leaf + leaf, "not free to be withheld"},
		{"a split below itself", strings.Repeat(fmt.Sprintf(`{"is":"split","cell":%d}`, free)+"\n", 2) + leaf + leaf + leaf, "below a split on it"},
		{"a split beside itself", fmt.Sprintf(`{"is":"split","cell":%d}`, at("b/a")) + "\n" + strings.Repeat(fmt.Sprintf(`{"is":"split","cell":%d}`, free)+"\n"+leaf+leaf, 2), ""},
		{"a split after the tree", leaf + fmt.Sprintf(`{"is":"split","cell":%d}`, free) + "\n" + leaf + leaf, "after the end of the tree"},
		{"a leaf after the tree", leaf + leaf, "after the end of the tree"},
		{"a fixing after the tree", leaf + `{"is":"fix"}` + "\n", "before the tree"},
		{"an unknown kind", `{"is":"nothing"}` + "\n" + leaf, "of unknown kind"},
		{"a second head", fmt.Sprintf(`{"is":"certificate","version":1,"digest":"%s","bound":0}`, digest) + "\n" + leaf, "of unknown kind"},
	} {
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"is":"certificate","version":1,"digest":"%s","bound":0}`+"\n%s", digest, tc.body)
		fmt.Fprintf(&b, `{"is":"end","lines":%d}`+"\n", bytes.Count(b.Bytes(), []byte("\n"))+1)
		_, err := second.Verify(t, b.Bytes(), tab)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: error %v, want %q\n%s", tc.name, err, tc.want, &b)
		}
	}
}

// What a pattern and each of its witnesses need is asked for, by both checkers: one more witness, which must be one, or another pattern.
func TestEachWitness(t *testing.T) {
	tab := grid(t)
	file, _ := proof(t, tab)
	_, digest, _ := strings.Cut(string(file), `"digest":"`)
	digest, _, _ = strings.Cut(digest, `"`)
	at := map[string]int{}
	for i := range tab.Len() {
		at[tab.CellName(i)] = i
	}
	// ring is the cycle of four cells with the first of them moved by z.
	ring := func(a, b, c, d string, z int) string {
		return fmt.Sprintf(`"cells":[%d,%d,%d,%d],"num":[%d,%d,%d,%d]`, at[a], at[b], at[c], at[d], z, -z, -z, z)
	}
	cells := fmt.Sprintf("%d,%d", at["a/d"], at["c/b"])
	cost := tab.Cost[at["a/d"]] + tab.Cost[at["c/b"]]
	pattern := `{"is":"pattern","cells":[` + cells + "]}\n"
	witness := func(keys string) string { return `{"is":"witness","den":1,` + keys + "}\n" }
	up, down := ring("a/b", "a/d", "c/b", "c/d", 3), ring("a/b", "a/d", "c/b", "c/d", -3)
	good := witness(up) + witness(down)
	long := `{"is":"witness",` + strings.Replace(up, `"num"`, `"long":{"den":1,"num"`, 1) + "}"
	for _, tc := range []struct {
		name string
		cost int64
		body string
		want string
	}{
		{"two witnesses", cost, pattern + good, ""},
		{"one witness", cost, pattern + witness(up), "the width"},
		{"another", cost, pattern + witness(down), "the upper level"},
		{"no witness", cost, pattern, "the upper level"},
		{"a long one", cost, pattern + long + "}\n" + witness(down), ""},
		{"a long one with a denominator", cost, pattern + long + `,"den":1}` + "\n" + good, "needs a denominator"},
		{"a long one with numbers", cost, pattern + long + `,"num":[1]}` + "\n" + good, "needs a denominator"},
		{"one of published cells", cost, pattern + good + witness(ring("a/b", "a/c", "c/b", "c/c", 1)), "which is published"},
		{"one of margins", cost, pattern + good + witness(fmt.Sprintf(`"cells":[%d,%d,%d,%d],"num":[1,1,1,1]`, at["a/b"], at["a/T"], at["T/b"], at["T/T"])), "which is published"},
		{"one beyond the bounds", cost, pattern + good + witness(ring("a/b", "a/d", "c/b", "c/d", 100)), "outside the intruder's bounds"},
		{"one off a relation", cost, pattern + good + witness(fmt.Sprintf(`"cells":[%d],"num":[1]`, at["a/b"])), "violates the relation"},
		{"one that rests", cost, pattern + good + witness(fmt.Sprintf(`"cells":[%d],"num":[0]`, at["T/T"])), ""},
		{"one of a cell twice", cost, pattern + good + witness(fmt.Sprintf(`"cells":[%d,%d],"num":[1,-1]`, at["a/b"], at["a/b"])), "twice"},
		{"one with a number more", cost, pattern + good + witness(fmt.Sprintf(`"cells":[%d],"num":[0,0]`, at["a/b"])), "a number for each cell"},
		{"one without denominator", cost, pattern + good + `{"is":"witness",` + up + "}\n", "needs a denominator"},
		{"one with a negative denominator", cost, pattern + good + `{"is":"witness","den":-1,` + up + "}\n", "needs a denominator"},
		{"one before the pattern", cost, witness(up) + pattern + good, "before the pattern"},
		{"two patterns", cost, pattern + pattern + good, "a second one"},
		{"no pattern", cost, "", "no pattern"},
		{"another cost", cost + 1, pattern + good, "it costs"},
		{"a cell twice", cost + tab.Cost[at["a/d"]], strings.Replace(pattern, cells, fmt.Sprint(cells, ",", at["a/d"]), 1) + good, "occurs twice"},
		{"a sensitive cell", cost + tab.Cost[at["a/b"]], strings.Replace(pattern, cells, fmt.Sprint(cells, ",", at["a/b"]), 1) + good, "may not be withheld"},
		{"a margin", cost + tab.Cost[at["T/T"]], strings.Replace(pattern, cells, fmt.Sprint(cells, ",", at["T/T"]), 1) + good, "may not be withheld"},
	} {
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"is":"certificate","version":1,"digest":"%s","bound":0,"cost":%d}`+"\n"+`{"is":"leaf"}`+"\n%s", digest, tc.cost, tc.body)
		fmt.Fprintf(&b, `{"is":"end","lines":%d}`+"\n", bytes.Count(b.Bytes(), []byte("\n"))+1)
		_, err := second.Verify(t, b.Bytes(), tab)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: error %v, want %q\n%s", tc.name, err, tc.want, &b)
		}
	}
}
