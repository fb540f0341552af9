package said

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func small(t *testing.T) *Catalogue {
	t.Helper()
	c, err := read(fstest.MapFS{"xx/a.toml": {Data: []byte(`
"stopped" = "止まった"
"want a number" = "数が要る"
"column %q: %s: %s" = "列{1}：{2}：{3:}"
"%d of %d cells (%.1f %%)" = "{2}セル中{1}（{3} %）"
"%s is larger than %s" = "{1}は{2}より大きい"
"the sum of %s is larger than %s" = "{1}の和は{2}より大きい"
"%s: with %s: odd" = "{2}つきの{1}は奇妙"
`)}}, "xx")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestMessage(t *testing.T) {
	c := small(t)
	for text, want := range map[string]string{
		"stopped":               "止まった",
		"stopped early":         "stopped early",
		"f.csv:3: stopped":      "f.csv:3: 止まった",
		"f.csv:3: stopped; a":   "f.csv:3: 止まった; a",
		"a: b: want a number":   "a: b: 数が要る",
		"3 of 12 cells (2.5 %)": "12セル中3（2.5 %）",
		"x of 12 cells (2.5 %)": "x of 12 cells (2.5 %)",
		"f.csv:3: column \"a: \\\"b\": 7: want a number": "f.csv:3: 列\"a: \\\"b\"：7：数が要る",
		"the sum of stopped is larger than 5":            "stoppedの和は5より大きい",
		"a: with stopped: odd":                           "stoppedつきのaは奇妙",
		"":                                               "",
		": ":                                             ": ",
	} {
		if got := c.Message(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := (*Catalogue)(nil).Message("stopped"); got != "stopped" {
		t.Errorf("without a catalogue: %q", got)
	}
}

// Only lines of the command change, however they are cut into writes.
func TestWriter(t *testing.T) {
	const text = "hit\nhitoku: stopped\n\rnode 3 stopped\nhitoku: f: stopped\nstopped\nhitoku: stopped"
	const want = "hit\nhitoku: 止まった\n\rnode 3 stopped\nhitoku: f: 止まった\nstopped\nhitoku: 止まった"
	for size := 1; size <= len(text); size++ {
		var b strings.Builder
		w := small(t).Writer(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("in writes of %d: %q", size, b.String())
		}
	}
}

func TestFor(t *testing.T) {
	for _, language := range []string{"", "en", "xx", "../ja", "ja/.."} {
		if c, err := For(language); c != nil || err != nil {
			t.Errorf("%q: %v, %v", language, c, err)
		}
	}
	c, err := For("ja")
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
}

// Messages that the command has said, one of a kind, leave no English sentence in Japanese: at most names and lists of what may be written.
func TestJapanese(t *testing.T) {
	c, err := For("ja")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	// What stays in English: flags, files, quoted text, verbs of the command, lists.
	keeps := regexp.MustCompile(`--[a-z-]+|"[^"]*"|\S+[.:/=_<]\S*|hitoku( [a-z-]+)+|[\w.-]+(, [\w.-]+)+`)
	word := regexp.MustCompile(`\b(the|is|are|an|and|or|not|want|to|in|with|by)\b`)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		got := c.Message(line)
		if got == line && word.MatchString(line) || len(word.FindAllString(keeps.ReplaceAllString(got, ""), -1)) > 0 {
			t.Errorf("%s\n\t%s", line, got)
		}
	}
}

// Every pair keeps what stands for the verbs of its message.
func TestHoles(t *testing.T) {
	c, err := For("ja")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.Concat(c.formats, c.labels.formats) {
		n := 0
		for _, v := range verb.FindAllString(f.key, -1) {
			if !strings.HasSuffix(v, "%") {
				n++
			}
		}
		used := make([]bool, n+1)
		for _, h := range hole.FindAllStringSubmatch(f.says, -1) {
			if k := int(h[1][0] - '0'); len(h[1]) != 1 || k < 1 || k > n {
				t.Errorf("%q: %s of %d verbs", f.key, h[0], n)
			} else {
				used[k] = true
			}
		}
		for k := 1; k <= n; k++ {
			if !used[k] {
				t.Errorf("%q: nothing of verb %d", f.key, k)
			}
		}
	}
}

// A name that is a heading elsewhere stays what it is in a message.
func TestLabel(t *testing.T) {
	c, err := For("ja")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"release", "value", "published"} {
		if got := c.Label(name); got == name {
			t.Errorf("%s is no heading", name)
		}
		if got := c.Message(name + ": optimal, cost 3: protected, 1 of 4 cells withheld (1 sensitive, 0 secondary)"); !strings.HasPrefix(got, name+":") || strings.Contains(got, "optimal") {
			t.Errorf("%q", got)
		}
	}
}
