package bench

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Spec identifies one randomly drawn table. Let v_i be the value of internal cell i (a leaf in every variable), drawn
// independently in cell order; cells are in lexicographic order of the codes of their variables, roots first. Margins
// are sums. The intruder's lower bound of every cell is 0, and its cost max(1, value).
//
//	fs     v_i uniform on {0, …, 499}
//	       sensitive     internal cells with 1 ≤ v_i ≤ 4
//	       LPL = UPL     v_i
//	       upper bound   max(10⁶, 2·value where value > 10⁶)
//	mag    v_i = max(1, round(150·exp(1.3·Z_i))), Z_i ~ N(0, 1)
//	       sensitive     the round(Share·N) of the N internal cells with the
//	                     smallest v_i·E_i, E_i ~ Exp(1): small values favoured
//	       LPL = UPL     ⌈0.15·v_i⌉
//	       upper bound   2·value
//	n1510  v_i = ⌊|15 + 10·Z_i|⌋, Z_i ~ N(0, 1); two variables
//	       sensitive     internal cells with 1 ≤ v_i ≤ 4
//	       SPL           8
//	       upper bound   none; margins must stay published
//
// fs and mag follow the instances that Fischetti and Salazar-González drew for Management Science 47(7), 2001; n1510
// follows the frequency tables on which matching attacks were measured. Values of fs and n1510 are counts.
type Spec struct {
	Family string      // "fs", "mag" or "n1510"
	Shape  []Branching // 2 to 4 variables
	Share  float64     // share of sensitive cells in family mag; 0 means 0.08
	Seed   uint64      // seed of the generator PCG(Seed, 0)
	// Change c > 0 draws the table one period later: first of all, v_i becomes v_i + trunc(c·U_i·v_i) with U_i uniform
	// on [−1, 1) from PCG(Seed, 1). So no cell changes by more than the share c of its value.
	Change float64
}

// Families returns the names that Spec.Family accepts. Source.Find accepts these and "batch6".
func Families() []string { return []string{"fs", "mag", "n1510"} }

// Name returns the shape, family and seed in one word: "20x20-fs-7". A share of sensitive cells follows the family:
// "8x8x8-mag0.02-1".
func (s *Spec) Name() string {
	share := ""
	if s.Share != 0 {
		share = strconv.FormatFloat(s.Share, 'g', -1, 64)
	}
	name := fmt.Sprintf("%s-%s%s-%d", shapeString(s.Shape), s.Family, share, s.Seed)
	if s.Change != 0 {
		name += "-change" + strconv.FormatFloat(s.Change, 'g', -1, 64)
	}
	return name
}

// check reports the first field that is out of range.
func (s *Spec) check() error {
	if !slices.Contains(Families(), s.Family) {
		return i18n.Errorf("bench: family %q, want fs, mag or n1510", s.Family)
	}
	if len(s.Shape) < 2 || len(s.Shape) > 4 {
		return i18n.Errorf("bench: shape %s: want 2 to 4 variables", shapeString(s.Shape))
	}
	if s.Family == "n1510" && len(s.Shape) != 2 {
		return i18n.Errorf("bench: shape %s: family n1510 has two variables", shapeString(s.Shape))
	}
	if !(s.Share >= 0 && s.Share <= 1) {
		return i18n.Errorf("bench: share %g, want a value in [0, 1]", s.Share)
	}
	if s.Share != 0 && s.Family != "mag" {
		return i18n.Errorf("bench: family %s has no share of sensitive cells to set; mag has", s.Family)
	}
	if !(s.Change >= 0 && s.Change <= 1) {
		return i18n.Errorf("bench: change %g, want a share in [0, 1]", s.Change)
	}
	cells := 1
	for _, b := range s.Shape {
		n, ok := b.codes()
		if !ok || cells > maxCells/n {
			return i18n.Errorf("bench: shape %s has more than %d cells", shapeString(s.Shape), maxCells)
		}
		cells *= n
	}
	return nil
}

// Table draws the table. Cost O(cells·variables) and one sort for mag.
func (s *Spec) Table() (*table.Table, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	dims := make([]table.Dimension, len(s.Shape))
	for d, b := range s.Shape {
		var err error
		if dims[d], err = b.dimension(d); err != nil {
			return nil, err
		}
	}
	g := newGrid(dims)
	rng := rand.New(rand.NewPCG(s.Seed, 0))
	for _, i := range g.internal {
		g.value[i] = s.draw(rng)
	}
	if s.Change > 0 {
		later := rand.New(rand.NewPCG(s.Seed, 1))
		for _, i := range g.internal {
			g.value[i] += int64(s.Change * (2*later.Float64() - 1) * float64(g.value[i]))
		}
	}
	g.addUp()
	records := g.records()
	s.sensitive(g, records, rng)
	for i := range records {
		s.bound(&records[i], g.value[i])
	}
	if s.Family == "n1510" {
		for i := range records {
			if records[i].Status == table.Safe && !g.leaf[i] {
				records[i].Status = table.Published
			}
		}
	}
	return table.Build(s.Name(), dims, records, s.Family != "mag")
}

// draw returns the value of one internal cell.
func (s *Spec) draw(rng *rand.Rand) int64 {
	switch s.Family {
	case "fs":
		return rng.Int64N(500)
	case "mag":
		return max(1, int64(math.Round(150*math.Exp(1.3*rng.NormFloat64()))))
	default:
		return int64(math.Abs(15 + float64(10*rng.NormFloat64())))
	}
}

// sensitive marks cells and gives them their levels.
func (s *Spec) sensitive(g *grid, records []table.Record, rng *rand.Rand) {
	mark := func(i int, lpl, upl, spl table.Number) {
		r := &records[i]
		r.Status, r.LPL, r.UPL, r.Width = table.Sensitive, lpl, upl, spl
	}
	if s.Family == "mag" {
		share := cmp.Or(s.Share, 0.08)
		key := make(map[int]float64, len(g.internal))
		for _, i := range g.internal {
			key[i] = float64(g.value[i]) * rng.ExpFloat64()
		}
		order := slices.Clone(g.internal)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key[a], key[b]) })
		for _, i := range order[:int(math.Round(share*float64(len(order))))] {
			level := table.Num((15*g.value[i]+99)/100, 0)
			mark(i, level, level, table.Number{})
		}
		return
	}
	for _, i := range g.internal {
		v := g.value[i]
		switch {
		case v < 1 || v > 4:
		case s.Family == "fs":
			mark(i, table.Num(v, 0), table.Num(v, 0), table.Number{})
		default:
			mark(i, table.Number{}, table.Number{}, table.Num(8, 0))
		}
	}
}

// bound sets the intruder's prior bounds of a cell with value v.
func (s *Spec) bound(r *table.Record, v int64) {
	r.Lower = table.Num(0, 0)
	switch {
	case s.Family == "fs" && v <= 1e6:
		r.Upper = table.Num(1e6, 0)
	case s.Family != "n1510":
		r.Upper = table.Num(2*v, 0)
	}
}
