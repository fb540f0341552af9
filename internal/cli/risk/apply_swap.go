package risk

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/masking"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// rankSwap is hitoku risk rank-swap.
type rankSwap struct {
	applyFlags
	columns []string
	percent *big.Rat
}

func newRiskRankSwap() *cobra.Command {
	p := &rankSwap{}
	cmd := &cobra.Command{
		Use:   "rank-swap FILE --attribute X,... --percent P --seed-file FILE -o OUT",
		Short: "Exchange numbers with others whose rank is near",
		Long: `In each column by itself, from the smallest number on, each that has no partner yet is exchanged
with one of those up to W ranks above it that have none, each equally likely; W = ⌊n·P/100⌋. Each
column keeps its distribution, byte by byte, and what columns have in common fades. No k is
guaranteed: who knows W takes records whose ranks are all within W of a person's for hers, which
hitoku risk compare measures. The records are written in random order.`,
		Example: `  hitoku risk rank-swap persons.csv --attribute income,age --percent 5 --seed-file swap.seed -o release.csv`,
		Args:    flags.InputArgs,
		RunE:    named(p.run),
	}
	flags.Declare(cmd, p.groups([]flags.Flag{
		{Name: "attribute", To: &p.columns, Split: true, Wanted: true, Text: "`column` of numbers; repeatable, or with commas"},
		{Name: "percent", To: ratValue{&p.percent}, Wanted: true, Range: "(0, 100]", Text: "largest difference of ranks, in percent of the records (`number` like 5)"},
	})...)
	flags.Common(cmd, "--attribute income,age", "--percent 5", "--drop name", "--seed-file swap.seed", "-o release.csv")
	return cmd
}

func (p *rankSwap) run(cmd *cobra.Command, args []string) error {
	path, l, names, err := p.open(cmd, args)
	if err != nil {
		return err
	}
	if err := once(p.columns); err != nil {
		return err
	}
	if err := p.beside.look(cmd, args, l, p.columns); err != nil {
		return err
	}
	x, err := readNumbers(cmd.Context(), path, l, p.columns)
	if err != nil {
		return err
	}
	if x.n == 0 {
		return i18n.Errorf("%s: %w", path, records.ErrNone)
	}
	w := new(big.Rat).Quo(new(big.Rat).Mul(p.percent, big.NewRat(int64(x.n), 1)), big.NewRat(100, 1))
	window := int(new(big.Int).Quo(w.Num(), w.Denom()).Int64())
	if window == 0 {
		return i18n.Errorf("--percent %s: of %d records that is less than one rank", p.percent.RatString(), x.n)
	}
	doc := &document.RankSwap{Release: p.files(path, int64(x.n)), Attributes: p.columns, Window: int64(window), Changed: []float64{}}
	d := newMeasure(doc, "rank_swap")
	about := []string{fmt.Sprintf("%q %d", p.columns, window)}
	if err := p.save(cmd, d, &doc.Written, false, path, about, func(out io.Writer, rng *rand.Rand) error {
		released := make([][]string, len(p.columns))
		for c := range p.columns {
			released[c] = x.swapped(c, window, rng)
			changed := 0
			for i, v := range released[c] {
				if v != x.texts[c][i] {
					changed++
				}
			}
			doc.Changed = append(doc.Changed, float64(changed)/float64(x.n))
		}
		return risk.Replace(cmd.Context(), out, path, l, p.columns, p.release(int64(x.n), int64(x.n)), rng, inOrder(released))
	}); err != nil {
		return err
	}
	doc.Untouched = p.beside.sayRest(cmd, names, p.columns)
	return p.print(cmd, d)
}

// swapped returns the texts of a column, exchanged within a window of ranks; equal numbers are ranked by their records.
func (m *numbers) swapped(c, window int, rng *rand.Rand) []string {
	order := sets.Upto(m.n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.scaled[c][a], m.scaled[c][b]) })
	to := make([]string, m.n)
	for r, s := range masking.RankSwap(m.n, window, rng) {
		to[order[r]] = m.texts[c][order[s]]
	}
	return to
}
