//go:build !unix

package linear

import "time"

var start = time.Now()

// clock is the time of the wall, where nothing tells that of processors.
func clock() time.Duration { return time.Since(start) }
