package risk

import (
	"io"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/formulas"
	"github.com/hitoku/hitoku/risk"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
)

// pwsRisk is hitoku risk pws.
type pwsRisk struct {
	n, s, to, class int64
	p, alpha        *big.Rat
	truth, guess    string
	header          bool
	r, write        string
	out             riskOutput
}

func newRiskPWS() *cobra.Command {
	s := &pwsRisk{s: -1}
	contest := risk.PWSCup2018()
	s.p, s.alpha = contest.P, contest.Alpha
	cmd := &cobra.Command{
		Use:   "pws (--n N [--s S] [--to N [--write-r FILE]] | --class K | --truth F --guess F2) [--r FILE]",
		Short: "Safety test of the PWS Cup 2018 on the hits of a re-identification attack",
		Long: `Of n persons an attack on a release links s rightly. The release is called unsafe if

  r(n) ≤ s,   r(n) = min{ s : u(n,s) < alpha },   u(n,s) = Σ_{j≥s} C(n,j)·p^j

as u bounds the chance of s or more hits where no set of persons can be linked
with a chance above p to the power of its size. Exit code 1 if it is unsafe. --class
says whether a class of K records that are alike is safe in that sense: 1/K! ≤ p^K.

--truth and --guess are files of a pseudonym and a person on each line: hits are counted.
--r reads r from a file like the contest's R.csv, lines of n and r(n), which overrides the formula.`,
		Example: `  hitoku risk pws --n 20 --s 15
  hitoku risk pws --n 1 --to 30
  hitoku risk pws --class 7
  hitoku risk pws --truth F.csv --guess guess.csv --r R.csv`,
		Args: cli.NoArgs,
		RunE: named(s.run),
	}
	flags.Declare(cmd,
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "n", To: &s.n, Wanted: true, Unless: []string{"class", "guess"}, Excludes: []string{"class", "guess"}, Text: "`number` of persons attacked"},
			{Name: "class", To: &s.class, Text: "`size` of a class of records that are alike"},
			{Name: "s", To: &s.s, Default: -1, Excludes: []string{"to"}, Text: "`number` of hits: decide"},
			{Name: "to", To: &s.to, Text: "r for every number from --n to this `number`"},
			{Name: "truth", To: &s.truth, Files: []string{"csv"}, Needs: []string{"guess"}, Text: "`file` of pseudonyms and their persons: F of the contest"},
			{Name: "guess", To: &s.guess, Files: []string{"csv"}, Needs: []string{"truth"}, Excludes: []string{"class", "s", "to"}, Text: "`file` of pseudonyms and the persons that an attack has guessed: F′"},
			{Name: "header", To: &s.header, Needs: []string{"guess"}, Text: "the first line of these files are names"},
			{Name: "r", To: &s.r, Files: []string{"csv"}, Excludes: []string{"class", "to"}, Text: "`file` that has r, like R.csv", Else: "the formula"},
			{Name: "p", To: ratValue{&s.p}, Text: "chance of a right link that is allowed"},
			{Name: "alpha", To: ratValue{&s.alpha}, Text: "level of the test"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "write-r", To: &s.write, Files: []string{"csv"}, Writes: true, Needs: []string{"to"}, Text: "`file` for r, like R.csv"},
			s.out.flag(),
		}),
	)
	flags.Common(cmd, "--n 100", "--s 30", "--p 0.2", "--alpha 0.05", "--to 200")
	return cmd
}

// mostR is the most values of r that one command prints.
const mostR = 10_000

func (s *pwsRisk) run(cmd *cobra.Command, _ []string) error {
	h := risk.HitTest{P: s.p, Alpha: s.alpha}
	if err := h.Check(); err != nil {
		return err
	}
	if s.guess != "" {
		return s.hits(cmd, h)
	}
	var allowed document.Allowed
	allowed.P, allowed.PFloat = document.Ratio(h.P)
	if s.class != 0 {
		v, err := h.ClassVerdict(s.class)
		if err != nil {
			return err
		}
		doc := &document.HitsClass{Allowed: allowed, Class: s.class, Unsafe: document.Unsafe(!v.Satisfies)}
		doc.AllRight, doc.AllRightFloat = document.Ratio(v.AllRight)
		doc.Most, doc.MostFloat = document.Ratio(v.Allowed)
		return s.print(cmd, doc, !v.Satisfies)
	}
	var level document.Level
	level.Alpha, level.AlphaFloat = document.Ratio(h.Alpha)
	if s.to != 0 {
		if s.to < s.n || s.to-s.n >= mostR {
			return i18n.Errorf("--to %d: want --n to --n plus %d", s.to, mostR-1)
		}
		doc := &document.HitsTable{Allowed: allowed, Level: level, From: s.n, To: s.to}
		for n := s.n; n <= s.to; n++ {
			x, y, err := bothR(h, n)
			if err != nil {
				return err
			}
			doc.R, doc.Sharp = append(doc.R, x), append(doc.Sharp, y)
		}
		if s.write != "" {
			if err := formats.SaveAs(private.Drawn, s.write, func(w io.Writer) error { return formulas.WriteR(w, h.R, s.n, s.to) }); err != nil {
				return err
			}
		}
		return s.print(cmd, doc, false)
	}
	r, sharp, err := bothR(h, s.n)
	if err == nil && s.r != "" {
		r, err = s.from(s.n)
	}
	if err != nil {
		return err
	}
	doc := &document.Hits{Allowed: allowed, Level: level, N: s.n, R: r, Sharp: sharp, Formula: "u = sum_{j>=s} C(n,j) p^j; unsafe iff r(n) <= s"}
	if s.s < 0 {
		return s.print(cmd, doc, false)
	}
	if s.s > s.n {
		return i18n.Errorf("--s %d: more hits than persons", s.s)
	}
	doc.S, doc.Unsafe = document.Some(s.s), document.Some(document.Unsafe(r <= s.s))
	if s.n <= exactU {
		doc.U, doc.UFloat = document.Ratio(h.U(s.n, s.s))
	} else {
		u := math.Exp(h.LogU(s.n, s.s))
		doc.LogU, doc.UFloat = document.Some(h.LogU(s.n, s.s)), document.SomeIf(!math.IsInf(u, 0), u)
	}
	return s.print(cmd, doc, r <= s.s)
}

// from returns r(n) by the file of --r.
func (s *pwsRisk) from(n int64) (int64, error) {
	all, err := formulas.ReadR(s.r)
	if err != nil {
		return 0, err
	}
	r, ok := all[n]
	if !ok {
		return 0, i18n.Errorf("--r %s: it has no line for %d persons", s.r, n)
	}
	return r, nil
}

// hits counts the hits of a mapping.
func (s *pwsRisk) hits(cmd *cobra.Command, h risk.HitTest) error {
	truth, err := formulas.ReadMapping(s.truth, s.header)
	if err != nil {
		return err
	}
	guess, err := formulas.ReadMapping(s.guess, s.header)
	if err != nil {
		return err
	}
	doc := &document.Hitlist{Truth: s.truth, Guess: s.guess, RFile: s.r}
	doc.N, doc.S, doc.Absent = truth.Hits(guess)
	if s.r != "" {
		doc.R, err = s.from(doc.N)
	} else {
		doc.R, err = h.R(doc.N)
	}
	if err != nil {
		return err
	}
	doc.Unsafe = document.Some(document.Unsafe(doc.R <= doc.S))
	return s.print(cmd, doc, doc.R <= doc.S)
}

// exactU is the largest n for which u is shown as a fraction.
const exactU = 100

func bothR(h risk.HitTest, n int64) (r, sharp int64, err error) {
	if r, err = h.R(n); err == nil {
		sharp, err = h.SharpR(n)
	}
	return r, sharp, err
}

func (s *pwsRisk) print(cmd *cobra.Command, doc document.Measured, unsafe bool) error {
	m := newMeasure(doc, "pws")
	if d, ok := doc.(*document.Hits); ok {
		if _, ok := d.U.Get(); ok {
			m.words["u_float"] = "" // the fraction is shown instead
		}
	}
	if err := m.print(cmd, &s.out); err != nil {
		return err
	}
	if unsafe {
		return cli.Verdict
	}
	return nil
}

// cellRisk is hitoku risk cell.
type cellRisk struct {
	count, threshold, coalition int64
	zeros, exclusive            bool
	contributions               []*big.Rat
	dominance                   []*big.Rat
	interval                    []*big.Rat
	width                       *big.Rat
	out                         riskOutput
}

func newRiskCell() *cobra.Command {
	s := &cellRisk{count: -1, coalition: -1}
	cmd := &cobra.Command{
		Use:   "cell [--count C --min-freq T] [--contributions X,... --dominance N,K] [--interval LO,HI --width W]",
		Short: "Rules for one cell: minimum frequency, dominance, collusion, width of its interval",
		Long: `Applies rules to the numbers of one cell:

  --count C --min-freq T            unsafe if 1 ≤ C < T; T−1 contributors must collude to learn the last
  --contributions X,... --dominance N,K   unsafe if the N largest are K % of the total or more
  --count C --coalition A           a coalition of A learns another's value exactly iff C−A = 1
  --interval LO,HI --width W        unsafe if HI−LO < W

Exit code 1 if one of them says unsafe. hitoku suppress and hitoku audit apply them to tables.`,
		Example: `  hitoku risk cell --count 9 --min-freq 10
  hitoku risk cell --contributions 70,10,10,10 --dominance 1,70
  hitoku risk cell --interval 20,68 --width 10`,
		Args: cli.NoArgs,
		RunE: named(s.run),
	}
	flags.Declare(cmd,
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "count", To: &s.count, Range: "[0, ∞)", Default: -1, Text: "`number` of contributors"},
			{Name: "min-freq", To: &s.threshold, Range: "[1, ∞)", Needs: []string{"count"}, Text: "least `number` of contributors that is safe"},
			{Name: "zeros-sensitive", To: &s.zeros, Text: "a cell without contributors is unsafe, too"},
			{Name: "coalition", To: &s.coalition, Needs: []string{"count"}, Default: -1, Text: "`number` of contributors that share what they know"},
			{Name: "contributions", To: ratsValue{&s.contributions}, Needs: []string{"dominance"}, Text: "what each contributed (`numbers` with commas)"},
			{Name: "dominance", To: ratsValue{&s.dominance}, Needs: []string{"contributions"}, Text: "`N,K`: the N largest, K percent"},
			{Name: "exclusive", To: &s.exclusive, Text: "a share of K percent exactly is safe, as in τ-ARGUS"},
			{Name: "interval", To: ratsValue{&s.interval}, Needs: []string{"width"}, Text: "`LO,HI`: what is known of the value"},
			{Name: "width", To: ratValue{&s.width}, Needs: []string{"interval"}, Text: "least width that is safe"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			s.out.flag(),
		}),
	)
	flags.Common(cmd, "--count 4", "--min-freq 3", "--contributions 70,20,10", "--dominance 1,75", "--interval 14,23")
	return cmd
}

func (s *cellRisk) run(cmd *cobra.Command, _ []string) error {
	doc := &document.CellRules{}
	rules := 0
	rule := func(broken bool) document.Opt[document.Unsafe] {
		doc.Unsafe = doc.Unsafe || document.Unsafe(broken)
		rules++
		return document.Some(document.Unsafe(broken))
	}
	flags := cmd.Flags()
	if flags.Changed("min-freq") || flags.Changed("coalition") {
		doc.Count = document.Some(s.count)
	}
	if flags.Changed("min-freq") {
		if s.threshold < 1 {
			return i18n.Errorf("--min-freq %d: want at least 1", s.threshold)
		}
		doc.MinFreq, doc.Colluders = document.Some(s.threshold), document.Some(s.threshold-1)
		doc.MinFreqUnsafe = rule(formulas.FrequencyUnsafe(s.count, s.threshold, s.zeros))
	}
	if flags.Changed("coalition") {
		unknown, exactly, err := formulas.Collusion(s.count, s.coalition)
		if err != nil {
			return err
		}
		doc.Coalition, doc.Unknown, doc.Disclosure = document.Some(s.coalition), document.Some(unknown), rule(exactly)
	}
	if s.contributions != nil {
		if len(s.dominance) != 2 || !s.dominance[0].IsInt() || !s.dominance[0].Num().IsInt64() || s.dominance[0].Num().Int64() > math.MaxInt32 {
			return i18n.New("--dominance: want N,K like 1,70")
		}
		share, broken, err := formulas.Dominance(s.contributions, int(s.dominance[0].Num().Int64()), s.dominance[1], !s.exclusive)
		if err != nil {
			return err
		}
		doc.Share, doc.ShareFloat = document.Ratio(share)
		doc.Dominance = rule(broken)
	}
	if s.interval != nil {
		if len(s.interval) != 2 || s.interval[0].Cmp(s.interval[1]) > 0 {
			return i18n.New("--interval: want LO,HI with LO ≤ HI")
		}
		doc.Width, doc.WidthFloat = document.Ratio(new(big.Rat).Sub(s.interval[1], s.interval[0]))
		doc.WidthUnsafe = rule(formulas.WidthUnsafe(s.interval[0], s.interval[1], s.width))
	}
	if rules == 0 {
		return i18n.New("no rule; see hitoku risk cell --help")
	}
	if err := newMeasure(doc, "cell").print(cmd, &s.out); err != nil {
		return err
	}
	if doc.Unsafe {
		return cli.Verdict
	}
	return nil
}
