package flags

import "github.com/spf13/cobra"

// TableFiles completes arguments with table files.
func TableFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return FormatExtensions(), cobra.ShellCompDirectiveFilterFileExt
}
