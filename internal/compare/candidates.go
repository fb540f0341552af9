package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// Candidates finds the records of a release that may be a person's: those whose values stand for everything known about
// her.
type Candidates struct {
	columns  []int // known columns, those with the most released values first
	meanings []*Meaning
	rows     [][]uint32 // different combinations of released values in these columns, ascending
	groups   [][]int32  // by row: the records that have it
	of       []int32    // by record of the release: its row
}

// NewCandidates prepares a search by those of columns that are not perturbed; nil if there are none. Cost: sorting the
// records.
func NewCandidates(release *Records, meanings []*Meaning, columns []int) *Candidates {
	c := &Candidates{meanings: meanings, of: make([]int32, release.N)}
	different := map[int]int{}
	for _, k := range columns {
		if meanings[k].Kind != Perturbed {
			c.columns = append(c.columns, k)
			different[k] = len(meanings[k].size)
		}
	}
	if len(c.columns) == 0 {
		return nil
	}
	slices.SortStableFunc(c.columns, func(a, b int) int { return cmp.Compare(different[b], different[a]) })
	order := sets.Upto(int32(release.N))
	slices.SortFunc(order, func(a, b int32) int {
		for _, k := range c.columns {
			if d := cmp.Compare(release.id(k)[a], release.id(k)[b]); d != 0 {
				return d
			}
		}
		return cmp.Compare(a, b)
	})
	for n, i := range order {
		same := n > 0
		for _, k := range c.columns {
			same = same && release.id(k)[i] == release.id(k)[order[n-1]]
		}
		if !same {
			row := sets.Each(c.columns, func(k int) uint32 { return release.id(k)[i] })
			c.rows, c.groups = append(c.rows, row), append(c.groups, nil)
		}
		g := len(c.rows) - 1
		c.groups[g] = append(c.groups[g], i)
		c.of[i] = int32(g)
	}
	return c
}

// all reports whether the candidates are found by as many columns.
func (c *Candidates) all(columns int) bool {
	for _, k := range c.columns {
		columns -= max(1, c.meanings[k].together)
	}
	return columns <= 0
}

// each calls do for each row that stands for record i of a file.
func (c *Candidates) each(of *Records, i int32, do func(row int)) {
	c.walk(of, i, 0, 0, len(c.rows), do)
}

// walk searches the rows from lo to hi, which agree in the columns before level.
func (c *Candidates) walk(of *Records, i int32, level, lo, hi int, do func(row int)) {
	if level == len(c.columns) {
		do(lo)
		return
	}
	k := c.columns[level]
	at := func(lo, hi int, v uint32) int { // the first row from lo on whose value is v or more
		n, _ := slices.BinarySearchFunc(c.rows[lo:hi], v, func(row []uint32, v uint32) int { return cmp.Compare(row[level], v) })
		return lo + n
	}
	list := c.meanings[k].of(of.id(k)[i])
	for lo < hi && len(list) > 0 {
		v := c.rows[lo][level]
		if v > list[0] {
			n, _ := slices.BinarySearch(list, v)
			list = list[n:]
			continue
		}
		if v < list[0] {
			lo = at(lo, hi, list[0])
			continue
		}
		end := at(lo, hi, v+1)
		c.walk(of, i, level+1, lo, end, do)
		lo, list = end, list[1:]
	}
}

// A Linkage is the success of an attacker who knows values of all persons and what the released values stand for. He
// takes one of a person's candidates, each equally likely.
type Linkage struct {
	Persons  int     // persons who are attacked
	Found    int     // persons who have candidates
	Alone    int     // persons who have exactly one
	Expected float64 // expected re-identifications: Σ 1/candidates
	Largest  float64 // the largest of the chances 1/candidates
	Outside  int     // persons whose own record, if known, is not among their candidates; it counts as no re-identification
}

// Link finds the candidates of all persons or, if the truth is known, of those whose record is in the release. Persons
// with equal values are looked up once.
func (c *Candidates) Link(ctx context.Context, of *Records, truth []int32) (*Linkage, error) {
	persons := of.alike(c.columns)
	at := make([]int32, of.N)
	for g, p := range persons {
		for _, i := range p.records {
			at[i] = int32(g)
		}
	}
	found := make([][]int, len(persons)) // the rows that fit, if the truth is known
	count := make([]int, len(persons))
	err := parallel.Do(ctx, len(persons), 0, func(ctx context.Context, g int) error {
		c.each(of, persons[g].records[0], func(row int) {
			count[g] += len(c.groups[row])
			if truth != nil {
				found[g] = append(found[g], row)
			}
		})
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	l := &Linkage{}
	add := func(persons, n int) {
		l.Persons += persons
		if n == 0 {
			return
		}
		l.Found += persons
		if n == 1 {
			l.Alone += persons
		}
		l.Expected += float64(persons) / float64(n)
		l.Largest = max(l.Largest, 1/float64(n))
	}
	if truth == nil {
		for g, p := range persons {
			add(len(p.records), count[g])
		}
		return l, nil
	}
	for i, j := range truth {
		if j < 0 {
			continue
		}
		g := at[j]
		if _, ok := slices.BinarySearch(found[g], int(c.of[i])); !ok {
			l.Persons++
			l.Outside++
			continue
		}
		add(1, count[g])
	}
	return l, nil
}

// alike returns the groups of records of r with the same values, where numbers are the same if they are written alike.
func (r *Records) alike(columns []int) []group {
	p := &Records{N: r.N, X: make([][]float64, len(columns))}
	for _, k := range columns {
		p.ID = append(p.ID, r.id(k))
	}
	return groups(p)
}

// Fits reports whether a release looks like the original with its values replaced by what stands for them. Values that
// some released value stands for together are merged; every combination of merged values must then have as many
// released records as original ones, and independent samples of that size, from any population, must agree so with a
// chance of less than a thousandth. For counts n_c of n records that chance is at most n!/nⁿ · Π n_c^n_c/n_c!.
func (c *Candidates) Fits(original, release *Records) bool {
	if original.N != release.N {
		return false
	}
	keys := [2][][]uint32{make([][]uint32, original.N), make([][]uint32, release.N)}
	for _, k := range c.columns {
		m := c.meanings[k]
		root := map[uint32]uint32{} // union-find over released values that stand for a common original value
		var find func(v uint32) uint32
		find = func(v uint32) uint32 {
			if p, ok := root[v]; ok && p != v {
				p = find(p)
				root[v] = p
				return p
			}
			return v
		}
		for _, list := range m.within {
			for _, v := range list[min(1, len(list)):] {
				if a, b := find(list[0]), find(v); a != b {
					root[max(a, b)] = min(a, b)
				}
			}
		}
		for i, id := range original.id(k) {
			list := m.of(id)
			if len(list) == 0 {
				return false
			}
			keys[0][i] = append(keys[0][i], find(list[0]))
		}
		for i, id := range release.id(k) {
			keys[1][i] = append(keys[1][i], find(id))
		}
	}
	var counts [2]map[string]int
	for f, list := range keys {
		counts[f] = map[string]int{}
		var key []byte
		for _, row := range list {
			key = key[:0]
			for _, v := range row {
				key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
			}
			counts[f][string(key)]++
		}
	}
	n := float64(original.N)
	lg := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v }
	var terms []float64
	for key, x := range counts[0] {
		if counts[1][key] != x {
			return false
		}
		terms = append(terms, float64(float64(x)*math.Log(float64(x)))-lg(float64(x)))
	}
	slices.Sort(terms)
	chance := lg(n) - float64(n*math.Log(n))
	for _, t := range terms {
		chance += t
	}
	return chance < math.Log(0.001)
}

// Coded returns the original with its values replaced by the released ones that stand for them, by the most specific of
// several, so that columns can be compared by value.
func Coded(original *Records, meanings []*Meaning) *Records {
	r := *original
	r.ID = slices.Clone(original.ID)
	for k, m := range meanings {
		if m.Kind != Sets {
			continue
		}
		r.ID[k] = make([]uint32, r.N)
		for i, id := range original.ID[k] {
			r.ID[k][i] = id
			for n, v := range m.of(id) {
				if n == 0 || m.size[v] < m.size[r.ID[k][i]] {
					r.ID[k][i] = v
				}
			}
		}
	}
	return &r
}

// Detail returns how much of the detail of column k a release gives up: the mean over its records of (s−1)/(v−1), where
// s is how many of the v original values the released value stands for.
//
// Source: the normalised certainty penalty of Xu and others, Utility-based anonymization using local recoding (KDD
// 2006), for categories.
func (m *Meaning) Detail(release *Records, k int) float64 {
	if m.Kind != Sets || m.different < 2 {
		return 0
	}
	sum := 0
	for _, id := range release.ID[k] {
		sum += max(0, m.size[id]-1)
	}
	return float64(sum) / float64(m.different-1) / float64(release.N)
}
