package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// A rank beside what is counted does not hide the sums of all else, whatever their total is called.
func TestForeign(t *testing.T) {
	t.Parallel()
	text := "Kommun,Totalt,Ogifta,Gifta,Plats\nNorr,298,71,227,4\nAubigny,145,3,142,6\nBelmont,153,68,85,5\nSöder,132,125,7,2\nDompierre,123,123,0,3\nÉtréval,9,2,7,7\nΣ,430,196,234,1\n"
	read := func(o Options) error {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Input(formats.Options{})
		return err
	}
	if err := read(Options{}); err == nil || !strings.Contains(err.Error(), "--derived Plats") {
		t.Errorf("%v", err)
	}
	if err := read(Options{Derived: []string{"Plats"}}); err != nil {
		t.Error(err)
	}
}
