package compare

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// An estimate is a model of how often values are changed, and into which.
type estimate int

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
	many := sets.Each(p.record, func(r int32) float64 { return float64(len(p.records[r].records)) })
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(column)
		outside := 0.0
		for g := range n {
			from, end := p.from[g], p.from[g+1]
			w, b, a, record, many := w[from:end], p.b[from:end], p.a[from:end], p.record[from:end], many[from:end]
			sum := float64(p.absent) * gone[g] * nobody[g]
			for i, w := range w {
				sum += many[i] * w * b[i]
			}
			if sum == 0 { // she fits no record
				continue
			}
			size := float64(len(p.persons[g].records))
			for i, w := range w {
				a[i] = 1 / max(sum-w*b[i], 1e-12*sum)
				column[record[i]] += size * w * a[i]
			}
			to[g] = 1 / max(sum-gone[g]*nobody[g], 1e-12*sum)
			outside += size * gone[g] * to[g]
		}
		settled := true
		for i, r := range p.record {
			b := 1 / max(column[r]-w[i]*p.a[i], 1e-12*column[r])
			settled = settled && math.Abs(p.b[i]-b) < 1e-4*b
			p.b[i] = b
		}
		for g := range n {
			nobody[g] = 1 / max(outside-gone[g]*to[g], 1e-12*outside)
		}
		if settled {
			break
		}
	}
	return nil
}
