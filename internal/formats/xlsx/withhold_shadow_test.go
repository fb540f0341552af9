package xlsx

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// A withheld value in other units or rounded is told to whoever must look, where it is too long, or too near
// its labels, for chance; published values, and short numbers, are not.
func TestWithholdShadows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		row  []any // A9 and on, of a sheet that readers see
		told string
	}{
		{"in thousands, under a label of its row", []any{"東", 48.213}, "has the number of 表1!B3 in other units"},
		{"rounded to tens", []any{"東", 48210}, "has the number of 表1!B3, rounded"},
		{"cut off, in thousands", []any{"東", 51.87}, "has the number of 表1!C3 in other units, rounded"},
		{"rounded up, in thousands", []any{"東", 51.88}, "has the number of 表1!C3 in other units, rounded"},
		{"in 万", []any{"西", 6.1234}, "has the number of 表1!B4 in other units"},
		{"as text", []any{"西", "6.1234"}, "has the number of 表1!B4 in other units"},
		{"too short", []any{"東", 48}, ""},
		{"three digits", []any{"東", 482}, ""},
		{"another unit than offices use", []any{"東", 482.13}, ""},
		{"of no row of its", []any{"北", 48.213}, ""},
		{"of a published value", []any{"南", 20.011}, ""},
		{"not the same when rounded", []any{"東", 48220}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlanted(t)
			p.row(otherTab, 9, c.row...)
			checkShadow(t, p, "別表!B9", c.told)
		})
	}
	t.Run("unseen", func(t *testing.T) {
		t.Parallel()
		p := newPlanted(t)
		p.row(unseenTab, 9, "x", 48.213)
		checkShadow(t, p, "作業!B9", "has the number of 表1!B3 in other units")
	})
	t.Run("long", func(t *testing.T) {
		t.Parallel()
		p := newPlanted(t)
		p.cell("B3", cellOf("B3", 4821391))
		p.row(otherTab, 9, "x", 4821.391)
		checkShadow(t, p, "別表!B9", "has the number of 表1!B3 in other units")
	})
	t.Run("long, of no row of its, rounded", func(t *testing.T) {
		t.Parallel()
		p := newPlanted(t)
		p.cell("B3", cellOf("B3", 4821391))
		p.row(otherTab, 9, "x", 4821.39)
		checkShadow(t, p, "別表!B9", "has the number of 表1!B3 in other units, rounded")
	})
}

// checkShadow expects that one is told to look at a cell for a reason, or, if told is empty, is not.
func checkShadow(t *testing.T, p *planted, where, told string) {
	t.Helper()
	withheld, published := leakCells()
	for i := range withheld {
		if withheld[i].Ref == "B3" && strings.Contains(p.parts[tablePart], "4821391") {
			withheld[i].Value = "4821391"
		}
	}
	var out bytes.Buffer
	changes := must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
	found := slices.IndexFunc(changes, func(c change) bool { return c.Where.String() == where })
	switch {
	case told == "" && found >= 0:
		t.Errorf("told of %v", changes[found])
	case told != "" && (found < 0 || !changes[found].Look || changes[found].What.String() != told):
		t.Errorf("%v, want %s: %s", changes, where, told)
	}
}

func TestDigitsOf(t *testing.T) {
	t.Parallel()
	for canon, want := range map[string]struct {
		digits string
		scale  int
	}{"48213": {"48213", 5}, "48.213": {"48213", 2}, "48200": {"482", 5}, "0.05": {"5", -1}, "0": {"", 0}, "1.25": {"125", 1}} {
		if d, s := digitsOf(canon); d != want.digits || d != "" && s != want.scale {
			t.Errorf("%s: %s %d, want %v", canon, d, s, want)
		}
	}
}
