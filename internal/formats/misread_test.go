package formats

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/table"
)

// What a hostile or careless file holds is refused with a remedy, or read as it says; never read
// wrongly without a word. want is part of the error, or "" and value the total.
func TestMisread(t *testing.T) {
	t.Parallel()
	const cross = "r,a,b\nx,10,20\ny,3,4\n"
	for _, c := range []struct {
		name, text, want, total string
	}{
		{"sound", cross, "", "37"},
		{"byte order mark", "\ufeff" + cross, "", "37"},
		{"blank rows between", "r,a,b\nx,10,20\n\n,,\ny,3,4\n", "", "37"},
		{"trailing blanks", "r,a ,b\nx ,10 , 20\ny,3,4\n", "", "37"},
		{"ideographic blanks", "r,a,b\nx\u3000,10,20\ny,3,4\n", "", "37"},
		{"column twice", "r,a,a\nx,10,20\n", "code given twice", ""},
		{"column twice but for a blank", "r,a,a \nx,10,20\n", "code given twice", ""},
		{"tidy column twice", "r,value,Value\nx,10,20\n", "column name given twice", ""},
		{"row twice", "r,a,b\nx,10,20\nx,3,4\n", "code given twice", ""},
		{"row twice but for a blank", "r,a,b\nx,10,20\nx ,3,4\n", "code given twice", ""},
		{"tidy row twice", "r,freq\nx,10\nx,10\n", "cell given twice", ""},
		{"empty code", "r,a,b\nx,10,20\n,3,4\n", "empty, want the code of this row", ""},
		{"empty tidy code", "r,s,freq\nx,u,3\n,v,4\n", "empty, want a code", ""},
		{"column without name", "r,a,\nx,10,20\n", "has no code", ""},
		{"full-width code", "r,freq\nA1,10\nＡ１,3\n", "write both alike", ""},
		{"invisible blank", "r,freq\nA1,10\nA1\u200b,3\n", "write both alike", ""},
		{"two blanks", "r,freq\nA 1,10\nA  1,3\n", "write both alike", ""},
		{"full-width digits", "r,a,b\nx,１０,20\n", "want a number in ASCII digits", ""},
		{"percent", "r,a,b\nx,10%,20\n", "without a percent sign", ""},
		{"exponent", "r,a,b\nx,1e1,20\ny,3,4\n", "", "37"},
		{"hexadecimal", "r,a,b\nx,0x10,20\n", "want a decimal number", ""},
		{"underscores", "r,a,b\nx,1_000,20\n", `--thousands "_" reads them`, ""},
		{"date", "r,a,b\nx,2020-01-01,20\n", "want a decimal number", ""},
		{"not a number", "r,a,b\nx,NaN,20\n", "want a finite decimal number", ""},
		{"infinite", "r,a,b\nx,Inf,20\n", "want a finite decimal number", ""},
		{"negative count", "r,a,b\nx,-1,20\n", "frequencies must be ≥ 0", ""},
		{"triangle", "r,a,b\nx,▲10,20\n", "write negative numbers with -", ""},
		{"two headers", "r,a,b\nr,a,b\nx,10,20\n", "want a decimal number", ""},
		{"header of two rows", "r,men,women\n,2020,2020\nx,10,20\n", "empty, want the code of this row", ""},
		{"too few fields", "r,a,b\nx,10\n", "want 3, as in the header", ""},
		{"false total", "r,a,b\nx,10,20\ny,3,4\nTotal,13,25\n", "the parts add up to 24, the margin is 25", ""},
		{"unit behind a number", "r,a,b\nx,10人,20\n", "want a decimal number", ""},
		{"parentheses", "r,a,b\nx,(10),20\n", "want a decimal number", ""},
		{"thousands", "r;a;b\nx;1,234;20\n", "--thousands ,", ""},
		{"points between thousands", "r;value\nx;1.234\ny;950\n", "--thousands .", ""},
		{"note", "r,a,b\nx,10,20\ny,3,4\n* preliminary\n", "", "37"},
		{"note in the middle", "r,a,b\nx,10,20\n* preliminary\ny,3,4\n", "a note, but line 4 has cells again", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in, err := ReadFrom(strings.NewReader(c.text), "t.csv", Options{})
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want == "":
				if got := total(in); got != c.total {
					t.Errorf("total %s, want %s", got, c.total)
				}
			case err == nil:
				t.Fatalf("read without a word: %v", in.Table.Value)
			case !strings.Contains(err.Error(), c.want):
				t.Errorf("%v\nwant %s", err, c.want)
			default:
				var e *Error
				if !errors.As(err, &e) || e.File != "t.csv" {
					t.Errorf("%v names no file", err)
				}
			}
		})
	}
}

// total is the value of the cell of all total codes.
func total(in *Input) string {
	t := in.Table
	for i := range t.Len() {
		sum := int32(0)
		for d := range t.Dims {
			sum += t.Coord[i*len(t.Dims)+d]
		}
		if sum == 0 {
			return table.FormatDecimal(t.Value[i], t.Decimals)
		}
	}
	return "none"
}

// The small files that were read wrongly once.
func TestTraps(t *testing.T) {
	t.Parallel()
	const dir = "../../../shared/data/traps/"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("needs the files beside the repository: ", dir)
	}
	refused := func(name string, o Options, want string) {
		if _, err := Read(dir+name, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	refused("geo.csv", Options{}, "AT: is the sum of AT1, AT2")
	refused("thou.tsv", Options{}, "--thousands ,")
	refused("thou.tsv", Options{Magnitude: true}, "--thousands ,")
	var said []string
	say := func(words fmt.Stringer) { said = append(said, words.String()) }
	in, err := Read(dir+"geo.csv", Options{Beside: true, Say: say})
	if err != nil {
		t.Fatal(err)
	}
	if got := total(in); got != "320" {
		t.Errorf("geo.csv: total %s, want 320", got)
	}
	if in, err = Read(dir+"f3.csv", Options{Say: say}); err != nil {
		t.Fatal(err)
	}
	if n := in.Table.Len(); n != 12 {
		t.Errorf("f3.csv: %d cells, want 12", n)
	}
	if len(said) != 2 || !strings.Contains(said[0], "geo.hrc") || !strings.Contains(said[1], "is a note") {
		t.Errorf("said %q", said)
	}
}
