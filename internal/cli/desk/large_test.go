package desk

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/table"
)

// BenchmarkLarge opens a tidy file of 36 MB with a million cells and two trees, marks it by a rule and shows its sheet, with answers as the page
// gets them. Run it alone, once (-benchtime 1x): VmHWM in /proc/PID/status is the peak of the process, which is reported where there is one; GOGC=30 is what hitoku open sets.
func BenchmarkLarge(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.csv")
	if err := writeLarge(path); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		d, err := newDesk(nil)
		if err != nil {
			b.Fatal(err)
		}
		id, err := d.place(path)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range [][2]string{{"fields", `{"File":"` + id + `"}`}, {"open", `{"Files":["` + id + `"]}`}, {"mark", `{"Table":"t0","Policy":{"below":3}}`}, {"sheet", `{"File":"` + id + `"}`}} {
			a, err := d.Call(context.Background(), c[0], []byte(c[1]), func(any) {})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(a); err != nil {
				b.Fatal(err)
			}
		}
		d.close()
	}
	status, _ := os.ReadFile("/proc/self/status") // of Linux
	if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
		var peak float64
		fmt.Sscan(rest, &peak)
		b.ReportMetric(peak/1024, "peakMB")
	}
}

// writeLarge writes the table with its trees beside it.
func writeLarge(path string) error {
	var dims []table.Dimension
	for _, x := range []struct {
		name, lead string
		branches   []int
	}{{"region", "REGION", []int{10, 10}}, {"nace", "NACE", []int{20, 7, 6}}, {"size", "size", []int{8}}} {
		dim := table.Dimension{Name: x.name, Codes: []string{"Total"}, Parent: []int32{-1}}
		var hrc strings.Builder
		var grow func(at int32, name string, left []int, indent string)
		grow = func(at int32, name string, left []int, indent string) {
			if len(left) == 0 {
				return
			}
			for n := range left[0] {
				code := fmt.Sprintf("%s%02d", name, n+1)
				dim.Codes, dim.Parent = append(dim.Codes, code), append(dim.Parent, at)
				fmt.Fprintln(&hrc, indent+code)
				grow(int32(len(dim.Codes)-1), code, left[1:], indent+"@")
			}
		}
		grow(0, x.lead, x.branches, "")
		if len(x.branches) > 1 {
			if err := os.WriteFile(strings.TrimSuffix(path, ".csv")+"."+x.name+".hrc", []byte(hrc.String()), 0o600); err != nil {
				return err
			}
		}
		dims = append(dims, dim)
	}
	b, c := len(dims[1].Codes), len(dims[2].Codes)
	n := len(dims[0].Codes) * b * c
	count := make([]int64, n)
	for i := range count { // of cells that are no sums
		at := []int{i / (b * c), i / c % b, i % c}
		leaf := true
		for d, x := range at {
			leaf = leaf && (x+1 == len(dims[d].Parent) || dims[d].Parent[x+1] != int32(x))
		}
		if leaf {
			count[i] = int64(uint32(i)*2654435761>>20) % 37
		}
	}
	for d, step := range []int{b * c, c, 1} { // the last codes first, so that each is whole before it is added
		size := len(dims[d].Codes)
		for k := size - 1; k > 0; k-- {
			for block := 0; block < n; block += size * step {
				for i := block + k*step; i < block+(k+1)*step; i++ {
					count[i-(k-int(dims[d].Parent[k]))*step] += count[i]
				}
			}
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, "region,nace,size,value,freq")
	for i, v := range count {
		fmt.Fprintf(w, "%s,%s,%s,%d,%d\n", dims[0].Codes[i/(b*c)], dims[1].Codes[i/c%b], dims[2].Codes[i%c], 17*v, v)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
