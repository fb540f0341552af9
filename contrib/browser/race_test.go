package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// gate keeps the answers of a call from the page until release(n) lets the first n of them through, in any order.
func (v *visit) gate(call string) {
	v.Helper()
	js[bool](v, fmt.Sprintf(`(() => {
		const f = window.fetch, gates = [];
		window.asked = 0;
		window.release = (n) => gates[n]();
		window.fetch = async (at, o) => {
			if (at !== "/api/" + %q) return f(at, o);
			const n = window.asked++, gate = new Promise((go) => { gates[n] = go; });
			const r = await f(at, o);
			await gate;
			return r;
		};
		return true;
	})()`, call))
}

func (v *visit) release(n int) { v.Helper(); js[bool](v, fmt.Sprintf(`(window.release(%d), true)`, n)) }

// asked waits until a call behind the gate was made n times.
func (v *visit) asked(n int) { v.Helper(); v.until(fmt.Sprintf(`window.asked >= %d`, n)) }

// TestElsewhere has a table that cannot be read answered after the reader turned to another part: she stays there, with what she chose.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/microdata/clinic.csv")
	v.until(`document.querySelector(".problem")`)
	v.settled()
	v.gate("open")
	v.click(`form.files button.main`)
	v.asked(1)
	v.tab("micro")
	v.until(`document.querySelectorAll(".columns input[name=qi]").length > 1`)
	v.click(`.columns input[name=qi]`)
	v.release(0)
	v.settled()
	if !js[bool](v, `document.querySelector("#tab-micro").getAttribute("aria-selected") === "true" && document.querySelector(".columns input[name=qi]").checked`) {
		t.Error("the page turns away from what its reader does")
	}
}

// TestTyped has a run end while a field is being filled in: text and focus stay, as do corrections of the sheet and answers about records.
func TestTyped(t *testing.T) {
	t.Parallel()
	v := prepared(t, map[string]string{"below": "5"}, "../../testdata/frequency.csv")
	v.gate("run")
	v.click("button.go")
	v.asked(1)
	v.click(`[name="width"]`)
	v.key("8")
	v.release(0)
	v.until(ran + " === 1")
	if got := js[string](v, `document.activeElement.name + "=" + document.activeElement.value`); got != "width=8" {
		t.Errorf("in the midst of width=8 a run has ended, and there is %q", got)
	}
	v.key(kb.Tab)
	v.settled()
	if got := js[string](v, `document.activeElement.tagName + document.activeElement.parentElement.dataset.key`); got != "SUMMARYrules" {
		t.Errorf("Tab leads from width to %q", got)
	}
	v.tab("sheet")
	v.settled()
	v.click(`[name="range"]`)
	v.key("A1:E5")
	v.tab("table")
	v.click("button.go")
	v.asked(2)
	v.tab("sheet")
	v.release(1)
	v.until(ran + " === 2")
	if got := js[string](v, `document.querySelector('[name="range"]').value`); got != "A1:E5" {
		t.Errorf("a run has ended, and of the range A1:E5 there is %q", got)
	}
}

// TestAnotherTable has a run answered when another table is open: it is none of that one's.
func TestAnotherTable(t *testing.T) {
	t.Parallel()
	v := prepared(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.gate("run")
	v.click("button.go")
	v.asked(1)
	v.tab("open")
	v.choose("../../testdata/enterprises.tsv")
	v.until(`document.querySelector("#top small").textContent.includes("enterprises") && document.querySelectorAll(".cell").length > 5`)
	if strings.Contains(v.says(), "hitoku") {
		t.Errorf("the folder of the upload is told: %s", v.says())
	}
	v.release(0)
	v.settled()
	v.tab("compare")
	if n := js[int](v, `document.querySelectorAll("table.runs tbody tr:not(.group)").length`); n != 0 {
		t.Errorf("a table that has just been opened has %d runs", n)
	}
	v.tab("table")
	v.click("button.go")
	v.asked(2)
	v.release(1)
	v.until(ran + " === 1")
}

// TestLateMarks has the marks of rules answered after a run that was asked for later: what is said of the run stays.
func TestLateMarks(t *testing.T) {
	v := prepared(t, map[string]string{"below": "5"}, "../../testdata/frequency.csv")
	v.gate("mark")
	v.set("width", "8")
	v.asked(1)
	v.click("button.go")
	v.until(ran + " === 1")
	said := v.says()
	v.release(0)
	v.settled()
	if got := v.says(); got != said {
		t.Errorf("of the run was said %q, and then %q", said, got)
	}
}

// TestCrossing has two cells, and two readings of a sheet, answered in the wrong order: the last that was asked for shows.
func TestCrossing(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.gate("cell")
	v.click(".cell.s-secondary")
	v.asked(1)
	v.click(".cell.s-sensitive")
	v.asked(2)
	name := js[string](v, `document.querySelector(".cellbox h2").textContent`)
	v.release(1)
	v.until(`document.querySelector(".cellbox svg.bar")`)
	v.release(0)
	v.settled()
	if got := js[string](v, `document.querySelector(".cellbox h2").textContent + document.querySelectorAll(".cellbox svg.bar").length`); got != name+"1" {
		t.Errorf("%q is shown, %q was asked for", got, name)
	}
	if why := js[int](v, `[...document.querySelectorAll(".cellbox .actions button")].filter((b) => b.textContent === "Why is this withheld?").length`); why != 0 {
		t.Error("a sensitive cell is shown as one withheld for others")
	}
	v.tab("sheet")
	v.settled()
	whole := js[int](v, `document.querySelectorAll("td.p-value").length`)
	v.gate("sheet")
	v.set("range", "A1:D5")
	v.button(".sheets form", "Read again")
	v.asked(1)
	v.set("range", "")
	v.button(".sheets form", "Read again")
	v.asked(2)
	v.release(1)
	v.until(`+document.body.dataset.calls <= 1`)
	v.release(0)
	v.settled()
	if got := js[int](v, `document.querySelectorAll("td.p-value").length`); got != whole || whole == 0 {
		t.Errorf("%d cells are drawn, want %d", got, whole)
	}
}

// TestStopFirst wants Stop to end a run of which the program has not yet heard.
func TestStopFirst(t *testing.T) {
	v := prepared(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	js[bool](v, `(() => {
		const f = window.fetch;
		let late, stopped = new Promise((go) => { late = go; });
		window.fetch = async (at, o) => {
			if (at === "/api/run") await stopped;
			const r = await f(at, o);
			if (at === "/api/stop") late();
			return r;
		};
		return true;
	})()`)
	v.click("button.go")
	v.click(".runbox .stop")
	v.until(ran + " === 1")
	if got := v.says(); !strings.Contains(got, "stopped before") {
		t.Error(got)
	}
}
