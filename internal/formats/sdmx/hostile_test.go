package sdmx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/memtest"
)

// Wide headers are read in linear time, and a field without end is not read to its end.
func TestHostile(t *testing.T) {
	var wide strings.Builder
	for n := range 100_000 {
		fmt.Fprintf(&wide, "c%d,", n)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"columns", "STRUCTURE,STRUCTURE_ID," + wide.String() + "OBS_VALUE\nX,Y" + strings.Repeat(",a", 100_000) + ",1\n", ""},
		{"many columns with codes", "STRUCTURE," + wide.String() + "OBS_VALUE\nX" + strings.Repeat(",a", 100_000) + ",1\nX" + strings.Repeat(",b", 100_000) + ",1\n", "want 1 to 6"},
		{"a field without end", "STRUCTURE,R,OBS_VALUE\nX,\"" + strings.Repeat("a\n", 10_000_000), `t.csv:2: a record longer than 1048576 bytes, or a quote " that is not closed`},
		{"a line without end", "STRUCTURE,R,OBS_VALUE\nX," + strings.Repeat("a,", 10_000_000), `t.csv:2: a record longer than 1048576 bytes, or a quote " that is not closed`},
		{"a header without end", "STRUCTURE," + strings.Repeat("a,", 10_000_000), `t.csv:1: a record longer than 1048576 bytes, or a quote " that is not closed`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			memtest.Bound(t, min(len(tc.text), 2<<20), 48<<20, 200, func() {
				_, err := ReadFrom(strings.NewReader(tc.text), "t.csv", formats.Options{})
				if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%.200v, want … %s", err, tc.want)
				}
			})
		})
	}
}
