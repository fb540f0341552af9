package risk

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// sensitiveFlags are the flags that measures of sensitive attributes share.
type sensitiveFlags struct {
	microFlags
	sensitive        []string
	missingSensitive string
}

// records returns the flags about what is read.
func (s *sensitiveFlags) records() flags.Group {
	return s.microFlags.records([]string{"own", "drop", "suppressed", "wildcard"}, []flags.Flag{
		{Name: "sensitive", To: &s.sensitive, Split: true, Wanted: true, Text: "`columns` that are sensitive; each is measured by itself, and the worst counts"},
		{Name: "missing-sensitive", To: &s.missingSensitive, From: []string{"ignore", "own"}, Default: "ignore", Text: "what a missing sensitive value is: ignored, or a value of its own"},
	}...)
}

// scan counts the sensitive values of the files.
func (s *sensitiveFlags) scan(cmd *cobra.Command, args []string) (*risk.Sensitive, error) {
	columns := append(slices.Clone(s.qi), s.sensitive...)
	return scan(cmd, &s.microFlags, args, columns, nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(s.qi)) })
}

// classes starts the document with the k-anonymity of the classes.
func (s *sensitiveFlags) classes(cmd *cobra.Command, x *risk.Sensitive) (document.Classes, error) {
	k, err := x.KAnonymity(cmd.Context(), s.mode(), 0)
	if err != nil {
		return document.Classes{}, err
	}
	return riskdoc.Classes(k, s.mode(), s.missingSensitive == "own"), nil
}

// recursiveValue is a list of parameters c,l of recursive diversity, one for each time the flag is given.
type recursiveValue []recursiveLimit

type recursiveLimit struct {
	c *big.Rat
	l uint64
}

func (v *recursiveValue) Type() string { return "c,l" }

func (v *recursiveValue) String() string {
	return strings.Join(sets.Each(*v, func(x recursiveLimit) string { return x.c.RatString() + "," + strconv.FormatUint(x.l, 10) }), " ")
}

func (v *recursiveValue) Set(s string) error {
	c, l, ok := strings.Cut(s, ",")
	x, err := num.ParseNumber(c)
	n, err2 := strconv.ParseUint(l, 10, 32)
	if !ok || err != nil || err2 != nil || n < 1 || x.Sign() <= 0 {
		return i18n.New("want c,l like 3,2 with c > 0 and l from 1")
	}
	*v = append(*v, recursiveLimit{x, n})
	return nil
}

// lDiversity is hitoku risk l-diversity.
type lDiversity struct {
	sensitiveFlags
	minL, minEntropy, maxAlpha *big.Rat
	recursive                  recursiveValue
}

func newRiskLDiversity() *cobra.Command {
	l := &lDiversity{}
	cmd := &cobra.Command{
		Use:   "l-diversity FILE... --qi COLUMNS --sensitive COLUMNS",
		Short: "How many different sensitive values the records of a class have",
		Long: `Of the values of a sensitive attribute in each class: their number (distinct l),
exp of their entropy (entropy l, a real number), the share of the most frequent one
(α), and for recursive (c,l)-diversity the largest r₁/(r_l + … + r_m), which c must
exceed. The worst class counts, and of several attributes the worst.`,
		Example: `  hitoku risk l-diversity persons.csv --qi region,age,sex --sensitive disease,income --min-l 3
  hitoku risk l-diversity persons.csv --qi region,age --sensitive disease --recursive 3,2`,
		RunE: named(l.run),
	}
	flags.Declare(cmd,
		l.records(),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "min-l", To: ratValue{&l.minL}, Text: "exit with code 1 unless distinct l is at least this `number`"},
			{Name: "min-entropy-l", To: ratValue{&l.minEntropy}, Text: "exit with code 1 unless entropy l is at least this `number`"},
			{Name: "max-alpha", To: ratValue{&l.maxAlpha}, Text: "exit with code 1 unless α is at most this `number`"},
			{Name: "recursive", To: &l.recursive, Text: "exit with code 1 unless the table is recursively (c,l)-diverse"},
		}),
		l.output(),
	)
	flags.Common(cmd, "--qi region,age,sex", "--sensitive disease", "--min-l 3", "--worst 3", "--json")
	return cmd
}

func (l *lDiversity) run(cmd *cobra.Command, args []string) error {
	s, err := l.scan(cmd, args)
	if err != nil {
		return err
	}
	ls := []uint64{1, 2, 3, 4, 5}
	for _, x := range l.recursive {
		if !slices.Contains(ls, x.l) {
			ls = append(ls, x.l)
		}
	}
	slices.Sort(ls)
	all, err := s.LDiversity(cmd.Context(), l.mode(), l.missingSensitive == "own", ls, l.worst)
	if err != nil {
		return err
	}
	doc := &document.LDiversity{}
	if doc.Classes, err = l.classes(cmd, s); err != nil {
		return err
	}
	d := l.start(doc, &doc.Microdata, "l_diversity", args, doc.Records)
	distinct, entropy, alpha := riskdoc.Diversity(doc, all, d.records > 0)
	table := render.NewColumns(1, "attribute", "distinct l", "entropy l", "α", "c for l = 2", "missing").Words(4)
	infimum := map[uint64]*big.Rat{} // for each l the largest infimum of the attributes, nil if an attribute has none
	for _, r := range all {
		for _, c := range r.Recursive {
			if i, seen := infimum[c.L]; !seen || i != nil && (c.Infimum == nil || c.Infimum.Cmp(i) > 0) {
				infimum[c.L] = c.Infimum
			}
		}
		c := "none"
		if i := r.Recursive[1].Infimum; i != nil {
			c = "> " + both(i)
		}
		table.Add(cells(r.Attribute, r.Distinct, r.Entropy, r.Alpha, c, r.MissingValues)...)
	}
	d.list(table)
	for _, r := range all {
		t := render.NewColumns(1, "", "records", "distinct l", "entropy l", "most frequent").Say(0, i18n.T("worst classes of %s", r.Attribute))
		d.list(filled(t, r.Worst, func(x risk.ClassDiversity) []any {
			return []any{shown(x.Tuple), x.Records, x.Distinct, x.Entropy, x.Top}
		}))
	}
	if l.minL != nil {
		d.limit("min-l", render.Ratio(l.minL, 0), render.Exact(strconv.FormatUint(distinct, 10)), new(big.Rat).SetUint64(distinct).Cmp(l.minL) >= 0)
	}
	if l.minEntropy != nil {
		want, _ := l.minEntropy.Float64()
		d.limit("min-entropy-l", render.Ratio(l.minEntropy, 0), floatText(entropy), risk.EntropyAtLeast(entropy, want))
	}
	d.atMost("max-alpha", l.maxAlpha, alpha)
	for _, x := range l.recursive {
		i := infimum[x.l]
		d.limits = append(d.limits, document.Limit{Limit: "recursive", L: x.l, Want: render.Ratio(x.c, 0), Got: render.Ratio(i, 0), Met: i != nil && i.Cmp(x.c) < 0})
	}
	return d.print(cmd, &l.out)
}

// tCloseness is hitoku risk t-closeness.
type tCloseness struct {
	sensitiveFlags
	distance  []string
	hierarchy []string
	maxT      *big.Rat
}

func newRiskTCloseness() *cobra.Command {
	t := &tCloseness{}
	cmd := &cobra.Command{
		Use:   "t-closeness FILE... --qi COLUMNS --sensitive COLUMNS",
		Short: "How far the sensitive values of a class are from those of all records",
		Long: `The distance between the distribution of a sensitive attribute in a class and that over
all records: half the sum of absolute differences (equal), or for numbers the earth
mover's distance over their ranks (ordered), or for values with a hierarchy the one over its
steps (hierarchical). The worst class counts, and of several
attributes the worst. It is exact.`,
		Example: `  hitoku risk t-closeness persons.csv --qi region,age --sensitive disease --max-t 0.2
  hitoku risk t-closeness persons.csv --qi region,age --sensitive disease,income --distance income=ordered`,
		RunE: named(t.run),
	}
	flags.Declare(cmd,
		t.records(),
		flags.In(flags.MeasureGroup, []flags.Flag{
			distanceFlag(&t.distance),
			{Name: "hierarchy", To: &t.hierarchy, Text: "`ATTRIBUTE=FILE`: measure an attribute by the hierarchy of its values in a file with lines like flu;lungs;*"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "max-t", To: ratValue{&t.maxT}, Text: "exit with code 1 unless t is at most this `number`"},
		}),
		t.output(),
	)
	flags.Common(cmd, "--qi region,age,sex", "--sensitive income", "--distance ordered", "--max-t 0.2", "--json")
	return cmd
}

// distanceFlag returns the flag for the distances by which t is measured.
func distanceFlag(to *[]string) flags.Flag {
	return flags.Flag{Name: "distance", To: to, Offer: []string{"equal", "ordered"}, Text: "`equal|ordered`, or ATTRIBUTE=ordered for one", Else: "equal"}
}

// distances returns the distance of each attribute by values of the flag.
func distances(given, sensitive []string) ([]risk.Distance, error) {
	all := slices.Repeat([]risk.Distance{risk.Equal}, len(sensitive))
	for _, x := range given {
		at := strings.LastIndexByte(x, '=')
		d := risk.Distance(x[at+1:])
		if d != risk.Equal && d != risk.Ordered {
			return nil, i18n.Errorf("--distance %q: want equal, ordered or ATTRIBUTE=ordered", x)
		}
		if at < 0 {
			for k := range all {
				all[k] = d
			}
			continue
		}
		k := slices.Index(sensitive, x[:at])
		if k < 0 {
			return nil, i18n.Errorf("--distance %q: %q is not among --sensitive", x, x[:at])
		}
		all[k] = d
	}
	return all, nil
}

func (t *tCloseness) run(cmd *cobra.Command, args []string) error {
	distances, err := distances(t.distance, t.sensitive)
	if err != nil {
		return err
	}
	s, err := t.scan(cmd, args)
	if err != nil {
		return err
	}
	for _, x := range t.hierarchy {
		k, h, err := fileHierarchy("hierarchy", x, t.sensitive)
		if err == nil {
			err = s.Hierarchical(k, h)
		}
		if err != nil {
			return err
		}
		distances[k] = risk.ByTree
	}
	all, err := s.TCloseness(cmd.Context(), t.mode(), t.missingSensitive == "own", distances, t.worst)
	if err != nil {
		return err
	}
	doc := &document.TCloseness{}
	if doc.Classes, err = t.classes(cmd, s); err != nil {
		return err
	}
	d := t.start(doc, &doc.Microdata, "t_closeness", args, doc.Records)
	worst := riskdoc.Closeness(doc, all)
	table := render.NewColumns(2, "attribute", "distance", "t", "values", "missing").Words(1)
	d.list(filled(table, all, func(r *risk.TCloseness) []any { return []any{r.Attribute, r.Distance, r.T, r.Values, r.MissingValues} }))
	for _, r := range all {
		d.worstBy("distance", r.Attribute, r.Worst)
	}
	d.atMost("max-t", t.maxT, worst)
	return d.print(cmd, &t.out)
}

// betaLikeness is hitoku risk beta-likeness.
type betaLikeness struct {
	sensitiveFlags
	maxBeta, maxEnhanced, maxDelta *big.Rat
}

func newRiskBeta() *cobra.Command {
	b := &betaLikeness{}
	cmd := &cobra.Command{
		Use:   "beta-likeness FILE... --qi COLUMNS --sensitive COLUMNS",
		Short: "How much likelier a class makes a sensitive value than it is among all records",
		Long: `With p the share of a value among all records and q that in a class, β is the largest gain
(q−p)/p, exactly. Enhanced β-likeness wants besides that no gain is above −ln p. δ, of
δ-disclosure privacy, is the largest |ln(q/p)| of values that occur in a class; a class that
lacks a value has no δ in the strict sense, and such pairs are counted.`,
		Example: `  hitoku risk beta-likeness persons.csv --qi region,age,sex --sensitive disease --max-beta 2`,
		RunE:    named(b.run),
	}
	flags.Declare(cmd,
		b.records(),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "max-beta", To: ratValue{&b.maxBeta}, Text: "exit with code 1 unless β is at most this `number`"},
			{Name: "max-enhanced-beta", To: ratValue{&b.maxEnhanced}, Text: "exit with code 1 unless enhanced β-likeness holds with this `number`"},
			{Name: "max-delta-disclosure", To: ratValue{&b.maxDelta}, Text: "exit with code 1 unless δ is below this `number`"},
		}),
		b.output(),
	)
	flags.Common(cmd, "--qi region,age,sex", "--sensitive disease", "--max-beta 2", "--worst 3", "--json")
	return cmd
}

func (b *betaLikeness) run(cmd *cobra.Command, args []string) error {
	s, err := b.scan(cmd, args)
	if err != nil {
		return err
	}
	all, err := s.Likeness(cmd.Context(), b.mode(), b.missingSensitive == "own", b.worst)
	if err != nil {
		return err
	}
	doc := &document.Likeness{}
	if doc.Classes, err = b.classes(cmd, s); err != nil {
		return err
	}
	d := b.start(doc, &doc.Microdata, "beta_likeness", args, doc.Records)
	beta, delta, enhanced := riskdoc.Likeness(doc, all)
	d.words["enhanced"] = map[bool]string{true: "holds with β", false: "does not hold: some gain is above −ln p"}[enhanced]
	table := render.NewColumns(1, "attribute", "β", "enhanced", "δ", "values", "missing").Words(2)
	d.list(filled(table, all, func(r *risk.Likeness) []any {
		return []any{r.Attribute, r.Beta, map[bool]string{true: "yes", false: "no"}[r.Capped], r.Delta, r.Values, r.MissingValues}
	}))
	for _, r := range all {
		d.worstBy("gain", r.Attribute, r.Worst)
	}
	d.atMost("max-beta", b.maxBeta, beta)
	if b.maxEnhanced != nil {
		d.limit("max-enhanced-beta", render.Ratio(b.maxEnhanced, 0), render.Ratio(beta, 0), enhanced && beta.Cmp(b.maxEnhanced) <= 0)
	}
	if b.maxDelta != nil {
		want, _ := b.maxDelta.Float64()
		d.limit("max-delta-disclosure", render.Ratio(b.maxDelta, 0), floatText(delta), beta != nil && delta < want)
	}
	return d.print(cmd, &b.out)
}

// worstBy lists the worst classes for an attribute by what was measured in them.
func (d *microMeasure) worstBy(measured, attribute string, worst []risk.ClassDistance) {
	c := render.NewColumns(1, "", "records", measured).Say(0, i18n.T("worst classes of %s", attribute))
	d.list(filled(c, worst, func(x risk.ClassDistance) []any { return []any{shown(x.Tuple), x.Records, x.Distance} }))
}
