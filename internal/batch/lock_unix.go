//go:build unix

package batch

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other processes off f until it is closed or this process ends,
// however it ends.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
