package ledger

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A seen is what one release says of a cell of a 3×3 table with margins: its value, or between which ends it lies.
type seen struct {
	told   bool
	lo, up int64
}

// drawn is a table, and what some releases say of its cells. Margins stand at 2, 5, 6, 7, 8.
func drawn(rng *rand.Rand, files int) (value [9]int64, what [][9]seen) {
	for _, i := range []int{0, 1, 3, 4} {
		value[i] = rng.Int64N(9)
	}
	for _, i := range []int{0, 3} {
		value[i+2] = value[i] + value[i+1]
	}
	for i := 6; i < 9; i++ {
		value[i] = value[i-6] + value[i-3]
	}
	for range files {
		var of [9]seen
		for i, v := range value {
			s := seen{told: rng.IntN(4) == 0, lo: 0, up: table.PosInf}
			if rng.IntN(2) == 0 {
				s.lo = max(0, v-rng.Int64N(4))
			}
			if rng.IntN(2) == 0 {
				s.up = v + rng.Int64N(4)
			}
			of[i] = s
		}
		what = append(what, of)
	}
	return value, what
}

// written is a release as a file: intervals in its columns lower and upper.
func written(t testing.TB, file string, value [9]int64, of [9]seen) *Release {
	var b strings.Builder
	b.WriteString("row,col,value,status,lower,upper\n")
	for i, s := range of {
		codes := []string{"a", "b", "Total"}
		fmt.Fprintf(&b, "%s,%s,", codes[i/3], codes[i%3])
		if s.told {
			fmt.Fprintf(&b, "%d,,,\n", value[i])
			continue
		}
		b.WriteString(",m,")
		if s.lo > 0 {
			fmt.Fprint(&b, s.lo)
		}
		b.WriteString(",")
		if s.up < table.PosInf {
			fmt.Fprint(&b, s.up)
		}
		b.WriteString("\n")
	}
	return read(t, file, b.String())
}

// meetOf is what releases say together, each cell in one box, which is known by its definition.
func meetOf(what [][9]seen) (all [9]seen) {
	for i := range all {
		all[i].up = table.PosInf
		for _, of := range what {
			all[i].told = all[i].told || of[i].told
			all[i].lo, all[i].up = max(all[i].lo, of[i].lo), min(all[i].up, of[i].up)
		}
	}
	return all
}

// withheldIntervals are the intervals of cells that no release tells, by place.
func withheldIntervals(t *testing.T, present *Release, releases []*Release) (map[string]string, error) {
	j, err := join(present, releases, &Options{Withheld: hidden(present)})
	if err != nil {
		return nil, err
	}
	rep, err := interval.Audit(t.Context(), j.Table, j.Withheld, nil)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for k := range rep.Cells {
		c := &rep.Cells[k]
		out[j.CellName(c.Index)] = ends(c.Lo, c.Hi)
	}
	return out, nil
}

// TestBoxes asks that releases which publish intervals of the same cells say together what one table with the intersections says, in every
// order, and that a further release widens nothing.
func TestBoxes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 7))
		value, what := drawn(rng, 2+rng.IntN(2))
		var releases []*Release
		for k, of := range what {
			releases = append(releases, written(t, fmt.Sprintf("r%d.csv", k), value, of))
		}
		one := written(t, "one.csv", value, meetOf(what))
		want, err := withheldIntervals(t, one, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for range 3 {
			rng.Shuffle(len(releases), func(a, b int) { releases[a], releases[b] = releases[b], releases[a] })
			got, err := withheldIntervals(t, releases[0], releases[1:])
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for cell, w := range want {
				if got[cell] != w {
					t.Fatalf("seed %d: %s is in %s by the files together, in %s by their intersection", seed, cell, got[cell], w)
				}
			}
		}
	}
}

// TestBoxesApart asks that intervals without a common point are a contradiction that names the two files, in every order.
func TestBoxesApart(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 8))
		value, what := drawn(rng, 3)
		i, a, b := rng.IntN(9), rng.IntN(3), 0
		for b = rng.IntN(3); b == a; b = rng.IntN(3) {
		}
		for k := range what {
			what[k][i] = seen{lo: 0, up: table.PosInf}
		}
		what[a][i].up = value[i] + 2
		what[b][i].lo = value[i] + 3
		var releases []*Release
		for k, of := range what {
			releases = append(releases, written(t, fmt.Sprintf("r%d.csv", k), value, of))
		}
		rng.Shuffle(3, func(a, b int) { releases[a], releases[b] = releases[b], releases[a] })
		_, err := withheldIntervals(t, releases[0], releases[1:])
		var c *ConflictError
		if !errors.As(err, &c) {
			t.Fatalf("seed %d: error %v of boxes that are apart", seed, err)
		}
		files := []string{c.First, c.Second}
		for _, want := range []string{fmt.Sprintf("r%d.csv", a), fmt.Sprintf("r%d.csv", b)} {
			if files[0] != want && files[1] != want {
				t.Fatalf("seed %d: %v, want the files r%d.csv and r%d.csv", seed, err, a, b)
			}
		}
	}
}

// TestBelowZero asks that a table which publishes numbers below 0 needs no bound for all cells where each cell that it withholds has a lower end: the
// intervals are those with any bound that holds. Where one has none it stays an error, as nothing tells how far below 0 that may be.
func TestBelowZero(t *testing.T) {
	t.Parallel()
	below := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 9))
		value, what := drawn(rng, 1)
		of, less := what[0], rng.Int64N(9)
		shift := func(i int) int64 { return less * []int64{1, 1, 2, 1, 1, 2, 2, 2, 4}[i] }
		var b strings.Builder
		b.WriteString("row,col,value,status,lower,upper\n")
		told, hidden := int64(0), -1
		for i, s := range of {
			value[i] -= shift(i)
			if s.told {
				fmt.Fprintf(&b, "%c,%c,%d,,,\n", "abT"[i/3], "abT"[i%3], value[i])
				told = min(told, value[i])
				continue
			}
			hidden = i
			fmt.Fprintf(&b, "%c,%c,,m,%d,%d\n", "abT"[i/3], "abT"[i%3], value[i]-rng.Int64N(5), value[i]+rng.Int64N(5))
		}
		if told == 0 || hidden < 0 {
			continue
		}
		below++
		bound := table.Decimal{Unscaled: -1000}
		var ends [2]map[string]string
		for k, o := range []formats.Options{{Total: "T"}, {Total: "T", Lower: &bound}} {
			in, err := formats.ReadFrom(strings.NewReader(b.String()), "x.csv", o)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if ends[k], err = withheldIntervals(t, &Release{Table: in.Table, File: "x.csv"}, nil); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if !maps.Equal(ends[0], ends[1]) {
			t.Errorf("seed %d: %v without a bound, %v with one", seed, ends[0], ends[1])
		}
		lines := strings.Split(b.String(), "\n")
		lines[1+hidden] = lines[1+hidden][:4] + ",m,," // without its interval
		var bad *formats.Error
		if _, err := formats.ReadFrom(strings.NewReader(strings.Join(lines, "\n")), "x.csv", formats.Options{Total: "T"}); !errors.As(err, &bad) {
			t.Errorf("seed %d: error %v of a table where %s may be anything", seed, err, lines[1+hidden])
		}
	}
	if below < 50 {
		t.Errorf("%d tables with numbers below 0", below)
	}
}

// TestFlagsNarrow asks that a bound for all cells takes nothing away of what is told of one.
func TestFlagsNarrow(t *testing.T) {
	t.Parallel()
	in := must.Get(formats.ReadFrom(strings.NewReader("region,value,status,lower,upper\nN,,u,-15,-9\nS,,m,,\nTotal,,m,-35,\n"), "x.csv", formats.Options{}))(t)
	bound := table.Decimal{Unscaled: -1000}
	upper := table.Decimal{Unscaled: 20}
	must.Do(t, in.Table.SetBounds(&bound, &upper))
	for i, want := range []string{"[-15, -9]", "[-1000, 20]", "[-35, 20]"} {
		if got := in.Table.Box(i); got != want {
			t.Errorf("%s is in %s, want %s", in.Table.CellName(i), got, want)
		}
	}
}
