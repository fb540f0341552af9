package nullspace_test

import (
	"context"
	"fmt"

	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/table"
)

// Two rows with 4 and 3 left, two columns with 5 and 2 left: three tables.
func Example() {
	rel := table.NewRelations(4)
	rel.Add([]int32{0, 1}, []int32{1, 1}, 4)
	rel.Add([]int32{2, 3}, []int32{1, 1}, 3)
	rel.Add([]int32{0, 2}, []int32{1, 1}, 5)
	rel.Add([]int32{1, 3}, []int32{1, 1}, 2)
	f, err := nullspace.New(rel, []int32{0, 1, 2, 3}, make([]int64, 4), nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	n, _, err := f.Count(ctx, nil)
	fmt.Println("dimension", f.Dim(), "points", n, err)
	for y := range f.Points(ctx) {
		fmt.Println(y)
	}
	// Output:
	// dimension 1 points 3 <nil>
	// [2 2 3 0]
	// [3 1 2 1]
	// [4 0 1 2]
}
