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

// A density is a kernel estimate of how far numbers were moved, tabulated from one end to the other.
type density struct {
	low, width float64
	list       []float64
	peak       float64 // peak of a single kernel
	least      float64
	mean, sd   float64
	from, to   float64 // the smallest and the largest movement
}

const points = 512

// newDensity returns a Gaussian kernel density with Silverman's bandwidth (Density estimation, 1986, 3.31), made wider
// by a factor; nil if all numbers were moved alike.
func newDensity(moved []float64, wider float64) *density {
	slices.Sort(moved)
	n := float64(len(moved))
	mean, sd := 0.0, 0.0
	for _, d := range moved {
		mean += d / n
	}
	for _, d := range moved {
		sd += (d - mean) * (d - mean) / n
	}
	sd = math.Sqrt(sd)
	all := sd
	if spread := (moved[len(moved)*3/4] - moved[len(moved)/4]) / 1.34; spread > 0 {
		sd = min(sd, spread)
	}
	if sd == 0 {
		return nil
	}
	h := wider * 0.9 * sd * math.Pow(n, -0.2)
	d := &density{from: moved[0], to: moved[len(moved)-1], mean: mean, sd: all, low: moved[0] - 4*h, peak: 1 / (h * math.Sqrt(2*math.Pi))}
	d.width = moved[len(moved)-1] + 4*h - d.low
	d.least = 1 / (n + 1) / d.width
	for p := range points {
		at, sum := d.low+float64(p)/(points-1)*d.width, 0.0
		for m := sort.SearchFloat64s(moved, at-5*h); m < len(moved) && moved[m] < at+5*h; m++ {
			u := (at - moved[m]) / h
			sum += math.Exp(-u * u / 2)
		}
		d.list = append(d.list, sum*d.peak/n)
	}
	return d
}

// at returns the density of a movement; where none was seen, or a number is missing, it is that of one more record
// anywhere.
func (d *density) at(v float64) float64 {
	p := (v - d.low) / d.width * (points - 1)
	if !(p >= 0 && p < points-1) {
		return d.least
	}
	n := int(p)
	return d.list[n] + (p-float64(n))*(d.list[n+1]-d.list[n]) + d.least
}

// normal returns the density of the normal distribution, not scaled.
func (d *density) normal(v float64) float64 {
	if math.IsNaN(v) {
		return d.least
	}
	u := (v - d.mean) / d.sd
	return math.Exp(-u * u / 2)
}

// laplace returns the density of the Laplace distribution, not scaled.
func (d *density) laplace(v float64) float64 {
	if math.IsNaN(v) {
		return d.least
	}
	return math.Exp(-math.Sqrt2 * math.Abs(v-d.mean) / d.sd)
}

// uniform returns the density of the uniform distribution, not scaled.
func (d *density) uniform(v float64) float64 {
	if near := 1e-9 * (d.to - d.from); v >= d.from-near && v <= d.to+near || math.IsNaN(v) {
		return 1
	}
	return 0
}

// An estimate is a model of how often values are changed, and into which.
type estimate int

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

// weigh returns, for each class of persons and of records, how likely the person makes the record under an estimate.
func weigh(list []*change, patterns map[uint64]float64, persons, records []group, e estimate) *weighing {
	if e == whole {
		return wholly(list, patterns, persons, records)
	}
	var stays [][]float64 // by column and original value: chance that it is not changed
	all := 0.0
	for _, n := range patterns {
		all += n
	}
	share := make([]float64, len(list))
	for k, c := range list {
		kept := 0.0
		for _, n := range c.kept {
			kept += n
		}
		share[k] = (kept + 0.5) / (all + 1)
		switch {
		case c.low == 1:
			share[k] = 1
		case e == fewest:
			share[k] = within(c.high)
		case e == most:
			share[k] = within(c.low)
		}
		one := make([]float64, c.nx)
		for x := range one {
			one[x] = share[k]
			if e == eachValue && c.low < 1 && c.stayed != nil {
				one[x] = c.stayed[x]
			}
		}
		stays = append(stays, one)
	}
	ratio := map[uint64]float64{} // by pattern: its frequency over that under independent columns
	seen := func(s uint64) float64 {
		if v, ok := ratio[s]; ok {
			return v
		}
		single := 1.0
		for k := range list {
			if s>>k&1 == 1 {
				single *= share[k]
			} else {
				single *= 1 - share[k]
			}
		}
		v := 1.0
		if single > 0 {
			v = (patterns[s] + single) / (all + 1) / single
		}
		ratio[s] = v
		return v
	}
	tables := sets.Each(list, func(c *change) []float64 { return c.table(e) })
	p := &weighing{persons: persons, records: records, from: []int32{0}}
	for g := range persons {
		for r := range records {
			v, s := 1.0, uint64(0)
			for k, c := range list {
				x := int(c.x[g])
				n := x*c.ny + int(c.y[r])
				switch {
				case e == smooth:
					v *= c.loose[n]
				case c.stays[n]:
					s |= 1 << k
					v *= stays[k][x]
				default:
					v *= (1 - stays[k][x]) * tables[k][n]
				}
				if v == 0 {
					break
				}
			}
			if e == together && v > 0 {
				v *= seen(s)
			}
			if v > 0 {
				p.record, p.weight = append(p.record, int32(r)), append(p.weight, v)
			}
		}
		p.from = append(p.from, int32(len(p.record)))
	}
	return p
}

// table returns the chances of what changed values become under an estimate.
func (c *change) table(e estimate) []float64 {
	switch e {
	case eachValue:
		return c.own
	case onlySeen:
		return c.sharp
	}
	if e >= moved {
		return c.shapes[e-moved]
	}
	return c.anew
}

// wholly returns the weights under the model that each record is the person's own or any of the release, as when whole
// records are replaced. Some records that look unchanged are then other records with the same values, so the share kept
// is corrected for chance agreement.
func wholly(list []*change, patterns map[uint64]float64, persons, records []group) *weighing {
	people, n, known := 0.0, 0.0, 0.0
	for _, g := range persons {
		people += float64(len(g.records))
	}
	for _, r := range records {
		n += float64(len(r.records))
	}
	for _, c := range patterns {
		known += c
	}
	p := &weighing{persons: persons, records: records, from: []int32{0}}
	var own []bool // by pair: whether it may be the person's own record, unchanged
	again := 0.0
	for g, x := range persons {
		for r, y := range records {
			share := float64(len(y.records)) / n
			stays := !slices.ContainsFunc(list, func(c *change) bool { return !c.stays[int(c.x[g])*c.ny+int(c.y[r])] })
			if stays {
				again += float64(len(x.records)) / people * share
			}
			p.record, p.weight, own = append(p.record, int32(r)), append(p.weight, share), append(own, stays)
		}
		p.from = append(p.from, int32(len(p.record)))
	}
	kept := 0.0
	if low := Proportion(int(max(known, 1)), patterns[1<<len(list)-1], 0.95).Low; again < 1 {
		kept = max(0, (low-again)/(1-again))
	}
	for i, is := range own {
		if p.weight[i] *= 1 - kept; is {
			p.weight[i] += kept
		}
	}
	return p
}

// foreign reports whether some record may be nobody's.
func (p *weighing) foreign() bool {
	fits := make([]bool, len(p.records))
	for _, r := range p.record {
		fits[r] = true
	}
	return slices.Contains(fits, false)
}

// likelihood returns the log-likelihood of the records whose original is known.
func (p *weighing) likelihood(truth []int32) (sum float64) {
	var of [2]map[int32]int32 // the class of each person and of each record
	for side, list := range [2][]group{p.persons, p.records} {
		of[side] = map[int32]int32{}
		for g, x := range list {
			for _, i := range x.records {
				of[side][i] = int32(g)
			}
		}
	}
	for i, j := range truth {
		if j >= 0 {
			g := of[0][j]
			n, ok := slices.BinarySearch(p.record[p.from[g]:p.from[g+1]], of[1][int32(i)])
			if !ok {
				return math.Inf(-1)
			}
			sum += math.Log(p.weight[int(p.from[g])+n])
		}
	}
	return sum
}

// needless reports whether an estimate would repeat the one called alone.
func needless(list []*change, e estimate) bool {
	return !slices.ContainsFunc(list, func(c *change) bool {
		switch {
		case e == eachValue:
			return c.stayed != nil || &c.own[0] != &c.anew[0]
		case e == onlySeen, e >= moved:
			return &c.table(e)[0] != &c.anew[0]
		}
		return true
	})
}

// A weighing computes the chances of pairs when each assignment of persons to records is as likely as the product of
// the weights of its pairs. It uses Bethe's approximation of the permanent, as [Candidates.Match] does for weights of
// one.
type weighing struct {
	persons, records []group
	absent           int       // number of persons who are in no record
	from             []int32   // by class of persons: the index of its first pair
	record           []int32   // by pair: its class of records
	weight           []float64 // by pair
	a, b             []float64 // messages
	gone, nobody     []float64 // weight and message of being in no record, by class of persons
	// By pair its class of persons, and the pairs grouped by class of records.
	person, to, pairs []int32
}

// settle passes messages between persons and records until they converge.
func (p *weighing) settle(ctx context.Context) error {
	n, w := len(p.persons), p.weight
	gone := make([]float64, n)
	for g := range n {
		most := 0.0
		for i := p.from[g]; i < p.from[g+1]; i++ {
			most = max(most, w[i])
		}
		for i := p.from[g]; i < p.from[g+1]; i++ {
			w[i] /= most
		}
		if most > 0 {
			gone[g] = 1 / most
		}
	}
	if p.absent > 0 { // scaled alike for all; a person who fits no record must be absent
		least := max(slices.Max(gone), 1e-300)
		for g := range gone {
			if gone[g] /= least; gone[g] == 0 {
				gone[g] = 1
			}
		}
	}
	p.a, p.b = make([]float64, len(w)), slices.Repeat([]float64{1}, len(w))
	nobody, to := slices.Repeat([]float64{1}, n), make([]float64, n)
	p.gone, p.nobody = gone, nobody
	column := make([]float64, len(p.records))
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(column)
		outside := 0.0
		for g := range n {
			sum := float64(p.absent) * gone[g] * nobody[g]
			for i := p.from[g]; i < p.from[g+1]; i++ {
				sum += float64(len(p.records[p.record[i]].records)) * w[i] * p.b[i]
			}
			if sum == 0 { // she fits no record
				continue
			}
			size := float64(len(p.persons[g].records))
			for i := p.from[g]; i < p.from[g+1]; i++ {
				p.a[i] = 1 / max(sum-w[i]*p.b[i], 1e-12*sum)
				column[p.record[i]] += size * w[i] * p.a[i]
			}
			to[g] = 1 / max(sum-gone[g]*nobody[g], 1e-12*sum)
			outside += size * gone[g] * to[g]
		}
		change := 0.0
		for i, r := range p.record {
			b := 1 / max(column[r]-w[i]*p.a[i], 1e-12*column[r])
			change = max(change, math.Abs(p.b[i]-b)/b)
			p.b[i] = b
		}
		for g := range n {
			nobody[g] = 1 / max(outside-gone[g]*to[g], 1e-12*outside)
		}
		if change < 1e-4 {
			break
		}
	}
	return nil
}
