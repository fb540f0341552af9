package risk

import (
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/seed"
)

// orderFlags are the flags about the order of a release's records, for releases that draw nothing else.
type orderFlags struct {
	keep bool
	seed flags.Seed
}

// outputFlag returns the flag for the file that is written.
func outputFlag(to *string, wanted bool, needs ...string) flags.Flag {
	return flags.Flag{Name: "output", Short: "o", To: to, Files: []string{"csv"}, Writes: true, Wanted: wanted, Needs: needs,
		Text: "`file` to write, compressed if it ends in .gz; it is complete or untouched"}
}

// readTwice requires a single CSV file, because it is counted, and read again to be written.
func readTwice(args []string) error {
	if len(args) != 1 || args[0] == "-" || flags.IsParquet(args[0]) {
		return i18n.New("-o wants one CSV file, which is read twice")
	}
	return nil
}

// list returns the flags.
func (o *orderFlags) list() []flags.Flag {
	return []flags.Flag{
		{Name: "keep-order", To: &o.keep, Needs: []string{"output"}, Excludes: []string{"seed-file"}, Text: "write the records in the order of the file instead of a random one; to who knows that order it tells who they are"},
		{Name: "seed-file", To: &o.seed.File, Needs: []string{"output"}, Text: "`file` with the secret that decides the order; one that does not exist is written, with 256 bits drawn from the system, for its owner alone", Else: "such a secret is drawn and kept nowhere"},
	}
}

// rng returns the generator of the order of what is made from a file; nil keeps the order.
func (o *orderFlags) rng(cmd *cobra.Command, path, output string) (*rand.Rand, error) {
	if o.keep {
		sayOrder(cmd.ErrOrStderr(), output)
		return nil, nil
	}
	if o.seed.File == "" {
		return seed.Rand(cmd.Name(), seed.Once()), nil
	}
	if err := o.seed.Check(path, output); err != nil {
		return nil, err
	}
	digest, err := formats.Digest(path)
	if err != nil {
		return nil, err
	}
	secret, err := o.seed.Secret(cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	return seed.Rand(cmd.Name(), secret, digest), nil
}
