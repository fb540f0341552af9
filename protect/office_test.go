package protect

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// The table that an office protected explains its pattern, whatever the policy: the procedure that an intruder repeats is the office's.
func TestOffice(t *testing.T) {
	t.Parallel()
	policies := []Policy{
		{Below: 4, Width: level("5")}, {Below: 4}, {Below: 1, ZerosSensitive: true, UPL: level("3")}, {Below: 3, Width: level("50%"), Cost: cost("count")},
		{Below: 4, Width: level("3"), Strict: true, Cost: cost("value")}, {Below: 4, LevelsAsGiven: true, Cost: cost("count")},
	}
	attacked := 0
	for k := range 120 {
		p := policies[k%len(policies)]
		p.Canonical, p.Margins = k/len(policies)%2 == 0, margins("publish")
		rng := rand.New(rand.NewPCG(uint64(k), 7))
		truth := grid(t, rng, int64(4+k%9))
		res, err := Run(t.Context(), []Input{{Table: truth.Clone()}}, p, nil)
		var none *NoPatternError
		if errors.As(err, &none) || err == nil && res.Solution.Status != solver.Optimal {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var records []table.Record
		for i, withheld := range res.Patterns[0] {
			r := table.Record{Codes: truth.CellCodes(i)}
			if !withheld {
				r.Value = table.Num(truth.Value[i], 0)
			}
			records = append(records, r)
		}
		published, err := table.Build("published", truth.Dims, records, true)
		if err != nil {
			t.Fatal(err)
		}
		published.PublishMargins()
		office, err := p.Office(published)
		if err != nil {
			t.Fatal(err)
		}
		if (office.Match == attack.Exact) != p.Canonical {
			t.Errorf("policy %d: match %s", k%len(policies), office.Match)
		}
		got, err := attack.Run(t.Context(), attack.Published(published, nil), &attack.Options{Office: office, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Cells) > 0 {
			attacked++
		}
		for _, c := range got.Cells {
			if v := truth.Value[c.Index]; c.Outer.Empty || v < c.Outer.Lo || v > c.Outer.Hi {
				t.Errorf("draw %d, policy %d: cell %s is %d, and the attack says %+v", k, k%len(policies), truth.CellName(c.Index), v, c.Outer)
			}
		}
	}
	if attacked < 20 {
		t.Errorf("%d tables were attacked", attacked)
	}
}

// grid is a table of 4×4 counts, below most, whose totals are computed.
func grid(t *testing.T, rng *rand.Rand, most int64) *table.Table {
	t.Helper()
	dims := make([]table.Dimension, 2)
	for d, name := range []string{"r", "c"} {
		var err error
		if dims[d], err = table.FlatDimension(name, "all", []string{"1", "2", "3", "4"}); err != nil {
			t.Fatal(err)
		}
	}
	var records []table.Record
	for _, r := range dims[0].Codes[1:] {
		for _, c := range dims[1].Codes[1:] {
			records = append(records, table.Record{Codes: []string{r, c}, Value: table.Num(rng.Int64N(most), 0)})
		}
	}
	return must.Get(table.Build("counts", dims, records, true))(t)
}

// A policy that an attack does not repeat is refused with the field that says so.
func TestOfficeRefuses(t *testing.T) {
	t.Parallel()
	published := grid(t, rand.New(rand.NewPCG(1, 7)), 12)
	for field, p := range map[string]Policy{
		"unions": {Below: 3, Unions: 2}, "p-percent": {PPercent: of("p-percent = 10").PPercent}, "defence": {Below: 3, Defence: "random"},
		"published": {Below: 3, Published: []string{"older.csv"}}, "partial": {Below: 3, Partial: true}, "gap": {Below: 3, Gap: 0.1},
		"effort": {Below: 3, Effort: "quick"}, "margins": {Below: 3, Margins: margins("weight:2")}, "cost": {Below: 3, Cost: cost("distance:1,2")}, "below": {Below: -1},
	} {
		_, err := p.Office(published)
		var wrong *FieldError
		if !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if o, err := (&Policy{Below: 3, Cost: cost("power:0.5")}).Office(published); err == nil {
		t.Errorf("power: %+v", o)
	}
}
