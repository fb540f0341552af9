package risk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Files that are recoded by records, as they are written: k and l counted line by line, the loss no larger than that by columns, and the values read by compare as what they stand
// for, with the same loss of detail.
func TestLocalRecoding(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	persons, path := filepath.Join(dir, "p.csv"), filepath.Join(dir, "r.csv")
	finer := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 36))
		var b strings.Builder
		b.WriteString("age,zip,sex,ill\n")
		for range 30 + rng.IntN(300) {
			fmt.Fprintf(&b, "%d,%d,%c,%c\n", 20+int(25*rng.ExpFloat64()), 10000+rng.IntN(5)*rng.IntN(900), "fm"[rng.IntN(2)], 'a'+rune(rng.IntN(4)))
		}
		must.Do(t, os.WriteFile(persons, []byte(b.String()), 0o666))
		k, l := 2+rng.IntN(6), 1+rng.IntN(2)
		made := func(more ...string) document.Generalise {
			var out bytes.Buffer
			cmd := newRiskGeneralise()
			cmd.SetContext(t.Context())
			cmd.SetOut(&out)
			cmd.SetErr(&bytes.Buffer{})
			cmd.SetArgs(append([]string{persons, "--qi", "age,zip,sex", "--band", "age=5,10,20", "--withhold", "age,zip,sex", "--prefix", "zip=4,3,2", "--sensitive", "ill",
				"--min-k", fmt.Sprint(k), "--min-l", fmt.Sprint(l), "--json"}, more...))
			must.Do(t, cmd.Execute())
			var doc document.Generalise
			must.Do(t, json.Unmarshal(out.Bytes(), &doc))
			return doc
		}
		global := made().Chosen.Loss
		doc := made("--local", "-o", path, "--keep-order")
		loss := doc.Chosen.Loss
		if loss > global+1e-12 || len(doc.Chosen.Records) != 3 {
			t.Fatalf("seed %d: loss %g by records, %g by columns", seed, loss, global)
		}
		if loss < global-1e-12 {
			finer++
		}
		alike := map[string]map[string]int{}
		for _, row := range readLines(t, path) {
			key, ill := strings.Join(row[:len(row)-1], ","), row[len(row)-1]
			if alike[key] == nil {
				alike[key] = map[string]int{}
			}
			alike[key][ill]++
		}
		for key, values := range alike {
			n := 0
			for _, c := range values {
				n += c
			}
			if n < k || len(values) < l {
				t.Errorf("seed %d: %s: %d records with %d values, want %d and %d", seed, key, n, len(values), k, l)
			}
		}
		c := &comparing{attacks: 10, neighbours: 1, columns: 3, tolerance: 0.05, agree: 0.05, within: 0.05, confidence: 0.95, sameOrder: true, categories: []string{"zip"}}
		c.qi = []string{"age", "zip", "sex"}
		d, _, err := c.release(t.Context(), persons, path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := d.doc.(*document.Comparison).Sets[0]
		if s.Origin != "known" || s.Outside > 0 || s.Largest > 1/float64(k)+1e-9 || s.Matching.Largest > 1/float64(k)+1e-9 {
			t.Errorf("seed %d: %+v %+v", seed, s, s.Matching)
		}
		if detail := d.doc.(*document.Comparison).Detail; detail < loss-1e-9 || detail > loss+1e-9 {
			t.Errorf("seed %d: loss %g, but compare reads values that lose %g", seed, loss, detail)
		}
	}
	if finer < 15 {
		t.Errorf("%d of 20 files lose less by records", finer)
	}
}
