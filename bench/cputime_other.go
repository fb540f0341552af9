//go:build !unix

package bench

import (
	"os"
	"time"
)

// cpuTime is not measured here.
func cpuTime() (time.Duration, bool) { return 0, false }

// usage returns the processor seconds of a process that has ended.
func usage(p *os.ProcessState) (cpu *float64, rss *int64) {
	return new((p.UserTime() + p.SystemTime()).Seconds()), nil
}
