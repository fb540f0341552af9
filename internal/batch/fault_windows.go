package batch

import "syscall"

// ERROR_TOO_MANY_OPEN_FILES, ERROR_WRITE_PROTECT, ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL, ERROR_DISK_QUOTA_EXCEEDED.
var machineErrors = []error{syscall.Errno(4), syscall.Errno(19), syscall.Errno(39), syscall.Errno(112), syscall.Errno(1295)}
