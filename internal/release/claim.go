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

// A Claim is what a release says of itself: everybody who has it can compute all of it. Values are compared as they stand in the file, an empty one and a
// withheld one as values like others.
type Claim struct {
	QI        []string    `json:"quasi_identifiers"`
	Records   uint64      `json:"records"`
	K         uint64      `json:"k"` // the smallest number of records with the same quasi-identifiers
	Sensitive []Attribute `json:"sensitive"`
}

// An Attribute is what is claimed of a sensitive column.
type Attribute struct {
	Column   string `json:"column"`
	L        uint64 `json:"l"`                  // the smallest number of different values among records with the same quasi-identifiers
	Distance string `json:"distance,omitempty"` // equal, or ordered for numbers
	T        string `json:"t"`                  // the largest distance of their distribution from that of all records, as a fraction
}

// Measure computes the claim of a file, of its classes, which it returns, too; distances are for the sensitive columns.
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
	diversity, err := s.LDiversity(ctx, risk.Missing{Mode: risk.Own}, true, nil, 0)
	if err != nil {
		return nil, nil, err
	}
	closeness, err := s.TCloseness(ctx, risk.Missing{Mode: risk.Own}, true, distances, 0)
	if err != nil {
		return nil, nil, err
	}
	for a, name := range sensitive {
		x := Attribute{Column: name, L: diversity[a].Distinct, Distance: string(distances[a])}
		if closeness[a].T != nil {
			x.T = closeness[a].T.RatString()
		}
		c.Sensitive = append(c.Sensitive, x)
	}
	return c, s, nil
}

// Check computes the claim of a file anew, and says what of c does not hold; no text: all of it does.
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

// Stated is the predicate of a statement.
type Stated struct {
	Claim
	Tool    string `json:"tool"`
	Version string `json:"version"`
}
