package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Nothing a terminal obeys gets through a console, however the text is cut into writes, and
// JSON stays the same value.
func TestConsole(t *testing.T) {
	runes := rapid.SampledFrom([]rune("a秘\x1b\r\n\t\x00\x7f\u009b\u202e\u2066\u2029\"\\é𝕏"))
	rapid.Check(t, func(t *rapid.T) {
		label := string(rapid.SliceOf(runes).Draw(t, "label"))
		doc, err := json.Marshal(label)
		if err != nil {
			t.Fatal(err)
		}
		var shown bytes.Buffer
		c := &console{w: &shown}
		for rest := doc; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "write")
			if k, err := c.Write(rest[:n]); k != n || err != nil {
				t.Fatal(k, err)
			}
			rest = rest[n:]
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.IndexFunc(shown.String(), steers) >= 0 {
			t.Fatalf("%q is written", shown.String())
		}
		var back string
		if err := json.Unmarshal(shown.Bytes(), &back); err != nil || back != label {
			t.Fatalf("%q becomes %q, %v", label, back, err)
		}
		if strings.IndexFunc(Visible(label), steers) >= 0 {
			t.Fatalf("%q is not visible", Visible(label))
		}
	})
	var shown bytes.Buffer
	c := &console{w: &shown}
	c.Write([]byte("a\x9bb\xe7\xa7"))
	c.Close()
	if got := shown.String(); got != `a\x9bb\xe7\xa7` {
		t.Errorf("%q", got)
	}
}
