package flags

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/records"
)

// JSON returns the flag for printing documents instead of text.
func JSON(to *bool, text string) Flag { return Flag{Name: "json", To: to, Text: text, Run: true} }

// Quiet returns the flag for leaving out progress.
func Quiet(to *bool) Flag {
	return Flag{Name: "quiet", Short: "q", To: to, Run: true, Text: "no progress on a terminal"}
}

// A Clock is the flag --wall-limit.
type Clock struct{ limit time.Duration }

// Flag returns its flag.
func (c *Clock) Flag() Flag {
	return Flag{Name: "wall-limit", Rare: true, To: &c.limit, Range: "[0, ∞)", Text: "stop by the clock after this `time`, as Ctrl-C would, and say so: what is found by then depends on the machine", Else: "none"}
}

// Start returns ctx with the time limit, if there is one; stop reports to words that it was reached.
func (c *Clock) Start(ctx context.Context, words io.Writer) (by context.Context, stop func()) {
	if c.limit <= 0 {
		return ctx, func() {}
	}
	by, end := context.WithTimeout(ctx, c.limit)
	return by, func() {
		if by.Err() == context.DeadlineExceeded {
			cli.Note(words, "stopped by the clock (--wall-limit %v): another machine, or this one with other things to do, may find another pattern", c.limit)
		}
		end()
	}
}

// Encoding returns the flag for the encoding of text files.
func Encoding(to *string, of string) Flag {
	names := []string{"utf-8", "cp932", "cp1252"}
	known := choice(to, names, func(s string) string { // also by the names that other programs use
		if name := records.Named(s); slices.Contains(names, name) {
			return name
		}
		return s
	})
	return Flag{Name: "encoding", To: known, Offer: names, Text: "encoding of " + of, Else: "found out", More: "sjis is another name of cp932"}
}
