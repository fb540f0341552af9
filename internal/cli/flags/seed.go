package flags

import (
	"io"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/seed"
)

// Seed says where the secret comes from which randomness is derived. It is never shown.
type Seed struct {
	File, Text string
}

// Group returns --seed-file and --seed.
func (s *Seed) Group() Group {
	return In(ReleaseGroup, []Flag{
		s.FileFlag(),
		{Name: "seed", To: &s.Text, Excludes: []string{"seed-file"}, Text: "`text`: secret that decides all randomness, in place of --seed-file, for trials: others can read it on the command line and guess a short one"},
	})
}

// FileFlag returns --seed-file.
func (s *Seed) FileFlag() Flag {
	return Flag{Name: "seed-file", To: &s.File, Text: "`file` with the secret that decides all randomness; one that does not exist is written, with 256 bits drawn from the system, for its owner alone"}
}

// Check requires one of the flags, and a file that is not one of others.
func (s *Seed) Check(others ...string) error {
	switch {
	case s.File == "" && s.Text == "":
		return i18n.New("want --seed-file FILE: randomness needs a secret, which is drawn from the system and kept in that file")
	case s.File == "-":
		return i18n.New("--seed-file -: want a file")
	}
	for _, path := range others {
		if s.File != "" && path != "" && formats.SameFile(s.File, path) {
			return i18n.Errorf("--seed-file %s: is another file of this run", s.File)
		}
	}
	return nil
}

// Secret returns the secret, creating the file if necessary, and warns on words about what is unsafe.
func (s *Seed) Secret(words io.Writer) (string, error) {
	if s.File == "" {
		why := i18n.T("others can read it")
		if seed.Short(s.Text) {
			why = why.Plus(", and it is short enough to be guessed")
		}
		cli.Note(words, "--seed is on the command line, where %s; who knows the seed can undo the release: use --seed-file FILE for what is published", why)
		return s.Text, nil
	}
	text, drawn, err := seed.File(s.File)
	if err != nil {
		return "", i18n.Errorf("--seed-file: %w", err)
	}
	if drawn {
		cli.Note(words, "a secret seed is drawn and kept in %s; who knows it can undo the release", s.File)
	}
	return text, nil
}
