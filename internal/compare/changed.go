package compare

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// Changed is the risk of the person most at risk from an attacker who allows for changed values: by PRAM, noise,
// swapping or mistakes. He knows what identifies all persons and how often values change into which; given the release,
// he weighs each assignment of persons to records by the likelihood of the released values. How often values change is
// estimated from the records whose original is known, in several ways, because no single estimate is right for every
// mechanism.
type Changed struct {
	Largest, Least float64 // the chance by the estimate that makes it largest, with its error, and by the one that makes it smallest
}

// A change describes what becomes of the values of a column. Values are numbered by their first occurrence among the
// classes of persons (original) and of records (released).
type change struct {
	x, y      []int32     // original value by class of persons, released value by class of records
	nx, ny    int         // numbers of different values
	stays     []bool      // nx·ny: whether the released value stands for the original one
	anew      []float64   // nx·ny: chance that a changed value becomes this one
	loose     []float64   // nx·ny: chance that a value, changed or not, becomes this one, by the smoothest estimate
	shapes    [][]float64 // like anew, for numbers moved on some scale by noise of some shape
	own       []float64   // like anew, but estimated from each original value by itself, shrunk towards anew
	sharp     []float64   // like own, without shrinkage
	kept, all []float64   // by original value: known records that were not changed, and all known ones
	stayed    []float64   // by original value: chance that it is not changed, estimated from that value by itself
	low, high float64     // confidence interval of the share that was not changed
	pairs     [][2]uint32 // original and released values of the known records that were changed
	number    bool        // its values are numbers
}

// With fewer changed records than fewKnown, of numbers fewChanged, chances are not counted again, as Bethe's
// approximation overstates large ones. Fewer known records or moved numbers than fewKnown say nothing of the others, nor
// do so few changed ones among fewChanged or little more.
const (
	fewChanged = 30
	fewKnown   = 10
)

// pooled is the weight, in records, of the estimate over all values when it is mixed with what was seen of one value.
const pooled = 2

// Reckon returns the risk from an attacker who allows for changes; nil if there are too many pairs, or more records
// than persons. columns are the columns he knows, meanings what their values stand for.
func Reckon(ctx context.Context, original, release *Records, meanings []*Meaning, columns []int, truth []int32) (*Changed, error) {
	persons, records := original.alike(columns), release.alike(columns)
	if int64(len(persons))*int64(len(records)) > maxPairs || release.N > original.N || len(columns) > 64 {
		return nil, nil
	}
	var list []*change
	for _, k := range columns {
		list = append(list, newChange(original, release, meanings[k], k, persons, records, truth))
	}
	attacked := make([]bool, original.N)
	for _, j := range truth {
		if j >= 0 {
			attacked[j] = true
		}
	}
	patterns, known, changed := map[uint64]float64{}, 0.0, 0.0 // known records by the set of columns whose values were not changed
	for i, j := range truth {
		if j >= 0 {
			s := uint64(0)
			for n, k := range columns {
				if meanings[k].kept(original.id(k)[j], release.id(k)[i]) {
					s |= 1 << n
				}
			}
			known++
			if patterns[s]++; s != 1<<len(columns)-1 {
				changed++
			}
		}
	}
	if weigh(list, patterns, persons, records, alone).foreign() {
		return &Changed{1, 0}, nil // records that are not known changed where known ones did not
	}
	var made []estimate
	for e := range estimates {
		if !needless(list, e) {
			made = append(made, e)
		}
	}
	odds, few := beyond(list, changed)
	low, high := make([]float64, len(made)), make([]float64, len(made))
	err := parallel.Do(ctx, len(made), 0, func(ctx context.Context, e int) error {
		p := weigh(list, patterns, persons, records, made[e])
		if made[e] == whole && p.likelihood(truth) < weigh(list, patterns, persons, records, alone).likelihood(truth)-unlikely {
			low[e] = 1
			return nil
		}
		p.absent = original.N - release.N
		if err := p.settle(ctx); err != nil {
			return err
		}
		low[e], high[e] = p.largest(attacked, !few)
		return nil
	})
	if err != nil {
		return nil, err
	}
	most := slices.Max(high)
	// Who knows that values were exchanged in pairs may be certain of more than any weights of single pairs tell.
	if slices.ContainsFunc(columns, func(k int) bool { return inPairs(original, release, k, truth) }) {
		most = 1
	}
	if known < fewKnown || changed > 0 && changed < fewKnown && known < fewChanged+fewKnown || slices.ContainsFunc(list, func(c *change) bool { return c.number && len(c.pairs) > 0 && len(c.pairs) < fewKnown }) {
		most = 1
	}
	return &Changed{odds * most / (1 + (odds-1)*most), slices.Min(low)}, nil
}

// beyond returns by which factor the odds of an attacker who knows the mechanism, and makes no errors of estimation, may
// exceed the largest estimate: more where many chances are estimated by as many changes, and of numbers, whose tails are
// known least. few reports whether changes are too few to count chances again.
func beyond(list []*change, changed float64) (odds float64, few bool) {
	cells, most, width := 1, 2.0, 3.0
	for _, c := range list {
		if c.number && len(c.pairs) > 0 {
			return 3, changed < fewChanged
		}
		if &c.own[0] != &c.anew[0] {
			seen := map[[2]uint32]bool{}
			for _, p := range c.pairs {
				seen[p] = true
			}
			cells, most, width = max(cells, len(seen)), 3, 4
		}
		if c.stayed != nil {
			cells, most, width = max(cells, c.nx), 3, 4
		}
	}
	return min(most, 1+width/math.Sqrt(changed/float64(cells))), changed < fewKnown
}

// inPairs reports whether the values of column k may have been exchanged between pairs of records: all are the
// original's, as often or, of numbers, at most as often, and those known to have changed do not tell otherwise.
func inPairs(original, release *Records, k int, truth []int32) bool {
	number := k < len(original.X) && original.X[k] != nil && release.X[k] != nil
	if release.N < original.N && !number || !drawnFrom(original, release, k) {
		return false
	}
	other := map[uint32]int{} // by value: persons not known
	for _, v := range original.id(k) {
		other[v]++
	}
	became := map[[2]uint32]int{}
	for i, j := range truth {
		if j >= 0 {
			v := original.id(k)[j]
			other[v]--
			became[[2]uint32{v, release.id(k)[i]}]++
		}
	}
	some := false
	for v, n := range became {
		if v[0] == v[1] {
			continue
		}
		if some = true; n > became[[2]uint32{v[1], v[0]}]+other[v[1]] {
			return false
		}
	}
	return some
}

// drawnFrom reports whether the released values of column k are values of the original, none more often.
func drawnFrom(original, release *Records, k int) bool {
	left := map[uint32]int{}
	for _, v := range original.id(k) {
		left[v]++
	}
	for _, v := range release.id(k) {
		if left[v]--; left[v] < 0 {
			return false
		}
	}
	return true
}

// Changes reports whether values may be released in place of others of the same kind.
func (m *Meaning) Changes() bool { return m.Kind == Perturbed || m.exchanged }

// kept reports whether a released value is the original one or, if values are not changed, stands for it.
func (m *Meaning) kept(original, released uint32) bool {
	if m.Changes() {
		return original == released
	}
	return m.holds(original, released)
}

// newChange estimates what became of the values of column k.
func newChange(original, release *Records, m *Meaning, k int, persons, records []group, truth []int32) *change {
	c := &change{}
	number := func(f *Records, of []group) (code []int32, first []int32) {
		at := map[uint32]int32{}
		for _, g := range of {
			id := f.id(k)[g.records[0]]
			n, ok := at[id]
			if !ok {
				n = int32(len(first))
				at[id], first = n, append(first, g.records[0])
			}
			code = append(code, n)
		}
		return code, first
	}
	var fx, fy []int32
	c.x, fx = number(original, persons)
	c.y, fy = number(release, records)
	c.nx, c.ny = len(fx), len(fy)
	for _, i := range fx {
		for _, j := range fy {
			c.stays = append(c.stays, m.kept(original.id(k)[i], release.id(k)[j]))
		}
	}
	at := [2]map[uint32]uint32{{}, {}}
	for n, i := range fx {
		at[0][original.id(k)[i]] = uint32(n)
	}
	for n, j := range fy {
		at[1][release.id(k)[j]] = uint32(n)
	}
	c.kept, c.all = make([]float64, c.nx), make([]float64, c.nx)
	became, each := make([]float64, c.ny), make([]float64, c.nx*c.ny)
	changed, kept, all := 0.0, 0.0, 0.0
	for i, j := range truth {
		if j < 0 {
			continue
		}
		x, y := int(at[0][original.id(k)[j]]), int(at[1][release.id(k)[i]])
		all++
		c.all[x]++
		if c.stays[x*c.ny+y] {
			c.kept[x]++
			kept++
			continue
		}
		changed++
		became[y]++
		each[x*c.ny+y]++
		c.pairs = append(c.pairs, [2]uint32{uint32(x), uint32(y)})
	}
	rate := Proportion(int(max(all, 1)), kept, 0.95)
	c.low, c.high = rate.Low, rate.High
	if changed == 0 && (int(all) == release.N || release.N == original.N && drawnFrom(original, release, k)) { // the meaning is certain
		c.low, c.high = 1, 1
	}
	c.anew, c.loose = make([]float64, c.nx*c.ny), make([]float64, c.nx*c.ny)
	count := make([]float64, c.ny) // records by released value
	for r, y := range c.y {
		count[y] += float64(len(records[r].records))
		share := float64(len(records[r].records)) / float64(release.N)
		for x := range c.nx {
			c.loose[x*c.ny+int(y)] += share
		}
	}
	c.draw(became, kept, all)
	if c.number = k < len(original.X) && original.X[k] != nil && release.X[k] != nil; c.number {
		c.near(sets.Pick(original.X[k], fx), sets.Pick(release.X[k], fy), count, kept/max(all, 1), release.N < original.N)
	}
	c.single(each, kept/max(all, 1))
	return c
}

// draw estimates anew for values drawn independently of the original: from what other changed values became, if that
// predicts them better than the values of all records do. For loose they are drawn from all records, so that a redrawn
// value may be the same again.
func (c *change) draw(became []float64, kept, all float64) {
	changed, better, again := all-kept, 0.0, 0.0
	for y, n := range became {
		if n > 0 {
			better += n * math.Log((n-1+pooled*c.loose[y])/(changed-1+pooled)/c.loose[y])
		}
	}
	for x, n := range c.all {
		for y := range c.ny {
			if c.stays[x*c.ny+y] {
				again += n / max(all, 1) * c.loose[y]
			}
		}
	}
	stay := 0.0
	if again < 1 {
		stay = max(0, (c.low-again)/(1-again))
	}
	for x := range c.nx {
		for y := range c.ny {
			n := x*c.ny + y
			if c.anew[n] = c.loose[n]; better > 0 {
				c.anew[n] = (became[y] + pooled*c.loose[n]) / (changed + pooled)
			}
			if c.loose[n] *= 1 - stay; c.stays[n] {
				c.loose[n] += stay
			}
		}
		c.whole(c.anew, x)
	}
	c.shapes = slices.Repeat([][]float64{c.anew}, int(estimates-moved))
}

// single estimates what became of each value from that value alone, where this predicts the known changes better than
// the estimate over all values does.
func (c *change) single(each []float64, share float64) {
	c.own, c.sharp, c.stayed = slices.Clone(c.anew), slices.Clone(c.anew), slices.Repeat([]float64{share}, c.nx)
	better, longer := 0.0, 0.0
	for x := range c.nx {
		kept, all := c.kept[x], c.all[x]
		for _, v := range [2][2]float64{{kept, share}, {all - kept, 1 - share}} {
			if v[0] > 0 && v[1] > 0 {
				longer += v[0] * math.Log((v[0]-1+pooled*v[1])/(all-1+pooled)/v[1])
			}
		}
		c.stayed[x] = (kept + pooled*share) / (all + pooled)
		for n := x * c.ny; n < (x+1)*c.ny; n++ {
			if each[n] > 0 && c.anew[n] > 0 {
				better += each[n] * math.Log((each[n]-1+pooled*c.anew[n])/(all-kept-1+pooled)/c.anew[n])
			}
			c.own[n] = (each[n] + pooled*c.anew[n]) / (all - kept + pooled)
			if c.sharp[n] = c.anew[n]; all > kept {
				c.sharp[n] = each[n] / (all - kept)
			}
		}
	}
	if better <= 0 {
		c.own, c.sharp = c.anew, c.anew
	}
	if longer <= 0 {
		c.stayed = nil
	}
}

// whole scales the chances of what value x becomes, other than what stands for it, to sum to one.
func (c *change) whole(table []float64, x int) {
	all := 0.0
	for n := x * c.ny; n < (x+1)*c.ny; n++ {
		if !c.stays[n] {
			all += table[n]
		}
	}
	for n := x * c.ny; n < (x+1)*c.ny; n++ {
		table[n] /= max(all, 1e-300)
	}
}

// unlikely is the log-likelihood ratio beyond which an estimate is dropped in favour of a likelier one, of a dozen that
// have two figures from the same changes.
var unlikely = math.Log(10_000)

// near estimates whether changed numbers lie near their originals by difference, ratio or rank, or were drawn anew, and
// takes what makes the known changes likeliest. Each change is judged by the estimate from the others (leave-one-out),
// among all released records, of which count has how many have each value. sampled: not all persons are in the release.
func (c *change) near(x, y, count []float64, share float64, sampled bool) {
	if len(c.pairs) < 3 {
		return
	}
	sorted := slices.Sorted(slices.Values(x))
	scales := []func(v float64) float64{
		func(v float64) float64 { return v },
		func(v float64) float64 { return math.Log(max(v, 0.5)) }, // max keeps NaN
		func(v float64) float64 {
			if math.IsNaN(v) {
				return v
			}
			return float64(sort.SearchFloat64s(sorted, v)+sort.Search(len(sorted), func(n int) bool { return sorted[n] > v })) / 2
		},
	}
	chance := func(table []float64, without func(n, p int) float64) (sum float64) {
		step := max(1, len(c.pairs)/300)
		for p := 0; p < len(c.pairs); p += step {
			row, all := int(c.pairs[p][0])*c.ny, 0.0
			for y := range c.ny {
				if !c.stays[row+y] {
					all += table[row+y] * count[y]
				}
			}
			n := row + int(c.pairs[p][1])
			v := without(n, p)
			sum += math.Log(max(v, 1e-300) / max(all+(v-table[n])*count[c.pairs[p][1]], 1e-300))
		}
		return sum
	}
	each := slices.Clone(c.anew) // by record, not by value
	for n := range each {
		each[n] /= count[n%c.ny]
	}
	best := chance(each, func(n, _ int) float64 { return each[n] })
	type fit struct {
		shapes  [][]float64 // the kernel's, and those of normal, uniform and Laplace noise
		chances [4]float64  // how likely each makes the known changes
		loose   []float64
	}
	fits := []fit{{slices.Repeat([][]float64{c.anew}, 4), [4]float64{best, best, best, best}, c.loose}}
	for _, scale := range scales {
		sx, sy := sets.Each(x, scale), sets.Each(y, scale)
		var moved []float64
		for _, p := range c.pairs {
			if d := sy[p[1]] - sx[p[0]]; !math.IsNaN(d) {
				moved = append(moved, d)
			}
		}
		if len(moved) < 3 {
			continue
		}
		d, wide := newDensity(moved, 1), newDensity(moved, 2)
		if d == nil {
			continue
		}
		var f fit
		for _, at := range []func(float64) float64{d.at, d.normal, d.uniform, d.laplace, wide.at} {
			f.shapes = append(f.shapes, c.moves(sx, sy, at, sampled))
		}
		f.loose, f.shapes = f.shapes[4], f.shapes[:4]
		for i := range f.loose {
			if f.loose[i] *= 1 - share; c.stays[i] {
				f.loose[i] = share
			}
		}
		n := float64(len(moved))
		f.chances[0] = chance(f.shapes[0], func(at, p int) float64 {
			v := d.at(sy[c.pairs[p][1]] - sx[c.pairs[p][0]])
			return f.shapes[0][at] / v * max(n*v-d.peak, 1e-9*v) / (n - 1)
		})
		for k, x := range f.shapes[1:] {
			f.chances[k+1] = chance(x, func(n, _ int) float64 { return x[n] })
		}
		fits = append(fits, f)
	}
	slices.SortStableFunc(fits, func(a, b fit) int { return cmp.Compare(b.chances[0], a.chances[0]) })
	c.anew, c.loose, c.shapes = fits[0].shapes[0], fits[0].loose, nil
	for _, f := range fits { // bounds fit what they were taken from too well
		best = max(best, f.chances[0], f.chances[1], f.chances[3])
	}
	for _, f := range fits {
		for k, x := range f.shapes {
			if f.chances[k] < best-unlikely || k > 0 && &x[0] == &f.shapes[0][0] {
				x = c.anew
			}
			c.shapes = append(c.shapes, x)
		}
	}
	c.shapes = append(c.shapes, slices.Repeat([][]float64{c.anew}, int(estimates-moved))...)[1:]
}

// moves returns the chances of what changed values become, by how far they are moved. Of persons who are all in the
// release one becomes some released value for certain; where they are not, that is likelier for one near many of these,
// so that only the mean of all chances is one.
func (c *change) moves(x, y []float64, at func(v float64) float64, sampled bool) []float64 {
	table := make([]float64, c.nx*c.ny)
	for i, u := range x {
		for j, v := range y {
			table[i*c.ny+j] = at(v - u)
		}
		if !sampled {
			c.whole(table, i)
		}
	}
	if sampled {
		all := 0.0
		for n, v := range table {
			if !c.stays[n] {
				all += v / float64(c.nx)
			}
		}
		for n := range table {
			table[n] /= max(all, 1e-300)
		}
	}
	return table
}

const points = 512

const (
	alone     estimate     = iota // each column independently, all values alike
	together                      // changes in several columns may go together
	eachValue                     // each value by what was seen of it
	onlySeen                      // like eachValue, but values become only what known ones became
	smooth                        // what values become depends as little on them as possible
	fewest                        // as few values are unchanged as the confidence interval allows
	most                          // as many are unchanged as it allows
	whole                         // a record is the person's own, or any record of the release
	moved                         // the first of those by how numbers are moved: by scale, the likeliest first, and by shape of the noise
	estimates = moved + 15        // how many there are
)
