package main

import "github.com/spf13/cobra"

// complete makes the shell offer words for a flag.
func complete(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist: a mistake of this program
	}
}

// completeFiles makes the shell offer files with these extensions for a flag.
func completeFiles(cmd *cobra.Command, flag string, extensions ...string) {
	if err := cmd.MarkFlagFilename(flag, extensions...); err != nil {
		panic(err)
	}
}

// tableFiles completes arguments with table files.
func tableFiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return formatExtensions(), cobra.ShellCompDirectiveFilterFileExt
}
