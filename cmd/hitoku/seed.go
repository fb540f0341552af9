package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/seed"
)

// seedFlags say where the secret comes from that randomness is derived from. It is shown
// nowhere.
type seedFlags struct {
	file, text string
}

const (
	seedFileHelp = "`file` with the secret that decides all randomness; one that does not exist is written, with 256 bits drawn from the system, for its owner alone"
	seedHelp     = "secret that decides all randomness, in place of --seed-file, for trials: others can read it on the command line and guess a short one"
)

// add adds --seed-file and --seed.
func (s *seedFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	s.addFile(cmd)
	f.StringVar(&s.text, "seed", "", "`text`: "+seedHelp)
	cmd.MarkFlagsMutuallyExclusive("seed", "seed-file")
}

// addFile adds --seed-file alone.
func (s *seedFlags) addFile(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.file, "seed-file", "", seedFileHelp)
}

// check wants one of the flags, and a file that is none of others.
func (s *seedFlags) check(others ...string) error {
	switch {
	case s.file == "" && s.text == "":
		return errors.New("want --seed-file FILE: randomness needs a secret, which is drawn from the system and kept in that file")
	case s.file == "-":
		return errors.New("--seed-file -: want a file")
	}
	for _, path := range others {
		if s.file != "" && path != "" && (s.file == path || sameFile(s.file, path)) {
			return fmt.Errorf("--seed-file %s: is another file of this run", s.file)
		}
	}
	return nil
}

// secret returns the secret, which may write the file, and says on words what is unsafe.
func (s *seedFlags) secret(words io.Writer) (string, error) {
	if s.file == "" {
		why := "others can read it"
		if seed.Short(s.text) {
			why += ", and it is short enough to be guessed"
		}
		fmt.Fprintf(words, "hitoku: --seed is on the command line, where %s; who knows the seed can undo the release: use --seed-file FILE for what is published\n", why)
		return s.text, nil
	}
	text, drawn, err := seed.File(s.file)
	if err != nil {
		return "", fmt.Errorf("--seed-file: %w", err)
	}
	if drawn {
		fmt.Fprintf(words, "hitoku: a secret seed is drawn and kept in %s; who knows it can undo the release\n", s.file)
	}
	return text, nil
}
