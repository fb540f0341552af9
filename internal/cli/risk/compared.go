package risk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/compare"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// compared is the comparison of one release.
type compared struct {
	*comparing
	columns                    []string
	original, release, control *compare.Records
	known                      []int   // the columns of --qi
	truth                      []int32 // nil if it is not known
	matched                    []int32 // records of the release whose original is known
	meanings                   []*compare.Meaning
	joints                     []compare.Joint
	coded                      *compare.Records // the original in terms of released values
	candidates                 *compare.Candidates
	unshown                    bool // some records are known, which show no changes, and others may have been changed
	certain                    bool // the release certainly comes from the original by replacing values by sets
	measured                   bool // the risk of the person most at risk from record linkage was measured
	rng                        func(part string) *rand.Rand
	doc                        *document.Comparison
	said                       map[string]i18n.Text // names of attacks, by their English
}

// What the lower bound on the risk of an attack presumes, where it is not known that the release comes from the
// original.
type presumes int

const (
	nothing presumes = iota // nothing, as the truth is known: the bound allows for sampling error only
	weight                  // the bound is the excess over what conditions chosen without the release achieve
	origin                  // that the records of the release are the original's: without it there is no bound
)

// success adds an attack. Its risk is judged against the control file or, without one, against the baseline.
func (x *compared) success(said i18n.Text, a compare.Attack, needs presumes) {
	if a.N == 0 {
		return
	}
	name := said.String()
	rate := a.Rate(x.confidence)
	out := document.Attacked{Attack: name, N: uint64(a.N), Success: a.Success, Baseline: a.Baseline / float64(a.N)}
	out.Rate, out.Low, out.High = rate.Bounds()
	risk := a.Risk(x.confidence)
	if a.Control != nil {
		out.Control = document.Some(*a.Control / float64(a.ControlN))
	} else if out.Baseline < 1 {
		risk = compare.Residual(rate, compare.Exactly(out.Baseline))
	}
	out.Risk, out.RiskLow, out.RiskHigh = risk.Bounds()
	switch {
	case x.certain && a.Control == nil && (a.Exact || a.N == x.original.N):
		exact := compare.Exactly(a.Success / float64(a.N))
		if out.Baseline < 1 {
			exact = compare.Residual(exact, compare.Exactly(out.Baseline))
		}
		least, _, _ := exact.Bounds()
		out.AtLeast = min(out.Risk, least)
	case x.certain && a.Control == nil:
		out.AtLeast = out.RiskLow // the persons attacked were sampled
	case needs == nothing || a.Control != nil:
		out.AtLeast = out.RiskLow
	case needs == weight:
		low, _, _ := compare.Residual(compare.Exactly(out.Low), compare.Exactly(a.Isolation)).Bounds()
		out.AtLeast = min(low, out.Risk)
	}
	x.largest(said, out.Risk, out.AtLeast)
	x.doc.Attacks = append(x.doc.Attacks, out)
}

// largest updates the largest risk.
func (x *compared) largest(said i18n.Text, risk, atLeast float64) {
	x.said[said.String()] = said
	if largest, ok := x.doc.LargestRisk.Get(); !ok || risk > largest {
		x.doc.LargestRisk, x.doc.LargestAttack = document.Some(risk), said.String()
	}
	least, _ := x.doc.AtLeast.Get()
	x.doc.AtLeast = document.Some(max(least, atLeast))
}

// mostContradicted sets the share of persons (one in this many) whose own record may be missing from their candidates
// while the candidates of the others still count as what the release discloses: the chance of a candidate is then
// overstated by at most that share. If more are missing, or a single one in a file of fewer than twenty, only the
// attacker who allows for changed values counts.
const mostContradicted = 20

// sets performs record linkage by what the released values stand for.
func (x *compared) sets(ctx context.Context) error {
	meanings, known := x.linking()
	x.candidates = compare.NewCandidates(x.release, meanings, known)
	if x.candidates == nil {
		return nil
	}
	l, err := x.candidates.Link(ctx, x.original, x.truth)
	if err != nil || l.Persons == 0 {
		return err
	}
	x.doc.InOrder = x.sameOrder || x.candidates.InOrder(x.original)
	for k, name := range x.columns {
		if x.doc.InOrder && math.Abs(x.original.Sorted(k)) >= 0.9 {
			x.doc.SortedBy = append(x.doc.SortedBy, name)
		}
	}
	if !x.doc.InOrder {
		x.ordered()
	}
	if x.truth == nil && l.Found < l.Persons && x.original.N == x.release.N {
		for _, k := range x.known {
			x.doc.Recombined = x.doc.Recombined || x.meanings[k].Kind == compare.Values && compare.SameNumbers(x.original, x.release, k)
		}
	}
	complete := !slices.ContainsFunc(x.known, func(k int) bool { return x.meanings[k].Kind == compare.Perturbed })
	doc := document.BySets{Persons: uint64(l.Persons), Found: uint64(l.Found), Alone: uint64(l.Alone), Outside: uint64(l.Outside), Expected: l.Expected,
		Mean: l.Expected / float64(l.Persons), Largest: l.Largest, Origin: "unknown"}
	switch {
	case x.truth != nil && l.Outside == 0 && complete:
		doc.Origin = "known"
	case x.truth == nil && complete && x.candidates.Fits(x.original, x.release):
		doc.Origin = "fits"
	}
	guessed := slices.ContainsFunc(x.known, func(k int) bool { return x.meanings[k].Guessed })
	// Where the originals of some records only are known, the others may have been changed though these were not.
	some := slices.Contains(x.truth, -1)
	x.certain = !guessed && (doc.Origin == "fits" || doc.Origin == "known" && (!some || x.candidates.Fits(x.original, x.release)))
	x.unshown = !x.certain && some && doc.Origin == "known"
	m, err := x.candidates.Match(ctx, x.original, x.truth)
	if err != nil {
		return err
	}
	if m != nil && m.Persons > 0 {
		doc.Matching = &document.Matching{Exact: uint64(m.Exact), Expected: m.Expected, Right: document.SomeIf(x.truth != nil, m.Right), Mean: max(m.Expected, m.Right) / float64(m.Persons), Largest: m.Largest}
	}
	doc.Unmatched = m != nil && m.Many
	x.measured = x.certain || x.truth == nil && x.control != nil || (x.truth == nil || x.unshown) && m != nil && complete
	x.doc.Sets = append(x.doc.Sets, doc)
	a := compare.Attack{N: l.Persons, Exact: x.certain || x.truth == nil, Success: l.Expected, Baseline: float64(l.Persons) / float64(x.release.N)}
	needs := nothing
	if x.truth == nil {
		needs = origin
	}
	if x.control != nil && x.truth == nil && !x.certain {
		c, err := x.candidates.Link(ctx, x.control, nil)
		if err != nil {
			return err
		}
		a.Control, a.ControlN = &c.Expected, c.Persons
	}
	x.success(i18n.T("record linkage by sets"), a, needs)
	// If only few of the known records contradict the reading of the values, an attacker has the candidates of all
	// others.
	few := x.truth != nil && complete && !guessed && mostContradicted*l.Outside <= l.Persons
	if person := i18n.T("record linkage by sets, of one person"); x.certain {
		x.largest(person, l.Largest, l.Largest)
	} else if few {
		x.largest(person, l.Largest, l.Largest*(1-compare.Proportion(l.Persons, float64(l.Outside), x.confidence).High))
	} else if a.Control == nil && x.truth == nil {
		x.largest(person, l.Largest, 0)
	}
	if doc.Matching == nil || a.Control != nil {
		return nil
	}
	a.Success = max(m.Expected, m.Right)
	if some { // the others may be nobody's
		needs = origin
	}
	x.success(i18n.T("record linkage by the whole matching"), a, needs)
	if person := i18n.T("record linkage by the whole matching, of one person"); x.certain {
		x.largest(person, m.Largest, m.Largest)
	} else if x.truth == nil || some || guessed {
		x.largest(person, m.Largest, 0)
	}
	return nil
}

var reckoning = i18n.T("record linkage that reckons with changed values, of one person")

// reckoned performs record linkage by an attacker who allows for changed values, if it is known what became of some.
func (x *compared) reckoned(ctx context.Context) error {
	meanings, known := x.linking()
	if len(x.matched) == 0 || (x.certain || x.unshown) && !slices.ContainsFunc(known, func(k int) bool { return meanings[k].Changes() }) {
		return nil
	}
	x.measured = false
	c, err := compare.Reckon(ctx, x.original, x.release, meanings, known, x.truth)
	if err != nil || c == nil {
		return err
	}
	x.measured = true
	x.largest(reckoning, c.Largest, c.Least)
	return nil
}

// ordered finds the columns of which the place of a record reveals more than its released value, in an order other than
// the original's: sorted by such a column, or by it within others or within parts of the file.
func (x *compared) ordered() {
	within, coarser := []int{-1}, []int{}
	for _, k := range x.known {
		switch x.meanings[k].Kind {
		case compare.Values:
			within = append(within, k)
		case compare.Sets:
			coarser = append(coarser, k)
		}
	}
	for _, k := range coarser {
		if slices.ContainsFunc(within, func(w int) bool { return x.candidates.Ordered(x.original, x.release, k, w, len(within)*len(coarser)) }) ||
			x.candidates.Follows(x.original, x.release, k) {
			x.doc.SortedBy = append(x.doc.SortedBy, x.columns[k])
		}
	}
}

// linked performs record linkage when it is known which record is which.
func (x *compared) linked(ctx context.Context) error {
	if len(x.matched) == 0 {
		return nil
	}
	drawn := compare.Draw(len(x.matched), x.attacks, x.rng("linkage"))
	records := sets.Pick(x.matched, drawn)
	o, r := x.original.Part(x.known), x.release.Part(x.known)
	links, err := compare.ByDistance(ctx, o, r, records, x.truth, x.rng("by distance"))
	if err != nil {
		return err
	}
	if x.links != "" {
		if err := formats.Save(x.links, func(w io.Writer) error {
			fmt.Fprintln(w, "release,original")
			for n, i := range records {
				if _, err := fmt.Fprintf(w, "%d,%d\n", i+1, links.Guess[n]+1); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	x.link("record linkage by distance", links)
	if len(x.known) > compare.MaxAgreements {
		return nil
	}
	links, _, err = compare.ByProbability(ctx, o, r, records, x.truth, x.agree, x.rng("by probability"))
	if err != nil {
		return err
	}
	x.link("record linkage by probability", links)
	return nil
}

// link adds record linkage, and the hits with one guess each, as the PWS Cup judges them.
func (x *compared) link(name string, l *compare.Links) {
	n := l.Records
	out := document.Linked{Attack: name, N: uint64(n), Right: l.Right, Certain: uint64(l.Certain), Hits: uint64(l.Hits)}
	if r, err := risk.PWSCup2018().R(int64(n)); err == nil {
		out.R, out.Unsafe = document.Some(uint64(r)), document.Some(int64(l.Hits) >= r)
	}
	x.doc.Links = append(x.doc.Links, out)
	x.success(i18n.Term(name), compare.Attack{N: n, Success: l.Right, Baseline: float64(n) / float64(x.original.N)}, nothing)
}

// intervals measures interval disclosure in all columns of numbers.
func (x *compared) intervals(context.Context) error {
	if len(x.matched) == 0 {
		return nil
	}
	list, _ := compare.IntervalDisclosure(x.original, x.release, x.truth, x.within)
	for _, i := range list {
		x.doc.Intervals = append(x.doc.Intervals, document.Disclosed{Column: x.columns[i.Column], Rank: i.Rank, Average: i.Average(), SD: i.SD})
	}
	if loss, ok := compare.IL1s(x.original, x.release, x.truth); ok {
		x.doc.IL1s = document.Some(loss)
	}
	return nil
}

// attempts bounds the conditions that are tried for each one wanted.
const attempts = 50

// attacked performs singling out, linkability and inference.
func (x *compared) attacked(ctx context.Context) error {
	attacker := func(part string) *compare.Attacker {
		return &compare.Attacker{Original: x.original, Release: x.release, Control: x.control, Candidates: x.candidates, Attacks: x.attacks, RNG: x.rng(part)}
	}
	one, err := attacker("one column").SinglingOut(ctx, 1, 0)
	if err != nil {
		return err
	}
	x.success(i18n.T("singling out, 1 column"), one, weight)
	if n := min(x.comparing.columns, len(x.columns)); n > 1 {
		many, err := attacker("columns").SinglingOut(ctx, n, attempts*x.attacks)
		if err != nil {
			return err
		}
		x.success(i18n.T("singling out, %d columns", n), many, weight)
	}
	left, right := places(x.left, x.columns), places(x.right, x.columns)
	if left == nil {
		half := (len(x.known) + 1) / 2
		left, right = x.known[:half], x.known[half:]
	}
	if len(right) > 0 {
		linked, err := attacker("linkability").Linkability(ctx, left, right, x.neighbours)
		if err != nil {
			return err
		}
		x.success(i18n.T("linkability"), linked, origin)
	}
	for _, name := range x.sensitive {
		guessed, err := attacker("inference "+name).Inference(ctx, x.known, slices.Index(x.columns, name), x.tolerance)
		if err != nil {
			return err
		}
		x.success(i18n.T("inference of %s", name), guessed, origin)
	}
	return nil
}

// changes measures the quasi-identifiers before and after.
func (x *compared) changes(context.Context) error {
	a, b := x.coded.Measure(x.known), x.release.Measure(x.known)
	for _, c := range []struct {
		name string
		a, b float64
	}{
		{"k", float64(a.K), float64(b.K)},
		{"classes", float64(a.Classes), float64(b.Classes)},
		{"records alone", float64(a.Alone), float64(b.Alone)},
		{"average risk", a.AverageRisk, b.AverageRisk},
	} {
		x.doc.Changes = append(x.doc.Changes, document.Changed{Measure: c.name, Original: c.a, Released: c.b})
	}
	return nil
}

// utility measures what users of the release lose.
func (x *compared) utility(ctx context.Context) error {
	doc := x.doc
	for k, m := range x.meanings {
		doc.Detail += m.Detail(x.release, k) / float64(len(x.columns))
	}
	for _, m := range compare.Marginals(x.coded, x.release) {
		out := document.Marginal{Column: x.columns[m.Column], TV: m.TV}
		if x.original.X[m.Column] != nil {
			out.KS, out.Mean, out.ReleasedMean = document.Some(m.KS), document.Some(m.Mean), document.Some(m.ReleasedMean)
			out.SD, out.ReleasedSD = document.Some(m.SD), document.Some(m.ReleasedSD)
		}
		doc.Marginals = append(doc.Marginals, out)
		doc.MarginalTV += m.TV / float64(len(x.columns))
	}
	pairs, err := compare.Associations(ctx, x.coded, x.release)
	if err != nil {
		return err
	}
	tv, most := 0.0, 0.0
	for _, p := range pairs {
		doc.Pairs = append(doc.Pairs, document.Pair{A: x.columns[p.A], B: x.columns[p.B], Kind: p.Kind, Original: p.Original, Released: p.Released, TV: p.TV})
		tv += p.TV / float64(len(pairs))
		most = max(most, math.Abs(p.Original-p.Released))
	}
	if len(pairs) > 0 {
		doc.PairTV, doc.Association = document.Some(tv), document.Some(most)
	}
	return nil
}

// likeness measures how well the files can be told apart, and how near their records are.
func (x *compared) likeness(ctx context.Context) error {
	doc := x.doc
	p, err := compare.MeasurePropensity(ctx, x.coded, x.release)
	switch {
	case errors.Is(err, compare.ErrPropensity):
	case err != nil:
		return err
	default:
		doc.Loss, doc.PMSE = document.Some(p.Share), document.Some(p.PMSE)
		doc.PMSERatio = document.SomeIf(p.Expected > 0, p.Ratio())
	}
	records := compare.Draw(x.release.N, x.attacks, x.rng("closest"))
	d, err := compare.Closest(ctx, x.original, x.release, records)
	doc.Copies, doc.ClosestLow, doc.ClosestMedian, doc.ClosestMean = d.Copies, d.Low, d.Mid, d.Mean
	return err
}
