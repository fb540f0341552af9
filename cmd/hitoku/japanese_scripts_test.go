package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

var (
	// inScript is a line of a script that runs hitoku within the test; what is interrupted or goes on in the background needs a process.
	inScript = regexp.MustCompile(`^(\[[^]]*\] )?(! )?(exec|exitcode \d|attempt) hitoku (.*[^&])$`)
	// noProse is no prose: file names, numbers, flags, what is quoted, commands, and names with capitals or signs inside.
	noProse = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|'[^']*'|https?://\\S+|hitoku( [a-z][a-z-]*)+|--?[a-z][a-z-]*(=\\S+)?|<[^<>]*>|[^\\s（）、：。]*[./_=\\d|*{}@][^\\s（）、：。]*")
	// prose are three words in a row; a tab or two blanks end a column.
	prose = regexp.MustCompile(`[A-Za-z][A-Za-z'’-]*(?: [A-Za-z][A-Za-z'’-]*){2,}`)
	words = regexp.MustCompile(`[A-Za-z][A-Za-z'’-]*`)
	// hidden are the parts of a page that nobody reads, and its tags.
	hidden = regexp.MustCompile(`(?s)<(script|style|code|pre)\b.*?</(script|style|code|pre)>|<!--.*?-->`)
	tags   = regexp.MustCompile(`<[^<>]*>`)
)

// stays are lines that stay English in every language, with the reason.
var stays = []struct{ line, why string }{
	{`^Completion ended with directive`, "cobra tells it to scripts of shells"},
	{`invalid character .* looking for`, "what the reader of JSON says"},
	{`error parsing regexp`, "what the reader of regular expressions says"},
	{`^hitoku version `, "cobra's line of --version"},
	{`^hitoku: .*: want en`, "the language asked for is none, so that it is said in English"},
	{`^\s*(SELECT|records|classes|data|people|counted|tuples|CASE|SUM|COALESCE|FROM|WITH)\b`, "SQL"},
	{`(19|20)[0-9]{2}|Venkit`, "names of papers and their authors"},
	{`/ 7 = 10/7, as the room of`, "a sum as documents have it"},
	{`(not tried after|over the limit|^なし：lp: back end)`, "remarks that a document of measurements keeps"},
}

// inEnglish are commands whose output programs read, or whose pages have a flag of their own for their language.
var inEnglish = regexp.MustCompile(`^(completion|schema \S|arb)|--json\b|--lang|--page |\bman\b`)

var (
	// unsaid are commands of which nothing is looked at but files that they write; writes names the flags of these.
	unsaid = regexp.MustCompile(`--json\b`)
	writes = regexp.MustCompile(` -o\b| --(save-[a-z]+|certificate|csv|links|plot|office|log|mapping|patterns)\b`)
	// cheaper makes long commands say the same of less.
	cheaper = strings.NewReplacer("--repeat 2", "--repeat 1", "--verify 4x4-n1510-1 5x5-fs-1", "--verify 4x4-n1510-1")
)

// printedFor reports whether a line of a script other than a comparison reads what the command in line k prints.
func printedFor(script []string, k int) bool {
	for _, line := range script[k+1:] {
		if inScript.MatchString(line) {
			return false
		}
		if file, ok := strings.CutPrefix(line, "cp stdout "); ok {
			return slices.ContainsFunc(script, func(l string) bool {
				return strings.Contains(l, file) && !regexp.MustCompile(`^(! )?(cp|cmp|steady|grep) `).MatchString(l)
			})
		}
	}
	return false
}

// remains reports whether a line of a command may stay English.
func remains(command, line string) bool {
	if inEnglish.MatchString(command) {
		return true
	}
	for _, s := range stays {
		if regexp.MustCompile(s.line).MatchString(line) {
			return true
		}
	}
	return strings.HasPrefix(line, "{")
}

// foreign are the words of text that stay English in it: three and more in a row that are none of the data's.
func foreign(text string, data map[string]bool) []string {
	var found []string
	for _, run := range prose.FindAllString(noProse.ReplaceAllString(text, "·"), -1) {
		n := 0
		for _, w := range words.FindAllString(run, -1) {
			if n++; data[w] {
				n = 0
			}
			if n == 3 {
				found = append(found, run)
				break
			}
		}
	}
	return found
}

// A quiet is a test whose outcome is not asked.
type quiet struct{}

func (quiet) Skip(...any)   { runtime.Goexit() }
func (quiet) Fatal(...any)  { runtime.Goexit() }
func (quiet) FailNow()      { runtime.Goexit() }
func (quiet) Log(...any)    {}
func (quiet) Parallel()     {}
func (quiet) Verbose() bool { return false }
func (quiet) Run(_ string, f func(testscript.T)) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f(quiet{})
	}()
	<-done
}

// What the commands of all scripts print, and the pages they write, has no English sentence in Japanese.
func TestSaidInJapanese(t *testing.T) {
	data := must.Get(filepath.Abs("../../testdata"))(t)
	scripts := must.Get(filepath.Glob("testdata/script/*.txtar"))(t)
	home := must.Get(os.Getwd())(t)
	t.Cleanup(func() { os.Chdir(home); cli.Speak() })
	dir := t.TempDir()
	share := 10
	if heavy.On() {
		share = 1
	}
	for k, script := range scripts {
		if k%share != 0 {
			continue
		}
		text := must.Get(os.ReadFile(script))(t)
		head, files, _ := strings.Cut(string(text), "\n-- ")
		var lines []string
		all := strings.Split(head, "\n")
		for k, line := range all {
			switch m := inScript.FindStringSubmatch(line); {
			case m != nil && unsaid.MatchString(m[4]) && !writes.MatchString(m[4]) && !printedFor(all, k):
				continue
			case m != nil:
				line = m[1] + "say " + cheaper.Replace(m[4])
			case strings.HasPrefix(line, "cp stdout "):
				line = "keep" + strings.TrimPrefix(line, "cp stdout")
			case strings.HasPrefix(line, "env L"), strings.HasPrefix(line, "interrupt "), strings.HasPrefix(line, "orphan "), strings.HasSuffix(line, "&"):
				continue // a language of its own, or a process
			}
			lines = append(lines, line)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, filepath.Base(script)), []byte(strings.Join(lines, "\n")+"\n-- "+files), 0o666))
	}
	var printed []byte // by the last command
	said := 0
	type version struct {
		path string
		size int64
		at   time.Time
	}
	known := map[version][]string{} // words of files, as most stay from one command to the next
	own := func(ts *testscript.TestScript) map[string]bool {
		all := map[string]bool{}
		filepath.WalkDir(ts.Getenv("WORK"), func(path string, d os.DirEntry, err error) error {
			if err != nil || !slices.Contains([]string{".csv", ".rda", ".hrc", ".px", ".toml", ".json", ".tsv"}, filepath.Ext(path)) {
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return nil
			}
			v := version{path, info.Size(), info.ModTime()}
			if _, ok := known[v]; !ok {
				b, _ := os.ReadFile(path)
				known[v] = words.FindAllString(string(b[:min(len(b), 1<<16)]), -1)
				slices.Sort(known[v])
				known[v] = slices.Compact(known[v])
			}
			for _, w := range known[v] {
				all[w] = true
			}
			return nil
		})
		return all
	}
	testscript.RunT(quiet{}, testscript.Params{
		Dir:             dir,
		ContinueOnError: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATA", data)
			return nil
		},
		Condition: func(name string) (bool, error) { return slices.Contains(lp.Backends(), name), nil },
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"keep": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), printed, 0o666))
			},
			"say": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(os.Chdir(ts.MkAbs(".")))
				var stdout, stderr bytes.Buffer
				called := strings.Join(args, " ")
				before := own(ts)
				for _, a := range args {
					for _, w := range words.FindAllString(a, -1) {
						before[w] = true
					}
				}
				run(append([]string{"--lang", "ja"}, args...), strings.NewReader(""), &stdout, &stderr)
				printed = stdout.Bytes()
				for _, text := range []string{stdout.String(), stderr.String()} {
					for line := range strings.Lines(text) {
						said++
						if f := foreign(line, before); f != nil && !remains(called, line) {
							t.Errorf("%s: hitoku %s: %q stays English: %s", ts.Name(), called, f, line)
						}
					}
				}
				for _, a := range args {
					if filepath.Ext(a) != ".html" {
						continue
					}
					page, err := os.ReadFile(a)
					if err != nil {
						continue
					}
					seen := tags.ReplaceAllString(hidden.ReplaceAllString(string(page), ""), "\n")
					for line := range strings.Lines(seen) {
						if f := foreign(line, before); f != nil && !remains(called+" PAGE", line) {
							t.Errorf("%s: hitoku %s: %q stays English on %s: %s", ts.Name(), called, f, a, line)
						}
					}
				}
			},
		},
	})
	if said < 5000/share {
		t.Errorf("%d lines", said)
	}
}
