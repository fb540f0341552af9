package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// kept waits until the session has been written and tells its file.
func kept(v *visit, state string, says string) string {
	v.Helper()
	var file string
	for range 200 {
		found, _ := filepath.Glob(filepath.Join(state, "hitoku", "sessions", "*.session.json"))
		for _, f := range found {
			if text, err := os.ReadFile(f); err == nil && strings.Contains(string(text), says) {
				return f
			}
		}
		v.settled()
		v.do(chromedp.Sleep(50 * 1e6))
	}
	v.Fatalf("no session says %s", says)
	return file
}

// approve has a second person approve the files of the run that is shown.
func (v *visit) approve() {
	v.Helper()
	js[bool](v, `(() => { const [a, b] = document.querySelectorAll(".approval input"); for (const [e, x] of [[a, "A. Tanaka"], [b, "B. Suzuki"]]) { e.value = x; e.dispatchEvent(new Event("input")); } return true; })()`)
	v.click(`[data-key="approve"]`)
	v.until(`document.querySelector(".approval p.protected")`)
}

// TestSession goes on after a reload, in another program and in a second page, with what can be undone.
func TestSession(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	v := openIn(t, state, "../../testdata/3x3.csv")
	v.until(`document.querySelector(".problem button.answer, .cell")`)
	v.settled()
	if js[bool](v, `!!document.querySelector(".problem button.answer")`) {
		v.click(".problem button.answer")
		v.opened()
	}
	v.set("cost", "count")
	v.settled()
	v.protect()
	v.found(js[string](v, `document.querySelector(".cell.s-secondary").dataset.name`))
	v.button(".hand", "Publish it anyway")
	v.settled()
	js[bool](v, `(() => { for (const [k, x] of [["reason", "agreed with the region"], ["by", "A. Tanaka"]]) { const e = document.querySelector('.hand [name="' + k + '"]'); e.value = x; e.dispatchEvent(new Event("change")); } return true; })()`)
	file := kept(v, state, "agreed with the region")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	for name, again := range map[string]func(){
		"reload":          func() { v.do(chromedp.Reload()) },
		"another program": func() { v = openIn(t, state, file) },
	} {
		again()
		v.until(`+document.body.dataset.runs === 1 && document.querySelector(".cell.s-secondary") && !document.querySelector("#changed").hidden`)
		v.settled()
		v.shot(name)
		if js[bool](v, `document.querySelector("#undo").getAttribute("aria-disabled") === "true"`) {
			t.Errorf("%s: nothing can be undone", name)
		}
	}
	v.held(chromedp.ModifierCtrl, "z")
	v.held(chromedp.ModifierCtrl, "z")
	v.held(chromedp.ModifierCtrl, "z")
	v.until(`document.querySelector("#changed").hidden`)
	v.settled()
	v.tab("out")
	v.until(`document.querySelector(".approval")`)
	v.approve()
	v.shot("approved")
	if got := v.saved("Report without withheld values"); !strings.Contains(got, "B. Suzuki") {
		t.Error("the report does not say who has approved")
	}
}

// TestDropped takes a policy for rules.
func TestDropped(t *testing.T) {
	t.Parallel()
	policy := filepath.Join(t.TempDir(), "office.toml")
	if err := os.WriteFile(policy, []byte("below = 5\nwidth = \"8\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := prepared(t, nil, "../../testdata/frequency.csv")
	v.tab("open")
	v.choose(policy)
	v.settled()
	v.tab("table")
	v.until(`document.querySelector("[name=below]").value === "5" && document.querySelectorAll(".cell.s-sensitive").length > 0`)
}

// TestJapanese says remarks, equations, sums and errors in the language of the page.
func TestJapanese(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.click("#lang")
	v.settled()
	v.click(".cell.s-secondary")
	v.settled()
	for _, part := range []string{".cellbox .follows", ".cellbox .words", ".cellbox details li"} {
		if text := js[string](v, `document.querySelector("`+part+`")?.textContent || ""`); strings.Contains(text, " is ") || strings.Contains(text, "everybody") || strings.Contains(text, "sum of") {
			t.Errorf("%s: %q", part, text)
		}
	}
	v.tab("sheet")
	v.settled()
	if text := js[string](v, `document.querySelector(".words").textContent`); strings.Contains(text, "numbers:") || strings.Contains(text, " rows") {
		t.Errorf("%q", text)
	}
}
