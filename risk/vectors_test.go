package risk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// runners hold one function for each metric and kind of the vectors, by
// "metric/kind", or "metric" where cases have no kind. The files of the tests fill it
// in their init functions.
var runners = map[string]func(*testing.T, vectorCase, tolerance){}

// A vectorCase is one case of a file of vectors.
type vectorCase struct {
	ID   string          `json:"id"`
	Kind string          `json:"kind"`
	In   json.RawMessage `json:"in"`
	Out  json.RawMessage `json:"out"`
	Note string          `json:"note"`

	dir string // of its file, to which paths are relative
}

// tolerance is how far a float may be from the one wanted: rel·|want| + abs.
type tolerance struct {
	Rel float64 `json:"rel"`
	Abs float64 `json:"abs"`
}

// vectorDir returns the folder of the vectors: that of HITOKU_VECTORS, relative to the
// package or to the repository, or else the one beside the repository.
func vectorDir(t *testing.T) string {
	dir, set := os.LookupEnv("HITOKU_VECTORS")
	if !set {
		dir = filepath.Join("..", "..", "shared", "vectors", "risk")
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			t.Skip("needs the vectors beside the repository, or HITOKU_VECTORS: no folder ", dir)
		}
		return dir
	}
	if dir == "" {
		t.Fatal("HITOKU_VECTORS is empty: want a folder")
	}
	if _, err := os.Stat(dir); err != nil && !filepath.IsAbs(dir) {
		return filepath.Join("..", dir)
	}
	return dir
}

// vectorFiles are the *.json files of a folder or, where it has none, of the folders in it, outside hidden ones.
func vectorFiles(dir string) (names []string, err error) {
	if names, err = fs.Glob(os.DirFS(dir), "*.json"); names != nil || err != nil {
		return names, err
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && filepath.Ext(name) == ".json":
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// TestVectors runs every case of the files of the folder; paths in a file are relative to its own folder. A metric, a kind or
// a field of the output that no runner knows is a failure.
func TestVectors(t *testing.T) {
	dir := vectorDir(t)
	names := must.Get(vectorFiles(dir))(t)
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text := must.Get(os.ReadFile(path))(t)
		var file struct {
			Metric    string       `json:"metric"`
			Tolerance tolerance    `json:"tolerance"`
			Cases     []vectorCase `json:"cases"`
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(file.Cases) == 0 {
			t.Errorf("%s: no cases", name)
		}
		for _, c := range file.Cases {
			c.dir = filepath.Dir(path)
			t.Run(name+"/"+c.ID, func(t *testing.T) {
				key := file.Metric
				if c.Kind != "" {
					key += "/" + c.Kind
				}
				run := runners[key]
				if run == nil {
					t.Fatalf("no runner for %q", key)
				}
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("%s: the runner of %q cannot take the input %s: %v", c.ID, key, c.In, r)
					}
				}()
				run(t, c, file.Tolerance)
			})
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s: no *.json files", dir)
	}
}

// input decodes the input of c into to, a pointer to a struct. A field that the
// struct does not have is a failure.
func (c vectorCase) input(t *testing.T, to any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(c.In))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		t.Fatalf("input %s: %v", c.In, err)
	}
}

// refuse checks a case whose input was refused: it must want the status "error".
func (c vectorCase) refuse(t *testing.T, err error) {
	t.Helper()
	t.Log("refused: ", err)
	c.check(t, tolerance{}, map[string]any{"status": "error"})
}

// check compares every field of the output of c with that of got. Fields of got that
// the case does not mention are not looked at, nor are those that it wants to be null, which asserts
// nothing. Inside lists and objects a null stands for a nil in got.
func (c vectorCase) check(t *testing.T, tol tolerance, got map[string]any) {
	t.Helper()
	var want map[string]any
	d := json.NewDecoder(bytes.NewReader(c.Out))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatalf("output %s: %v", c.Out, err)
	}
	if len(want) == 0 {
		t.Error("the case wants nothing")
	}
	for name, w := range want {
		if w == nil {
			continue
		}
		g, ok := got[name]
		if !ok {
			t.Errorf("%s: not computed, want %v", name, w)
			continue
		}
		if err := tol.compare(w, g); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// compare tells how got differs from want, a JSON value with json.Number. Integers and
// rationals are compared exactly where both are exact.
func (tol tolerance) compare(want, got any) error {
	differ := fmt.Errorf("%v, want %v", got, want)
	if r, ok := got.(*big.Rat); ok && r == nil {
		got = nil
	}
	if got == nil || want == nil {
		if got != want {
			return differ
		}
		return nil
	}
	switch w := want.(type) {
	case bool:
		if got != w {
			return differ
		}
		return nil
	case []any:
		g := reflect.ValueOf(got)
		if g.Kind() != reflect.Slice || g.Len() != len(w) {
			return differ
		}
		for i := range w {
			if err := tol.compare(w[i], g.Index(i).Interface()); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	case map[string]any:
		g := reflect.ValueOf(got)
		if g.Kind() != reflect.Map || g.Len() != len(w) {
			return differ
		}
		for k := range w {
			v := g.MapIndex(reflect.ValueOf(k))
			if !v.IsValid() {
				return fmt.Errorf("%q missing: %w", k, differ)
			}
			if err := tol.compare(w[k], v.Interface()); err != nil {
				return fmt.Errorf("%q: %w", k, err)
			}
		}
		return nil
	case string:
		if g, ok := got.(string); ok {
			if g != w {
				return differ
			}
			return nil
		}
		return tol.number(w, true, got)
	case json.Number:
		return tol.number(w.String(), false, got)
	}
	return fmt.Errorf("a vector wants %T", want)
}

// number compares a number with its text; exact says that the text is exact.
func (tol tolerance) number(text string, exact bool, got any) error {
	want, ok := new(big.Rat).SetString(text)
	if !ok {
		return fmt.Errorf("%v, want %q", got, text)
	}
	var g float64
	switch v := reflect.ValueOf(got); {
	case v.CanInt():
		if want.Cmp(new(big.Rat).SetInt64(v.Int())) != 0 {
			return fmt.Errorf("%v, want %v", got, text)
		}
		return nil
	case v.CanUint():
		if want.Cmp(new(big.Rat).SetUint64(v.Uint())) != 0 {
			return fmt.Errorf("%v, want %v", got, text)
		}
		return nil
	case v.CanFloat():
		g = v.Float()
	default:
		r, ok := got.(*big.Rat)
		if !ok {
			return fmt.Errorf("%T %v, want %v", got, got, text)
		}
		if exact {
			if r.Cmp(want) != 0 {
				return fmt.Errorf("%v, want %v", r, text)
			}
			return nil
		}
		g, _ = r.Float64()
	}
	w, _ := want.Float64()
	if math.IsNaN(g) || math.Abs(g-w) > tol.Abs+tol.Rel*math.Abs(w) {
		return fmt.Errorf("%.17g, want %v", g, text)
	}
	return nil
}

// The runner takes any file: what it does not know is a failure with its name, of that
// case alone.
func TestVectorRunner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"metric.json": `{"metric":"no such","cases":[{"id":"a1","in":{},"out":{"k":1}}]}`,
		"kind.json":   `{"metric":"laplace_noise","cases":[{"id":"a2","kind":"no kind","in":{},"out":{"k":1}}]}`,
		"bad.json":    `{"metric":`,
		"empty.json":  `{"metric":"laplace_noise","cases":null}`,
		"in.json": `{"metric":"laplace_noise","tolerance":{"rel":1e-9},"cases":[
			{"id":"null","kind":"k_of_sigma","in":null,"out":{"k":1}},
			{"id":"nothing","kind":"k_of_sigma","in":{},"out":{"k":1}},
			{"id":"missing","kind":"sigma_for_k","in":{"N":3,"ranges":[1]},"out":{"sigma":1}},
			{"id":"field","kind":"sigma_for_k","in":{"N":3,"what":[1]},"out":{"sigma":1}},
			{"id":"type","kind":"sigma_for_k","in":{"N":"three"},"out":{"sigma":1}},
			{"id":"wrong","kind":"k_of_sigma","in":{"N":2,"ranges":[1],"sigma":1},"out":{"k":7}},
			{"id":"good","kind":"k_of_sigma","in":{"N":2,"ranges":[0],"sigma":1e0},"out":{"k":2.0,"status":null}}]}`,
		"below/bad.json": `{"metric":`,
	} {
		vectorFile(t, dir, name, text)
	}
	out, err := vectorsOf(t, dir)
	if err == nil || strings.Contains(out, "panic:") || strings.Contains(out, "below") {
		t.Errorf("%v, want a failure without a panic:\n%s", err, out)
	}
	for _, want := range []string{
		`no runner for "no such"`, `no runner for "laplace_noise/no kind"`, "bad.json: ", "empty.json: no cases",
		"FAIL: TestVectors/in.json/null", "FAIL: TestVectors/in.json/nothing", "FAIL: TestVectors/in.json/missing", "FAIL: TestVectors/in.json/field",
		"FAIL: TestVectors/in.json/type", "FAIL: TestVectors/in.json/wrong", "PASS: TestVectors/in.json/good",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// A folder of folders of vectors will do, each with its own data.
func TestVectorFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	vectorFile(t, dir, "one/er/k.json", `{"metric":"k_anonymity","cases":[{"id":"csv","in":{"csv":"csv/t.csv","qi":["a"],"missing":"own"},"out":{"k":2}}]}`)
	vectorFile(t, dir, "one/er/csv/t.csv", "a\nx\nx\n")
	vectorFile(t, dir, "two/k.json", `{"metric":"laplace_noise","tolerance":{"rel":1e-9},"cases":[{"id":"k","kind":"k_of_sigma","in":{"N":2,"ranges":[0],"sigma":1},"out":{"k":2}}]}`)
	vectorFile(t, dir, ".hidden/bad.json", `{"metric":`)
	out, err := vectorsOf(t, dir)
	if err != nil || strings.Contains(out, "hidden") || !strings.Contains(out, "PASS: TestVectors/one/er/k.json/csv") || !strings.Contains(out, "PASS: TestVectors/two/k.json/k") {
		t.Errorf("%v\n%s", err, out)
	}
}

// vectorFile writes a file in a folder.
func vectorFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)))
}

// vectorsOf runs TestVectors on a folder.
func vectorsOf(t *testing.T, dir string) (out string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestVectors$", "-test.v")
	cmd.Env = append(os.Environ(), "HITOKU_VECTORS="+dir)
	b, err := cmd.CombinedOutput()
	return string(b), err
}

// The comparison itself must be able to fail.
func TestCompare(t *testing.T) {
	third := big.NewRat(1, 3)
	tol := tolerance{Rel: 1e-12}
	for _, tc := range []struct {
		want, got any
		ok        bool
	}{
		{json.Number("0.3333333333333333"), third, true},
		{"1/3", third, true},
		{"1/3", 1.0 / 3, true},
		{"1/3", 0.3333, false},
		{"0.3333333333333333", third, false},
		{json.Number("3"), 3, true},
		{json.Number("3"), int64(4), false},
		{nil, nil, true},
		{nil, (*big.Rat)(nil), true},
		{nil, 0.0, false},
		{json.Number("0"), nil, false},
		{json.Number("1"), math.NaN(), false},
		{true, true, true},
		{true, false, false},
		{"ok", "ok", true},
		{"ok", "infeasible", false},
		{[]any{json.Number("1"), nil}, []any{1, nil}, true},
		{[]any{json.Number("1")}, []int{1, 2}, false},
		{[]any{[]any{json.Number("1"), json.Number("2")}}, [][]int{{1, 2}}, true},
		{map[string]any{"a": json.Number("2")}, map[string]int{"a": 2}, true},
		{map[string]any{"a": json.Number("2")}, map[string]int{"b": 2}, false},
	} {
		if err := tol.compare(tc.want, tc.got); (err == nil) != tc.ok {
			t.Errorf("compare(%v, %v) = %v, want equal %v", tc.want, tc.got, err, tc.ok)
		}
	}
}
