package risk

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// kAnonymity is hitoku risk k-anonymity.
type kAnonymity struct {
	microFlags
	entity    string
	subsets   int
	perRecord perRecordFlag
	minK      uint64
	maxRisk   *big.Rat
}

func newRiskKAnonymity() *cobra.Command {
	k := &kAnonymity{}
	cmd := &cobra.Command{
		Use:   "k-anonymity FILE... --qi COLUMNS",
		Short: "The smallest number of records that share their quasi-identifiers",
		Long: `Records with the same values of all quasi-identifiers are a class; k is the size of the
smallest one. Values are compared byte by byte. With --entity a person may have several
records: persons whose records agree, each as often, in whatever order, are a class,
and k is the smallest number of persons.

Missing values count as a value of their own, unless --missing says that such records
are left out (drop) or that a missing value agrees with every value (wildcard): then the
frequency of a record is the number of records it is compatible with, and k the smallest; of a
person that of persons whose records can be paired with his so that all pairs agree.`,
		Example: `  hitoku risk k-anonymity persons.csv --qi region,age,sex --min-k 5
  hitoku risk k-anonymity visits.csv --qi zip --entity id --worst 3`,
		RunE: named(k.run),
	}
	flags.Declare(cmd,
		k.records([]string{"own", "drop", "suppressed", "wildcard"}, k.beside.sensitive()),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "entity", To: &k.entity, Text: "`column` with the id of the person"},
			{Name: "subsets", To: &k.subsets, Range: "[1, ∞)", Excludes: []string{"entity"}, Text: "measure every set of at most `N` of the quasi-identifiers by itself, too"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "min-k", To: &k.minK, Text: "exit with code 1 unless k is at least this `number`"},
			{Name: "max-risk", To: ratValue{&k.maxRisk}, Text: "exit with code 1 unless 1/k is at most this `number`"},
		}),
		k.output(k.perRecord.flag("entity")),
	)
	flags.Common(cmd, "--qi region,age,sex", "--min-k 5", "--entity id", "--worst 3", "--json")
	return cmd
}

func (k *kAnonymity) run(cmd *cobra.Command, args []string) error {
	if k.entity != "" {
		return k.entities(cmd, args)
	}
	c, err := k.readClasses(cmd, args)
	if err != nil {
		return err
	}
	r, err := c.KAnonymity(cmd.Context(), k.mode(), k.worst)
	if err != nil {
		return err
	}
	doc := &document.KAnonymity{PerRecord: k.perRecord.path}
	riskdoc.KAnonymity(doc, r, k.mode(), k.worst)
	d := k.start(doc, &doc.Microdata, "k_anonymity", args, r.Records)
	d.buckets("class size", "classes", "records", r.Histogram)
	if err := k.parts(cmd, d, doc, c); err != nil {
		return err
	}
	if err := k.recordsOf(cmd, args, c); err != nil {
		return err
	}
	d.list(filled(render.NewColumns(1, "worst classes", "records", "frequency"), r.Worst, func(x risk.ClassFrequency) []any { return []any{shown(x.Tuple), x.Records, x.Frequency} }))
	k.limits(d, r.K)
	return d.print(cmd, &k.out)
}

// parts measures sets of the quasi-identifiers.
func (k *kAnonymity) parts(cmd *cobra.Command, d *microMeasure, doc *document.KAnonymity, c *risk.Classes) error {
	if k.subsets == 0 {
		return nil
	}
	all, err := c.Subsets(cmd.Context(), k.mode(), k.subsets)
	if err != nil {
		return err
	}
	t := render.NewColumns(1, "by", "k", "records alone")
	for _, x := range all {
		doc.Subsets = append(doc.Subsets, document.SubsetAnonymity{Columns: x.Columns, K: riskdoc.Defined(x.K), Classes: document.SomeIf(k.missing != "wildcard", x.Classes), Uniques: x.Uniques})
		t.Add(strings.Join(x.Columns, ", "), fmt.Sprint(x.K), fmt.Sprint(x.Uniques))
	}
	d.list(t)
	return nil
}

// recordsOf writes the file of records.
func (k *kAnonymity) recordsOf(cmd *cobra.Command, args []string, c *risk.Classes) error {
	if k.perRecord.path == "" {
		return nil
	}
	f, err := c.Frequencies(cmd.Context(), k.mode())
	if err != nil {
		return err
	}
	return k.perRecord.write(cmd, args, k.layout(), c, nil, frequencyColumn(f), risk.RecordColumn{Name: "risk", Text: func(g int, _ []string) string {
		if f[g] == 0 {
			return ""
		}
		return string(floatText(1 / float64(f[g])))
	}})
}

func (k *kAnonymity) limits(d *microMeasure, got uint64) {
	d.atLeast("min-k", k.minK, got)
	if got > 0 {
		d.atMost("max-risk", k.maxRisk, new(big.Rat).Inv(new(big.Rat).SetUint64(got)))
	}
}

func (k *kAnonymity) entities(cmd *cobra.Command, args []string) error {
	e, err := scan(cmd, &k.microFlags, args, append(slices.Clone(k.qi), k.entity), nil, risk.NewEntities)
	if err != nil {
		return err
	}
	r, err := e.KAnonymity(cmd.Context(), k.mode(), k.worst)
	if err != nil {
		return err
	}
	doc := &document.EntityAnonymity{
		Entity: k.entity, K: riskdoc.Defined(r.K), Entities: r.Entities, Rows: r.Records, Classes: r.Classes, MaxClass: riskdoc.Defined(r.MaxClass), Uniques: r.Uniques,
		WithoutID: r.WithoutID, MissingValues: riskdoc.Missing(k.mode(), r.Excluded, r.WithMissing, r.AllMissing),
		RowK: riskdoc.Defined(r.RowK), LeastPerTuple: riskdoc.Defined(r.LeastPerTuple), Histogram: riskdoc.Entities(r.Histogram),
	}
	d := k.start(doc, &doc.Microdata, "k_anonymity_entity", args, r.Records)
	d.buckets("class size", "classes", "entities", r.Histogram)
	if k.worst > 0 {
		doc.Worst = document.Some(sets.Each(r.Worst, func(x risk.EntityClass) document.EntityClass { return document.EntityClass(x) }))
		t := render.NewColumns(1, "worst classes", "entities")
		for _, x := range r.Worst {
			text := ""
			for i, tuple := range x.Tuples {
				if i > 0 {
					text += "; "
				}
				if x.Times[i] > 1 {
					text += fmt.Sprint(x.Times[i], " × ")
				}
				text += "(" + shown(tuple) + ")"
			}
			t.Add(text, fmt.Sprint(x.Entities))
		}
		d.list(t)
	}
	if r.WithoutID > 0 {
		cli.Note(cmd.ErrOrStderr(), "%d records without %s, each is taken as an entity", r.WithoutID, k.entity)
	}
	k.limits(d, r.K)
	return d.print(cmd, &k.out)
}
