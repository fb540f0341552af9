package browser

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var site = flag.String("site", "", "folder that make site has written")

// A file of the engine that was not copied whole is named.
func TestSiteParts(t *testing.T) {
	if *site == "" {
		t.Skip("no folder of the site; see make page-test")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(*site)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "engine03.js"), 0); err != nil {
		t.Fatal(err)
	}
	v := browse(t, "file://"+dir+"/index.html")
	v.until(`document.querySelector("#live").textContent.includes("engine03.js is not whole")`)
}

// TestSite opens the page that has its engine with it from its files, and wants of each table the pattern that the command finds.
func TestSite(t *testing.T) {
	if *site == "" {
		t.Skip("no folder of the site; see make page-test")
	}
	dir, err := filepath.Abs(*site)
	if err != nil {
		t.Fatal(err)
	}
	v := browse(t, "file://"+dir+"/index.html")
	v.within(5*time.Minute, `document.querySelector("#version")`) // the engine has started
	for n := range 20 {
		if t.Failed() {
			break // as the page may not be what the next one expects
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			name := fmt.Sprintf("drawn%d", n)
			path := filepath.Join(t.TempDir(), name+".csv")
			args := []string{"generate", "--shape", fmt.Sprintf("%dx%d", 3+n%6, 3+n%5), "--family", []string{"fs", "n1510", "mag"}[n%3], "--seed", fmt.Sprint(n + 1), "-o", path}
			if n%3 == 2 {
				args = append(args, "--share", "0.2")
			}
			if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			want := suppressed(t, path)
			v := &visit{T: t, ctx: v.ctx}
			v.tab("open")
			v.choose(path)
			v.until(`document.querySelector("#top small").textContent.includes("` + name + `")`)
			v.opened()
			v.protect()
			seen := ".cell.s-sensitive, .cell.s-secondary"
			if len(want) == 0 { // sensitive cells show where nothing protects them
				seen = ".cell.s-secondary"
			}
			got := js[[]string](v, `[...document.querySelectorAll("`+seen+`")].map((e) => e.dataset.name)`)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("the page withholds %s, the command %s", got, want)
			}
		})
	}
	v.shot("last")
	t.Run("release", func(t *testing.T) { (&visit{T: t, ctx: v.ctx}).releases("../../testdata/microdata/salaries.csv") })
}

// releases makes a release of a file of records, and wants of the command, under the policy and with the secret that the page saves, the same bytes.
func (v *visit) releases(path string) {
	v.tab("open")
	v.choose(path)
	v.until(`document.querySelector('[data-key="torecords"]')`)
	v.settled()
	v.click(`[data-key="torecords"]`)
	v.click(`[data-key="partrelease"]`)
	v.until(`document.querySelector('form.release [name="confirmed"]')`)
	js[bool](v, `(() => {
		document.querySelector('form.release [name="confirmed"]').click();
		for (const [name, x] of [["k", "3"], ["risk", "1/3"]]) { const e = document.querySelector('form.release [name="' + name + '"]'); e.value = x; e.dispatchEvent(new Event("change")); }
		return true;
	})()`)
	v.click(`[data-key="searchrelease"]`)
	v.until(`document.querySelector("[data-part=release] .verdict.protected")`)
	v.settled()
	dir := v.TempDir()
	for name, words := range map[string]string{"policy.toml": "Policy", "seed": "Secret seed"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(v.saved(words)), 0o600); err != nil {
			v.Fatal(err)
		}
	}
	want := filepath.Join(dir, "want.csv")
	if out, err := exec.Command(program, "risk", "release", path, "--policy", filepath.Join(dir, "policy.toml"), "--seed-file", filepath.Join(dir, "seed"), "-o", want).CombinedOutput(); err != nil {
		v.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(want)
	if err != nil {
		v.Fatal(err)
	}
	if got := v.saved("Release"); len(text) == 0 || got != string(text) {
		v.Errorf("the page writes\n%s\nthe command\n%s", got, text)
	}
}

// suppressed is what the command withholds, names of cells in order.
func suppressed(t *testing.T, args ...string) []string {
	t.Helper()
	text, err := exec.Command(program, append([]string{"suppress", "--json"}, args...)...).Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: nothing protects the table
		t.Fatal(err)
	}
	var doc struct{ Codes [][]string }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, c := range doc.Codes {
		names = append(names, strings.Join(c, "/"))
	}
	slices.Sort(names)
	return names
}
