package layout

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestRoundedWholes reads whole numbers whose sums miss: rounded where all are tens, or where some parts are more and some less than their totals, and asked about where one
// wrong number or what is left out explains it as well.
func TestRoundedWholes(t *testing.T) {
	t.Parallel()
	const head = "Area,Single,Married,Widowed,Total\n"
	for _, c := range []struct {
		name, text, want string
		derived          int
	}{
		{"tens", head + "Total,4320,7120,980,12430\nAdair,1040,2260,310,3610\nBoone,1530,2410,290,4230\nClay,1760,2450,380,4580\n", "", 0},
		{"tens with shares of what they were", "Area,Single,%,Married,%,Widowed,%,Total,%\nTotal,430,100.0,710,100.0,100,100.0,1250,100.0\nAdair,100,24.1,230,31.8,30,31.6,360,29.1\nBoone,150,35.4,240,33.8,30,29.6,420,34.0\nClay,180,40.7,250,34.4,40,38.8,460,36.9\n", "", 16},
		{"wholes", head + "Total,4321,7118,983,12422\nAdair,1042,2261,311,3614\nBoone,1530,2413,290,4234\nClay,1748,2445,381,4574\n", "", 0},
		{"one wrong number", head + "Total,4320,7119,982,12421\nAdair,1042,2261,311,3614\nBoone,1531,2413,290,4233\nClay,1748,2445,381,4574\n", "--tolerance 1", 0},
		{"something is left out", head + "Total,4321,7120,983,12424\nAdair,1042,2261,311,3614\nBoone,1530,2413,290,4234\nClay,1748,2445,381,4575\n", "--tolerance 1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader(c.text), "t.csv", "", "", Options{})
			if err == nil {
				_, err = s.Input(formats.Options{})
			}
			var ask *AmbiguityError
			if c.want != "" {
				if !errors.As(err, &ask) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if of := s.Reading.Tables[0]; len(of.Cells) != 16 || len(of.Derived) != c.derived || !strings.Contains(fmt.Sprint(s.Reading.Words()), "give or take rounding") {
				t.Errorf("%d cells and %d computed numbers: %v", len(of.Cells), len(of.Derived), s.Reading.Words())
			}
		})
	}
}
