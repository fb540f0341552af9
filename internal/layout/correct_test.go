package layout

import (
	"strings"
	"testing"
)

// trees tells the dimensions of the one table of a reading, each code with what it is part of.
func trees(t *testing.T, r *Reading) string {
	t.Helper()
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables", len(r.Tables))
	}
	var all []string
	for _, d := range r.Tables[0].Dimensions {
		var codes []string
		for _, c := range d.Codes {
			if c.Parent != nil {
				codes = append(codes, c.Code+"<"+*c.Parent)
			} else {
				codes = append(codes, c.Code)
			}
		}
		all = append(all, strings.Join(codes, " "))
	}
	return strings.Join(all, "; ")
}

const ward = `Survey of wards
ward,x,y,all
A,4,6,10
B,5,7,12
City,9,13,22
Old,2,3,5
`

// TestCorrect calls rows and columns something else, and reads the table so.
func TestCorrect(t *testing.T) {
	t.Parallel()
	s := readText(t, ward, Options{})
	book, err := OpenText(strings.NewReader(ward), "t.csv", "", "")
	if err != nil {
		t.Fatal(err)
	}
	g := book.Book().Grids[0]
	for _, x := range []struct {
		name  string
		place Place
		as    string
		want  string
	}{
		{"a row that is no part", Place{true, 5, 5}, asOut, "A<City B<City City; x<all y<all all"},
		{"a column that is no part", Place{false, 3, 3}, asOut, "A B City Old; x y"},
		{"the header as it is", Place{true, 1, 1}, asHeader, trees(t, s)},
		{"a second row of the header", Place{true, 2, 2}, asHeader, "B City Old; x<all y<all all"},
		{"a second column of labels", Place{false, 1, 1}, AsLabel, "4 5 9 2; y all"},
	} {
		l, err := s.Layout.Correct(g, s.Tables, x.place, x.as)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		again := readText(t, ward, Options{From: l})
		if got := trees(t, again); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// TestCorrectTotal calls a row the total of what is part of nothing, where the numbers do not tell.
func TestCorrectTotal(t *testing.T) {
	t.Parallel()
	const text = "ward,x,y\nA,4,x\nB,x,7\nVale,9,x\n"
	s := readText(t, text, Options{})
	book, err := OpenText(strings.NewReader(text), "t.csv", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := trees(t, s); got != "A B Vale; x y" {
		t.Fatalf("%s: nothing is left to say", got)
	}
	g := book.Book().Grids[0]
	l, err := s.Layout.Correct(g, s.Tables, Place{true, 3, 3}, asTotal)
	if err != nil {
		t.Fatal(err)
	}
	again := readText(t, text, Options{From: l})
	if got := trees(t, again); got != "A<Vale B<Vale Vale; x y" {
		t.Error(got)
	}
	if once := readText(t, text, Options{From: again.Layout}); trees(t, once) != trees(t, again) {
		t.Error("the layout saved again has lost what was said:", trees(t, once))
	}
	if _, err := l.Correct(g, again.Tables, Place{true, 1, 1}, asTotal); err == nil {
		t.Error("a part of the total is made a total of nothing")
	}
}

// TestNamedAsListed finds a code by what messages call it.
func TestNamedAsListed(t *testing.T) {
	t.Parallel()
	d := Dimension{Codes: []Code{{Code: "0010", Label: "shops"}, {Code: "shops", Label: "shops"}, {Code: "0020", Label: "staff, paid"}}}
	for name, want := range map[string]int{"0010": 0, "shops": 1, "0010 shops": 0, "0020 staff, paid": 2, "0020 shops": -1} {
		if got := d.find(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestDraft begins with the first row as the header and the first column as labels.
func TestDraft(t *testing.T) {
	t.Parallel()
	book, err := OpenText(strings.NewReader("\nward,x,y\nA,4,6\nB,5,7\n"), "t.csv", "", "")
	if err != nil {
		t.Fatal(err)
	}
	l := Draft(book.Book().Grids[0])
	if l == nil {
		t.Fatal("nothing is drafted")
	}
	if got := trees(t, readText(t, "\nward,x,y\nA,4,6\nB,5,7\n", Options{From: l})); got != "A B; x y" {
		t.Errorf("%s with %+v", got, l.Blocks[0])
	}
}
