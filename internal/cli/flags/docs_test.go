package flags

import (
	"strings"
	"testing"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	const end = "<!-- end of flags -->"
	pages := []string{"# A page\n\n<!-- flags verb -->\n" + end + "\n", "<!-- flags verb: Input, --proof -->\nold\n" + end + "\nrest"}
	got, err := Document(verb(func() {}), pages)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []string{"# A page\n\n<!-- flags verb -->\n**Output**\n\n" + "- `-o`, `--output file`: write to this file\n- `--uniform`: with -o: mark cells alike\n\n" + end + "\n", "- `--n number`: number of records (needed, or --k)\n"} {
		if !strings.Contains(got[k], want) {
			t.Errorf("page %d:\n%s\nwant:\n%s", k, got[k], want)
		}
	}
	if strings.Contains(got[1], "old") || strings.Contains(got[1], "--old") || !strings.Contains(got[1], "`--proof string`") || !strings.HasSuffix(got[1], end+"\nrest") {
		t.Errorf("page 1:\n%s", got[1])
	}
	for page, want := range map[string]string{
		"<!-- flags verb: Input -->\n" + end:  "no table has --output of hitoku verb",
		"<!-- flags word -->\n" + end:         `no verb "word"`,
		"<!-- flags verb: Search -->\n" + end: "there are none of Search",
	} {
		if _, err := Document(verb(func() {}), []string{page}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", page, err, want)
		}
	}
}
