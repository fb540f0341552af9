package risk

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxColumns is the largest number of columns that are coded together.
const maxColumns = 64

// Columns numbers the values of some columns, separately for each column. Values are compared byte by byte: nothing is
// trimmed, folded or parsed. The numbers depend on the order in which values occur; reported results do not. It is safe
// for concurrent use.
type Columns struct {
	names []string
	dicts []*dict
}

// NewColumns prepares columns with these names.
func NewColumns(names ...string) (*Columns, error) {
	switch {
	case len(names) == 0:
		return nil, i18n.New("risk: no columns named, want at least one quasi-identifier")
	case len(names) > maxColumns:
		return nil, i18n.Errorf("risk: %d columns, want at most %d", len(names), maxColumns)
	}
	c := &Columns{names: slices.Clone(names)}
	for k, n := range names {
		if slices.Contains(names[:k], n) {
			return nil, i18n.Errorf("risk: column %q named twice", n)
		}
		c.dicts = append(c.dicts, new(dict))
	}
	return c, nil
}

// Names returns the names of the columns.
func (c *Columns) Names() []string { return slices.Clone(c.names) }

// Value returns the value with the given number in a column.
func (c *Columns) Value(column int, id uint32) string { return c.dicts[column].value(id) }

// Find returns the number of a value; ok is false if it has none.
func (c *Columns) Find(column int, value string) (uint32, bool) {
	return c.dicts[column].find([]byte(value))
}

// id returns the number of a value, assigning one if needed.
func (c *Columns) id(column int, value string) uint32 { return c.dicts[column].id([]byte(value)) }

// ids returns the numbers of those values that occur in a column.
func (c *Columns) ids(column int, values []string) []uint32 {
	var ids []uint32
	for _, v := range values {
		if id, ok := c.Find(column, v); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// fits reports an error if a column has more values than there are numbers.
func (c *Columns) fits() error {
	for k, d := range c.dicts {
		if d.full.Load() {
			return i18n.Errorf("risk: column %q has too many different values: about 4·10⁹ are possible", c.names[k])
		}
	}
	return nil
}

// values returns the values of a tuple that covers the first len(ids) columns.
func (c *Columns) values(ids []uint32) []string {
	return sets.List(len(ids), func(k int) string { return c.Value(k, ids[k]) })
}

// A dict is divided into parts so that workers rarely wait for each other; the low bits of a number identify the part.
const partBits = 4

type dict struct {
	part [1 << partBits]part
	full atomic.Bool // some part has run out of numbers
}

// partFull is the largest number of values in a part; numbers have 32 bits, and one is reserved for unknown.
const partFull = 1<<(32-partBits) - 1

// A part is an open-addressing hash table of texts that are stored one after another.
type part struct {
	mu   sync.RWMutex
	slot []uint64 // hash<<32 | number+1, 0 empty
	end  []uint64 // end of each text
	text []byte
}

var dictSeed = maphash.MakeSeed()

func (d *dict) id(v []byte) uint32 {
	h := maphash.Bytes(dictSeed, v)
	n := uint32(h >> (64 - partBits))
	p := &d.part[n]
	p.mu.Lock()
	defer p.mu.Unlock()
	k, found := p.look(uint32(h), v)
	switch {
	case found:
	case len(p.end) == partFull:
		d.full.Store(true)
	default:
		k = p.add(uint32(h), v)
	}
	return k<<partBits | n
}

func (d *dict) find(v []byte) (uint32, bool) {
	h := maphash.Bytes(dictSeed, v)
	n := uint32(h >> (64 - partBits))
	p := &d.part[n]
	p.mu.RLock()
	defer p.mu.RUnlock()
	k, found := p.look(uint32(h), v)
	return k<<partBits | n, found
}

func (d *dict) value(id uint32) string {
	p := &d.part[id&(1<<partBits-1)]
	p.mu.RLock()
	defer p.mu.RUnlock()
	return string(p.at(id >> partBits))
}

func (p *part) at(k uint32) []byte {
	from := uint64(0)
	if k > 0 {
		from = p.end[k-1]
	}
	return p.text[from:p.end[k]]
}

func (p *part) look(h uint32, v []byte) (uint32, bool) {
	if len(p.slot) == 0 {
		return 0, false
	}
	mask := uint32(len(p.slot) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := p.slot[i]
		if s == 0 {
			return 0, false
		}
		if uint32(s>>32) == h && string(p.at(uint32(s)-1)) == string(v) {
			return uint32(s) - 1, true
		}
	}
}

func (p *part) add(h uint32, v []byte) uint32 {
	if 2*len(p.end) >= len(p.slot) {
		p.slot = rehash(p.slot, max(16, 2*len(p.slot)))
	}
	p.text = append(p.text, v...)
	p.end = append(p.end, uint64(len(p.text)))
	place(p.slot, h, uint32(len(p.end)))
	return uint32(len(p.end) - 1)
}

// rehash returns the slots for a table of size n, a power of two. Slots hold 32 bits of the hash, which suffices to
// place them.
func rehash(old []uint64, n int) []uint64 {
	slot := make([]uint64, n)
	for _, s := range old {
		if s != 0 {
			place(slot, uint32(s>>32), uint32(s))
		}
	}
	return slot
}

// place puts an entry into the first free slot.
func place(slot []uint64, h, entry uint32) {
	mask := uint32(len(slot) - 1)
	i := h & mask
	for slot[i] != 0 {
		i = (i + 1) & mask
	}
	slot[i] = uint64(h)<<32 | uint64(entry)
}
