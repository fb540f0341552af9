package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestProtect(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/frequency.csv")
	v.until(`document.querySelector(".problem button.answer")`)
	v.shot("problem")
	v.click(".problem button.answer")
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
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
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
	v.until(`document.querySelectorAll("table.runs tbody tr:not(.group)").length === 2`)
	v.shot("runs")
	v.tab("table")
	v.click("#undo")
	v.click("#undo")
	v.until(`document.querySelector('.cell[data-name="` + name + `"]').classList.contains("s-secondary")`)
}

// TestIntruder asks the three questions about a published pattern.
func TestIntruder(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.tab("intruder")
	for n, want := range []string{"4 withheld", "of them with this pattern", "Sole contributors"} {
		v.click(fmt.Sprintf(`.intruder .actions button:nth-child(%d)`, n+1))
		v.settled()
		v.until(fmt.Sprintf(`document.querySelector(".answers").textContent.includes(%q)`, want))
		v.shot(fmt.Sprint(n))
	}
}

// spent is the processor time of the page's main thread so far, in seconds by what for.
func (v *visit) spent() map[string]float64 {
	v.Helper()
	m, err := chromedp.Run(v.ctx, func(ctx context.Context, t *chromedp.Target) (map[string]float64, error) {
		if _, err := cdp.Call(ctx, t, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
			return nil, err
		}
		got, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return nil, err
		}
		m := map[string]float64{}
		for _, x := range got.Metrics {
			m[x.Name] = x.Value
		}
		return m, nil
	})
	if err != nil {
		v.Fatal(err)
	}
	return m
}

// TestScroll scrolls a table of 10^5 cells and tells what a frame takes: processor time, as a machine may have more to do.
func TestScroll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.csv")
	var b strings.Builder
	b.WriteString("a,b,value,freq\n")
	for i := range 1000 {
		for j := range 100 {
			fmt.Fprintf(&b, "r%03d,c%02d,%d,%[3]d\n", i, j, (i*j)%977)
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	v := open(t, path)
	v.until(`document.querySelectorAll(".cell").length > 50`)
	const frames = 120
	before := v.spent()
	js[bool](v, fmt.Sprintf(`(window.done = false, (async () => {
		const g = document.querySelector(".grid");
		for (let k = 0; k < %d; k++) {
			await new Promise(requestAnimationFrame);
			g.scrollTop += 217;
			g.scrollLeft += k %% 3 ? 31 : -40;
		}
		await new Promise(requestAnimationFrame);
		window.done = true;
	})(), true)`, frames))
	v.until(`window.done`)
	after := v.spent()
	per := func(name string) float64 { return 1000 * (after[name] - before[name]) / frames }
	v.Logf("of 16.7 ms for a frame at 60 a second the page's thread spends %.1f ms of processor time: scripts %.1f, styles %.1f, layout %.1f",
		per("TaskDuration"), per("ScriptDuration"), per("RecalcStyleDuration"), per("LayoutDuration"))
	if n := js[int](v, `document.querySelector(".grid").scrollTop`); n < 5000 {
		t.Errorf("scrolled to %d", n)
	}
	v.shot("scrolled")
	// The map shows withheld cells outside the window, and leads to a place.
	v.set("below", "3")
	v.settled()
	drawn := `[...document.querySelector(".minimap canvas").getContext("2d").getImageData(0, 0, 100, 96).data].filter((x, k) => k % 4 === 3 && x).length`
	v.until(drawn + " > 20")
	v.do(chromedp.Click(chromedp.CSS(".minimap")))
	v.until(`Math.abs(document.querySelector(".grid").scrollTop / document.querySelector(".space").offsetHeight - 0.5) < 0.05`)
	v.shot("minimap")
	if n := js[int](v, `document.querySelectorAll(".cell").length`); n > 2000 {
		t.Errorf("%d cells are on the page", n)
	}
}

// TestCodes shows by code where cells are withheld: what the tree counts is what the grid has, and each line leads to a cell, by mouse and by keys.
func TestCodes(t *testing.T) {
	t.Parallel()
	table := write(t, "firms.csv", "area,size,value,freq\nn1,small,1,1\nn1,large,20,9\nn2,small,30,9\nn2,large,50,9\ns1,small,25,9\ns1,large,2,2\ns2,small,31,9\ns2,large,9,5\n")
	tree := strings.TrimSuffix(table, "csv") + "area.hrc"
	if err := os.WriteFile(tree, []byte("N\n@n1\n@n2\nS\n@s1\n@s2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := open(t, table, tree)
	v.opened()
	v.set("below", "3")
	v.set("width", "4")
	v.settled()
	v.protect()
	v.click(".codes summary")
	v.until(`document.querySelector("[role=treeitem]")`)
	lines := func() []string {
		return js[[]string](v, `[...document.querySelectorAll("[role=treeitem]")].map((e) => e.getAttribute("aria-level") + " " + e.title + " " + ["sensitive", "secondary"].map((k) => e.querySelector(".s-" + k)?.lastChild.textContent || "0").join("/"))`)
	}
	all := js[[]int](v, `["sensitive", "secondary"].map((k) => +document.querySelector('.legend [data-kind="' + k + '"] b').textContent.replace(",", ""))`)
	if got, want := lines()[0], fmt.Sprintf("1 Total %d/%d", all[0], all[1]); got != want || all[0] != 2 || all[1] == 0 {
		t.Errorf("the root is %q, the legend says %q", got, want)
	}
	const cells = 7 * 3
	if got := js[[]int](v, fmt.Sprintf(`[...document.querySelector("[role=treeitem]").querySelectorAll(".share i")].map((e) => Math.round(parseFloat(e.style.width) / 100 * %d))`, cells)); !slices.Equal(got, all) {
		t.Errorf("the bar of the root has %v of %d cells, the legend %v", got, cells, all)
	}
	js[bool](v, `(document.querySelector("[role=treeitem]").focus(), true)`)
	v.key(kb.ArrowDown, kb.ArrowRight, kb.ArrowRight)
	v.shot("tree")
	if at := js[string](v, `document.activeElement.title`); at != "n1" {
		t.Errorf("the keys lead to %q of %q", at, lines())
	}
	v.key(kb.Enter)
	v.until(`document.querySelector(".cell.here").dataset.name === "n1/small" && document.activeElement.className === "grid"`)
	v.until(`document.querySelector(".cellbox .value")?.textContent === "1"`)
	v.click(`[role=treeitem][title="S"]`)
	v.until(`document.querySelector(".cell.here").dataset.name.startsWith("s1/large") || document.querySelector(".cell.here").dataset.name.startsWith("S/")`)
}
