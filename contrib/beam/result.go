package beam

import (
	"encoding/json"
	"reflect"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/hitoku/hitoku/risk"
)

func init() {
	sdk.RegisterCoder(reflect.TypeOf(Result{}), encodeResult, decodeResult)
	register.Combiner1[Result](&mergeResults{})
}

// A Result is what was measured for a part or for everything.
type Result struct {
	Fault      *Fault             `json:",omitempty"`
	Worst      int                // number of worst classes that are listed
	KAnonymity *risk.KAnonymity   `json:",omitempty"`
	Entities   *Entities          `json:",omitempty"`
	LDiversity []*risk.LDiversity `json:",omitempty"`
	TCloseness []*risk.TCloseness `json:",omitempty"`
	KMap       *risk.KMap         `json:",omitempty"`
}

// A Fault is a record or a file that cannot be read. It is a result rather than an error, after which runners
// would try again.
type Fault struct {
	File int // its index in the list of files
	Line int
	Text string // message with file and line
}

// Entities are the three counts of which k-anonymity of entities consists: different multisets of tuples by
// number of entities, tuples by number of records, and tuples by number of entities.
type Entities struct {
	Sets, Rows, Shared *risk.KAnonymity
	WithoutID          uint64
}

// Empty reports whether no record was counted.
func (r *Result) Empty() bool {
	switch {
	case r.Entities != nil:
		return r.Entities.Rows.Records == 0
	case r.KMap != nil:
		return r.KMap.Records == 0
	}
	return r.KAnonymity.Records == 0
}

func encodeResult(r Result) ([]byte, error) { return json.Marshal(r) }

func decodeResult(b []byte) (r Result, err error) { return r, json.Unmarshal(b, &r) }

// add returns r with o added. o may become part of the sum.
func (r Result) add(o Result) (Result, error) {
	r.Worst = max(r.Worst, o.Worst)
	if f := o.Fault; f != nil && (r.Fault == nil || f.File < r.Fault.File || f.File == r.Fault.File && f.Line < r.Fault.Line) {
		r.Fault = f
	}
	if err := join(&r.KAnonymity, o.KAnonymity, r.Worst, (*risk.KAnonymity).Merge); err != nil {
		return r, err
	}
	if err := join(&r.Entities, o.Entities, 0, (*Entities).merge); err != nil {
		return r, err
	}
	if err := joinAll(&r.LDiversity, o.LDiversity, r.Worst, (*risk.LDiversity).Merge); err != nil {
		return r, err
	}
	if err := joinAll(&r.TCloseness, o.TCloseness, r.Worst, (*risk.TCloseness).Merge); err != nil {
		return r, err
	}
	return r, join(&r.KMap, o.KMap, r.Worst, (*risk.KMap).Merge)
}

func (e *Entities) merge(o *Entities, n int) error {
	e.WithoutID += o.WithoutID
	if err := join(&e.Sets, o.Sets, n, (*risk.KAnonymity).Merge); err != nil {
		return err
	}
	if err := join(&e.Rows, o.Rows, n, (*risk.KAnonymity).Merge); err != nil {
		return err
	}
	return join(&e.Shared, o.Shared, n, (*risk.KAnonymity).Merge)
}

// join merges b into *a; either may be nil.
func join[T any](a **T, b *T, n int, merge func(a, b *T, n int) error) error {
	switch {
	case b == nil:
		return nil
	case *a == nil:
		*a = b
		return nil
	}
	return merge(*a, b, n)
}

func joinAll[T any](a *[]*T, b []*T, n int, merge func(a, b *T, n int) error) error {
	if *a == nil {
		*a = b
		return nil
	}
	for k := range b {
		if err := merge((*a)[k], b[k], n); err != nil {
			return err
		}
	}
	return nil
}

type mergeResults struct{}

func (*mergeResults) CreateAccumulator() Result                     { return Result{} }
func (*mergeResults) AddInput(a, x Result) (Result, error)          { return a.add(x) }
func (*mergeResults) MergeAccumulators(a, b Result) (Result, error) { return a.add(b) }
func (*mergeResults) ExtractOutput(a Result) Result                 { return a }
