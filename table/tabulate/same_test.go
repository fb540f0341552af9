package tabulate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Cells of two tables are found if and only if their records are the same, whatever the number of workers: compared with
// the sets of records themselves.
func TestEqual(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 3))
	total := 0
	for range 12 {
		var text strings.Builder
		text.WriteString("region,zone,activity,size,x\n")
		var records [][4]string
		for n := range 3 + rng.IntN(30) {
			r := rng.IntN(4)
			one := [4]string{fmt.Sprint("r", r), fmt.Sprint("z", r/2+rng.IntN(20)/19), fmt.Sprint("a", rng.IntN(3)), fmt.Sprint("s", rng.IntN(2))}
			records = append(records, one)
			fmt.Fprintf(&text, "%s,%d\n", strings.Join(one[:], ","), n)
		}
		specs := []Spec{{Name: "A", Dims: []string{"region", "activity"}, Response: "x"}, {Name: "B", Dims: []string{"zone", "activity"}, Response: "x"}, {Name: "C", Dims: []string{"size"}}}
		run := func(workers int) ([]same, []*Result) {
			tab, err := New(Source{Header: true}, append(slices.Clone(specs), Classes(specs)), workers)
			if err == nil {
				err = tab.Read(t.Context(), strings.NewReader(text.String()), "f")
			}
			if err != nil {
				t.Fatal(err)
			}
			results, err := tab.Tables()
			if err != nil {
				t.Fatal(err)
			}
			var found []same
			err = Equal(results[3], results[:3], func(table [2]int, codes [2][]string) { found = append(found, same{table, codes}) })
			if err != nil {
				t.Fatal(err)
			}
			return found, results
		}
		pairs, results := run(1)
		if more, _ := run(3); !slices.EqualFunc(pairs, more, func(a, b same) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			t.Errorf("%v with one worker, %v with three", pairs, more)
		}
		of := func(table int, codes []string) string { // the records of a cell
			set := ""
			for n, r := range records {
				in := true
				for d, name := range specs[table].Dims {
					k := slices.Index([]string{"region", "zone", "activity", "size"}, name)
					in = in && (codes[d] == "Total" || codes[d] == r[k])
				}
				if in {
					set += fmt.Sprint(n, " ")
				}
			}
			return set
		}
		told := map[string]bool{} // sets that are in both tables, by what was found
		for _, s := range pairs {
			if s.table != [2]int{0, 1} || of(0, s.codes[0]) != of(1, s.codes[1]) {
				t.Errorf("%v: %s and %s", s, of(0, s.codes[0]), of(1, s.codes[1]))
			}
			told[of(0, s.codes[0])] = true
			total++
		}
		sets := [2]map[string][][]string{{}, {}}
		for table := range sets {
			r := results[table]
			for _, i := range r.order {
				var codes []string
				for d := range r.Dims {
					codes = append(codes, r.Dims[d].Codes[r.cells.key[i].code(d)])
				}
				sets[table][of(table, codes)] = append(sets[table][of(table, codes)], codes)
			}
		}
		for _, set := range slices.Sorted(maps.Keys(sets[0])) {
			byCodes := false // at the totals of region and zone the codes say so
			for _, a := range sets[0][set] {
				for _, b := range sets[1][set] {
					byCodes = byCodes || a[0] == "Total" && b[0] == "Total" && a[1] == b[1]
				}
			}
			if both := sets[1][set] != nil; both && !byCodes && !told[set] {
				t.Errorf("%v and %v have the same records, which is not found", sets[0][set], sets[1][set])
			}
		}
	}
	if total == 0 {
		t.Error("no cells have the same records")
	}
}
