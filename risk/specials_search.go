package risk

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// A specialSearch divides classes by more and more columns. Classes have places; those of single records, which may be
// singled out, come first.
//
// A division reads the codes of one column for all classes. They are packed with codes of other columns in 64-bit words
// that move with the class from level to level, so that memory is read in order: looking each code up costs six times
// as much for a million classes.
type specialSearch struct {
	ctx    context.Context
	single uint32         // number of places of classes with one record
	column []int          // columns in search order, fewest values first
	field  []specialField // by position in column
	words  [][]uint64     // by 64-bit word: the codes of each place
	level  []specialLevel
	size   int

	count []uint32 // by code: its count in a group; all 0 between uses
	codes []uint32 // the codes of a group
	pairs *specialPairs

	class []uint32 // by place of a single record
	sets  specialSets
	few   bool // few sets, each of which is visited
}

// specialSets records the sets of columns, as bits in search order, that single out the record of a place. A set comes
// after its subsets.
type specialSets interface {
	// add adds the set known|more for a record, unless a subset of it is recorded; no recorded set contains all of
	// known.
	add(p uint32, known, more uint64) error
	// done says that everything that a set and its subsets single out has been found.
	done(set uint64)
	// record returns the sets of a record.
	record(p uint32) []uint64
	// each calls f with the sets of every record that has some, in order of places, and returns how many records each
	// set singles out.
	each(f func(p uint32, sets []uint64)) map[uint64]uint64
}

// A specialField locates the code of a column: word>>shift & mask, 0 if it is missing.
type specialField struct {
	word  int
	shift uint
	mask  uint64
}

func (f specialField) code(row uint64) uint32 { return uint32(row >> f.shift & f.mask) }

// A specialLevel holds the classes at one depth of the search: groups of places, which end at the positions in end, and
// with each place its 64 bits of word.
type specialLevel struct {
	place []uint32
	row   []uint64
	word  int
	end   []uint32
}

// newSpecialSearch looks for sets of at most size columns in the classes; f is the number of records of each, pattern,
// if any, its missing values.
func newSpecialSearch(ctx context.Context, c *Classes, size int, f, pattern []uint64) *specialSearch {
	s := &specialSearch{ctx: ctx, level: make([]specialLevel, c.t.w+1), size: size}
	code, values := make([][]uint32, c.t.w), make([]int, c.t.w) // by column: the code of each value
	for k := range c.t.w {
		for g := range c.t.n {
			id := int(c.t.tuple(g)[k])
			if id >= len(code[k]) {
				code[k] = append(code[k], make([]uint32, id+1-len(code[k]))...)
			}
			if code[k][id] == 0 {
				values[k]++
				code[k][id] = uint32(values[k])
			}
		}
		s.column = append(s.column, k)
	}
	slices.SortStableFunc(s.column, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	s.count = make([]uint32, 1<<bits.Len(uint(slices.Max(values)))) // as many as the widest field can hold
	word, used := 0, 0
	for _, k := range s.column {
		width := bits.Len(uint(values[k]))
		if used+width > 64 {
			word, used = word+1, 0
		}
		s.field = append(s.field, specialField{word, uint(used), 1<<width - 1})
		used += width
	}

	s.words = make([][]uint64, word+1)
	if word == 0 && c.t.n > 0 {
		s.pairs = newSpecialPairs(s)
	}
	classes := s.order(f)
	for w := range s.words {
		s.words[w] = make([]uint64, len(classes))
	}
	for p, g := range classes {
		tuple := c.t.tuple(int(g))
		for j, k := range s.column {
			if pattern == nil || pattern[g]>>k&1 == 0 {
				s.words[s.field[j].word][p] |= uint64(code[k][tuple[k]]) << s.field[j].shift
			}
		}
	}
	return s
}

// order assigns places to the classes, in one group at first, and returns the class of each place.
func (s *specialSearch) order(f []uint64) (classes []uint32) {
	var others []uint32
	for g, f := range f {
		switch {
		case f == 1:
			classes = append(classes, uint32(g))
		case f > 1:
			others = append(others, uint32(g))
		}
	}
	s.single = uint32(len(classes))
	s.class = classes
	if planes := newSpecialPlanes(s.column, s.size, len(classes)); planes != nil {
		s.sets, s.few = planes, true
	} else {
		s.sets = &specialLists{blocks: make([]specialBlock, len(classes)), column: s.column}
	}
	classes = slices.Concat(classes, others)
	first := &s.level[0]
	first.word = -1 // none loaded yet
	for p := range classes {
		first.place = append(first.place, uint32(p))
	}
	first.row = make([]uint64, len(classes))
	first.end = []uint32{uint32(len(classes))}
	return classes
}

// bring loads the given word of codes for the places of a level.
func (s *specialSearch) bring(l *specialLevel, word int) {
	if l.word == word {
		return
	}
	l.word = word
	from := s.words[word]
	for i, p := range l.place {
		l.row[i] = from[p]
	}
}

func (s *specialSearch) run() error {
	if len(s.level[0].place) > 1 || s.single == 0 {
		return s.visit(0, 0, len(s.column))
	}
	for j, f := range s.field { // the column alone
		if f.code(s.words[f.word][0]) > 0 {
			if err := s.sets.add(0, 0, 1<<j); err != nil {
				return err
			}
		}
	}
	return nil
}

// visit divides the groups of the columns in set further by each of the columns before low. Read as numbers, the sets
// come in ascending order, so that subsets come first.
func (s *specialSearch) visit(depth int, set uint64, low int) error {
	from := &s.level[depth]
	for j := range low {
		if err := s.ctx.Err(); err != nil {
			return parallel.Ended(s.ctx, err)
		}
		s.bring(from, s.field[j].word)
		if depth+1 == s.size || j == 0 { // nothing is divided any further
			if err := s.last(from, set, 1<<j, s.field[j]); err != nil {
				return err
			}
			if depth+1 < s.size {
				s.sets.done(set | 1<<j)
			}
			continue
		}
		if err := s.divide(depth, set, j); err != nil {
			return err
		}
		s.sets.done(set | 1<<j)
		if len(s.level[depth+1].end) == 0 && !s.few {
			continue
		}
		if err := s.visit(depth+1, set|1<<j, j); err != nil {
			return err
		}
	}
	return nil
}

// divide makes the groups of level depth+1 from those of depth, which belong to the columns in set, by column j.
func (s *specialSearch) divide(depth int, set uint64, j int) error {
	from, to, f := &s.level[depth], &s.level[depth+1], s.field[j]
	if n := len(from.place); cap(to.place) < n {
		to.place, to.row = make([]uint32, n), make([]uint64, n)
	}
	places, rows := to.place[:cap(to.place)], to.row[:cap(to.place)]
	to.end, to.word = to.end[:0], from.word
	count, single := s.count[:f.mask+1], s.single
	shift, mask := f.shift&63, f.mask
	keep, begin := uint32(0), uint32(0)
	for _, end := range from.end {
		group, row := from.place[begin:end], from.row[begin:end]
		begin = end
		codes := s.codes[:0]
		if uint64(len(row)) > mask {
			for _, r := range row {
				count[r>>shift&mask]++
			}
			for x, n := range count {
				if n > 0 {
					codes = append(codes, uint32(x))
				}
			}
		} else {
			for _, r := range row {
				x := r >> shift & mask
				if count[x] == 0 {
					codes = append(codes, uint32(x))
				}
				count[x]++
			}
		}
		s.codes = codes
		// Places of the classes with each code; finished codes have none.
		at := keep
		const none = ^uint32(0)
		for _, x := range codes {
			n := count[x]
			if x == 0 || n == 1 {
				count[x] = none
				continue
			}
			count[x] = at
			at += n
		}
		first := keep
		for i, r := range row {
			x, p := r>>shift&mask, group[i]
			if to := count[x]; to != none {
				places[to], rows[to] = p, r
				count[x] = to + 1
			} else if x > 0 && p < single {
				if err := s.sets.add(p, set, 1<<j); err != nil {
					return err
				}
			}
		}
		// Groups without a record to single out are dropped; places in a group ascend, so such a record comes first.
		// Small groups are finished at once.
		for _, x := range codes {
			last := count[x]
			count[x] = 0
			if last == none {
				continue
			}
			switch part := places[first:last]; {
			case part[0] >= single:
			case s.pairs != nil && len(part) <= smallGroup:
				if err := s.pairs.finish(set|1<<j, j, s.size-depth-1, part, rows[first:last]); err != nil {
					return err
				}
			default:
				copy(rows[keep:], rows[first:last])
				keep += uint32(copy(places[keep:], part))
				to.end = append(to.end, keep)
			}
			first = last
		}
	}
	to.place, to.row = places[:keep], rows[:keep]
	return nil
}

// last records which records the columns of more, which share one field, single out of the groups of a set.
func (s *specialSearch) last(from *specialLevel, set, more uint64, f specialField) error {
	begin := uint32(0)
	for _, end := range from.end {
		group, row := from.place[begin:end], from.row[begin:end]
		begin = end
		var err error
		if f.mask < 64 {
			err = s.lastFew(group, row, set, more, f)
		} else {
			err = s.lastMany(group, row, set, more, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lastFew keeps for each code one bit whether it occurs and one whether it occurs twice.
func (s *specialSearch) lastFew(group []uint32, row []uint64, set, more uint64, f specialField) error {
	once, twice := uint64(0), uint64(0)
	shift, mask := f.shift&63, f.mask
	for _, r := range row {
		x := uint64(1) << (r >> shift & mask & 63)
		twice |= once & x
		once |= x
	}
	once &^= twice | 1
	for i := 0; once > 0 && i < len(row); i++ {
		x := uint64(1) << (row[i] >> shift & mask & 63)
		if once&x == 0 {
			continue
		}
		once &^= x
		if p := group[i]; p < s.single {
			if err := s.sets.add(p, set, more); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *specialSearch) lastMany(group []uint32, row []uint64, set, more uint64, f specialField) error {
	count := s.count
	for _, r := range row {
		count[f.code(r)]++
	}
	for i, r := range row {
		if x := f.code(r); count[x] == 1 && x > 0 && group[i] < s.single {
			if err := s.sets.add(group[i], set, more); err != nil {
				return err
			}
		}
	}
	for _, r := range row {
		count[f.code(r)] = 0
	}
	return nil
}
