package browser

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestStop stops a search by the button and keeps its best pattern.
func TestStop(t *testing.T) {
	const hard = "../../shared/instances/csplib/hier13.jj.gz"
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

// TestLayoutByClick calls a column computed by a click on its letter, sets the range by dragging, and opens the table so.
func TestLayoutByClick(t *testing.T) {
	v := open(t, "../testdata/prefecture.xlsx")
	v.opened()
	v.tab("sheet")
	v.until(`document.querySelectorAll("td.p-value").length > 20`)
	js[bool](v, `(() => {
		const at = (r, c) => document.querySelector(`+"`td[data-r=\"${r}\"][data-c=\"${c}\"]`"+`);
		at(3, 0).dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
		at(15, 8).dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
		return true;
	})()`)
	v.until(`document.querySelector('[name="range"]').value === "A4:I16" && document.querySelectorAll("td.p-value").length > 20`)
	v.settled()
	v.shot("range")
	v.button(".sheets", "Open as a table")
	v.until(`document.querySelectorAll(".cell").length > 20`)
	v.tab("out")
	v.until(`document.querySelector(".repeat pre")?.textContent.includes("--range=A4:I16")`)
}

// TestPrint wants the whole table on paper.
func TestPrint(t *testing.T) {
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../testdata/frequency.csv")
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
	v := open(t, "../testdata/prefecture.xlsx")
	v.opened()
	v.button(".bar1", "Fold all")
	v.until(`document.querySelectorAll(".stub").length < 5`)
	v.do(chromedp.SendKeys(chromedp.CSS(`input[type=search]`), "川口村 製造業\r"))
	v.until(`document.querySelector(".cellbox h2")?.textContent.includes("川口村") && document.querySelector(".cell.here").dataset.name === "川口村/製造業"`)
	v.shot("found")
}

// TestPublished audits a table that somebody has published, and shows what its blanks tell.
func TestPublished(t *testing.T) {
	v := open(t, "../testdata/4x4-published.csv")
	v.until(`document.querySelector(".problem button")`)
	v.click(".problem button")
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
	const two = "../../shared/data/layouts/ons-workbook/offences-workbook.xlsx"
	if _, err := os.Stat(two); err != nil {
		t.Skip("no folder shared beside the project")
	}
	v := open(t, two)
	v.until(`document.querySelectorAll(".problem button").length > 1`)
	v.shot("choices")
	v.click(".problem button")
	v.opened()
}
