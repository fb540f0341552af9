package layout

import (
	"fmt"
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	p := os.Getenv("DUMP")
	if p == "" {
		t.Skip()
	}
	b := openBook(t, p)
	for _, g := range b.Grids {
		v := newView(g, styleOf(b, g))
		for r := range v.rows {
			fmt.Println(r+1, v.classOf(r), v.rows[r].at, v.rows[r].kinds)
			if r > 45 {
				break
			}
		}
		for _, s := range strips(v) {
			bl, rest := s.blocks()
			fmt.Println("strip", s.left, s.right, "rest", rest)
			for _, x := range bl {
				fmt.Println("block above", x.above, "header", x.header, "data", x.data, "heads", x.heads, "after", x.after, "stub", x.stub, "values", x.values, "remarks", x.remarks)
				h := x.readHeader()
				for _, l := range h.levels {
					fmt.Printf("  H %q: %+v\n", l.name, l.at)
				}
				for _, l := range x.readStub(h, &Options{}) {
					fmt.Printf("  S %q\n", l.name)
					for _, e := range l.at {
						fmt.Printf("     %+v\n", e)
					}
				}
			}
		}
	}
}
