package risk

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// Ignore is a mode for special uniques only: a record with a missing value is singled out by its other values, and no
// record agrees with it in the missing one.
const Ignore MissingMode = "ignore"

// Specials is the result of Classes.Specials.
//
// A record is a sample unique if no other record has the same values of all m quasi-identifiers. A set of columns that
// singles a record out, while none of its proper subsets does, is a minimal sample unique (MSU). The SUDA score of a
// record is the sum of (m−|S|)! over its MSUs S.
//
// Match is the data intrusion score of the file, the probability that a match with a unique is correct: with U uniques,
// D records that share their values with exactly one other, and a sample that is the share p of the population,
//
//	Match = U·p / (U·p + D·(1−p)) ,
//
// and the score of a record with SUDA score s > 0 is
//
//	DIS = 1 / (1 + (U/Match − U) / (s^q·A)) ,   q = 1 + (8−m)/20 ,   A = Σ s_i^−q over these records .
//
// Sources: Elliot, Manning, Mayes, Gurd and Bane, SUDA: a program for detecting special uniques (UNECE work session
// 2005); Skinner and Elliot, A measure of disclosure risk for microdata (JRSS B 64, 2002), for Match.
type Specials struct {
	Missing                 MissingMode
	Records, Excluded       uint64
	WithMissing, AllMissing uint64
	Uniques, Paired         uint64
	MaxSize                 int // only MSUs of at most this many columns were sought
	Fraction, Match         float64
	MSUs                    uint64
	Special                 uint64 // records with an MSU
	Sizes                   []SpecialSize
	Attributes              []SpecialAttribute
	Combinations            []SpecialCombination // in descending order of their share of the scores
	MaxScore, MaxDIS        float64
	AverageDIS              float64 // mean over all records
	Histogram               []Share // histogram of DIS
	Worst                   []SpecialRecord

	classes *Classes
	sets    specialSets
	class   []uint32 // by index in sets: the class of one record
	score   []float64
	dis     []float64
}

// A SpecialSize counts the MSUs with a number of columns, and the records whose smallest MSUs these are.
type SpecialSize struct {
	Size          int
	MSUs, Records uint64
}

// A SpecialAttribute is the contribution of a column to the scores: Share is the share of MSUs that contain it; over
// all columns these add up to more than 1.
type SpecialAttribute struct {
	Column  string
	MSUs    uint64
	Records uint64 // records with an MSU that contains it
	Share   float64
}

// A SpecialCombination is a set of columns, with the records for which it is an MSU.
type SpecialCombination struct {
	Columns []string
	Records uint64
	Share   float64 // share of all scores
}

// A SpecialRecord is a record, with the MSUs that single it out.
type SpecialRecord struct {
	Tuple      []string
	Score, DIS float64
	MSUs       [][]string
}

// Specials finds all minimal sample uniques of at most size columns (0: any number) and scores records by them;
// fraction is the share of the population that was sampled. It lists the n records with the highest scores.
//
// Sets of columns are visited after their subsets, dividing classes further at each step: a record that is alone
// leaves, and so does a group without a record that is unique in the whole table; in small groups records are compared
// pairwise. Cost: at most the number of sets of columns times that of classes, in practice far less. If ctx ends, the
// error wraps ctx.Err().
func (c *Classes) Specials(ctx context.Context, m Missing, size int, fraction float64, n int) (*Specials, error) {
	if err := m.check(Own, Drop, Ignore); err != nil {
		return nil, err
	}
	if !(fraction > 0 && fraction <= 1) {
		return nil, i18n.Errorf("risk: sampling fraction %g, want one above 0 and at most 1", fraction)
	}
	if size <= 0 || size > c.t.w {
		size = c.t.w
	}
	own := m
	if m.Mode == Ignore {
		own.Mode = Own
	}
	f, missing, err := c.frequencies(ctx, own)
	if err != nil {
		return nil, err
	}
	r := &Specials{Missing: cmp.Or(m.Mode, Own), Excluded: missing.excluded, WithMissing: missing.records, AllMissing: missing.all,
		MaxSize: size, Fraction: fraction, Sizes: []SpecialSize{}, Combinations: []SpecialCombination{}, classes: c, score: make([]float64, c.t.n), dis: make([]float64, c.t.n)}
	for _, f := range f {
		r.Records += f
		switch f {
		case 1:
			r.Uniques++
		case 2:
			r.Paired += 2
		}
	}
	var pattern []uint64
	if m.Mode == Ignore {
		pattern = c.patterns(m.Markers)
	}
	s := newSpecialSearch(ctx, c, size, f, pattern)
	if err := s.run(); err != nil {
		return nil, err
	}
	r.sets, r.class = s.sets, s.class
	r.rate(f)
	r.list(n, f)
	return r, nil
}

// msus returns the MSUs of class g.
func (r *Specials) msus(g int) []uint64 {
	p, alone := slices.BinarySearch(r.class, uint32(g))
	if !alone {
		return nil
	}
	return r.sets.record(uint32(p))
}

// rate computes the scores. Sums are grouped by counts, so that they do not depend on the order.
func (r *Specials) rate(f []uint64) {
	m := r.classes.t.w
	weight := make([]float64, m+1) // by number of columns of the MSU
	weight[m] = 1
	for k := m - 1; k >= 0; k-- {
		weight[k] = weight[k+1] * float64(m-k)
	}
	sizes, smallest := make([]uint64, m+1), make([]uint64, m+1)
	with := make([]uint64, m)
	here := make([]uint64, m+1)
	scores := map[float64]uint64{}
	bySet := r.sets.each(func(p uint32, msus []uint64) {
		g := r.class[p]
		r.MSUs += uint64(len(msus))
		clear(here)
		all := uint64(0)
		for _, set := range msus {
			here[bits.OnesCount64(set)]++
			all |= set
		}
		least := 0
		for k, n := range here {
			sizes[k] += n
			r.score[g] += float64(float64(n) * weight[k])
			if least == 0 && n > 0 {
				least = k
			}
		}
		smallest[least]++
		for ; all > 0; all &= all - 1 {
			with[bits.TrailingZeros64(all)]++
		}
		scores[r.score[g]]++
		r.Special++
		r.MaxScore = max(r.MaxScore, r.score[g])
	})
	total := 0.0
	for k := m; k > 0; k-- {
		total += float64(float64(sizes[k]) * weight[k])
	}
	for k := 1; k <= m; k++ {
		if sizes[k] > 0 {
			r.Sizes = append(r.Sizes, SpecialSize{k, sizes[k], smallest[k]})
		}
	}
	r.contributions(bySet, with, weight, total)
	r.intrusion(scores, f)
}

// contributions computes from which columns the scores come.
func (r *Specials) contributions(bySet map[uint64]uint64, with []uint64, weight []float64, total float64) {
	names := r.classes.columns.names
	m := r.classes.t.w
	bySize := make([][]uint64, m) // by column and size: number of MSUs with the column
	for k := range bySize {
		bySize[k] = make([]uint64, m+1)
	}
	for set, n := range bySet {
		size := bits.OnesCount64(set)
		r.Combinations = append(r.Combinations, SpecialCombination{r.names(set), n, float64(n) * weight[size] / total})
		for left := set; left > 0; left &= left - 1 {
			bySize[bits.TrailingZeros64(left)][size] += n
		}
	}
	slices.SortFunc(r.Combinations, func(a, b SpecialCombination) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(len(a.Columns), len(b.Columns)), slices.Compare(a.Columns, b.Columns))
	})
	for k := range m {
		x := SpecialAttribute{Column: names[k], Records: with[k]}
		sum := 0.0
		for size := m; size > 0; size-- {
			x.MSUs += bySize[k][size]
			sum += float64(float64(bySize[k][size]) * weight[size])
		}
		if total > 0 {
			x.Share = sum / total
		}
		r.Attributes = append(r.Attributes, x)
	}
}

// names returns the names of the columns in a set.
func (r *Specials) names(set uint64) []string {
	var names []string
	for ; set > 0; set &= set - 1 {
		names = append(names, r.classes.columns.names[bits.TrailingZeros64(set)])
	}
	return names
}

// intrusion computes the data intrusion scores.
func (r *Specials) intrusion(scores map[float64]uint64, f []uint64) {
	var bars shares
	if r.Uniques > 0 {
		u, p := float64(r.Uniques), r.Fraction
		r.Match = u * p / (float64(u*p) + float64(float64(r.Paired)*(1-p)))
		q := 1 + (8-float64(r.classes.t.w))/20
		var terms []float64
		for s, n := range scores {
			terms = append(terms, float64(n)*math.Pow(s, -q))
		}
		a := sum(terms)
		dis := map[float64]float64{}
		terms = terms[:0]
		for s, n := range scores {
			dis[s] = 1 / (1 + (u/r.Match-u)/(math.Pow(s, q)*a))
			terms = append(terms, float64(n)*dis[s])
			r.MaxDIS = max(r.MaxDIS, dis[s])
		}
		r.AverageDIS = sum(terms) / float64(r.Records)
		for g, s := range r.score {
			if s > 0 {
				r.dis[g] = dis[s]
			}
		}
	}
	for g, f := range f {
		if f > 0 {
			bars.add(r.dis[g], f)
		}
	}
	r.Histogram = bars.list()
}

// list lists the records with the highest scores.
func (r *Specials) list(n int, f []uint64) {
	for _, g := range worst(n, len(f), func(g int) bool { return r.score[g] > 0 }, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.score[b], r.score[a]), r.classes.compareTuples(a, b))
	}) {
		r.Worst = append(r.Worst, SpecialRecord{r.classes.Tuple(g), r.score[g], r.dis[g], r.Sets(g)})
	}
}

// Sets returns the MSUs of the record of class g as names of columns, smallest first.
func (r *Specials) Sets(g int) [][]string {
	all := r.msus(g)
	slices.SortFunc(all, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)), cmp.Compare(bits.Reverse64(b), bits.Reverse64(a)))
	})
	return sets.Each(all, r.names)
}

// Score returns the SUDA score and the DIS of the records of class g, 0 for records that are not unique.
func (r *Specials) Score(g int) (score, dis float64) { return r.score[g], r.dis[g] }
