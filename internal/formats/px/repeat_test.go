package px

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
)

func TestHolds(t *testing.T) {
	values := map[string]bool{"1234": true, "86": true, "12.5": true, "12345678": true, "120000": true}
	for text, want := range map[string]bool{
		"there are 1234 of them": true, "1 234": true, "1\u00a0234": true, "1\u202f234": true, "1,234": true, "1.234": true,
		"1'234": true, "1’234": true, "-1234": true, "１，２３４": true, "1234.00": true, "1.234,00": true, "1234.": true, "(1234)": true,
		"86": true, "86,0 %": true, "cell86b": true, "12,5": true, "12.50": true, "3, 86 and 4": true, "2,86": true,
		"1234万5678": true, "1,234万5,678人": true, "12万": true, "1234 5678": true, "1,23,45,678": true,
		"": false, "none": false, "11234": false, "12340": false, "860": false, "186": false, "0.1234": true, "12.51": false,
		"13万": false, "1 2345": false, "12 345": false, "eighty-six": false,
	} {
		if got := holds(text, values); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Notes that repeat a withheld value, or hold a number about a withheld cell, are blanked and
// named; all else stays as it was.
func TestNotes(t *testing.T) {
	const notes = `NOTE="In 2024 there were 30 large firms in industry B, "
"or so.";
NOTE[fi]="Teollisuus B: 30.";
NOTEX="About 118,000 euro a firm.";
INFO="Small ones in A: 48,0";
VALUENOTE("size","small")="From 1 to 9 persons.";
VALUENOTE("size","large")="From 10 persons; 38 is the figure for B.";
CELLNOTE("A","2024","S")="Between 40 and 50.";
CELLNOTE[fi]("*","*","pieni")="Noin 3 %.";
CELLNOTE("A","2024","S")="Revised.";
CELLNOTE("T","2024","S")="Revised in May, 2 firms.";
DATANOTECELL("A","2024","L")="30";
SOURCE="Survey 30";
`
	text := strings.NewReplacer("DATA=", notes+"DATA=", `40 "-";38`, "40 2 38").Replace(small)
	in := read(t, text, formats.Options{})
	pattern := make([]bool, in.Table.Len())
	for i := range pattern {
		c := in.Table.CellName(i)
		pattern[i] = c == "A/S" || c == "A/L" || c == "B/L"
	}
	if in.Table.CellName(4) != "A/S" {
		t.Fatal(in.Table.CellName(4))
	}
	var b bytes.Buffer
	must.Do(t, formats.Write(&b, in, pattern))
	want := strings.NewReplacer(`="In 2024 there were 30 large firms in industry B, "
"or so."`, `=""`, `="Teollisuus B: 30."`, `=""`, `="Small ones in A: 48,0"`, `=""`, `="From 10 persons; 38 is the figure for B."`, `=""`,
		`="Between 40 and 50."`, `=""`, `="Noin 3 %."`, `=""`, `("A","2024","L")="30"`, `("A","2024","L")=""`,
		"78 48 30\n40 2 38", "78 \"..\" \"..\"\n40 2 \"..\"").Replace(text)
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	var got []string
	for _, s := range formats.Repeats(in, pattern) {
		_, name, _ := strings.Cut(s, ": ")
		got = append(got, name)
	}
	if d := cmp.Diff([]string{"NOTE", "NOTE[fi]", "INFO", `"VALUENOTE(\"size\",\"large\")"`, `"CELLNOTE(\"A\",\"2024\",\"S\")"`,
		`"CELLNOTE[fi](\"*\",\"*\",\"pieni\")"`, `"DATANOTECELL(\"A\",\"2024\",\"L\")"`}, got); d != "" {
		t.Errorf("named (-want +got)\n%s", d)
	}
	// With all values there is nothing to blank.
	in.Style.Flag = true
	if len(formats.Repeats(in, pattern)) > 0 || len(formats.Repeats(in, nil)) > 0 {
		t.Error("values stay, but notes are blanked")
	}
}
