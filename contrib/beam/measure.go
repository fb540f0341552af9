package beam

import (
	"context"
	"errors"
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/hitoku/hitoku/risk"
)

func init() {
	register.DoFn2x1[int, Counts, Result](&measureFn{})
	register.DoFn2x2[int, Counts, Counts, error](&wholeFn{})
	register.DoFn3x1[int, Counts, func(*Counts) bool, Result](&distanceFn{})
	register.DoFn3x1[int, func(*Counts) bool, func(*Counts) bool, Result](&matchFn{})
	register.Iter1[Counts]()
}

// settle turns an error of a measure into a fault, since the same counts would give it again.
func settle(r Result, err error) Result {
	if err != nil {
		return Result{Fault: &Fault{File: math.MaxInt32, Text: err.Error()}}
	}
	return r
}

// measureFn measures a part by itself, for k-anonymity and l-diversity.
type measureFn struct{ Job Job }

func (f *measureFn) ProcessElement(_ int, c Counts) Result { return settle(f.Job.measure(c.sensitive)) }

func (j *Job) measure(s *risk.Sensitive) (Result, error) {
	r := Result{Worst: j.Worst}
	var err error
	if j.Metric == KAnonymity {
		r.KAnonymity, err = s.KAnonymity(context.Background(), j.Missing, j.Worst)
		return r, err
	}
	if r.KAnonymity, err = s.KAnonymity(context.Background(), j.Missing, 0); err == nil {
		r.LDiversity, err = s.LDiversity(context.Background(), j.Missing, j.OwnSensitive, j.L, j.Worst)
	}
	return r, err
}

// wholeFn returns what a part contributes to the distribution over all records.
type wholeFn struct{ Job Job }

func (f *wholeFn) ProcessElement(_ int, c Counts) (Counts, error) {
	w, err := c.sensitive.Whole(context.Background(), f.Job.Missing)
	return Counts{sensitive: w}, err
}

// distanceFn measures the t-closeness of a part.
type distanceFn struct{ Job Job }

func (f *distanceFn) ProcessElement(_ int, c Counts, whole func(*Counts) bool) Result {
	var w Counts
	if !whole(&w) {
		return settle(Result{}, errors.New("no distribution over all records"))
	}
	return settle(f.Job.distance(c.sensitive, w.sensitive))
}

func (j *Job) distance(s, whole *risk.Sensitive) (Result, error) {
	r := Result{Worst: j.Worst}
	var err error
	if r.KAnonymity, err = s.KAnonymity(context.Background(), j.Missing, 0); err == nil {
		r.TCloseness, err = s.TClosenessTo(context.Background(), whole, j.Missing, j.OwnSensitive, j.Distances, j.Worst)
	}
	return r, err
}

// matchFn compares a part of the data set with that of the population.
type matchFn struct{ Job Job }

func (f *matchFn) ProcessElement(_ int, data, people func(*Counts) bool) Result {
	var d, p Counts
	if !data(&d) {
		c, err := risk.NewColumns(f.Job.QI...)
		if err != nil {
			return settle(Result{}, err)
		}
		d.classes = risk.NewClasses(c, len(f.Job.QI))
	}
	people(&p)
	return settle(f.Job.match(d.classes, p.classes))
}

// match compares a data set with a population, which may be nil.
func (j *Job) match(data, people *risk.Classes) (Result, error) {
	p := risk.NewPopulation(data, nil)
	if people != nil {
		for g := range people.Len() {
			if err := p.Add(people.Size(g), people.Tuple(g)...); err != nil {
				return Result{}, err
			}
		}
	}
	return Result{Worst: j.Worst, KMap: p.KMap(j.Worst)}, nil
}
