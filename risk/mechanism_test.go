package risk

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"

	"golang.org/x/text/encoding/japanese"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// written puts text into a file.
func written(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.csv")
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func decimal(t testing.TB, s string) table.Decimal {
	t.Helper()
	return must.Get(table.ParseDecimal(s))(t)
}

// odd is a file with everything that CSV allows.
const odd = "\xef\xbb\xbfid,\"sex\",\"no,te\"\r\n" +
	"1,f,\"a \"\"b\"\"\"\r\n" +
	"\r\n" +
	"2,m,\"two\nlines, \"\r\n" +
	"3,\"f\", blank \r\n" +
	"4,,\n" +
	"5,\"x,y\",z\r\n"

// With ρ = 1 and all records, only the spelling of the randomised column changes.
func TestRandomiseIsFaithful(t *testing.T) {
	path := written(t, odd)
	n, values, _, err := ValueCounts(t.Context(), path, Layout{}, []string{"sex"})
	if err != nil || n != 5 || !slices.Equal(values[0], []string{"", "f", "m", "x,y"}) {
		t.Fatalf("ValueSets = %d, %q, %v", n, values, err)
	}
	var b bytes.Buffer
	columns := []Replacement{{Column: "sex", Values: values[0], Rho: num.One}}
	must.Do(t, Randomise(t.Context(), &b, path, Layout{}, columns, Release{N: n, M: n, KeepOrder: true}, seed.Rand("test", "1")))
	want := strings.Replace(odd, "\r\n\r\n", "\r\n", 1) // the blank line
	want = strings.Replace(want, "3,\"f\"", "3,f", 1)
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

// ρ = 0 writes every value equally often, ρ = 1/2 keeps what it should, whole records
// are drawn equally often, the other columns stay with their record, and the
// same seed gives the same bytes.
func TestRandomiseChances(t *testing.T) {
	const n = 30_000
	var text strings.Builder
	text.WriteString("id,a,b\n")
	for i := range n {
		text.WriteString(strings.Repeat("x", i%3) + "," + []string{"p", "q", "r"}[i%3] + ",s\n")
	}
	text.WriteString("last,p,t\n")
	path := written(t, text.String())
	columns := []Replacement{
		{Column: "b", Values: []string{"s", "t", "never", "seen"}, Declared: true, Rho: new(big.Rat)},
		{Column: "a", Values: []string{"p", "q", "r"}, Rho: big.NewRat(1, 2)},
	}
	out := func(secret string, m int64) [][]string {
		var b bytes.Buffer
		must.Do(t, Randomise(t.Context(), &b, path, Layout{}, columns, Release{N: n + 1, M: m, KeepOrder: true}, seed.Rand("pram", secret)))
		records := must.Get(csv.NewReader(&b).ReadAll())(t)
		return records[1:]
	}
	all := out("1", n+1)
	kept, count := 0, map[string]int{}
	for i, r := range all[:n] {
		if r[0] != strings.Repeat("x", i%3) {
			t.Fatalf("record %d has id %q", i, r[0])
		}
		if r[1] == []string{"p", "q", "r"}[i%3] {
			kept++
		}
		count[r[2]]++
	}
	near := func(what string, got int, p float64) { // within 5 standard deviations
		t.Helper()
		if d := float64(got) - n*p; math.Abs(d) > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%s: %d of %d, want about %.0f", what, got, n, n*p)
		}
	}
	near("kept", kept, 2.0/3) // 1/2 and a third of the replacements
	for _, v := range columns[0].Values {
		near(v, count[v], 1.0/4)
	}
	if again := out("1", n+1); !slices.EqualFunc(all, again, slices.Equal) {
		t.Error("the same seed gives another release")
	}
	if other := out("2", n+1); slices.EqualFunc(all, other, slices.Equal) {
		t.Error("another seed gives the same release")
	}
	if part := out("1", 1000); len(part) != 1000 {
		t.Errorf("%d records published, want 1000", len(part))
	}
}

// Every part of what a release is made from changes the randomness, wherever it ends.
func TestNewRand(t *testing.T) {
	seen := map[uint64][]string{}
	for _, parts := range [][]string{{"pram", "s"}, {"laplace", "s"}, {"pram", "t"}, {"pram", "s", "a"}, {"pram", "sa"}, {"pram", "s", "a", "b"}, {"pram", "s", "ab"}, {"pram", "s", "", "ab"}} {
		x := seed.Rand(parts[0], parts[1], parts[2:]...).Uint64()
		if other, ok := seen[x]; ok {
			t.Errorf("%q and %q draw the same", parts, other)
		}
		if seen[x] = parts; seed.Rand(parts[0], parts[1], parts[2:]...).Uint64() != x {
			t.Errorf("%q draws something else the second time", parts)
		}
	}
	d, err := formats.Digest(written(t, "abc"))
	if err != nil || d != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("Digest = %s, %v", d, err)
	}
	if _, err := formats.Digest(t.TempDir()); err == nil {
		t.Error("a folder has a digest")
	}
}

// All pairs of five records are drawn as often.
func TestDraw(t *testing.T) {
	rng := seed.Rand("sample", "x")
	count := map[string]int{}
	const rounds = 20_000
	for range rounds {
		d := must.Get(newDraw(5, 2, rng))(t)
		hits := make([]byte, 5)
		for i := range hits {
			hit := must.Get(d.take())(t)
			if hits[i] = '-'; hit {
				hits[i] = 'x'
			}
		}
		count[string(hits)]++
	}
	if len(count) != 10 {
		t.Errorf("%d different samples, want 10", len(count))
	}
	for s, c := range count {
		if math.Abs(float64(c)-rounds/10) > 5*math.Sqrt(rounds*0.09) {
			t.Errorf("%s: %d times of %d", s, c, rounds)
		}
	}
}

// A sample is some records, in order and unchanged.
func TestSample(t *testing.T) {
	path := written(t, odd)
	n, err := Count(t.Context(), path, Layout{})
	if err != nil || n != 5 {
		t.Fatalf("Count = %d, %v", n, err)
	}
	rng := seed.Rand("sample", "x")
	var b bytes.Buffer
	if err := Sample(t.Context(), &b, path, Layout{}, Release{N: n, M: n, KeepOrder: true}, rng); err != nil || b.String() != strings.Replace(odd, "\r\n\r\n", "\r\n", 1) {
		t.Errorf("all of all: %v, %q", err, b.String())
	}
	orders := map[string]int{}
	for range 20 {
		b.Reset()
		must.Do(t, Sample(t.Context(), &b, path, Layout{}, Release{N: n, M: n}, rng))
		sorted := func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			slices.Sort(lines)
			return strings.Join(lines, "")
		}
		if sorted(b.String()) != sorted(strings.Replace(odd, "\r\n\r\n", "\r\n", 1)) || !strings.HasPrefix(b.String(), odd[:20]) {
			t.Fatalf("shuffled: %q", b.String())
		}
		orders[b.String()]++
	}
	if len(orders) < 15 {
		t.Errorf("%d orders of 120 in 20 draws", len(orders))
	}
	for _, wrong := range []int64{4, 6} {
		if err := Sample(t.Context(), &bytes.Buffer{}, path, Layout{}, Release{N: wrong, M: 2, KeepOrder: true}, rng); !errors.Is(err, errChanged) {
			t.Errorf("a file of another length: %v", err)
		}
	}
	for _, m := range []int64{0, 6} {
		if err := Sample(t.Context(), &bytes.Buffer{}, path, Layout{}, Release{N: n, M: m, KeepOrder: true}, rng); err == nil {
			t.Errorf("a sample of %d of 5 is taken", m)
		}
	}
}

// perturb adds noise to one column.
func perturb(ctx context.Context, w io.Writer, path string, p Perturbation, release Release, rng *rand.Rand) error {
	release.M = release.N
	_, err := (&Mixture{Noise: []Perturbation{p}}).Mask(ctx, w, path, Layout{}, release, nil, rng)
	return err
}

func TestPerturb(t *testing.T) {
	const text = "x;id;y\n1.5;a;10\n2.25;b;10\n-0.5;\"c;d\";10\n"
	path := written(t, text)
	n, _, spans, err := Spans(t.Context(), path, Layout{}, []string{"x", "y"}, Missing{})
	if err != nil || n != 3 || spans[0].Length().Cmp(big.NewRat(11, 4)) != 0 || spans[0].Decimals != 2 || spans[1].Length().Sign() != 0 {
		t.Fatalf("Spans = %d, %+v, %v", n, spans, err)
	}
	run := func(p Perturbation) (string, error) {
		var b bytes.Buffer
		err := perturb(t.Context(), &b, path, p, Release{N: n, KeepOrder: true}, seed.Rand("laplace", "1"))
		return b.String(), err
	}
	low, high := decimal(t, "-0.5"), decimal(t, "2.25")
	if got, err := run(Perturbation{Column: "x", Min: low, Max: high, Digits: 2}); err != nil ||
		got != "x;id;y\n1.50;a;10\n2.25;b;10\n-0.50;\"c;d\";10\n" {
		t.Errorf("no noise: %q, %v", got, err)
	}
	if got, err := run(Perturbation{Column: "x", Min: low, Max: high, Noise: gridOf(t, "1000000000"), Clamp: true}); err != nil || strings.ContainsAny(got, "3456789") || strings.Contains(got, "-0;") {
		t.Errorf("clamped: %q, %v", got, err)
	}
	// −0.75 and 2.75 would round to −1 and 3.
	wide := Perturbation{Column: "x", Min: decimal(t, "-0.75"), Max: decimal(t, "2.75"), Noise: gridOf(t, "1000000000"), Clamp: true}
	if got, err := run(wide); err != nil || strings.Contains(got, "3;") || strings.Contains(got, "-1;") || !strings.Contains(got, "2;") && !strings.Contains(got, "0;") {
		t.Errorf("clamped to whole numbers: %q, %v", got, err)
	}
	if got, err := run(Perturbation{Column: "y", Min: decimal(t, "9.5"), Max: decimal(t, "10.5"), Noise: gridOf(t, "1"), Clamp: true}); err != nil || strings.Count(got, ";10\n") != 3 {
		t.Errorf("clamped to the one number: %q, %v", got, err)
	}
	wide.Min, wide.Max = decimal(t, "0.25"), decimal(t, "0.75")
	if _, err := run(wide); err == nil || !strings.Contains(err.Error(), "no number of 0 decimals is in the range 0.25 to 0.75") {
		t.Errorf("a range without a whole number: %v", err)
	}
	if _, err := run(Perturbation{Column: "x", Min: low, Max: decimal(t, "2"), Noise: gridOf(t, "1")}); err == nil || !strings.Contains(err.Error(), ":3:") {
		t.Errorf("a value out of range: %v", err)
	}
	if _, err := run(Perturbation{Column: "id", Min: low, Max: high, Noise: gridOf(t, "1")}); err == nil {
		t.Error("words get noise")
	}
	if _, err := run(Perturbation{Column: "x", Min: low, Max: high, Noise: Grid{Exp: 1e9, T: 1}}); err == nil {
		t.Error("a grid of any size is taken")
	}
	if _, err := run(Perturbation{Column: "x", Min: low, Max: high, Noise: gridOf(t, "10"), Digits: 12}); err == nil {
		t.Error("more decimals than the grid has are taken")
	}
}

// CP932: names and declared values are found, the file stays CP932, also where the second
// byte of a character is that of another one's.
func TestMechanismCP932(t *testing.T) {
	enc := func(s string) string {
		return must.Get(japanese.ShiftJIS.NewEncoder().String(s))(t)
	}
	text := enc("番号,表示\n1,ソ\n2,能\n3,表\n")
	path := written(t, text)
	var b bytes.Buffer
	columns := []Replacement{{Column: "表示", Values: []string{"ソ", "能", "表"}, Declared: true, Rho: num.One}}
	if err := Randomise(t.Context(), &b, path, Layout{}, columns, Release{N: 3, M: 3, KeepOrder: true}, seed.Rand("pram", "1")); err != nil || b.String() != text {
		t.Errorf("%q, %v", b.String(), err)
	}
	columns[0].Values = columns[0].Values[:2]
	if err := Randomise(t.Context(), &b, path, Layout{}, columns, Release{N: 3, M: 3, KeepOrder: true}, seed.Rand("pram", "1")); err == nil || !strings.Contains(err.Error(), "表") {
		t.Errorf("a value that is not declared: %v", err)
	}
	columns[0].Values = []string{"ソ", "能", "😀"}
	if err := Randomise(t.Context(), &b, path, Layout{}, columns, Release{N: 3, M: 3, KeepOrder: true}, seed.Rand("pram", "1")); err == nil {
		t.Error("a value beyond the encoding is taken")
	}
}

// A compressed file is read like the plain one.
func TestMechanismGzip(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(odd))
	w.Close()
	path := written(t, z.String())
	var b bytes.Buffer
	if err := Sample(t.Context(), &b, path, Layout{}, Release{N: 5, M: 5, KeepOrder: true}, seed.Rand("sample", "1")); err != nil || b.String() != strings.Replace(odd, "\r\n\r\n", "\r\n", 1) {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// Records of any values survive: what is read back is what was written, with the
// randomised column replaced by one of its values.
func TestRandomiseRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 3).Draw(t, "width")
		value := rapid.StringMatching(`[ab," \n;é]{0,4}`)
		var rows [][]string
		for range rapid.IntRange(1, 8).Draw(t, "rows") {
			rows = append(rows, rapid.SliceOfN(value, width, width).Draw(t, "row"))
		}
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.Write([]string{"A", "B", "C"}[:width])
		w.WriteAll(rows)
		path := filepath.Join(dir, "f.csv")
		if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		l := Layout{Separator: ','}
		n, values, _, err := ValueCounts(t.Context(), path, l, []string{"A"})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return // blank lines only
		}
		var b bytes.Buffer
		if err := Randomise(t.Context(), &b, path, l, []Replacement{{Column: "A", Values: values[0], Rho: new(big.Rat)}}, Release{N: n, M: n, KeepOrder: true}, seed.Rand("pram", "1")); err != nil {
			t.Fatal(err)
		}
		got, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(bytes.NewReader(text.Bytes())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || int64(len(got)) != n+1 {
			t.Fatalf("%d records of %d, n = %d", len(got), len(want), n)
		}
		for i := range want {
			if i > 0 && !slices.Contains(values[0], got[i][0]) || !slices.Equal(got[i][1:], want[i][1:]) {
				t.Fatalf("record %d: %q, was %q", i, got[i], want[i])
			}
		}
	})
}

// Whatever a file holds, it is refused, or a sample of all its records is a file with
// the same records that is its own sample, and randomising a column with ρ = 1 keeps it.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte(odd))
	f.Add([]byte("a;b\n1;2\n\n;\n"))
	f.Add([]byte("a\n\"\"\nx\"\n"))
	f.Add([]byte("a,b\r\n\"x\ny\",\"\"\"\"\r\n1,2\x1a"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path, second := filepath.Join(dir, "1.csv"), filepath.Join(dir, "2.csv")
		must.Do(t, os.WriteFile(path, text, 0o666))
		l := Layout{Separator: ',', Encoding: "utf-8"}
		n, err := Count(t.Context(), path, l)
		if err != nil || n == 0 {
			return
		}
		var all, again, kept bytes.Buffer
		must.Do(t, Sample(t.Context(), &all, path, l, Release{N: n, M: n, KeepOrder: true}, seed.Rand("", "")))
		must.Do(t, os.WriteFile(second, all.Bytes(), 0o666))
		if err := Sample(t.Context(), &again, second, l, Release{N: n, M: n, KeepOrder: true}, seed.Rand("", "")); err != nil || !bytes.Equal(all.Bytes(), again.Bytes()) {
			t.Fatalf("%q, then %q, %v", all.Bytes(), again.Bytes(), err)
		}
		names, err := Header(path, l)
		if err != nil {
			t.Fatal(err)
		}
		_, values, _, err := ValueCounts(t.Context(), path, l, names[:1])
		if err != nil {
			return // two columns of the name
		}
		must.Do(t, Randomise(t.Context(), &kept, path, l, []Replacement{{Column: names[0], Values: values[0], Rho: num.One}}, Release{N: n, M: n, KeepOrder: true}, seed.Rand("", "")))
		must.Do(t, os.WriteFile(second, kept.Bytes(), 0o666))
		if m, same, _, err := ValueCounts(t.Context(), second, l, names[:1]); err != nil || m != n || !slices.Equal(same[0], values[0]) {
			t.Fatalf("%d records with %q, were %d with %q: %v", m, same, n, values, err)
		}
	})
}
