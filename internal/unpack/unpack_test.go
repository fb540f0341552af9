package unpack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

func packed(t *testing.T, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must.Get(io.CopyN(z, zeros{}, int64(size)))(t)
	must.Do(t, z.Close())
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestGzip(t *testing.T) {
	for _, tc := range []struct {
		size int
		ok   bool
	}{{0, true}, {1 << 20, true}, {freeText, true}, {2 * freeText, false}} {
		raw := packed(t, tc.size)
		r := bufio.NewReader(bytes.NewReader(raw))
		if !Is(r) {
			t.Fatal("not recognised")
		}
		u := must.Get(Gzip(r))(t)
		n, err := io.Copy(io.Discard, u)
		var large *TooLargeError
		switch {
		case !tc.ok && (!errors.As(err, &large) || n > Text(int64(len(raw)))):
			t.Errorf("%d: %d bytes, %v", tc.size, n, err)
		case tc.ok && (n != int64(tc.size) || err != nil):
			t.Errorf("%d: %d bytes, %v", tc.size, n, err)
		}
	}
	raw := packed(t, 1<<20)
	u := must.Get(Gzip(bufio.NewReader(bytes.NewReader(raw))))(t)
	if _, err := io.Copy(io.Discard, u); err != nil || u.Size() != int64(len(raw)) {
		t.Errorf("%d bytes taken of %d, %v", u.Size(), len(raw), err)
	}
	if Is(bufio.NewReader(bytes.NewReader([]byte("R,value\n")))) {
		t.Error("text is taken for gzip")
	}
	if Cells(1000, 4) != freeCells+4000 || Cells(1<<50, 4) != 1<<40 {
		t.Error("cells")
	}
}
