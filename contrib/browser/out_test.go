package browser

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// ready opens a file of the project and protects it under a policy.
func ready(t *testing.T, policy map[string]string, files ...string) *visit {
	t.Helper()
	v := prepared(t, policy, files...)
	v.protect()
	return v
}

// prepared opens a file, by the first remedy where its reader wants one, and fills in the rules.
func prepared(t *testing.T, policy map[string]string, files ...string) *visit {
	t.Helper()
	v := open(t, files...)
	v.until(`document.querySelector(".problem button.answer, .cell")`)
	v.settled()
	if js[bool](v, `!!document.querySelector(".problem button.answer")`) {
		v.click(".problem button.answer")
		v.opened()
	}
	for field, value := range policy {
		v.set(field, value)
	}
	v.settled()
	return v
}

// saved clicks a button and returns the file that the page hands out.
func (v *visit) saved(words string) string {
	v.Helper()
	js[bool](v, `(() => {
		window.given = null;
		const make = URL.createObjectURL.bind(URL);
		URL.createObjectURL = (b) => { b.arrayBuffer().then((a) => { window.given = [...new Uint8Array(a)].map((x) => x.toString(16).padStart(2, "0")).join(""); }); URL.createObjectURL = make; return make(b); };
		return true;
	})()`)
	v.button(".out", words)
	v.until(`window.given !== null`)
	content, err := hex.DecodeString(js[string](v, `window.given`))
	if err != nil {
		v.Fatal(err)
	}
	return string(content)
}

// TestOut compares what the page saves with what the command that it shows writes.
func TestOut(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.tab("out")
	v.until(`document.querySelector(".repeat pre")`)
	command := js[string](v, `document.querySelector(".repeat pre").textContent`)
	dir := t.TempDir()
	out, statuses := filepath.Join(dir, "out.csv"), filepath.Join(dir, "statuses.csv")
	args := strings.Fields(strings.TrimPrefix(command, "hitoku "))
	run := exec.Command(program, append(args, "-o", out, "--status-file", statuses)...)
	if text, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.saved("Protected file"); got != string(want) {
		t.Errorf("the page writes\n%s\nthe command\n%s", got, want)
	}
	list, err := os.ReadFile(statuses)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.saved("Statuses, for the office only"); !strings.HasSuffix(string(list), got) || got == "" {
		t.Errorf("the page writes\n%s\nthe command\n%s", got, list)
	}
	office := v.saved("Report, with all values")
	if got := office; !strings.Contains(got, "<html") || !strings.Contains(got, "frequency") {
		t.Errorf("no report: %.300s", got)
	}
	if got := v.saved("Drawing of the table, with all values"); !strings.Contains(got, "<svg") {
		t.Errorf("no drawing: %.300s", got)
	}
	if got := v.saved("Report without withheld values"); !strings.Contains(got, "<html") || tells(got) >= tells(office) {
		t.Errorf("a report that is not for publication: %.300s", got)
	}
	if got := v.saved("Drawing without withheld values"); !strings.Contains(got, "<svg") || tells(got) > 0 {
		t.Errorf("a drawing that is not for publication: %.300s", got)
	}
	if got := v.saved("Policy"); got != "below = 5\nwidth = \"8\"\n" {
		t.Errorf("policy %q", got)
	}
	v.shot("out")
}

// tells counts how often an element of a text is the value of M2/P3, which is sensitive.
func tells(text string) int {
	return len(regexp.MustCompile(`>\s*1\s*<`).FindAllString(text, -1))
}

// TestAsPublished shows the table as it is published, all withheld cells alike and without their values, and prints it so.
func TestAsPublished(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	const paper = `(() => { dispatchEvent(new Event("beforeprint")); const e = document.querySelector("table.paper"), x = e.textContent + "|" + e.querySelectorAll(".s-sensitive, .s-secondary").length; dispatchEvent(new Event("afterprint")); return x; })()`
	if text := js[string](v, paper); !strings.HasPrefix(text, "For the office only") || strings.HasSuffix(text, "|0") {
		t.Error(text)
	}
	v.click(`.bar1 [data-key="masked"]`)
	v.until(`document.querySelectorAll(".cell.s-hidden").length > 1 && !document.querySelector(".cell.s-sensitive, .cell.s-secondary")`)
	if text := js[string](v, `[...document.querySelectorAll(".cell.s-hidden")].map((e) => e.textContent + e.getAttribute("aria-label")).join("")`); strings.ContainsAny(text, "0123456789") {
		t.Error(text)
	}
	v.shot("as-published")
	if text := js[string](v, paper); !strings.HasPrefix(text, "As published") || !strings.HasSuffix(text, "|0") {
		t.Error(text)
	}
}

// TestRuns names runs by their rules, and keeps those of other rules apart.
func TestRuns(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.set("below", "3")
	v.protect()
	v.tab("compare")
	if groups := js[[]string](v, `[...document.querySelectorAll("table.runs tr.group, table.runs tbody tr:not(.group) th")].map((e) => e.textContent)`); len(groups) != 4 || groups[0] != "< 5, ↔ 8" || groups[2] != "< 3, ↔ 8" {
		t.Errorf("%q", groups)
	}
	v.shot("runs")
}

// TestCertificate has a proof made with the run, which hitoku verify confirms.
func TestCertificate(t *testing.T) {
	t.Parallel()
	v := prepared(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv")
	v.click(`details[data-key="method"] > summary`)
	v.click(`[name="certificate"]`)
	v.protect()
	v.tab("out")
	proof := filepath.Join(t.TempDir(), "proof.jsonl")
	if err := os.WriteFile(proof, []byte(v.saved("Certificate")), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(program, "verify", "--below=5", "--width=8", "--total=合計", proof, "../../testdata/frequency.csv").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
}

// TestWorkbook protects an office's workbook: the sheet with what was understood, then the table in two trees.
func TestWorkbook(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/prefecture.xlsx")
	v.opened()
	v.shot("table")
	v.tab("sheet")
	v.until(`document.querySelectorAll("td.p-value").length > 20 && document.querySelector("td.p-header") && document.querySelector("td.p-label") && document.querySelector("td.p-total")`)
	v.shot("sheet")
	v.tab("table")
	v.set("below", "10")
	v.set("width", "5")
	v.protect()
	v.shot("protected")
	before := js[int](v, `document.querySelectorAll(".stub").length`)
	v.click(".stub .fold")
	v.until(fmt.Sprintf(`document.querySelectorAll(".stub").length < %d`, before))
	v.shot("folded")
}

// TestRecords measures a file of persons: k, l and t, by class and by attribute.
func TestRecords(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/microdata/salaries.csv")
	v.until(`!document.querySelector("#tab-micro").disabled`)
	v.tab("micro")
	v.until(`document.querySelectorAll(".columns input[name=qi]").length > 1`)
	for _, c := range []string{`[name=qi][value=zip]`, `[name=qi][value=age]`, `[name=sensitive][value=salary]`, `[name=sensitive][value=disease]`} {
		v.click(".columns input" + c)
	}
	v.click(".columns button.main")
	v.until(`document.querySelector(".answers table.sensitives")`)
	v.settled()
	v.shot("measured")
	// Nine records in three classes of three, of which the drawing tells by numbers, too.
	if bars := js[[]string](v, `[...document.querySelectorAll(".answers .histogram rect")].map((e) => e.textContent)`); !slices.Equal(bars, []string{"3, 0.33: 9 records"}) {
		t.Errorf("%q", bars)
	}
	if rows := js[[]string](v, `[...document.querySelectorAll("table.whatif tbody tr, table.sensitives tbody tr, table.worst tbody tr")].map((r) => [...r.children].map((c) => c.textContent).join(" "))`); !slices.Equal(rows, []string{
		"476** 2* 3 0.3333", "476** 3* 3 0.3333", "4790* >=40 3 0.3333", // classes
		"zip 3 0 3 3 0", "age 3 0 3 2 0", "salary 3 3 0.3333 0.6667", "disease 3 3 0.3333 0.4444", // attributes
	}) {
		t.Errorf("%q", rows)
	}
}

// TestWords looks at every part in both languages: no key without a word, every field and button with a name.
func TestWords(t *testing.T) {
	t.Parallel()
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv", "../../testdata/microdata/salaries.csv")
	v.click(".cell.s-secondary")
	v.settled()
	v.click(`.cellbox [data-key="why"]`)
	v.settled()
	shows := map[string][]string{ // what each part has to show besides, which a change of the language takes away
		"sheet": {`button.line[data-key="r1"]`}, "intruder": {".intruder .actions button"}, "table": {".cell.s-secondary"},
		"open":  {`form.files input[name=table]:not(:checked)`},
		"micro": {`.columns [name=qi]`, `.columns [name=sensitive]`, ".columns button.main"},
	}
	v.everywhere(func(lang, tab string) {
		if tab == "micro" {
			v.pick("select[name=file]", js[string](v, `document.querySelectorAll("select[name=file] option")[1].value`))
		}
		for _, x := range shows[tab] {
			if js[bool](v, fmt.Sprintf(`!!document.querySelector(%q)`, x)) {
				v.click(x)
				v.settled()
			}
		}
		v.shot(lang + "-" + tab)
		if bad := js[string](v, nameless); bad != "" {
			t.Errorf("%s, %s: without a name: %s", lang, tab, bad)
		}
		for _, mode := range []string{"light", "dark"} {
			js[bool](v, `(document.documentElement.dataset.light = "`+mode+`", true)`)
			if bad := js[string](v, faint); bad != "" {
				t.Errorf("%s, %s, %s: too faint: %s", lang, tab, mode, bad)
			}
		}
		v.shot(lang + "-" + tab + "-dark")
	})
}

// nameless lists fields and buttons that a screen reader could not name.
const nameless = `[...document.querySelectorAll("button, input, select, textarea, [role=grid], [role=img], [role=toolbar], [role=region], meter")].filter((e) =>
	!(e.textContent.trim() && e.tagName === "BUTTON") && !e.getAttribute("aria-label") && !e.labels?.length && !e.title && !e.closest("label")).map((e) => e.outerHTML.slice(0, 120)).join("; ")`

// faint lists texts whose contrast with what is behind them is below 4.5 (WCAG 2.2, 1.4.3); what is disabled may be.
const faint = `(() => {
	const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgb = (c) => { probe.clearRect(0, 0, 1, 1); probe.fillStyle = c; probe.fillRect(0, 0, 1, 1); return [...probe.getImageData(0, 0, 1, 1).data]; };
	const light = ([r, g, b]) => { const f = (x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
	const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; } return [255, 255, 255]; };
	const bad = new Set();
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || e.closest(":disabled, script, option, datalist, text, svg") || !e.checkVisibility()) continue;
		const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) bad.add(e.tagName + "." + e.className + " " + ratio.toFixed(1) + " " + e.textContent.slice(0, 20));
	}
	return [...bad].slice(0, 8).join("; ");
})()`

// TestEnd ends the server once its page has gone.
func TestEnd(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/frequency.csv")
	v.until(`document.querySelector(".problem button.answer, .cell")`)
	v.do(chromedp.Navigate("about:blank"))
	select {
	case <-v.ended:
	case <-v.ctx.Done():
		t.Error("the server goes on without its page")
	}
}
