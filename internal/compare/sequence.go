package compare

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
)

// lags are the distances in lines within which values are compared: neighbours, and a wider window that shows a
// likeness of which each pair tells little.
var lags = []int{1, 8}

// lagged returns Σ y_i·(y_(i+1) + … + y_(i+lag)).
func lagged(y []float64, lag int) (t float64) {
	sum := 0.0
	for i, v := range y {
		t += float64(v * sum)
		if sum += v; i >= lag {
			sum -= y[i-lag]
		}
	}
	return t
}

// centred subtracts from values the mean of their class.
func centred(values []float64, class []int) []float64 {
	classes := 0
	for _, c := range class {
		classes = max(classes, c+1)
	}
	sum, count := make([]float64, classes), make([]float64, classes)
	for i, c := range class {
		sum[c] += values[i]
		count[c]++
	}
	y := make([]float64, len(values))
	for i, c := range class {
		y[i] = values[i] - sum[c]/count[c]
		if math.Abs(y[i]) < 1e-9*(1+math.Abs(values[i])) {
			y[i] = 0
		}
	}
	return y
}

// alikeNear reports roughly whether values near each other are more alike than in a random order, by three standard
// deviations. For m values with mean 0 and sum of squares S, the sum has in random order about the mean −lag·S/m and
// the variance lag·S²/m.
func alikeNear(y []float64) bool {
	squares, m := 0.0, float64(len(y))
	for _, v := range y {
		squares += float64(v * v)
	}
	return squares > 0 && slices.ContainsFunc(lags, func(lag int) bool {
		l := float64(lag)
		return lagged(y, lag)+float64(l*squares)/m > float64(3*squares)*math.Sqrt(l/m)
	})
}

// orders is the number of random orders with which a sequence is compared, and deviations is how many of their standard
// deviations it must lie beyond their mean to show an order. With Student's distribution for so many orders the chance
// of that is below 1/10,000.
const (
	orders     = 64
	deviations = 4.0
)

// tellsNear reports whether values near each other are more alike than when those of one class are exchanged at random.
// It looks at the values less the means of their classes, and at these together with the class means near them, for
// lines sorted by what the classes tell, but more finely.
func tellsNear(values []float64, class []int) bool {
	y := centred(values, class)
	near := make([][]float64, len(lags)) // by lag and place: the sum of class means nearby
	for n, lag := range lags {
		before := make([]float64, len(y)+1) // prefix sums of the class means, centred
		mean := 0.0
		for i, v := range values {
			mean += (v - y[i]) / float64(len(y))
		}
		for i, v := range values {
			before[i+1] = before[i] + v - y[i] - mean
		}
		near[n] = sets.List(len(y), func(i int) float64 {
			return before[min(len(y), i+lag+1)] - before[i+1] + before[i] - before[max(0, i-lag)]
		})
	}
	measure := func(y []float64) (list []float64) {
		for n, lag := range lags {
			t, whole := 2*lagged(y, lag), 0.0
			for i, v := range y {
				whole += float64(v * near[n][i])
			}
			list = append(list, t, t+whole)
		}
		return list
	}
	places := make([]int, len(y)) // the places, sorted by class
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(i, j int) int { return cmp.Compare(class[i], class[j]) })
	rng := rand.New(rand.NewPCG(uint64(len(y)), orders)) // the same for the same files
	own, drawn := measure(y), slices.Clone(y)
	sum, squares := make([]float64, len(own)), make([]float64, len(own)) // of the excess of the file's order over random ones
	for range orders {
		for from := 0; from < len(places); {
			to := from + 1
			for to < len(places) && class[places[to]] == class[places[from]] {
				to++
			}
			list := places[from:to]
			rng.Shuffle(len(list), func(a, b int) { drawn[list[a]], drawn[list[b]] = drawn[list[b]], drawn[list[a]] })
			from = to
		}
		for n, t := range measure(drawn) {
			more := own[n] - t
			sum[n] += more
			squares[n] += float64(more * more)
		}
	}
	for n := range own {
		more := sum[n] / orders
		sd := math.Sqrt(max(0, squares[n]-float64(more*sum[n])) / (orders - 1))
		if more > deviations*sd && more > 1e-6*math.Abs(own[n]) {
			return true
		}
	}
	return false
}

// leastFollowing is the fewest lines for which an order is looked for.
const leastFollowing = 50

// Follows reports whether lines near each other belong to persons whose values of column k are more alike than their
// released values show, by the mean over the persons to whom a line may belong. This is so where all lines are sorted
// by k, but also where they are sorted by k only within other columns, released or not, or only within parts of the
// file. What follows from the order of other released columns is no secret: columns whose values are more alike nearby
// than by chance are held fixed, and only lines with equal values in them are exchanged. If the columns by which a file
// is sorted first leave no others to tell persons apart, nothing is found. Cost: sorting the records.
func (c *Candidates) Follows(original, release *Records, k int) bool {
	score := c.scores(original, k)
	var lines []int // lines that fit somebody, sorted by their released values
	for i := range release.N {
		if !math.IsNaN(score[c.of[i]]) {
			lines = append(lines, i)
		}
	}
	if len(lines) < leastFollowing {
		return false
	}
	slices.SortStableFunc(lines, func(i, j int) int { return cmp.Compare(release.ID[k][i], release.ID[k][j]) })
	values := sets.Each(lines, func(i int) float64 { return score[c.of[i]] })
	released := classesOf(lines, func(i int) uint32 { return release.ID[k][i] }, nil)
	class := released
	for _, other := range c.columns {
		if other == k {
			continue
		}
		ids := release.id(other)
		if c.ordered(release, other, lines, released) {
			class = classesOf(lines, func(i int) uint32 { return ids[i] }, class)
		}
	}
	return tellsNear(values, class)
}

// codings is the number of random codings of its values by which a column is tested for an order.
const codings = 3

// ordered reports whether equal or near values of a released column stand near each other among lines with the same
// released value of another. It does not use the scores, because each contains a share of the line's own person.
func (c *Candidates) ordered(release *Records, column int, lines, released []int) bool {
	if column < len(release.ID) && alikeNear(centred(release.ranks(column, lines), released)) {
		return true
	}
	ids := release.id(column)
	of := classesOf(lines, func(i int) uint32 { return ids[i] }, nil)
	rng := rand.New(rand.NewPCG(uint64(column), codings))
	for range codings {
		code, values := make([]float64, slices.Max(of)+1), make([]float64, len(lines))
		for n := range code {
			code[n] = rng.NormFloat64()
		}
		for n, v := range of {
			values[n] = code[v]
		}
		if alikeNear(centred(values, released)) {
			return true
		}
	}
	return false
}

// scores returns the mean ranks, by column k, of the persons who may be those of the records of a row.
func (c *Candidates) scores(original *Records, k int) []float64 {
	rank := original.ranks(k, nil)
	sum, count := make([]float64, len(c.rows)), make([]float64, len(c.rows))
	step := max(1, original.N/orderedPlaces)
	for i := 0; i < original.N; i += step {
		c.each(original, int32(i), func(row int) {
			sum[row] += rank[i]
			count[row]++
		})
	}
	for row := range sum {
		sum[row] /= count[row] // NaN if the row fits nobody
	}
	return sum
}

// ranks returns the ranks of the values of column k of some records (nil: all) among the different values, by number if
// all are numbers, else by text.
func (r *Records) ranks(k int, records []int) []float64 {
	order := r.comparer(k)
	ids := slices.Compact(slices.Sorted(slices.Values(r.ID[k])))
	slices.SortStableFunc(ids, order)
	rank := map[uint32]float64{}
	for n, id := range ids {
		rank[id] = float64(n)
		if n > 0 && order(ids[n-1], id) == 0 {
			rank[id] = rank[ids[n-1]]
		}
	}
	var out []float64
	if records == nil {
		for _, id := range r.ID[k] {
			out = append(out, rank[id])
		}
	}
	for _, i := range records {
		out = append(out, rank[r.ID[k][i]])
	}
	return out
}

// classesOf numbers the values of lines, or the pairs of a value and a class.
func classesOf(lines []int, value func(i int) uint32, class []int) []int {
	at := map[[2]int]int{}
	out := make([]int, len(lines))
	for n, i := range lines {
		key := [2]int{int(value(i)), 0}
		if class != nil {
			key[1] = class[n]
		}
		number, ok := at[key]
		if !ok {
			number = len(at)
			at[key] = number
		}
		out[n] = number
	}
	return out
}
