package flags

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/layout"
)

// TestReadingEnds reads a file of which no byte comes until the command has ended.
func TestReadingEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	cancel()
	c := &layoutChoice{ctx: ctx}
	if s, err := c.open(r, "x.csv", "", layout.Options{}); err == nil || s != nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("%v, %v, want that reading was interrupted", s, err)
	}
	const text = "area,a,b,all\nnorth,1,2,3\nsouth,4,5,9\nall,5,7,12\n"
	c.ctx = t.Context()
	if s, err := c.open(strings.NewReader(text), "x.csv", "", layout.Options{}); err != nil || len(s.Reading.Tables) != 1 {
		t.Errorf("%v, want one table", err)
	}
}
