package desk

import (
	"errors"

	"github.com/spf13/cobra"
)

// open is not there where the page has its engine with it: a server would bring what makes a third of the engine.
func open(*cobra.Command, []string, string, bool, bool, keeping, Verb) error {
	return errors.ErrUnsupported
}
