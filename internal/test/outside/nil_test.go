package outside_test

import (
	"context"
	"testing"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/adjust"
	"github.com/hitoku/hitoku/methods/fill"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// TestNoOptions calls what takes options without any: it works, or says which is needed, and never panics.
func TestNoOptions(t *testing.T) {
	t.Parallel()
	held := make([]bool, cross(t, 4).Len())
	held[0], held[1], held[5], held[6] = true, true, true, true
	published := func() *table.Publication { return table.Publish(cross(t, 4), held, table.Intruder{}) }
	for name, call := range map[string]struct {
		needs bool
		call  func(context.Context) error
	}{
		"solver.Suppress":  {false, func(ctx context.Context) error { _, err := solver.Suppress(ctx, cross(t, 4), nil); return err }},
		"modular.Suppress": {false, func(ctx context.Context) error { _, err := modular.Suppress(ctx, cross(t, 4), nil); return err }},
		"partial.Suppress": {true, func(ctx context.Context) error { _, err := partial.Suppress(ctx, cross(t, 4), nil); return err }}, // a secret
		"defence.Suppress": {true, func(ctx context.Context) error { _, err := defence.Suppress(ctx, cross(t, 4), nil); return err }},
		"rounding.Round":   {true, func(ctx context.Context) error { _, err := rounding.Round(ctx, cross(t, 4), nil); return err }},
		"rounding.Small":   {true, func(ctx context.Context) error { _, err := rounding.Small(ctx, cross(t, 4), nil); return err }},
		"adjust.Adjust":    {false, func(ctx context.Context) error { _, err := adjust.Adjust(ctx, cross(t, 4), nil); return err }},
		"interval.Audit":   {false, func(ctx context.Context) error { _, err := interval.Audit(ctx, cross(t, 4), held, nil); return err }},
		"insider.Run":      {false, func(ctx context.Context) error { _, err := insider.Run(ctx, cross(t, 4), held, nil); return err }},
		"guard.Insiders":   {false, func(ctx context.Context) error { _, err := guard.Insiders(ctx, cross(t, 4), nil, nil); return err }},
		"fill.Table":       {false, func(ctx context.Context) error { _, err := fill.Table(ctx, published(), nil); return err }},
		"attack.Run": {false, func(ctx context.Context) error {
			_, err := attack.Run(ctx, attack.Published(cross(t, 4), held), nil)
			return err
		}},
		"attack.Rounded": {true, func(ctx context.Context) error { _, err := attack.Rounded(ctx, published(), nil); return err }},
		"protect.Run": {false, func(ctx context.Context) error {
			_, err := protect.Run(ctx, []protect.Input{{Table: cross(t, 4)}}, protect.Policy{}, nil)
			return err
		}},
		"bench.Run": {false, func(ctx context.Context) error {
			_, err := bench.Run(ctx, &bench.Instance{Tables: 1, Load: func(int) (*table.Table, error) { return cross(t, 4), nil }}, nil)
			return err
		}},
		"bench.RunLP": {false, func(ctx context.Context) error { _, err := bench.RunLP(ctx, nil, nil); return err }},
	} {
		if err := call.call(t.Context()); (err != nil) != call.needs {
			t.Errorf("%s: %v", name, err)
		}
	}
}
