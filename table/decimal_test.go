package table

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseDecimal(t *testing.T) {
	for _, tc := range []struct {
		in       string
		unscaled int64
		scale    int
		err      error
	}{
		{"0", 0, 0, nil},
		{"-0.00", 0, 0, nil},
		{"42", 42, 0, nil},
		{" +42 ", 42, 0, nil},
		{"-1.50", -15, 1, nil},
		{"100", 100, 0, nil},
		{"1.", 1, 0, nil},
		{".5", 5, 1, nil},
		{"0,25", 25, 2, nil},
		{"007", 7, 0, nil},
		{"1e3", 1000, 0, nil},
		{"1.5E+2", 150, 0, nil},
		{"25e-2", 25, 2, nil},
		{"100e-1", 10, 0, nil},
		{"1.0000000000000000000000000", 1, 0, nil},
		{"0e99999", 0, 0, nil},
		{"1000000000000000000", 1e18, 0, nil},
		{"0.000000000000001", 1, 15, nil},
		{"1000000000000000001", 0, 0, ErrOutOfRange},
		{"18446744073709551617", 0, 0, ErrOutOfRange}, // 2^64 + 1
		{"0.0000000000000001", 0, 0, ErrOutOfRange},
		{"1e308", 0, 0, ErrOutOfRange},
		{"1e-308", 0, 0, ErrOutOfRange},
		{"", 0, 0, ErrNotNumber},
		{" ", 0, 0, ErrNotNumber},
		{".", 0, 0, ErrNotNumber},
		{"-", 0, 0, ErrNotNumber},
		{"--1", 0, 0, ErrNotNumber},
		{"1e", 0, 0, ErrNotNumber},
		{"e5", 0, 0, ErrNotNumber},
		{"1e5.5", 0, 0, ErrNotNumber},
		{"1 000", 0, 0, ErrNotNumber},
		{"1,234,567", 0, 0, ErrNotNumber},
		{"1,234.5", 0, 0, ErrNotNumber},
		{"1.234.5", 0, 0, ErrNotNumber},
		{"NaN", 0, 0, ErrNotNumber},
		{"Inf", 0, 0, ErrNotNumber},
		{"0x1F", 0, 0, ErrNotNumber},
		{"1_000", 0, 0, ErrNotNumber},
		{"１", 0, 0, ErrNotNumber},
	} {
		d, err := ParseDecimal(tc.in)
		if !errors.Is(err, tc.err) || d != (Decimal{tc.unscaled, tc.scale}) {
			t.Errorf("ParseDecimal(%q) = %v, %v; want %d·10^−%d, %v", tc.in, d, err, tc.unscaled, tc.scale, tc.err)
		}
	}
}

func TestDecimalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64Range(-maxMagnitude, maxMagnitude).Draw(t, "unscaled")
		scale := rapid.IntRange(0, MaxDecimals).Draw(t, "scale")
		s := FormatDecimal(v, scale)
		d, err := ParseDecimal(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if u, ok := d.At(scale); !ok || u != v {
			t.Fatalf("%s is %d·10^−%d, want %d", s, u, scale, v)
		}
		if d.String() != s || d.Scale > scale || d.Scale > 0 && d.Unscaled%10 == 0 {
			t.Fatalf("%s became %+v", s, d)
		}
	})
}

func TestAt(t *testing.T) {
	for _, tc := range []struct {
		d     Decimal
		scale int
		want  int64
		ok    bool
	}{
		{Decimal{15, 1}, 3, 1500, true},
		{Decimal{1500, 3}, 1, 15, true},
		{Decimal{15, 1}, 0, 0, false},
		{Decimal{maxMagnitude, 0}, 1, 0, false},
		{Decimal{-maxMagnitude / 10, 0}, 1, -maxMagnitude, true},
	} {
		if v, ok := tc.d.At(tc.scale); v != tc.want || ok != tc.ok {
			t.Errorf("%v.At(%d) = %d, %v; want %d, %v", tc.d, tc.scale, v, ok, tc.want, tc.ok)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, tc := range []struct {
		v     int64
		scale int
		want  string
	}{
		{5, 0, "5"}, {5, 1, "0.5"}, {-5, 3, "-0.005"}, {50, 1, "5"}, {0, 4, "0"}, {-7, -2, "-700"}, {0, -3, "0"}, {PosInf, 2, "inf"}, {NegInf, 0, "-inf"},
	} {
		if s := FormatDecimal(tc.v, tc.scale); s != tc.want {
			t.Errorf("FormatDecimal(%d, %d) = %s, want %s", tc.v, tc.scale, s, tc.want)
		}
	}
	for _, tc := range []struct {
		p, q  int64
		scale int
		want  string
	}{
		{7, 1, 0, "7"}, {7, 2, 0, "3.5"}, {-7, 4, 1, "-0.175"}, {1, 3, 0, "1/3"}, {1, 3, 1, "1/30"}, {20, 1, 1, "2"}, {1, 1 << 20, 0, "1/1048576"},
	} {
		if s := FormatRat(big.NewRat(tc.p, tc.q), tc.scale); s != tc.want {
			t.Errorf("FormatRat(%d/%d, %d) = %s, want %s", tc.p, tc.q, tc.scale, s, tc.want)
		}
	}
}

func TestAddExact(t *testing.T) {
	for _, tc := range []struct {
		a, b, sum int64
		ok        bool
	}{
		{1, 2, 3, true}, {-1, 1, 0, true}, {0, 0, 0, true}, {0, -5, -5, true},
		{math.MaxInt64 - 1, 1, 0, false}, {math.MinInt64 + 1, -1, 0, false},
		{PosInf, -1, 0, false}, {NegInf, 1, 0, false}, {1 << 62, 1 << 62, 0, false},
	} {
		if c, ok := addExact(tc.a, tc.b); ok != tc.ok || ok && c != tc.sum {
			t.Errorf("%d + %d = %d, %v", tc.a, tc.b, c, ok)
		}
	}
}

// What is accepted is exactly what the text says.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"0", "-1.50", "0,25", "1e3", "25e-2", "100e-1", "1000000000000000001", "1e308", "2,933", ".5", "1.", "1,2.3", "NaN", " 7 ", "0x10", "9e99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDecimal(s)
		if err != nil {
			if d != (Decimal{}) || !errors.Is(err, ErrNotNumber) && !errors.Is(err, ErrOutOfRange) && !errors.Is(err, ErrEither) {
				t.Fatalf("%q: %v, %v", s, d, err)
			}
			return
		}
		clean := strings.Replace(strings.TrimSpace(s), ",", ".", 1)
		want, ok := new(big.Rat).SetString(clean)
		if !ok {
			t.Fatalf("%q was taken for %v", s, d)
		}
		got := new(big.Rat).Quo(new(big.Rat).SetInt64(d.Unscaled), new(big.Rat).SetInt64(Pow10(d.Scale)))
		if got.Cmp(want) != 0 {
			t.Fatalf("%q is %v, read as %v", s, want, got)
		}
		if again, err := ParseDecimal(d.String()); err != nil || again != d {
			t.Fatalf("%q: %v written as %s", s, d, d)
		}
	})
}
