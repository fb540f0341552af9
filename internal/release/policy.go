package release

import (
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// A Role is what a column tells an attacker.
type Role string

const (
	Identifier Role = "identifier"       // says whose record it is, and is left out
	Quasi      Role = "quasi-identifier" // others may know it about a person
	Sensitive  Role = "sensitive"        // nobody shall learn it
	Plain      Role = "plain"            // none of these: it is published as it is
)

// Roles lists all roles.
var Roles = []Role{Identifier, Quasi, Sensitive, Plain}

// A Policy is what an office decided for a file: the roles and steps of its columns, and the limits of their release.
type Policy struct {
	// Confirmed says that somebody has read the roles that were proposed.
	Confirmed bool     `toml:"confirmed"`
	Limits    Limits   `toml:"limits"`
	Recoding  Recoding `toml:"recoding"`
	Withhold  Withhold `toml:"withhold"`
	Columns   []Column `toml:"column"`
}

// Limits are the requirements on a release. Zero requires nothing.
type Limits struct {
	K           uint64 `toml:"k"`
	L           uint64 `toml:"l"`            // distinct l of each sensitive column
	T           Number `toml:"t"`            // the largest t
	Risk        Number `toml:"risk"`         // the largest chance to pick the record of a person
	SinglingOut Number `toml:"singling_out"` // the largest risks of attacks
	Linkability Number `toml:"linkability"`
	Inference   Number `toml:"inference"`
	// Population is the number of people of whom the file is a simple random sample. Reidentified is the largest share
	// of the records that an attacker who knows the whole population is expected to be right about, and Uniques the
	// largest share of the people who are unique there, by all models of the population.
	Population   uint64 `toml:"population"`
	Reidentified Number `toml:"reidentified"`
	Uniques      Number `toml:"uniques"`
}

// A Number of a policy is exact: 0.05 is 1/20, and "1/3" may be written as a text. Rat is nil if none is given.
type Number struct{ *big.Rat }

// UnmarshalTOML accepts a number or a text.
func (n *Number) UnmarshalTOML(v any) (err error) {
	switch v := v.(type) {
	case int64:
		n.Rat = new(big.Rat).SetInt64(v)
	case float64:
		n.Rat, err = num.ParseNumber(strconv.FormatFloat(v, 'g', -1, 64))
	case string:
		n.Rat, err = num.ParseNumber(v)
	default:
		err = i18n.Errorf("%v: want a number", v)
	}
	return err
}

// Recoding says in which records values become coarser.
type Recoding struct {
	Local bool `toml:"local"` // only in the records that need it, not in all
}

// Withhold says what may be withheld after recoding.
type Withhold struct {
	Values   bool   `toml:"values"`    // single values of quasi-identifiers
	LeaveOut Number `toml:"leave_out"` // share of the records that may be left out
}

// A Column is the part of a policy about one column of the file.
type Column struct {
	Name     string   `toml:"name"`
	Role     Role     `toml:"role"`
	Reason   string   `toml:"reason"` // why it has this role, for the people of the office
	Recode   string   `toml:"recode"` // file of a hierarchy, relative to the policy
	Band     []Number `toml:"band"`
	Bottom   Number   `toml:"bottom"`
	Top      Number   `toml:"top"`
	Prefix   []int    `toml:"prefix"`
	All      bool     `toml:"all"` // the last step replaces all values by *
	Distance string   `toml:"distance"`
}

// ReadPolicy reads a policy. An unknown field, an invalid value and a repeated column are errors with the name of the
// file.
func ReadPolicy(path string) (*Policy, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer in.Close()
	p := &Policy{}
	meta, err := budget.DecodeTOML(in, p)
	if fault, ok := err.(*budget.TOMLError); ok {
		return nil, fault.In(path)
	}
	if err != nil {
		return nil, formats.InFile(path, err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, i18n.Errorf("%s: %s: no field of a policy for a release%s", path, keys[0], near.Hint(keys[0][len(keys[0])-1], names(), ""))
	}
	if err := p.Check(); err != nil {
		return nil, i18n.Errorf("%s: %w", path, err)
	}
	for k := range p.Columns {
		if c := &p.Columns[k]; c.Recode != "" && !filepath.IsAbs(c.Recode) {
			c.Recode = filepath.Join(filepath.Dir(path), c.Recode)
		}
	}
	return p, nil
}

// mostWithheld is the most quasi-identifiers in which risk.Classes.Withhold can withhold values.
const mostWithheld = 16

// Check checks what can be checked without the file.
func (p *Policy) Check() error {
	if len(p.Columns) == 0 {
		return i18n.New("no [[column]]; hitoku risk release FILE --propose POLICY writes one for each")
	}
	l := &p.Limits
	if err := checked(p.Fields()); err != nil {
		return err
	}
	if l.K == 0 && l.L == 0 && l.T.Rat == nil && l.Risk.Rat == nil {
		return i18n.New("[limits]: want k, l, t or risk")
	}
	if (l.Reidentified.Rat != nil || l.Uniques.Rat != nil) && l.Population == 0 {
		return i18n.New("reidentified and uniques want population, the number of people of whom the file is a simple random sample")
	}
	seen := map[string]bool{}
	for _, c := range p.Columns {
		switch {
		case seen[c.Name]:
			return i18n.Errorf("column %s: stands twice", formats.Show(c.Name))
		case !slices.Contains(Roles, c.Role):
			return i18n.Errorf("column %s: role %q: want identifier, quasi-identifier, sensitive or plain", formats.Show(c.Name), string(c.Role))
		}
		for _, o := range c.Fields() {
			if o.Texts() != nil && o.Title != string(c.Role) {
				return i18n.Errorf("column %s: %s is for columns whose role is %s", formats.Show(c.Name), o.Name, o.Title)
			}
		}
		if err := checked(c.Fields()); err != nil {
			return i18n.Errorf("column %s: %w", formats.Show(c.Name), err)
		}
		seen[c.Name] = true
	}
	if len(p.Of(Quasi)) == 0 {
		return i18n.New("no column is a quasi-identifier: then there is nothing to search")
	}
	if n := len(p.Of(Quasi)); p.Withhold.Values && n > mostWithheld {
		return i18n.Errorf("[withhold] values = true: %d quasi-identifiers, want at most %d to withhold values in", n, mostWithheld)
	}
	if (l.L > 0 || l.T.Rat != nil || l.Inference.Rat != nil) && len(p.Of(Sensitive)) == 0 {
		return i18n.New("l, t and inference want a sensitive column")
	}
	return nil
}

// Of returns the names of the columns of a role.
func (p *Policy) Of(r Role) []string {
	var names []string
	for _, c := range p.Columns {
		if c.Role == r {
			names = append(names, c.Name)
		}
	}
	return names
}

// Fits returns an error unless the policy is confirmed and has exactly the columns of a file.
func (p *Policy) Fits(header []string) error {
	if !p.Confirmed {
		return i18n.New("confirmed = false: the roles were proposed by hitoku and nobody has confirmed them; read them, mend them, and write confirmed = true")
	}
	for _, name := range header {
		if !slices.ContainsFunc(p.Columns, func(c Column) bool { return c.Name == name }) {
			return i18n.Errorf("the file has a column %s, of which the policy says nothing: want a [[column]] with its role", formats.Show(name))
		}
	}
	for _, c := range p.Columns {
		if !slices.Contains(header, c.Name) {
			return i18n.Errorf("column %s: the file has none of this name%s", formats.Show(c.Name), near.Hint(c.Name, header, ""))
		}
	}
	return nil
}

// Hierarchies returns the hierarchies of the quasi-identifiers.
func (p *Policy) Hierarchies() ([]*risk.Hierarchy, error) {
	var all []*risk.Hierarchy
	for _, c := range p.Columns {
		if c.Role != Quasi {
			continue
		}
		h, err := c.hierarchy()
		if err != nil {
			return nil, i18n.Errorf("column %s: %w", formats.Show(c.Name), err)
		}
		all = append(all, h)
	}
	return all, nil
}

func (c *Column) hierarchy() (h *risk.Hierarchy, err error) {
	bands := c.Band != nil || c.Bottom.Rat != nil || c.Top.Rat != nil
	switch {
	case bands && c.Prefix != nil, bands && c.Recode != "", c.Prefix != nil && c.Recode != "":
		return nil, i18n.New("steps of two kinds: want one of recode, band (with bottom and top) and prefix")
	case c.Recode != "":
		h, err = risk.ReadHierarchy(c.Recode, risk.Layout{})
	case bands:
		widths := sets.Each(c.Band, func(w Number) *big.Rat { return w.Rat })
		h, err = risk.NewBands(widths, c.Bottom.Rat, c.Top.Rat)
	case c.Prefix != nil:
		h, err = risk.NewPrefixes(c.Prefix)
	default:
		h = risk.NewHierarchy()
	}
	if err == nil && c.All {
		h.Withhold()
	}
	return h, err
}

// Distances returns the distances by which t of the sensitive columns is measured.
func (p *Policy) Distances() []risk.Distance {
	list := []risk.Distance{}
	for _, c := range p.Columns {
		if c.Role == Sensitive {
			d := risk.Equal
			if c.Distance == "ordered" {
				d = risk.Ordered
			}
			list = append(list, d)
		}
	}
	return list
}

// Goal returns the goal that follows from the limits k, l, t and risk; k is at least 1/risk, because one of k equal
// records is picked with chance 1/k.
func (p *Policy) Goal() risk.Goal {
	g := risk.Goal{K: p.Limits.K, L: p.Limits.L, T: p.Limits.T.Rat, Distances: p.Distances(), Local: p.Recoding.Local}
	if most := p.Limits.Risk.Rat; most != nil {
		x := new(big.Int).Add(most.Denom(), most.Num())
		x.Sub(x, big.NewInt(1)).Quo(x, most.Num())
		if !x.IsUint64() {
			return risk.Goal{K: math.MaxUint64}
		}
		g.K = max(g.K, x.Uint64())
	}
	return g
}
