package risk

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/formulas"
	"github.com/hitoku/hitoku/risk"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// posteriorRisk is hitoku risk posterior.
type posteriorRisk struct {
	microFlags
	n       int64
	fresh   *big.Rat
	maxRisk *big.Rat
}

func newRiskPosterior() *cobra.Command {
	p := &posteriorRisk{fresh: new(big.Rat)}
	cmd := &cobra.Command{
		Use:   "posterior KNOWN RELEASE --qi COLUMNS --n N [--new P]",
		Short: "Risk of a sample that is there, against one who knows a file of the records",
		Long: `RELEASE is a simple random sample of n records, of which an attacker knows those of KNOWN. Each
other record he takes to have values of a known one, each with the chance with which it is
among them, or with --new values that none of them has. The chance that a known record is
a given published one like it is computed, where hitoku risk sampling has the worst of
all files. Values of --qi are compared byte by byte.`,
		Example: `  hitoku risk posterior region.csv sample.csv --qi age,sex,job --n 120000
  hitoku risk posterior region.csv sample.csv --qi age,sex,job --n 120000 --new 0.05 --max-risk 0.2`,
		Args: flags.InputArgs,
		RunE: named(p.run),
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{
			{Name: "qi", To: &p.qi, Split: true, Wanted: true, Text: "`columns` that are compared, like region,age,sex"},
			flags.Encoding(&p.encoding, "the files"),
			{Name: "separator", To: &p.separator, Text: "`character` between fields, or tab", Else: "of comma, semicolon and tab the most frequent in the header"},
		}),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "n", To: &p.n, Wanted: true, Text: "`number` of records that the sample was drawn from"},
			{Name: "new", To: ratValue{&p.fresh}, Text: "chance that an unknown record has values that no known one has"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "max-risk", To: ratValue{&p.maxRisk}, Text: "exit with code 1 unless the largest risk is at most this `number`"},
		}),
		p.output(),
	)
	return cmd
}

func (p *posteriorRisk) run(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return i18n.Errorf("%d files, want those of the known and of the published records", len(args))
	}
	known, err := p.readClasses(cmd, args[:1])
	if err != nil {
		return err
	}
	drawn, err := p.readClasses(cmd, args[1:])
	if err != nil {
		return err
	}
	k := formulas.KnownTable{N: p.n, New: p.fresh, Known: make([]int64, known.Len()), Drawn: make([]int64, known.Len())}
	doc := &document.Posterior{Known: args[0], Release: args[1], QI: p.qi, N: p.n, New: document.Rational(p.fresh.RatString()), Worst: []document.Linkable{}}
	for g := range k.Known {
		k.Known[g] = int64(known.Size(g))
		doc.N0 += k.Known[g]
	}
	for g := range drawn.Len() {
		size := int64(drawn.Size(g))
		doc.M += size
		if at := known.Class(drawn.Tuple(g)...); at >= 0 {
			k.Drawn[at] = size
		} else {
			k.Others += size
		}
	}
	doc.Others = k.Others
	sampling := risk.Sampling{N: p.n, N0: doc.N0, M: doc.M}
	if err := sampling.Check(); err != nil {
		return err
	}
	risks, err := k.Posterior()
	if err != nil {
		if errors.Is(err, formulas.ErrImpossible) {
			return i18n.Errorf("%w by --new", err)
		}
		return err
	}
	for g, x := range risks {
		if x != nil {
			doc.Worst = append(doc.Worst, document.Linkable{Tuple: known.Tuple(g), Known: k.Known[g], Published: k.Drawn[g], Risk: *x})
			doc.Expected += float64(float64(k.Known[g]) * *x)
		}
	}
	slices.SortFunc(doc.Worst, func(a, b document.Linkable) int {
		return cmp.Or(cmp.Compare(b.Risk, a.Risk), slices.Compare(a.Tuple, b.Tuple))
	})
	doc.Bound, doc.BoundExact = document.Null[float64](), document.Rational(sampling.Risk().RatString())
	bound, _ := sampling.Risk().Float64()
	doc.Bound = document.Some(bound)
	doc.Explained = document.Explained{Formula: "1/risk", Source: "Kikuchi, section 4.3, equation 1"}
	d := &microMeasure{measure: newMeasure(doc, "posterior"), beside: &besideFlags{}, records: uint64(doc.M)}
	if len(doc.Worst) > 0 {
		doc.Risk, doc.K = document.Some(doc.Worst[0].Risk), document.Some(1/doc.Worst[0].Risk)
		d.floatAtMost("max-risk", p.maxRisk, doc.Worst[0].Risk)
	} else if p.maxRisk != nil {
		d.floatAtMost("max-risk", p.maxRisk, 0)
	}
	doc.Worst = doc.Worst[:min(len(doc.Worst), p.worst)]
	t := render.NewColumns(1, "most exposed", "known", "published", "risk")
	d.list(filled(t, doc.Worst, func(x document.Linkable) []any { return []any{shown(x.Tuple), x.Known, x.Published, x.Risk} }))
	return d.print(cmd, &p.out)
}
