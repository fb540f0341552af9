package arb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A code that a hierarchy lists again is another code of the same spelling, as for τ-ARGUS, whose published table of
// checkTauArgus (3,390 lines, a region 11 twice) comes out alike: records of the code are those of its first leaf, lines of
// a table those of its first place.
func TestRepeatedCodes(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		// A tree of two levels over few spellings, and what each place is the sum of.
		type place struct {
			code     string
			depth    int
			children []int
		}
		spelling := rapid.SampledFrom([]string{"a", "b", "c", "d", "11"})
		var places []place
		for range rapid.IntRange(1, 5).Draw(t, "regions") {
			at := len(places)
			places = append(places, place{code: spelling.Draw(t, "region")})
			for range rapid.IntRange(0, 3).Draw(t, "parts") {
				places[at].children = append(places[at].children, len(places))
				places = append(places, place{code: spelling.Draw(t, "part"), depth: 1})
			}
		}
		value, count := make([]int, len(places)), make([]int, len(places))
		first := func(code string) int {
			return slices.IndexFunc(places, func(p place) bool { return p.code == code && len(p.children) == 0 })
		}
		var micro strings.Builder
		for range rapid.IntRange(1, 20).Draw(t, "records") {
			k := first(places[rapid.IntRange(0, len(places)-1).Draw(t, "place")].code)
			if k < 0 {
				continue
			}
			v := rapid.IntRange(1, 99).Draw(t, "value")
			value[k], count[k] = value[k]+v, count[k]+1
			fmt.Fprintf(&micro, "%s;%d\n", places[k].code, v)
		}
		if micro.Len() == 0 {
			return
		}
		var tree, want strings.Builder
		total := 0
		for k, p := range places {
			tree.WriteString(strings.Repeat("@", p.depth) + p.code + "\n")
			for _, c := range p.children {
				value[k], count[k] = value[k]+value[c], count[k]+count[c]
			}
			if p.depth == 0 {
				total += value[k]
			}
		}
		fmt.Fprintf(&want, "Total,%d\n", total)
		for k, p := range places {
			if count[k] == 0 {
				fmt.Fprintf(&want, "%s,-\n", p.code)
			} else {
				fmt.Fprintf(&want, "%s,%d\n", p.code, value[k])
			}
		}
		out, log, err := coded(folder, "utf-8", "", map[string]string{
			"t.arb": "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n<WRITETABLE> (1,3,QU-,\"out.txt\")\n",
			"m.csv": micro.String(), "r.hrc": tree.String(),
			"m.rda": "<SEPARATOR> \";\"\nR 2\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> \"r.hrc\"\n<HIERLEADSTRING> \"@\"\nV 3\n<NUMERIC>\n",
		}, nil)
		if err != nil || string(out) != want.String() {
			t.Fatalf("%s%v\n%s\nwant\n%s\n%s", tree.String(), err, out, want.String(), log)
		}
	})
}
