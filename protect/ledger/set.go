package ledger

import (
	"errors"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A Set is everything known besides the present table.
type Set struct {
	At       map[string]string // codes of the present table in dimensions that it lacks
	Releases []*Release
	Sums     []Sum
	Changes  []Change
	Periods  []string
}

// Join combines the present table with what is known.
func (s *Set) Join(present *Release, opt Options) (*Joint, error) {
	opt.Sums, opt.Changes, opt.Periods = s.Sums, s.Changes, s.Periods
	present.At = s.At
	return join(present, s.Releases, &opt)
}

// Published returns s as readers have it: the office's files of releases may hold values of withheld cells.
func (s *Set) Published() *Set {
	all := *s
	all.Releases = make([]*Release, len(s.Releases))
	for k, r := range s.Releases {
		withheld := sets.List(r.Table.Len(), r.withheld)
		one := *r
		one.Table = table.Publish(r.Table, withheld, table.Intruder{Beside: true}).Table()
		all.Releases[k] = &one
	}
	return &all
}

// Together combines the releases of a set by themselves, as their readers do, as if the present table had no cells.
func (s *Set) Together(file string, opt Options) (*Joint, error) {
	s = s.Published()
	first := s.Releases[0]
	none := &table.Table{Name: file, Dims: first.Table.Dims, Rel: table.NewRelations(0)}
	all := *s
	all.At, opt.Withheld = first.At, []bool{}
	return all.Join(&Release{Table: none, File: file}, opt)
}

// Contradiction finds the first release that contradicts those before it, by calling try on what they make together.
// told is false if why is about something else.
func (s *Set) Contradiction(present *Release, opt Options, why error, try func(*Joint) error) (err error, told bool) {
	if !errors.Is(why, interval.ErrInconsistent) {
		return why, false
	}
	for k := range s.Releases {
		some := *s
		some.Releases, some.Changes = s.Releases[:k+1], nil
		j, err := some.Join(present, opt)
		if err == nil {
			err = try(j)
		}
		if errors.Is(err, interval.ErrInconsistent) {
			return &contradictionError{File: s.Releases[k].File, Err: err}, true
		}
	}
	return &contradictionError{Err: why}, true
}
