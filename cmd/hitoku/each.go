package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// eachInput does one input after another until an interrupt. One that fails is
// reported, and the others are still done. apart puts a blank line between them.
func eachInput(cmd *cobra.Command, args []string, apart bool, one func(n int) (exitCode, error)) error {
	code := exitCode(exitDone)
	for n := range args {
		if apart && n > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		c, err := one(n)
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: %v\n", err)
			c = exitUsage
		}
		code = worst(code, c)
		if cmd.Context().Err() != nil && n+1 < len(args) {
			fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: interrupted with %d inputs to go\n", len(args)-n-1)
			code = worst(code, exitLimit)
			break
		}
	}
	return code.result()
}
