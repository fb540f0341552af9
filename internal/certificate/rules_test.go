package certificate

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// fixed is a rule whose row is given.
type fixed struct{ r *row }

func (f *fixed) row(*book) (*row, error) { return f.r, nil }
func (f *fixed) write(*writer) line      { return line{} }

// holds reports whether x obeys r.
func (r *row) holds(x uint) bool {
	sum := new(big.Int)
	for t, i := range r.idx {
		if x>>i&1 != 0 {
			sum.Add(sum, big.NewInt(r.at(t)))
		}
	}
	return sum.Cmp(big.NewInt(r.rhs)) >= 0
}

// Rows derived from rows hold wherever those do, on all 0/1 points: covers, rounding
// rows with any weights and complemented cells, and both in chains.
func TestDerivedRows(t *testing.T) {
	derived := map[string]int{}
	for tries := 0; tries < 20 && (derived["cover"] < 20 || derived["round"] < 20); tries++ { // few rows are drawn under -short
		derivedRows(t, derived)
	}
	if derived["cover"] < 20 || derived["round"] < 20 {
		t.Errorf("rows put to the test: %v", derived)
	}
}

// derivedRows counts the rows that it puts to the test.
func derivedRows(t *testing.T, derived map[string]int) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 7
		b := &book{p: &problem{n: n}, rows: map[Rule]*row{}, most: 1 << 20, mark: make([]bool, n)}
		subset := func(name string) []int32 {
			var s []int32
			for i := range int32(n) {
				if rapid.IntRange(0, 2).Draw(t, name) == 0 {
					s = append(s, i)
				}
			}
			return s
		}
		var rules []Rule
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			r := &row{rhs: one, idx: subset("cells")}
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0: // all one
			case 1: // like a bridge
				r.neg, r.rhs = true, 0
				for range r.idx {
					r.coef = append(r.coef, one*rapid.Int64Range(-2, 2).Draw(t, "coef"))
				}
			default:
				for range r.idx {
					r.coef = append(r.coef, rapid.SampledFrom([]int64{one, one / 2, one / 3, one/2 + 1, one - 1, 1, 12345678}).Draw(t, "coef"))
				}
			}
			rules = append(rules, &fixed{r})
		}
		first := len(rules)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			var rule Rule
			if of := rapid.SampledFrom(rules).Draw(t, "of"); rapid.Bool().Draw(t, "cover") {
				rule = &Cover{Of: of, Spend: subset("spend")}
			} else {
				c := &Round{Of: []Rule{of}, Mult: []int64{rapid.Int64Range(1, 9).Draw(t, "mult")},
					Div: rapid.Int64Range(1, 6).Draw(t, "div"), Flip: subset("flip")}
				for _, r := range rules {
					if rapid.Bool().Draw(t, "sum") {
						c.Of, c.Mult = append(c.Of, r), append(c.Mult, rapid.Int64Range(1, 9).Draw(t, "mult"))
					}
				}
				rule = c
			}
			r, err := b.derive(rule)
			for _, m := range b.mark {
				if m {
					t.Fatal("marks are left")
				}
			}
			if err != nil {
				continue
			}
			rules = append(rules, rule)
			if _, isCover := rule.(*Cover); isCover {
				derived["cover"]++
			} else {
				derived["round"]++
			}
			if !r.neg {
				if r.rhs != one {
					t.Fatalf("right-hand side %d of a row without negative coefficients", r.rhs)
				}
				for s := range r.idx {
					if c := r.at(s); c < 1 || c > one {
						t.Fatalf("coefficient %d outside (0, 1]", c)
					}
				}
			}
		points:
			for x := range uint(1) << n {
				for _, of := range rules[:first] {
					if from, _ := b.derive(of); !from.holds(x) {
						continue points
					}
				}
				if !r.holds(x) {
					t.Fatalf("%T: %v·x%v ≥ %d fails at %b", rule, r.coef, r.idx, r.rhs, x)
				}
			}
		}
	})
}
