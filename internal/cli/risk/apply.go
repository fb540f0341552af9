package risk

import (
	"encoding/csv"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/risk"
)

// applyFlags are the flags that all mechanisms share: they read a file of records, and write it changed.
type applyFlags struct {
	seed      flags.Seed
	output    string
	encoding  string
	separator string
	keepOrder bool
	beside    besideFlags
	limit     minK
	out       riskOutput
	refused   bool // not written because of a column that identifies
}

// groups returns the flags, with those of a mechanism first.
func (a *applyFlags) groups(mechanism []flags.Flag) []flags.Group {
	return []flags.Group{
		flags.In(flags.RecordsGroup, []flags.Flag{
			a.beside.dropped(),
			flags.Encoding(&a.encoding, "the records"),
			flags.Separator(&a.separator),
		}),
		flags.In(flags.ReleaseGroup, mechanism),
		a.seed.Group(),
		flags.In(flags.LimitsGroup, []flags.Flag{a.limit.flag()}),
		flags.In(flags.OutputGroup, []flags.Flag{
			outputFlag(&a.output, true),
			{Name: "keep-order", To: &a.keepOrder, Excludes: []string{"shuffle"}, Text: "write the records in the order of the file instead of a random one; to who knows that order it tells who they are"},
			{Name: "shuffle", To: new(bool), Default: true, Hidden: true}, // kept for old calls, as it is now the default
			a.out.flag(),
		}),
	}
}

// open checks the arguments and reads the names of the columns.
func (a *applyFlags) open(cmd *cobra.Command, args []string) (path string, l risk.Layout, names []string, err error) {
	switch {
	case len(args) != 1:
		return "", l, nil, i18n.Errorf("%d files, want one", len(args))
	case args[0] == "-":
		return "", l, nil, i18n.New("standard input cannot be read twice; give a file")
	}
	if err := flags.CheckSeparator(a.separator); err != nil {
		return "", l, nil, err
	}
	if err := a.seed.Check(args[0], a.output); err != nil {
		return "", l, nil, err
	}
	l.Encoding, l.Guessed = a.encoding, cli.Guessed(cmd.ErrOrStderr())
	l.Separator = flags.SeparatorOf(a.separator)
	names, err = risk.Header(args[0], l)
	return args[0], l, names, err
}

// save writes the release unless a limit is not kept or, with a target, there is a column that identifies, and notes
// that in done. Releases with the same seed must share its randomness only if they draw the same things, so what they
// are about is part of the key (see seed.Rand). A refused release draws no seed.
func (a *applyFlags) save(cmd *cobra.Command, doc *measure, done *document.Written, target bool, path string, about []string, write func(io.Writer, *rand.Rand) error) error {
	words := cmd.ErrOrStderr()
	refused := slices.ContainsFunc(doc.limits, func(l document.Limit) bool { return !l.Met })
	if len(a.beside.found) > 0 {
		a.beside.warn(cmd)
		a.refused = len(doc.limits) > 0 || target
	}
	refused = refused || a.refused
	done.SetWritten(!refused)
	if refused {
		cli.Note(words, "nothing is written")
		return nil
	}
	digest, err := formats.Digest(path)
	if err != nil {
		return err
	}
	secret, err := a.seed.Secret(words)
	if err != nil {
		return err
	}
	rng := seed.Rand(cmd.Name(), secret, append(about, digest)...)
	err = formats.SaveAs(private.Release, a.output, func(w io.Writer) error { return write(w, rng) })
	if err == nil && a.keepOrder {
		cli.Note(words, "--keep-order: the records are in the order of the file; to who knows that order the release guarantees nothing")
	}
	return err
}

// release returns what is published of a file.
func (a *applyFlags) release(n, m int64) risk.Release {
	return risk.Release{N: n, M: m, KeepOrder: a.keepOrder, Drop: a.beside.drop}
}

// sayOrder warns about what a release whose records are in the order of its file discloses.
func sayOrder(words io.Writer, path string) {
	cli.Note(words, "%s: the lines are in the order of the file; who knows what it is sorted by, or has it in that order, learns from the place of a line what is withheld or coarser in it, and no measure counts that: shuffle the lines before they leave the office", path)
}

// order lowers the guarantee of a release whose records are in the order of the file.
func (a *applyFlags) order() (o document.OrderKnown) {
	if a.keepOrder {
		o.K = 1
	}
	return o
}

// files describes what was read and written.
func (a *applyFlags) files(path string, n int64) document.Release {
	return document.Release{File: path, Output: a.output, Shuffled: !a.keepOrder, N: n, Beside: a.beside.note()}
}

// print prints the document. No k is reached if a column that identifies is left in.
func (a *applyFlags) print(cmd *cobra.Command, doc *measure) error {
	err := doc.print(cmd, &a.out)
	if err == nil && a.refused {
		return cli.Verdict
	}
	return err
}

// untouched returns the columns that a guarantee does not cover.
func (a *applyFlags) untouched(cmd *cobra.Command, names, columns []string) document.Untouched {
	rest := a.beside.rest(names, columns)
	if len(rest) > 0 {
		cli.Note(cmd.ErrOrStderr(), "the guarantee is that of %s; published as they are: %s", strings.Join(columns, ", "), formats.ShowList(rest))
	}
	return document.Untouched{Untouched: document.Some(rest)}
}

// aColumn parses COLUMN=a,b,c, with the list as in a line of CSV.
func aColumn(flag, text string) (name string, values []string, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return "", nil, i18n.Errorf("--%s %q: want COLUMN=a,b,...", flag, text)
	}
	values, err = csv.NewReader(strings.NewReader(list)).Read()
	if err != nil {
		return "", nil, i18n.Errorf("--%s %q: want COLUMN=a,b,..., in quotes where a comma is part of a value", flag, text)
	}
	return name, values, nil
}

// once returns an error if a column to be changed is named twice.
func once(columns []string) error {
	for i, name := range columns {
		if slices.Contains(columns[:i], name) {
			return i18n.Errorf("--attribute %s given twice", name)
		}
	}
	return nil
}
