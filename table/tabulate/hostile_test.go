package tabulate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Records full of quotes are read in linear time, and a few compressed KB are not followed into
// gigabytes of text.
func TestHostile(t *testing.T) {
	const head = "A,B,X,W,H,R\n"
	for _, tc := range []struct{ name, text, want string }{
		{"doubled quotes", head + strings.Repeat(fmt.Sprintf("a1,\"%s\",1,1,h,1\n", strings.Repeat(`""`, 400_000)), 3), ""},
		{"a quote without end", head + "a1,\"" + strings.Repeat("x", 3<<20), "line longer than 1048576 bytes"},
		{"packed blanks", memtest.Gzip(head, strings.Repeat(" ", 1<<16)+"\n", 1<<11), "times their size; unpack the file first, if it is meant to hold as much"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tab := must.Get(New(testSource(t), []Spec{{Dims: []string{"B"}, Response: "X"}}, 2))(t)
			memtest.Bound(t, len(tc.text), 64<<20, 50, func() {
				err := tab.Read(context.Background(), strings.NewReader(tc.text), "f")
				if (err == nil) != (tc.want == "") || err != nil && !strings.HasSuffix(err.Error(), tc.want) {
					t.Errorf("%.200v, want … %s", err, tc.want)
				}
			})
		})
	}
}
