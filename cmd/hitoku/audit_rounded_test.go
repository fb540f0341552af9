package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// TestAuditRounded: whatever kind of rounding wrote a file, audit reads it and finds of each cell what round said of it; of margins that the file
// lacks, too, no more than holds.
func TestAuditRounded(t *testing.T) {
	t.Parallel()
	type cell struct {
		Cell         string
		Lower, Upper *json.Number
	}
	for n := range 60 {
		r := rand.New(rand.NewPCG(3, uint64(n)))
		dir := t.TempDir()
		in, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "out.csv")
		field, decimals := "freq", 0
		if n%3 == 0 {
			field, decimals = "value", 2
		}
		var b strings.Builder
		fmt.Fprintf(&b, "r,k,%s\n", field)
		for _, row := range []string{"a", "b", "c"}[:2+r.IntN(2)] {
			for _, col := range []string{"x", "y"} {
				fmt.Fprintf(&b, "%s,%s,%s\n", row, col, table.FormatDecimal(1+r.Int64N(40*table.Pow10(decimals)), decimals))
			}
		}
		must.Do(t, os.WriteFile(in, []byte(b.String()), 0o600))
		kind, base := []string{"controlled", "conventional", "random"}[r.IntN(3)], []string{"3", "5", "10"}[r.IntN(3)]
		args := []string{"round", in, "--base", base, "--kind", kind, "--intervals", "--json", "-o", out}
		if kind == "random" {
			args = append(args, "--seed", fmt.Sprint(n))
		}
		ask := func(args ...string) (cells map[string]cell) {
			t.Helper()
			var text, words bytes.Buffer
			if code := run(args, strings.NewReader(""), &text, &words); code > 1 {
				t.Fatalf("%d: hitoku %s: exit code %d: %s", n, strings.Join(args, " "), code, &words)
			}
			var d struct {
				Cells   json.RawMessage
				Learned struct{ Cells []cell }
			}
			must.Do(t, json.Unmarshal(text.Bytes(), &d))
			all := d.Learned.Cells
			if all == nil {
				must.Do(t, json.Unmarshal(d.Cells, &all))
			}
			cells = map[string]cell{}
			for _, c := range all {
				cells[c.Cell] = c
			}
			return cells
		}
		said := ask(args...)
		if decimals > 0 {
			base += ".00"
		}
		text := func(x *json.Number) string {
			if x == nil {
				return "none"
			}
			return x.String()
		}
		again := ask("audit", out, "--rounded", base, "--kind", kind, "--json")
		for name, c := range said {
			if got := again[name]; text(got.Lower) != text(c.Lower) || text(got.Upper) != text(c.Upper) {
				t.Errorf("%d: %s to %s: %s is in [%s, %s] as audit finds and [%s, %s] as round says", n, kind, base, name, text(got.Lower), text(got.Upper), text(c.Lower), text(c.Upper))
			}
		}
		// Without the margins no interval is narrower.
		raw := must.Get(os.ReadFile(out))(t)
		var inner strings.Builder
		for line := range strings.Lines(string(raw)) {
			if !strings.Contains(line, "Total") {
				inner.WriteString(line)
			}
		}
		must.Do(t, os.WriteFile(out, []byte(inner.String()), 0o600))
		for name, c := range ask("audit", out, "--rounded", base, "--kind", kind, "--json") {
			full := again[name]
			if less(full.Lower, c.Lower) || less(c.Upper, full.Upper) {
				t.Errorf("%d: %s to %s: %s is in [%s, %s] without the margins and in [%s, %s] with them", n, kind, base, name, text(c.Lower), text(c.Upper), text(full.Lower), text(full.Upper))
			}
		}
	}
}

// less compares two ends.
func less(a, b *json.Number) bool {
	if a == nil || b == nil {
		return false
	}
	x, _ := a.Float64()
	y, _ := b.Float64()
	return x < y
}
