package risk

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/risk"
)

// pramApply is hitoku risk pram.
type pramApply struct {
	applyFlags
	columns []string
	values  []string
	rho     []*big.Rat
	k       *big.Rat
	sample  int64
}

func newRiskPRAM() *cobra.Command {
	p := &pramApply{}
	cmd := &cobra.Command{
		Use:   "pram FILE --attribute A,... (--rho RHO,... | --k K) [--sample M] --seed-file FILE -o OUT",
		Short: "Randomise columns of a file by retention–replacement, and say what that guarantees",
		Long: `Each value of the columns is kept with chance rho and otherwise replaced by one of the
column's values, each equally likely, itself included; with --sample, M of the randomised records
are then drawn without replacement. They are written in random order; other columns stay as
they are, byte by byte. Chances are exact fractions. The file is read several times.

The values are those of the file, which the release then tells, unless --values declares
them. The guarantee, that of hitoku risk retention, is about the columns randomised: each
link by them alone has a chance of at most 1/k. With --k the largest rho that reaches k is taken.`,
		Example: `  hitoku risk pram persons.csv --attribute sex,job --rho 0.7 --seed-file pram.seed -o release.csv
  hitoku risk pram persons.csv --attribute job --k 5 --sample 1000 --seed-file pram.seed -o release.csv --json`,
		Args: flags.InputArgs,
		RunE: named(p.run),
	}
	flags.Declare(cmd, p.groups([]flags.Flag{
		{Name: "attribute", To: &p.columns, Split: true, Wanted: true, Text: "`column` to randomise; repeatable, or with commas"},
		{Name: "values", To: &p.values, Text: "`COLUMN=a,b,...`: the values of a column", Else: "those of the file"},
		{Name: "rho", To: ratsValue{&p.rho}, Wanted: true, Unless: []string{"k"}, Excludes: []string{"k"}, Text: "chance that a value is kept, one for all columns or one each (`numbers` with commas)"},
		{Name: "k", To: ratValue{&p.k}, Range: "[1, ∞)", Text: "target k: find rho"},
		{Name: "sample", To: &p.sample, Text: "`number` of randomised records to publish", Else: "all"},
	})...)
	flags.Common(cmd, "--attribute sex,job", "--rho 0.7", "--k 5", "--seed-file pram.seed", "-o release.csv")
	return cmd
}

func (p *pramApply) run(cmd *cobra.Command, args []string) error {
	path, l, names, err := p.open(cmd, args)
	if err != nil {
		return err
	}
	declared, err := p.declared()
	if err != nil {
		return err
	}
	if err := p.beside.look(cmd, args, l, p.columns); err != nil {
		return err
	}
	n, sets, _, err := risk.ValueCounts(cmd.Context(), path, l, p.columns)
	if err != nil {
		return err
	}
	if n == 0 {
		return i18n.Errorf("%s: %w", path, records.ErrNone)
	}
	m := cmp.Or(p.sample, n)
	if err := (risk.Sampling{N: n, M: m, N0: n}).Check(); err != nil {
		return i18n.Errorf("--sample: %w", err)
	}
	doc := &document.PRAM{Release: p.files(path, n), M: m, Target: target(p.k)}
	d := newMeasure(doc, "pram")
	var columns []risk.Replacement
	var numbers []int64
	for c, name := range p.columns {
		x := risk.Replacement{Column: name, Values: sets[c]}
		if values := declared[name]; values != nil {
			x.Values, x.Declared = values, true
		}
		columns, numbers = append(columns, x), append(numbers, int64(len(x.Values)))
	}
	rho := p.rho
	if p.k != nil {
		safe, ok := risk.SafeRetention(numbers, n, m, p.k)
		if !ok {
			return d.infeasible(cmd, &p.out, i18n.T("no retention reaches k = %s with %d records; nothing is written", p.k.RatString(), n))
		}
		rho = []*big.Rat{safe}
	}
	g, err := p.retain(cmd, columns, numbers, rho)
	if err != nil {
		return err
	}
	d.limits = p.limit.exactly(g.K(n, m))
	about := []string{}
	for _, x := range columns {
		about = append(about, fmt.Sprintf("%q %s %q", x.Column, x.Rho.RatString(), x.Values))
	}
	if err := p.save(cmd, d, &doc.Written, p.k != nil, path, about, func(w io.Writer, rng *rand.Rand) error {
		return risk.Randomise(cmd.Context(), w, path, l, columns, p.release(n, m), rng)
	}); err != nil {
		return err
	}
	doc.Attributes, doc.Values = p.columns, numbers
	for _, x := range columns {
		doc.From = append(doc.From, map[bool]string{true: "declared", false: "file"}[x.Declared])
	}
	doc.Rho, doc.RhoFloat = document.Ratios(rho)
	doc.Replaced, doc.OrderKnown, doc.Explained = replaced(g, n, m), p.order(), pramSource
	doc.Untouched = p.untouched(cmd, names, p.columns)
	return p.print(cmd, d)
}

// declared checks chances and columns and returns the values declared by --values.
func (p *pramApply) declared() (map[string][]string, error) {
	if err := once(p.columns); err != nil {
		return nil, err
	}
	if len(p.rho) > 1 && len(p.rho) != len(p.columns) {
		return nil, i18n.Errorf("--rho: %d numbers for %d columns, want 1 or %d", len(p.rho), len(p.columns), len(p.columns))
	}
	declared := map[string][]string{}
	for _, text := range p.values {
		name, values, err := aColumn("values", text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(p.columns, name) || declared[name] != nil {
			return nil, i18n.Errorf("--values %s: want a column of --attribute, once", name)
		}
		declared[name] = values
	}
	return declared, nil
}

// retain gives the columns their chances, one for all or one each, and returns what these guarantee.
func (p *pramApply) retain(cmd *cobra.Command, columns []risk.Replacement, numbers []int64, rho []*big.Rat) (g risk.Guarantee, err error) {
	var attributes []risk.Attribute
	for c := range columns {
		x := &columns[c]
		x.Rho = rho[min(c, len(rho)-1)]
		a := risk.Attribute{Values: numbers[c], Rho: x.Rho}
		if err := a.Check(); err != nil {
			return g, err
		}
		attributes = append(attributes, a)
		if !x.Declared {
			cli.Note(cmd.ErrOrStderr(), "column %s: the release tells which %d values the file has; --values %s=... declares them instead", x.Column, numbers[c], x.Column)
		}
	}
	return risk.Retention(attributes), nil
}
