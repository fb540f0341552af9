package beam

import (
	"errors"
	"fmt"
	"reflect"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/hitoku/hitoku/risk"
)

func init() {
	sdk.RegisterCoder(reflect.TypeOf(Counts{}), encodeCounts, decodeCounts)
	register.Combiner1[Counts](&mergeCounts{})
}

// Counts is an accumulator of package risk in transit between workers: exactly one of its fields is set.
type Counts struct {
	classes   *risk.Classes
	sensitive *risk.Sensitive
	entities  *risk.Entities
}

func encodeCounts(c Counts) ([]byte, error) {
	kind, x := byte('c'), interface{ MarshalBinary() ([]byte, error) }(c.classes)
	switch {
	case c.sensitive != nil:
		kind, x = 's', c.sensitive
	case c.entities != nil:
		kind, x = 'e', c.entities
	case c.classes == nil:
		return []byte{'-'}, nil
	}
	b, err := x.MarshalBinary()
	return append([]byte{kind}, b...), err
}

func decodeCounts(b []byte) (c Counts, err error) {
	if len(b) == 0 {
		return c, errors.New("no counts")
	}
	switch kind, b := b[0], b[1:]; kind {
	case '-':
		return c, nil
	case 'c':
		c.classes = new(risk.Classes)
		return c, c.classes.UnmarshalBinary(b)
	case 's':
		c.sensitive = new(risk.Sensitive)
		return c, c.sensitive.UnmarshalBinary(b)
	case 'e':
		c.entities = new(risk.Entities)
		return c, c.entities.UnmarshalBinary(b)
	default:
		return c, fmt.Errorf("counts of kind %q", kind)
	}
}

// add returns c with o added, or just o if c is empty.
func (c Counts) add(o Counts) (Counts, error) {
	switch {
	case c.classes != nil && o.classes != nil:
		return c, c.classes.Merge(o.classes)
	case c.sensitive != nil && o.sensitive != nil:
		return c, c.sensitive.Merge(o.sensitive)
	case c.entities != nil && o.entities != nil:
		return c, c.entities.Merge(o.entities)
	case o == Counts{}:
		return c, nil
	case c == Counts{}:
		return o, nil
	}
	return c, errors.New("counts of different kinds")
}

// mergeCounts adds up the counts of a part. Nobody else uses them, so the first may take in the others.
type mergeCounts struct{}

func (*mergeCounts) CreateAccumulator() Counts                     { return Counts{} }
func (*mergeCounts) AddInput(a, x Counts) (Counts, error)          { return a.add(x) }
func (*mergeCounts) MergeAccumulators(a, b Counts) (Counts, error) { return a.add(b) }
func (*mergeCounts) ExtractOutput(a Counts) Counts                 { return a }
