package records

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// UTF-16 of either order is read as UTF-8, in pieces of any size; other text is as it was.
func TestNarrow(t *testing.T) {
	t.Parallel()
	const text = "地域,東𠮷\r\n1,2\n"
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", ""} {
		b := text
		if e := Wide([]byte(mark)); e != nil {
			var err error
			if b, err = e.NewEncoder().String(text); err != nil || !strings.HasPrefix(b, mark) {
				t.Fatalf("%q: %v", b, err)
			}
		}
		got, err := io.ReadAll(Narrow(bufio.NewReader(iotest.OneByteReader(strings.NewReader(b)))))
		if err != nil || string(got) != text {
			t.Errorf("%q: %q, %v", mark, got, err)
		}
	}
	for _, bad := range []string{"\xff\xfea\x00\x00\xd8b\x00", "\xff\xfea\x00b"} {
		var fault *Fault
		if got, err := io.ReadAll(Narrow(bufio.NewReader(strings.NewReader(bad)))); !errors.As(err, &fault) {
			t.Errorf("%q: %q, %v", bad, got, err)
		}
	}
}
