package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/i18n"
)

// NoArgs accepts no arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return i18n.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return nil
}

// EachInput processes the inputs in turn until an interrupt. One that fails is reported, and the others are still
// processed. apart puts a blank line between them.
func EachInput(cmd *cobra.Command, args []string, apart bool, one func(n int) (Code, error)) error {
	code := Done
	for n := range args {
		if apart && n > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		c, err := one(n)
		if err != nil {
			Say(cmd.ErrOrStderr(), err)
			c = Usage
		}
		code = Worst(code, c)
		if cmd.Context().Err() != nil && n+1 < len(args) {
			Note(cmd.ErrOrStderr(), "interrupted with %d inputs to go", len(args)-n-1)
			code = Worst(code, Limit)
			break
		}
	}
	return code.Result()
}
