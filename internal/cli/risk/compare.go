package risk

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/compare"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// comparing is hitoku risk compare.
type comparing struct {
	microFlags
	sensitive  []string
	categories []string
	perturbed  []string
	recode     []string
	rounded    []string
	swapped    []string
	control    string
	id         string
	sameOrder  bool
	mapping    string
	from       []int32 // by record of the release: its record of the original, if the caller knows; likeness is then not measured

	attacks    int
	neighbours int
	columns    int
	left       []string
	right      []string
	tolerance  float64
	agree      float64
	within     float64
	confidence float64
	seed       uint64

	maxRisk, maxLoss *big.Rat
	links, plot      string
}

// byDefault returns the attacks that are made unless something else is asked for.
func byDefault() *comparing {
	return &comparing{attacks: 2000, neighbours: 1, columns: 3, tolerance: 0.05, agree: 0.05, within: 0.05, confidence: 0.95, seed: 1}
}

func newRiskCompare() *cobra.Command {
	c := byDefault()
	cmd := &cobra.Command{
		Use:   "compare ORIGINAL RELEASE... --qi COLUMNS [--sensitive COLUMNS] [--id COLUMN | --same-order | --mapping FILE] [--control FILE]",
		Short: "Attack a release with the original at hand, and say what its users lose",
		Long: `Each release is attacked as one who knows the --qi of persons would:

  record linkage     by distance, and by the probabilities of Fellegi and Sunter; interval
                     disclosure of numbers. These need to know which record of the release is
                     which of the original: --id, --same-order or --mapping
  singling out       a condition that one record of the release meets is met by exactly one of
                     the original
  linkability        what is known of a person in two files is joined by way of the release
  inference          the --sensitive value of the record of the release nearest to a person

The last three are those of anonymeter, with its confidence intervals. The risk is how much more
often they succeed than on the --control file, records that the release was not made from, or
without one than by chance or the best guess that does not look at the release. Loss is told by marginals,
associations, IL1s and the propensity score: 0 where the two files cannot be told apart.

Released values are read as sets of values of the original: intervals like [34,36), (34,36], 30-39, <5, 90+, under 10,
20s, 10 bis unter 20, 2: 30-39; amounts like $2k-$2.5k and 1.2m; numbers rounded to multiples or to significant digits;
dates in any order and parts of them like Sep 1952, 1987-Q1, 1987-W05, 昭和27年; prefixes and masks like 8460*, 8476x;
ranges and unions of codes like A-C, {1,2}, A1|A2; values in other cases; categories of --recode; * and empty fields for
any value. The only text of which nothing is known stands for any value or for all others, as the numbers of records tell;
classes may go by the name of one value, or, where the truth shows it, by any.
What each column was taken for is said. An attacker who knows --qi of a person takes one of the records whose values all stand for hers:
the candidates; or, as each record is another person's, the likeliest of all ways to match records and persons. Where the release is known to be made of the original (by the truth, or because the numbers of records agree as
they would not by chance), the largest risk is that of the person most at risk. Where it is not, what succeeds may be chance, or hold
for everybody: a limit between what needs the release and what may be is open, with exit code 3, and --control or the truth decides.

Columns whose values are all numbers are compared as numbers, unless --category names them. A value of which
it is not known what it stands for ends with exit code 2.
All files are kept in memory. Of more than --attacks records as many are drawn, by --seed.`,
		Example: `  hitoku risk compare persons.csv release.csv --qi region,age,sex --sensitive income --same-order
  hitoku risk compare persons.csv a.csv b.csv c.csv --qi region,age,sex --id person --plot frontier.svg --max-risk 0.05`,
		Args: flags.InputArgs,
		RunE: named(c.run),
	}
	files := []string{"csv", "csv.gz"}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{
			{Name: "qi", To: &c.qi, Split: true, Wanted: true, Text: "`columns` that the attacker knows of persons, like region,age,sex"},
			{Name: "sensitive", To: &c.sensitive, Split: true, Text: "`columns` that he wants to learn, each by itself"},
			{Name: "category", To: &c.categories, Split: true, Text: "`columns` that are no numbers though their values look like some, as codes do"},
			{Name: "perturbed", To: &c.perturbed, Split: true, Text: "`columns` whose released values are values of the same kind, changed by noise, swapping or synthesis, and none coarser than the original's: what the original does not have is another value", Else: "what values stand for is found from both files"},
			{Name: "recode", To: &c.recode, Text: "`COLUMN=FILE`: released values are categories of a hierarchy: lines like 34;30-39;*, without a header, or CSV with columns code and parent, or .hrc"},
			{Name: "rounded", To: &c.rounded, Text: "`COLUMN=BASE`: released numbers are rounded to multiples of BASE"},
			{Name: "swapped", To: &c.swapped, Text: "`COLUMN=P`: released numbers are those of records whose rank differs by at most P % of the records", Else: "what the truth shows, where it is given"},
			{Name: "control", To: &c.control, Files: files, Text: "`file` of records that the release was not made from"},
			{Name: "id", To: &c.id, Excludes: []string{"same-order", "mapping"}, Text: "`column` of both files that tells which record of the release is which of the original"},
			{Name: "same-order", To: &c.sameOrder, Excludes: []string{"mapping"}, Text: "the release has all records in the order of the original"},
			{Name: "mapping", To: &c.mapping, Files: files, Text: "`file` with the number of a record of the release and that of its original on each line, from 1"},
			flags.Encoding(&c.encoding, "the files"),
			flags.Separator(&c.separator),
		}),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "attacks", To: &c.attacks, Default: c.attacks, Range: "[1, ∞)", Text: "`number` of records or conditions of an attack at most"},
			{Name: "neighbours", To: &c.neighbours, Default: c.neighbours, Range: "[1, ∞)", Text: "linkability: `number` of nearest records looked at"},
			{Name: "left", To: &c.left, Split: true, Needs: []string{"right"}, Text: "linkability: `columns` of one file that the attacker has", Else: "the first half of --qi"},
			{Name: "right", To: &c.right, Split: true, Needs: []string{"left"}, Text: "linkability: `columns` of the other", Else: "the rest of --qi"},
			{Name: "conditions", To: &c.columns, Default: c.columns, Range: "[2, ∞)", Text: "singling out: `number` of columns of a condition on several"},
			{Name: "tolerance", To: &c.tolerance, Default: c.tolerance, Text: "inference: `share` of a guess by which it may differ from a number"},
			{Name: "agree", To: &c.agree, Default: c.agree, Text: "record linkage by probability: `share` of the range within which two numbers agree"},
			{Name: "within", To: &c.within, Default: c.within, Text: "interval disclosure: `width` to either side, in standard deviations"},
			{Name: "confidence", To: &c.confidence, Default: c.confidence, Text: "`level` of the confidence intervals"},
			{Name: "seed", To: &c.seed, Default: c.seed, Text: "`number` that decides what is drawn; it is no secret"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "max-risk", To: ratValue{&c.maxRisk}, Text: "exit with code 1 unless the largest risk is at most this `number`"},
			{Name: "max-loss", To: ratValue{&c.maxLoss}, Text: "exit with code 1 unless the loss by propensity score and the detail lost by sets are at most this `number`"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "links", To: &c.links, Files: []string{"csv"}, Writes: true, Text: "`file` for the guesses of record linkage by distance: record of the release, record of the original"},
			{Name: "plot", To: &c.plot, Files: []string{"svg"}, Writes: true, Text: "`file` for a drawing of the releases by risk and loss, SVG"},
			c.out.flag(),
		}),
	)
	flags.Common(cmd, "--qi region,age,sex", "--sensitive income", "--same-order", "--control others.csv", "--max-risk 0.05")
	return cmd
}

// check checks the arguments and flags.
func (c *comparing) check(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) < 2:
		return i18n.Errorf("%d files, want the original and a release", len(args))
	case slices.Contains(args, "-"):
		return i18n.Errorf("standard input cannot be compared; give files")
	case c.links != "" && len(args) > 2:
		return i18n.Errorf("--links: %d releases, want one", len(args)-1)
	case c.links != "" && c.id == "" && !c.sameOrder && c.mapping == "":
		return i18n.Errorf("--links: record linkage needs --id, --same-order or --mapping")
	case c.mapping != "" && len(args) > 2:
		return i18n.Errorf("--mapping: %d releases, want one", len(args)-1)
	case c.confidence <= 0 || c.confidence >= 1:
		return i18n.Errorf("--confidence %g: want more than 0 and less than 1", c.confidence)
	}
	for flag, x := range map[string]float64{"tolerance": c.tolerance, "agree": c.agree, "within": c.within} {
		if !(x >= 0) {
			return i18n.Errorf("--%s %g: want at least 0", flag, x)
		}
	}
	for _, name := range c.sensitive {
		if slices.Contains(c.qi, name) {
			return i18n.Errorf("--sensitive %s: is one of --qi, which the attacker knows", formats.Show(name))
		}
	}
	for _, name := range c.perturbed {
		if !slices.Contains(slices.Concat(c.qi, c.sensitive), name) {
			return i18n.Errorf("--perturbed %s: is none of --qi and --sensitive", formats.Show(name))
		}
	}
	for flag, list := range map[string][]string{"recode": c.recode, "rounded": c.rounded, "swapped": c.swapped} {
		for _, text := range list {
			if name, x, ok := strings.Cut(text, "="); !ok || x == "" {
				return i18n.Errorf("--%s %q: want COLUMN=...", flag, text)
			} else if !slices.Contains(slices.Concat(c.qi, c.sensitive), name) {
				return i18n.Errorf("--%s %s: is none of --qi and --sensitive", flag, formats.Show(name))
			}
		}
	}
	for _, name := range slices.Concat(c.left, c.right) {
		if !slices.Contains(c.qi, name) {
			return i18n.Errorf("--left, --right: %s is none of --qi", formats.Show(name))
		}
	}
	return c.microFlags.check(cmd, args)
}

func (c *comparing) run(cmd *cobra.Command, args []string) error {
	if err := c.check(cmd, args); err != nil {
		return err
	}
	var points []compare.Point
	code := cli.Done
	for _, path := range args[1:] {
		d, point, err := c.release(cmd.Context(), args[0], path)
		if err != nil {
			return err
		}
		if point != nil {
			points = append(points, *point)
		}
		d.doc.Judge(d.limits)
		sayUnmatched(cmd, path, d.doc.(*document.Comparison))
		if d.doc.(*document.Comparison).InOrder {
			cli.Note(cmd.ErrOrStderr(), "%s: the records are in the order of the original: to whoever knows that order the number of a line tells who it is, whatever is measured here", path)
		}
		if x := d.doc.(*document.Comparison); !x.InOrder && len(x.SortedBy) > 0 {
			cli.Note(cmd.ErrOrStderr(), "%s: the records are sorted, and the place of one tells more than its released value of %s, whatever is measured here: shuffle them", path, formats.ShowList(x.SortedBy))
		}
		if d.doc.(*document.Comparison).Recombined {
			cli.Note(cmd.ErrOrStderr(), "%s: numbers are those of the original, each as often, in combinations that no record of it has: if they were exchanged, --swapped COLUMN=P or the truth tells how far; they are attacked as if they were not", path)
		}
		for _, l := range d.limits {
			if l.Open {
				cli.Note(cmd.ErrOrStderr(), "%s", d.why)
			}
		}
		if len(args) > 2 && path != args[1] && !c.out.json {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		err = c.out.print(cmd, d.doc, func(w io.Writer) { d.show(w) }, d.limits)
		if err != nil {
			verdict, ok := err.(cli.Code)
			if !ok {
				return err
			}
			code = cli.Worst(code, verdict)
		}
	}
	if c.plot != "" {
		if err := formats.Save(c.plot, func(w io.Writer) error { return report.DrawFrontier(w, points) }); err != nil {
			return err
		}
	}
	return code.Result()
}

// show writes facts and tables.
func (d *microMeasure) show(w io.Writer) {
	d.table(w)
	for _, list := range d.lists {
		if len(list.Lines) > 1 {
			fmt.Fprintln(w)
			list.Print(w)
		}
	}
}

// places returns the places of columns among all.
func places(names, all []string) []int {
	return sets.Each(names, func(n string) int { return slices.Index(all, n) })
}

// truth returns which record of the release is which of the original, nil if that is not known.
func (c *comparing) truth(ctx context.Context, l risk.Layout, original, release string, a, b *compare.Records) ([]int32, string, error) {
	switch {
	case c.from != nil:
		return c.from, "mapping", nil
	case c.sameOrder:
		t, err := compare.SameOrder(a, b)
		if err != nil {
			err = i18n.Errorf("--same-order: %s: %w", release, err)
		}
		return t, "order", err
	case c.id != "":
		t, err := compare.ByID(ctx, l, c.id, original, release)
		return t, "id", err
	case c.mapping != "":
		t, err := compare.ReadTruth(c.mapping, a.N, b.N)
		return t, "mapping", err
	}
	return nil, "", nil
}

// release compares one release.
func (c *comparing) release(ctx context.Context, original, release string) (*microMeasure, *compare.Point, error) {
	x, err := c.attack(ctx, original, release)
	if err != nil {
		return nil, nil, err
	}
	d := x.measure()
	var point *compare.Point
	risk, ok := x.doc.LargestRisk.Get()
	if loss, known := x.doc.Loss.Get(); ok && known {
		point = &compare.Point{Name: release, Risk: risk, Loss: loss}
	}
	return d, point, nil
}

// attack attacks one release, and measures what its users lose; limits are judged later.
func (c *comparing) attack(ctx context.Context, original, release string) (*compared, error) {
	l := c.layout()
	columns := slices.Concat(c.qi, c.sensitive)
	paths := []string{original, release}
	if c.control != "" {
		paths = append(paths, c.control)
	}
	files, err := compare.Read(ctx, l, columns, c.categories, paths...)
	if err != nil {
		return nil, err
	}
	x := &compared{comparing: c, columns: columns, original: files[0], release: files[1], known: places(c.qi, columns), said: map[string]i18n.Text{}}
	// Every part has its own random numbers, so that one does not change another.
	x.rng = func(part string) *rand.Rand { return seed.Rand("compare", fmt.Sprint(c.seed), part) }
	x.doc = &document.Comparison{Original: original, Release: release, QI: c.qi, Sensitive: c.sensitive, Perturbed: c.perturbed, Numbers: []string{}, Seed: c.seed, Confidence: c.confidence,
		Records: uint64(x.original.N), Released: uint64(x.release.N),
		Columns: []document.Meaning{}, Sets: []document.BySets{}, AtLeast: document.Null[float64](), Attacks: []document.Attacked{}, Links: []document.Linked{}, Intervals: []document.Disclosed{}, Pairs: []document.Pair{}}
	doc := x.doc
	if c.control != "" {
		x.control = files[2]
		doc.Control = document.Some(c.control)
	}
	for k, name := range columns {
		if x.original.X[k] != nil {
			doc.Numbers = append(doc.Numbers, name)
		}
	}
	var how string
	if x.truth, how, err = c.truth(ctx, l, original, release, x.original, x.release); err != nil {
		return nil, err
	}
	if x.truth != nil {
		all := sets.Upto(int32(x.release.N))
		x.matched = compare.Known(all, x.truth)
		doc.Truth, doc.Matched = document.Some(how), document.Some(uint64(len(x.matched)))
	}
	if err := x.understand(ctx, files); err != nil {
		return nil, err
	}
	parts := []func(context.Context) error{x.sets, x.reckoned, x.linked, x.intervals, x.attacked, x.changes, x.utility, x.likeness}
	if c.from != nil {
		parts = parts[:len(parts)-1]
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// understand finds what the released values stand for.
func (x *compared) understand(ctx context.Context, files []*compare.Records) error {
	known := make([]compare.Reading, len(x.columns))
	for k, name := range x.columns {
		known[k].Category = slices.Contains(x.categories, name)
	}
	for _, text := range x.recode {
		name, path, _ := strings.Cut(text, "=")
		names, err := compare.ReadCategories(path)
		if err != nil {
			return err
		}
		known[slices.Index(x.columns, name)].Names = names
	}
	for _, text := range x.rounded {
		name, base, _ := strings.Cut(text, "=")
		b, err := num.ParseNumber(base)
		if err != nil || b.Sign() <= 0 {
			return i18n.Errorf("--rounded %s: want a number above 0", text)
		}
		known[slices.Index(x.columns, name)].Base = b
	}
	window := make([]*big.Rat, len(x.columns))
	for _, text := range x.swapped {
		name, percent, _ := strings.Cut(text, "=")
		p, err := num.ParseNumber(percent)
		if err != nil || p.Sign() <= 0 || p.Cmp(big.NewRat(100, 1)) > 0 {
			return i18n.Errorf("--swapped %s: want more than 0 and at most 100 percent", text)
		}
		window[slices.Index(x.columns, name)] = p
	}
	averages, err := x.averages(ctx, files, known, window)
	if err != nil {
		return err
	}
	for k, name := range x.columns {
		m, err := x.meaning(k, averages[k], window[k], known[k], files[2:])
		if err != nil {
			return err
		}
		x.meanings = append(x.meanings, m)
		d := document.Meaning{Column: name, Kind: m.Kind, Forms: []string{}, From: "read"}
		if r := known[k]; averages[k] != nil || window[k] != nil || r.Base != nil || r.Names != nil {
			d.From = "said"
		}
		for _, f := range m.Forms {
			d.Forms = append(d.Forms, f.String())
		}
		x.doc.Columns = append(x.doc.Columns, d)
	}
	compare.Stand(x.meanings, x.release, slices.Concat(files[:1], files[2:])...)
	x.coded = compare.Coded(x.original, x.meanings)
	return nil
}

// meaning finds what the values of column k stand for.
func (x *compared) meaning(k int, averages *compare.Meaning, window *big.Rat, known compare.Reading, others []*compare.Records) (*compare.Meaning, error) {
	name := x.columns[k]
	switch {
	case averages != nil:
		return averages, nil
	case slices.Contains(x.perturbed, name):
		return &compare.Meaning{Kind: compare.Perturbed}, nil
	}
	if known.Base == nil && known.Names == nil {
		if m := compare.Swapped(x.original, x.release, k, x.truth, window); m != nil {
			return m, nil
		}
		if window != nil {
			return nil, i18n.Errorf("--swapped %s: these are not the numbers of the original in another order, or too many are near each other", formats.Show(name))
		}
	}
	m, err := compare.Understand(x.original, x.release, others, k, x.truth, known)
	if err != nil {
		return nil, i18n.Errorf("%w. --recode or --rounded tell what the values of column %s stand for; --perturbed, if they are other values of the same kind as noise, swapping or synthesis makes them", err, formats.Show(name))
	}
	return m, nil
}

// proved reports whether so many records have the same values that no attacker who knows only the known columns can
// have a larger chance to find a person's record, whatever was done to the original.
func (x *compared) proved(limit float64) bool {
	return 1/float64(x.release.Measure(x.known).K) <= limit
}

// unmeasured reports whether, and why, a limit is open although no attack that was made exceeds it.
func (x *compared) unmeasured(l *document.Limit) (open bool, why i18n.Text) {
	changed := func(k int) bool { return x.meanings[k].Kind == compare.Perturbed }
	switch {
	case slices.ContainsFunc(x.known, func(k int) bool { return x.meanings[k].Unsure }):
		return true, i18n.T("--%s %s is open: %s is the largest risk of the attacks that were made, but records whose original is known contradict what values seem to stand for, and are too few to tell whether these are names of classes; --recode tells", l.Limit, l.Want, l.Got)
	case x.truth == nil && x.control == nil && slices.ContainsFunc(x.known, changed):
		return true, i18n.T("--%s %s is open: %s is the largest risk of the attacks that were made, but columns that the attacker knows are perturbed, and who is near whom in them needs --id, --same-order or --mapping; --control FILE, with records that the release was not made from, decides for one that is made of nobody's record", l.Limit, l.Want, l.Got)
	case x.measured:
		return false, why
	case x.truth == nil || x.unshown:
		return true, i18n.T("--%s %s is open: %s is the largest risk of the attacks that were made, but records of the release fit nobody of the original, and if values were changed, --id, --same-order or --mapping tells how; --control FILE, with records that the release was not made from, decides for one that is made of nobody's record", l.Limit, l.Want, l.Got)
	}
	return true, i18n.T("--%s %s is open: %s is the largest risk of the attacks that were made, but released values were changed, and there are too many records to reckon with that for each person", l.Limit, l.Want, l.Got)
}

// uncertain explains why a limit is open that some risk exceeds.
func (x *compared) uncertain(l *document.Limit, least float64) i18n.Text {
	if x.doc.LargestAttack == reckoning.String() {
		return i18n.T("--%s %s is open: the risk is %s by one estimate of how values were changed, and no more than %.4g by another; more records whose original is known tell them apart", l.Limit, l.Want, l.Got, least)
	}
	return i18n.T("--%s %s is open: %s may be chance, or hold for everybody, and is one of the release only if that is made of the original; --control FILE, with records that the release was not made from, or --id, --same-order or --mapping decides", l.Limit, l.Want, l.Got)
}

// sayUnmatched reports that an attack was left out because it would take too long.
func sayUnmatched(cmd *cobra.Command, path string, d *document.Comparison) {
	for _, s := range d.Sets {
		if s.Unmatched {
			cli.Note(cmd.ErrOrStderr(), "%s: too many records fit too many persons: the attack by the whole matching was not made, and may find more than the others", path)
		}
	}
}

// averages looks for microaggregated columns among those about which nothing else was said.
func (x *compared) averages(ctx context.Context, files []*compare.Records, known []compare.Reading, window []*big.Rat) (m map[int]*compare.Meaning, err error) {
	var list []int
	for k, name := range x.columns {
		if !slices.Contains(x.perturbed, name) && known[k].Base == nil && known[k].Names == nil && window[k] == nil {
			list = append(list, k)
		}
	}
	m, x.joints, err = compare.Averages(ctx, x.original, x.release, files[2:], list, x.truth)
	return m, err
}

// linking returns the meanings and the columns by which candidates are found; columns averaged together, all of which
// the attacker knows, count as one.
func (x *compared) linking() (meanings []*compare.Meaning, known []int) {
	meanings, known = slices.Clone(x.meanings), slices.Clone(x.known)
	for _, j := range x.joints {
		meanings = append(meanings, j.Meaning)
		if !slices.ContainsFunc(j.Columns, func(k int) bool { return !slices.Contains(known, k) }) {
			known = append(slices.DeleteFunc(known, func(k int) bool { return slices.Contains(j.Columns, k) }), j.Place)
		}
	}
	return meanings, known
}

// columnsRead returns the table of how the values of each released column were understood.
func (x *compared) columnsRead() *render.Columns {
	t := render.NewColumns(2, "column", "values of the release", "")
	for k, m := range x.meanings {
		t.Add(x.columns[k], "", "")
		switch m.Kind {
		case compare.Values:
			t.Say(1, i18n.T("as they are"))
			continue
		case compare.Sets:
			var l i18n.List
			for _, f := range m.Forms {
				if f.String() == compare.Values { // elsewhere this word is about a number of values
					f = i18n.T("single values")
				}
				l.Items = append(l.Items, f)
			}
			t.Say(2, i18n.T("%s", l))
		}
		t.Say(1, i18n.Term(m.Kind))
	}
	return t
}

// measure returns the document with the tables for people.
func (x *compared) measure() *microMeasure {
	doc := x.doc
	d := &microMeasure{measure: newMeasure(doc, "compare"), records: doc.Released}
	d.said = x.said
	if doc.LargestAttack == "" {
		d.words["largest_attack"] = ""
	}
	d.list(x.columnsRead())
	for _, s := range doc.Sets {
		t := render.NewColumns(1, "record linkage by sets", "persons", "with candidates", "with one", "expected", "mean risk", "largest risk").Words(0)
		t.Add(cells(s.Origin, s.Persons, s.Found, s.Alone, six(s.Expected), four(s.Mean), four(s.Largest))...)
		d.list(t)
		if m := s.Matching; m != nil {
			t = render.NewColumns(1, "record linkage by the whole matching", "persons", "exactly", "expected", "right", "mean risk", "largest risk").Words(0)
			t.Add(cells(s.Origin, s.Persons, m.Exact, six(m.Expected), sixOf(m.Right), four(m.Mean), four(m.Largest))...)
			d.list(t)
		}
	}
	between := func(low, high float64) string { return fmt.Sprintf("%.4f–%.4f", low, high) }
	t := render.NewColumns(1, "attack", "attacks", "success", "rate", "interval", "baseline", "risk", "interval").Words(0).Named(x.said)
	d.list(filled(t, doc.Attacks, func(a document.Attacked) []any {
		return []any{a.Attack, a.N, six(a.Success), four(a.Rate), between(a.Low, a.High), four(a.Baseline), four(a.Risk), between(a.RiskLow, a.RiskHigh)}
	}))
	t = render.NewColumns(1, "record linkage", "records", "right", "certain", "hits s", "r(n)").Words(0)
	d.list(filled(t, doc.Links, func(a document.Linked) []any { return []any{a.Attack, a.N, six(a.Right), a.Certain, a.Hits, a.R} }))
	t = render.NewColumns(1, "interval disclosure", "1 % of ranks", "10 % of ranks", "average", "").Say(4, i18n.T("within %g s", x.within))
	d.list(filled(t, doc.Intervals, func(i document.Disclosed) []any {
		return []any{i.Column, four(i.Rank[0]), four(i.Rank[len(i.Rank)-1]), four(i.Average), four(i.SD)}
	}))
	t = render.NewColumns(1, "measure", "original", "release", "change").Words(0)
	d.list(filled(t, doc.Changes, func(v document.Changed) []any {
		return []any{v.Measure, six(v.Original), six(v.Released), fmt.Sprintf("%+.6g", v.Released-v.Original)}
	}))
	t = render.NewColumns(1, "column", "TV", "KS", "mean", "release", "deviation", "release")
	d.list(filled(t, doc.Marginals, func(m document.Marginal) []any {
		return []any{m.Column, four(m.TV), sixOf(m.KS), sixOf(m.Mean), sixOf(m.ReleasedMean), sixOf(m.SD), sixOf(m.ReleasedSD)}
	}))
	t = render.NewColumns(2, "pair", "", "original", "release", "TV").Words(1)
	d.list(filled(t, doc.Pairs, func(p document.Pair) []any {
		return []any{p.A + ", " + p.B, p.Kind, four(p.Original), four(p.Released), four(p.TV)}
	}))
	largest, _ := doc.LargestRisk.Get()
	if _, ok := doc.LargestRisk.Get(); ok {
		d.floatAtMost("max-risk", x.maxRisk, largest)
		if least, _ := doc.AtLeast.Get(); x.maxRisk != nil {
			w, _ := x.maxRisk.Float64()
			l := &d.limits[0]
			l.Open = largest > w && least <= w
			if l.Met && !x.proved(w) {
				l.Open, d.why = x.unmeasured(l)
				l.Met = !l.Open
			} else if l.Open {
				d.why = x.uncertain(l, least)
			}
		}
	} else if x.maxRisk != nil {
		d.atMost("max-risk", x.maxRisk, nil)
	}
	if loss, ok := doc.Loss.Get(); ok {
		d.floatAtMost("max-loss", x.maxLoss, max(loss, doc.Detail))
	} else if x.maxLoss != nil {
		d.atMost("max-loss", x.maxLoss, nil)
	}
	return d
}
