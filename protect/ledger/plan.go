package ledger

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Described table is what its metadata say of it.
type Described struct {
	Name      string
	Field     string // the population or year that it is of
	Indicator string // what is counted or added up
	// FieldLink and IndicatorLink are names that fields, or indicators, have in common which add up to each other; "": none.
	FieldLink, IndicatorLink string
	Dims                     []DescribedDim
	Line                     int
}

// A DescribedDim is a variable of a table; those with the same Link are levels or branches of one hierarchy.
type DescribedDim struct{ Name, Link string }

// name is what the dimension is called among all tables.
func (d DescribedDim) name() string { return cmp.Or(d.Link, d.Name) }

// A metadataError says what is wrong with a line of a file of metadata.
type metadataError struct {
	File   string
	Line   int
	Column string
	What   i18n.Text
}

func (e *metadataError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *metadataError) Message() i18n.Text {
	if e.Column == "" {
		return i18n.T("%s:%d: %s", e.File, e.Line, e.What)
	}
	return i18n.T("%s:%d: column %q: %s", e.File, e.Line, e.Column, e.What)
}

// IsMetadata reports whether a file begins as a file of metadata does.
func IsMetadata(head string) bool {
	line, _, _ := strings.Cut(strings.TrimPrefix(head, "\ufeff"), "\n")
	for _, sep := range []string{",", ";", "\t"} {
		for _, c := range strings.Split(line, sep) {
			if strings.Trim(strings.TrimSpace(c), `"`) == "table_name" {
				return true
			}
		}
	}
	return false
}

// ReadMetadata reads a table of tables, one a line, as the function analyse_metadata of the R package rtauargus takes it: columns table_name, field, hrc_field,
// indicator, hrc_indicator and spanning_1, hrc_spanning_1, spanning_2, …, of which all but table_name and spanning_1 may be left out. Empty and NA is nothing.
// Errors are *metadataError.
func ReadMetadata(r io.Reader, file string) ([]Described, error) {
	text, err := io.ReadAll(io.LimitReader(r, 64<<20))
	if err != nil {
		return nil, i18n.Errorf("%s: %w", file, err)
	}
	body := strings.TrimPrefix(string(text), "\ufeff")
	line, _, _ := strings.Cut(body, "\n")
	in := csv.NewReader(strings.NewReader(body))
	for _, sep := range []rune{';', '\t'} {
		if strings.Count(line, string(sep)) > strings.Count(line, ",") {
			in.Comma = sep
		}
	}
	header, err := in.Read()
	if err != nil {
		return nil, &metadataError{File: file, Line: 1, What: i18n.T("want a header with table_name")}
	}
	column := map[string]int{}
	for k, h := range header {
		column[strings.TrimSpace(h)] = k
	}
	for _, name := range []string{"table_name", "spanning_1"} {
		if _, ok := column[name]; !ok {
			return nil, &metadataError{file, 1, name, i18n.T("there is none; want table_name, field, hrc_field, indicator, hrc_indicator, spanning_1, hrc_spanning_1, …")}
		}
	}
	var all []Described
	seen := map[string]int{}
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			n := 0
			if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
				n, err = bad.Line, bad.Err
			}
			return nil, &metadataError{File: file, Line: n, What: i18n.T("%s", err)}
		}
		n, _ := in.FieldPos(0)
		of := func(name string) string {
			if k, ok := column[name]; ok && strings.TrimSpace(row[k]) != "NA" {
				return strings.TrimSpace(row[k])
			}
			return ""
		}
		d := Described{Name: of("table_name"), Field: of("field"), FieldLink: of("hrc_field"), Indicator: of("indicator"), IndicatorLink: of("hrc_indicator"), Line: n}
		for k := 1; ; k++ {
			name := "spanning_" + strconv.Itoa(k)
			if _, ok := column[name]; !ok {
				break
			}
			if v := of(name); v != "" {
				d.Dims = append(d.Dims, DescribedDim{v, of("hrc_" + name)})
			}
		}
		switch first, twice := seen[d.Name]; {
		case d.Name == "":
			return nil, &metadataError{file, n, "table_name", i18n.T("want a name")}
		case twice:
			return nil, &metadataError{file, n, "table_name", i18n.T("%s stands on line %d already", d.Name, first)}
		case len(d.Dims) == 0:
			return nil, &metadataError{file, n, "spanning_1", i18n.T("want a variable")}
		}
		seen[d.Name] = n
		all = append(all, d)
	}
	return all, nil
}

// Describe is what a table says of itself: its file, dimensions, and where it stands.
func Describe(r *Release) Described {
	d := Described{Name: r.File, Field: r.At[Period], Indicator: r.At[response]}
	for k := range r.Table.Dims {
		d.Dims = append(d.Dims, DescribedDim{Name: r.Table.Dims[k].Name})
	}
	return d
}

// A Plan says which tables tell of each other, and so have to be protected together.
type Plan struct{ Clusters []Cluster }

// A Cluster are tables that share cells. Those of different clusters share none.
type Cluster struct {
	Fields     []string
	Indicators []string
	Sums       []string // between the indicators, as stated
	Tables     []Planned
}

// A Planned table is made of all tables of a cluster by the same dimensions: it has the cells of all of them.
type Planned struct {
	Tables     []string
	Dims       []string
	Indicators []string
	// Within are the planned tables, by number in the cluster, that have all of its cells, so that it needs no protection of its own. Total are those
	// with which it shares nothing but totals over all its dimensions: where these stay published, the two can be protected apart.
	Within, Total []int
}

// sets joins names into sets.
type sets map[string]string

func (s sets) find(a string) string {
	for s[a] != "" && s[a] != a {
		a = s[a]
	}
	return a
}

func (s sets) join(a, b string) {
	if a, b = s.find(a), s.find(b); a != b {
		s[max(a, b)] = min(a, b)
	}
}

// NewPlan finds what tables share from their metadata alone. sums are relations between indicators (salads = batavia + mache), or between fields: those
// that a sum or a link joins are one cluster, and the cells of one follow from those of the others. Cost: quadratic in the tables of a cluster.
func NewPlan(tables []Described, stated []Sum) (*Plan, error) {
	fields, indicators := sets{}, sets{}
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
	p := &Plan{}
	var of [][]Described
	for _, t := range tables {
		key := [2]string{fields.find(t.Field), indicators.find(t.Indicator)}
		k, ok := at[key]
		if !ok {
			k = len(of)
			at[key] = k
			of, p.Clusters = append(of, nil), append(p.Clusters, Cluster{})
		}
		of[k] = append(of[k], t)
	}
	for k := range of {
		p.Clusters[k].fill(of[k])
		for n := range stated {
			if slices.ContainsFunc(stated[n].Terms, func(x SumTerm) bool {
				return slices.Contains(p.Clusters[k].Indicators, x.Code) || slices.Contains(p.Clusters[k].Fields, x.Code)
			}) {
				p.Clusters[k].Sums = append(p.Clusters[k].Sums, stated[n].Text)
			}
		}
	}
	return p, nil
}

// between joins the indicators, or fields, of a sum.
func (s *Sum) between(known map[string]bool, fields, indicators sets) error {
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

// fill makes the cluster of its tables.
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

// Shares counts the cells that each two of some tables have in common by their codes, whatever their values. Sums name codes that are totals of tables.
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
	shares := make([][]int, len(releases))
	for k := range shares {
		shares[k] = make([]int, len(releases))
	}
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
