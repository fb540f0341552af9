package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

func TestProtect(t *testing.T) {
	v := open(t, "../testdata/frequency.csv")
	v.until(`document.querySelector(".problem button")`)
	v.shot("problem")
	v.click(".problem button")
	v.until(`document.querySelectorAll(".cell").length > 5`)
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
		v.do(chromedp.Sleep(500 * time.Millisecond))
		v.shot(tab)
	}
}
