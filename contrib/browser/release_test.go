package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestMicroRelease goes by mouse and keys from a file of persons to a release: roles that are proposed, mended and confirmed, a search, what was found, and files saved; nothing is
// saved under other limits, and axe has nothing to say in either language.
func TestMicroRelease(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/microdata/salaries.csv")
	v.until(`!document.querySelector("#tab-micro").disabled`)
	v.tab("micro")
	v.click(`[data-key="partrelease"]`)
	v.until(`document.querySelectorAll("table.roles tbody tr").length > 2`)
	roles := js[map[string]string](v, `Object.fromEntries([...document.querySelectorAll("table.roles tbody tr")].map((r) => [r.querySelector("th").textContent, r.querySelector("select").value]))`)
	if roles["zip"] != "quasi-identifier" || roles["salary"] != "sensitive" || roles["disease"] != "sensitive" {
		t.Errorf("%v", roles)
	}
	if js[int](v, `[...document.querySelectorAll("table.roles input[name$=reason]")].filter((e) => e.value).length`) != len(roles) {
		t.Error("a column has no reason")
	}
	v.shot("proposed")
	// Keys: to a limit, and the search by Enter, which asks for somebody who confirms first.
	focus := func(at string) { js[bool](v, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, at)) }
	fill := func(name, text string) {
		focus(fmt.Sprintf(`form.release [name=%q]`, name))
		js[bool](v, `(document.activeElement.select(), true)`)
		v.do(chromedp.KeyEvent(text), chromedp.KeyEvent("\t"))
	}
	fill("risk", "2")
	fill("k", "3")
	focus(`[name="confirmed"]`)
	v.do(chromedp.KeyEvent(" "))
	v.click(`[data-key="searchrelease"]`)
	v.until(`document.querySelector('form.release [name="risk"][aria-invalid]')`)
	fill("risk", "1/3")
	v.click(`[data-key="searchrelease"]`)
	v.until(`document.querySelector("[data-part=release] .verdict")`)
	v.settled()
	js[bool](v, `(document.querySelector("[data-part=release]").scrollIntoView(), true)`)
	v.shot("released")
	if says := js[string](v, `document.querySelector("[data-part=release] .verdict").className + " " + document.querySelector("[data-part=release]").textContent`); !strings.Contains(says, "verdict protected") || !strings.Contains(says, "What remains open") || !strings.Contains(says, "Attacks on the release") {
		t.Errorf("%.300s", says)
	}
	for what, name := range map[string]string{"release": "release.csv", "statement": "release.json", "board": "board.html", "policy": "policy.toml"} {
		v.click(fmt.Sprintf(`[data-key="save%s"]`, what))
		v.until(fmt.Sprintf(`document.querySelector("#live").textContent === "salaries.%s"`, name))
	}
	// Other limits: what was found is not saved any more.
	fill("k", "4")
	v.until(`document.querySelector("[data-part=stale]") && !document.querySelector('[data-key="saverelease"]')`)
	fill("k", "3")
	v.until(`document.querySelector('[data-key="saverelease"]')`)
	script := axe(t)
	js[bool](v, script+"; true")
	for _, lang := range []string{"en", "ja"} {
		if lang == "ja" {
			v.click("#lang")
			v.until(`document.querySelector("[data-part=release] .verdict") && document.querySelector("[data-part=release]").textContent.includes("攻撃")`)
			v.shot("released-ja")
		}
		if bad := js[string](v, nameless); bad != "" {
			t.Errorf("%s: without a name: %s", lang, bad)
		}
		for _, mode := range []string{"light", "dark"} {
			js[bool](v, fmt.Sprintf(`(document.documentElement.dataset.light = %q, window.judged = null, %s, true)`, mode, judged))
			v.until(`window.judged !== null`)
			if bad := js[string](v, `window.judged`); bad != "" {
				t.Errorf("%s, %s:\n%s", lang, mode, bad)
			}
		}
	}
}
