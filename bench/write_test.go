package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
)

// samples are an optimum, a stopped search and a batch, with awkward text.
func samples() []*Result {
	return []*Result{
		{
			Table: "real/合計, \"x\"", Cells: 441, Relations: 42, Sensitive: 32, Status: "optimal",
			Cost: "123456789012345678.25", WithheldCost: "0.1", Bound: "123456789012345678.25", Gap: new(0.0), Suppressed: 40,
			Nodes: 3, Rounds: 17, Cuts: map[string]int{"width": 5, "capacity": 7}, FirstSeconds: new(0.000285), ProofSeconds: new(0.5), Seconds: 0.5,
			CPUSeconds: new(0.75), Runs: []float64{0.25, 0.5, 1e-7}, Audit: "protected", AuditSeconds: 0.125, Certificate: "confirmed", CertificateSeconds: 0.0625,
			HeapPeak: 1 << 40, RSSPeak: new(int64(5)), RSSScope: "instance",
			LP: "simplex", Engine: "network", Workers: 2, Canonical: true, GapLimit: 0.01, TimeLimit: 1.5,
			Rules: "--below=5 --cost=count", Version: "v1", Machine: "A <B> CPU",
		},
		{
			Table: "stopped", Status: "none", Bound: "0", Cuts: map[string]int{}, Seconds: 120, Runs: []float64{120}, Audit: "none",
		},
		{
			Table: "batch6", Status: "feasible", Cost: "7", Bound: "6", Gap: new(1.0 / 7), Cuts: map[string]int{"width": 1}, Runs: []float64{2},
			Audit: "protected", Batch: &document.BenchBatch{Tables: 5, Protected: 2, Unprotectable: 1, Unprotected: 1, Stopped: 1, MedianMS: 0.25, MeanMS: 0.3, MaxMS: 1},
		},
	}
}

// What is written is read back, in every format.
func TestRoundTrip(t *testing.T) {
	for _, f := range []string{"json", "jsonl", "csv"} {
		for _, results := range [][]*Result{samples(), samples()[:1]} {
			var b bytes.Buffer
			must.Do(t, Write(&b, f, results))
			text := b.String()
			got, err := read(&b, f == "csv")
			if d := cmp.Diff(results, got); d != "" || err != nil {
				t.Errorf("%s: %v (-written +read):\n%s\n%s", f, err, d, text)
			}
		}
		var b bytes.Buffer
		must.Do(t, Write(&b, f, nil))
		if got, err := read(&b, f == "csv"); len(got) != 0 || err != nil {
			t.Errorf("%s: nothing written, %d results read, %v", f, len(got), err)
		}
	}
	if err := Write(&bytes.Buffer{}, "yaml", nil); err == nil {
		t.Error("yaml written")
	}
}

// A file of another program needs no more than names and what is compared.
func TestReadForeign(t *testing.T) {
	got, err := read(strings.NewReader("\ufeffseconds,table,remark\n0.5,a,hello\n,b,\n"), true)
	want := []*Result{{Table: "a", Seconds: 0.5, Cuts: map[string]int{}}, {Table: "b", Cuts: map[string]int{}}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("Read: %v (-want +got):\n%s", err, d)
	}
}

func TestReadErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
	}{
		{"a.csv", "name,seconds\na,1\n", `a.csv:1: no column "table"`},
		{"a.csv", "table,seconds\na,1\nb,soon\n", `a.csv:3: column "seconds": "soon": want a number`},
		{"a.csv", "table,cost\na,?\n", `a.csv:2: column "cost": "?": want a number`},
		{"a.csv", "table,cuts\na,width\n", `a.csv:2: column "cuts": "width": want family=number`},
		{"a.csv", "table,runs\na,1 x\n", `a.csv:2: column "runs": "x": want a number`},
		{"a.csv", "table\na\na\n", "a.csv: two results for a"},
		{"a.csv", "table,lp\na\n", "a.csv: record on line 2: wrong number of fields"},
		{"a.csv", "", "a.csv: EOF"},
		{"a.json", `[{"table":"a"},{}]`, `a.json: document 2: no key "table"`},
		{"a.json", `[null]`, `a.json: document 1: no key "table"`},
		{"a.json", `[{"table":1}]`, "a.json: document 1: json: cannot unmarshal number"},
		{"a.jsonl", "{\"table\":\"a\"}\n{}\n", `a.jsonl: document 2: no key "table"`},
		{"a.jsonl", `{"schema":"hitoku/bench-lp/1","table":"a"}`, `a.jsonl: document 1: key schema: "hitoku/bench-lp/1": want hitoku/bench-csp/1`},
		{"a.jsonl", `{"schema":"hitoku/bench-csp/2","table":"a"}`, `a.jsonl: document 1: key schema: "hitoku/bench-csp/2": this is hitoku for version 1`},
		{"a.jsonl", "{\"table\":\"a\",\"cost\":\"x\"}", "a.jsonl: document 1: "},
	} {
		path := filepath.Join(t.TempDir(), tc.name)
		must.Do(t, os.WriteFile(path, []byte(tc.text), 0o666))
		_, err := ReadFile(path)
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/"), tc.want) {
			t.Errorf("%q: error %v, want %s", tc.text, err, tc.want)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "missing.csv")); err == nil {
		t.Error("missing file read")
	}
}
