//go:build unix

package batch

import "syscall"

var machineErrors = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE, syscall.ENFILE}
