package release

import (
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// ClaimType is the predicate type of a statement whose predicate is a Claim.
const ClaimType = "https://github.com/hitoku/hitoku/release/v1"

// A Claim states what anybody can compute from a release alone. Values are compared as written in the file: a withheld
// value is a value like any other, and an empty one is treated as in Worst.
type Claim struct {
	QI        []string    `json:"quasi_identifiers"`
	Records   uint64      `json:"records"`
	K         uint64      `json:"k"` // the smallest number of records with the same quasi-identifiers
	Sensitive []Attribute `json:"sensitive"`
}

// An Attribute is the claim about a sensitive column.
type Attribute struct {
	Column   string `json:"column"`
	L        uint64 `json:"l"`                  // the smallest number of different values among records with the same quasi-identifiers
	Distance string `json:"distance,omitempty"` // equal, or ordered for numbers
	T        string `json:"t"`                  // the largest distance, as a fraction, between their distribution and that of all records
}

// Measure computes the claim about a file, and also returns its classes; distances are for the sensitive columns.
func Measure(ctx context.Context, path string, l risk.Layout, qi, sensitive []string, distances []risk.Distance) (*Claim, *risk.Sensitive, error) {
	columns, err := risk.NewColumns(slices.Concat(qi, sensitive)...)
	if err != nil {
		return nil, nil, err
	}
	scanner, err := risk.NewScanner(l, columns, nil, func() *risk.Sensitive { return risk.NewSensitive(columns, len(qi)) })
	if err != nil {
		return nil, nil, err
	}
	if err := scanner.ReadFile(ctx, path); err != nil {
		return nil, nil, err
	}
	s, err := scanner.Result()
	if err != nil {
		return nil, nil, err
	}
	k, err := s.KAnonymity(ctx, risk.Missing{Mode: risk.Own}, 0)
	if err != nil {
		return nil, nil, err
	}
	c := &Claim{QI: qi, Records: k.Records, K: k.K, Sensitive: []Attribute{}}
	if len(sensitive) == 0 || k.Records == 0 {
		return c, s, nil
	}
	worst, err := Worst(ctx, s, Missing, distances)
	if err != nil {
		return nil, nil, err
	}
	for a, name := range sensitive {
		x := Attribute{Column: name, L: worst[a].L, Distance: string(distances[a])}
		if t := worst[a].T; t != nil {
			x.T = t.RatString()
		}
		c.Sensitive = append(c.Sensitive, x)
	}
	return c, s, nil
}

// Missing treats missing quasi-identifiers as a value of their own, and says how a missing value is written.
var Missing = risk.Missing{Mode: risk.Own, Markers: []string{""}}

// A Spread measures how different the values of a sensitive column are: L is the number of distinct values in the class
// with the fewest, without missing ones; E and T are entropy l and t, each the worse of counting missing values as
// values and of leaving them out.
type Spread struct {
	L uint64
	E float64
	T *big.Rat
}

// Worst measures how different the values of all sensitive columns are.
func Worst(ctx context.Context, s *risk.Sensitive, m risk.Missing, distances []risk.Distance) ([]Spread, error) {
	list := make([]Spread, len(distances))
	for _, own := range []bool{false, true} {
		diversity, err := s.LDiversity(ctx, m, own, nil, 0)
		if err != nil {
			return nil, err
		}
		closeness, err := s.TCloseness(ctx, m, own, distances, 0)
		if err != nil {
			return nil, err
		}
		missing := uint64(0)
		for a := range list {
			x, d := &list[a], diversity[a]
			if !own {
				x.L, x.E = d.Distinct, d.Entropy
			}
			x.E = min(x.E, d.Entropy)
			if t := closeness[a].T; x.T == nil || t != nil && t.Cmp(x.T) > 0 {
				x.T = t
			}
			missing += closeness[a].MissingValues
		}
		if missing == 0 { // both ways agree
			break
		}
	}
	return list, nil
}

// Check recomputes the claim about a file and says what of c does not hold; the text is empty if all of it holds.
func (c *Claim) Check(ctx context.Context, path string, l risk.Layout) (i18n.Text, error) {
	var names []string
	var distances []risk.Distance
	for _, a := range c.Sensitive {
		d := risk.Distance(a.Distance)
		if d != risk.Equal && d != risk.Ordered {
			return i18n.T("distance %q of %s is none that is known", a.Distance, a.Column), nil
		}
		names, distances = append(names, a.Column), append(distances, d)
	}
	got, _, err := Measure(ctx, path, l, c.QI, names, distances)
	if err != nil {
		return i18n.Text{}, err
	}
	switch {
	case c.Records == 0:
		return i18n.T("a claim about no records"), nil
	case got.Records != c.Records:
		return i18n.T("the release has %d records, not %d", got.Records, c.Records), nil
	case got.K != c.K:
		return i18n.T("k of the release is %d, not %d", got.K, c.K), nil
	}
	for a, want := range c.Sensitive {
		have := got.Sensitive[a]
		t, ok := new(big.Rat).SetString(want.T)
		switch {
		case have.L != want.L:
			return i18n.T("l of %s in the release is %d, not %d", want.Column, have.L, want.L), nil
		case !ok || have.T != t.RatString():
			return i18n.T("t of %s in the release is %s, not %s", want.Column, have.T, want.T), nil
		}
	}
	return i18n.Text{}, nil
}

// Stated is the predicate of a signed statement.
type Stated struct {
	Claim
	Tool    string `json:"tool"`
	Version string `json:"version"`
}
