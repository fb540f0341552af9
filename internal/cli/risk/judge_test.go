package risk

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/risk"
)

var modelFigures = flag.String("models.figures", "", "file for the figures of TestModels")

// populations are laws by which people are drawn, each with several columns of some values.
var populations = map[string]func(r *rand.Rand, people int) [][]int{
	"independent": func(r *rand.Rand, people int) [][]int { return columnsOf(r, people, 2+r.IntN(5), 60, 1.6, independent) },
	"coarse":      func(r *rand.Rand, people int) [][]int { return columnsOf(r, people, 2+r.IntN(3), 4, 1.6, independent) },
	"uniform":     func(r *rand.Rand, people int) [][]int { return columnsOf(r, people, 2+r.IntN(3), 60, 0, independent) },
	// A column that is nearly a key.
	"key": func(r *rand.Rand, people int) [][]int {
		rows := columnsOf(r, people, 2+r.IntN(3), 60, 1.6, independent)
		for i, x := range rows {
			x[0] = int(float64(i) * 0.8)
		}
		return rows
	},
	// Kinds of people who order the values each in another way.
	"latent": func(r *rand.Rand, people int) [][]int {
		return columnsOf(r, people, 2+r.IntN(5), 60, 1.6, func(r *rand.Rand, d []distribution) func() []int {
			kinds := zipf(2+r.IntN(6), r.Float64())
			orders := make([][][]int, len(kinds))
			for k := range orders {
				for _, x := range d {
					orders[k] = append(orders[k], r.Perm(len(x)))
				}
			}
			return func() []int {
				k := kinds.draw(r)
				x := make([]int, len(d))
				for j := range x {
					x[j] = orders[k][j][d[j].draw(r)]
				}
				return x
			}
		})
	},
	// Each column depends on the one before it.
	"chain": func(r *rand.Rand, people int) [][]int {
		return columnsOf(r, people, 2+r.IntN(5), 60, 1.6, func(r *rand.Rand, d []distribution) func() []int {
			orders := make([][][]int, len(d))
			for j := 1; j < len(d); j++ {
				for range d[j-1] {
					orders[j] = append(orders[j], r.Perm(len(d[j])))
				}
			}
			return func() []int {
				x := []int{d[0].draw(r)}
				for j := 1; j < len(d); j++ {
					x = append(x, orders[j][x[j-1]][d[j].draw(r)])
				}
				return x
			}
		})
	},
	// The last column follows from all others together but for some people: no pair tells of it.
	"together": func(r *rand.Rand, people int) [][]int {
		return columnsOf(r, people, 3+r.IntN(4), 60, 1.6, func(r *rand.Rand, d []distribution) func() []int {
			draw, noise, last := independent(r, d), r.Float64()*0.3, len(d)-1
			return func() []int {
				x := draw()
				if r.Float64() > noise {
					s := 0
					for _, v := range x[:last] {
						s += v
					}
					x[last] = s % len(d[last])
				}
				return x
			}
		})
	},
	// Classes as of Pitman's law.
	"pitman": func(r *rand.Rand, people int) [][]int {
		theta, alpha := math.Exp(r.Float64()*8), r.Float64()*0.9
		var of []int // class of each person
		var firsts, more []int
		for range people {
			n, u := float64(len(of)), float64(len(firsts))
			switch x := r.Float64() * (n + theta); {
			case x < theta+float64(alpha*u):
				firsts = append(firsts, len(firsts))
				of = append(of, len(firsts)-1)
			case x < theta+float64(alpha*u)+float64((1-alpha)*u): // by 1−α each
				of = append(of, r.IntN(len(firsts)))
				more = append(more, of[len(of)-1])
			default: // by 1 each further member
				of = append(of, more[r.IntN(len(more))])
				more = append(more, of[len(of)-1])
			}
		}
		rows := make([][]int, people)
		for i, c := range of {
			rows[i] = []int{int(uint64(c) * 0x9e3779b97f4a7c15 >> 40 % 500), c}
		}
		return rows
	},
}

// A distribution is of numbers 0, 1, …: the sums up to each.
type distribution []float64

func zipf(n int, exponent float64) distribution {
	d, sum := make(distribution, n), 0.0
	for k := range d {
		sum += math.Pow(float64(k+1), -exponent)
		d[k] = sum
	}
	return d
}

func (d distribution) draw(r *rand.Rand) int {
	k, _ := slices.BinarySearch(d, r.Float64()*d[len(d)-1])
	return min(k, len(d)-1)
}

func columnsOf(r *rand.Rand, people, columns, most int, skew float64, law func(*rand.Rand, []distribution) func() []int) [][]int {
	var d []distribution
	for range columns {
		d = append(d, zipf(2+int(math.Exp(r.Float64()*math.Log(float64(most)))), r.Float64()*skew))
	}
	rows, draw := make([][]int, people), law(r, d)
	for i := range rows {
		rows[i] = draw()
	}
	return rows
}

func independent(r *rand.Rand, d []distribution) func() []int {
	return func() []int {
		x := make([]int, len(d))
		for j := range x {
			x[j] = d[j].draw(r)
		}
		return x
	}
}

// drawnSample is a sample of a drawn population, and the truth.
type drawnSample struct {
	classes                *risk.Classes
	k                      *risk.KAnonymity
	people                 uint64
	found, largest, unique float64
}

func drawSample(t *testing.T, r *rand.Rand, law string) *drawnSample {
	people := int(20000 * math.Pow(10, r.Float64()))
	n := max(20, int(float64(people)*0.001*math.Pow(100, r.Float64())))
	rows := populations[law](r, people)
	names := []string{"a", "b", "c", "d", "e", "f"}[:len(rows[0])]
	columns, err := risk.NewColumns(names...)
	if err != nil {
		t.Fatal(err)
	}
	s, all := risk.NewClasses(columns, len(names)), map[[6]int]int{}
	for i, at := range r.Perm(people) {
		var person [6]int
		copy(person[:], rows[at])
		all[person]++
		if i < n {
			must.Do(t, s.Add(1, sets.Each(rows[at], strconv.Itoa)...))
		}
	}
	d := &drawnSample{classes: s, people: uint64(people)}
	if d.k, err = s.KAnonymity(t.Context(), risk.Missing{}, 0); err != nil {
		t.Fatal(err)
	}
	for g := range s.Len() {
		var person [6]int
		for j, v := range s.Tuple(g) {
			person[j] = must.Get(strconv.Atoi(v))(t)
		}
		F := float64(all[person])
		d.found += float64(s.Size(g)) / F
		d.largest = math.Max(d.largest, 1/F)
	}
	for _, n := range all {
		if n == 1 {
			d.unique++
		}
	}
	return d
}

// TestModels draws populations of which the models know nothing and samples of 0.1 to 10 %, and compares with the truth: no limit that is broken may be called kept, and of those
// called broken at most 5 % may be kept. With -models.figures it writes how far each model is from the truth.
func TestModels(t *testing.T) {
	t.Parallel()
	draws := heavy.Large(48, 1000)
	if testing.Short() {
		draws = 8
	}
	laws := slices.Sorted(func(yield func(string) bool) {
		for law := range populations {
			if !yield(law) {
				return
			}
		}
	})
	type count struct{ could, kept, wrong, broken, false int }
	counts, ratios := map[string]*count{}, map[[3]string][]float64{}
	for i := range draws {
		r := rand.New(rand.NewPCG(uint64(i), 35))
		law := laws[i%len(laws)]
		d := drawSample(t, r, law)
		n := float64(d.k.Records)
		check := func(what string, limit, truth float64, j judgement) {
			c := counts[fmt.Sprintf("%s,%g", what, limit)]
			if c == nil {
				c = &count{}
				counts[fmt.Sprintf("%s,%g", what, limit)] = c
			}
			if truth <= limit {
				c.could++
			}
			switch j.verdict {
			case "kept":
				c.kept++
				if truth > limit {
					c.wrong++
					t.Errorf("draw %d, %s, %g of %d: %s at most %g is called kept, and it is %g: %+v", i, law, n, d.people, what, limit, truth, j)
				}
			case "broken":
				c.broken++
				if truth <= limit {
					c.false++
				}
			}
		}
		var models []risk.Model
		for _, limit := range []float64{0.05, 0.2, 0.5} {
			var err error
			if models, err = risk.Models(t.Context(), d.classes, nil, risk.Missing{}, d.people, limit); err != nil {
				t.Fatal(err)
			}
			check("largest risk", limit, d.largest, judgeRisk(models, limit, d.k.K))
		}
		for _, limit := range []float64{0.01, 0.05, 0.2} {
			check("average risk", limit, d.found/n, judgeReidentified(models, limit, d.k.Records, d.k.Classes))
		}
		for _, limit := range []float64{0.001, 0.01, 0.1} {
			check("population uniques", limit, d.unique/float64(d.people), judgeUniques(models, limit, d.people))
		}
		for _, m := range models {
			for _, of := range []string{law, "all"} {
				k := [3]string{"expected re-identifications", m.Name, of}
				ratios[k] = append(ratios[k], math.Max(1, m.Reidentified.Estimate)/math.Max(1, d.found))
				if m.Uniques != nil {
					k[0] = "population uniques"
					ratios[k] = append(ratios[k], math.Max(1, m.Uniques.Estimate)/math.Max(1, d.unique))
				}
			}
		}
	}
	broken, wrong := 0, 0
	for _, c := range counts {
		broken, wrong = broken+c.broken, wrong+c.false
	}
	if wrong*20 > broken {
		t.Errorf("%d of %d limits called broken are kept", wrong, broken)
	}
	if *modelFigures == "" {
		return
	}
	var lines []string
	for k, c := range counts {
		lines = append(lines, fmt.Sprintf("verdict,%s,%d,,%d,%d,%d,%d,%d,,,,,", k, draws, c.could, c.kept, c.wrong, c.broken, c.false))
	}
	for k, x := range ratios {
		slices.Sort(x)
		q := func(p float64) string { return strconv.FormatFloat(x[int(p*float64(len(x)-1))], 'g', 3, 64) }
		lines = append(lines, fmt.Sprintf("estimate/truth,%s,,%d,%s %s,,,,,,%s,%s,%s,%s,%s", k[0], len(x), k[1], k[2], q(0), q(0.1), q(0.5), q(0.9), q(1)))
	}
	slices.Sort(lines)
	text := "what,of,limit,draws,model and population,within the limit,called kept,of these wrong,called broken,of these wrong,least,10 %,median,90 %,largest\n" + strings.Join(lines, "\n") + "\n"
	must.Do(t, os.WriteFile(*modelFigures, []byte(text), 0o666))
}
