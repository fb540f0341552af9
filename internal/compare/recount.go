package compare

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

const (
	recounted = 24 // the most persons whose chances are counted again
	about     = 10 // the most persons, and records, whose assignments are enumerated
)

// largest bounds the largest chance of an attacked person to have a record, if she is in the release. Bethe's
// approximation pushes chances towards 0 and 1: if two persons may both have two records, it is certain. So the chances
// of those most at risk by it are counted again; where these are too many, or exactly is false, the upper bound is
// Bethe's.
func (p *weighing) largest(attacked []bool, exactly bool) (low, high float64) {
	type likeliest struct {
		chance       float64
		person, pair int32
	}
	var list []likeliest
	for g, x := range p.persons {
		if !slices.ContainsFunc(x.records, func(i int32) bool { return attacked[i] }) {
			continue
		}
		best, pair, all := 0.0, int32(-1), 0.0
		for i := p.from[g]; i < p.from[g+1]; i++ {
			v := p.weight[i] * p.a[i] * p.b[i]
			v /= 1 + v
			if v > best {
				best, pair = v, i
			}
			all += float64(len(p.records[p.record[i]].records)) * v
		}
		if all > 0 {
			list = append(list, likeliest{min(1, best/all), int32(g), pair})
		}
	}
	slices.SortStableFunc(list, func(a, b likeliest) int { return cmp.Compare(b.chance, a.chance) })
	if len(list) > 0 {
		high = list[0].chance
	}
	for n, x := range list {
		if x.chance <= low {
			break
		}
		if n == recounted {
			if !exactly {
				return low, high
			}
			return low, x.chance
		}
		if n == 0 {
			p.turn()
		}
		low = max(low, p.recount(x.person, x.pair, x.chance))
	}
	if exactly {
		high = low
	}
	return low, high
}

// turn groups the pairs by class of records.
func (p *weighing) turn() {
	p.person = make([]int32, len(p.record))
	for g := range p.persons {
		for i := p.from[g]; i < p.from[g+1]; i++ {
			p.person[i] = int32(g)
		}
	}
	p.to, p.pairs = sets.Grouped(len(p.records), func(put func(int32, int32)) {
		for i, r := range p.record {
			put(r, int32(i))
		}
	})
}

// nearest returns the persons and records, by class, that interact most with a pair, which comes first. It adds in turn
// the person and the record that most likely belong to those already there.
func (p *weighing) nearest(person, pair int32) (persons, records []int32) {
	var likely [2]map[int32]float64 // by class: how strongly one more person or record is tied to those chosen
	for side := range likely {
		likely[side] = map[int32]float64{}
	}
	chance := func(i int32) float64 {
		v := p.weight[i] * p.a[i] * p.b[i]
		return v / (1 + v)
	}
	lists, classes := [2]*[]int32{&persons, &records}, [2][]group{p.persons, p.records}
	add := func(side int, class int32) {
		*lists[side] = append(*lists[side], class)
		if howMany(*lists[side], class) == len(classes[side][class].records) {
			likely[side][class] = math.Inf(-1) // all of the class have been chosen
		}
		if side == 0 {
			for i := p.from[class]; i < p.from[class+1]; i++ {
				likely[1][p.record[i]] += chance(i)
			}
			return
		}
		for _, i := range p.pairs[p.to[class]:p.to[class+1]] {
			likely[0][p.person[i]] += chance(i)
		}
	}
	add(0, person)
	add(1, p.record[pair])
	for full := [2]bool{}; !full[0] || !full[1]; {
		for side, list := range lists {
			best, most := int32(-1), 0.0
			for class, v := range likely[side] {
				if v > most || v == most && class < best {
					best, most = class, v
				}
			}
			if full[side] = best < 0 || len(*list) == about; !full[side] {
				add(side, best)
			}
		}
	}
	return persons, records
}

func howMany(list []int32, class int32) int {
	return sets.Count(list, func(x int32) bool { return x == class })
}

// recount returns the chance that a person, if she is in the release, has a record of the class of the pair.
// Assignments among the nearest persons and records are enumerated; the messages tell how likely each of these belongs
// to someone outside. taken is the approximate chance, returned if the count fails.
func (p *weighing) recount(person, pair int32, taken float64) float64 {
	persons, records := p.nearest(person, pair)
	w, out := make([][]float64, len(persons)), make([]float64, len(persons)) // by person and record, and the weight of a record outside
	nobody := 0.0                                                            // the weight of the first person being in no record
	for k, g := range persons {
		w[k] = make([]float64, len(records))
		out[k] = float64(p.absent) * p.gone[g] * p.nobody[g]
		if k == 0 {
			nobody = out[k]
		}
		for i := p.from[g]; i < p.from[g+1]; i++ {
			r := p.record[i]
			out[k] += float64(len(p.records[r].records)-howMany(records, r)) * p.weight[i] * p.b[i]
			for c, x := range records {
				if x == r {
					w[k][c] = p.weight[i]
				}
			}
		}
	}
	alone := make([]float64, len(records)) // the weight of a record belonging to someone outside
	for c, r := range records {
		for _, i := range p.pairs[p.to[r]:p.to[r+1]] {
			g := p.person[i]
			alone[c] += float64(len(p.persons[g].records)-howMany(persons, g)) * p.weight[i] * p.a[i]
		}
		most := alone[c]
		for k := range w {
			most = max(most, w[k][c])
		}
		alone[c] /= most
		for k := range w {
			w[k][c] /= most
		}
	}
	// ways returns the total weight of all assignments of the others, given by set of records the weight of the first
	// person having taken these. It is linear in that, so that what she may take need not be tried one by one.
	ways := func(of []float64) (sum float64) {
		for k := 1; k < len(persons); k++ {
			most := out[k]
			for _, x := range w[k] {
				most = max(most, x)
			}
			for s := len(of) - 1; s >= 0; s-- {
				v := float64(of[s] * out[k])
				for rest := uint(s); rest != 0; rest &= rest - 1 {
					v += float64(of[uint(s)&^(rest&-rest)] * w[k][bits.TrailingZeros(rest)])
				}
				of[s] = v / most
			}
		}
		for s, v := range of {
			for c, x := range alone {
				if s>>c&1 == 0 {
					v *= x
				}
			}
			sum += v
		}
		return sum
	}
	own, others := make([]float64, 1<<len(records)), make([]float64, 1<<len(records))
	own[1], others[0] = w[0][0], max(0, out[0]-nobody)
	for c, x := range w[0][1:] {
		others[2<<c] = x
	}
	hers := ways(own)
	all := hers + ways(others)
	if !(all > 0) {
		return taken
	}
	return hers / all
}
