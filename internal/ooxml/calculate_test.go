package ooxml

import "testing"

// What spreadsheet programs show for formulas as tables have them, and what is refused.
func TestCalculate(t *testing.T) {
	cells := map[[2]int]Value{{1, 1}: {Number: 3, Kind: IsNumber}, {2, 1}: {Number: 4.5, Kind: IsNumber}, {3, 1}: {Text: "x", Kind: IsText}, {5, 1}: {Number: -2, Kind: IsNumber}}
	at := func(sheet string, row, col int) (Value, error) {
		if sheet == "Old years" {
			return Value{Number: float64(100 * row), Kind: IsNumber}, nil
		}
		return cells[[2]int{row, col}], nil
	}
	for formula, want := range map[string]string{
		"SUM(A1:A5)":                    "5.5",
		"SUM($A$1:A2,A5,10)":            "15.5",
		"A1+A2*2-A5/4":                  "12.5",
		"-(A1-A2)^2":                    "2.25",
		"A1/A2*100":                     "66.6666666666667",
		"ROUND(A1/A2*100,1)":            "66.7",
		"ROUND(2.675,2)":                "2.68",
		"ROUND(-2.5,0)":                 "-3",
		"ROUNDUP(A1/A2,0)":              "1",
		"ROUNDDOWN(-1.29,1)":            "-1.2",
		"'Old years'!B2-A1":             "197",
		"SUBTOTAL(9,A1:A5)":             "5.5",
		"AVERAGE(A1:A2)":                "3.75",
		"MAX(A1:A5)-MIN(A1:A5)":         "6.5",
		`IF(A4=0,"–",A1/A4)`:            "–",
		`IF(A1>2,A1/A1,"–")`:            "1",
		"IFERROR(A1/A4,0)":              "0",
		"A1%":                           "0.03",
		"0.1+0.2-0.3":                   "0",
		"COUNT(A1:A5)":                  "3",
		"_xlfn.SUM( A1 , A2 )":          "7.5",
		`HYPERLINK("#'t 1'!A1",A2)`:     "4.5",
		`HYPERLINK("https://x")`:        "https://x",
		"A1/A4":                         "it has no number for its result",
		"A1+A3":                         "it has no number for its result",
		"VLOOKUP(A1,A1:A5,1)":           "it is more than sums, differences, products, quotients, rounding and comparisons",
		"SUM(A1:A2":                     "it is more than sums, differences, products, quotients, rounding and comparisons",
		"Rate*A1":                       "it is more than sums, differences, products, quotients, rounding and comparisons",
		"A1:A5":                         "it is more than sums, differences, products, quotients, rounding and comparisons",
		"":                              "it is more than sums, differences, products, quotients, rounding and comparisons",
		"A1 A2":                         "it is more than sums, differences, products, quotients, rounding and comparisons",
		"((((((((((A1))))))))))":        "3",
		"SUM(A1:XFD1048576)":            "it is more than sums, differences, products, quotients, rounding and comparisons",
		"1E3+A1":                        "1003",
		"A1<>A2":                        "1",
		`IF(A3="X",1,2)`:                "1",
		"SUM(A1:A5)/COUNT(A1:A5)+A4*A1": "1.83333333333333",
	} {
		v, err := Calculate(formula, at)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", formula, got, want)
		}
	}
}

// No text is read beyond its end, or without end.
func FuzzCalculate(f *testing.F) {
	f.Add("SUM(A1:A3)/ROUND('a b'!$B$2,1)%")
	f.Add(`IF(A1="",-((1)),"x")`)
	f.Fuzz(func(t *testing.T, s string) {
		_, _ = Calculate(s, func(string, int, int) (Value, error) { return Value{}, nil })
	})
}
