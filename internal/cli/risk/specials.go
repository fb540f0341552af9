package risk

import (
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// specials is hitoku risk special-uniques.
type specials struct {
	microFlags
	fraction  *big.Rat
	size      int
	perRecord perRecordFlag
	maxDIS    *big.Rat
}

// shownCombinations is the most sets of columns that a document lists.
const shownCombinations = 100

func newRiskSpecials() *cobra.Command {
	s := &specials{fraction: big.NewRat(1, 100)}
	cmd := &cobra.Command{
		Use:   "special-uniques FILE... --qi COLUMNS",
		Short: "Which few columns single records out, with SUDA and DIS scores",
		Long: `A set of columns that singles a record out, and of which no part does, is a minimal sample
unique (MSU); all of them are found. The fewer columns, the riskier: an MSU of s of m columns
counts (m−s)! in the SUDA score of its record. The DIS-SUDA score is the chance that a match
with the record is right, estimated from the score and the share of the population sampled.

Shown are also which columns, and which sets of columns, the scores come from.`,
		Example: `  hitoku risk special-uniques survey.csv --qi region,age,sex,occupation --fraction 0.05
  hitoku risk special-uniques survey.csv --qi region,age,sex,occupation --max-size 3 --per-record suda.csv`,
		RunE: named(s.run),
	}
	flags.Declare(cmd,
		s.records([]string{"own", "drop", "suppressed", "ignore"}, s.beside.sensitive()),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "fraction", To: ratValue{&s.fraction}, Text: "share of the population that was sampled (`number` like 0.05 or 1/20)", Else: "0.01"},
			{Name: "max-size", To: &s.size, Range: "[1, ∞)", Text: "look for MSUs of at most `N` columns", Else: "all"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "max-dis", To: ratValue{&s.maxDIS}, Text: "exit with code 1 unless the largest DIS-SUDA score is at most this `number`"},
		}),
		s.output(s.perRecord.flag()),
	)
	flags.Common(cmd, "--qi region,age,sex", "--fraction 0.05", "--max-size 3", "--worst 3", "--per-record suda.csv")
	return cmd
}

func (s *specials) run(cmd *cobra.Command, args []string) error {
	c, err := s.readClasses(cmd, args)
	if err != nil {
		return err
	}
	p, _ := s.fraction.Float64()
	r, err := c.Specials(cmd.Context(), s.mode(), s.size, p, s.worst)
	if err != nil {
		return err
	}
	some := r.Uniques > 0
	doc := &document.SpecialUniques{
		Records: r.Records, Uniques: r.Uniques, Paired: r.Paired, Special: r.Special, MSUs: r.MSUs, MaxSize: r.MaxSize, Fraction: r.Fraction,
		MissingValues: riskdoc.Missing(s.mode(), r.Excluded, r.WithMissing, r.AllMissing), Match: document.SomeIf(some, r.Match),
		MaxScore: document.SomeIf(r.Records > 0, r.MaxScore), MaxDIS: document.SomeIf(r.Records > 0, r.MaxDIS), AverageDIS: document.SomeIf(r.Records > 0, r.AverageDIS),
		Sizes: sets.Each(r.Sizes, func(x risk.SpecialSize) document.SpecialSize { return document.SpecialSize(x) }),
		Columns: sets.Each(r.Attributes, func(x risk.SpecialAttribute) document.SpecialAttribute {
			return document.SpecialAttribute(x)
		}),
		Combinations: sets.Each(r.Combinations[:min(len(r.Combinations), shownCombinations)], func(x risk.SpecialCombination) document.SpecialCombination {
			return document.SpecialCombination(x)
		}),
		Histogram: riskdoc.Shares(r.Histogram), PerRecord: s.perRecord.path,
	}
	d := s.start(doc, &doc.Microdata, "special_uniques", args, r.Records)
	s.tables(d, doc, r)
	if err := s.perRecord.write(cmd, args, s.layout(), c, nil, s.columns(r)...); err != nil {
		return err
	}
	d.floatAtMost("max-dis", s.maxDIS, r.MaxDIS)
	return d.print(cmd, &s.out)
}

// tables adds the tables for people below the facts.
func (s *specials) tables(d *microMeasure, doc *document.SpecialUniques, r *risk.Specials) {
	sizes := render.NewColumns(0, "columns", "minimal sample uniques", "records with none of fewer")
	d.list(filled(sizes, r.Sizes, func(x risk.SpecialSize) []any { return []any{x.Size, x.MSUs, x.Records} }))
	columns := render.NewColumns(1, "column", "minimal sample uniques", "records", "share of the scores")
	d.list(filled(columns, r.Attributes, func(x risk.SpecialAttribute) []any { return []any{x.Column, x.MSUs, x.Records, four(x.Share)} }))
	by := render.NewColumns(1, "singled out by", "records", "share of the scores")
	d.list(filled(by, r.Combinations[:min(len(r.Combinations), 10)], func(x risk.SpecialCombination) []any { return []any{x.Columns, x.Records, four(x.Share)} }))
	d.shares("DIS-SUDA score", r.Histogram)
	if s.worst == 0 {
		return
	}
	doc.Worst = document.Some(sets.Each(r.Worst, func(x risk.SpecialRecord) document.SpecialRecord { return document.SpecialRecord(x) }))
	t := render.NewColumns(1, "worst records", "SUDA", "DIS-SUDA", "singled out by")
	d.list(filled(t, r.Worst, func(x risk.SpecialRecord) []any { return []any{shown(x.Tuple), x.Score, x.DIS, setsText(x.MSUs)} }))
}

// setsText lists sets of columns.
func setsText(sets [][]string) string {
	texts := make([]string, len(sets))
	for i, set := range sets {
		texts[i] = strings.Join(set, "+")
	}
	return strings.Join(texts, " ")
}

// columns returns the columns of the file of records.
func (s *specials) columns(r *risk.Specials) []risk.RecordColumn {
	score := func(of func(score, dis float64) float64) func(int, []string) string {
		return func(g int, _ []string) string { return string(floatText(of(r.Score(g)))) }
	}
	return []risk.RecordColumn{
		{Name: "suda", Text: score(func(x, _ float64) float64 { return x })},
		{Name: "dis", Text: score(func(_, x float64) float64 { return x })},
		{Name: "singled_out_by", Text: func(g int, _ []string) string { return setsText(r.Sets(g)) }},
	}
}
