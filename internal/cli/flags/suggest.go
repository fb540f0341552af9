package flags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagError adds the nearest flag names to the error about an unknown one.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%s: %w", cmd.Name(), err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("%s: %w%s; see %s --help", cmd.Name(), err, DidYouMean(unknown.GetSpecifiedName(), names, "--"), cmd.CommandPath())
}

// DidYouMean suggests the nearest of names for a word that is none of them, "" if none is near.
func DidYouMean(word string, names []string, prefix string) string {
	c := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra knows how to suggest commands
	for _, n := range names {
		c.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	near := c.SuggestionsFor(word)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = prefix + near[i]
	}
	return " (did you mean " + strings.Join(near, " or ") + "?)"
}

// VerbNames are the verbs below c that the help shows.
func VerbNames(c *cobra.Command) []string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			names = append(names, v.Name())
		}
	}
	return names
}
