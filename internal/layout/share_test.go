package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestShareInField: numbers with their shares in one field are not taken out beside numbers that add up with them, and it is not offered.
func TestShareInField(t *testing.T) {
	t.Parallel()
	const text = "Area,All,Single,Married,Widowed\nAll,100,40,50,10 (10.0%)\nAdair,60,25,30,5 (8.3%)\nBoone,40,15,20,5 (12.5%)\n"
	for _, o := range []Options{{Tolerance: "10"}, {Tolerance: "10", Blank: []string{"2:5-4:5"}}, {NoTotal: []string{"Column"}, Blank: []string{"2:5-4:5"}}} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", o)
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), "has a number and its share") {
			t.Errorf("%+v: %v", o.Blank, err)
		}
	}
	if _, err := Open(strings.NewReader(text), "f.csv", "", "", Options{Blank: []string{"2:2-4:5"}}); err != nil && strings.Contains(err.Error(), "its share") {
		t.Error(err) // nothing is left that would tell
	}
}
