package cli

import "testing"

// An input that could not be read outweighs a bad verdict, which outweighs a limit.
func TestWorst(t *testing.T) {
	order := []Code{Done, Limit, Verdict, Usage}
	for i, a := range order {
		for j, b := range order {
			if got := Worst(a, b); got != order[max(i, j)] {
				t.Errorf("worst(%d, %d) = %d, want %d", a, b, got, order[max(i, j)])
			}
		}
	}
}
