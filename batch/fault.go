package batch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// OfMachine tells whether err is of the machine and not of a table: a disk that is full or can only
// be read, a quota that is used up, more open files than are allowed.
func OfMachine(err error) bool {
	return slices.ContainsFunc(machineErrors, func(e error) bool { return errors.Is(err, e) })
}

// FaultInWords is OfMachine of what a program printed before it ended: the first line that ends with the
// words of such an error, nil if there is none.
func FaultInWords(stderr []byte) error {
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(line)
		for _, e := range machineErrors {
			if strings.HasSuffix(line, ": "+e.Error()) {
				return fmt.Errorf("%s", strings.TrimPrefix(line, "hitoku: "))
			}
		}
	}
	return nil
}
