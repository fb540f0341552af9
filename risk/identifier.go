package risk

import (
	"context"
	"hash/fnv"
	"math/bits"
	"slices"
)

// identifiers collects what is known about the columns of files.
type identifiers struct {
	except  []string
	columns []string // in order of appearance
	of      map[string]*values
}

// identifierShare is the least share of unique records, among those with a value, for a column to count as identifying.
const identifierShare = 0.9

// maxSampled is the largest number of values kept for a column.
const maxSampled = 1 << 14

// values is a sample of the values of a column, each with the number of its records, up to 2: those values whose hash
// ends in level zeros; at level 0, all. Source: Gibbons, Distinct sampling for highly-accurate answers to distinct
// values queries (VLDB 2001).
type values struct {
	records uint64 // number of records with a value
	level   int
	times   map[uint64]uint8
}

// Identifying finds columns of CSV files, other than those in except, that identify records by themselves: whatever is
// measured about other columns, publishing one of these tells whose the records are. A column is identifying if at
// least two records have a value and 90 % of these have a value that no other record has; this is counted for up to
// about 16,000 values and estimated to about 1 % beyond. The result does not depend on the order of records. all are
// the columns of the files. Memory: about 16,000 numbers for each column.
func Identifying(ctx context.Context, paths []string, l Layout, except ...string) (found, all []string, err error) {
	s := &identifiers{except: except, of: map[string]*values{}}
	for _, path := range paths {
		names, err := Header(path, l)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, names...)
		if err := s.read(ctx, path, l, names); err != nil {
			return nil, nil, err
		}
	}
	return s.found(), all, nil
}

// read examines the records of a file.
func (s *identifiers) read(ctx context.Context, path string, l Layout, names []string) error {
	names = slices.Clone(names)
	names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(s.except, n) })
	names = slices.DeleteFunc(names, func(n string) bool { // columns that share a name cannot be found by it
		k := slices.Index(names, n)
		return slices.Contains(names[k+1:], n)
	})
	columns := make([]*values, len(names))
	for k, n := range names {
		if s.of[n] == nil {
			s.columns = append(s.columns, n)
			s.of[n] = &values{times: map[uint64]uint8{}}
		}
		columns[k] = s.of[n]
	}
	if len(names) == 0 {
		return nil
	}
	h := fnv.New64a()
	return eachRecord(ctx, path, l, names, nil, func(r *record) error {
		for k, v := range r.values {
			if len(v) == 0 {
				continue
			}
			h.Reset()
			h.Write(v)
			columns[k].add(h.Sum64())
		}
		return nil
	})
}

func (x *values) add(hash uint64) {
	x.records++
	hi, lo := bits.Mul64(hash^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	if hash = hi ^ lo; bits.TrailingZeros64(hash) < x.level {
		return
	}
	if x.times[hash] < 2 {
		x.times[hash]++
	}
	for len(x.times) > maxSampled {
		x.level++
		for hash := range x.times {
			if bits.TrailingZeros64(hash) < x.level {
				delete(x.times, hash)
			}
		}
	}
}

func (s *identifiers) found() []string {
	var list []string
	for _, n := range s.columns {
		x := s.of[n]
		alone := 0.0
		for _, t := range x.times {
			if t == 1 {
				alone++
			}
		}
		if x.records > 1 && alone*float64(uint64(1)<<x.level) >= identifierShare*float64(x.records) {
			list = append(list, n)
		}
	}
	return list
}
