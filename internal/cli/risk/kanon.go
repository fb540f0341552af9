package risk

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/risk"
)

// kAnonymity is hitoku risk k-anonymity.
type kAnonymity struct {
	microFlags
	entity  string
	minK    uint64
	maxRisk *big.Rat
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
frequency of a record is the number of records it is compatible with, and k the smallest.`,
		Example: `  hitoku risk k-anonymity persons.csv --qi region,age,sex --min-k 5
  hitoku risk k-anonymity visits.csv --qi zip --entity id --worst 3`,
		RunE: named(k.run),
	}
	flags.Declare(cmd,
		k.records([]string{"own", "drop", "wildcard"}, k.beside.sensitive()),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "entity", To: &k.entity, Text: "`column` with the id of the person"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "min-k", To: &k.minK, Text: "exit with code 1 unless k is at least this `number`"},
			{Name: "max-risk", To: ratValue{&k.maxRisk}, Text: "exit with code 1 unless 1/k is at most this `number`"},
		}),
		k.output(),
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
	r, err := c.KAnonymity(k.mode(), k.worst)
	if err != nil {
		return err
	}
	doc := &document.KAnonymity{}
	riskdoc.KAnonymity(doc, r, k.mode(), k.worst)
	d := k.start(doc, &doc.Microdata, "k_anonymity", args, r.Records)
	d.buckets("class size", "classes", "records", r.Histogram)
	if k.worst > 0 {
		t := render.NewColumns(1, "worst classes", "records", "frequency")
		for _, x := range r.Worst {
			t.Add(shown(x.Tuple), fmt.Sprint(x.Records), fmt.Sprint(x.Frequency))
		}
		d.list(t)
	}
	k.limits(d, r.K)
	return d.print(cmd, &k.out)
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
	r, err := e.KAnonymity(k.mode(), k.worst)
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
		doc.Worst = document.Some(document.Each(r.Worst, func(x risk.EntityClass) document.EntityClass { return document.EntityClass(x) }))
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
		fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: %d records without %s, each is taken as an entity\n", r.WithoutID, k.entity)
	}
	k.limits(d, r.K)
	return d.print(cmd, &k.out)
}
