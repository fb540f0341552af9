package beam

import (
	"context"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/hitoku/hitoku/risk"
)

func init() {
	register.DoFn6x1[int, Counts, func(int, Counts), func(int, Counts), func(int, Counts), func(Result), error](&entitiesFn{})
	register.DoFn2x1[int, Counts, Result](&entityResultFn{})
}

// The kinds of counts of which Entities consists.
const (
	sets = iota
	rows
	shared
)

// entities measures k-anonymity of entities. A part has entities with all their records. What they have in
// common with entities of other parts, multisets of tuples and tuples, is counted in parts divided by those
// instead.
func (j *Job) entities(s sdk.Scope, parts sdk.PCollection) []sdk.PCollection {
	var out []sdk.PCollection
	a, b, c, unnamed := sdk.ParDo4(s, &entitiesFn{*j}, parts)
	for kind, x := range []sdk.PCollection{a, b, c} {
		out = append(out, sdk.ParDo(s, &entityResultFn{*j, kind}, sdk.CombinePerKey(s, &mergeCounts{}, x)))
	}
	return append(out, unnamed)
}

type entitiesFn struct{ Job Job }

func (f *entitiesFn) ProcessElement(_ int, c Counts, sets, rows, shared func(int, Counts), unnamed func(Result)) error {
	bySet, byTuple, without, err := c.entities.Sets(context.Background(), f.Job.Missing)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		classes *risk.Classes
		emit    func(int, Counts)
	}{{bySet, sets}, {&c.entities.Classes, rows}, {byTuple, shared}} {
		parts, err := x.classes.Split(f.Job.Parts)
		if err != nil {
			return err
		}
		for k, p := range parts {
			if p != nil {
				x.emit(k, Counts{classes: p})
			}
		}
	}
	unnamed(Result{Entities: &Entities{WithoutID: without}})
	return nil
}

// entityResultFn measures a part of one of the three kinds of counts.
type entityResultFn struct {
	Job  Job
	Kind int
}

func (f *entityResultFn) ProcessElement(_ int, c Counts) Result {
	return settle(f.Job.ofEntities(c.classes, f.Kind))
}

func (j *Job) ofEntities(c *risk.Classes, kind int) (Result, error) {
	// m is zero for sets and shared, as multisets contain no missing values and tuples with some were left out.
	var m risk.Missing
	if kind == rows {
		m = j.Missing
	}
	k, err := c.KAnonymity(context.Background(), m, 0)
	e := &Entities{}
	*[]**risk.KAnonymity{&e.Sets, &e.Rows, &e.Shared}[kind] = k
	return Result{Entities: e}, err
}
