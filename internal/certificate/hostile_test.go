package certificate

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// Opinion asks for a second opinion of a certificate.
var Opinion func(t testing.TB, tab *table.Table, file []byte, err error)

// checked is Verify with a second opinion.
func checked(t testing.TB, file string, tab *table.Table) (*Report, error) {
	rep, err := Verify(t.Context(), strings.NewReader(file), tab)
	Opinion(t, tab, []byte(file), err)
	return rep, err
}

// square is an n×n table of free cells with margins; its first cell is sensitive.
func square(t testing.TB, n int) *table.Table {
	t.Helper()
	codes := make([]string, n)
	for i := range codes {
		codes[i] = fmt.Sprint("c", i)
	}
	rows, _ := table.FlatDimension("row", "T", codes)
	cols, _ := table.FlatDimension("col", "T", codes)
	var recs []table.Record
	for r, x := range codes {
		for c, y := range codes {
			recs = append(recs, table.Record{Codes: []string{x, y}, Value: table.Num(int64(10+(7*r+3*c)%11), 0)})
		}
	}
	tab := must.Get(table.Build("square", []table.Dimension{rows, cols}, recs, true))(t)
	for i := range tab.Len() {
		tab.Cost[i] = tab.Value[i]
	}
	tab.Status[0], tab.Width[0], tab.UPL[0], tab.LPL[0] = table.Sensitive, 6, 2, 2
	return tab
}

// A hostile certificate is written by a function that puts lines and gets how many
// rows and duals there are.
var hostile = []struct {
	name string
	// line returns line k of the body.
	line func(p *problem, k int) string
}{
	{"rounds of rounds", func(p *problem, k int) string {
		if k == 0 {
			return everywhere(p)
		}
		return fmt.Sprintf(`{"is":"round","of":[%d],"mult":[3],"div":%d}`, k-1, 1+k%7)
	}},
	{"rounds that blow up numbers", func(p *problem, k int) string {
		if k == 0 {
			return everywhere(p)
		}
		return fmt.Sprintf(`{"is":"round","of":[%d,0],"mult":[%d,%d],"div":%d,"cells":[%d,%d]}`, k-1, math.MaxInt64, math.MaxInt64, math.MaxInt64-k, p.m/2, p.m/3)
	}},
	{"one row over and over in a line", func(p *problem, k int) string {
		if k == 0 {
			return everywhere(p)
		}
		return `{"is":"fix","of":[0` + strings.Repeat(",0", 1<<12) + `],"mult":[1` + strings.Repeat(",1", 1<<12) + `]}`
	}},
	{"one row over and over in a round", func(p *problem, k int) string {
		if k == 0 {
			return everywhere(p)
		}
		return `{"is":"round","of":[0` + strings.Repeat(",0", 1<<12) + `],"mult":[1` + strings.Repeat(",1", 1<<12) + `],"div":2}`
	}},
	{"one relation over and over in a dual", func(_ *problem, k int) string {
		return `{"is":"dual","cell":0,"den":3,"relations":[1` + strings.Repeat(",1", 1<<12) + `],"num":[1` + strings.Repeat(",1", 1<<12) + `]}`
	}},
	{"duals", func(_ *problem, k int) string { return `{"is":"dual","cell":0,"den":1}` }},
	{"dense duals", func(p *problem, k int) string {
		var rel, num strings.Builder
		for j := range p.t.Rel.Len() {
			fmt.Fprintf(&rel, ",%d", j)
			num.WriteString(",1")
		}
		return `{"is":"dual","cell":0,"den":1,"relations":[` + rel.String()[1:] + `],"num":[` + num.String()[1:] + `]}`
	}},
	{"levels of all cells", func(p *problem, k int) string {
		if k == 0 {
			return `{"is":"dual","cell":0,"den":1,"relations":[0],"num":[1]}`
		}
		return `{"is":"level","up":0,"down":0}`
	}},
	{"exclusions", func(p *problem, k int) string {
		if k == 0 {
			return `{"is":"dual","cell":0,"den":1,"relations":[0],"num":[1]}`
		}
		return fmt.Sprintf(`{"is":"exclude","up":0,"down":0,"cells":[%d]}`, 2*p.m/3)
	}},
	{"splits below splits", func(p *problem, k int) string { return fmt.Sprintf(`{"is":"split","cell":%d}`, 1+k%(p.m/2)) }},
	{"denominators", func(_ *problem, k int) string {
		return fmt.Sprintf(`{"is":"dual","cell":0,"den":%d,"relations":[0],"num":[%d]}`, 1<<61-k, math.MinInt64)
	}},
	{"cells over and over", func(_ *problem, k int) string {
		return `{"is":"dual","cell":1,"den":1,"cells":[1` + strings.Repeat(",1", 1<<12) + `]}`
	}},
}

// everywhere is a row of all cells.
func everywhere(*problem) string {
	return `{"is":"dual","cell":0,"den":1,"relations":[0],"num":[1]}` + "\n" + `{"is":"exclude","up":0,"down":0}`
}

func head(t *table.Table) string {
	return fmt.Sprintf(`{"is":"certificate","version":1,"digest":"%s","bound":0}`+"\n", digest(t))
}

// allocated returns how many bytes f allocates in all, garbage included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// held returns what f leaves in memory.
func heldBy(f func() any) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(x)
	return uint64(max(0, int64(after.HeapAlloc)-int64(before.HeapAlloc)))
}

// What a certificate makes Verify hold is bounded by the table, whatever it repeats; here
// with a bound on numbers that is 64 times as low.
func TestHostile(t *testing.T) {
	tab := square(t, 60)
	p := must.Get(newProblem(tab))(t)
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			var text bytes.Buffer
			text.WriteString(head(tab))
			for k := 0; text.Len() < 1<<20; k++ {
				text.WriteString(h.line(p, k) + "\n")
			}
			var err error
			var work int
			got := heldBy(func() any {
				v := must.Get(newVerifier(&text, tab))(t)
				v.b.most, v.most = 1<<18, 1<<18
				_, err = v.run(t.Context())
				work = v.b.entries
				return v
			})
			var m *Malformed
			var r *Refuted
			if !errors.As(err, &m) && !errors.As(err, &r) {
				t.Errorf("error %v", err)
			}
			if limit := uint64(12<<20 + 200*tab.Len()); got > limit {
				t.Errorf("%d bytes are held, want at most %d (%d entries, %v)", got, limit, work, err)
			}
		})
	}
}

// The garbage of reading grows with the length of the text and the size of the table,
// not with their product times what a line repeats.
func TestHostileGarbage(t *testing.T) {
	tab := square(t, 60)
	p := must.Get(newProblem(tab))(t)
	for _, h := range hostile {
		var text bytes.Buffer
		text.WriteString(head(tab))
		lines := 0
		for ; text.Len() < 1<<18; lines++ {
			text.WriteString(h.line(p, lines) + "\n")
		}
		length := text.Len()
		got := allocated(func() { Verify(t.Context(), &text, tab) })
		if limit := uint64(4<<20 + 64*length + lines*40*tab.Len()); got > limit {
			t.Errorf("%s: %d bytes allocated, want at most %d", h.name, got, limit)
		}
	}
}

// Whatever bytes it reads, Verify allocates in proportion to their length times the
// table, garbage included.
func FuzzVerifyMemory(f *testing.F) {
	tab := square(f, 6)
	p := must.Get(newProblem(tab))(f)
	for _, h := range hostile {
		var text strings.Builder
		text.WriteString(head(tab))
		for k := range 6 {
			text.WriteString(h.line(p, k) + "\n")
		}
		f.Add([]byte(text.String()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2 && data[0] == 0x1f && data[1] == 0x8b {
			t.Skip("compressed: longer than it looks")
		}
		lines := 1 + bytes.Count(data, []byte("\n"))
		got := allocated(func() { Verify(t.Context(), bytes.NewReader(data), tab) })
		if limit := uint64(4<<20 + 64*len(data) + lines*100*tab.Len()); got > limit {
			t.Errorf("%d bytes allocated for %d bytes in %d lines, want at most %d", got, len(data), lines, limit)
		}
	})
}

// A compressed file of a few KB is read line by line.
func TestHostileCompressed(t *testing.T) {
	tab := square(t, 4)
	var file bytes.Buffer
	z, _ := gzip.NewWriterLevel(&file, gzip.BestCompression)
	io.WriteString(z, head(tab))
	line := `{"is":"dual","cell":0,"den":1,"relations":[0` + strings.Repeat(",0", 1000) + `],"num":[0` + strings.Repeat(",0", 1000) + "]}\n"
	for range 4000 {
		io.WriteString(z, line)
	}
	z.Close()
	if got := heldBy(func() any {
		v, err := newVerifier(&file, tab)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = v.run(t.Context()); err == nil {
			t.Error("confirmed")
		}
		return v
	}); got > 4<<20 {
		t.Errorf("%d bytes are held", got)
	}
}

// A sum of costs that leaves 64 bits is refused, of cells that are not free, too.
func TestCostsBeyond64Bits(t *testing.T) {
	tab := square(t, 5)
	for i := range tab.Len() {
		if i > 0 && tab.Status[i] == table.Safe {
			tab.Cost[i], tab.Lower[i], tab.Upper[i] = 999999999999999999, tab.Value[i], tab.Value[i]
		}
	}
	_, err := checked(t, head(tab)+`{"is":"leaf"}`+"\n"+`{"is":"end","lines":3}`+"\n", tab)
	if err == nil || !strings.Contains(err.Error(), "the costs add up to") {
		t.Errorf("error %v", err)
	}
	if err := Protects(tab, make([]bool, tab.Len()), nil); err == nil || !strings.Contains(err.Error(), "the costs add up to") {
		t.Errorf("error %v", err)
	}
	if _, err := NewRecorder(tab); err == nil || !strings.Contains(err.Error(), "the costs add up to") {
		t.Errorf("error %v", err)
	}
}

// Rows named several times count once, with the sum of their numbers.
func TestMerged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		ids, num := make([]int32, n), make([]int64, n)
		want := map[int32]int64{}
		for s := range n {
			ids[s] = rapid.Int32Range(0, 4).Draw(t, "id")
			num[s] = rapid.Int64Range(-9, 9).Draw(t, "num")
			want[ids[s]] += num[s]
		}
		ids, num, ok := merged(ids, num)
		if !ok || len(ids) != len(want) || len(num) != len(ids) {
			t.Fatalf("%v %v, want %v", ids, num, want)
		}
		for s, id := range ids {
			if num[s] != want[id] {
				t.Fatalf("%v %v, want %v", ids, num, want)
			}
		}
	})
	for _, num := range [][]int64{{math.MaxInt64, 1}, {math.MinInt64, -1}, {math.MinInt64, math.MinInt64}, {1 << 62, 1 << 62}} {
		if _, _, ok := merged([]int32{3, 3}, num); ok {
			t.Errorf("%v: no overflow", num)
		}
	}
	if _, num, ok := merged([]int32{3, 3}, []int64{math.MaxInt64, math.MinInt64}); !ok || num[0] != -1 {
		t.Errorf("%v %v", num, ok)
	}
}

// Integers of 192 bits become big integers and come back.
func TestWideOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := wide{rapid.Int64Min(math.MinInt64+1).Draw(t, "hi"), rapid.Uint64().Draw(t, "mid"), rapid.Uint64().Draw(t, "lo")}
		if back := wideOf(s.int()); back != s {
			t.Fatalf("%v becomes %v", s, back)
		}
		v := rapid.Int64().Draw(t, "v")
		var w wide
		w.addMul(1, v)
		if got, ok := w.int64(); !ok || got != v {
			t.Fatalf("%d becomes %d", v, got)
		}
		if _, ok := s.int64(); ok != s.int().IsInt64() {
			t.Fatalf("%v fits 64 bits: %v", s, ok)
		}
	})
}
