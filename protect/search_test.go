package protect

import (
	"testing"
	"time"
)

func TestSearchTime(t *testing.T) {
	for _, c := range []struct{ limit, reading, want time.Duration }{
		{10 * time.Second, time.Second, 8900 * time.Millisecond},
		{time.Second, 2 * time.Second, time.Nanosecond},
	} {
		if got := searchTime(c.limit, c.reading); got != c.want {
			t.Errorf("%v after reading for %v: %v, want %v", c.limit, c.reading, got, c.want)
		}
	}
}
