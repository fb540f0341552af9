package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

func TestLearn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		note string
		want map[string]string
	}{
		{"Zeichen: - nichts vorhanden; . Zahlenwert unbekannt oder geheim; / kein Nachweis, da nicht sicher genug; x Fach gesperrt.",
			map[string]string{"-": isNil, ".": Suppressed, "/": isUnreliable, "x": isInapplicable}},
		{"Some cells use shorthand: [c] = confidential, [x] = not available, [low] = rounds to zero.",
			map[string]string{"[c]": Suppressed, "[x]": isUnavailable, "[low]": isLow}},
		{"(D) Withheld so that no single farm is told.  (NA) Not available.  (Z) Less than half of the unit.  - Zero.",
			map[string]string{"(D)": Suppressed, "(NA)": isUnavailable, "(Z)": isLow, "-": isNil}},
		{"(D) Withheld to avoid disclosing data for individual operations. (NA) Not available. (Z) Less than half of the unit shown.",
			map[string]string{"(D)": Suppressed, "(NA)": isUnavailable, "(Z)": isLow}},
		{"　　２　「x」は秘匿した数値である。", map[string]string{"x": Suppressed}},
		{"注：「χ」は、１又は２の事業所に関する数値であるため、これをそのまま掲げると個々の報告者の秘密が漏れるおそれがあるため秘匿した箇所である。", map[string]string{"χ": Suppressed}},
		{"「－」は該当数値なし、「…」は不詳、「０」は単位未満、「Ｘ」は秘匿", map[string]string{"-": isNil, "…": isUnavailable, "X": Suppressed}},
		{"Keksityt luvut. Tieto, joka on salassa, on merkitty kahdella pisteellä.", map[string]string{"..": Suppressed}},
		{"s : secret statistique", map[string]string{"s": Suppressed}},
		{"nd : non disponible", map[string]string{"nd": isUnavailable}},
		{"The data are preliminary.", nil},
		{"Source: Made-up Statistics Team", nil},
		{"A confidential survey of firms", nil},
	} {
		m := &marks{}
		if told := m.learn(c.note); told != (len(c.want) > 0) {
			t.Errorf("%s: told %v", c.note, m.told)
		}
		for mark, means := range c.want {
			if m.told[mark] != means {
				t.Errorf("%s: %q means %q, want %q", c.note, mark, m.told[mark], means)
			}
		}
		for mark := range m.told {
			if c.want[mark] == "" {
				t.Errorf("%s: %q means %q, but it tells nothing of that", c.note, mark, m.told[mark])
			}
		}
	}
}

func TestFindMark(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, text, mark, means string }{
		{"", "Ｘ", "Ｘ", Suppressed}, {"", " - ", "-", isNil}, {"", "－", "－", isNil}, {"", "…", "…", isUnavailable}, {"", "***", "***", isUnavailable},
		{"", "(D)", "(D)", Suppressed}, {"", "（Ｄ）", "（Ｄ）", Suppressed}, {"", "12", "", ""}, {"", "", "", ""}, {"", "Total", "", ""},
		{eurostat, ": c", ": c", Suppressed}, {eurostat, ":c", ":c", Suppressed}, {eurostat, ":", ":", isUnavailable}, {eurostat, ": bu", ": bu", isUnreliable},
		{statcan, "...", "...", isInapplicable}, {pcaxis, "..", "..", Suppressed}, {pcaxis, "...", "...", isUnavailable}, {cbs, "", "", isInapplicable},
	} {
		mark, means, ok := marksOf(c.format).find(c.text)
		if ok != (c.means != "") || mark != c.mark || means != c.means {
			t.Errorf("%s %q: %q means %q, want %q, %q", c.format, c.text, mark, means, c.mark, c.means)
		}
	}
}

// TestMarkOutside: a mark of a withheld number that is in no table is asked about with an answer that can be given.
func TestMarkOutside(t *testing.T) {
	t.Parallel()
	const text = "Ort;Insgesamt;*;ledig;*;verheiratet;*;verwitwet;*;geschieden;*\nZusammen;304;e;72;e;48;r;116;;68;\nAltdorf;72;;2;*;0;;38;;32;\nBergen;90;e;31;u;31;r;17;;11;\nCelle;64;;39;r;2;;22;;1;\nDorfen;78;p;0;u;15;;39;;24;b\n;;\n;;\nin Prozent\nOrt;Insgesamt;ledig;verheiratet;verwitwet;geschieden\nZusammen;;;e\nAltdorf;;e;;p\nBergen;;;*;r\nCelle;;;*;p\nDorfen;;u\n"
	ask := func(o Options) error {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Input(formats.Options{})
		return err
	}
	if err := ask(Options{}); err == nil || !strings.Contains(err.Error(), "--blank 13:4-14:4)") {
		t.Errorf("%v, want a question that names the mark", err)
	}
	if err := ask(Options{Blank: []string{"13:4-14:4"}}); err != nil {
		t.Errorf("without it: %v", err)
	}
}
