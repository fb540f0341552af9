package heap

import (
	"container/heap"
	"testing"

	"pgregory.net/rapid"
)

type item struct{ rank, name int }

func (a item) Before(b item) bool { return a.rank < b.rank }

type boxed []item

func (h boxed) Len() int           { return len(h) }
func (h boxed) Less(a, b int) bool { return h[a].Before(h[b]) }
func (h boxed) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }
func (h *boxed) Push(x any)        { *h = append(*h, x.(item)) }
func (h *boxed) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// Elements come in the order of container/heap, those of equal rank too.
func TestHeap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var ours Heap[item]
		var theirs boxed
		for name, rank := range rapid.SliceOfN(rapid.IntRange(0, 5), 0, 20).Draw(r, "start") {
			ours, theirs = append(ours, item{rank, name}), append(theirs, item{rank, name})
		}
		ours.Init()
		heap.Init(&theirs)
		for name, rank := range rapid.SliceOfN(rapid.IntRange(-5, 5), 0, 60).Draw(r, "steps") {
			if rank >= 0 {
				ours.Push(item{rank, 100 + name})
				heap.Push(&theirs, item{rank, 100 + name})
			} else if len(ours) > 0 {
				if x, y := ours.Pop(), heap.Pop(&theirs).(item); x != y {
					t.Fatalf("%v, want %v", x, y)
				}
			}
		}
		for len(ours) > 0 {
			if x, y := ours.Pop(), heap.Pop(&theirs).(item); x != y {
				t.Fatalf("%v, want %v", x, y)
			}
		}
		if len(theirs) > 0 {
			t.Fatal("elements are missing")
		}
	})
}
