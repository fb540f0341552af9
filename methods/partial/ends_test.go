package partial

import "testing"

func TestEndsOutward(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e            Ends
		v, below, to int64
	}{
		{Ends{}, 17, 17, 17},
		{Ends{Base: 5}, 17, 15, 20},
		{Ends{Base: 5}, -17, -20, -15},
		{Ends{Digits: 2}, 1234, 1200, 1300},
		{Ends{Digits: 2}, 99, 99, 99},
		{Ends{Digits: 1}, 99, 90, 100},
		{Ends{Base: 5, Digits: 1}, 99, 50, 100},
		{Ends{Digits: 2}, 0, 0, 0},
	} {
		if b, a := c.e.below(c.v), c.e.above(c.v); b != c.below || a != c.to {
			t.Errorf("%+v: %d in [%d, %d], want [%d, %d]", c.e, c.v, b, a, c.below, c.to)
		}
	}
}
