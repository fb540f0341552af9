package main

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hitoku/hitoku/table"
)

func TestExactJSON(t *testing.T) {
	for _, tc := range []struct {
		x    exact
		want string
	}{
		{decimal(1234, 2), "12.34"},
		{decimal(-5, 0), "-5"},
		{decimal(table.PosInf, 2), "null"},
		{decimal(table.NegInf, 0), "null"},
		{ratio(nil, 0), "null"},
		{ratio(big.NewRat(5, 2), 0), "2.5"},
		{ratio(big.NewRat(1, 3), 0), `"1/3"`},
	} {
		got, err := json.Marshal(tc.x)
		if err != nil || string(got) != tc.want {
			t.Errorf("Marshal(%q) = %s, %v; want %s", tc.x, got, err, tc.want)
		}
	}
}
