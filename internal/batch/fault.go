package batch

import (
	"errors"
	"slices"
)

// OfMachine tells whether err is of the machine and not of a table: a disk that is full or can only
// be read, a quota that is used up, more open files than are allowed.
func OfMachine(err error) bool {
	return slices.ContainsFunc(machineErrors, func(e error) bool { return errors.Is(err, e) })
}
