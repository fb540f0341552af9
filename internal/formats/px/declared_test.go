package px

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// Files of offices name an encoding that they do not have, and leave out codes: they are read as
// what they are, which is said, and written back byte for byte but for the mark.
func TestDeclaredOtherwise(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, code, said string
	}{
		{
			"quotes of windows-1252 in iso-8859-15",
			"CODEPAGE=\"iso-8859-15\";\nSTUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"Total\",\"l\x92an\xe9\";\nVALUES(\"c\")=\"Total\",\"b\";\nDATA=\n7 7\n7 7;\n",
			"l’ané", "t.px: CODEPAGE says iso-8859-15, but the text is windows-1252, and was read as that",
		},
		{
			"utf-8 in iso-8859-15",
			"CODEPAGE=\"iso-8859-15\";\nSTUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"Total\",\"Educación\";\nVALUES(\"c\")=\"Total\",\"b\";\nDATA=\n7 7\n7 7;\n",
			"Educación", "t.px: CODEPAGE says iso-8859-15, but the text is utf-8, and was read as that",
		},
		{
			"a euro in iso-8859-15",
			"CODEPAGE=\"iso-8859-15\";\nSTUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"Total\",\"\xa4\";\nVALUES(\"c\")=\"Total\",\"b\";\nDATA=\n7 7\n7 7;\n",
			"€", "",
		},
		{
			"a code left out at the end",
			"STUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"all\",\"men\",\"women\";\nVALUES(\"c\")=\"Total\",\"b\";\nCODES(\"r\")=\"Total\",\"1\",;\nDATA=\n7 7\n7 7\n0 0;\n",
			"women", `t.px: "CODES(\"r\")" has no code for women, which is its own code`,
		},
		{
			"a code left out within",
			"STUB=\"r\";\nHEADING=\"c\";\nVALUES(\"r\")=\"all\",\"men\",\"women\";\nVALUES(\"c\")=\"Total\",\"b\";\nCODES(\"r\")=\"Total\",,\"1\";\nDATA=\n7 7\n7 7\n0 0;\n",
			"men", `t.px: "CODES(\"r\")" has no code for men, which is its own code`,
		},
	} {
		var said []string
		in, err := ReadFrom(strings.NewReader(tc.text), "t.px", formats.Options{Say: func(s fmt.Stringer) { said = append(said, s.String()) }})
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if !slices.Contains(in.Table.Dims[0].Codes, tc.code) {
			t.Errorf("%s: codes %q, want one %q", tc.name, in.Table.Dims[0].Codes, tc.code)
		}
		if got := strings.Join(said, "\n"); got != tc.said {
			t.Errorf("%s: said %q, want %q", tc.name, got, tc.said)
		}
		var b bytes.Buffer
		if err := formats.Write(&b, in, make([]bool, in.Table.Len())); err != nil || b.String() != tc.text {
			t.Errorf("%s: written %q, %v", tc.name, b.String(), err)
		}
		c, err := ReadCube(strings.NewReader(tc.text), "t.px", formats.Options{})
		if err != nil || strings.Join(spoken(c.Told), "\n") != strings.TrimPrefix(tc.said, "t.px: ") {
			t.Errorf("%s: cube: %v, %v", tc.name, c, err)
		}
	}
	// too few codes stay a fault
	_, err := ReadFrom(strings.NewReader(strings.Replace(minimal, "DATA", "CODES(\"r\")=\"T\";DATA", 1)), "t.px", formats.Options{})
	if err == nil || !strings.Contains(err.Error(), "1 codes for 2 values") {
		t.Errorf("one code for two values: %v", err)
	}
}

func spoken(all []i18n.Text) (out []string) {
	for _, t := range all {
		out = append(out, t.String())
	}
	return out
}
