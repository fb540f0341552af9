package flags

import "github.com/spf13/cobra"

// Complete makes the shell offer words for a flag.
func Complete(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist: a mistake of this program
	}
}

// CompleteFiles makes the shell offer files with these extensions for a flag.
func CompleteFiles(cmd *cobra.Command, flag string, extensions ...string) {
	if err := cmd.MarkFlagFilename(flag, extensions...); err != nil {
		panic(err)
	}
}

// TableFiles completes arguments with table files.
func TableFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return FormatExtensions(), cobra.ShellCompDirectiveFilterFileExt
}
