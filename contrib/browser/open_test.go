package browser

import (
	"fmt"
	"strings"
	"testing"
)

// TestOpenCells shows what a matching attack has left open as open, neither safe nor unsafe, with how far it came.
func TestOpenCells(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.tab("intruder")
	const cells = `[{"cell":"a","feasible":[0,10],"effective":[1,9],"found":[3,4],"safe":null},{"cell":"b","feasible":[0,10],"effective":[1,9],"found":null,"safe":null},
		{"cell":"c","feasible":[0,10],"effective":[0,10],"found":[0,10],"safe":true},{"cell":"d","feasible":[0,10],"effective":[2,2],"found":[2,2],"safe":false}]`
	for _, x := range []struct {
		complete string
		says     string
		verdicts string
	}{
		{"false", "2 / 4", "unprotected|open: a limit came first|open: a limit came first|protected"},
		{"true", "", "unprotected|no table leads to this pattern|no table leads to this pattern|protected"},
	} {
		answer := fmt.Sprintf(`{"candidates":null,"matching":7,"counted":false,"complete":%s,"cells":%s}`, x.complete, cells)
		js[bool](v, fmt.Sprintf(`(() => {
			const f = window.fetch.genuine || window.fetch;
			window.fetch = async (at, o) => at === "/api/attack" ? new Response(%q, { headers: { "Content-Type": "text/event-stream" } }) : f(at, o);
			window.fetch.genuine = f;
			return true;
		})()`, "event: answer\ndata: "+strings.Join(strings.Fields(answer), " ")+"\n\n"))
		v.button(".intruder .actions", "Matching attack")
		v.settled()
		v.until(`document.querySelector(".answers table")`)
		v.shot(x.complete)
		if got := js[string](v, `[...document.querySelectorAll(".answers tbody tr")].map((r) => r.lastChild.textContent).join("|")`); got != x.verdicts {
			t.Errorf("complete %s: the verdicts are %s, want %s", x.complete, got, x.verdicts)
		}
		if got := js[string](v, `document.querySelector(".answers .open2")?.textContent || ""`); !strings.Contains(got, x.says) || x.says == "" && got != "" {
			t.Errorf("complete %s: %q, want %q", x.complete, got, x.says)
		}
		if x.complete == "false" {
			if got := js[string](v, `document.querySelectorAll(".answers tbody tr")[1].children[3].textContent`); got != "[3, 4]" {
				t.Errorf("found so far: %q", got)
			}
		}
		v.tab("table")
		v.click("button.go") // another run, of which nothing was asked yet
		v.until(ran + " === 2")
		v.settled()
		v.tab("intruder")
	}
}

// TestChanged has rules changed and a cell ordered withheld after a run: nothing of the run is saved until it is done again, and every part says so.
func TestChanged(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	const hidden = `document.getElementById("changed").hidden`
	fresh := func(when string) {
		t.Helper()
		v.tab("out")
		v.settled()
		if !js[bool](v, hidden+` && [...document.querySelectorAll(".out button")].some((b) => b.textContent === "Protected file")`) {
			t.Errorf("%s: the run cannot be saved", when)
		}
	}
	old := func(when string) {
		t.Helper()
		for _, tab := range []string{"table", "compare", "intruder", "out"} {
			v.tab(tab)
			v.settled()
			if js[bool](v, hidden) {
				t.Errorf("%s: %s does not say that the run is one of other rules", when, tab)
			}
		}
		v.shot(when)
		if n := js[int](v, `document.querySelectorAll(".out button").length`); n != 0 {
			t.Errorf("%s: %d buttons save something", when, n)
		}
	}
	fresh("after a run")
	v.tab("table")
	v.set("below", "3")
	v.settled()
	old("rule")
	v.click("#undo")
	fresh("undone")
	v.tab("table")
	v.click(".cell.s-published")
	v.settled()
	v.button(".hand", "Withhold it")
	v.settled()
	old("order")
	v.click("#changed button")
	v.until(ran + " === 2")
	v.settled()
	fresh("again")
}

// TestNothing has a run without a rule: nothing is protected, which is no file to be saved as protected.
func TestNothing(t *testing.T) {
	t.Parallel()
	v := ready(t, nil, "../../testdata/frequency.csv")
	if got := v.says(); !strings.Contains(got, "nothing to protect: no rule or status makes a cell sensitive") {
		t.Error(got)
	}
	v.tab("out")
	v.settled()
	v.shot("out")
	if !js[bool](v, `[...document.querySelectorAll(".out button")].find((b) => b.textContent === "Protected file").disabled && document.querySelector(".out .bad").textContent.includes("nothing to protect")`) {
		t.Error("a table of which nothing is protected is saved as a protected file")
	}
	v.tab("table")
	v.set("below", "5")
	v.settled()
	v.protect()
	v.tab("out")
	v.settled()
	if js[bool](v, `[...document.querySelectorAll(".out button")].find((b) => b.textContent === "Protected file").disabled`) {
		t.Error("a protected table cannot be saved")
	}
}
