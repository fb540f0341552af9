package formats

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// brief shows a table as one line: cell=value, with its status unless safe.
func brief(t *table.Table) string {
	var b strings.Builder
	for i := range t.Len() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.CellName(i) + "=")
		if t.Known(i) {
			b.WriteString(value(t, i))
		}
		if t.Status[i] != table.Safe {
			b.WriteString(t.Status[i].String())
		}
	}
	return b.String()
}

func TestRead(t *testing.T) {
	lower := table.Decimal{Unscaled: -5}
	for _, tc := range []struct {
		name, text string
		o          Options
		hierarchy  string // of R: code,parent CSV if it has that header, else .hrc
		want       string
	}{
		{name: "margins computed", text: "R,C,freq\nr,a,1\nr,b,2\ns,a,3\n",
			want: "r/a=1 r/b=2 s/a=3 Total/a=4 Total/b=2 r/Total=3 s/Total=3 Total/Total=6"},
		{name: "margins of one dimension only", text: "R,C,value\nr,a,1\nr,Total,1\ns,a,3\ns,Total,3\n",
			want: "r/a=1 r/Total=1 s/a=3 s/Total=3 Total/a=4 Total/Total=4"},
		{name: "total anywhere", text: "R,value\nTotal,3\na,1\nb,2\n", want: "Total=3 a=1 b=2"},
		{name: "one cell", text: "R,value\na,1.50\n", want: "a=1.5 Total=1.5"},
		{name: "padding, quotes, empty lines", text: "\n R , \"value\" \n\n  a , \" 1 \" \n,\n\"a \"\"b\"\"\",2\n \n",
			want: `a=1 a "b"=2 Total=3`},
		{name: "every mark", text: "R,value\na,\nb,NA\nc,x\nd,X\ne,χ\nf,×\ng,:c\nh,..\ni,1\nTotal,9\n",
			want: "a=m b=m c=m d=m e=m f=m g=m h=m i=1 Total=9"},
		{name: "withheld and sensitive", text: "R,value,status\na,,u\nb,,s\nc,,\nd,2,m\nTotal,9,z\n", want: "a=u b=m c=m d=2m Total=9z"},
		{name: "letters of τ-ARGUS", text: "R,value,Status\na,1,U\nb,2,S\nc,3,M\nd,4,P\ne,,E\nf,0,E\nTotal,10,S\n",
			want: "a=1u b=2 c=3m d=4z e=0z f=0z Total=10"},
		{name: "SDMX", text: "R,OBS_VALUE,OBS_STATUS,CONF_STATUS\na,1,A,A\nb,2,A,S\nc,3,A,F\nd,,Q,D\ne,5,A,M\nTotal,20,A,F\n",
			want: "a=1u b=2m c=3 d=m e=5u Total=20"},
		{name: "SDMX observations", text: "R,OBS_VALUE,OBS_STATUS\na,1,A\nb,,Q\nc,3,S\nd,0,M\nTotal,20,A\n",
			want: "a=1 b=m c=3 d=0z Total=20"},
		{name: "negative values", text: "R,value\na,-2\nb,1\n", o: Options{Lower: &lower}, want: "a=-2 b=1 Total=-1"},
		{name: "exponents", text: "R,value\na,1e3\nb,25e-2\n", want: "a=1000 b=0.25 Total=1000.25"},
		{name: "tabs", text: "R\tvalue\na\t1\nb\t2\n", want: "a=1 b=2 Total=3"},
		{name: "CR CR LF", text: "R,value\r\r\na,1\r\r\n", want: "a=1 Total=1"},
		{name: "end mark of DOS", text: "R,value\r\na,1\r\n\x1a", want: "a=1 Total=1"},
		{name: "CP932", text: "\x92n\x88\xe6,value\n\x91\xe5\x8d\xe3,1\n", want: "大阪=1 Total=1"},
		{name: "total code", text: "R,value\na,1\n合計,1\n", o: Options{Total: "合計"}, want: "a=1 合計=1"},
		{name: "total codes", text: "R,C,value\nT,a,1\nr,a,1\nr,T,1\nT,T,1\n", o: Options{Total: "合計", Totals: map[string]string{"R": "T", "C": "T"}}, want: "T/a=1 r/a=1 r/T=1 T/T=1"},
		{name: "a section called T", text: "R,value\nS,1\nT,2\n", o: Options{Totals: map[string]string{"R": "Total"}}, want: "S=1 T=2 Total=3"},
		{name: "dimensions by name", text: "id,C,R,n,flag\n1,a,r,5,x\n2,b,r,6,y\n", o: Options{Dims: []string{"R", "C"}, Columns: map[string]string{"freq": "n"}},
			want: "r/a=5 r/b=6 Total/a=5 Total/b=6 r/Total=11 Total/Total=11"},
		{name: "fields by name", text: "R,N_OBS,TOT\na,2,1.5\n", o: Options{Columns: map[string]string{"value": "TOT", "freq": "N_OBS"}}, want: "a=1.5 Total=1.5"},
		{name: "value twice", text: "R,TOT,value\na,2,1.5\n", o: Options{Columns: map[string]string{"value": "TOT"}}, want: "a=2 Total=2"},
		{name: "from tidy", text: "value,R\n1,a\n", o: Options{From: "tidy", Dims: []string{"R"}}, want: "a=1 Total=1"},
		{name: "cross-tab", text: "R\\C,a,b,Total\nr,1,,6\ns,3,4,7\nTotal,4,9,13\n",
			want: "r/a=1 r/b=m r/Total=6 s/a=3 s/b=4 s/Total=7 Total/a=4 Total/b=9 Total/Total=13"},
		{name: "cross-tab with a column value", text: "R,value,freq\nr,1,2\n", o: Options{From: "crosstab"},
			want: "r/value=1 r/freq=2 Total/value=1 Total/freq=2 r/Total=3 Total/Total=3"},
		{name: "cross-tab of amounts", text: ";a;b\nr;1,5;2\n", o: Options{Magnitude: true},
			want: "r/a=1.5 r/b=2 Total/a=1.5 Total/b=2 r/Total=3.5 Total/Total=3.5"},
		{name: "tree", text: "R,value\na1,1\na2,2\nb,3\n", hierarchy: "a\n@ a1 \n@a2\n@@x\nc\nb", want: "a1=1 a2=2 b=3 a=3 Total=6"},
		{name: "tree with another lead", text: "R,value\na1,1\nb,3\n", o: Options{Lead: "--"}, hierarchy: "a\n--a1\nb\n", want: "a1=1 b=3 a=1 Total=4"},
		{name: "tree that lists the total", text: "R,value\na,1\nTotal,1\n", hierarchy: "Total\n@a\n@b\n", want: "a=1 Total=1"},
		{name: "tree in one chain", text: "R,value\nx,1\nb,2\n", hierarchy: "a\n@x\nb\n", want: "x=1 b=2 a=1 Total=3"},
		{name: "parents", text: "R,value\na1,1\na2,2\nb,3\nTotal,6\n", hierarchy: "label;parent;code\n;a;a1\n;a;a2\n;Total;b\n;Total;a\n",
			want: "a1=1 a2=2 b=3 Total=6 a=3"},
		{name: "parents name the total", text: "R,value\na,1\n合計,1\n", hierarchy: "code,parent\na,合計\n", want: "a=1 合計=1"},
		{name: "parents list the total", text: "R,value\na,1\n計,1\n", hierarchy: "code,parent\n計,\na,計\n", want: "a=1 計=1"},
		{name: "several roots", text: "R,value\na1,1\nb,1\n", hierarchy: "code,parent\na,\nb,\na1,a\n", want: "a1=1 b=1 a=1 Total=2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.hierarchy != "" {
				path := filepath.Join(t.TempDir(), "h.txt")
				put(t, path, tc.hierarchy)
				tc.o.Hierarchies = map[string]string{"R": path}
			}
			in := must.Get(ReadFrom(strings.NewReader(tc.text), "t.csv", tc.o))(t)
			if got := brief(in.Table); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// The fields that are not values.
func TestReadFields(t *testing.T) {
	in := read(t, "R,value,freq,cost,status,lpl,upl,spl,lower,upper,max1,max2\n"+
		"a,10,3,2.5,u,1,2,0.5,-1,inf,6,3\n"+
		"b,20,,,,,,,,,,\n", Options{})
	tab := in.Table
	got := fmt.Sprint(tab.Decimals, tab.CostDecimals, tab.Value, tab.Freq, tab.Cost, tab.LPL, tab.UPL, tab.Width, tab.Lower, tab.Upper[0] == table.PosInf, tab.Max, tab.Counts)
	want := "1 1 [100 200 300] [3 -1 -1] [25 200 225] [10 0 0] [20 0 0] [5 0 0] [-10 0 -10] true [[60 0 60] [30 0 30]] false"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !in.HasCosts || !in.HasStatus || !in.HasLevels || !in.HasBounds || in.Line(1) != 3 || in.Line(2) != 0 {
		t.Errorf("%+v", in)
	}
	in = read(t, "R,freq\na,10\n", Options{CostColumn: "freq"})
	if !in.Table.Counts || in.Table.Freq != nil || !in.HasCosts || in.HasStatus || in.HasLevels || in.HasBounds || in.Format != Tidy {
		t.Errorf("%+v", in)
	}
}

// JJ files are free in their blanks, and solvers write infinity in many ways.
func TestReadJJ(t *testing.T) {
	text := "\ufeff 0\r\n 2 0 7.50 1 u\n0 1e30 1 1\t3 1 7.5 2.25 s -1E20 inf 0 0 0 2  0.0 2: 0(1)1( -1 )\n7.5 1 : 1 (1)"
	in := must.Get(ReadFrom(strings.NewReader(text), "dir/a.b.jj", Options{}))(t)
	want := &table.Table{
		Name: "a.b", Decimals: 1, CostDecimals: 2,
		Value: []int64{75, 75}, Cost: []int64{100, 225}, Status: []table.Status{table.Sensitive, table.Safe},
		LPL: []int64{10, 0}, UPL: []int64{10, 0}, Width: []int64{30, 0},
		Lower: []int64{0, table.NegInf}, Upper: []int64{table.PosInf, table.PosInf}, Given: []uint8{3, 3},
		Rel: &table.Relations{N: 2, Ptr: []int32{0, 2, 3}, Cell: []int32{0, 1, 1}, Coef: []int32{1, -1, 1}, RHS: []int64{0, 75}},
	}
	if d := cmp.Diff(want, in.Table); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got, want := written(t, in, nil), "0\n2\n0 7.5 1 u 0 inf 1 1 3\n1 7.5 2.25 s -inf inf 0 0 0\n2\n0 2 : 0 (1) 1 (-1)\n7.5 1 : 1 (1)\n"; got != want {
		t.Errorf("written\n%s\nwant\n%s", got, want)
	}
}

func TestHierarchyRoundTrip(t *testing.T) {
	d := must.Get(table.NewDimension("R", "合計", []table.Edge{{Code: "a", Parent: "合計"}, {Code: "a 1", Parent: "a"}, {Code: `"b"`, Parent: "合計"}}))(t)
	var b bytes.Buffer
	must.Do(t, WriteHierarchy(&b, &d))
	path := filepath.Join(t.TempDir(), "h.csv")
	put(t, path, b.String())
	again := must.Get(ReadHierarchy(path, "R", "", "", ""))(t)
	if diff := cmp.Diff(d, again); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
}
