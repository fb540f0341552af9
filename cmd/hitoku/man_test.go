package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
)

// TestMan asks for a page of every verb that the help knows, with every flag in it, and
// has groff read the pages where it is installed.
func TestMan(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	var stderr bytes.Buffer
	if code := run([]string{"man", dir}, strings.NewReader(""), &stderr, &stderr); code != cli.Done {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	pages := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" {
			return
		}
		pages++
		path := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
		page, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			return
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			head := regexp.MustCompile(`(?m)^\.TP\n\.B (\\-., )?` + regexp.QuoteMeta(escaped("--"+f.Name)) + `[ \n]`)
			if got := head.Match(page); got == f.Hidden {
				t.Errorf("%s: --%s on the page: %t", path, f.Name, got)
			}
		})
		for _, v := range c.Commands() {
			if !v.Hidden && v.Name() != "help" && !bytes.Contains(page, []byte(".B "+escaped(v.Name())+"\n")) {
				t.Errorf("%s: no verb %s", path, v.Name())
			}
			walk(v)
		}
		groff(t, path, c)
	}
	walk(newRoot(nil))
	if found, err := filepath.Glob(filepath.Join(dir, "*.1")); err != nil || len(found) != pages || pages < 30 {
		t.Errorf("%d pages for %d verbs, %v", len(found), pages, err)
	}
}

// groff wants no warning about a page, and its name and verb in what is shown.
func groff(t *testing.T, path string, c *cobra.Command) {
	if _, err := exec.LookPath("groff"); err != nil {
		return
	}
	out, err := exec.Command("groff", "-man", "-Tutf8", "-Kutf8", "-ww", path).CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("warning")) && !strings.Contains(c.Long+c.Short, "warning") {
		t.Errorf("groff %s: %v\n%.2000s", path, err, out)
	}
	if !bytes.Contains(out, []byte(c.Short)) && len(c.Short) < 40 {
		t.Errorf("groff %s: does not show %q", path, c.Short)
	}
}

// escaped is how a page of the manual has a word.
func escaped(s string) string { return strings.ReplaceAll(s, "-", `\-`) }
