package tabulate

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A same is a pair of cells of two tables that have the same records under different codes.
type same struct {
	table [2]int // indices of the tables
	codes [2][]string
}

// Classes returns the spec of the table that Equal needs: the records classified by all dimensions of specs together,
// without margins.
func Classes(specs []Spec) Spec {
	c := Spec{Name: "\x00classes", Bare: true}
	for _, s := range specs {
		for _, d := range s.Dims {
			if !slices.ContainsFunc(c.Dims, func(e string) bool { return strings.EqualFold(d, e) }) {
				c.Dims = append(c.Dims, d)
			}
		}
	}
	return c
}

// A sum is a hash of a set of classes that does not depend on their order.
type sum struct {
	a, b uint64
	n    int32
}

// Equal finds cells of different tables, with the same response and weights, that have the same records. classes is the
// result of Classes(specs) for the specs of the tables. Sets of classes are compared by the sum of their members'
// hashes, and exactly if these agree. Cells that are the same by their codes, or because margins have a single part,
// are left out. found gets the indices of the two tables and the codes in each. Tables with recodings are an error.
// Cost: for each table, classes times the margins above them.
func Equal(classes *Result, tables []*Result, found func(table [2]int, codes [2][]string)) error {
	hashes := make([]map[key]sum, len(tables))
	at := make([][]int, len(tables))
	for n, r := range tables {
		if len(r.Spec.Recode) > 0 {
			return i18n.Errorf("table %s: its records cannot be compared with those of others, as it is recoded", r.Spec.Name)
		}
		for _, d := range r.Spec.Dims {
			at[n] = append(at[n], slices.IndexFunc(classes.Spec.Dims, func(e string) bool { return strings.EqualFold(d, e) }))
		}
		hashes[n] = map[key]sum{}
		eachClass(classes, r, at[n], func(c int, k key) {
			h := hashes[n][k]
			hashes[n][k] = sum{h.a + num.Mix(uint64(c)), h.b + num.Mix(^uint64(c)), h.n + 1}
		})
	}
	places := map[sum][]place{}
	var order []sum
	for n, r := range tables {
		for _, i := range r.order {
			k := r.cells.key[i]
			h := hashes[n][k]
			if places[h] == nil {
				order = append(order, h)
			}
			places[h] = append(places[h], place{n, k})
		}
	}
	x := &equality{classes: classes, tables: tables, at: at}
	var candidates [][]place
	for _, h := range order {
		if list := x.apart(places[h]); list != nil {
			candidates = append(candidates, list)
		}
	}
	for _, s := range x.compare(candidates) {
		found(s.table, s.codes)
	}
	return nil
}

// eachClass calls do for every class and every cell of r that contains it.
func eachClass(classes, r *Result, at []int, do func(c int, k key)) {
	for c, class := range classes.cells.key {
		var k key
		for d, e := range at {
			k.set(d, class.code(e))
		}
		r.above(k, func(k key) { do(c, k) })
	}
}

// A place is a cell of one of the tables.
type place struct {
	table int
	key   key
}

// An equality compares sets of classes.
type equality struct {
	classes *Result
	tables  []*Result
	at      [][]int
}

// alike reports whether the values of two tables can be compared.
func (x *equality) alike(a, b int) bool {
	s, t := &x.tables[a].Spec, &x.tables[b].Spec
	return strings.EqualFold(s.Response, t.Response) && strings.EqualFold(s.Weight, t.Weight)
}

// codes returns the codes of a cell in the dimensions of the classes; 0, the total, for a dimension that its table
// lacks.
func (x *equality) codes(p place) []int32 {
	all := make([]int32, len(x.classes.Dims))
	for d, e := range x.at[p.table] {
		all[e] = p.key.code(d)
	}
	return all
}

// apart takes cells with equal hashes, ordered by table, and returns the first cell of each table, except of tables
// with a cell that has the codes of one in an earlier table; nil if fewer than two remain.
func (x *equality) apart(list []place) []place {
	var out []place
	for n := 0; n < len(list); {
		end := n + 1
		for end < len(list) && list[end].table == list[n].table {
			end++
		}
		same := false
		for _, p := range list[n:end] {
			for _, q := range list[:n] {
				same = same || x.alike(q.table, p.table) && slices.Equal(x.codes(p), x.codes(q))
			}
		}
		if !same {
			out = append(out, list[n])
		}
		n = end
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// compare returns the candidates whose sets really are equal, each paired with the first comparable cell.
func (x *equality) compare(candidates [][]place) []same {
	want := sets.List(len(x.tables), func(_ int) map[key][]int { return map[key][]int{} })
	for _, list := range candidates {
		for _, p := range list {
			want[p.table][p.key] = []int{}
		}
	}
	for n, r := range x.tables {
		if len(want[n]) == 0 {
			continue
		}
		eachClass(x.classes, r, x.at[n], func(c int, k key) {
			if set, ok := want[n][k]; ok {
				want[n][k] = append(set, c)
			}
		})
	}
	var out []same
	for _, list := range candidates {
		for m, p := range list {
			for _, q := range list[:m] {
				if x.alike(q.table, p.table) && slices.Equal(want[q.table][q.key], want[p.table][p.key]) {
					out = append(out, same{[2]int{q.table, p.table}, [2][]string{x.names(q), x.names(p)}})
					break
				}
			}
		}
	}
	return out
}

// names returns the codes of a cell as text.
func (x *equality) names(p place) []string {
	r := x.tables[p.table]
	return sets.List(len(r.Dims), func(d int) string { return r.Dims[d].Codes[p.key.code(d)] })
}
