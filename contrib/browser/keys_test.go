package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// key presses keys.
func (v *visit) key(keys ...string) {
	v.Helper()
	for _, k := range keys {
		v.do(chromedp.KeyEvent(k))
	}
}

// held presses a key with Ctrl or Shift.
func (v *visit) held(with chromedp.Modifier, key string) {
	v.Helper()
	v.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(with)))
}

// at reports whether the focus is on an element, and seen there.
const at = `(() => {
	const e = document.activeElement;
	if (!e.matches(%q)) return "";
	const s = getComputedStyle(e);
	return e.matches(":focus-visible") && s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 ? "seen" : "not seen";
})()`

// tabTo presses Tab until the focus is on an element.
func (v *visit) tabTo(selector string) {
	v.Helper()
	for range 250 {
		switch js[string](v, fmt.Sprintf(at, selector)) {
		case "seen":
			return
		case "not seen":
			v.shot("failed")
			v.Fatalf("%s has the focus, which is not seen", selector)
		}
		v.key(kb.Tab)
	}
	v.shot("failed")
	v.Fatalf("Tab does not lead to %s", selector)
}

// press goes to an element by Tab and presses a key on it, Enter if none is given.
func (v *visit) press(selector string, keys ...string) {
	v.Helper()
	v.tabTo(selector)
	if keys == nil {
		keys = []string{kb.Enter}
	}
	v.key(keys...)
}

// part turns to a part of the page by the arrows on its tabs.
func (v *visit) part(name string) {
	v.Helper()
	v.tabTo(`[role=tab]`)
	for range 8 {
		if js[bool](v, `document.activeElement.id === "tab-`+name+`"`) {
			v.settled()
			return
		}
		v.key(kb.ArrowRight)
	}
	v.Fatalf("the arrows do not lead to the part %s", name)
}

// focused wants the focus on an element after what was done, once the page has been drawn anew.
func (v *visit) focused(after, selector string) {
	v.Helper()
	const soon = 10 * time.Second
	for end := time.Now().Add(soon); !js[bool](v, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			v.shot("failed")
			v.Fatalf("after %s the focus is on %s, want %s", after, js[string](v, `document.activeElement.outerHTML.slice(0, 120)`), selector)
		}
	}
}

// found goes to a cell by the search.
func (v *visit) found(name string) {
	v.Helper()
	v.tabTo(".grid")
	v.key("/")
	v.focused("/", "input[type=search]")
	v.held(chromedp.ModifierCtrl, "a")
	v.key(name, kb.Enter)
	v.until(fmt.Sprintf(`document.querySelector(".cell.here")?.dataset.name === %q`, name))
	v.settled()
}

// TestKeyboard does all that the page does by keys alone: opens a workbook, corrects its layout, sets rules, protects, compares, looks at a cell,
// decides by hand, asks as an intruder, saves, and measures records. Where the focus is can always be seen, and no redraw takes it.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/prefecture.xlsx", "../../testdata/microdata/salaries.csv")
	v.opened()
	v.part("open")
	v.press(`form.files input[name=table]:not(:checked)`, " ")
	v.settled()
	v.focused("a file was added", `input[name=table]:checked`)
	v.key(" ")
	v.press(`form.files button.main`)
	v.opened()

	v.part("sheet")
	v.press(`button.line[data-key="r0"]`)
	v.focused("a row was picked", `.calls button`)
	v.key(kb.Escape)
	v.focused("Escape", `button.line[data-key="r0"]`)
	for range 16 {
		v.key(kb.ArrowDown)
	}
	v.key(kb.Enter)
	v.press(`.calls [data-key="out"]`)
	v.settled()
	v.focused("a correction", `.calls [data-key="out"]`)
	v.shot("corrected")
	v.press(`.sheets button.main`)
	v.until(`document.querySelector("#tab-table").getAttribute("aria-selected") === "true"`)
	v.opened()

	v.press(`[name="below"]`, "10", kb.Tab)
	v.settled()
	v.until(`document.querySelectorAll(".cell.s-sensitive").length > 0`)
	v.press(`[name="width"]`, "5", kb.Tab)
	v.settled()
	v.focused("Tab", `details[data-key="rules"] > summary`)
	v.press("button.go")
	v.until(ran + " === 1")
	v.settled()
	v.focused("a run", "button.go")
	v.press(`details[data-key="costs"] > summary`)
	v.press(`select[name="cost"]`, kb.ArrowDown)
	v.settled()
	v.focused("a choice", `select[name="cost"]`)
	v.press("button.go")
	v.until(ran + " === 2")
	v.settled()

	v.part("compare")
	v.press(`[data-key="showr0"]`)
	v.settled()
	v.focused("another run is shown", `[data-key="showr0"][aria-pressed="true"]`)
	v.shot("compared")

	v.part("table")
	name := js[string](v, `document.querySelector(".cell.s-secondary").dataset.name`)
	v.found(name)
	v.press(`.cellbox [data-key="why"]`)
	v.until(`document.querySelector(".why li, .why p")`)
	v.settled()
	v.shot("why")
	v.press(`.cellbox [data-key="least"]`)
	v.until(`document.querySelector(".cell.moved")`)
	v.key(kb.Escape)
	v.focused("Escape", ".grid")
	v.key(kb.ArrowDown, kb.ArrowUp, kb.Enter)
	v.settled()
	v.press(`.hand button`)
	v.settled()
	v.focused("a cell was published by hand", `.hand button`)
	v.press(`.hand button.main`)
	v.until(ran + " === 3")
	v.settled()
	v.until(`document.querySelector('.cell[data-name="` + name + `"]').classList.contains("s-must")`)
	v.tabTo(".grid")
	v.held(chromedp.ModifierCtrl, "z")
	v.held(chromedp.ModifierCtrl, "z")
	v.settled()
	v.until(`document.querySelector('.cell[data-name="` + name + `"]').classList.contains("s-secondary")`)
	v.focused("undo", ".grid")
	v.key(kb.Home, "-")
	v.key("+")

	v.part("intruder")
	for n := range 3 {
		v.press(fmt.Sprintf(`.intruder .actions button:nth-child(%d)`, n+1))
		v.settled()
		v.until(`document.querySelector(".answers").textContent.length > 5`)
	}

	v.part("out")
	js[bool](v, `(() => { const make = URL.createObjectURL.bind(URL); window.given = 0; URL.createObjectURL = (b) => { window.given = b.size; return make(b); }; return true; })()`)
	v.press(`.out button.main`)
	v.until(`window.given > 1000`)
	v.settled()

	v.part("micro")
	v.press(`select[name=file]`, kb.ArrowDown)
	v.settled()
	v.until(`document.querySelector("[name=qi][value=zip]")`)
	v.press(`[name=qi][value=zip]`, " ")
	v.press(`[name=qi][value=age]`, " ")
	v.press(`[name=sensitive][value=disease]`, " ")
	v.press(`.columns button.main`)
	v.until(`document.querySelector("table.sensitives")`)
	if bad := js[string](v, roles); bad != "" {
		t.Error("roles:", bad)
	}
	v.part("table")
	if bad := js[string](v, roles); bad != "" {
		t.Error("roles:", bad)
	}
}

// roles lists elements whose role is not within what it belongs to.
const roles = `(() => {
	const bad = [], within = { gridcell: "row", row: "grid", columnheader: "grid", rowheader: "grid", tab: "tablist" };
	for (const [role, of] of Object.entries(within)) for (const e of document.querySelectorAll("[role=" + role + "]")) if (!e.closest("[role=" + of + "]")) bad.push(e.outerHTML.slice(0, 80));
	for (const e of document.querySelectorAll("[aria-owns], [aria-controls], [aria-labelledby], [aria-activedescendant]"))
		for (const a of ["aria-owns", "aria-controls", "aria-labelledby"]) for (const id of (e.getAttribute(a) || "").split(" ").filter(Boolean)) if (!document.getElementById(id)) bad.push(a + " " + id);
	return bad.slice(0, 5).join("; ");
})()`

// TestStopByKeys stops a search by keys: Tab leads from the button that began it to the one that stops it.
func TestStopByKeys(t *testing.T) {
	const hard = "../../../shared/instances/csplib/hier13.jj.gz"
	if _, err := os.Stat(hard); err != nil {
		t.Skip("no folder shared beside the project")
	}
	v := open(t, hard)
	v.opened()
	v.press("button.go")
	v.until(`document.querySelector(".runbox .curve .upper")?.getAttribute("d")`)
	v.press(".runbox .stop")
	v.until(ran + " === 1")
	v.focused("a run was stopped", "button.go")
	if got := v.says(); !strings.Contains(got, "withheld") {
		t.Error(got)
	}
}
