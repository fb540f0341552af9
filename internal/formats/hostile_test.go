package formats

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
)

// Large and crooked input is read in time and memory linear in it, or refused; with all
// pairs compared the sizes here would take minutes.
func TestHostile(t *testing.T) {
	const n = 50_000
	each := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	dir := t.TempDir()
	chain, long, deep, totals := filepath.Join(dir, "chain.csv"), filepath.Join(dir, "long.csv"), filepath.Join(dir, "deep.hrc"), filepath.Join(dir, "totals.csv")
	var parents, indents strings.Builder
	const levels = "more than 256 levels below the total; --read-limit 2 raises the limits of input"
	parents.WriteString("code,parent\n0,Total\n")
	for i := range n {
		if fmt.Fprintf(&parents, "%d,%d\n", i+1, i); i == 249 {
			put(t, chain, parents.String())
		}
	}
	for i := range 3000 {
		indents.WriteString(strings.Repeat("@", i) + fmt.Sprint(i) + "\n")
	}
	put(t, long, parents.String())
	put(t, deep, indents.String())
	put(t, totals, "code,parent\n"+each(n, "total%d,Total\n"))
	const remedy = "compressed bytes; unpack the file first, if it is meant to hold as much"
	for _, tc := range []struct {
		name, file, text string
		o                Options
		want             string
		each             int // bytes for each one read
	}{
		{"columns", "t.csv", each(n, "c%d,") + "value\n", Options{}, "50000 dimensions: want 1 to 6", 500},
		{"columns of a cross-tab", "t.csv", "r," + each(n, "c%d,") + "z\na" + strings.Repeat(",1", n+1) + "\n", Options{}, "", 2000},
		{"contributions", "t.csv", "R,value" + each(99, ",max%d") + "\n", Options{}, "max0: not a field", 500},
		{"empty fields", "t.csv", "r," + each(999, "c%d,") + "z\n" + each(300, "%d"+strings.Repeat(",", 1000)+"\n"), Options{}, "withheld, so the margin", 2000},
		{"codes that look like totals", "t.csv", "R,value\n" + each(n, "total%d,1\n"), Options{Hierarchies: map[string]string{"R": totals}}, "", 500},
		{"a chain", "t.csv", "R,value\n200,1\n", Options{Hierarchies: map[string]string{"R": chain}}, "", 500},
		{"a longer chain", "t.csv", "R,value\n50000,1\n", Options{Hierarchies: map[string]string{"R": long}}, "long.csv:258: column \"code\": 256: " + levels, 500},
		{"a chain for many", "t.csv", "R,C,value\n" + each(6000, "250,%d,1\n"), Options{Hierarchies: map[string]string{"R": chain}},
			"leave levels out, or give a table of margins", 500},
		{"a deep tree", "t.csv", "R,value\n2999,1\n", Options{Hierarchies: map[string]string{"R": deep}}, "deep.hrc:257: column \"code\": 256: " + levels, 500},
		{"JJ without cells", "t.jj", "0\n16777216\n", Options{}, "the file ends after 0 of 16777216 cells", 500},
		{"JJ without relations", "t.jj", "0\n1\n0 1 1 s 0 1 0 0 0\n100000000\n", Options{}, "the file ends after 0 of 100000000 relations", 500},
		{"packed fields", "t.csv.gz", memtest.Gzip("r,"+each(9999, "c%d,")+"z\n"+each(100, "%d"+strings.Repeat(",", 10000)+"\n"), "", 0), Options{}, remedy, 500},
		{"packed lines", "t.csv.gz", memtest.Gzip("R,value\n", strings.Repeat("a,1\n", 1<<12), 1<<7), Options{}, remedy, 500},
		{"packed JJ", "t.jj.gz", memtest.Gzip("0\n1000000\n"+each(100_000, "%d 0 0 s 0 0 0 0 0\n"), "", 0), Options{}, "the file ends after 100000 of 1000000 cells", 500},
		{"packed blanks", "t.jj.gz", memtest.Gzip("0\n", strings.Repeat(" ", 1<<19)+"0\n", 1<<8), Options{}, "want an integer from 1 to 16777216", 500},
		{"packed blank lines", "t.csv.gz", memtest.Gzip("R,value\n", strings.Repeat(" ", 1<<19)+"\n", 1<<8), Options{}, "times their size; unpack the file first, if it is meant to hold as much", 500},
	} {
		t.Run(tc.name, func(t *testing.T) {
			memtest.Bound(t, len(tc.text), 640<<20, tc.each, func() {
				_, err := ReadFrom(strings.NewReader(tc.text), tc.file, tc.o)
				if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%v, want … %s", err, tc.want)
				}
			})
		})
	}
}
