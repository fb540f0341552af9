package risk

import (
	"bytes"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/risk"
)

// everything is hitoku risk all.
type everything struct {
	said map[string]i18n.Text // names of figures, and advice, with data in them, by their English
	sensitiveFlags
	entity         string
	size           uint64
	minK           uint64
	minL           *big.Rat
	maxT, maxAlpha *big.Rat
	maxBeta        *big.Rat
	maxShare       *big.Rat
	weight         string
	modelLimits
	models   []risk.Model // models of the population
	register kMap         // the measures by a population file
	minMap   uint64
	maxDelta *big.Rat
	pageFlags
}

// pageFlags are the flags about the page of a measure.
type pageFlags struct {
	date, author string
	page, lang   string
	mask         bool
}

func newRiskAll() *cobra.Command {
	e := &everything{minL: big.NewRat(2, 1)}
	cmd := &cobra.Command{
		Use:   "all FILE... --qi COLUMNS [--sensitive COLUMNS] [--population-size N | --weight W | --population FILE]",
		Short: "Every measure of records in one pass, a verdict, and what to do next",
		Long: `The records are read once, and what the other verbs measure each by itself is computed from
their classes: k-anonymity, records alone and special uniques, of each sensitive attribute
l-diversity, α, t-closeness, β-likeness and δ-disclosure, with --population-size the population
uniques and the risk if the file is a simple random sample, with --weight the individual risks of a
survey, with --population k-map and δ-presence. The verdict is that of the limits;
k of 5 and, with sensitive attributes, 2 different values are asked for unless other limits are
given. What to do next names columns.

--page writes a page of it. It is for the office, and has checksums of the files; --mask leaves them
out for the public. The date is what --date says, so that the same input gives the same bytes.`,
		Example: `  hitoku risk all persons.csv --qi region,age,sex --sensitive disease,income
  hitoku risk all persons.csv --qi region,age,sex --sensitive disease --min-k 10 --date today --author "Statistics Division" --page risk.html`,
		RunE: named(e.run),
	}
	records := e.microFlags.records([]string{"own", "drop"}, []flags.Flag{
		{Name: "sensitive", To: &e.sensitive, Split: true, Text: "`columns` that are sensitive; each is measured by itself"},
		{Name: "entity", To: &e.entity, Text: "`column` with the id of the person, who may have several records: k is of persons, too; the column is not published"},
		{Name: "missing-sensitive", To: &e.missingSensitive, From: []string{"ignore", "own"}, Default: "ignore", Text: "what a missing sensitive value is: ignored, by entropy l and t the worse of both, or a value of its own"},
	}...)
	flags.Declare(cmd,
		records,
		flags.In(flags.MeasureGroup, append([]flags.Flag{
			{Name: "population-size", To: &e.size, Text: "`number` of people in the population of which the file is a simple random sample"},
		}, e.populationFlags()...)),
		flags.In(flags.LimitsGroup, append([]flags.Flag{
			{Name: "min-k", To: &e.minK, Default: uint64(5), Text: "exit with code 1 unless k is at least this `number`"},
			{Name: "min-l", To: ratValue{&e.minL}, Text: "exit with code 1 unless distinct l of all sensitive attributes is at least this `number`"},
			{Name: "max-alpha", To: ratValue{&e.maxAlpha}, Text: "exit with code 1 unless α of all sensitive attributes is at most this `number`"},
			{Name: "max-t", To: ratValue{&e.maxT}, Text: "exit with code 1 unless t of all sensitive attributes is at most this `number`"},
			{Name: "max-beta", To: ratValue{&e.maxBeta}, Text: "exit with code 1 unless β of all sensitive attributes is at most this `number`"},
			{Name: "max-share", To: ratValue{&e.maxShare}, Needs: []string{"population-size"}, Text: "exit with code 1 unless the population uniques are at most this share of the population"},
		}, e.populationLimits()...)),
		flags.In(flags.PageGroup, []flags.Flag{
			{Name: "page", To: &e.page, Files: []string{"html"}, Writes: true, Text: "`file` for a page of HTML"},
			{Name: "page-lang", To: &e.lang, From: report.Languages(), Default: "en", Needs: []string{"page"}, Text: "language of the page"},
			{Name: "mask", To: &e.mask, Needs: []string{"page"}, Text: "leave checksums of the files out of the page", Else: "there, and the page says that it is internal"},
			{Name: "date", To: &e.date, Text: "`text` that is the date of the measure; today: that of the clock"},
			{Name: "author", To: &e.author, Text: "`text`: who measured"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{e.out.flag()}),
	)
	flags.Common(cmd, "--qi region,age,sex", "--sensitive disease", "--min-k 5", "--population-size 125000000", "--page risk.html")
	return cmd
}

// mostWithout is the most quasi-identifiers for which k without each of them is measured.
const mostWithout = 8

func (e *everything) run(cmd *cobra.Command, args []string) error {
	if slices.Contains(args, "-") && e.page != "" {
		return i18n.Errorf("--page: standard input has no checksum that others could compare; give a file")
	}
	if e.entity != "" {
		if slices.Contains(args, "-") {
			return i18n.New("--entity reads the files twice, which standard input cannot be")
		}
		if !slices.Contains(e.beside.drop, e.entity) {
			e.beside.drop = append(e.beside.drop, e.entity)
		}
	}
	s, err := e.read(cmd, args)
	if err != nil {
		return err
	}
	if e.date == "today" {
		e.date = time.Now().Format(time.DateOnly)
	}
	k, err := s.KAnonymity(cmd.Context(), e.mode(), 0)
	if err != nil {
		return err
	}
	doc := &document.Summary{Sensitive: e.sensitive, Entity: e.entity, Date: e.date, Author: e.author, Records: k.Records,
		MissingValues: riskdoc.Missing(e.mode(), k.Excluded, k.WithMissing, k.AllMissing), Figures: []document.Figure{}, Without: []document.WithoutOne{}, Next: []document.NextStep{}}
	d := e.start(doc, &doc.Microdata, "all", args, k.Records)
	if k.Records > 0 {
		a := &all{everything: e, cmd: cmd, doc: doc, d: d, s: s.Sensitive, k: k}
		doc.SortedBy = s.order.tells()
		if err := a.measure(s.weights); err != nil {
			return err
		}
		a.next()
	}
	return e.finish(cmd, doc, d)
}

// finish judges and prints.
func (e *everything) finish(cmd *cobra.Command, doc *document.Summary, d *microMeasure) error {
	doc.Verdict = "kept"
	switch {
	case slices.ContainsFunc(d.limits, func(l document.Limit) bool { return !l.Met && !l.Open }) || len(e.beside.found) > 0:
		doc.Verdict = "broken"
	case slices.ContainsFunc(d.limits, func(l document.Limit) bool { return l.Open }):
		doc.Verdict = "open"
	}
	if doc.Records == 0 {
		doc.Verdict = "empty"
	}
	d.words["verdict"] = map[string]string{"kept": "all limits are kept", "broken": "NOT to be published as it is", "empty": "no records", "open": "open: a limit is kept under a model only"}[doc.Verdict]
	t := render.NewColumns(2, "measure", "of", "value", "limit", "").Words(0, 4).Named(e.said)
	signs := map[string]string{"kept": "kept", "broken": "NOT KEPT", "open": "open"}
	d.list(filled(t, doc.Figures, func(f document.Figure) []any {
		return []any{f.Measure, f.Of, sixOf(f.Value), sixOf(f.Limit), signs[f.Verdict]}
	}))
	if len(e.models) > 0 {
		doc.Models = d.models(e.models, e.maxRisk != nil)
	}
	t = render.NewColumns(1, "without", "k", "classes", "records alone")
	d.list(filled(t, doc.Without, func(w document.WithoutOne) []any { return []any{w.Column, w.K, w.Classes, w.Alone} }))
	t = render.NewColumns(1, "what to do next").Words(0).Named(e.said)
	d.list(filled(t, doc.Next, func(n document.NextStep) []any { return []any{n.Text} }))
	err := d.print(cmd, &e.out)
	if e.page == "" {
		return err
	}
	if code, ok := err.(cli.Code); err != nil && (!ok || code != cli.Verdict && code != cli.Limit) {
		return err
	}
	if bad := e.write(doc); bad != nil {
		return bad
	}
	return err
}

// write writes the page.
func (e *everything) write(doc *document.Summary) error {
	var text bytes.Buffer
	if err := document.Write(&text, doc); err != nil {
		return err
	}
	docs, err := report.ReadRisk("hitoku risk all", text.Bytes())
	if err != nil {
		return err
	}
	p := &report.Risk{Lang: e.lang, Mask: e.mask, Version: cli.Version(), Documents: docs}
	for _, path := range doc.Files {
		if formats.SameFile(e.page, path) {
			return i18n.Errorf("--page %s: would overwrite a file that was measured", e.page)
		}
		s := report.Source{Kind: "data", File: path}
		if s.SHA256, err = formats.Digest(path); err != nil {
			return err
		}
		p.Sources = append(p.Sources, s)
	}
	return formats.Save(e.page, func(w io.Writer) error { return report.Risks(w, p) })
}

// all computes the figures.
type all struct {
	*everything
	cmd *cobra.Command
	doc *document.Summary
	d   *microMeasure
	s   *risk.Sensitive
	k   *risk.KAnonymity

	least uint64 // k by records or, with --entity, by persons

	low []string // attributes whose limit on l, α, t or β is not kept
}

// figure adds a figure with its limit; smaller says that the limit is an upper one.
func (a *all) figure(measure, of string, value *big.Rat, flag string, limit *big.Rat, smaller bool) {
	f := document.Figure{Measure: measure, Of: of, Value: document.Null[float64](), Limit: document.Null[float64](), Verdict: "none"}
	if value != nil {
		v, _ := value.Float64()
		f.Value = document.Some(v)
	}
	if limit != nil {
		l, _ := limit.Float64()
		kept := value != nil && (smaller && value.Cmp(limit) <= 0 || !smaller && value.Cmp(limit) >= 0)
		f.Limit, f.Verdict = document.Some(l), map[bool]string{true: "kept", false: "broken"}[kept]
		a.d.limit(flag, render.Ratio(limit, 0), render.Ratio(value, 0), kept)
		if !kept && of != "" && !slices.Contains(a.low, of) {
			a.low = append(a.low, of)
		}
	}
	a.doc.Figures = append(a.doc.Figures, f)
}

// plain adds a figure without a limit.
func (a *all) plain(measure, of string, value float64) {
	a.figure(measure, of, new(big.Rat).SetFloat64(value), "", nil, false)
}

func (a *all) measure(weights *risk.Weighted) error {
	if err := a.persons(); err != nil {
		return err
	}
	a.plain("classes", "", float64(a.k.Classes))
	a.plain("records alone", "", float64(a.k.Uniques))
	a.plain("records in classes below the limit of k", "", float64(a.below()))
	a.plain("largest risk 1/k", "", max(a.k.MaxRisk, 1/float64(max(1, a.least)))) // counting persons never lowers it
	a.plain("average risk", "", a.k.AverageRisk)
	a.plain("expected re-identifications", "", a.k.Reidentified)
	if err := a.specials(); err != nil {
		return err
	}
	if err := a.sensitives(); err != nil {
		return err
	}
	if a.size > 0 {
		if err := a.population(); err != nil {
			return err
		}
	}
	if weights != nil {
		if err := a.weights(weights); err != nil {
			return err
		}
	}
	if len(a.register.files) > 0 {
		if err := a.people(); err != nil {
			return err
		}
	}
	if n := len(a.qi); n > 1 && n <= mostWithout {
		sets, err := a.s.Subsets(a.cmd.Context(), a.mode(), n-1)
		if err != nil {
			return err
		}
		for _, s := range sets {
			if len(s.Columns) == n-1 {
				for _, q := range a.qi {
					if !slices.Contains(s.Columns, q) {
						a.doc.Without = append(a.doc.Without, document.WithoutOne{Column: q, K: s.K, Classes: s.Classes, Alone: s.Uniques})
					}
				}
			}
		}
		slices.SortStableFunc(a.doc.Without, func(x, y document.WithoutOne) int { return slices.Index(a.qi, x.Column) - slices.Index(a.qi, y.Column) })
	}
	return nil
}

// persons measures k, to be compared with --min-k, of the records or, with --entity, of the persons.
func (a *all) persons() error {
	limit := new(big.Rat).SetUint64(a.minK)
	if a.entity == "" {
		a.least = a.k.K
		a.figure("k-anonymity: k", "", new(big.Rat).SetUint64(a.k.K), "min-k", limit, false)
		return nil
	}
	scanner, err := scanner(&a.microFlags, append(slices.Clone(a.qi), a.entity), nil, risk.NewEntities)
	if err != nil {
		return err
	}
	e, err := scanFiles(a.cmd, scanner, a.doc.Files)
	if err != nil {
		return err
	}
	r, err := e.KAnonymity(a.cmd.Context(), a.mode(), 0)
	if err != nil {
		return err
	}
	a.least = r.K
	a.figure("k-anonymity of persons: k", "", new(big.Rat).SetUint64(r.K), "min-k", limit, false)
	a.plain("persons", "", float64(r.Entities))
	a.plain("persons alone", "", float64(r.Uniques))
	a.plain("k-anonymity: k", "", float64(a.k.K))
	return nil
}

// below returns the number of records in classes smaller than --min-k.
func (a *all) below() uint64 {
	n := uint64(0)
	for _, b := range a.k.Histogram {
		if b.Size < a.minK {
			n += b.Records
		}
	}
	return n
}

// specialColumns is the most columns of minimal sample uniques that are looked for.
const specialColumns = 4

func (a *all) specials() error {
	x, err := a.s.Specials(a.cmd.Context(), a.mode(), specialColumns, 1, 0)
	if err != nil {
		return err
	}
	a.plain(a.name(i18n.T("minimal sample uniques of up to %d columns", min(specialColumns, len(a.qi)))), "", float64(x.MSUs))
	a.plain("records that they single out", "", float64(x.Special))
	return nil
}

func (a *all) sensitives() error {
	if len(a.sensitive) == 0 {
		return nil
	}
	own := a.missingSensitive == "own"
	diversity, err := a.s.LDiversity(a.cmd.Context(), a.mode(), own, nil, 0)
	if err != nil {
		return err
	}
	distances := slices.Repeat([]risk.Distance{risk.Equal}, len(a.sensitive))
	closeness, err := a.s.TCloseness(a.cmd.Context(), a.mode(), own, distances, 0)
	if err != nil {
		return err
	}
	spread, missing := []release.Spread{}, uint64(0)
	for i, x := range closeness {
		spread = append(spread, release.Spread{E: diversity[i].Entropy, T: x.T})
		missing += x.MissingValues
	}
	if missing > 0 { // the search for a release and its verification take the worse of both, too
		if spread, err = release.Worst(a.cmd.Context(), a.s, a.mode(), distances); err != nil {
			return err
		}
	}
	likeness, err := a.s.Likeness(a.cmd.Context(), a.mode(), own, 0)
	if err != nil {
		return err
	}
	for i, name := range a.sensitive {
		x := diversity[i]
		a.figure("distinct l", name, new(big.Rat).SetUint64(x.Distinct), "min-l", a.minL, false)
		a.plain("entropy l", name, spread[i].E)
		a.figure("α, share of the most frequent value", name, x.Alpha, "max-alpha", a.maxAlpha, true)
		a.figure("t-closeness: t", name, spread[i].T, "max-t", a.maxT, true)
		a.figure("β-likeness: β", name, likeness[i].Beta, "max-beta", a.maxBeta, true)
		a.plain("δ-disclosure: δ", name, likeness[i].Delta)
	}
	return nil
}

// uniquesBy are the names of the estimates by method.
var uniquesBy = map[string]string{"pitman": "population uniques, pitman", "snb": "population uniques, snb", "zayatz": "population uniques, zayatz", "sample": "population uniques, sample"}

func (a *all) population() error {
	u, err := risk.NewUniques(a.k.Histogram, a.size)
	if err != nil {
		return err
	}
	models, err := risk.Models(a.cmd.Context(), &a.s.Classes, nil, a.mode(), a.size, float(a.maxRisk))
	if err != nil {
		return err
	}
	a.plain(uniquesBy[u.Chosen], "", u.Estimate)
	share := u.Estimate / float64(a.size)
	a.plain("population uniques, share of the population", "", share)
	if a.maxShare != nil {
		a.d.judged("max-share", a.maxShare, share, judgeUniques(models, float(a.maxShare), a.size))
		a.limited(a.maxShare)
	}
	list, expected, err := risk.Thinned(a.k.Records, a.size, a.k.Histogram, nil)
	if err != nil {
		return err
	}
	a.plain("largest risk E[1/F|f], a simple random sample", "", list[0].Risk)
	a.plain("expected re-identifications, a simple random sample", "", expected)
	if a.weight == "" {
		a.sideBySide(models, expected/float64(a.k.Records))
	}
	return nil
}

// name keeps a message by its English, which the document has.
func (e *everything) name(t i18n.Text) string {
	if e.said == nil {
		e.said = map[string]i18n.Text{}
	}
	e.said[t.String()] = t
	return t.String()
}

// next says what to do next.
func (a *all) next() {
	add := func(step, of string, text i18n.Text) {
		a.doc.Next = append(a.doc.Next, document.NextStep{Step: step, Of: of, Text: a.name(text)})
	}
	if found := a.beside.found; len(found) > 0 {
		add("drop", strings.Join(found, ", "), i18n.T("leave out what tells who the records are: --drop %s", strings.Join(found, ",")))
	}
	if a.least < a.minK {
		of := strings.Join(a.qi, ", ")
		if len(a.doc.Without) > 0 {
			best := slices.MinFunc(a.doc.Without, func(x, y document.WithoutOne) int {
				if x.K != y.K {
					return int(int64(y.K) - int64(x.K))
				}
				return int(int64(x.Alone) - int64(y.Alone))
			})
			of = best.Column
		}
		advice := i18n.T("make quasi-identifiers coarser, %s first: hitoku risk generalise finds the least that reaches k = %d", of, a.minK)
		if a.entity != "" {
			advice = i18n.T("make quasi-identifiers coarser, %s first, or hitoku risk withhold --entity %s: single values, so that each record agrees with those of %d persons", of, a.entity, a.minK)
		}
		add("generalise", of, advice)
		if n := a.below(); a.entity == "" && n*20 <= a.k.Records {
			add("suppress", "", i18n.T("or leave out the %d records in classes below %d (%.2g %%)", n, a.minK, 100*float64(n)/float64(a.k.Records)))
		}
	}
	if sorted := a.doc.SortedBy; len(sorted) > 0 {
		add("shuffle", strings.Join(sorted, ", "), i18n.T("shuffle the lines, which are sorted or grouped by %s: the place of a line tells of what is coarser or withheld in it", strings.Join(sorted, ", ")))
	}
	if len(a.low) > 0 {
		of := strings.Join(a.low, ", ")
		add("sensitive", of, i18n.T("coarser classes, or coarser values, of %s: a class tells too much of it", of))
	}
	if a.size == 0 && a.weight == "" && len(a.register.files) == 0 {
		add("population", "", i18n.T("if the file is a sample, --population-size N, or --weight; with a register or a census table, --population"))
	}
	if len(a.d.limits) > 0 && !slices.ContainsFunc(a.d.limits, func(l document.Limit) bool { return !l.Met }) && len(a.beside.found) == 0 {
		add("page", "", i18n.T("when the release is made: hitoku risk compare ORIGINAL RELEASE attacks it"))
	}
}
