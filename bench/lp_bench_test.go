package bench

import (
	"errors"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all" // every back end of this build
)

// BenchmarkLP has the cases of hitoku bench lp, one op a pass; back ends that need more
// than a second for it are skipped there and in the later cases of the kind.
func BenchmarkLP(b *testing.B) {
	over := map[[2]string]bool{} // kind and back end
	for _, c := range LPCases() {
		b.Run(c.Name, func(b *testing.B) {
			for _, name := range lp.Backends() {
				b.Run(name, func(b *testing.B) {
					key := [2]string{c.Kind, name}
					if over[key] {
						b.Skip("over the limit in an earlier case")
					}
					if !benchmarkLP(b, c, name) {
						over[key] = true
						b.Skip("over the limit")
					}
				})
			}
		})
	}
}

func benchmarkLP(b *testing.B, c *LPCase, name string) (within bool) {
	w, err := c.load()
	if err != nil {
		b.Fatal(err)
	}
	t := &lpTrial{work: w, BenchLPCase: &document.BenchLPCase{LP: name}}
	switch _, err := t.held(b.Context(), time.Second, 1, nil); {
	case errors.Is(err, errOverLimit):
		return false
	case err != nil:
		b.Fatal(err)
	}
	s := w.begin(name, &t.got)
	if err := s.start(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.pass(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w.solves), "ns/solve")
	if err := s.close(); err != nil {
		b.Fatal(err)
	}
	if t.got.differ > 0 {
		b.Errorf("%d of %d answers differ: %s", t.got.differ, t.got.checked, t.got.words)
	}
	return true
}
