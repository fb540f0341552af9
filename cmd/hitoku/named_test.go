package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/test/filetest"
	"github.com/hitoku/hitoku/internal/test/must"
)

var (
	goFile   = regexp.MustCompile("`([a-z_/]+\\.go)`")
	goRun    = regexp.MustCompile(`go (?:test|doc)([^` + "`" + `|#\n]*) \./([a-z/]+)([^` + "`" + `|#\n]*)`)
	packaged = regexp.MustCompile("[Pp]ackage `([a-z_/]+)`")
	testName = regexp.MustCompile("`(Test[A-Z][A-Za-z]*)`")
	runFlag  = regexp.MustCompile(`-run '?([A-Za-z]+)`)
	function = regexp.MustCompile(`(?m)^func (Test[A-Za-z]*)\(`)
)

// TestNamed asks that what pages name of the source is there: files, packages and tests.
func TestNamed(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	files, tests := map[string]bool{}, map[string][]string{} // by base and path; by package
	all := map[string]bool{}
	packages := map[string]bool{} // by every end of their paths
	filetest.Walk(t, root, func(file, text string) {
		files[file], files[path.Base(file)] = true, true
		for name := path.Dir(file); ; {
			packages[name] = true
			_, rest, below := strings.Cut(name, "/")
			if !below {
				break
			}
			name = rest
		}
		if !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "adversary") {
			return
		}
		for _, m := range function.FindAllStringSubmatch(text, -1) {
			tests[path.Dir(file)] = append(tests[path.Dir(file)], m[1])
			all[m[1]] = true
		}
	}, ".go")
	named := 0
	for _, page := range append(pages(t), "../../ARCHITECTURE.md", "../../CONTRIBUTING.md") {
		b := must.Get(os.ReadFile(page))(t)
		text, page := string(b), filepath.Base(page)
		for _, m := range goFile.FindAllStringSubmatch(text, -1) {
			if named++; !files[m[1]] {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
		for _, m := range packaged.FindAllStringSubmatch(text, -1) {
			if named++; !packages[m[1]] {
				t.Errorf("%s names package %s, which is not there", page, m[1])
			}
		}
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			if named++; !all[m[1]] {
				t.Errorf("%s names %s, which is no test", page, m[1])
			}
		}
		for _, m := range goRun.FindAllStringSubmatch(text, -1) {
			named++
			dir := strings.TrimSuffix(m[2], "/")
			if _, err := fs.Stat(root, dir); err != nil {
				t.Errorf("%s names ./%s: %v", page, dir, err)
			}
			run := runFlag.FindStringSubmatch(m[1] + m[3])
			if run == nil || strings.Contains(m[1], "'^$'") {
				continue
			}
			if !strings.Contains("\n"+strings.Join(tests[dir], "\n"), run[1]) {
				t.Errorf("%s: go test ./%s -run %s: no such test", page, dir, run[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("%d names found", named)
	}
}

// elsewhere are flags of other programs that pages name: hitoku-beam and its runners,
// hitoku-fleet, hitoku-duck, bq, Slurm.
var elsewhere = map[string]string{
	"beam.md":       "--runner --project --region --staging_location --result --endpoint --environment_type --environment_config --input --async --parts",
	"fleet.md":      "--listen --token-file --tls-cert --tls-key --tls-ca --server --store --alive --hitoku",
	"risk_sql.md":   "--use_legacy_sql",
	"install.md":    "--formula --build-arg --rm --network --user --ignore-missing",
	"slurm.md":      "--array --dependency --requeue --signal --parsable --job-name --cpus-per-task --mem-per-cpu --output",
	"kubernetes.md": "--from-file --timeout --for --rm --restart --image --overrides --replicas --token-file --tls-ca --server",
}

// TestNamedFlags asks that every flag that a page names is one of some verb.
func TestNamedFlags(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"--help": true}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		for _, fs := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			fs.VisitAll(func(f *pflag.Flag) { known["--"+f.Name] = true })
		}
		for _, c := range c.Commands() {
			add(c)
		}
	}
	add(newRoot(nil))
	flag := regexp.MustCompile(`(?:^|[\s` + "`" + `(\[])(--[a-z][a-z0-9_-]*)`)
	named := 0
	for _, page := range append(pages(t), "../../ARCHITECTURE.md", "../../SECURITY.md") {
		b := must.Get(os.ReadFile(page))(t)
		page := filepath.Base(page)
		for n, line := range strings.Split(string(b), "\n") {
			for _, m := range flag.FindAllStringSubmatch(line, -1) {
				if named++; !known[m[1]] && !strings.Contains(" "+elsewhere[page]+" ", " "+m[1]+" ") {
					t.Errorf("%s:%d: no verb has a flag %s", page, n+1, m[1])
				}
			}
		}
	}
	if named < 300 {
		t.Errorf("%d flags found", named)
	}
}
