package risk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 40, 100_000} {
		var text strings.Builder
		text.WriteString("sex,id,tenth,house,code,age,some,empty,id2\n")
		for i := range n {
			some := ""
			if i%20 == 0 {
				some = fmt.Sprint("s", i)
			}
			// A value of tenth is that of another record for one in twelve, of house for all.
			fmt.Fprintf(&text, "%c,%d,%d,%d,%d,%d,%s,,\"x,%d\"\n", "fm"[i%2], i, max(i, n/12), i/2, max(i, n/5), i%7/6, some, i)
		}
		file := written(t, text.String())
		found := func(files ...string) []string {
			got, _ := must.Two(Identifying(t.Context(), files, Layout{}, "id2"))(t)
			return got
		}
		want := []string{"id", "tenth", "some"}
		if n == 2 {
			want = []string{"sex", "id", "tenth", "code"}
		}
		if got := found(file); !slices.Equal(got, want) {
			t.Errorf("%d records: %v, want %v", n, got, want)
		}
		if got := found(file, file); len(got) > 0 {
			t.Errorf("%d records twice: %v", n, got)
		}
	}
}
