package risk

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

// Counted counts classes of records that stand for several equal ones: the amount that
// the Scanner reads is how many. Of a Population that is divided with the classes of
// the data set, each part is one.
type Counted struct{ Classes }

// NewCounted prepares classes by all columns.
func NewCounted(columns *Columns) *Counted {
	return &Counted{*NewClasses(columns, len(columns.names))}
}

// AddBatch adds records that a Scanner has read; without an amount each is one.
func (c *Counted) AddBatch(b *Batch) error {
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

// Merge adds the classes of o.
func (c *Counted) Merge(o *Counted) error { return c.Classes.Merge(&o.Classes) }
