package formats

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

func read(t *testing.T, text string, o Options) *Input {
	t.Helper()
	return must.Get(ReadFrom(strings.NewReader(text), "t.csv", o))(t)
}

func written(t *testing.T, in *Input, pattern []bool) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Write(&b, in, pattern))
	return b.String()
}

// cellsNamed returns the pattern that withholds the named cells.
func cellsNamed(t *table.Table, names ...string) []bool {
	p := make([]bool, t.Len())
	for i := range p {
		for _, n := range names {
			p[i] = p[i] || t.CellName(i) == n
		}
	}
	return p
}

// One table a case, written with the cells named in withhold: what a published
// file shows.
func TestWrite(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		o          Options
		uniform    bool
		withhold   string
		want       string
	}{
		{
			name: "status appended, margins appended",
			text: "R,C,freq\nr,a,1\nr,b,20\ns,a,30\ns,b,40\n", withhold: "r/a r/b s/a s/b",
			want: "R,C,freq,status\nr,a,,m\nr,b,,m\ns,a,,m\ns,b,,m\nTotal,a,31,s\nTotal,b,60,s\nr,Total,21,s\ns,Total,70,s\nTotal,Total,91,s\n",
		}, {
			name: "a dimension called status", o: Options{Dims: []string{"Status", "B"}},
			text: "Status,B,freq\nsingle,a,1\nsingle,b,20\nmarried,a,30\nmarried,b,40\n", withhold: "single/a",
			want: "Status,B,freq,conf_status\nsingle,a,,D\nsingle,b,20,F\nmarried,a,30,F\nmarried,b,40,F\nTotal,a,31,F\nTotal,b,60,F\nsingle,Total,21,F\nmarried,Total,70,F\nTotal,Total,91,F\n",
		}, {
			name: "what is the office's",
			text: "year,R,value,freq,cost,status,lpl,upl,spl,lower,upper,max1,max2,note\n" +
				"2024,a,10.5,2,7,u,1,1,2,0,20,9,1.5,two firms\n2024,b,4.50,3,7,,,,,0,9,2,1,\n2024,Total,15,5,,z,,,,0,99,9,2,\n",
			o: Options{Dims: []string{"R"}}, withhold: "a b",
			want: "year,R,value,freq,cost,status,lpl,upl,spl,lower,upper,max1,max2,note\n" +
				"2024,a,,,,u,,,,0,,,,\n2024,b,,,,m,,,,0,,,,\n2024,Total,15,5,,z,,,,0,,,,\n",
		}, {
			name: "all marked alike", uniform: true,
			text: "R,value,status\na,1,u\nb,2,s\nTotal,3,s\n", withhold: "a b",
			want: "R,value,status\na,,m\nb,,m\nTotal,3,s\n",
		}, {
			name: "SDMX",
			text: "R;OBS_VALUE;CONF_STATUS\na;1,5;A\nb;2;F\nc;3;F\nTotal;6,5;F\n", withhold: "a b",
			want: "R;OBS_VALUE;CONF_STATUS\na;;A\nb;;D\nc;3;F\nTotal;6,5;F\n",
		}, {
			name: "SDMX, all marked alike", uniform: true,
			text: "R,OBS_VALUE,OBS_STATUS\na,1,A\nb,2,E\nTotal,3,A\n", withhold: "a b",
			want: "R,OBS_VALUE,OBS_STATUS\na,,Q\nb,,Q\nTotal,3,A\n",
		}, {
			name: "costs from the values", o: Options{CostColumn: "value"},
			text: "R,value\na,1\nb,2\n", withhold: "a",
			want: "R,value,status\na,,m\nb,2,s\nTotal,3,s\n",
		}, {
			name: "columns by name", o: Options{Columns: map[string]string{"value": "TOT", "status": "S"}},
			text: "R,TOT,S\na,1,U\nb,2,S\n", withhold: "a",
			want: "R,TOT,S\na,,U\nb,2,S\nTotal,3,s\n",
		}, {
			name: "own mark", o: Options{Withheld: []string{"χ"}},
			text: "R,value\na,1\nb,2\n", withhold: "a",
			want: "R,value,status\na,χ,m\nb,2,s\nTotal,3,s\n",
		}, {
			name: "decimal comma and line ends",
			text: "\ufeffR;value\r\n\"a;b\";1,50\r\nc;2\r\n", withhold: "c",
			want: "\ufeffR;value;status\r\n\"a;b\";1,50;s\r\nc;;m\r\nTotal;3,5;s\r\n",
		}, {
			name: "cross-tab", o: Options{},
			text: "R\\C,a,b\nr,1,20\ns, 30 ,40\n", withhold: "r/a r/b Total/a",
			want: "R\\C,a,b,Total\nr,,,21\ns, 30 ,40,70\nTotal,,60,91\n",
		}, {
			name: "cross-tab with its totals and a mark", o: Options{Withheld: []string{"x"}, Total: "計"},
			text: ",a,b,計\nr,1,20,21\ns,30,40,70\n計,31,60,91\n", withhold: "r/a r/b s/a s/b",
			want: ",a,b,計\nr,x,x,21\ns,x,x,70\n計,31,60,91\n",
		}, {
			name: "cross-tab of amounts", o: Options{Magnitude: true},
			text: ";a;b\nr;1,5;2\n", withhold: "r/b",
			want: ";a;b;Total\nr;1,5;;3,5\nTotal;1,5;2;3,5\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := read(t, tc.text, tc.o)
			in.Uniform = tc.uniform
			if got := written(t, in, cellsNamed(in.Table, strings.Fields(tc.withhold)...)); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// A pattern that would publish a sensitive cell is refused.
func TestWriteWrongPattern(t *testing.T) {
	in := read(t, "R,value,status\na,1,u\nb,2,z\nTotal,3,m\n", Options{})
	for _, tc := range []struct{ withhold, want string }{
		{"Total", "table t: the pattern publishes cell a, whose status is u"},
		{"a", "table t: the pattern publishes cell Total, whose status is m"},
		{"a b Total", "table t: the pattern withholds cell b, which must stay published"},
	} {
		var b bytes.Buffer
		err := Write(&b, in, cellsNamed(in.Table, strings.Fields(tc.withhold)...))
		if err == nil || err.Error() != tc.want || b.Len() > 0 {
			t.Errorf("%s: %v and %q, want %s", tc.withhold, err, b.String(), tc.want)
		}
	}
	if err := Write(io.Discard, in, make([]bool, 2)); err == nil {
		t.Error("a pattern of the wrong length was taken")
	}
}

// JJ keeps all values; safe cells of the pattern become m.
func TestWriteJJStatus(t *testing.T) {
	in := must.Get(ReadFrom(strings.NewReader(jjOK), "t.jj", Options{}))(t)
	got := written(t, in, []bool{false, true, true})
	if want := strings.Replace(jjOK, "2 3 1 s", "2 3 1 m", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteCP932(t *testing.T) {
	in := read(t, "R,value\na〜b,1\n", Options{})
	in.Dialect.CP932 = true
	if got := written(t, in, nil); got != "R,value,status\na\x81\x60b,1,s\nTotal,1,s\n" {
		t.Errorf("%q", got)
	}
	in = read(t, "R,value\n한,1\n", Options{})
	in.Dialect.CP932 = true
	if err := Write(io.Discard, in, nil); err == nil || err.Error() != "t.csv:2: 한: CP932 has no such character; write UTF-8" {
		t.Error(err)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	put(t, path, "old")
	failed := errors.New("disk full")
	err := Save(path, func(w io.Writer) error {
		io.WriteString(w, "half of the new")
		return failed
	})
	if b, _ := os.ReadFile(path); err != failed || string(b) != "old" {
		t.Errorf("%v left %q", err, b)
	}
	link := filepath.Join(dir, "link.csv")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	in := read(t, "R,value\na,1\n", Options{})
	must.Do(t, WriteFile(link, in, nil))
	if b, _ := os.ReadFile(path); string(b) != "R,value,status\na,1,s\nTotal,1,s\n" {
		t.Errorf("through a link: %q", b)
	}
	zipped := filepath.Join(dir, "t.csv.gz")
	must.Do(t, WriteFile(zipped, in, nil))
	if _, err := Read(zipped, Options{}); err != nil {
		t.Error(err)
	}
	f, _ := os.Open(zipped)
	defer f.Close()
	if _, err := gzip.NewReader(f); err != nil {
		t.Error(err)
	}
	if err := WriteFile(dir, in, nil); err == nil || err.Error() != dir+": is a directory, want a file" {
		t.Errorf("to a directory: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "t.csv"), in, nil); err == nil {
		t.Error("to a missing directory: no error")
	}
	if err := Save(os.DevNull, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Errorf("to a device: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWritersRefuse(t *testing.T) {
	jj := must.Get(ReadFrom(strings.NewReader(jjOK), "t.jj", Options{}))(t)
	gone := read(t, "R,value\na,\nb,1\nTotal,2\n", Options{})
	for _, tc := range []struct {
		err  error
		want string
	}{
		{WriteTidy(io.Discard, jj.Table), "table t: no dimensions; a table of relations alone is written as JJ"},
		{WriteCrossTab(io.Discard, gone.Table), "table t: 1 dimensions, a cross-tab has 2"},
		{WriteJJ(io.Discard, gone.Table), "table t: cell a has no value, but JJ files hold all values"},
	} {
		if tc.err == nil || tc.err.Error() != tc.want {
			t.Errorf("got %v, want %s", tc.err, tc.want)
		}
	}
}
