package xlsx

import "testing"

func TestShift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from          string
		rows, columns int
		want          string
	}{
		{"=SUM(C5:C10)", 0, 1, "=SUM(D5:D10)"},
		{"=ROUND(B4/B$4*100,1)", 2, 0, "=ROUND(B6/B$4*100,1)"},
		{"='A1 b'!$C3+LOG10(2)&\"B2\"", 1, 1, "='A1 b'!$C4+LOG10(2)&\"B2\""},
		{"=A1", -1, 0, "=#REF!"},
		{"=Sheet1!A1+_x1+TRUE", 1, 1, "=Sheet1!B2+_x1+TRUE"},
	} {
		if got := Shift(c.from, c.rows, c.columns); got != c.want {
			t.Errorf("%s by %d, %d: %s, want %s", c.from, c.rows, c.columns, got, c.want)
		}
	}
}
