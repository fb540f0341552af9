package batch

import (
	"errors"
	"slices"
)

// OfMachine reports whether err is the fault of the machine rather than of a table: a disk that is full or
// read-only, an exhausted quota, too many open files.
func OfMachine(err error) bool {
	return slices.ContainsFunc(machineErrors, func(e error) bool { return errors.Is(err, e) })
}
