package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// A Convention defines how a normal deviate x becomes a count and which small counts are sensitive, which the
// description of an experiment may leave open.
type Convention struct {
	Negative string // x < 0: "abs" takes |x|, "clip" takes 0, "redraw" draws again
	Round    string // "floor" or "round" (half up)
	Zeros    bool   // zero counts are sensitive, too
}

// Conventions returns all conventions, the default first.
func Conventions() []Convention {
	var all []Convention
	for _, zeros := range []bool{false, true} {
		for _, negative := range []string{"abs", "clip", "redraw"} {
			for _, round := range []string{"floor", "round"} {
				all = append(all, Convention{negative, round, zeros})
			}
		}
	}
	return all
}

// String returns the name of c, like "abs-floor" or "clip-round-zeros".
func (c Convention) String() string {
	s := c.Negative + "-" + c.Round
	if c.Zeros {
		s += "-zeros"
	}
	return s
}

// words describes the counts drawn with mean μ and standard deviation σ, and which of them are sensitive.
func (c Convention) words(μ, σ float64, below int64) string {
	x := fmt.Sprintf("N(%g, %g)", μ, σ)
	switch c.Negative {
	case "abs":
		x = "|" + x + "|"
	case "clip":
		x = "max(0, " + x + ")"
	default:
		x += " ≥ 0"
	}
	if c.Round == "floor" {
		x = "⌊" + x + "⌋"
	} else {
		x = "⌊" + x + " + ½⌋"
	}
	low := 1
	if c.Zeros {
		low = 0
	}
	return fmt.Sprintf("v = %s, sensitive iff %d ≤ v < %d", x, low, below)
}

// count draws one count.
func (c Convention) count(rng *rand.Rand, μ, σ float64) int64 {
	for {
		// The conversion forbids the compiler to fuse product and sum, which would round differently.
		x := float64(σ*normal(rng)) + μ
		if x < 0 {
			switch c.Negative {
			case "abs":
				x = -x
			case "clip":
				x = 0
			default:
				continue
			}
		}
		if c.Round == "round" {
			x += 0.5
		}
		return int64(math.Floor(x))
	}
}

// normal returns a deviate of N(0, 1) using only comparisons, sums and quotients of uniform deviates (C. F. F. Karney,
// Sampling exactly from the normal distribution, ACM Transactions on Mathematical Software 42(1), 2016, Algorithm N).
// It uses no exponentials or logarithms, whose last bits differ between machines, so it is the same on all machines
// that follow IEEE 754.
//
// Let k have the weight exp(−k²/2) and x, uniform on (0, 1), be accepted with
// probability exp(−x(2k+x)/2): then k+x has the density of |N(0, 1)|.
func normal(rng *rand.Rand) float64 {
	for {
		k := 0
		for halfExp(rng) {
			k++
		}
		accept := true
		for n := k * (k - 1); accept && n > 0; n-- {
			accept = halfExp(rng)
		}
		if !accept {
			continue
		}
		x := rng.Float64()
		for n := k + 1; accept && n > 0; n-- {
			accept = expTrial(rng, k, x)
		}
		if !accept {
			continue
		}
		y := float64(k) + x
		if rng.Uint64()&1 == 1 {
			return -y
		}
		return y
	}
}

// halfExp is true with probability exp(−1/2): the run 1/2 > u₁ > u₂ > … has
// length ≥ n with probability (1/2)ⁿ/n!, hence an even one with exp(−1/2).
func halfExp(rng *rand.Rand) bool {
	even := true
	for y := 0.5; ; even = !even {
		z := rng.Float64()
		if z >= y {
			return even
		}
		y = z
	}
}

// expTrial is true with probability exp(−x(2k+x)/(2k+2)): like halfExp but with a run that starts at x and each member
// of which survives with probability (2k+x)/(2k+2).
func expTrial(rng *rand.Rand, k int, x float64) bool {
	p := (float64(2*k) + x) / float64(2*k+2)
	even := true
	for y := x; ; even = !even {
		z := rng.Float64()
		if z >= y || rng.Float64() >= p {
			return even
		}
		y = z
	}
}

// tableSource returns the generator for the table with this index of a shape: PCG seeded with two hashes of seed, shape
// and index, so that a table depends on nothing else.
func tableSource(seed uint64, shape []Branching, index int) *rand.Rand {
	h := num.Mix(seed)
	for _, b := range shape {
		for _, k := range b {
			h = num.Mix(h ^ uint64(k))
		}
		h = num.Mix(^h)
	}
	h = num.Mix(h ^ uint64(index))
	return rand.New(rand.NewPCG(h, num.Mix(h)))
}

// A drawer draws the tables of one shape.
type drawer struct {
	*Experiment
	name  string
	shape []Branching
	dims  []table.Dimension
}

func (e *Experiment) drawer(shape []Branching) (*drawer, error) {
	d := &drawer{Experiment: e, name: shapeString(shape), shape: shape, dims: make([]table.Dimension, len(shape))}
	for k, b := range shape {
		var err error
		if d.dims[k], err = b.dimension(k); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// draw draws a table with published margins, its sensitive cells marked and their widths set.
func (d *drawer) draw(rng *rand.Rand, index int) (*table.Table, error) {
	g := newGrid(d.dims)
	for _, i := range g.internal {
		g.value[i] = d.Convention.count(rng, d.Mean, d.SD)
	}
	g.addUp()
	t, err := table.Build(fmt.Sprintf("%s-%d", d.name, index), d.dims, g.records(), true)
	if err != nil {
		return nil, err
	}
	t.PublishMargins()
	if _, _, err := t.MinimumFrequency(d.Below, d.Convention.Zeros); err != nil {
		return nil, err
	}
	return t, t.SetLevels(d.levels())
}

func (e *Experiment) levels() table.Levels {
	return table.Levels{Width: &table.Level{Decimal: table.Decimal{Unscaled: e.Width}}}
}

// leaves returns the number of cells of a shape that are not margins.
func leaves(shape []Branching) int {
	n := 1
	for _, b := range shape {
		for _, k := range b {
			n *= k
		}
	}
	return n
}

// hasSensitive reports whether a cell of t is sensitive.
func hasSensitive(t *table.Table) bool { return slices.Contains(t.Status, table.Sensitive) }
