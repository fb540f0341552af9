package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/table"
)

const twoPeriods = "STRUCTURE,STRUCTURE_ID,ACTION,FREQ,A,TIME_PERIOD,OBS_VALUE,N_ENT,OBS_STATUS,CONF_STATUS\n" +
	"dataflow,X:Y(1.0),I,A,x,2023,10,9,A,C\ndataflow,X:Y(1.0),I,A,y,2023,20,1,A,F\ndataflow,X:Y(1.0),I,A,z,2023,5,4,Q,F\ndataflow,X:Y(1.0),I,A,_T,2023,35,9,A,F\n" +
	"dataflow,X:Y(1.0),I,A,x,2024,11,9,A,F\ndataflow,X:Y(1.0),I,A,y,2024,20,3,A,D\ndataflow,X:Y(1.0),I,A,z,2024,5,3,A,F\ndataflow,X:Y(1.0),I,A,_T,2024,36,9,A,F\n"

// TestBeside: what a file says of its cells beside the values is what its own reader takes of it, or the file is refused.
func TestBeside(t *testing.T) {
	t.Parallel()
	const long = "Title of the table\n\nA;B;value;NAME\nx;p;1043;v1\nx;q;2011;v2\nx;Total;3054;v3\ny;p;3022;v2\ny;q;4077;v2\ny;Total;7099;v3\nTotal;p;4065;v3\nTotal;q;6088;v3\nTotal;Total;10153;v3\n"
	of := func(name, v1, v2, v3 string) string {
		return strings.NewReplacer("NAME", name, "v1", v1, "v2", v2, "v3", v3).Replace(long)
	}
	for _, c := range []struct {
		name, text string
		o          Options
		first      table.Status // of the first cell
		freq       int64        // of it, −1 not told
		fault      string
	}{
		{"CONF_STATUS of two periods", twoPeriods, Options{}, table.Sensitive, 9, ""},
		{"freq as tidy files call it", of("freq", "1", "7", "15"), Options{}, table.Safe, 1, ""},
		{"freq and a tolerance", of("freq", "1", "7", "15"), Options{Tolerance: "1"}, table.Safe, 1, ""},
		{"contributors in German", of("Betriebe", "1", "7", "15"), Options{}, table.Safe, 1, ""},
		{"contributors in Japanese", of("事業所数", "1", "7", "15"), Options{}, table.Safe, 1, ""},
		{"contributors in French", of("nombre d'entreprises", "1", "7", "15"), Options{}, table.Safe, 1, ""},
		{"a column that is named", of("k", "1", "7", "15"), Options{Freq: "k"}, table.Safe, 1, ""},
		{"contributors that are none", of("freq", "1.5", "7", "15"), Options{}, 0, 0, "want a whole number"},
		{"status of a tidy file", of("status", "u", "s", "s"), Options{}, table.Sensitive, -1, ""},
		{"status of SDMX", of("CONF_STATUS", "C", "F", "F"), Options{}, table.Sensitive, -1, ""},
		{"OBS_STATUS", of("OBS_STATUS", "Q", "A", "A"), Options{}, table.Withheld, -1, ""},
		{"secrecy in German", of("Geheimhaltung", "C", "F", "F"), Options{}, table.Sensitive, -1, ""},
		{"in words that nobody knows", of("Geheimhaltung", "ja", "nein", "nein"), Options{}, 0, 0, "nobody says whether"},
		{"in Japanese", of("秘匿", "1", "0", "0"), Options{}, 0, 0, "nobody says whether"},
		{"an embargo", of("embargo", "2030-01-01", "", ""), Options{}, 0, 0, "nobody says whether"},
		{"by its letters", of("k", "C", "F", "F"), Options{}, 0, 0, "looks like a column of statuses"},
		{"a letter in a flag", of("flag", "k", "", ""), Options{}, 0, 0, "nobody says whether"},
		{"a mark in a flag", of("flag", "x", "", ""), Options{}, table.Sensitive, -1, ""},
		{"levels", of("upl", "10", "0", "0"), Options{}, 0, 0, "says what is sensitive"},
		{"the largest contribution", of("max1", "10", "20", "30"), Options{}, 0, 0, "says what is sensitive"},
		{"a remark", of("status", "revised figure", "", ""), Options{}, table.Safe, -1, ""},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", c.o)
		var in *formats.Input
		if err == nil {
			in, err = s.Input(formats.Options{})
		}
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %q", c.name, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		freq := int64(-1)
		if !in.Table.Counts && in.Table.Freq != nil {
			freq = in.Table.Freq[0]
		}
		if in.Table.Status[0] != c.first || freq != c.freq {
			t.Errorf("%s: status %v, %d contributors; want %v, %d", c.name, in.Table.Status[0], freq, c.first, c.freq)
		}
		again, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{From: s.Reading.Layout})
		if err != nil {
			t.Errorf("%s: by its saved layout: %v", c.name, err)
			continue
		}
		if in, err := again.Input(formats.Options{}); err != nil || in.Table.Status[0] != c.first || c.freq >= 0 && in.Table.Freq[0] != c.freq {
			t.Errorf("%s: by its saved layout: %v", c.name, err)
		}
	}
}

// TestBesideAll: every status and number of contributors of two periods.
func TestBesideAll(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(twoPeriods), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []table.Status{table.Sensitive, table.Safe, table.Withheld, table.Safe, table.Safe, table.Withheld, table.Safe, table.Safe}
	for i, st := range want {
		if in.Table.Status[i] != st {
			t.Errorf("%s: %v, want %v", in.Table.CellName(i), in.Table.Status[i], st)
		}
	}
	if in.Table.Freq[1] != 1 || in.Table.Freq[5] != 3 {
		t.Errorf("contributors %v", in.Table.Freq)
	}
}

// TestSecondColumn: numbers beside the values are known to nobody, and where somebody has looked they go with them, whether each line has
// another or not.
func TestSecondColumn(t *testing.T) {
	t.Parallel()
	for name, v := range map[string][2]string{"another on every line": {"1", "2"}, "a number twice": {"3", "3"}, "with decimals": {"1.5", "2.5"}} {
		text := "Title\n\nA;B;Wert;k\nx;p;1043;1043\nx;q;2011;2011\nx;Total;3054;3054\ny;p;3022;3022\ny;q;4077;4077\ny;Total;7099;7099\nTotal;p;4065;" + v[0] + "\nTotal;q;6088;" + v[1] + "\nTotal;Total;10153;10153\n"
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := s.Input(formats.Options{}); err == nil || !strings.Contains(err.Error(), ": 9 numbers of the file are in no table that is read") {
			t.Errorf("%s: %v", name, err)
		}
		s.leave = true
		in, err := s.Input(formats.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		pattern := make([]bool, in.Table.Len())
		for _, i := range []int{0, 1, 3, 4} {
			pattern[i] = true
		}
		var b strings.Builder
		if err := formats.Write(&b, in, pattern); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, secret := range []string{"1043", "2011", "3022", "4077"} {
			if strings.Contains(b.String(), secret) {
				t.Errorf("%s: %s stands in\n%s", name, secret, b.String())
			}
		}
	}
}
