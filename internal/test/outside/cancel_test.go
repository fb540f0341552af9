package outside_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// cross is a two-way table of n×n counts with sensitive cells and numbers of contributors.
func cross(t *testing.T, n int) *table.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	var dims []table.Dimension
	codes := make([]string, n)
	for k := range codes {
		codes[k] = string(rune('a' + k))
	}
	for _, name := range []string{"r", "c"} {
		d := must.Get(table.FlatDimension(name, "T", codes))(t)
		dims = append(dims, d)
	}
	var recs []table.Record
	for _, r := range codes {
		for _, c := range codes {
			recs = append(recs, table.Record{Codes: []string{r, c}, Value: table.Num(1+rng.Int64N(30), 0)})
		}
	}
	tab := must.Get(table.Build("cross", dims, recs, true))(t)
	if _, _, err := tab.MinimumFrequency(4, false); err != nil {
		t.Fatal(err)
	}
	tab.Freq = slices.Clone(tab.Value)
	for i, s := range tab.Status {
		if s == table.Sensitive {
			tab.Width[i] = 8
		}
	}
	return tab
}

// Every call that takes long ends with ctx alike: with what it has, if it is of any use, and an error that wraps ctx.Err()
// and the cause. Each is ended before it begins and, where it tells how far it is, in its midst.
func TestCancelled(t *testing.T) {
	t.Parallel()
	tab := cross(t, 8)
	found := must.Get(solver.Suppress(t.Context(), tab, &solver.Options{Certificate: true}))(t)
	var proof bytes.Buffer
	must.Do(t, found.Certificate.Write(&proof))
	report := must.Get(interval.Audit(t.Context(), tab, found.Pattern, nil))(t)
	records := filepath.Join(t.TempDir(), "r.csv")
	must.Do(t, os.WriteFile(records, []byte("a,b\n"+strings.Repeat("1,2\n", 1000)), 0o666))
	layout := risk.Layout{}
	protected := func(s *solver.Solution) bool {
		return s != nil && (s.Pattern == nil || certificate.Protects(tab, s.Pattern, s.Witnesses) == nil)
	}
	spec := func() *tabulate.Tabulator {
		return must.Get(tabulate.New(tabulate.Source{Separator: ',', Header: true}, []tabulate.Spec{{Name: "t", Dims: []string{"a"}}}, 1))(t)
	}
	for name, call := range map[string]func(ctx context.Context, stop func()) (whole bool, err error){
		"solver.Suppress": func(ctx context.Context, stop func()) (bool, error) {
			s, err := solver.Suppress(ctx, tab, &solver.Options{Progress: func(solver.Progress) { stop() }})
			return protected(s) && (err == nil || s.Status == solver.Feasible || s.Status == solver.None), err
		},
		"modular.Suppress": func(ctx context.Context, stop func()) (bool, error) {
			s, err := modular.Suppress(ctx, tab, &solver.Options{Progress: func(solver.Progress) { stop() }})
			return protected(s), err
		},
		"solver.SingleRowBound": func(ctx context.Context, _ func()) (bool, error) {
			bound, _, err := solver.SingleRowBound(ctx, cube(t), nil)
			return bound >= 0, err
		},
		"Solution.Superfluous": func(ctx context.Context, _ func()) (bool, error) {
			held := tab.Clone()
			for i, in := range found.Pattern {
				if in && held.Status[i] == table.Safe {
					held.Status[i] = table.Withheld
				}
			}
			idle, err := (&solver.Solution{Pattern: found.Pattern}).Superfluous(ctx, held, &interval.Options{})
			return idle == nil, err
		},
		"interval.Audit": func(ctx context.Context, stop func()) (bool, error) {
			r, err := interval.Audit(ctx, tab, found.Pattern, &interval.Options{Workers: 1, Progress: func(int, int) { stop() }})
			for k := 0; r != nil && k < len(r.Cells); k++ {
				c := &r.Cells[k]
				for _, full := range report.Cells {
					if full.Index == c.Index && (full.Lo.Cmp(c.Lo) != 0 || full.Hi.Cmp(c.Hi) != 0) {
						return false, err
					}
				}
			}
			return err != nil && (r == nil || !r.Protected && len(r.Cells) < len(report.Cells)), err
		},
		"Report.Explain": func(ctx context.Context, _ func()) (bool, error) {
			c, err := report.Explain(ctx, []int{0, 1}, 1)
			return len(c) == 2, err
		},
		"attack.Run": func(ctx context.Context, stop func()) (bool, error) {
			r, err := attack.Run(ctx, attack.Published(tab, found.Pattern), &attack.Options{Office: attack.Office{Below: 4}, Progress: func(attack.Progress) { stop() }})
			return err == nil || r == nil || !r.Complete, err
		},
		"insider.Run": func(ctx context.Context, _ func()) (bool, error) {
			r, err := insider.Run(ctx, tab, found.Pattern, nil)
			return r != nil && r.Settled < r.Coalition, err
		},
		"guard.Insiders": func(ctx context.Context, stop func()) (bool, error) {
			g, err := guard.Insiders(ctx, tab, &solver.Options{Progress: func(solver.Progress) { stop() }}, nil)
			return g != nil && protected(g.Solution), err
		},
		"SingletonRule.Suppress": func(ctx context.Context, stop func()) (bool, error) {
			s, _, err := guard.SingletonRule{}.Suppress(ctx, tab, &solver.Options{Progress: func(solver.Progress) { stop() }}, solver.Suppress)
			return protected(s), err
		},
		"defence.Suppress": func(ctx context.Context, stop func()) (bool, error) {
			s, err := defence.Suppress(ctx, tab, &defence.Options{Kind: defence.Simulatable, Progress: func(int, int) { stop() }})
			return s == nil || err == nil, err
		},
		"certificate.Verify": func(ctx context.Context, _ func()) (bool, error) {
			r, err := certificate.Verify(ctx, bytes.NewReader(proof.Bytes()), tab)
			return r == nil, err
		},
		"protect.Run": func(ctx context.Context, stop func()) (bool, error) {
			own := tab.Clone()
			r, err := protect.Run(ctx, []protect.Input{{Table: own}}, protect.Policy{}, &protect.Options{Progress: func(p protect.Progress) {
				if !p.Begin {
					stop()
				}
			}})
			return r != nil && (r.Patterns == nil || r.Verdict == interval.Protected) && (err == nil || !r.Complete), err
		},
		"Tabulator.Read": func(ctx context.Context, _ func()) (bool, error) { return true, spec().ReadFile(ctx, records) },
		"Scanner.Read": func(ctx context.Context, _ func()) (bool, error) {
			columns := must.Get(risk.NewColumns("a", "b"))(t)
			s := must.Get(risk.NewScanner(layout, columns, nil, func() *risk.Sensitive { return risk.NewSensitive(columns, 1) }))(t)
			return true, s.ReadFile(ctx, records)
		},
		"risk.Count": func(ctx context.Context, _ func()) (bool, error) {
			_, err := risk.Count(ctx, records, layout)
			return true, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			why := errors.New("somebody wants it to end")
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(why)
			whole, err := call(ctx, func() {})
			if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || !whole {
				t.Errorf("before it begins: %v, what it has is in order: %v", err, whole)
			}
			ctx, cancel = context.WithCancelCause(t.Context())
			whole, err = call(ctx, func() { cancel(why) })
			if err != nil && (!errors.Is(err, context.Canceled) || !errors.Is(err, why)) || !whole && ctx.Err() != nil {
				t.Errorf("in its midst: %v, what it has is in order: %v", err, whole)
			}
			cancel(nil)
		})
	}
}
