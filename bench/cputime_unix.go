//go:build unix

package bench

import "syscall"

// cpuSeconds returns the processor time that the process has used so far.
func cpuSeconds() (float64, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return float64((u.Utime.Nano()+u.Stime.Nano())/1e3) / 1e6, true
}
