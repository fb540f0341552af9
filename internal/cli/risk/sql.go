package risk

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/risk/risksql"
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

// sqlMeasures are the measures that there are as SQL.
var sqlMeasures = []string{"k-anonymity", "l-diversity", "t-closeness", "k-map", "delta-presence"}

// newRiskSQL is hitoku risk sql.
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
		RunE: func(cmd *cobra.Command, args []string) error {
			query, err := s.query(args)
			if err != nil {
				return fmt.Errorf("risk sql: %w", err)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), query)
			return err
		},
	}
	f := cmd.Flags()
	var dialects []string
	for _, d := range risksql.Dialects {
		dialects = append(dialects, string(d))
	}
	f.Var(flags.Choice(&s.dialect, dialects), "dialect", "kind of SQL")
	f.StringVar(&s.q.Table, "table", "", "`name` of the table of records; points separate its parts")
	f.StringSliceVar(&s.q.QI, "qi", nil, "`columns` that are quasi-identifiers")
	f.StringVar(&s.q.Entity, "entity", "", "k-anonymity: `column` with the id of the person")
	f.BoolVar(&s.histogram, "histogram", false, "k-anonymity: a row for each class size instead")
	f.StringVar(&s.q.Sensitive, "sensitive", "", "l-diversity, t-closeness: `column` that is sensitive")
	f.Var(flags.Choice(&s.sensitive, []string{"ignore", "own"}), "missing-sensitive", "what a missing sensitive value is")
	f.IntVar(&s.q.L, "l", 2, "l-diversity: the `l` of recursive (c,l)-diversity")
	distances := []string{string(risk.Equal), string(risk.Ordered)}
	f.Var(flags.Choice(&s.distance, distances), "distance", "t-closeness: between values")
	f.StringVar(&s.q.Population, "population", "", "k-map, delta-presence: `name` of the table of the population")
	f.StringVar(&s.q.Count, "count", "", "k-map, delta-presence: `column` that says how many people a row of it stands for")
	modes := []string{string(risk.Own), string(risk.Drop)}
	f.Var(flags.Choice(&s.missing, modes), "missing", "what a missing quasi-identifier is: a value of its own, or the record is dropped")
	f.StringArrayVar(&s.q.Missing.Markers, "missing-marker", []string{""}, "`value` that stands for a missing one; repeatable (default: the empty text and NULL)")
	for flag, values := range map[string][]string{"dialect": dialects, "distance": distances, "missing": modes, "missing-sensitive": {"ignore", "own"}} {
		flags.Complete(cmd, flag, values...)
	}
	return cmd
}

func (s *riskSQL) query(args []string) (string, error) {
	s.q.Dialect, s.q.Distance, s.q.Missing.Mode = risksql.Dialect(s.dialect), risk.Distance(s.distance), risk.MissingMode(s.missing)
	s.q.IgnoreMissing = s.sensitive == "ignore"
	switch {
	case len(args) != 1:
		return "", fmt.Errorf("want one measure of %s", sqlMeasures)
	case s.q.Table == "":
		return "", errors.New("no table; name it by --table")
	case s.histogram && (args[0] != "k-anonymity" || s.q.Entity != ""):
		return "", errors.New("--histogram is for k-anonymity of records")
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
	return "", fmt.Errorf("%q: want one measure of %s", args[0], sqlMeasures)
}
