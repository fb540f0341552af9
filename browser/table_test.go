package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// focus goes to an element as Tab would, key presses keys.
func (v *visit) focus(selector string) {
	v.Helper()
	v.do(chromedp.Focus(chromedp.CSS(selector)))
}

func (v *visit) key(keys ...string) {
	v.Helper()
	for _, k := range keys {
		v.do(chromedp.KeyEvent(k))
	}
}

func TestProtect(t *testing.T) {
	v := open(t, "../testdata/frequency.csv")
	v.until(`document.querySelector(".problem button")`)
	v.shot("problem")
	v.click(".problem button")
	v.opened()
	v.shot("opened")
	v.set("below", "5")
	v.until(`document.querySelectorAll(".cell.s-sensitive").length > 1`)
	v.set("width", "8")
	v.protect()
	v.until(`document.querySelectorAll(".cell.s-secondary").length > 0`)
	v.shot("protected")
	v.click(".cell.s-secondary")
	v.until(`document.querySelector(".cellbox svg.bar")`)
	v.shot("cell")
	for _, tab := range []string{"compare", "intruder", "out", "sheet", "micro"} {
		v.tab(tab)
		v.settled()
		v.shot(tab)
	}
}

// TestByHand publishes a cell that a run withheld, has the rest solved again, and undoes it.
func TestByHand(t *testing.T) {
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../testdata/frequency.csv")
	v.click(".cell.s-secondary")
	v.until(`document.querySelector(".cellbox svg.bar")`)
	name := js[string](v, `document.querySelector(".cell.here").dataset.name`)
	button := func(words string) { t.Helper(); v.button(".cellbox", words) }
	button("Why is this withheld?")
	v.until(`document.querySelector(".why li")`)
	v.shot("why")
	button("Table with the least value")
	v.until(`document.querySelector(".cell.moved")`)
	v.shot("witness")
	button("Publish it anyway")
	v.until(`[...document.querySelectorAll(".cellbox button")].some((b) => b.textContent === "Solve again from here")`)
	button("Solve again from here")
	v.until(`document.querySelector('.cell[data-name="` + name + `"]').classList.contains("s-must")`)
	v.until(ran + " === 2 && document.querySelectorAll('.cell.s-secondary').length > 0")
	v.shot("again")
	v.tab("compare")
	v.until(`document.querySelectorAll("table.runs tbody tr").length === 2`)
	v.shot("runs")
	v.tab("table")
	v.click("#undo")
	v.click("#undo")
	v.until(`document.querySelector('.cell[data-name="` + name + `"]').classList.contains("s-secondary")`)
}

// TestIntruder asks the three questions about a published pattern.
func TestIntruder(t *testing.T) {
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../testdata/frequency.csv")
	v.tab("intruder")
	for n, want := range []string{"4 withheld", "→", "Sole contributors"} {
		v.click(fmt.Sprintf(`.intruder .actions button:nth-child(%d)`, n+1))
		v.settled()
		v.until(fmt.Sprintf(`document.querySelector(".answers").textContent.includes(%q)`, want))
		v.shot(fmt.Sprint(n))
	}
}

// TestKeyboard does it all without a mouse.
func TestKeyboard(t *testing.T) {
	v := open(t, "../testdata/frequency.csv")
	v.until(`document.querySelector(".problem button")`)
	v.focus(".problem button")
	v.key(kb.Enter)
	v.opened()
	v.focus(`[name="below"]`)
	v.key("5", kb.Tab)
	v.until(`document.querySelectorAll(".cell.s-sensitive").length > 0`)
	v.focus("button.go")
	v.key(kb.Enter)
	v.until(`document.querySelectorAll(".cell.s-secondary").length > 0`)
	v.focus(".grid")
	v.key(kb.ArrowDown, kb.ArrowRight, kb.Enter)
	v.until(`document.querySelector(".cellbox h2")`)
	v.focus(`#tab-table`)
	v.key(kb.ArrowRight)
	v.until(`document.querySelector("table.runs")`)
	v.shot("runs")
}

// TestScroll scrolls a table of 10^5 cells and counts the pictures a second.
func TestScroll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.csv")
	var b strings.Builder
	b.WriteString("a,b,value\n")
	for i := range 1000 {
		for j := range 100 {
			fmt.Fprintf(&b, "r%03d,c%02d,%d\n", i, j, (i*j)%977)
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	v := open(t, path)
	v.until(`document.querySelectorAll(".cell").length > 50`)
	js[bool](v, `(window.done = null, (async () => {
		const g = document.querySelector(".grid"), costs = [];
		for (let k = 0; k < 200; k++) {
			await new Promise(requestAnimationFrame);
			const began = performance.now();
			g.scrollTop += 217; g.scrollLeft += k % 3 ? 31 : -40;
			g.dispatchEvent(new Event("scroll"));
			costs.push(performance.now() - began);
		}
		costs.sort((a, b) => a - b);
		window.done = { median: costs[100], worst: costs[195] };
	})(), true)`)
	v.until(`window.done`)
	v.Logf("a frame takes %s of 16.7 ms in the median, %s in the slowest of 40", js[string](v, `window.done.median.toFixed(1)`), js[string](v, `window.done.worst.toFixed(1)`))
	v.shot("scrolled")
	if n := js[int](v, `document.querySelectorAll(".cell").length`); n > 2000 {
		t.Errorf("%d cells are on the page", n)
	}
}
