package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/test/must"
)

func japanese(t testing.TB) *i18n.Language {
	l := must.Get(newLanguage("ja", map[string]string{
		"cell %s: %s":           "セル {1}：{2}",
		"%d cells in %s":        "{2}のセル{1}個",
		"%.1f %% of %q":         "{2}の{1}%",
		"none":                  "なし",
		"%s: %w":                "{1}：{2}",
		"no such code":          "そのコードはありません",
		"want one of %s":        "{1} のいずれか",
		"protected; all %s are": "安全",
	}, map[string]string{"none": "無"}))(t)
	return l
}

func TestSay(t *testing.T) {
	l := japanese(t)
	for _, c := range []struct {
		v      any
		en, ja string
	}{
		{i18n.T("cell %s: %s", "A: none; B", i18n.T("none")), "cell A: none; B: none", "セル A: none; B：なし"},
		{i18n.T("%d cells in %s", 3, "protected; all cells are.csv"), "3 cells in protected; all cells are.csv", "protected; all cells are.csvのセル3個"},
		{i18n.T("%.1f %% of %q", 12.25, "a\"b"), `12.2 % of "a\"b"`, `"a\"b"の12.2%`},
		{i18n.Errorf("%s: %w", "N/Level: none", i18n.New("no such code")), "N/Level: none: no such code", "N/Level: none：そのコードはありません"},
		{i18n.T("want one of %s", i18n.Names("or", []string{"a", "b or c", "d"})), "want one of a, b or c or d", "a、b or c、d のいずれか"},
		{i18n.T("not in the catalogue %s%%", "5%d"), "not in the catalogue 5%d%", "not in the catalogue 5%d%"},
		{errors.Join(i18n.New("none"), i18n.New("no such code")), "none\nno such code", "なし\nそのコードはありません"},
		{fmt.Errorf("%w", fs.ErrNotExist), "file does not exist", "file does not exist"},
	} {
		if got := i18n.English.Say(c.v); got != c.en {
			t.Errorf("%q, want %q", got, c.en)
		}
		if got := l.Say(c.v); got != c.ja {
			t.Errorf("%q, want %q", got, c.ja)
		}
	}
	if err := i18n.Errorf("%s: %w", "x", fs.ErrNotExist); !errors.Is(err, fs.ErrNotExist) {
		t.Error("what is wrapped is not found")
	}
}

// TestDataUnchanged asks that data pass unchanged, whatever they are.
func TestDataUnchanged(t *testing.T) {
	l := japanese(t)
	words := rapid.SampledFrom([]string{"none", ": ", "; ", "cell ", "%d", "%%", "{1}", "{2}", "%[1]s", "\"", "'", "protected; all ", "no such code", "セル", "、", "\x00", " or "})
	rapid.Check(t, func(r *rapid.T) {
		data := rapid.OneOf(rapid.String(), words).Draw(r, "a") + rapid.OneOf(rapid.String(), words).Draw(r, "b") + rapid.OneOf(rapid.String(), words).Draw(r, "c")
		if got, want := l.Say(i18n.T("cell %s: %s", data, data)), "セル "+data+"："+data; got != want {
			r.Fatalf("%q, want %q", got, want)
		}
		if got, want := l.Say(i18n.T("unknown %s", data)), "unknown "+data; got != want {
			r.Fatalf("%q, want %q", got, want)
		}
		if got, want := i18n.English.Say(i18n.T("cell %s: %s", data, data)), fmt.Sprintf("cell %s: %s", data, data); got != want {
			r.Fatalf("%q, want %q", got, want)
		}
	})
}
