package work

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// A limit ends its context and those made of it, and no other, within the call of Spend that reaches it.
func TestLimits(t *testing.T) {
	t.Parallel()
	ctx := Metered(t.Context())
	outer, stop := Limited(ctx, Now(ctx), 10)
	defer stop()
	inner, end := Limited(outer, Now(ctx), 4)
	if at, ok := Deadline(inner); !ok || Until(inner, at) != 4 {
		t.Errorf("the inner limit is in %v, %v", Until(inner, at), ok)
	}
	below, cancel := context.WithCancel(inner)
	defer cancel()
	Spend(outer, 3)
	if below.Err() != nil {
		t.Error("ended before the limit")
	}
	Spend(below, 1)
	if below.Err() == nil || outer.Err() != nil || !errors.Is(context.Cause(below), context.DeadlineExceeded) {
		t.Errorf("at the inner limit: %v, %v; %v", context.Cause(below), below.Err(), outer.Err())
	}
	end()
	wide, end := Limited(outer, Now(ctx), 100)
	defer end()
	if at, _ := Deadline(wide); Until(ctx, at) != 6 {
		t.Errorf("an inner limit beyond the outer one ends in %v", Until(ctx, at))
	}
	Spend(ctx, 6)
	if wide.Err() == nil || outer.Err() == nil || ctx.Err() != nil {
		t.Errorf("at the outer limit: %v, %v, %v", wide.Err(), outer.Err(), ctx.Err())
	}
	if late, end := Limited(ctx, Now(ctx).Add(-5), 5); late.Err() == nil {
		t.Error("a limit that is over has not ended its context")
	} else {
		end()
	}
}

// Pieces of work take turns of 1, 2, 4 …, one at a time, until a limit ends all.
func TestTurns(t *testing.T) {
	t.Parallel()
	for limit, want := range map[time.Duration][]int{
		0:  {3, 20, 9},
		12: {3, 6, 3}, // turns of 1, of 2 and, of the two that are not done, 3 of 4
		17: {3, 7, 7},
	} {
		ctx := Metered(t.Context())
		ctx, stop := Limited(ctx, Now(ctx), limit)
		defer stop()
		did := []int{3, 20, 9}
		Turns(ctx, len(did), 1, func(i int) {
			n := 0
			for ; n < did[i] && ctx.Err() == nil; n++ {
				Spend(ctx, 1)
			}
			did[i] = n
		})
		if !slices.Equal(did, want) {
			t.Errorf("limit %d: %v, want %v", limit, did, want)
		}
	}
}
