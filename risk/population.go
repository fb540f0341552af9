package risk

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Population counts, for every class of a data set, the records of a population table that match it. Memory is
// proportional to the classes of the data set, not to the population.
type Population struct {
	data   *Classes
	shared *popIndex
	found  [][]uint64 // by pattern and projection
	// Number of records of the population, and of those that match no tuple of the data set.
	records, unmatched uint64
	tuple              []uint32
}

// A popIndex finds the classes that a record of the population matches. Accumulators for the same data set share it.
type popIndex struct {
	patterns []popPattern
	at       []popPlace // place of each class
	full     uint64     // records of the data set with only wildcards
}

// A popPattern holds the tuples of the data set with wildcards in the same columns, projected to the other columns.
// Different spellings of wildcards share a projection.
type popPattern struct {
	columns []int
	t       *tally
}

type popPlace struct{ pattern, projection uint32 }

// NewPopulation prepares the count. wildcards are values of the data set that match any value of the population. The
// Scanner of the population must be Known, use the Columns of data, and read the column of counts, if any, as its
// amount.
func NewPopulation(data *Classes, wildcards []string) *Population {
	x := &popIndex{}
	seen := map[uint64]int{}
	tuple := make([]uint32, 0, maxColumns)
	for g, pattern := range data.patterns(wildcards) {
		if pattern == data.all() {
			x.full += data.t.count(g)
		}
		k, ok := seen[pattern]
		if !ok {
			k = len(x.patterns)
			seen[pattern] = k
			var columns []int
			for c := range data.t.w {
				if pattern>>c&1 == 0 {
					columns = append(columns, c)
				}
			}
			x.patterns = append(x.patterns, popPattern{columns: columns, t: newTally(len(columns))})
		}
		q := &x.patterns[k]
		tuple = tuple[:0]
		for _, c := range q.columns {
			tuple = append(tuple, data.t.tuple(g)[c])
		}
		x.at = append(x.at, popPlace{uint32(k), uint32(q.t.add(tuple, 1))})
	}
	return (&Population{data: data, shared: x}).Fresh()
}

// Fresh returns an empty count for the same data set.
func (p *Population) Fresh() *Population {
	q := &Population{data: p.data, shared: p.shared, tuple: make([]uint32, p.data.t.w)}
	for _, x := range p.shared.patterns {
		q.found = append(q.found, make([]uint64, x.t.n))
	}
	return q
}

// AddBatch adds records that a Scanner has read.
func (p *Population) AddBatch(b *Batch) error {
	for r := range b.N {
		n, err := b.times(r)
		if err != nil {
			return err
		}
		if !p.count(b.IDs[r*b.width:(r+1)*b.width], n) {
			return &recordError{r, i18n.T("%s", errCounts)}
		}
	}
	return nil
}

var errCounts = i18n.New("the counts add up to more than 2^64")

// times returns how many records record r stands for: its first amount, if it has one.
func (b *Batch) times(r int) (uint64, error) {
	if b.amounts == 0 {
		return 1, nil
	}
	n, ok := b.Amounts[r*b.amounts].whole()
	if !ok {
		return 0, &recordError{r, i18n.T("a count of %s, want a whole number", b.Amounts[r*b.amounts])}
	}
	return n, nil
}

// Add adds n records of the population with these values of the quasi-identifiers.
func (p *Population) Add(n uint64, values ...string) error {
	if len(values) != len(p.tuple) {
		return i18n.Errorf("risk: %d values, want %d", len(values), len(p.tuple))
	}
	ids := make([]uint32, len(values))
	for k, v := range values {
		var ok bool
		if ids[k], ok = p.data.columns.Find(k, v); !ok {
			ids[k] = unknown
		}
	}
	if !p.count(ids, n) {
		return errCounts
	}
	return nil
}

// count returns false if a count overflows.
func (p *Population) count(ids []uint32, n uint64) bool {
	var carry uint64
	if p.records, carry = bits.Add64(p.records, n, 0); carry > 0 {
		return false
	}
	matched := false
next:
	for k := range p.shared.patterns {
		q := &p.shared.patterns[k]
		tuple := p.tuple[:len(q.columns)]
		for i, c := range q.columns {
			if tuple[i] = ids[c]; tuple[i] == unknown {
				continue next
			}
		}
		if g := q.t.find(tuple); g >= 0 {
			p.found[k][g] += n
			matched = true
		}
	}
	if !matched {
		p.unmatched += n
	}
	return true
}

// Merge adds what o has counted.
func (p *Population) Merge(o *Population) error {
	if p.shared != o.shared {
		return i18n.New("risk: populations of different data sets cannot be merged")
	}
	var carry uint64
	if p.records, carry = bits.Add64(p.records, o.records, 0); carry > 0 {
		return errCounts
	}
	p.unmatched += o.unmatched
	for k := range p.found {
		for g, n := range o.found[k] {
			p.found[k][g] += n
		}
	}
	return nil
}

// frequency returns the number of records of the population that match class g.
func (p *Population) frequency(g int) uint64 {
	at := p.shared.at[g]
	return p.found[at.pattern][at.projection]
}
