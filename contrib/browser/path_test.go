package browser

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// step wants a step of the path to be done, open, blocked or, before its time, nothing.
func (v *visit) step(name, want string) {
	v.Helper()
	v.until(fmt.Sprintf(`document.querySelector('.path [data-key="step%s"]').closest("li").className.trim() === %q`, name, "step is-"+want))
}

// TestPath goes from the first file to the release, and back where a rule changes.
func TestPath(t *testing.T) {
	t.Parallel()
	v := open(t)
	v.until(`document.querySelector('[data-key="samplecounts"]')`)
	v.shot("empty")
	v.step("open", "open")
	v.click(`[data-key="samplecounts"]`)
	v.opened()
	v.step("open", "done")
	v.step("understood", "done")
	v.step("rules", "blocked")
	v.shot("rules")
	v.until(`[...document.querySelectorAll(".presets li small")].every((e) => !e.textContent.includes("…"))`)
	v.button(".presets", "< 5, ↔ 8")
	v.settled()
	v.step("rules", "done")
	v.step("protected", "open")
	v.protect()
	v.step("protected", "done")
	v.step("attacked", "open")
	v.shot("protected")
	v.tab("intruder")
	v.button(".intruder .actions", "Intervals of all cells")
	v.until(`document.querySelector(".plot .row")`)
	v.settled()
	v.shot("intervals")
	v.button(".intruder .actions", "Matching attack")
	v.until(`document.querySelector(".histogram")`)
	v.settled()
	v.step("release", "open")
	v.tab("table")
	v.click(`[data-key="nextw"]`)
	v.until(`document.querySelector(".cell.here").matches(".s-sensitive, .s-secondary")`)
	v.set("below", "3")
	v.settled()
	v.step("protected", "blocked")
	v.step("attacked", "")
	v.shot("stale")
	for name, size := range map[string][2]int64{"1440": {1440, 900}, "1024": {1024, 768}, "390": {390, 844}} {
		v.do(chromedp.EmulateViewport(size[0], size[1]))
		for _, mode := range []string{"light", "dark"} {
			js[bool](v, `(document.documentElement.dataset.light = "`+mode+`", true)`)
			v.shot(name + "-" + mode)
			if wide := js[int](v, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("%s wide: the page is %d too wide: %s", name, wide, js[string](v, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".grid, .path, .scroll")).slice(0, 6).map((e) => e.tagName + "." + e.className + " " + Math.round(e.getBoundingClientRect().right)).join("; ")`))
			}
		}
	}
}

// TestRelease takes an office's workbook from opening to an approved release without the command line, and compares what is approved with what the
// command writes.
func TestRelease(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/prefecture.xlsx")
	v.opened()
	v.step("understood", "done")
	if said := js[string](v, `document.querySelector('.path [data-key="stepunderstood"]').title`); !strings.Contains(said, "left aside: sheet 検算: a hidden sheet") {
		t.Errorf("understood: %s", said)
	}
	v.set("below", "10")
	v.set("width", "5")
	v.settled()
	v.step("rules", "done")
	v.protect()
	v.step("protected", "done")
	v.tab("intruder")
	v.button(".intruder .actions", "Intervals of all cells")
	v.until(`document.querySelector(".plot .row")`)
	v.settled()
	v.shot("attacked")
	v.tab("out")
	v.until(`document.querySelector(".approval input") && document.querySelector(".repeat pre")`)
	v.approve()
	v.saved("Protected file")
	v.settled()
	v.step("release", "done")
	v.shot("released")
	out := filepath.Join(t.TempDir(), "out.xlsx")
	args := strings.Fields(strings.TrimPrefix(js[string](v, `document.querySelector(".repeat pre").textContent`), "hitoku "))
	if text, err := exec.Command(program, append(args, "-o", out)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(written)); !strings.Contains(js[string](v, `document.querySelector(".approval").textContent`), sum) {
		t.Errorf("what is approved is not what the command writes, %s", sum)
	}
	if line := js[string](v, `document.querySelector(".approval pre").textContent`); !strings.HasPrefix(line, "hitoku ledger add releases.toml prefecture.protected.xlsx --note 'Approved by ") {
		t.Errorf("for the ledger: %s", line)
	}
}

// TestPrice computes what other thresholds cost, in no run of the list, and takes one of them.
func TestPrice(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.tab("compare")
	v.click(`[data-key="pricebelow"]`)
	v.until(`document.querySelectorAll(".bars button").length === 9 && !document.querySelector(".price p")`)
	v.settled()
	v.shot("price")
	if costs := js[[]string](v, `[...document.querySelectorAll(".bars text")].map((e) => e.textContent)`); costs[3] != "25" || costs[0] == "–" || js[int](v, `document.querySelectorAll("table.runs tbody tr:not(.group)").length`) != 1 {
		t.Errorf("%q", costs)
	}
	v.click(`.bars [data-key="at10"]`)
	v.settled()
	v.step("protected", "blocked")
	v.tab("table")
	v.until(`document.querySelector("[name=below]").value === "10"`)
}

// TestRefused shows an error at its field.
func TestRefused(t *testing.T) {
	t.Parallel()
	v := prepared(t, nil, "../../testdata/frequency.csv")
	v.set("width", "wide")
	v.settled()
	v.until(`document.querySelector('[name="width"][aria-invalid="true"]') && document.querySelector("#wrong").textContent.length > 3`)
	v.set("width", "8")
	v.settled()
	v.until(`!document.querySelector("[aria-invalid]")`)
}

// TestAnswers answers what a reader asks of a tidy file by buttons alone.
func TestAnswers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "turnover.csv")
	if err := os.WriteFile(file, []byte("ACT,SIZE,TOT,MAX\nTotal,Total,60,20\nTotal,S,30,10\nTotal,L,30,20\nA,Total,25,10\nA,S,15,10\nA,L,10,8\nB,Total,35,20\nB,S,15,9\nB,L,20,20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := open(t, file)
	v.until(`document.querySelector(".problem button.answer")`)
	v.step("open", "blocked")
	v.shot("asked")
	for range 3 {
		v.until(`document.querySelector(".problem button.answer, .cell")`)
		v.settled()
		if js[bool](v, `!!document.querySelector(".cell")`) {
			break
		}
		v.click(".problem button.answer")
		v.settled()
	}
	v.opened()
}

// TestPriceDominance changes one number of a rule of several, and leaves the others.
func TestPriceDominance(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"dominance": "2,85"}, "../../internal/cli/desk/sample/turnover.csv")
	v.tab("compare")
	v.click(`[data-key="pricedominance"]`)
	v.until(`document.querySelectorAll(".bars button").length === 6 && !document.querySelector(".price p")`)
	if now := js[[]string](v, `[...document.querySelectorAll(".bars b, .bars button.now")].map((e) => e.tagName === "B" ? e.textContent : "now")`); len(now) != 7 || now[0] != "n,k 2,60" || now[4] != "now" || now[5] != "n,k 2,85" {
		t.Errorf("%q", now)
	}
	v.click(`.bars [data-key="at70"]`)
	v.settled()
	v.tab("table")
	v.until(`document.querySelector('form.rules [name="dominance"]').value === "2,70"`)
}
