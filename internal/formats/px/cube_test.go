package px

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
)

const measures = "CHARSET=\"ANSI\";\r\nTITLE=\"T\";\r\nSTUB=\"r\";\r\nHEADING=\"y\",\"m\";\r\nCONTVARIABLE=\"m\";\r\nVALUES(\"r\")=\"a\",\"b\";\r\n" +
	"VALUES(\"y\")=\"2021\",\"2022\";\r\nVALUES(\"m\")=\"n\",\"kg\";\r\nUNITS(\"kg\")=\"tons\";\r\nTIMEVAL(\"y\")=TLIST(A1),\"2021\",\"2022\";\r\nNOTE=\"one\"\r\n\" two\";\r\nCELLNOTE(\"a\",\"2021\",\"kg\")=\"was 3\";\r\nDATA=\r\n1 2.5 \"..\" 4\r\n5 6 7\r\n8;\r\n"

func TestCube(t *testing.T) {
	t.Parallel()
	c := must.Get(ReadCube(strings.NewReader(measures), "f.px", formats.Options{}))(t)
	want := []CubeVariable{{Name: "r", Codes: []string{"a", "b"}, Texts: []string{"a", "b"}}, {Name: "y", Codes: []string{"2021", "2022"}, Texts: []string{"2021", "2022"}, Time: true},
		{Name: "m", Codes: []string{"n", "kg"}, Texts: []string{"n", "kg"}, Units: []string{"", "tons"}, Content: true}}
	if d := cmp.Diff(want, c.Variables); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]CubeNote{{"NOTE", "one two", 11}}, c.Notes); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(CubeCell{At: []int{0, 1, 0}, Text: "..", Quoted: true, Line: 15, Token: 3}, c.Cells[2]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(CubeCell{At: []int{1, 1, 1}, Text: "8", Line: 17, Token: 1}, c.Cells[7]); d != "" {
		t.Error(d)
	}
	var same, marked strings.Builder
	if err := c.Write(&same, nil); err != nil || same.String() != measures {
		t.Errorf("%v: %s", err, cmp.Diff(measures, same.String()))
	}
	if err := c.Write(&marked, map[int]string{1: "..", 7: "..."}); err != nil || marked.String() != strings.NewReplacer("2.5", `".."`, "8;", `"...";`, "was 3", "").Replace(measures) {
		t.Errorf("%v: %s", err, marked.String())
	}
	if d := cmp.Diff([]string{`line 13: "CELLNOTE(\"a\",\"2021\",\"kg\")"`}, c.Repeats(map[int]string{1: ".."})); d != "" {
		t.Error(d)
	}
}
