package bench

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A LargeSpec identifies a table of two variables that is written as it is drawn, so it may have more cells than fit in
// memory. Values are those of family mag. A group of inner cells consists of those with the same parent codes in both
// variables.
//
//	in play       a group of inner cells, each with chance 1 − Published
//	published     all other inner cells and, where Published > 0, all margins
//	sensitive     an inner cell in play with v_i ≤ 150 (the median) and v_i·E_i < c, E_i ~ Exp(1), c such that Share of the inner
//	              cells have it; a larger one may have no company among the few cells of its group
//	LPL = UPL     ⌈0.15·v_i⌉
//	upper bound   2·value
//
// The generator is PCG(Seed, group + 1) for a group, and for c PCG(0, 0).
type LargeSpec struct {
	Shape     []Branching // two variables
	Share     float64     // share of sensitive cells; 0 means 0.08
	Published float64     // share of the groups that must stay published
	Seed      uint64
}

// Name returns the shape, the shares and the seed in one word: "4.4x4.4-stream-1", or with a share of groups that must
// stay published "4.4x4.4-stream0.96-1". A share of sensitive cells precedes it, as in mag0.1.
func (s *LargeSpec) Name() string {
	share := func(word string, v float64) string {
		if v == 0 {
			return word
		}
		return word + strconv.FormatFloat(v, 'g', -1, 64)
	}
	name := shapeString(s.Shape) + "-"
	if s.Share != 0 {
		name += share("mag", s.Share) + "-"
	}
	return fmt.Sprintf("%s%s-%d", name, share("stream", s.Published), s.Seed)
}

// Dimensions returns the variables of the table.
func (s *LargeSpec) Dimensions() ([]table.Dimension, error) {
	switch {
	case len(s.Shape) != 2:
		return nil, i18n.New("bench: a table written as a stream has two variables")
	case !(s.Share >= 0 && s.Share <= 1) || !(s.Published >= 0 && s.Published <= 1):
		return nil, i18n.Errorf("bench: shares %g and %g, want values in [0, 1]", s.Share, s.Published)
	}
	if s.Share > 0.4 {
		return nil, i18n.Errorf("bench: share %g, want at most 0.4 in a table written as a stream, whose sensitive cells are of its smaller half", s.Share)
	}
	dims := make([]table.Dimension, len(s.Shape))
	for d, b := range s.Shape {
		if _, ok := b.codes(); !ok {
			return nil, i18n.Errorf("bench: tree %s has more than %d codes", b, maxCells)
		}
		var err error
		if dims[d], err = b.dimension(d); err != nil {
			return nil, err
		}
	}
	return dims, nil
}

// Write writes the table as tidy CSV, margins last. Time is linear in the cells; memory is proportional to the codes of
// one variable times the non-leaf codes of the other.
func (s *LargeSpec) Write(w io.Writer) error {
	dims, err := s.Dimensions()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<20)
	fmt.Fprintf(out, "%s,%s,value,status,lpl,upl,upper\n", dims[0].Name, dims[1].Name)
	l := &large{LargeSpec: s, dims: dims, out: out, limit: s.limit()}
	l.write()
	return out.Flush()
}

// limit returns c.
func (s *LargeSpec) limit() float64 {
	share := cmp.Or(s.Share, 0.08)
	const draws = 1 << 16
	rng := rand.New(rand.NewPCG(0, 0))
	mag, keys := Spec{Family: "mag"}, make([]float64, draws)
	for n := range keys {
		keys[n] = key(mag.draw(rng), rng)
	}
	return quantile(keys, share)
}

// key returns v·E, +Inf for values above the median.
func key(v int64, rng *rand.Rand) float64 {
	const median = 150
	if e := rng.ExpFloat64(); v <= median {
		return float64(v) * e
	}
	return math.Inf(1)
}

// A large is a table while it is being written.
type large struct {
	*LargeSpec
	dims  []table.Dimension
	out   *bufio.Writer
	limit float64
	line  []byte
}

// write draws the rows of all leaves of the first variable, one group after another, and adds them to those above.
func (l *large) write() {
	up, down := l.dims[0].Parent, l.dims[1].Parent
	leaf, below := l.dims[0].Leaves(), l.dims[1].Leaves()
	sums := make([][]int64, len(up))
	for a := range up {
		if !leaf[a] {
			sums[a] = make([]int64, len(down))
		}
	}
	row, sensitive := make([]int64, len(down)), make([]bool, len(down))
	for a, parent := range up {
		if !leaf[a] {
			continue
		}
		clear(row)
		group, held := int32(-1), false
		rng := rand.New(rand.NewPCG(0, 0))
		for b, above := range down {
			if !below[b] {
				continue
			}
			if above != group {
				group = above
				held = l.held(parent, above)
				rng = rand.New(rand.NewPCG(l.Seed+uint64(a)<<32, uint64(above)+1))
			}
			row[b] = (&Spec{Family: "mag"}).draw(rng)
			sensitive[b] = key(row[b], rng) < l.limit && !held
		}
		for b := len(down) - 1; b > 0; b-- {
			row[down[b]] += row[b]
		}
		for b, v := range row {
			switch {
			case !below[b]:
				l.cell(a, b, v, l.margin(), false)
			case sensitive[b]:
				l.cell(a, b, v, 'u', true)
			case l.held(parent, down[b]):
				l.cell(a, b, v, 'z', false)
			default:
				l.cell(a, b, v, 's', false)
			}
			sums[parent][b] += v
		}
	}
	for a := len(up) - 1; a >= 0; a-- {
		if leaf[a] {
			continue
		}
		for b, v := range sums[a] {
			l.cell(a, b, v, l.margin(), false)
			if up[a] >= 0 {
				sums[up[a]][b] += v
			}
		}
	}
}

// held reports whether the group of inner cells below codes a and b stays published.
func (l *large) held(a, b int32) bool {
	return l.Published > 0 && rand.New(rand.NewPCG(l.Seed, uint64(a)<<32|uint64(b)+1)).Float64() < l.Published
}

// margin returns the status of margins.
func (l *large) margin() byte {
	if l.Published > 0 {
		return 'z'
	}
	return 's'
}

// cell writes a line.
func (l *large) cell(a, b int, v int64, status byte, levels bool) {
	s := append(l.line[:0], l.dims[0].Codes[a]...)
	s = append(append(s, ','), l.dims[1].Codes[b]...)
	s = strconv.AppendInt(append(s, ','), v, 10)
	s = append(s, ',', status, ',')
	if level := (15*v + 99) / 100; levels {
		s = strconv.AppendInt(s, level, 10)
		s = strconv.AppendInt(append(s, ','), level, 10)
	} else {
		s = append(s, ',')
	}
	s = append(s, ',')
	if status != 'z' {
		s = strconv.AppendInt(s, 2*v, 10)
	}
	l.line = append(s, '\n')
	_, _ = l.out.Write(l.line) // Flush reports errors
}
