package risk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/compare"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// columnStatistics is hitoku risk columns.
type columnStatistics struct {
	microFlags
	columns, categories []string
	top                 int
}

func newRiskColumns() *cobra.Command {
	c := &columnStatistics{}
	cmd := &cobra.Command{
		Use:   "columns FILE [--columns A,B] [--top N]",
		Short: "Statistics of columns: different values, numbers, the most frequent values",
		Long: `Of each column the number of different values, of records whose value no other has and of empty
fields; of numbers the smallest, the largest, mean, deviation and quantiles; with --top the most
frequent values. It is for the office: these are values of records.`,
		Example: `  hitoku risk columns persons.csv --columns region,age --top 5`,
		Args:    flags.InputArgs,
		RunE:    named(c.run),
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{
			{Name: "columns", To: &c.columns, Split: true, Text: "`columns` to look at", Else: "all"},
			{Name: "category", To: &c.categories, Split: true, Text: "`columns` that are no numbers though their values look like some"},
			flags.Encoding(&c.encoding, "the file"),
			{Name: "separator", To: &c.separator, Text: "`character` between fields, or tab", Else: "of comma, semicolon and tab the most frequent in the header"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "top", To: &c.top, Range: "[0, ∞)", Text: "show the `N` most frequent values of each column"},
			c.out.flag(),
		}),
	)
	return cmd
}

func (c *columnStatistics) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "-" {
		return i18n.Errorf("want one file")
	}
	if err := c.check(cmd, args); err != nil {
		return err
	}
	names := c.columns
	if len(names) == 0 {
		var err error
		if names, err = risk.Header(args[0], c.layout()); err != nil {
			return err
		}
	}
	records, all, err := compare.Statistics(cmd.Context(), c.layout(), names, c.categories, args[0], c.top)
	if err != nil {
		return err
	}
	doc := &document.ColumnStatistics{File: args[0], Records: int64(records)}
	d := &microMeasure{measure: newMeasure(doc, "columns"), beside: &besideFlags{}, records: uint64(records)}
	t := render.NewColumns(2, "column", "", "different", "alone", "empty", "least", "5 %", "median", "95 %", "largest", "mean", "deviation").Words(1)
	top := render.NewColumns(2, "column", "value", "records")
	for _, x := range all {
		s := document.Statistics{Column: x.Name, Kind: "category", Distinct: int64(x.Distinct), Alone: int64(x.Alone), Missing: int64(x.Missing), Quantiles: x.Quantiles}
		row := []string{x.Name, s.Kind, fmt.Sprint(x.Distinct), fmt.Sprint(x.Alone), fmt.Sprint(x.Missing), "-", "-", "-", "-", "-", "-", "-"}
		if x.Number {
			s.Kind = "number"
			s.Min, s.Max, s.Mean, s.SD = document.Some(x.Min), document.Some(x.Max), document.Some(x.Mean), document.Some(x.SD)
			row[1] = s.Kind
			at := func(p int) float64 { return x.Quantiles[slices.Index(compare.Percents, p)] }
			for i, v := range []float64{x.Min, at(5), at(50), at(95), x.Max, x.Mean, x.SD} {
				row[5+i] = fmt.Sprintf("%.6g", v)
			}
		}
		for _, v := range x.Top {
			s.Top = append(s.Top, document.TopValue{Value: v.Value, Records: int64(v.Records)})
			top.Add(x.Name, shown([]string{v.Value}), fmt.Sprint(v.Records))
		}
		t.Add(row...)
		doc.Columns = append(doc.Columns, s)
	}
	d.list(t)
	d.list(top)
	return d.print(cmd, &c.out)
}

// history is hitoku risk history.
type history struct {
	out riskOutput
}

func newRiskHistory() *cobra.Command {
	h := &history{}
	cmd := &cobra.Command{
		Use:   "history DOCUMENT...",
		Short: "How measures changed over time, from the documents of several dates",
		Long: `DOCUMENT are files of what verbs of hitoku risk printed with --json, in the order of time: every
number that a document has is a line, with its value in each and the change of the last from the
first. Documents of hitoku risk all have their dates.`,
		Example: `  hitoku risk history 2024.json 2025.json 2026.json`,
		Args:    flags.InputArgs,
		RunE:    named(h.run),
	}
	flags.Declare(cmd, flags.In(flags.OutputGroup, []flags.Flag{h.out.flag()}))
	return cmd
}

// notFigures are the numbers in documents that are not measurements.
var notFigures = []string{"seed", "confidence", "level"}

// numbersOf returns the numbers of a document by name, in the order of the document.
func numbersOf(text []byte) (date string, names []string, values map[string]float64, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	var raw map[string]any
	if err := json.Unmarshal(text, &raw); err != nil || raw["metric"] == nil {
		return "", nil, nil, i18n.Errorf("not what hitoku risk --json prints")
	}
	date, _ = raw["date"].(string)
	metric, _ := raw["metric"].(string)
	values = map[string]float64{}
	add := func(name string, v any) {
		if x, ok := v.(float64); ok {
			if _, dup := values[name]; !dup {
				names = append(names, name)
			}
			values[name] = x
		}
	}
	if _, err := d.Token(); err != nil {
		return "", nil, nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "", nil, nil, err
		}
		var v any
		if err := d.Decode(&v); err != nil {
			return "", nil, nil, err
		}
		if name, _ := key.(string); !slices.Contains(notFigures, name) {
			add(metric+": "+name, v)
		}
		list, _ := v.([]any)
		for _, x := range list {
			o, _ := x.(map[string]any)
			switch key {
			case "figures":
				name := fmt.Sprint(o["measure"])
				if of := fmt.Sprint(o["of"]); of != "" {
					name += ", " + of
				}
				add(name, o["value"])
			case "attacks":
				add("risk, "+fmt.Sprint(o["attack"]), o["risk"])
			case "attributes":
				for _, k := range []string{"distinct_l", "entropy_l", "alpha_float", "t_float"} {
					add(metric+": "+k+", "+fmt.Sprint(o["attribute"]), o[k])
				}
			}
		}
	}
	return date, names, values, nil
}

func (h *history) run(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return i18n.Errorf("%d documents, want two or more", len(args))
	}
	doc := &document.History{Figures: []document.Changes{}}
	at := map[string]int{}
	header := []string{"figure"}
	for n, path := range args {
		text, err := budget.ReadFile(path, budget.Whole)
		if err != nil {
			return formats.OSError(path, err)
		}
		date, names, values, err := numbersOf(text)
		if err != nil {
			return i18n.Errorf("%s: %w", path, err)
		}
		if date != "" {
			header = append(header, date)
			date += " "
		} else {
			header = append(header, path)
		}
		doc.Documents = append(doc.Documents, date+path)
		for _, name := range names {
			k, ok := at[name]
			if !ok {
				k = len(doc.Figures)
				at[name] = k
				doc.Figures = append(doc.Figures, document.Changes{Figure: name, Values: slices.Repeat([]document.Opt[float64]{document.Null[float64]()}, len(args))})
			}
			doc.Figures[k].Values[n] = document.Some(values[name])
		}
	}
	t := render.NewColumns(1, append(header, "change")...).Words(0)
	for k := range doc.Figures {
		f := &doc.Figures[k]
		row := []string{f.Figure}
		var known []float64
		for _, v := range f.Values {
			x, ok := v.Get()
			if !ok {
				row = append(row, "-")
				continue
			}
			known = append(known, x)
			row = append(row, fmt.Sprintf("%.6g", x))
		}
		f.Change = document.Null[float64]()
		last := "-"
		if len(known) > 1 {
			f.Change = document.Some(known[len(known)-1] - known[0])
			last = fmt.Sprintf("%+.6g", known[len(known)-1]-known[0])
		}
		t.Add(append(row, last)...)
	}
	d := &microMeasure{measure: newMeasure(doc, "history"), beside: &besideFlags{}, records: 1}
	d.list(t)
	return d.print(cmd, &h.out)
}
