// Package heap keeps a priority queue in a slice.
package heap

// A Heap holds elements; Pop takes the first one, which no other is Before. The zero value is empty. Elements of equal
// rank come in the same order as with package container/heap: the sifting (Floyd, Communications of the ACM 7(12),
// 1964) is the same, without boxing elements in interfaces.
type Heap[T interface{ Before(T) bool }] []T

// Init makes a heap of a slice in any order, in linear time.
func (h Heap[T]) Init() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i, len(h))
	}
}

// Push adds x in time O(log n).
func (h *Heap[T]) Push(x T) {
	*h = append(*h, x)
	s := *h
	for j := len(s) - 1; j > 0; {
		i := (j - 1) / 2
		if !s[j].Before(s[i]) {
			break
		}
		s[i], s[j] = s[j], s[i]
		j = i
	}
}

// Pop takes the first element of a heap that is not empty, in time O(log n).
func (h *Heap[T]) Pop() T {
	s := *h
	n := len(s) - 1
	s[0], s[n] = s[n], s[0]
	s.down(0, n)
	x := s[n]
	*h = s[:n]
	return x
}

// down sifts down element i of the first n.
func (h Heap[T]) down(i, n int) {
	for {
		j := 2*i + 1
		if j >= n {
			return
		}
		if k := j + 1; k < n && h[k].Before(h[j]) {
			j = k
		}
		if !h[j].Before(h[i]) {
			return
		}
		h[i], h[j] = h[j], h[i]
		i = j
	}
}
