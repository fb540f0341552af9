package px

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A file in UTF-16 is read and written back so, whatever CODEPAGE says.
func TestUTF16(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		e := records.Wide([]byte(mark))
		text := strings.Replace(minimal, "DATA", "CODEPAGE=\"windows-1252\";\nNOTE=\"東𠮷\";\nDATA", 1)
		coded := must.Get(e.NewEncoder().String(text))(t)
		in := must.Get(ReadFrom(strings.NewReader(coded), "t.px", formats.Options{}))(t)
		var b strings.Builder
		must.Do(t, formats.Write(&b, in, make([]bool, in.Table.Len())))
		if back, err := e.NewDecoder().String(b.String()); err != nil || !strings.HasPrefix(b.String(), mark) || !strings.Contains(back, "東𠮷") {
			t.Errorf("%q: %v", back, err)
		}
	}
}
