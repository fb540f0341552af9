package browser

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var site = flag.String("site", "", "folder that make site has written")

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
