package layout

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// BenchmarkOpen reads a table of districts and towns with the share of each number in its row, and accounts for all numbers: seconds should grow as
// cells do.
func BenchmarkOpen(b *testing.B) {
	for _, districts := range []int{6, 12, 25, 50} {
		text := manyTowns(districts)
		b.Run(fmt.Sprint(districts*20*40), func(b *testing.B) {
			for b.Loop() {
				s, err := Open(strings.NewReader(text), "towns.csv", "", "", Options{})
				if err != nil {
					b.Fatal(err)
				}
				if a := s.Account(nil); len(a.Unknown) > 0 {
					b.Fatal(a.Words())
				}
			}
		})
	}
}

// TestManyShares reads shares of which those of the total are 100, written without decimals.
func TestManyShares(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(manyTowns(2)), "towns.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Reading.Tables[0].Cells); n != 41*20 || len(s.Reading.Tables[0].Derived) != 41*20 {
		t.Errorf("%d cells, %d computed", n, len(s.Reading.Tables[0].Derived))
	}
}

// manyTowns is a table of districts of 19 towns each by 19 classes and their total, with shares of the total behind.
func manyTowns(districts int) string {
	rng := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString("Persons by area and class\nArea")
	for _, form := range []string{",class %d", ",class %d %%"} {
		for c := range 19 {
			fmt.Fprintf(&b, form, c+1)
		}
		b.WriteString(strings.Replace(strings.Replace(form, "class %d", "Total", 1), "%%", "%", 1))
	}
	b.WriteByte('\n')
	rows := [][]int{make([]int, 20)}
	names := []string{"All areas"}
	for d := range districts {
		at := len(rows)
		rows, names = append(rows, make([]int, 20)), append(names, fmt.Sprintf("District %c%d", 'A'+d%26, d))
		for k := range 19 {
			row := make([]int, 20)
			for c := range 19 {
				row[c] = int(rng.ExpFloat64() * 40)
				row[19] += row[c]
			}
			for c, v := range row {
				rows[at][c] += v
				rows[0][c] += v
			}
			rows, names = append(rows, row), append(names, fmt.Sprintf("  Town %c%d-%d", 'A'+d%26, d, k))
		}
	}
	for i, row := range rows {
		b.WriteString(names[i])
		for _, v := range row {
			fmt.Fprintf(&b, ",%d", v)
		}
		for c, v := range row {
			if c == 19 {
				b.WriteString(",100")
			} else {
				fmt.Fprintf(&b, ",%.1f", 100*float64(v)/float64(row[19]))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
