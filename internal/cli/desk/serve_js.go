package desk

import (
	"errors"

	"github.com/spf13/cobra"
)

// open fails where the engine runs in the page: a server would make up a third of its size.
func open(*cobra.Command, []string, string, bool, bool, keeping, Verb) error {
	return errors.ErrUnsupported
}
