package risk

import (
	"io"
	"math/big"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/risk"
)

// sampleApply is hitoku risk sample.
type sampleApply struct {
	applyFlags
	m, n0 int64
	p, k  *big.Rat
}

func newRiskSample() *cobra.Command {
	p := &sampleApply{}
	cmd := &cobra.Command{
		Use:   "sample FILE (--m M | --p P | --k K --n0 N0) --seed-file FILE -o OUT",
		Short: "Draw a sample of the records of a file, and say what that guarantees",
		Long: `m of the n records are drawn without replacement, each subset equally likely, and written
byte by byte as they stand, in random order. The file is read several times.

With --n0 the risk against an attacker who knows that many of the n records is shown: that
of hitoku risk sampling. With --k the largest sample that keeps k is drawn. Sampling
alone does not protect against one who knows all the records.`,
		Example: `  hitoku risk sample persons.csv --p 0.1 --n0 100 --seed-file sample.seed -o release.csv
  hitoku risk sample persons.csv --k 5 --n0 100 --seed-file sample.seed -o release.csv`,
		Args: flags.InputArgs,
		RunE: named(p.run),
	}
	flags.Declare(cmd, p.groups([]flags.Flag{
		{Name: "m", To: &p.m, Wanted: true, Unless: []string{"p", "k"}, Excludes: []string{"p", "k"}, Text: "`number` of records to publish"},
		{Name: "p", To: ratValue{&p.p}, Excludes: []string{"k"}, Text: "share to publish, exact: m = ⌊p·n⌋ (`number` like 0.1 or 1/3)"},
		{Name: "k", To: ratValue{&p.k}, Range: "[1, ∞)", Text: "target k: find the largest m"},
		{Name: "n0", To: &p.n0, Text: "`number` of records the attacker knows"},
	})...)
	flags.Common(cmd, "--m 200", "--p 1/10", "--k 5", "--seed-file sample.seed", "-o release.csv")
	return cmd
}

func (p *sampleApply) run(cmd *cobra.Command, args []string) error {
	path, l, _, err := p.open(cmd, args)
	if err != nil {
		return err
	}
	if p.n0 == 0 && (p.k != nil || p.limit.want != nil) {
		return i18n.New("k needs --n0, the number of records the attacker knows")
	}
	if err := p.beside.look(cmd, args, l, nil); err != nil {
		return err
	}
	n, err := risk.Count(cmd.Context(), path, l)
	if err != nil {
		return err
	}
	if n == 0 {
		return i18n.Errorf("%s: %w", path, records.ErrNone)
	}
	// Only one of the two documents is printed, depending on whether a k or a size was asked for.
	sized, reaching := &document.Sample{Release: p.files(path, n)}, &document.SampleTarget{Release: p.files(path, n)}
	d, written, drawn, hit := newMeasure(sized, "sample"), &sized.Written, &sized.Drawn, &sized.Hit
	m := p.m
	switch {
	case p.p != nil:
		if m, err = risk.SampleSize(n, p.p); err != nil {
			return i18n.Errorf("--p: %w", err)
		}
	case p.k != nil:
		if err := (risk.Sampling{N: n, N0: p.n0, M: 1}).Check(); err != nil {
			return err
		}
		d, written, drawn, hit = newMeasure(reaching, "sample"), &reaching.Written, &reaching.Drawn, &reaching.Hit
		reaching.Known.N0, reaching.Target = p.n0, target(p.k)
		var ok bool
		if m, ok = risk.MaxSample(n, p.n0, p.k); !ok {
			hit.Risk, hit.K = document.Null[document.Rational](), document.Null[document.Rational]()
			return d.infeasible(cmd, &p.out, i18n.T("no sample of %d records keeps k = %s against %d known ones; nothing is written", n, p.k.RatString(), p.n0))
		}
	}
	s := risk.Sampling{N: n, N0: max(p.n0, 1), M: m}
	if p.n0 < 0 {
		s.N0 = p.n0 // for the message
	}
	if err := s.Check(); err != nil {
		return err
	}
	k := new(big.Rat).Inv(s.Risk())
	if p.n0 > 0 {
		d.limits = p.limit.exactly(k)
	}
	if err := p.save(cmd, d, written, p.k != nil, path, nil, func(w io.Writer, rng *rand.Rand) error {
		return risk.Sample(cmd.Context(), w, path, l, p.release(n, m), rng)
	}); err != nil {
		return err
	}
	drawn.M = document.Some(m)
	drawn.P, drawn.PFloat = document.Ratio(big.NewRat(m, n))
	if p.n0 > 0 {
		sized.Known.N0 = p.n0
		hit.Risk, hit.RiskFloat = document.Ratio(s.Risk())
		hit.K, hit.KFloat = document.Ratio(k)
		hit.OrderKnown = p.order()
		hit.Reference = document.Reference{Formula: "n0/(n−m+1), 1 if n−n0 < m−1", Source: "Kikuchi, Claim 4.1"}
	}
	return p.print(cmd, d)
}
