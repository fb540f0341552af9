package risk

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// A specialSearch divides classes by more and more columns. Classes have places; those of one record, which may be singled out, come first.
//
// A division reads the codes of one column of all classes. They stand together with those of other columns in 64 bits that travel with the class
// from level to level, so that memory is read in order: to look each code up costs six times as much for a million classes.
type specialSearch struct {
	ctx    context.Context
	single uint32         // places of classes of one record
	column []int          // the columns in the order of the search, fewest values first
	field  []specialField // of each of these
	words  [][]uint64     // the codes of a place, for each 64 bits
	level  []specialLevel
	size   int

	count []uint32 // for each code how often it is in a group, all 0 between uses
	codes []uint32 // the codes of a group

	alone []uint32 // per class its place + 1, 0 where it is not of one record
	sets  *specialSets
}

// A specialField is where the code of a column stands: word>>shift & mask, 0 where it is missing.
type specialField struct {
	word  int
	shift uint
	mask  uint64
}

func (f specialField) code(row uint64) uint32 { return uint32(row >> f.shift & f.mask) }

// A specialLevel is the classes at one depth of the search: groups of places, of which end has the ends, and beside each place its 64 bits of word.
type specialLevel struct {
	place []uint32
	row   []uint64
	word  int
	end   []uint32
}

// newSpecialSearch is for the classes of which f has the records; pattern, if any, has the missing values of each.
func newSpecialSearch(ctx context.Context, c *Classes, f, pattern []uint64) *specialSearch {
	s := &specialSearch{ctx: ctx, alone: make([]uint32, c.t.n), level: make([]specialLevel, c.t.w+1)}
	code, values := make([][]uint32, c.t.w), make([]int, c.t.w) // per column the code of each value
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
	s.count = make([]uint32, slices.Max(values)+1)
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

// order gives places to the classes, in one group at first, and returns the class of each.
func (s *specialSearch) order(f []uint64) (classes []uint32) {
	var others []uint32
	for g, f := range f {
		switch {
		case f == 1:
			classes = append(classes, uint32(g))
			s.alone[g] = uint32(len(classes))
		case f > 1:
			others = append(others, uint32(g))
		}
	}
	s.single = uint32(len(classes))
	s.sets = &specialSets{blocks: make([]specialBlock, len(classes))}
	classes = append(classes, others...)
	first := &s.level[0]
	first.word = -1 // none yet
	for p := range classes {
		first.place = append(first.place, uint32(p))
	}
	first.row = make([]uint64, len(classes))
	first.end = []uint32{uint32(len(classes))}
	return classes
}

// bring has the codes of a word beside the places of a level.
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

func (s *specialSearch) run(size int) error {
	s.size = size
	if len(s.level[0].place) == 1 && s.single == 1 { // alone whatever is known of it, even nothing
		for j, f := range s.field {
			if f.code(s.words[f.word][0]) > 0 {
				if err := s.sets.add(0, 1<<j); err != nil {
					return err
				}
			}
		}
	} else if err := s.visit(0, 0, len(s.column)); err != nil {
		return err
	}
	s.sets.translate(s.column)
	return nil
}

// visit divides the groups of the columns in set further by each of the columns before low. As numbers the sets come
// in ascending order, so that parts of a set come first.
func (s *specialSearch) visit(depth int, set uint64, low int) error {
	from := &s.level[depth]
	for j := 0; j < low; {
		if err := s.ctx.Err(); err != nil {
			return parallel.Ended(s.ctx, err)
		}
		s.bring(from, s.field[j].word)
		if depth+1 == s.size {
			end := j + 1
			for end < low && s.field[end].word == from.word {
				end++
			}
			if err := s.last(from, set, j, end); err != nil {
				return err
			}
			j = end
			continue
		}
		if err := s.divide(depth, set|1<<j, s.field[j]); err != nil {
			return err
		}
		if len(s.level[depth+1].end) > 0 {
			if err := s.visit(depth+1, set|1<<j, j); err != nil {
				return err
			}
		}
		j++
	}
	return nil
}

// divide makes the groups of level depth+1 of those of depth by a column; set has it.
func (s *specialSearch) divide(depth int, set uint64, f specialField) error {
	from, to := &s.level[depth], &s.level[depth+1]
	if n := len(from.place); cap(to.place) < n {
		to.place, to.row = make([]uint32, n), make([]uint64, n)
	}
	places, rows := to.place[:cap(to.place)], to.row[:cap(to.place)]
	to.end, to.word = to.end[:0], from.word
	count, single := s.count, s.single
	keep, begin := uint32(0), uint32(0)
	for _, end := range from.end {
		group, row := from.place[begin:end], from.row[begin:end]
		begin = end
		codes := s.codes[:0]
		for _, r := range row {
			x := f.code(r)
			if count[x] == 0 {
				codes = append(codes, x)
			}
			count[x]++
		}
		s.codes = codes
		// Places of the classes of a code; a code that is done with has none.
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
			x, p := f.code(r), group[i]
			if to := count[x]; to != none {
				places[to], rows[to] = p, r
				count[x]++
			} else if x > 0 && p < single {
				if err := s.sets.add(p, set); err != nil {
					return err
				}
			}
		}
		// Groups without a record to be singled out go.
		for _, x := range codes {
			last := count[x]
			count[x] = 0
			if last == none {
				continue
			}
			if part := places[first:last]; slices.ContainsFunc(part, func(p uint32) bool { return p < single }) {
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

// last notes the records that columns from low to high, each by itself, single out of the groups of a set. Nothing is divided any more.
func (s *specialSearch) last(from *specialLevel, set uint64, low, high int) error {
	count, single := s.count, s.single
	begin := uint32(0)
	for _, end := range from.end {
		group, row := from.place[begin:end], from.row[begin:end]
		begin = end
		for j := low; j < high; j++ {
			f := s.field[j]
			for _, r := range row {
				count[f.code(r)]++
			}
			for i, r := range row {
				if x := f.code(r); count[x] == 1 && x > 0 && group[i] < single {
					if err := s.sets.add(group[i], set|1<<j); err != nil {
						return err
					}
				}
			}
			for _, r := range row {
				count[f.code(r)] = 0
			}
		}
	}
	return nil
}
