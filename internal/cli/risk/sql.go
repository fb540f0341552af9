package risk

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/risksql"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// riskSQL is hitoku risk sql.
type riskSQL struct {
	q         risksql.Query
	dialect   string
	distance  string
	missing   string
	sensitive string // ignore or own
	histogram bool
}

// sqlMeasures are the measures available as SQL.
var sqlMeasures = []string{"k-anonymity", "l-diversity", "t-closeness", "k-map", "delta-presence"}

func newRiskSQL() *cobra.Command {
	s := &riskSQL{dialect: string(risksql.DuckDB), distance: string(risk.Equal), missing: string(risk.Own), sensitive: "ignore"}
	cmd := &cobra.Command{
		Use:   "sql MEASURE --table NAME --qi COLUMNS",
		Short: "Write a measure as SQL, for records in a warehouse",
		Long: `Print a query that computes a measure where the records are: k-anonymity, l-diversity,
t-closeness, k-map or delta-presence. It gives one row whose columns are called as in
the JSON document of the measure's own verb, and means the same: values are compared as text,
NULL is the empty text. Shares are double precision.`,
		Example: `  hitoku risk sql k-anonymity --dialect bigquery --table project.data.persons --qi region,age,sex | bq query --use_legacy_sql=false
  hitoku risk sql k-map --table persons --qi region,age --population census --count people`,
		ValidArgs: sqlMeasures,
		RunE: named(func(cmd *cobra.Command, args []string) error {
			query, err := s.query(args)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), query)
			return err
		}),
	}
	dialects := sets.Each(risksql.Dialects, func(d risksql.Dialect) string { return string(d) })
	distances, modes := []string{string(risk.Equal), string(risk.Ordered)}, []string{string(risk.Own), string(risk.Drop)}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{
			{Name: "table", To: &s.q.Table, Wanted: true, Text: "`name` of the table of records; points separate its parts"},
			{Name: "qi", To: &s.q.QI, Split: true, Text: "`columns` that are quasi-identifiers"},
			{Name: "sensitive", To: &s.q.Sensitive, Text: "l-diversity, t-closeness: `column` that is sensitive"},
			{Name: "missing", To: &s.missing, From: modes, Text: "what a missing quasi-identifier is: a value of its own, or the record is dropped"},
			{Name: "missing-marker", Rare: true, To: &s.q.Missing.Markers, Default: []string{""}, Text: "`value` that stands for a missing one", Else: "the empty text and NULL"},
			{Name: "missing-sensitive", To: &s.sensitive, From: []string{"ignore", "own"}, Text: "what a missing sensitive value is"},
		}),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "entity", To: &s.q.Entity, Text: "k-anonymity: `column` with the id of the person"},
			{Name: "histogram", To: &s.histogram, Excludes: []string{"entity"}, Text: "k-anonymity: a row for each class size instead"},
			{Name: "l", To: &s.q.L, Default: 2, Text: "l-diversity: the `l` of recursive (c,l)-diversity"},
			{Name: "distance", To: &s.distance, From: distances, Text: "t-closeness: between values"},
			{Name: "population", To: &s.q.Population, Text: "k-map, delta-presence: `name` of the table of the population"},
			{Name: "count", To: &s.q.Count, Text: "k-map, delta-presence: `column` that says how many people a row of it stands for"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "dialect", To: &s.dialect, From: dialects, Text: "kind of SQL"},
		}),
	)
	flags.Common(cmd, "--table persons", "--qi region,age,sex", "--dialect bigquery", "--sensitive disease", "--population census")
	return cmd
}

func (s *riskSQL) query(args []string) (string, error) {
	s.q.Dialect, s.q.Distance, s.q.Missing.Mode = risksql.Dialect(s.dialect), risk.Distance(s.distance), risk.MissingMode(s.missing)
	s.q.IgnoreMissing = s.sensitive == "ignore"
	switch {
	case len(args) != 1:
		return "", i18n.Errorf("want one measure of %s", sqlMeasures)
	case s.histogram && args[0] != "k-anonymity":
		return "", i18n.New("--histogram is for k-anonymity of records")
	}
	switch args[0] {
	case "k-anonymity":
		if s.histogram {
			return s.q.Histogram()
		}
		return s.q.KAnonymity()
	case "l-diversity":
		return s.q.LDiversity()
	case "t-closeness":
		return s.q.TCloseness()
	case "k-map", "delta-presence":
		return s.q.KMap()
	}
	return "", i18n.Errorf("%q: want one measure of %s", args[0], sqlMeasures)
}
