package browser

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestMicroKept drops a file of records, which is no table and no fault, and a policy for its release, and searches. A reload and a second page go on with the draft and
// what was found; another program goes on with the draft, and has to search again.
func TestMicroKept(t *testing.T) {
	state := t.TempDir()
	v := openIn(t, state)
	v.until(`document.querySelector("#files")`)
	v.choose("../../testdata/microdata/salaries.csv")
	v.until(`document.querySelector('[data-key="torecords"]')`)
	v.settled()
	if says := js[string](v, `document.querySelector("#live").className + ":" + document.querySelector("#live").textContent`); !strings.HasPrefix(says, ":salaries.csv: No table was read. If each line is a person") {
		t.Errorf("the foot says %q", says)
	}
	v.click(`[data-key="torecords"]`)
	v.until(`document.querySelector('[data-key="partrelease"]')`)
	header, err := os.ReadFile("../../testdata/microdata/salaries.csv")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(header), "\n")
	policy := "confirmed = true\n[limits]\nk = 3\nrisk = \"1/3\"\n[withhold]\nvalues = true\n"
	for _, name := range strings.Split(strings.TrimSpace(first), ",") {
		role := map[string]string{"zip": "quasi-identifier", "salary": "sensitive"}[name]
		if role == "" {
			role = "plain"
		}
		policy += fmt.Sprintf("[[column]]\nname = %q\nrole = %q\nreason = \"by the office\"\n", name, role)
	}
	file := filepath.Join(t.TempDir(), "office.toml")
	if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	v.tab("open")
	v.choose(file)
	taken := `document.querySelector('form.release [name="confirmed"]')?.checked && document.querySelector('form.release [name="k"]').value === "3" && [...document.querySelectorAll("table.roles input[name$=reason]")].every((e) => e.value === "by the office")`
	v.until(taken)
	v.click(`[data-key="searchrelease"]`)
	found := `document.querySelector("[data-part=release] .verdict")`
	v.until(found)
	v.settled()
	session := kept(v, state, `"ran":`)
	if info, err := os.Stat(session); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	v.do(chromedp.Reload())
	v.until(taken + " && " + found + ` && document.querySelector('[data-key="saverelease"]')`)
	v.settled()
	v.click(`[data-key="saverelease"]`)
	v.until(`document.querySelector("#live").textContent === "salaries.release.csv"`)
	// A second page changes a limit; the first takes that when it is looked at again.
	other := browse(t, js[string](v, `location.href.split("#")[0] + "#" + sessionStorage.getItem("hitoku")`))
	other.until(taken + " && " + found)
	js[bool](other, `(() => { const e = document.querySelector('form.release [name="k"]'); e.value = "4"; e.dispatchEvent(new Event("change")); return true; })()`)
	other.until(`document.querySelector("[data-part=stale]")`)
	other.settled()
	kept(v, state, `"k":"4"`)
	js[bool](v, `(dispatchEvent(new Event("focus")), true)`)
	v.until(`document.querySelector('form.release [name="k"]')?.value === "4" && document.querySelector("[data-part=stale]")`)
	v = openIn(t, state, session)
	v.until(`document.querySelector("[data-part=missing]")`) // of what the browser gave a session has the hash alone
	v.choose("../../testdata/microdata/salaries.csv")
	v.until(`document.querySelector('form.release [name="k"]')?.value === "4" && document.querySelector('form.release [name="confirmed"]').checked`)
	v.settled()
	if js[bool](v, `!!document.querySelector("[data-part=release] .verdict")`) {
		t.Error("another program shows a release that it has not")
	}
}
