package table

import (
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// 1,234 is never a decimal without a word: another number of the file tells, or a flag.
func TestNotation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		decimal, thousands string
		numbers            []string
		last               string // the last one read, or the error
		unsure             string
	}{
		{"", "", []string{"1,234"}, "1.234", "1,234"},
		{"", "", []string{"1,234", "0,5"}, "0.5", ""},
		{"", "", []string{"0,567", "1,234"}, "1.234", ""},
		{"", "", []string{"12345,678", "1,234"}, "1.234", ""},
		{"", "", []string{"1,234", "1.5"}, "a decimal point, but line 1 has a decimal comma; want one of them throughout, and no thousands separators; --thousands reads these", ""},
		{"", "", []string{"1.5", "1,234"}, "a decimal comma, but line 1 has a decimal point; want one of them throughout, and no thousands separators; --thousands reads these", ""},
		{"", "", []string{"1,234,567"}, `want a number without thousands separators; --thousands "," reads them`, ""},
		{"", "", []string{"1.234,5"}, `want a number without thousands separators; --thousands "." reads them`, ""},
		{"", "", []string{"1 234"}, `want a number without thousands separators; --thousands " " reads them`, ""},
		{"", "", []string{"-1,234"}, "-1.234", "-1,234"},
		{"", ",", []string{"1,234"}, "1234", ""},
		{"", ",", []string{"-1,234,567.5"}, "-1234567.5", ""},
		{"", ",", []string{"12,34"}, `want three digits behind each thousands separator ","`, ""},
		{"", ",", []string{"0,123"}, `want three digits behind each thousands separator ","`, ""},
		{"", ".", []string{"1.234", "1.234,5"}, "1234.5", ""},
		{",", "", []string{"1,234"}, "1.234", ""},
		{",", "", []string{"1.5"}, `want ',' before decimals; --thousands '.' reads what stands between thousands`, ""},
		{".", "", []string{"1,234"}, `want '.' before decimals; --thousands ',' reads what stands between thousands`, ""},
		{"", " ", []string{"1 234", "1\u00a0234,5"}, "1234.5", ""},
		{"", "'", []string{"1'234.5"}, "1234.5", ""},
	} {
		n := must.Get(ParseNotation(c.decimal, c.thousands))(t)
		got := ""
		for k, s := range c.numbers {
			d, err := n.Parse(s, k+1, "value")
			if got = d.String(); err != nil {
				got = err.Error()
				break
			}
		}
		if got != c.last {
			t.Errorf("%q, %q, %q:\n got %s\nwant %s", c.decimal, c.thousands, c.numbers, got, c.last)
			continue
		}
		if _, _, text := n.Unsure(); text != c.unsure && got[0] != 'a' && got[0] != 'w' {
			t.Errorf("%q: unsure %q, want %q", c.numbers, text, c.unsure)
		}
	}
	// Semicolons go with points between thousands.
	n := Notation{Doubt: true}
	n.Parse("1.234", 1, "")
	n.Parse("950", 2, "")
	if line, _, _ := n.Unsure(); line != 1 {
		t.Error("1.234 beside 950 tells nothing")
	}
	if n.Parse("1234.5", 3, ""); n.point == 0 {
		t.Error("1234.5 is decimal")
	}
	if line, _, _ := n.Unsure(); line != 0 {
		t.Error("1234.5 tells what 1.234 is")
	}
	for _, p := range [][2]string{{"x", ""}, {"", "x"}, {".", "."}} {
		if _, err := ParseNotation(p[0], p[1]); err == nil {
			t.Errorf("%q is no notation", p)
		}
	}
	if _, err := ParseDecimal("1,234"); err != ErrEither {
		t.Errorf("ParseDecimal: %v", err)
	}
}
