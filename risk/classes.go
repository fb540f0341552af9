package risk

import (
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// Classes counts records by the values of their quasi-identifiers: the equivalence classes of a table. Memory is
// proportional to the number of classes.
type Classes struct {
	columns *Columns
	t       *tally
}

// NewClasses prepares classes by the first qi of columns.
func NewClasses(columns *Columns, qi int) *Classes {
	return &Classes{columns: columns, t: newTally(qi)}
}

// AddBatch adds records that a Scanner has read. If it reads an amount, each record stands for that many equal ones;
// this is how the parts of a population that was divided by the classes of the data set are read.
func (c *Classes) AddBatch(b *Batch) error {
	if b.amounts == 0 {
		c.t.addRows(b.IDs, b.width, b.N, nil)
		return c.fits()
	}
	for r := range b.N {
		n, err := b.times(r)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		if g := c.t.add(b.IDs[r*b.width:][:c.t.w], n); c.t.count(g) < n {
			return &recordError{r, i18n.T("%s", errCounts)}
		}
	}
	return c.fits()
}

// addRows adds each record of b once and stores the classes in b.groups.
func (c *Classes) addRows(b *Batch) error {
	c.t.addRows(b.IDs, b.width, b.N, b.groups[:])
	return c.fits()
}

// fits reports an error if there are more classes than slots have numbers for.
func (c *Classes) fits() error {
	if c.t.n >= maxGroups {
		return i18n.New("more than 2^31 classes")
	}
	return nil
}

// Add adds n equal records with these values of the quasi-identifiers.
func (c *Classes) Add(n uint64, values ...string) error {
	ids, err := c.number(values)
	if err != nil {
		return err
	}
	if n > 0 {
		if _, err := c.addN(ids[:c.t.w], n); err != nil {
			return err
		}
	}
	return c.fits()
}

// addN adds n records to a class and returns the class's number.
func (c *Classes) addN(ids []uint32, n uint64) (uint32, error) {
	g := c.t.add(ids, n)
	if c.t.huge && c.t.count(g) < n {
		return 0, errCounts
	}
	return uint32(g), nil
}

// number returns the numbers of a record's values, for all columns.
func (c *Classes) number(values []string) ([]uint32, error) {
	if len(values) != len(c.columns.names) {
		return nil, i18n.Errorf("risk: %d values, want %d", len(values), len(c.columns.names))
	}
	ids := sets.List(len(values), func(k int) uint32 { return c.columns.id(k, values[k]) })
	return ids, nil
}

// errColumns is the error for accumulators whose columns differ.
var errColumns = i18n.New("risk: accumulators of other columns cannot be merged")

// Merge adds the classes of o.
func (c *Classes) Merge(o *Classes) error {
	_, err := c.merge(o)
	return err
}

// merge adds the classes of o and returns the number that each has here.
func (c *Classes) merge(o *Classes) ([]uint32, error) {
	if c.t.w != o.t.w || !slices.Equal(c.columns.names, o.columns.names) {
		return nil, errColumns
	}
	to := make([]uint32, o.t.n)
	ids := make([]uint32, c.t.w)
	translate := c.columns.translator(o.columns)
	for g := range o.t.n {
		for k, id := range o.t.tuple(g) {
			ids[k] = translate(k, id)
		}
		var err error
		if to[g], err = c.addN(ids, o.t.count(g)); err != nil {
			return nil, err
		}
	}
	return to, c.fits()
}

// translator returns a function from numbers of values in o to those in c.
func (c *Columns) translator(o *Columns) func(column int, id uint32) uint32 {
	if c == o {
		return func(_ int, id uint32) uint32 { return id }
	}
	known := make([]map[uint32]uint32, len(c.names))
	return func(k int, id uint32) uint32 {
		to, ok := known[k][id]
		if !ok {
			if known[k] == nil {
				known[k] = map[uint32]uint32{}
			}
			to = c.id(k, o.Value(k, id))
			known[k][id] = to
		}
		return to
	}
}

// Len returns the number of classes, including those with missing values.
func (c *Classes) Len() int { return c.t.n }

// Class returns the number of the class with these values, −1 if no record has them.
func (c *Classes) Class(values ...string) int {
	ids := make([]uint32, len(values))
	for k, v := range values {
		id, ok := c.columns.Find(k, v)
		if !ok {
			return -1
		}
		ids[k] = id
	}
	if len(ids) != c.t.w {
		return -1
	}
	return c.t.find(ids)
}

// Size returns the number of records of class g.
func (c *Classes) Size(g int) uint64 { return c.t.count(g) }

// Tuple returns the values of the quasi-identifiers in class g.
func (c *Classes) Tuple(g int) []string { return c.columns.values(c.t.tuple(g)) }

// Columns returns the columns of the classes.
func (c *Classes) Columns() *Columns { return c.columns }
