package layout

import "testing"

func TestRef(t *testing.T) {
	t.Parallel()
	sheet, text := &Grid{}, &Grid{Lines: []int{1, 3}}
	for _, c := range []struct {
		g    *Grid
		r, c int
		want string
	}{{sheet, 0, 0, "A1"}, {sheet, 9, 25, "Z10"}, {sheet, 0, 26, "AA1"}, {sheet, 0, 702, "AAA1"}, {text, 1, 4, "3:5"}} {
		if got := c.g.ref(c.r, c.c); got != c.want {
			t.Errorf("row %d, column %d: %s, want %s", c.r, c.c, got, c.want)
		}
	}
}
