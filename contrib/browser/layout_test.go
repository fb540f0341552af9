package browser

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "write testdata/layout.txt anew")

// layoutParts are the elements whose places and colours are compared, by part of the page.
var layoutParts = map[string][]string{
	"table":    {"header", ".path", "nav", "button.go", ".left", ".state", ".bar1", ".grid", ".cell.s-sensitive", ".cell.s-secondary", ".legend", ".cellbox", "#live"},
	"compare":  {"table.runs", "#live"},
	"intruder": {".actions", ".plot svg", "#live"},
	"out":      {".repeat pre", "#live"},
}

// TestLayout compares where the main parts stand at three widths, and what colours they have in both schemes, with what testdata/layout.txt keeps.
// Fonts differ from one machine to the next: places may be some pixels off, colours may not.
func TestLayout(t *testing.T) {
	t.Parallel()
	const path, slack = "testdata/layout.txt", 24
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.click(".cell.s-sensitive")
	v.settled()
	var b strings.Builder
	for _, wide := range []int{390, 1024, 1440} {
		v.do(chromedp.EmulateViewport(int64(wide), 900))
		for _, tab := range []string{"table", "compare", "intruder", "out"} {
			v.tab(tab)
			if tab == "intruder" && wide == 390 {
				v.click(".intruder .actions button")
				v.until(`document.querySelector(".plot .row")`)
			}
			v.settled()
			if over := js[int](v, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s at %d: %d pixels too wide", tab, wide, over)
			}
			for _, part := range layoutParts[tab] {
				box := js[string](v, fmt.Sprintf(`(() => { const e = document.querySelector(%q), r = e.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(Math.round).join(" "); })()`, part))
				fmt.Fprintf(&b, "%d %s %s | %s\n", wide, tab, part, box)
			}
		}
	}
	v.tab("table")
	for _, mode := range []string{"light", "dark"} {
		js[bool](v, `(document.documentElement.dataset.light = "`+mode+`", true)`)
		for _, part := range append(layoutParts["table"], ".legend .s-before", ".legend .s-must", ".legend .exposed") {
			fmt.Fprintf(&b, "%s %s | %s\n", mode, part, js[string](v, fmt.Sprintf(`(() => { const c = getComputedStyle(document.querySelector(%q)); return [c.color, c.backgroundColor, c.outlineColor].map((x) => x.replaceAll(" ", "")).join(" "); })()`, part)))
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(b.String(), "\n"), strings.Split(string(kept), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d facts, %d are kept; -update writes them anew", len(got), len(want))
	}
	for n := range got {
		if got[n] == want[n] {
			continue
		}
		what, now, _ := strings.Cut(got[n], " | ")
		of, then, _ := strings.Cut(want[n], " | ")
		var a, c [4]int
		_, err1 := fmt.Sscan(now, &a[0], &a[1], &a[2], &a[3])
		_, err2 := fmt.Sscan(then, &c[0], &c[1], &c[2], &c[3])
		near := err1 == nil && err2 == nil
		for k := range a {
			near = near && max(a[k]-c[k], c[k]-a[k]) <= slack
		}
		if what != of || !near {
			t.Errorf("%s\n  was %s", got[n], want[n])
		}
	}
}
