//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used so far.
func cpuTime() (time.Duration, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}

// usage returns the processor seconds and the maximum resident size of a process that has ended, nil if unknown.
func usage(p *os.ProcessState) (cpu *float64, rss *int64) {
	cpu = new((p.UserTime() + p.SystemTime()).Seconds())
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		size := int64(u.Maxrss)
		if runtime.GOOS != "darwin" { // which counts in bytes
			size <<= 10
		}
		rss = &size
	}
	return cpu, rss
}
