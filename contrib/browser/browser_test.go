// Package browser tries the page of hitoku open in a real browser, headless Chromium. It is a module of its own for
// the protocol by which the browser is driven.
package browser

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long a state is waited for: long, as a machine may be slow and have much else to do.
const patience = 2 * time.Minute

var (
	shots   = flag.String("shots", "", "folder for screenshots")
	program string // hitoku
	chrome  string
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

// run builds the command and finds the browser; without one the tests skip.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hitoku-browser")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if chrome, err = exec.LookPath(name); err == nil {
			break
		}
	}
	program = filepath.Join(dir, "hitoku")
	build := exec.Command("go", "build", "-o", program, "./cmd/hitoku")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
		return 1
	}
	return m.Run()
}

// A visit is a browser with the page of a hitoku open of its own.
type visit struct {
	*testing.T
	ctx   context.Context
	ended chan struct{} // the server has
}

// open starts hitoku open with files and a browser on its page.
func open(t *testing.T, files ...string) *visit {
	t.Helper()
	if chrome == "" {
		t.Skip("no Chromium on this machine")
	}
	return openIn(t, t.TempDir(), files...)
}

// openIn keeps sessions in a folder.
func openIn(t *testing.T, state string, args ...string) *visit {
	t.Helper()
	serve := exec.Command(program, append([]string{"open", "--no-browser"}, args...)...)
	serve.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	words, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { serve.Process.Kill(); <-ended })
	line, err := bufio.NewReader(words).ReadString('\n')
	_, address, ok := strings.Cut(line, "the page is ")
	if !ok {
		t.Fatalf("%q, %v", line, err)
	}
	go func() { io.Copy(io.Discard, words); serve.Wait(); close(ended) }()
	v := browse(t, strings.TrimSpace(address))
	v.ended = ended
	return v
}

// browse opens a page in a browser of its own, and fails the test where the page throws or the browser complains.
func browse(t *testing.T, address string) *visit {
	t.Helper()
	if chrome == "" {
		t.Skip("no Chromium on this machine")
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(chrome), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("lang", "en"), chromedp.WindowSize(1400, 900), chromedp.UserDataDir(t.TempDir()))
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(alloc)
	t.Cleanup(end)
	ctx, late := context.WithTimeout(ctx, 10*patience)
	t.Cleanup(late)
	v := &visit{T: t, ctx: ctx}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil { // the browser lives as long as the context of its first action
		t.Fatal(err)
	}
	go func() { // until the context ends
		for m, err := range chromedp.Console(ctx) {
			if err != nil {
				return
			}
			if m.IsException() {
				v.Errorf("the page throws: %s", m)
			} else if m.Type == "error" && !strings.Contains(m.Text, "the server responded with a status of 422") {
				v.Errorf("the browser says: %s", m)
			}
		}
	}()
	v.do(chromedp.Navigate(address))
	return v
}

// do runs actions.
func (v *visit) do(actions ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	ctx, late := context.WithTimeout(v.ctx, patience)
	defer late()
	if err := chromedp.Do(ctx, actions...); err != nil {
		v.shot("failed")
		v.Fatal(err)
	}
}

// js evaluates an expression of the page.
func js[T any](v *visit, expression string) T {
	v.Helper()
	got, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		v.shot("failed")
		v.Fatalf("%s: %v", expression, err)
	}
	return got
}

// until waits for an expression to become true.
func (v *visit) until(expression string) { v.Helper(); v.within(patience, expression) }

// within asks again and again: a Poll of chromedp asks the document that it knows of, which just after a navigation may be the one before.
func (v *visit) within(patience time.Duration, expression string) {
	v.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		yes, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && yes {
			return
		}
		if v.ctx.Err() != nil || time.Now().After(end) {
			v.shot("failed")
			v.Fatalf("%s: not within %v (%v)\nthe page says: %s", expression, patience, err, v.says())
		}
	}
}

// says is the last message of the page.
func (v *visit) says() string {
	s, _ := chromedp.Run(v.ctx, chromedp.Evaluate[string](`document.getElementById("live").textContent`))
	return s
}

// shot keeps a picture of the page.
func (v *visit) shot(name string) {
	if *shots == "" {
		return
	}
	if png, err := chromedp.Run(v.ctx, chromedp.CaptureScreenshot()); err == nil {
		os.MkdirAll(*shots, 0o755)
		os.WriteFile(filepath.Join(*shots, strings.ReplaceAll(v.Name(), "/", "-")+"-"+name+".png"), png, 0o644)
	}
}

// click clicks on the first element that a selector of CSS finds. It looks for it again where the page has drawn it anew in between: its node is gone then, before the mouse went down.
func (v *visit) click(selector string) {
	v.Helper()
	ctx, late := context.WithTimeout(v.ctx, patience)
	defer late()
	for {
		err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector)))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "node with given id") {
			v.shot("failed")
			v.Fatalf("%s: %v", selector, err)
		}
	}
}

// tab turns to a part of the page.
func (v *visit) tab(name string) { v.Helper(); v.click("#tab-" + name) }

// set puts a value into a field of the rules and leaves it.
func (v *visit) set(field, value string) {
	v.Helper()
	js[bool](v, fmt.Sprintf(`(() => { const e = document.querySelector('[name="%s"]'); e.value = %q; e.dispatchEvent(new Event("change")); return true; })()`, field, value))
}

// everywhere turns to every part, in both languages.
func (v *visit) everywhere(do func(lang, tab string)) {
	v.Helper()
	for _, lang := range []string{"en", "ja"} {
		if js[string](v, `document.documentElement.lang`) != lang {
			v.click("#lang")
		}
		for _, tab := range []string{"open", "sheet", "table", "compare", "intruder", "out", "micro"} {
			v.tab(tab)
			v.settled()
			do(lang, tab)
		}
	}
}

// settled waits until every call of the page is answered and shown.
func (v *visit) settled() { v.Helper(); v.until(`document.body.dataset.calls === "0"`) }

// opened waits for a table on the page, its cells marked.
func (v *visit) opened() {
	v.Helper()
	v.until(`document.querySelectorAll(".cell").length > 5`)
	v.settled()
}

// choose gives files to the page, as the dialog that chooses them does.
func (v *visit) choose(paths ...string) { v.Helper(); v.chooseAt("#files", paths...) }

func (v *visit) chooseAt(field string, paths ...string) {
	v.Helper()
	for k, path := range paths {
		whole, err := filepath.Abs(path)
		if err != nil {
			v.Fatal(err)
		}
		paths[k] = whole
	}
	v.do(chromedp.SetUploadFiles(chromedp.CSS(field), paths))
}

// button presses the button of some words in a part of the page.
func (v *visit) button(part, words string) {
	v.Helper()
	if !js[bool](v, fmt.Sprintf(`(() => { const b = [...document.querySelectorAll(%q + " button")].find((b) => b.textContent === %q); b?.click(); return !!b; })()`, part, words)) {
		v.shot("failed")
		v.Fatalf("%s: no button %q", part, words)
	}
}

// protect starts a run and waits for its end.
func (v *visit) protect() {
	v.Helper()
	runs := js[int](v, ran)
	v.click("button.go")
	v.until(fmt.Sprintf(`%s > %d`, ran, runs))
	v.settled()
}

// ran counts the runs that have ended.
const ran = `+document.body.dataset.runs`
