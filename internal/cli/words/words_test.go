package words

import (
	"slices"
	"testing"
	"testing/fstest"
)

// A catalogue and a page beside English take the place of both where they have a text, in the language chosen alone.
func TestChoose(t *testing.T) {
	files = fstest.MapFS{
		"help/en/rules.txt":   {Data: []byte("Rules\n")},
		"help/en/formats.txt": {Data: []byte("Formats\n")},
		"help/ja/rules.txt":   {Data: []byte("規則\n")},
		"help/ja.toml":        {Data: []byte("[[text]]\nen = \"%s needs %s\"\nja = \"%[1]s には %[2]s が要る\"\n[[text]]\nen = \"Input\"\nja = \"入力\"\n")},
		"help/xx.toml":        {Data: []byte("[[text\n")},
	}
	defer func() { files = embedded; Choose() }()
	for _, tc := range []struct {
		tags                      []string
		language, text, say, page string
	}{
		{nil, "en", "Input", "a needs b", "Rules\n"},
		{[]string{"ja_JP.UTF-8"}, "ja", "入力", "a には b が要る", "規則\n"},
		{[]string{"fr_FR", "ja"}, "ja", "入力", "a には b が要る", "規則\n"},
		{[]string{"C.UTF-8", "ja"}, "en", "Input", "a needs b", "Rules\n"},
		{[]string{"en-GB", "ja"}, "en", "Input", "a needs b", "Rules\n"},
		{[]string{"../../etc/passwd"}, "en", "Input", "a needs b", "Rules\n"},
	} {
		if err := Choose(tc.tags...); err != nil {
			t.Fatal(err)
		}
		if Language() != tc.language || Text("Input") != tc.text || F("%s needs %s", "a", "b") != tc.say || Page("rules") != tc.page {
			t.Errorf("%q: %s, %s, %s, %s", tc.tags, Language(), Text("Input"), F("%s needs %s", "a", "b"), Page("rules"))
		}
		if Text("Output") != "Output" || Page("formats") != "Formats\n" || Page("none") != "" {
			t.Errorf("%q: what the catalogue lacks", tc.tags)
		}
	}
	if err := Choose("xx"); err == nil {
		t.Error("no error of a catalogue that is none")
	}
	if got := Topics(); !slices.Equal(got, []string{"formats", "rules"}) {
		t.Error(got)
	}
}
