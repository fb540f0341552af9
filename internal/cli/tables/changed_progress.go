package tables

import (
	"fmt"
	"io"
	"time"

	"github.com/hitoku/hitoku/internal/integer"
)

// changeProgress draws how far a search has come, at most every second.
func changeProgress(w io.Writer) func(integer.Progress) {
	var last time.Time
	return func(p integer.Progress) {
		if time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		upper := "none"
		if p.Upper != integer.None {
			upper = fmt.Sprint(p.Upper)
		}
		fmt.Fprintf(w, "node %d   distance %s, at least %d, %.0fs\n", p.Nodes, upper, p.Lower, p.Seconds)
	}
}
