//go:build unix

package linear

import (
	"syscall"
	"time"
)

// clock is the time that processors have spent on this process, which other work on the machine does not change much.
func clock() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
