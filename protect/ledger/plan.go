package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Described is a table as described by its metadata, or by its file, dimensions and position (Release.At).
type Described struct {
	Name      string
	Field     string // the population or year that it covers
	Indicator string // what is counted or added up
	// FieldLink and IndicatorLink are names shared by fields, or indicators, that add up to each other; "": none.
	FieldLink, IndicatorLink string
	Dims                     []DescribedDim
	Line                     int
}

// A DescribedDim is a dimension of a table; dimensions with the same Link are levels or branches of one hierarchy.
type DescribedDim struct{ Name, Link string }

// name returns the name of the dimension across all tables.
func (d DescribedDim) name() string { return cmp.Or(d.Link, d.Name) }

// A Cluster is a set of tables that share cells; tables of different clusters share none.
type Cluster struct {
	Fields     []string
	Indicators []string
	Sums       []string // stated sums between the indicators
	Tables     []Planned
}

// A Planned table stands for all tables of a cluster with the same dimensions and has the cells of all of them.
type Planned struct {
	Tables     []string
	Dims       []string
	Indicators []string
	// Within are the indices in the cluster of planned tables that have all of its cells, so that it needs no
	// protection of its own. Total are those with which it shares only totals over all its dimensions: if these stay
	// published, the two can be protected separately.
	Within, Total []int
}

// A joined is a union-find structure over names.
type joined map[string]string

func (s joined) find(a string) string {
	for s[a] != "" && s[a] != a {
		a = s[a]
	}
	return a
}

func (s joined) join(a, b string) {
	if a, b = s.find(a), s.find(b); a != b {
		s[max(a, b)] = min(a, b)
	}
}

// Plan finds from their descriptions alone which tables tell about each other and so must be protected together. stated
// are relations between indicators (salads = batavia + mache) or fields; tables joined by a sum or a link are in one
// cluster, and the cells of one follow from those of the others. Cost quadratic in the tables of a cluster.
func Plan(tables []Described, stated []Sum) ([]Cluster, error) {
	fields, indicators := joined{}, joined{}
	known := map[string]bool{}
	for _, t := range tables {
		known["f"+t.Field], known["i"+t.Indicator] = true, true
		if t.FieldLink != "" {
			fields.join(t.Field, "link "+t.FieldLink)
		}
		if t.IndicatorLink != "" {
			indicators.join(t.Indicator, "link "+t.IndicatorLink)
		}
	}
	for k := range stated {
		if err := stated[k].between(known, fields, indicators); err != nil {
			return nil, err
		}
	}
	at := map[[2]string]int{}
	var clusters []Cluster
	var of [][]Described
	for _, t := range tables {
		key := [2]string{fields.find(t.Field), indicators.find(t.Indicator)}
		k, ok := at[key]
		if !ok {
			k = len(of)
			at[key] = k
			of, clusters = append(of, nil), append(clusters, Cluster{})
		}
		of[k] = append(of[k], t)
	}
	for k := range of {
		clusters[k].fill(of[k])
		for n := range stated {
			if slices.ContainsFunc(stated[n].Terms, func(x SumTerm) bool {
				return slices.Contains(clusters[k].Indicators, x.Code) || slices.Contains(clusters[k].Fields, x.Code)
			}) {
				clusters[k].Sums = append(clusters[k].Sums, stated[n].Text)
			}
		}
	}
	return clusters, nil
}

// between joins the indicators, or fields, that a sum relates.
func (s *Sum) between(known map[string]bool, fields, indicators joined) error {
	count := map[string]int{}
	for _, x := range s.Terms {
		for _, kind := range []string{"f", "i"} {
			if known[kind+x.Code] {
				count[kind]++
			}
		}
	}
	to := indicators
	switch {
	case s.Terms[0].Cell != nil:
		return s.wrong("%q: a plan takes sums of indicators and fields, not of cells", s.Text)
	case count["i"] == 0 && count["f"] == 0:
		return s.wrong("%q: no table has any of these indicators", s.Text)
	case count["i"] == 0:
		to = fields
	}
	for _, x := range s.Terms[1:] {
		to.join(s.Terms[0].Code, x.Code)
	}
	return nil
}

// fill builds the cluster from its tables.
func (c *Cluster) fill(tables []Described) {
	at := map[string]int{}
	add := func(list *[]string, name string) {
		if name != "" && !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, t := range tables {
		add(&c.Fields, t.Field)
		add(&c.Indicators, t.Indicator)
		dims := map[string]bool{}
		for _, d := range t.Dims {
			dims[d.name()] = true
		}
		names := slices.Sorted(maps.Keys(dims))
		key := strings.Join(names, "\x00")
		k, ok := at[key]
		if !ok {
			k = len(c.Tables)
			at[key] = k
			c.Tables = append(c.Tables, Planned{Dims: names})
		}
		c.Tables[k].Tables = append(c.Tables[k].Tables, t.Name)
		add(&c.Tables[k].Indicators, t.Indicator)
	}
	in := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
	}
	for k := range c.Tables {
		for m := range c.Tables {
			a, b := &c.Tables[k], &c.Tables[m]
			switch {
			case k == m:
			case in(a.Dims, b.Dims) && in(a.Indicators, b.Indicators):
				a.Within = append(a.Within, m)
			case !slices.ContainsFunc(a.Dims, func(d string) bool { return slices.Contains(b.Dims, d) }):
				a.Total = append(a.Total, m)
			}
		}
	}
}

// Shares returns for every two releases the number of cells that they share by their codes, whatever the values. stated
// are sums, whose codes may be totals of tables.
func Shares(releases []*Release, stated []Sum) ([][]int, error) {
	x := &joiner{Joint: &Joint{Table: &table.Table{}}, opt: &Options{}}
	if err := x.open(releases); err != nil {
		return nil, err
	}
	dims, err := joinDims(x.sources, stated)
	if err != nil {
		return nil, err
	}
	has := map[string][]int{}
	coord := make([]int32, len(dims))
	for k, s := range x.sources {
		for i := range s.t.Len() {
			s.coord(coord, i)
			has[key(coord)] = append(has[key(coord)], k)
		}
	}
	shares := sets.List(len(releases), func(int) []int { return make([]int, len(releases)) })
	for _, list := range has {
		for _, a := range list {
			for _, b := range list {
				if a != b {
					shares[a][b]++
				}
			}
		}
	}
	return shares, nil
}
