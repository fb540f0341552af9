package tabletest

import (
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/table"
)

// Dimension draws a tree of two to eight of the codes below Total.
func Dimension(t *rapid.T, name string, codes []string) table.Dimension {
	codes = rapid.SliceOfNDistinct(rapid.SampledFrom(codes), 2, 8, rapid.ID).Draw(t, "codes of "+name)
	edges := make([]table.Edge, len(codes))
	for i, c := range codes {
		parent := rapid.IntRange(-1, i-1).Draw(t, "parent")
		edges[i] = table.Edge{Code: c, Parent: "Total", Line: i}
		if parent >= 0 {
			edges[i].Parent = codes[parent]
		}
	}
	d, err := table.NewDimension(name, "Total", edges)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
