package budget

import (
	"errors"
	"math"
	"strings"
	"testing"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// An input without end is refused at its limit, which Raise multiplies; what is as long as the limit is read.
func TestReadAll(t *testing.T) {
	defer Raise(1)
	const l Limit = 1 << 20
	for _, times := range []int64{1, 3} {
		Raise(times)
		_, err := ReadAll(zeros{}, l)
		if large, ok := errors.AsType[*TooLargeError](err); !ok || large.Limit != l {
			t.Errorf("endless: %v", err)
		}
		if b, err := ReadAll(strings.NewReader(strings.Repeat("a", int(times<<20))), l); err != nil || len(b) != int(times<<20) {
			t.Errorf("at the limit: %d bytes, %v", len(b), err)
		}
	}
	if _, err := ReadAll(zeros{}, l); err.Error() != "more than 3 MiB; --read-limit 6 raises the limits of input" {
		t.Error(err)
	}
	if Raise(1 << 40); Times() != MostTimes || Terms.Max() != math.MaxInt32-1 || Cells.Max() != 1<<30 || Text.Max() != 256<<30 {
		t.Errorf("raised to %d times: %d terms, %d cells, %d bytes", Times(), Terms.Max(), Cells.Max(), Text.Max())
	}
}
