package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestStop stops a search by the button and keeps its best pattern.
func TestStop(t *testing.T) {
	const hard = "../../../shared/instances/csplib/hier13.jj.gz"
	if _, err := os.Stat(hard); err != nil {
		t.Skip("no folder shared beside the project")
	}
	v := open(t, hard)
	v.opened()
	v.click("button.go")
	v.until(`document.querySelector(".runbox .curve .upper")?.getAttribute("d")`)
	v.shot("searching")
	v.click(".runbox .stop")
	v.until(ran + " === 1")
	v.shot("stopped")
	v.tab("compare")
	if text := js[string](v, `document.querySelector("table.runs tbody").textContent`); !strings.Contains(text, "not proved cheapest") {
		t.Error(text)
	}
}

// line picks a row, or a column, of the sheet by its number or letter, and calls it something.
func (v *visit) line(name, as string) {
	v.Helper()
	v.click(`table.sheet th button[data-key="` + name + `"]`)
	v.button(".calls", as)
	v.settled()
}

// kinds counts what a row of the sheet is drawn as.
func (v *visit) kinds(row int) string {
	v.Helper()
	return js[string](v, fmt.Sprintf(`(() => {
		const n = {};
		for (const e of document.querySelectorAll('table.sheet td[data-r="%d"]')) if (e.textContent) n[e.className.split(" ")[0]] = (n[e.className.split(" ")[0]] || 0) + 1;
		return JSON.stringify(n);
	})()`, row))
}

// TestLayoutByClick sets the range by dragging, calls rows and columns something else by clicking on them, and opens the table so.
func TestLayoutByClick(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/prefecture.xlsx")
	v.opened()
	v.tab("sheet")
	v.until(`document.querySelectorAll("td.p-value").length > 20`)
	js[bool](v, `(() => {
		const at = (r, c) => document.querySelector(`+"`td[data-r=\"${r}\"][data-c=\"${c}\"]`"+`);
		at(3, 0).dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
		at(15, 8).dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
		return true;
	})()`)
	v.settled()
	v.until(`document.querySelector('[name="range"]').value === "A4:I16" && document.querySelectorAll("td.p-value").length > 20`)
	v.shot("range")
	for _, x := range []struct{ line, as, want string }{
		{"r5", "note, or no part of the table", `{"p-aside":8}`},
		{"r5", "cells of the table", `{"p-label":1,"p-total":7}`},
		{"cI", "computed", `{"p-label":1,"p-total":6,"p-derived":1}`},
		{"cI", "cells of the table", `{"p-label":1,"p-total":7}`},
	} {
		v.line(x.line, x.as)
		if got := v.kinds(5); got != x.want {
			v.shot("line")
			t.Errorf("%s called %q: the first row of cells is drawn as %s, want %s; %s", x.line, x.as, got, x.want, v.says())
		}
	}
	v.line("r3", "cells of the table")
	if !strings.Contains(v.says(), "above the header") {
		t.Error("row 4 is taken for cells above the header:", v.says())
	}
	v.button(".sheets", "Open as a table")
	v.until(`document.querySelectorAll(".cell").length > 20`)
	v.tab("out")
	v.until(`document.querySelector(".repeat pre")?.textContent.includes("--layout=prefecture.layout.toml")`)
}

// TestPrint wants the whole table on paper.
func TestPrint(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	js[bool](v, `dispatchEvent(new Event("beforeprint"))`)
	if n := js[int](v, `document.querySelectorAll("table.paper td").length`); n != 24 {
		t.Errorf("%d cells on paper", n)
	}
	pdf, err := chromedp.Run(v.ctx, chromedp.PrintToPDF())
	if err != nil || len(pdf) < 1000 {
		t.Error(len(pdf), err)
	}
	if *shots != "" {
		os.WriteFile(*shots+"/print.pdf", pdf, 0o600)
	}
}

// TestFolded shows cells wherever they are: found by words, in a tree that is folded.
func TestFolded(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/prefecture.xlsx")
	v.opened()
	v.button(".bar1", "Fold all")
	v.until(`document.querySelectorAll(".stub").length < 5`)
	v.do(chromedp.SendKeys(chromedp.CSS(`input[type=search]`), "川口村 製造業\r"))
	v.until(`document.querySelector(".cellbox h2")?.textContent.includes("川口村") && document.querySelector(".cell.here").dataset.name === "川口村/製造業"`)
	v.shot("found")
}

// TestPublished audits a table that somebody has published, and shows what its blanks tell.
func TestPublished(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/4x4-published.csv")
	v.until(`document.querySelector(".problem button.answer")`)
	v.click(".problem button.answer")
	v.opened()
	v.set("width", "8")
	v.click("button.audit")
	v.until(`document.getElementById("live").textContent.includes("unprotected") && document.querySelector(".cell.exposed")`)
	v.click(".cell.exposed")
	v.until(`document.querySelector(".follows")?.textContent.includes("= 7")`)
	v.shot("exposed")
}

// TestChoices offers what a message asks to choose from as buttons.
func TestChoices(t *testing.T) {
	t.Parallel()
	const two = "../../../shared/data/layouts/ons-workbook/offences-workbook.xlsx"
	if _, err := os.Stat(two); err != nil {
		t.Skip("no folder shared beside the project")
	}
	v := open(t, two)
	v.until(`document.querySelectorAll(".problem button.answer").length > 1`)
	v.shot("choices")
	v.click(".problem button.answer")
	v.until(`document.body.textContent.includes("29 numbers of the file are in no table that is read")`) // those of the other sheet, until somebody has looked
}
