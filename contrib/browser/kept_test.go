package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// filled is what stands in the fields of a form, by what they are called.
const filled = `[...document.querySelectorAll("form%s :is(input:not([type=checkbox]), select, textarea, input:checked)")].map((e) => (e.name || e.dataset.key) + "=" + (e.validity.badInput ? "bad" : e.value)).sort().join("\n")`

// TestFormKept has a reader refuse a tidy file, first for what its columns are called and then for a line that is no flag: all that was chosen and
// typed is there afterwards.
func TestFormKept(t *testing.T) {
	t.Parallel()
	v := open(t, write(t, "firms.csv", firms), write(t, "tree.csv", "code,parent\nAll,\nNorth,All\nn1,North\nn2,North\ns1,All\n"))
	v.until(`document.querySelector(".problem, .cell")`)
	v.tab("open")
	v.settled()
	for column, is := range map[string]string{"area": "dimension", "size": "unread", "turnover": "value", "wages": "max1", "freq": "freq"} {
		v.pick(fmt.Sprintf(`[data-key="is-%s"]`, column), is)
	}
	v.pick(`[data-key="tree-area"]`, "tree.csv")
	js[bool](v, `(() => { const e = document.querySelector('[data-key="total-area"]'); e.value = "All"; e.dispatchEvent(new Event("change")); return true; })()`)
	v.settled()
	if js[bool](v, `[...document.querySelector('[data-key="is-freq"]').options].some((o) => o.value === "unread")`) {
		t.Error("a column called freq is offered as one that is not read, which it is")
	}
	before := js[string](v, fmt.Sprintf(filled, ".files"))
	v.button("form.files", "Open as a table")
	v.until(`document.querySelector(".problem")?.textContent.includes("firms")`)
	v.settled()
	if after := js[string](v, fmt.Sprintf(filled, ".files")); after != before || !strings.Contains(before, "is-wages=max1") {
		t.Errorf("before the refusal\n%s\nand after it\n%s", before, after)
	}
	for _, line := range []string{"--Nothing of this", "magnitude", "wat"} {
		v.do(chromedp.Click(chromedp.CSS("textarea[name=flags]")))
		js[bool](v, `((e) => { e.setSelectionRange(e.value.length, e.value.length); return true; })(document.activeElement)`)
		v.do(chromedp.KeyEvent("\n" + line + "\t"))
		v.settled()
		lines := js[string](v, `document.querySelector("textarea[name=flags]").value`)
		if !strings.HasSuffix(lines, line) {
			t.Fatalf("typed %q, there is %q", line, lines)
		}
		v.button("form.files", "Open as a table")
		v.settled()
		v.until(`document.querySelector(".problem")`)
		if after := js[string](v, `document.querySelector("textarea[name=flags]").value`); after != lines {
			t.Errorf("before the refusal\n%s\nand after it\n%s", lines, after)
		}
	}
	v.shot("refused")
	if said := js[string](v, `document.querySelector(".problem p").textContent`); !strings.Contains(said, "--Nothing is no flag") {
		t.Errorf("a line that is no flag is not told: %s", said)
	}
}

// TestRulesKept types what no rule may be into each field: it stands there with the message until somebody mends it, whatever else changes, and so
// does what the other fields have.
func TestRulesKept(t *testing.T) {
	t.Parallel()
	v := prepared(t, map[string]string{"width": "8"}, "../../testdata/frequency.csv")
	js[bool](v, `(document.querySelectorAll("form.rules details").forEach((e) => { e.open = true; }), true)`)
	for field, wrong := range map[string]string{"below": "2.5", "lpl": "much", "upl": "-3", "rules": "freq", "lower": "x", "time-limit": "long", "gap": "7"} {
		v.click(fmt.Sprintf(`form.rules [name="%s"]`, field))
		v.do(chromedp.KeyEvent(wrong + kb.Tab))
		v.settled()
		v.until(fmt.Sprintf(`document.querySelector('form.rules [name="%s"][aria-invalid="true"]') && document.querySelector("#wrong").textContent.length > 3`, field))
		before := js[string](v, fmt.Sprintf(filled, ".rules"))
		if !strings.Contains(before, field+"="+wrong) || !strings.Contains(before, "width=8") {
			t.Errorf("%s=%s, refused, leaves\n%s", field, wrong, before)
		}
		v.click("button.go") // which is refused, too
		v.settled()
		v.click("#lang")
		v.click("#lang")
		v.settled()
		if after := js[string](v, fmt.Sprintf(filled, ".rules")); after != before {
			t.Errorf("before\n%s\nand after it\n%s", before, after)
		}
		v.set(field, "")
		v.settled()
		v.until(`!document.querySelector("form.rules [aria-invalid]")`)
	}
}
