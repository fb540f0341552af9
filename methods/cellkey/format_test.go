package cellkey

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestWriteRead: what is written in any layout is read again.
func TestWriteRead(t *testing.T) {
	t.Parallel()
	for name, d := range designs {
		p := must.Get(d.Table())(t)
		typ := ""
		if d.Categories != nil {
			typ = "all"
		}
		for _, layout := range []string{"tauargus", "sas", "destatis"} {
			var b bytes.Buffer
			must.Do(t, p.Write(&b, layout, typ))
			got, err := readFrom(&b, "p.csv")
			var want File
			*want.of(typ) = p
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s as %s: %v, or another table", name, layout, err)
			}
		}
	}
}

// TestReadPublished: tables as they are published, with 15 decimals, exponents and quotes.
func TestReadPublished(t *testing.T) {
	t.Parallel()
	f := must.Get(readFrom(strings.NewReader("\"i\";\"j\";\"p\";\"v\";\"p_ij_ub\"\r\n0;0;1;0;1\r\n1;0;0.666749933;-1;0.666749933\r\n1;3;0.333000567;2;0.9997505\r\n1;4;0.0002493;3;0.9999998\r\n1;5;1.00E-07;4;0.9999999\r\n1;6;1.00E-07;5;1"), "p.txt"))(t)
	p := f.Counts
	for key, want := range map[string]int64{"0": 0, "0.666749932": 0, "0.666749933": 3, "0.9997504": 3, "0.9997505": 4, "0.9999999": 6} {
		k, _ := fraction(key)
		if got := p.Count(1, keyOf(k)); got != want {
			t.Errorf("1 with key %s becomes %d, want %d", key, got, want)
		}
	}
	if got := p.Count(7, 0); got != 6 {
		t.Errorf("7 becomes %d, want 6, by the last row", got)
	}
}

func TestReadWrong(t *testing.T) {
	t.Parallel()
	const head = "i;j;p;v;p_int_ub\n0;0;1;0;1\n"
	for text, want := range map[string]string{
		"":                                     "no header",
		"a;b\n":                                "want columns i, j and p_int_ub",
		head + "1;0\n":                         "p.csv:3: 2 fields: want 5",
		head + "1;0;0.5;-1;0.4\n1;2;0.5;1;1\n": "p.csv:3: 0.5: the sums of chances say 0.4",
		head + "1;0;0.5;-2;0.5\n":              "want v = j − i = -1",
		head + "1;0;0.5;-1;0.5\n":              "the chances add up to 0.5, want 1",
		head + "1;2;0.5;1;0.5\n1;0;0.5;-1;1\n": "in the order of j",
		head + "2;2;1;0;1\n":                   "no row of i = 1",
		head + "1;-1;1;-2;1\n":                 "want a whole i ≥ 0",
		head + "1;1.5;1;0.5;1\n":               "want whole numbers",
		head + "1;x;1;0;1\n":                   `column "j": x: want a number`,
		head + "1;1;1;0;2\n":                   "from 0 to 1",
		"i;j;p_int_ub\n0;1;1\n1;1;1\n":         "stay 0",
		"i;i;j;p_int_ub\n":                     "twice",
		"i;j;p_int_ub;type\n0;0;1;big\n":       "want the type",
		head:                                   "want rows of i",
	} {
		if _, err := readFrom(strings.NewReader(text), "p.csv"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("i;j;p;v;p_int_ub\n0;0;1;0;1\n1;0;0.5;-1;0.5\n1;2;0.5;1;1\n"))
	f.Add([]byte("i,j,p_ij,v,p_ij_ub,type\n0,0,1,0,1,all\n1,0.5,1,-0.5,1,all\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		memtest.Bound(t, len(b), 4<<20, 2000, func() {
			tables, err := readFrom(bytes.NewReader(b), "p.csv")
			if err != nil {
				return
			}
			for _, typ := range []string{"", "all", "even", "odd", "small_cells"} {
				p := *tables.of(typ)
				if p == nil {
					continue
				}
				var w bytes.Buffer
				must.Do(t, p.Write(&w, "tauargus", typ))
			}
		})
	})
}
