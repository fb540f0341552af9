package table

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Sieve makes the table that Table.InPlay would return, for a table too large for memory. Given the records of all
// cells one by one, it keeps those that are not Published, one bit for each of the others to detect duplicates, and the
// running sums of all relations, which must hold. Memory: about 100 bytes for each cell kept and 8 for each relation.
//
// Every code that is not a leaf must have records, as margins are not computed. Call NewSieve, then Code and Add for
// each record, then Table.
type Sieve struct {
	t     *Table
	vars  []sieveVar
	seen  bitPages
	sums  []sumPages // by dimension: Σ parts − margin, by place of the margin
	unset []bool     // by kept cell: no cost was given
	cells int
}

// errSieve is wrapped by errors that say why a Sieve cannot read a table that Build may be able to read.
var errSieve = i18n.New("cannot be read as a stream")

// A sieveVar numbers the codes of a dimension, inner codes first.
type sieveVar struct {
	name   string
	id     map[string]int32
	code   []string
	parent []int32
	used   []bool
	flat   bool  // codes are numbered in order of appearance
	inner  int32 // number of codes that are not leaves
	bits   uint  // bits of a code's number: the width of its field in a place
	narrow uint  // bits of the number of an inner code
}

// mostSieveBits bounds the bits of a place; the sieve may need one bit of memory for every place.
const mostSieveBits = 34

// NewSieve takes the trees of the dimensions, which may have more codes than the records use. A tree of the total alone
// stands for a flat dimension whose codes are those of the records.
func NewSieve(name string, trees []Dimension, counts bool) (*Sieve, error) {
	s := &Sieve{t: &Table{Name: name, Counts: counts, Dims: trees, Rel: NewRelations(0)}}
	for d := range trees {
		tree := &trees[d]
		v := sieveVar{name: tree.Name, id: map[string]int32{}, flat: len(tree.Codes) == 1}
		leaf := tree.Leaves()
		if v.flat {
			leaf[0] = false
		}
		number := make([]int32, len(tree.Codes))
		for _, leaves := range []bool{false, true} {
			for c, code := range tree.Codes {
				if leaf[c] != leaves {
					continue
				}
				number[c] = int32(len(v.code))
				v.id[code], v.code, v.parent = number[c], append(v.code, code), append(v.parent, -1)
				if !leaves {
					v.inner++
				}
			}
		}
		for c, h := range tree.Parent {
			if h >= 0 {
				v.parent[number[c]] = number[h]
			}
		}
		v.used = make([]bool, len(v.code))
		v.bits, v.narrow = uint(bits.Len(uint(len(v.code)-1))), uint(bits.Len(uint(v.inner-1)))
		s.vars = append(s.vars, v)
	}
	s.sums = make([]sumPages, len(trees))
	return s, s.fits()
}

// fits reports an error if the codes make more places than the sieve has bits for.
func (s *Sieve) fits() error {
	all := uint(0)
	for d := range s.vars {
		all += s.vars[d].bits
	}
	if all > mostSieveBits {
		return i18n.Errorf("table %s: the codes of its dimensions make more than 2^%d places: %w", s.t.Name, mostSieveBits, errSieve)
	}
	return nil
}

// Code returns the number of a code of dimension d, −1 if its tree lacks it.
func (s *Sieve) Code(d int, code string) (int32, error) {
	v := &s.vars[d]
	if c, ok := v.id[code]; ok {
		return c, nil
	}
	if !v.flat {
		return -1, nil
	}
	c := int32(len(v.code))
	v.id[code], v.code, v.parent, v.used = c, append(v.code, code), append(v.parent, 0), append(v.used, false)
	if uint(bits.Len(uint(c))) > v.bits {
		s.widen(d)
		return c, s.fits()
	}
	return c, nil
}

// widen makes the field of dimension d in every place one bit wider.
func (s *Sieve) widen(d int) {
	at := uint(0)
	for e := range d {
		at += s.vars[e].bits
	}
	at += s.vars[d].bits
	s.seen.insertBit(at)
	for e := range s.sums {
		switch own := at; {
		case e == d: // its place has no field for leaves
		default:
			if e < d {
				own -= s.vars[e].bits - s.vars[e].narrow
			}
			s.sums[e].insertBit(own)
		}
	}
	s.vars[d].bits++
}

// place packs the numbers of a cell's codes into one integer, a field for each dimension.
func (s *Sieve) place(ids []int32) uint64 {
	at, shift := uint64(0), uint(0)
	for d, c := range ids {
		at |= uint64(c) << shift
		shift += s.vars[d].bits
	}
	return at
}

// marginPlace is the place, among the sums of dimension d, of the relation whose margin has code c in d and the cell's
// codes elsewhere.
func (s *Sieve) marginPlace(ids []int32, d int, c int32) uint64 {
	at, shift := uint64(0), uint(0)
	for e, own := range ids {
		width := s.vars[e].bits
		if e == d {
			own, width = c, s.vars[e].narrow
		}
		at |= uint64(own) << shift
		shift += width
	}
	return at
}

// Add takes the record of the cell whose codes have the numbers ids (rec.Codes is ignored) and reports whether it is
// kept. Errors are *RecordError, or say why a Sieve cannot read a table that Build may be able to read.
func (s *Sieve) Add(ids []int32, rec *Record) (kept bool, err error) {
	bad := func(column string, v Number, want i18n.Text) (bool, error) {
		return false, &RecordError{s.cells, rec.Line, column, v.String(), want}
	}
	if !rec.Value.Set {
		return false, i18n.Errorf("table %s: line %d: a value is missing: %w", s.t.Name, rec.Line, errSieve)
	}
	if err := s.rescale(rec); err != nil {
		return false, err
	}
	if s.seen.set(s.place(ids)) {
		return false, &RecordError{s.cells, rec.Line, "", s.name(ids), i18n.T("cell given twice")}
	}
	value, ok := rec.Value.At(s.t.Decimals)
	if !ok {
		return bad("value", rec.Value, i18n.T("does not fit beside numbers with %d decimals in 18 digits", s.t.Decimals))
	}
	for d, c := range ids {
		v := &s.vars[d]
		v.used[c] = true
		if c < v.inner && !s.sums[d].add(s.marginPlace(ids, d, c), -value, false) || v.parent[c] >= 0 && !s.sums[d].add(s.marginPlace(ids, d, v.parent[c]), value, true) {
			return false, i18n.Errorf("table %s: line %d: a sum over %s leaves 64 bits: %w", s.t.Name, rec.Line, v.name, errSieve)
		}
	}
	s.cells++
	if rec.Status != Published {
		if err := s.t.addRecord(rec); err != nil {
			return false, err
		}
		s.t.Coord = append(s.t.Coord, ids...)
		s.unset = append(s.unset, !rec.Cost.Set)
		return true, nil
	}
	lower, upper := int64(0), int64(PosInf)
	for _, b := range []struct {
		of *Number
		to *int64
	}{{&rec.Lower, &lower}, {&rec.Upper, &upper}} {
		switch {
		case !b.of.Set:
		case b.of.Inf != 0:
			*b.to = PosInf
			if b.of.Inf < 0 {
				*b.to = NegInf
			}
		default:
			if *b.to, ok = b.of.At(s.t.Decimals); !ok {
				return bad("value", *b.of, i18n.T("does not fit beside numbers with %d decimals in 18 digits", s.t.Decimals))
			}
		}
	}
	switch {
	case lower > upper:
		return bad("lower", rec.Lower, i18n.T("want at most the upper bound %s", FormatDecimal(upper, s.t.Decimals)))
	case value < lower:
		return bad("value", rec.Value, i18n.T("below the intruder's lower bound %s; give a lower bound that holds for every cell", FormatDecimal(lower, s.t.Decimals)))
	case value > upper:
		return bad("value", rec.Value, i18n.T("above the intruder's upper bound %s; give an upper bound that holds for every cell", FormatDecimal(upper, s.t.Decimals)))
	}
	return false, nil
}

// name is the cell's name in messages.
func (s *Sieve) name(ids []int32) string {
	text := ""
	for d, c := range ids {
		if d > 0 {
			text += "/"
		}
		text += s.vars[d].code[c]
	}
	return text
}

// rescale gives the table the decimals that rec needs.
func (s *Sieve) rescale(rec *Record) error {
	one := Table{}
	if err := one.setScales(1, func(int) *Record { return rec }); err != nil {
		return err
	}
	t := s.t
	if one.Decimals > t.Decimals {
		f := Pow10(one.Decimals - t.Decimals)
		if err := t.Rescale(one.Decimals); err != nil {
			return i18n.Errorf("%w: %w", err, errSieve)
		}
		for d := range s.sums {
			if !s.sums[d].scale(f) {
				return i18n.Errorf("table %s: line %d: a sum over %s leaves 64 bits: %w", t.Name, rec.Line, s.vars[d].name, errSieve)
			}
		}
	}
	if d := max(one.CostDecimals, t.Decimals); d > t.CostDecimals {
		f := Pow10(d - t.CostDecimals)
		for i, c := range t.Cost {
			if c > maxMagnitude/f {
				return i18n.Errorf("table %s: cost %s: %w", t.Name, FormatDecimal(c, t.CostDecimals), errSieve)
			}
			t.Cost[i] = c * f
		}
		t.CostDecimals = d
	}
	return nil
}

// Table returns the cells kept as a table over dims, whose codes are all codes of the records and their ancestors. It
// fails if a sum is wrong, and checks what Build checks. cells and relations are counts of the whole table.
func (s *Sieve) Table(dims []Dimension) (t *Table, cells, relations int, err error) {
	k := len(s.vars)
	t = s.t
	to := make([][]int32, k)
	for d := range dims {
		v := &s.vars[d]
		to[d] = make([]int32, len(v.code))
		for c, code := range dims[d].Codes {
			id, ok := v.id[code]
			if !ok {
				return nil, 0, 0, i18n.Errorf("table %s: code %q of %s: %w", t.Name, code, v.name, errSieve)
			}
			if to[d][id] = int32(c); id < v.inner && !v.used[id] {
				return nil, 0, 0, i18n.Errorf("table %s: no record has the code %q of %s, so its margins would have to be computed: %w", t.Name, code, v.name, errSieve)
			}
		}
	}
	for d := range s.sums {
		if at, v, ok := s.sums[d].wrong(); ok {
			return nil, 0, 0, s.additivity(d, at, v)
		}
	}
	for i, unset := range s.unset {
		if unset {
			c, ok := t.valueCost(i)
			if !ok {
				return nil, 0, 0, i18n.Errorf("table %s: the value %s does not fit beside costs with %d decimals in 18 digits", t.Name, FormatDecimal(t.Value[i], t.Decimals), t.CostDecimals)
			}
			t.Cost[i] = c
		}
	}
	t.Rel = s.relations()
	for i := range t.Len() {
		for d := range k {
			t.Coord[i*k+d] = to[d][t.Coord[i*k+d]]
		}
	}
	t.Dims = dims
	for d := range s.sums {
		relations += s.sums[d].parts()
	}
	return t, s.cells, relations, t.Validate()
}

// additivity returns the error of the relation of dimension d whose margin is at a place; v is Σ parts − margin.
func (s *Sieve) additivity(d int, at uint64, v int64) error {
	ids := make([]int32, len(s.vars))
	for e := range s.vars {
		width := s.vars[e].bits
		if e == d {
			width = s.vars[e].narrow
		}
		ids[e] = int32(at & (1<<width - 1))
		at >>= width
	}
	name := s.vars[d].name
	return i18n.Errorf("table %s: %s = sum over %s: the parts add up to %s more than the margin", s.t.Name, s.name(ids), name, FormatDecimal(v, s.t.Decimals))
}

// relations returns the relations among the cells kept.
func (s *Sieve) relations() *Relations {
	t, k := s.t, len(s.vars)
	type term struct {
		at     uint64
		cell   int32
		margin bool
	}
	rel := &relationsInPlay{n: t.Len()}
	var terms []term
	for d := range s.vars {
		v := &s.vars[d]
		terms = terms[:0]
		for i := range t.Len() {
			ids := t.Coord[i*k : i*k+k]
			c := ids[d]
			if c < v.inner {
				if at := s.marginPlace(ids, d, c); s.sums[d].hasPart(at) {
					terms = append(terms, term{at, int32(i), true})
				}
			}
			if h := v.parent[c]; h >= 0 {
				terms = append(terms, term{s.marginPlace(ids, d, h), int32(i), false})
			}
		}
		slices.SortFunc(terms, func(a, b term) int {
			switch {
			case a.at != b.at:
				return cmp.Compare(a.at, b.at)
			case a.margin:
				return -1
			case b.margin:
				return 1
			}
			return cmp.Compare(a.cell, b.cell)
		})
		for len(terms) > 0 {
			rel.begin()
			margin, rhs, at, n := int32(-1), int64(0), terms[0].at, 0
			for ; n < len(terms) && terms[n].at == at; n++ {
				coef := int32(1)
				if terms[n].margin {
					coef, margin = -1, terms[n].cell
				}
				rel.term(terms[n].cell, coef)
				rhs += int64(coef) * t.Value[terms[n].cell]
			}
			rel.end(int8(d), margin, rhs)
			terms = terms[n:]
		}
	}
	return rel.relations()
}

// A bitPages is a set of bits, all 0 at first; only pages that contain a 1 are kept.
type bitPages struct{ pages []*[1 << 10]uint64 }

// set sets a bit and reports whether it was set already.
func (b *bitPages) set(at uint64) (was bool) {
	p := at >> 16
	if p >= uint64(len(b.pages)) {
		b.pages = append(b.pages, make([]*[1 << 10]uint64, p+1-uint64(len(b.pages)))...)
	}
	if b.pages[p] == nil {
		b.pages[p] = new([1 << 10]uint64)
	}
	w, bit := &b.pages[p][at>>6&(1<<10-1)], uint64(1)<<(at&63)
	was = *w&bit != 0
	*w |= bit
	return was
}

// withBit inserts a 0 into a place at the given bit.
func withBit(at uint64, bit uint) uint64 { return at>>bit<<(bit+1) | at&(1<<bit-1) }

// insertBit moves every bit to withBit of its place.
func (b *bitPages) insertBit(bit uint) {
	var moved bitPages
	for p, page := range b.pages {
		if page == nil {
			continue
		}
		for w, word := range page {
			for ; word != 0; word &= word - 1 {
				moved.set(withBit(uint64(p)<<16|uint64(w)<<6|uint64(bits.TrailingZeros64(word)), bit))
			}
		}
		b.pages[p] = nil
	}
	*b = moved
}

// A sumPages is a set of sums, each with a mark whether it has a part; only the pages in use are kept.
type sumPages struct{ pages []*sumPage }

type sumPage struct {
	sum  [1 << 8]int64
	part [1 << 2]uint64
	used [1 << 2]uint64
}

func (p *sumPages) page(at uint64) *sumPage {
	n := at >> 8
	if n >= uint64(len(p.pages)) {
		p.pages = append(p.pages, make([]*sumPage, n+1-uint64(len(p.pages)))...)
	}
	if p.pages[n] == nil {
		p.pages[n] = new(sumPage)
	}
	return p.pages[n]
}

// add adds v to a sum; part says that v is the value of a part. It returns false on overflow of 64 bits.
func (p *sumPages) add(at uint64, v int64, part bool) (ok bool) {
	page, c := p.page(at), at&(1<<8-1)
	page.used[c>>6] |= 1 << (c & 63)
	if part {
		page.part[c>>6] |= 1 << (c & 63)
	}
	page.sum[c], ok = addExact(page.sum[c], v)
	return ok
}

func (p *sumPages) hasPart(at uint64) bool {
	c := at & (1<<8 - 1)
	return p.page(at).part[c>>6]>>(c&63)&1 != 0
}

// parts returns the number of sums that have a part.
func (p *sumPages) parts() (n int) {
	for _, page := range p.pages {
		if page != nil {
			for _, w := range page.part {
				n += bits.OnesCount64(w)
			}
		}
	}
	return n
}

// wrong returns the first sum that is not 0.
func (p *sumPages) wrong() (at uint64, v int64, ok bool) {
	for n, page := range p.pages {
		if page == nil {
			continue
		}
		for c, v := range page.sum {
			if v != 0 {
				return uint64(n)<<8 | uint64(c), v, true
			}
		}
	}
	return 0, 0, false
}

// scale multiplies all sums by f; it returns false on overflow.
func (p *sumPages) scale(f int64) bool {
	for _, page := range p.pages {
		if page == nil {
			continue
		}
		for c, v := range page.sum {
			if num.Abs(v) > PosInf/f {
				return false
			}
			page.sum[c] = v * f
		}
	}
	return true
}

// insertBit moves every sum to withBit of its place.
func (p *sumPages) insertBit(bit uint) {
	var moved sumPages
	for n, page := range p.pages {
		if page == nil {
			continue
		}
		for c, v := range page.sum {
			if page.used[c>>6]>>(c&63)&1 == 0 {
				continue
			}
			at := withBit(uint64(n)<<8|uint64(c), bit)
			to, d := moved.page(at), at&(1<<8-1)
			to.sum[d] = v
			to.used[d>>6] |= 1 << (d & 63)
			to.part[d>>6] |= page.part[c>>6] >> (c & 63) & 1 << (d & 63)
		}
		p.pages[n] = nil
	}
	*p = moved
}
