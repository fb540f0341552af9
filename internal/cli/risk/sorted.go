package risk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/risk"
)

// A sequence counts how the values of a column follow each other.
type sequence struct {
	records         int
	last            string
	equal, up, down int
	count           map[string]int
}

func (s *sequence) add(v string) {
	if s.records++; s.records > 1 {
		switch follows(s.last, v) {
		case 0:
			s.equal++
		case 1:
			s.up++
		default:
			s.down++
		}
	}
	s.last = v
	s.count[v]++
}

// follows is 0 for equal values, 1 where b comes after a, else −1: numbers of more digits come later, and else texts are compared.
func follows(a, b string) int {
	digits := func(v string) int {
		n := 0
		for n < len(v) && '0' <= v[n] && v[n] <= '9' {
			n++
		}
		return n
	}
	if x, y := digits(a), digits(b); x != y && x > 0 && y > 0 {
		return cmp.Compare(y, x)
	}
	return strings.Compare(b, a)
}

// leastPairs is how many pairs of different neighbours there have to be, or be expected, for a sequence to tell something: then each bound is five standard deviations off or more in a random order.
const leastPairs = 100

// tells reports whether a record tells of the next: the values go up three times as often as down, or the other way, or half of the pairs that would be different in
// a random order are equal.
func (s *sequence) tells() bool {
	if n := s.up + s.down; n >= leastPairs && max(s.up, s.down) >= 3*min(s.up, s.down) {
		return true
	}
	different := float64(s.records - 1)
	same := 0.0
	for _, n := range s.count {
		same += float64(float64(n) * float64(n-1))
	}
	different *= 1 - same/float64(s.records)/float64(max(1, s.records-1))
	return different >= leastPairs && float64(s.up+s.down) <= different/2
}

// lookedAt is how many records of a file are looked at for their order.
const lookedAt = 100_000

var errEnough = errors.New("enough records")

// sortedBy are the columns of files whose values tell of the next record, by the first records of each: so many where a file has more, else 0.
func sortedBy(ctx context.Context, files []string, l risk.Layout, columns []string) (found []string, first uint64, err error) {
	for _, path := range files {
		if path == "-" || flags.IsParquet(path) { // read once, and not in order
			continue
		}
		all := make([]sequence, len(columns))
		for k := range all {
			all[k].count = map[string]int{}
		}
		err := risk.Replace(ctx, nil, path, l, columns, risk.Release{}, nil, func(values []string) ([]string, error) {
			if all[0].records == lookedAt {
				return nil, errEnough
			}
			for k, v := range values {
				all[k].add(v)
			}
			return values, nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, 0, err
		}
		if err != nil {
			first = lookedAt
		}
		for k, name := range columns {
			if all[k].tells() && !slices.Contains(found, name) {
				found = append(found, name)
			}
		}
	}
	return found, first, nil
}
