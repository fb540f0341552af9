package render

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/table"
)

func TestExactJSON(t *testing.T) {
	for _, tc := range []struct {
		x    Exact
		want string
	}{
		{Decimal(1234, 2), "12.34"},
		{Decimal(-5, 0), "-5"},
		{Decimal(table.PosInf, 2), "null"},
		{Decimal(table.NegInf, 0), "null"},
		{Ratio(nil, 0), "null"},
		{Ratio(big.NewRat(5, 2), 0), "2.5"},
		{Ratio(big.NewRat(1, 3), 0), `"1/3"`},
	} {
		got, err := json.Marshal(tc.x)
		if err != nil || string(got) != tc.want {
			t.Errorf("Marshal(%q) = %s, %v; want %s", tc.x, got, err, tc.want)
		}
	}
}
