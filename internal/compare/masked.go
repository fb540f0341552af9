package compare

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/masking"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxAveraged is the most records for which MDAV is redone; it costs their square.
const maxAveraged = 100_000

// maxWindow is the most pairs of a value and one near it that are kept.
const maxWindow = 50_000_000

// A Joint is a set of columns whose combined values stand for records of the original; it is column Place of the
// records, as [NewCandidates] numbers them.
type Joint struct {
	Columns []int
	Place   int
	Meaning *Meaning
}

// id returns the identifiers of the values of column k, or of a Joint.
func (r *Records) id(k int) []uint32 {
	if k < len(r.ID) {
		return r.ID[k]
	}
	return r.joint[k-len(r.ID)]
}

// averages finds columns whose values are averages of groups of records.
type averages struct {
	original, release *Records
	others            []*Records
	truth             []int32 // of all records, or nil
	some              []int32 // of some records, or nil
	meanings          map[int]*Meaning
	joints            []Joint
}

// Averages finds the columns whose released values are averages of groups of two or more records, as microaggregation
// makes them, and what they stand for. With truth (as for [Understand]) groups are the records with the same average.
// Without it, or with that of some records only, MDAV is redone by all such columns, by those whose values go together, and by each alone; for one column,
// groups of neighbouring ranks are tried too. Whoever knows all values of a person in columns averaged together knows
// her group, which is a Joint. Cost: that of MDAV if there is no truth.
func Averages(ctx context.Context, original, release *Records, others []*Records, columns []int, truth []int32) (map[int]*Meaning, []Joint, error) {
	a := &averages{original, release, others, truth, nil, map[int]*Meaning{}, nil}
	if original.N != release.N {
		return nil, nil, nil
	}
	if slices.Contains(truth, -1) {
		a.truth, a.some = nil, truth
	}
	some := sets.Where(columns, a.averaged)
	if len(some) == 0 {
		return nil, nil, nil
	}
	tried := [][]int{some}
	if same := a.unchanged(columns); len(same) > 0 { // they may have been averaged with the others, in groups that each have a single number
		tried = append(tried, slices.Sorted(slices.Values(slices.Concat(some, same))))
	}
	if parts := a.parts(some); len(parts) > 1 {
		tried = append(tried, parts...)
	}
	for _, k := range some {
		tried = append(tried, []int{k})
	}
	for _, list := range tried {
		if slices.ContainsFunc(list, func(k int) bool { return a.meanings[k] != nil }) {
			continue
		}
		of, err := a.groups(ctx, list)
		if err != nil {
			return nil, nil, err
		}
		if of != nil && a.agrees(list, of) {
			a.take(list, of)
		}
	}
	return a.meanings, a.joints, nil
}

// averaged reports whether the values of a column may be averages: numbers, each on two or more records, that differ
// from the original's but have the same sum.
func (a *averages) averaged(k int) bool {
	x, y := a.original.X[k], a.release.X[k]
	if x == nil || y == nil {
		return false
	}
	sum, most := 0.0, 0.0
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) {
			return false
		}
		sum += x[i] - y[i]
		most = max(most, math.Abs(x[i]))
	}
	if chance, _ := byChance(a.texts(a.release, k), a.texts(a.original, k)); chance < 0.001 {
		return false // rounded
	}
	return a.least([]int{k}) >= 2 && !SameNumbers(a.original, a.release, k) && math.Abs(sum) <= float64(len(x))*(a.near(k)+1e-9*most)
}

// unchanged returns the columns whose numbers are the same in the release, each on two or more records.
func (a *averages) unchanged(columns []int) (same []int) {
	for _, k := range columns {
		if SameNumbers(a.original, a.release, k) && a.least([]int{k}) >= 2 {
			same = append(same, k)
		}
	}
	return same
}

// near returns half a unit of the last decimal of the released values of a column.
func (a *averages) near(k int) float64 {
	return 0.5 * math.Pow10(-decimals(a.texts(a.release, k)))
}

// texts returns the different values of a column.
func (a *averages) texts(r *Records, k int) (list []string) {
	for _, id := range slices.Compact(slices.Sorted(slices.Values(r.ID[k]))) {
		list = append(list, r.values.Value(k, id))
	}
	return list
}

// tuples numbers the combinations of values in a file, and returns the number of each record's combination and how many
// records have each.
func tuples(r *Records, columns []int, at map[string]uint32) (of []uint32, count []int) {
	var key []byte
	for i := range r.N {
		key = key[:0]
		for _, k := range columns {
			key = appendBits(key, math.Float64bits(r.X[k][i]+0))
		}
		n, ok := at[string(key)]
		if !ok {
			n = uint32(len(at))
			at[string(key)] = n
		}
		for int(n) >= len(count) {
			count = append(count, 0)
		}
		of = append(of, n)
		count[n]++
	}
	return of, count
}

func appendBits(key []byte, u uint64) []byte {
	for range 8 {
		key = append(key, byte(u))
		u >>= 8
	}
	return key
}

// least returns the smallest number of records of the release that share the same values.
func (a *averages) least(columns []int) int {
	_, count := tuples(a.release, columns, map[string]uint32{})
	return slices.Min(count)
}

// parts groups columns whose values go together: no pair of values in two of them is on a single record.
func (a *averages) parts(columns []int) (parts [][]int) {
	for _, k := range columns {
		n := slices.IndexFunc(parts, func(p []int) bool { return a.least([]int{p[0], k}) >= 2 })
		if n < 0 {
			n = len(parts)
			parts = append(parts, nil)
		}
		parts[n] = append(parts[n], k)
	}
	return parts
}

// groups returns for each record of the original a record of the release with the averages of its group; nil if columns
// are not such averages.
func (a *averages) groups(ctx context.Context, columns []int) ([]int32, error) {
	least := a.least(columns)
	if least < 2 {
		return nil, nil
	}
	if a.truth != nil {
		of := make([]int32, a.original.N)
		group := make([]int32, a.original.N)
		released, _ := tuples(a.release, columns, map[string]uint32{})
		for i, j := range a.truth {
			of[j], group[j] = int32(i), int32(released[i])
		}
		if a.fit(columns, group, func(g int32, j int32) int32 { return of[j] }) == nil {
			return nil, nil
		}
		return of, nil
	}
	if a.original.N <= maxAveraged {
		group, err := masking.MDAV(ctx, pickColumns(a.original, columns), least)
		if err != nil {
			return nil, err
		}
		if of := a.matched(columns, group); of != nil {
			return of, nil
		}
	}
	if len(columns) > 1 {
		return nil, nil
	}
	// The smallest average belongs to the smallest numbers, and so on.
	k := columns[0]
	group := make([]int32, a.original.N)
	records, averages := byValue(a.original.X[k]), byValue(a.release.X[k])
	for r, j := range records {
		group[j] = averages[r]
		if r > 0 && a.release.X[k][averages[r]] == a.release.X[k][averages[r-1]] {
			group[j] = group[records[r-1]]
		}
	}
	return a.fit(columns, group, func(g, _ int32) int32 { return g }), nil
}

// agrees reports whether the records whose original is known have the averages that of finds for these.
func (a *averages) agrees(columns []int, of []int32) bool {
	for i, j := range a.some {
		if j >= 0 && slices.ContainsFunc(columns, func(k int) bool { return a.release.X[k][i] != a.release.X[k][of[j]] }) {
			return false
		}
	}
	return true
}

func pickColumns(r *Records, columns []int) (x [][]float64) {
	for _, k := range columns {
		x = append(x, r.X[k])
	}
	return x
}

// byValue returns the records in the order of their numbers.
func byValue(x []float64) []int32 {
	order := sets.Upto(int32(len(x)))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
	return order
}

// fit returns for each record of the original the record of the release that at gives; nil unless that record has the
// averages of the group.
func (a *averages) fit(columns []int, group []int32, at func(g, j int32) int32) []int32 {
	of := make([]int32, len(group))
	for _, k := range columns {
		sum, size := map[int32]float64{}, map[int32]float64{}
		for j, g := range group {
			sum[g] += a.original.X[k][j]
			size[g]++
		}
		near := a.near(k)
		for j, g := range group {
			of[j] = at(g, int32(j))
			mean, v := sum[g]/size[g], a.release.X[k][of[j]]
			if math.Abs(v-mean) > float64(near*(1+1e-9))+float64(1e-9*math.Abs(mean)) {
				return nil
			}
		}
	}
	return of
}

// halves are the ways of rounding averages half-way between two numbers: to the even one, up or down.
var halves = []func(q, twice, size int64) bool{
	func(q, twice, size int64) bool { return twice > size || twice == size && q&1 == 1 },
	func(_, twice, size int64) bool { return twice >= size },
	func(_, twice, size int64) bool { return twice > size },
}

// matched finds the averages of groups among the released ones; nil unless each is on as many records as its group has.
func (a *averages) matched(columns []int, group []int32) []int32 {
	groups := int(slices.Max(group)) + 1
	size := make([]int64, groups)
	for _, g := range group {
		size[g]++
	}
	at := map[string]uint32{}
	released, count := tuples(a.release, columns, at)
	first := make([]int32, len(count))
	for i := len(released) - 1; i >= 0; i-- {
		first[released[i]] = int32(i)
	}
	record := make([]int32, groups)
rounding:
	for _, up := range halves {
		key := make([][]byte, groups)
		for _, k := range columns {
			scale, digits := decimals(a.texts(a.original, k)), decimals(a.texts(a.release, k))
			sum := make([]int64, groups) // in units of 10^−max(scale, digits)
			unit := math.Pow10(max(scale, digits))
			for j, g := range group {
				x := math.Round(a.original.X[k][j] * unit)
				if math.Abs(x) > 1<<52/float64(len(group)) {
					return nil // the sum would not be exact
				}
				sum[g] += int64(x)
			}
			for g, s := range sum {
				n := size[g] * int64(math.Pow10(max(0, scale-digits)))
				q := s / n
				if s%n < 0 {
					q--
				}
				if up(q, 2*(s-q*n), n) {
					q++
				}
				key[g] = appendBits(key[g], math.Float64bits(float64(q)/math.Pow10(digits)+0))
			}
		}
		left := slices.Clone(count)
		for g := range groups {
			n, ok := at[string(key[g])]
			if !ok {
				continue rounding
			}
			record[g] = first[n]
			left[n] -= int(size[g])
		}
		if !slices.ContainsFunc(left, func(n int) bool { return n != 0 }) {
			return a.fit(columns, group, func(g, _ int32) int32 { return record[g] })
		}
	}
	return nil
}

// decimals returns the largest number of decimals of some numbers.
func decimals(texts []string) (n int) {
	for _, t := range texts {
		_, part, _ := strings.Cut(t, ".")
		n = max(n, len(part))
	}
	return n
}

// take records what columns stand for; of holds for each record of the original a record of the release.
func (a *averages) take(columns []int, of []int32) {
	form := i18n.T("averages of groups of %d records or more", a.least(columns))
	if len(columns) > 1 {
		var names i18n.List
		for _, k := range columns {
			names.Items = append(names.Items, i18n.T("%s", a.original.values.Names()[k]))
		}
		form = i18n.T("averages of groups of %d records or more, by %s", a.least(columns), names)
	}
	for _, k := range columns {
		a.meanings[k] = standing(a.original.ID[k], a.release.ID[k], of, form)
	}
	if len(columns) == 1 {
		return
	}
	at := map[string]uint32{}
	original, _ := tuples(a.original, columns, at)
	released, _ := tuples(a.release, columns, map[string]uint32{})
	a.original.joint, a.release.joint = append(a.original.joint, original), append(a.release.joint, released)
	for _, f := range a.others {
		other, _ := tuples(f, columns, at)
		f.joint = append(f.joint, other)
	}
	m := standing(original, released, of, form)
	m.together = len(columns)
	a.joints = append(a.joints, Joint{columns, len(a.original.ID) + len(a.original.joint) - 1, m})
}

// standing returns the meaning by which an original value stands as the released value at of.
func standing(original, released []uint32, of []int32, form i18n.Text) *Meaning {
	m := &Meaning{Kind: Sets, Forms: []i18n.Text{form}, size: map[uint32]int{}, any: map[uint32]bool{}}
	if len(original) > 0 {
		m.within = make([][]uint32, slices.Max(original)+1)
	}
	for j, id := range original {
		if v := released[of[j]]; !slices.Contains(m.within[id], v) {
			m.within[id] = append(m.within[id], v)
			m.size[v]++
		}
	}
	for _, list := range m.within {
		if slices.Sort(list); len(list) > 0 {
			m.different++
		}
	}
	return m
}

// SameNumbers reports whether column k has the same numbers in both files, each equally often, with none missing.
func SameNumbers(original, release *Records, k int) bool {
	if original.X[k] == nil || release.X[k] == nil {
		return false
	}
	return slices.Equal(slices.Sorted(slices.Values(original.X[k])), slices.Sorted(slices.Values(release.X[k]))) // NaN equals nothing
}

// Swapped returns what the values of a column stand for that were exchanged within a window of ranks, as rank swapping
// does: the values with ranks that near; nil if the files have different numbers. percent is the window in percent of
// the records. If it is nil, the window is the largest move that a record with known original shows, and there is none
// if no such record changed.
func Swapped(original, release *Records, k int, truth []int32, percent *big.Rat) *Meaning {
	if percent == nil && truth == nil || !SameNumbers(original, release, k) {
		return nil
	}
	x, y := original.X[k], release.X[k]
	p := slices.Sorted(slices.Values(x))
	low := func(v float64) int { n, _ := slices.BinarySearch(p, v); return n }
	high := func(v float64) int { return low(math.Nextafter(v, math.Inf(1))) - 1 }
	window := 0
	if percent != nil {
		w := new(big.Rat).Mul(percent, big.NewRat(int64(original.N), 100))
		window = int(new(big.Int).Quo(w.Num(), w.Denom()).Int64())
	} else {
		for i, j := range truth {
			if j < 0 {
				continue
			}
			window = max(window, low(y[i])-high(x[j]), low(x[j])-high(y[i]))
		}
	}
	if window == 0 {
		return nil
	}
	m := &Meaning{Kind: Sets, Forms: []i18n.Text{i18n.T("values whose ranks are within %d", window)}, size: map[uint32]int{}, any: map[uint32]bool{}, exchanged: true, Guessed: percent == nil}
	number := map[uint32]float64{}
	var ids []uint32 // values of both files, in the order of their numbers
	for _, f := range []*Records{original, release} {
		for i, id := range f.ID[k] {
			if _, ok := number[id]; !ok {
				number[id] = f.X[k][i]
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Or(cmp.Compare(number[a], number[b]), cmp.Compare(a, b)) })
	m.within = make([][]uint32, slices.Max(ids)+1)
	m.different = len(ids)
	from, pairs := 0, 0
	for _, id := range ids {
		v := number[id]
		for low(v)-high(number[ids[from]]) > window {
			from++
		}
		reach := high(v) + window
		for _, u := range ids[from:] {
			if low(number[u]) > reach {
				break
			}
			if pairs++; pairs > maxWindow {
				return nil
			}
			m.within[id] = append(m.within[id], u)
			m.size[u]++
		}
		slices.Sort(m.within[id])
	}
	return m
}
