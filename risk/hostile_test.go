package risk

import (
	"bytes"
	"compress/gzip"
	"context"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// A few compressed KB are not followed into gigabytes of text.
func TestPackedText(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("a,b\n"))
	for range 1 << 10 {
		z.Write([]byte(strings.Repeat("\n", 1<<15)))
	}
	z.Close()
	columns := must.Get(NewColumns("a"))(t)
	s := must.Get(NewScanner(Layout{Workers: 1}, columns, nil, func() *Classes { return NewClasses(columns, 1) }))(t)
	const want = "times their size; unpack the file first, if it is meant to hold as much"
	if err := s.Read(context.Background(), &b, "f"); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want … %s", err, want)
	}
}
