package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestAnother: a column beside others that add up is of another measure, which nobody need say, where its sums miss by far and its numbers alone have decimals, are the
// places of others or the bounds of one; it is asked about where a wrong number explains it as well.
func TestAnother(t *testing.T) {
	t.Parallel()
	const head = "Area,Single,Married,Widowed,All,"
	for _, c := range []struct {
		name, text, want string
		derived          int
	}{
		{"a rate", head + "per 1000\nTotal,120,210,31,361,4.8\nAdair,20,70,9,99,3.1\nBoone,61,40,12,113,7.7\nClay,39,100,10,149,4.4\n", "", 4},
		{"a place", head + "Place\nTotal,120,210,31,361,1\nAdair,20,70,9,99,4\nBoone,61,40,12,113,3\nClay,39,100,10,149,2\n", "", 4},
		{"bounds", head + "lower,upper\nTotal,120,210,31,361,331,391\nAdair,20,70,9,99,84,114\nBoone,61,40,12,113,97,129\nClay,39,100,10,149,131,167\n", "", 8},
		{"a wrong number", head + "Unknown\nTotal,120,210,31,361,18\nAdair,20,70,9,99,3\nBoone,61,40,12,113,5\nClay,39,100,10,149,4\n", "--derived Unknown", 0},
		{"a rounded amount", head + "Pay\nTotal,120,210,31,361,18.9\nAdair,20,70,9,99,5.1\nBoone,61,40,12,113,5.4\nClay,39,100,10,149,8.2\n", "Pay", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader(c.text), "t.csv", "", "", Options{})
			if err == nil {
				_, err = s.Input(formats.Options{})
			}
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if of := s.Reading.Tables[0]; len(of.Cells) != 16 || len(of.Derived) != c.derived || of.Derived[0].How != asMeasure || len(of.Derived[0].Of) < 4 {
				t.Errorf("%d cells and %d computed numbers: %v", len(of.Cells), len(of.Derived), s.Reading.Words())
			}
		})
	}
}
