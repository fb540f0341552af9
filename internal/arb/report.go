package arb

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// audit returns the interval of every cell of a table, for option AR. That of a published cell is its value.
func (b *batch) audit(ctx context.Context, j *job) ([]argus.Interval, error) {
	withheld := make([]bool, j.t.Len())
	for i, st := range j.t.Status {
		withheld[i] = st == table.Sensitive || st == table.Withheld || j.pattern != nil && j.pattern[i]
	}
	r, err := interval.Audit(ctx, j.t, withheld, &interval.Options{LP: b.opt.LP, Workers: b.opt.Workers})
	if err != nil {
		return nil, err
	}
	all := make([]argus.Interval, j.t.Len())
	for i := range all {
		if !withheld[i] {
			all[i] = argus.Known(j.t.Value[i])
		}
	}
	for _, c := range r.Cells {
		all[c.Index] = argus.Interval{Low: c.Lo, High: c.Hi}
	}
	return all, nil
}

// report writes the HTML report on the output path to the office's folder beside that of the output, because
// sums of unsafe cells, the cost and the parameters of rules give away what is withheld.
func (b *batch) report(j *job, path string, out argus.Output) error {
	dir, name := filepath.Split(path)
	folder := private.Dir(dir)
	if err := private.Make(folder); err != nil {
		return err
	}
	page := filepath.Join(folder, strings.TrimSuffix(name, filepath.Ext(name))+".html")
	n := slices.Index(b.jobs, j) + 1
	r := &report.Batch{Title: "Table " + filepath.Base(path), Only: private.Only, Version: b.opt.Version}
	fact := func(name, format string, args ...any) {
		r.Facts = append(r.Facts, report.Fact{Name: name, Text: fmt.Sprintf(format, args...)})
	}
	fact("Batch", "%s, table %d", filepath.Base(b.file), n)
	fact("Output", "%s, type %d", filepath.Base(path), out.Type)
	if j.from != nil {
		files := sets.Each(j.from.files, filepath.Base)
		fact("Made from", "microdata %s, metadata %s", strings.Join(files, ", "), filepath.Base(j.from.meta))
	} else {
		fact("Made from", "table %s, metadata %s", filepath.Base(j.data), filepath.Base(j.meta))
	}
	for d := range j.t.Dims {
		dim := &j.t.Dims[d]
		kind := "codes"
		if !dim.Flat() {
			kind = "codes, hierarchical"
		}
		text := fmt.Sprintf("%s: %d %s", dim.Name, len(dim.Codes), kind)
		if by, ok := j.recode[strings.ToLower(dim.Name)]; ok {
			text += ", recoded " + by.String()
		}
		fact("Variable", "%s", text)
	}
	fact("Response", "%s", cmp.Or(j.response, "<freq>"))
	if j.shadow != "" && j.shadow != j.response {
		fact("Shadow", "%s", j.shadow)
	}
	fact("Cost", "%s", j.costWords())
	if j.computed > 0 {
		fact("Margins", "%d did not add up and were let pass", j.computed)
	}
	for _, c := range j.changes {
		fact("A-priori file", "%s", c)
	}
	if j.rules.Empty() {
		r.Rules = []string{"Which cells are sensitive is what the input says."}
	} else {
		r.Rules = append(report.RulesInWords("en", j.t, j.rules), "As given: "+j.rules.String())
	}
	if r.Method = j.method; r.Method == nil {
		r.Method = []string{"The table has not been protected in this batch."}
	}
	for _, s := range argus.Summarise(j.t, j.pattern, j.write) {
		r.Summary = append(r.Summary, report.StatusRow{Status: s.Status, Name: s.Name, Cells: s.Cells, Respondents: s.Respondents, Value: s.Value, Cost: s.Cost})
	}
	if err := formats.Save(page, func(w io.Writer) error { return report.WriteBatch(w, r) }); err != nil {
		return err
	}
	b.say("Report written to %s", page)
	return nil
}

// costWords says in words what cells cost.
func (j *job) costWords() string {
	switch {
	case j.cost == "-1":
		return "number of contributors (-1)"
	case j.cost == "-2":
		return "one each (-2)"
	case j.cost == "-3":
		return "distance from the nearest unsafe cell (-3)"
	case j.cost != "":
		return j.cost
	case j.λ != nil && j.λ.String() != "1":
		return fmt.Sprintf("the value, to the power of %s", j.λ)
	}
	return "the value, or that of the input"
}
