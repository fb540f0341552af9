package browser

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// axe returns the script of axe-core, which judges whether a page can be used by everybody; without npm the test skips.
func axe(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	pack := exec.Command("npm", "pack", "--silent", "axe-core@4.14.1", "--pack-destination", dir)
	if out, err := pack.CombinedOutput(); err != nil {
		t.Skipf("no axe-core to be had: %v %s", err, out)
	}
	f, err := os.Open(filepath.Join(dir, "axe-core-4.14.1.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if h.Name == "package/axe.min.js" {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
	}
}

// judged lists what axe calls critical or serious, with the first element of each.
const judged = `(async () => {
	const r = await axe.run(document, { resultTypes: ["violations"] });
	window.judged = r.violations.filter((v) => v.impact === "critical" || v.impact === "serious").map((v) => v.id + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 160) + " " + (v.nodes[0].any[0]?.message || "")).join("\n");
})()`

// TestAxe has axe-core judge every part, in both languages and schemes.
func TestAxe(t *testing.T) {
	t.Parallel()
	script := axe(t)
	v := ready(t, map[string]string{"below": "5", "width": "8"}, "../../testdata/frequency.csv", "../../testdata/microdata/salaries.csv")
	js[bool](v, script+"; true")
	v.click(".cell.s-secondary")
	v.settled()
	v.everywhere(func(lang, tab string) {
		if tab == "intruder" {
			v.click(".intruder .actions button")
			v.until(`document.querySelector(".plot .row")`)
			v.settled()
		}
		for _, mode := range []string{"light", "dark"} {
			js[bool](v, fmt.Sprintf(`(document.documentElement.dataset.light = %q, window.judged = null, %s, true)`, mode, judged))
			v.until(`window.judged !== null`)
			if bad := js[string](v, `window.judged`); bad != "" {
				t.Errorf("%s, %s, %s:\n%s", lang, tab, mode, bad)
			}
		}
	})
}

// TestAxeReports has axe-core judge the pages that hitoku report writes.
func TestAxeReports(t *testing.T) {
	script := axe(t)
	dir := t.TempDir()
	const write = `rules="--below 5 --width 8 --total 合計"
"$0" suppress $rules --json frequency.csv > "$1/run.json"
"$0" report $rules --run "$1/run.json" -o "$1/table.html" frequency.csv
"$0" risk k-anonymity --json --qi zip,age microdata/salaries.csv > "$1/risk.json"
"$0" report --risk "$1/risk.json" --lang ja -o "$1/risk.html"`
	command := exec.Command("sh", "-ec", write, program, dir)
	command.Dir = "../../testdata"
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s%v", out, err)
	}
	for _, name := range []string{"table", "risk"} {
		v := browse(t, "file://"+filepath.Join(dir, name+".html"))
		js[bool](v, script+"; true")
		js[bool](v, `(window.judged = null, `+judged+`, true)`)
		v.until(`window.judged !== null`)
		if bad := js[string](v, `window.judged`); bad != "" {
			t.Errorf("%s:\n%s", name, bad)
		}
		v.shot(name)
	}
}
