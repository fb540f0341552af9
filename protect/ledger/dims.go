package ledger

import (
	"maps"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// sortedKeys returns the keys of m, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A placed is a release with the position of its dimensions and codes in the joint dimensions.
type placed struct {
	*Release
	t      *table.Table // in the common decimals; opened, if values are rounded
	hidden []bool       // cells that readers do not see
	near   []bool       // cells published with rounding; nil: none
	at     []int        // joint dimension of each own dimension
	codes  [][]int32
	base   []int32 // coordinates of its cells in dimensions that it lacks
	used   []map[int32]bool
}

// A dimJoin collects the codes of one dimension from all tables.
type dimJoin struct {
	name    string
	roots   []string // roots of the tables that have it, in order
	from    []string // the files of these tables
	edges   []table.Edge
	parent  map[string]string
	added   []string // codes named by At
	summed  []string // totals named by sums
	noTotal bool
	own     bool // some table has it, not only At
}

// joinDims makes the joint dimensions of all sources, those of the first source first, and places the sources in them.
// A total that a sum names becomes a code below another total.
func joinDims(sources []*placed, sums []Sum) ([]table.Dimension, error) {
	var order []*dimJoin
	at := map[string]int{}
	find := func(name string) *dimJoin {
		k, ok := at[name]
		if !ok {
			k = len(order)
			at[name] = k
			order = append(order, &dimJoin{name: name, parent: map[string]string{}, noTotal: true})
		}
		return order[k]
	}
	for _, s := range sources {
		for d := range s.t.Dims {
			find(s.t.Dims[d].Name).take(&s.t.Dims[d], s.File)
		}
	}
	for _, s := range sources {
		for _, name := range sortedKeys(s.At) {
			if slices.ContainsFunc(s.t.Dims, func(d table.Dimension) bool { return d.Name == name }) {
				return nil, i18n.Errorf("%s: it has a dimension %s, so it does not stand at %s=%s as a whole", s.File, name, name, s.At[name])
			}
			j := find(name)
			j.added = append(j.added, s.At[name])
		}
	}
	for k := range sums {
		for _, term := range sums[k].Terms {
			for _, j := range order {
				if slices.Contains(j.roots, term.Code) && (sums[k].Dim == "" || sums[k].Dim == j.name) {
					j.summed = append(j.summed, term.Code)
				}
			}
		}
	}
	dims := make([]table.Dimension, len(order))
	for k, j := range order {
		d, err := j.dimension(sources)
		if err != nil {
			return nil, err
		}
		dims[k] = d
	}
	if len(dims) > 100 {
		return nil, i18n.Errorf("%d dimensions, want 100 at most", len(dims))
	}
	for _, s := range sources {
		s.place(dims, at)
	}
	return dims, nil
}

// take adds the dimension of one table, read from file.
func (j *dimJoin) take(d *table.Dimension, file string) {
	j.own = true
	j.noTotal = j.noTotal && d.NoTotal
	j.roots, j.from = append(j.roots, d.Total()), append(j.from, file)
	for c, code := range d.Codes[1:] {
		// Trees that differ are kept as relations of their own tables; the joint tree is only for display.
		if _, known := j.parent[code]; !known {
			up := d.Codes[d.Parent[c+1]]
			j.parent[code] = up
			j.edges = append(j.edges, table.Edge{Code: code, Parent: up})
		}
	}
}

// dimension builds the joint dimension. Its total is the total of those tables whose total is not a code of another.
func (j *dimJoin) dimension(sources []*placed) (table.Dimension, error) {
	total, from := "", ""
	plain := func(r string) bool { return !slices.Contains(j.summed, r) }
	if !slices.ContainsFunc(j.roots, plain) { // for instance if a sum tells what the only total consists of
		plain = func(r string) bool { return r == j.roots[0] }
	}
	for k, r := range j.roots {
		switch _, below := j.parent[r]; {
		case !plain(r):
			j.added = append(j.added, r)
		case below || r == total:
		case total == "":
			total, from = r, j.from[k]
		default:
			return table.Dimension{}, i18n.Errorf("dimension %s: its total is %s in %s and %s in %s, and neither has the other's as a code", j.name, total, from, r, j.from[k])
		}
	}
	if !j.own {
		for _, s := range sources {
			if _, ok := s.At[j.name]; !ok {
				return table.Dimension{}, i18n.Errorf("%s: no %s is told of it, as it is of other tables", s.File, j.name)
			}
		}
	}
	if total == "" {
		if total = "∑"; j.own { // the totals are codes of each other
			return table.Dimension{}, i18n.Errorf("dimension %s: every total of it is a code below another", j.name)
		}
	}
	for _, code := range j.added {
		if _, known := j.parent[code]; !known && code != total {
			j.parent[code] = total
			j.edges = append(j.edges, table.Edge{Code: code, Parent: total})
		}
	}
	d, err := table.NewDimension(j.name, total, j.edges)
	d.NoTotal = j.noTotal
	return d, err
}

// place finds the dimensions and codes of s in dims.
func (s *placed) place(dims []table.Dimension, at map[string]int) {
	s.base = make([]int32, len(dims))
	for name, code := range s.At {
		s.base[at[name]] = int32(slices.Index(dims[at[name]].Codes, code))
	}
	for d := range s.t.Dims {
		e := at[s.t.Dims[d].Name]
		index := sets.Places[int32](dims[e].Codes)
		codes := sets.Each(s.t.Dims[d].Codes, func(code string) int32 { return index[code] })
		s.at, s.codes, s.used = append(s.at, e), append(s.codes, codes), append(s.used, map[int32]bool{})
	}
	for i := range s.t.Len() {
		for d := range s.at {
			s.used[d][s.codes[d][s.t.Coord[i*len(s.at)+d]]] = true
		}
	}
}

// coord writes the coordinates of cell i of s to to.
func (s *placed) coord(to []int32, i int) {
	copy(to, s.base)
	k := len(s.at)
	for d, e := range s.at {
		to[e] = s.codes[d][s.t.Coord[i*k+d]]
	}
}

// covers reports whether the table has a cell at these coordinates, if only an empty one, which is 0.
func (s *placed) covers(coord []int32) bool {
	own := make([]bool, len(coord))
	for d, e := range s.at {
		if own[e] = true; !s.used[d][coord[e]] {
			return false
		}
	}
	for e, c := range coord {
		if !own[e] && c != s.base[e] {
			return false
		}
	}
	return true
}

// codeOf finds a code in the dimension called name.
func codeOf(dims []table.Dimension, name, code string) (d int, c int32, err error) {
	d = slices.IndexFunc(dims, func(x table.Dimension) bool { return x.Name == name })
	if d < 0 {
		return 0, 0, i18n.Errorf("no table has the dimension %q", name)
	}
	k := slices.Index(dims[d].Codes, code)
	if k < 0 {
		return d, 0, i18n.Errorf("dimension %s has no code %q", name, code)
	}
	return d, int32(k), nil
}
