package solver

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// certified solves tab with a certificate and checks that it proves the solution;
// nil for a table that no pattern protects.
func certified(t *testing.T, tab *table.Table, opt Options) (*Solution, []byte) {
	t.Helper()
	opt.Certificate = true
	sol, err := Suppress(t.Context(), tab, &opt)
	var u *UnprotectableError
	if errors.As(err, &u) {
		if sol.Certificate == nil {
			t.Fatalf("no certificate of %v", err)
		}
		var file bytes.Buffer
		must.Do(t, sol.Certificate.Write(&file))
		rep, err := second.Verify(t, file.Bytes(), tab)
		if err != nil || !rep.Unprotectable || rep.Pattern != nil {
			t.Fatalf("%v: %+v, %v", u, rep, err)
		}
		return nil, file.Bytes()
	}
	if err != nil && !errors.Is(err, ErrNoSolution) {
		t.Fatal(err)
	}
	var file bytes.Buffer
	must.Do(t, sol.Certificate.Write(&file))
	rep, err := second.Verify(t, file.Bytes(), tab)
	if err != nil {
		t.Fatalf("%v\n%s", err, file.Bytes()[:min(file.Len(), 4000)])
	}
	if rep.Unprotectable || rep.Bound != sol.Bound || rep.Cost != sol.Cost || !slices.Equal(rep.Pattern, sol.Pattern) {
		t.Fatalf("certificate of cost %d, bound %d; the solution has %d, %d", rep.Cost, rep.Bound, sol.Cost, sol.Bound)
	}
	return sol, file.Bytes()
}

// The certificate of every random table that can be protected verifies, proves what
// plain Suppress finds, and has the same bytes whatever the number of workers.
func TestCertificates(t *testing.T) {
	tables := heavy.Draws(1600)
	const parts = 8
	for part := range parts {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			for i := part; i < tables; i += parts {
				rng := rand.New(rand.NewPCG(uint64(i), 7))
				tab := randomTable(rng, moreShapes[i/3%len(moreShapes)], 4+rng.IntN(14), i)
				opt := Options{Workers: 1, Canonical: i%5 == 0}
				sol, file := certified(t, tab, opt)
				plain, err := Suppress(t.Context(), tab, &opt)
				if sol == nil {
					if plain == nil || plain.Status != Unprotectable {
						t.Fatalf("table %d: unprotectable only with a certificate (%v)", i, err)
					}
					continue
				}
				if sol.Status != Optimal || sol.Cost != plain.Cost || sol.Bound != plain.Bound {
					t.Fatalf("table %d: %s, cost %d, bound %d; without a certificate cost %d", i, sol.Status, sol.Cost, sol.Bound, plain.Cost)
				}
				if i%4 == 0 {
					opt.Workers = 4
					if _, again := certified(t, tab, opt); !bytes.Equal(file, again) {
						t.Fatalf("table %d: other bytes with four workers", i)
					}
				}
				if i%4 == 1 { // and from a pattern that is there before
					opt.Start, _ = valid(tab, drawStart(rng, tab, sol.Pattern))
					if again, _ := certified(t, tab, opt); again.Status != Optimal || again.Cost != sol.Cost {
						t.Fatalf("table %d: %s, cost %d from a start, want %d", i, again.Status, again.Cost, sol.Cost)
					}
				}
			}
		})
	}
}

// larger is a table whose proof takes a tree and cuts of most families.
func larger(i int) *table.Table {
	rng := rand.New(rand.NewPCG(uint64(i), 70))
	big := []shape{
		{"9x9", [][]table.Edge{flat(9), flat(9)}},
		{"3x3x3", [][]table.Edge{flat(3), flat(3), flat(3)}},
		{"2x3x4", [][]table.Edge{flat(2), flat(3), flat(4)}},
		{"tree", [][]table.Edge{twoLevels, flat(5)}},
		{"trees", [][]table.Edge{twoLevels, twoLevels}},
		{"tree x 2x2", [][]table.Edge{twoLevels, flat(2), flat(2)}},
	}
	return randomTable(rng, big[i%len(big)], 90, i)
}

// Certificates of larger tables verify; all families of cuts occur in them.
func TestLargerCertificates(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	for i := range 120 {
		tab := larger(i)
		_, file := certified(t, tab, Options{})
		for l := range bytes.Lines(file) {
			kind, _, _ := strings.Cut(strings.TrimPrefix(string(l), `{"is":"`), `"`)
			kinds[kind]++
		}
	}
	for _, kind := range []string{"dual", "level", "bottleneck", "cover", "round", "bridge", "fix", "split", "leaf", "pattern", "witness"} {
		if kinds[kind] == 0 {
			t.Errorf("no line of kind %s among %v", kind, kinds)
		}
	}
}

// Exact sums agree with those in floating point but for rounding: the search does
// not change its path for a certificate, as it would if some family of cuts
// could not be derived.
func TestCertificatesKeepThePath(t *testing.T) {
	t.Parallel()
	other, all := 0, 0
	for i := range 80 {
		tab := larger(i)
		sol, _ := certified(t, tab, Options{Workers: 1})
		if sol == nil {
			continue
		}
		plain := must.Get(Suppress(t.Context(), tab, &Options{Workers: 1, off: techniques{presolve: true, fixBelow: true}}))(t)
		if all++; sol.Nodes != plain.Nodes || sol.Rounds != plain.Rounds {
			other++
			t.Logf("table %d: %d nodes, %d rounds; without a certificate %d, %d", i, sol.Nodes, sol.Rounds, plain.Nodes, plain.Rounds)
		}
	}
	if other*20 > all {
		t.Errorf("%d of %d searches take another path with a certificate", other, all)
	}
}

// Every LP back end of this build gives certificates, and they need not give Farkas
// rays.
func TestCertificatesOfBackends(t *testing.T) {
	for _, backend := range lp.Backends() {
		for i := range 40 {
			rng := rand.New(rand.NewPCG(uint64(i), 9))
			tab := randomTable(rng, shapes[i/3%len(shapes)], 14, i)
			sol, _ := certified(t, tab, Options{LP: backend, off: techniques{farkas: i%2 == 0}})
			if sol != nil && sol.Status != Optimal {
				t.Errorf("%s, table %d: %s", backend, i, sol.Status)
			}
		}
	}
	for i := range 20 {
		sol, _ := certified(t, larger(i), Options{off: techniques{farkas: true}})
		if sol != nil && sol.Status != Optimal {
			t.Errorf("table %d: %s", i, sol.Status)
		}
	}
}

// A run stopped early proves the bound it reached.
func TestCertificatesOfStoppedRuns(t *testing.T) {
	for i := range 40 {
		tab := larger(i)
		certified(t, tab, Options{Gap: 0.2})
		certified(t, tab, Options{TimeLimit: time.Duration(i) * 100 * time.Microsecond})
	}
}

// doc is one line of a certificate.
type doc map[string]any

func docs(t *testing.T, file []byte) []doc {
	t.Helper()
	var ds []doc
	for l := range bytes.Lines(file) {
		d := doc{}
		dec := json.NewDecoder(bytes.NewReader(l))
		dec.UseNumber()
		must.Do(t, dec.Decode(&d))
		ds = append(ds, d)
	}
	return ds
}

// file writes lines with a right end line.
func fileOf(ds []doc) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for k, d := range ds {
		if d["is"] == "end" {
			d["lines"] = k + 1
		}
		if err := e.Encode(d); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// shake changes one line at random.
func shake(rng *rand.Rand, ds []doc) []doc {
	ds = slices.Clone(ds)
	at := rng.IntN(len(ds))
	switch rng.IntN(8) {
	case 0:
		return slices.Delete(ds, at, at+1)
	case 1:
		return slices.Insert(ds, at, ds[rng.IntN(len(ds))])
	case 2:
		b := rng.IntN(len(ds))
		ds[at], ds[b] = ds[b], ds[at]
		return ds
	}
	d := doc{}
	var keys []string
	for k, v := range ds[at] {
		d[k] = v
		keys = append(keys, k)
	}
	slices.Sort(keys)
	ds[at] = d
	number := func(v json.Number) json.Number {
		n, _ := v.Int64()
		switch rng.IntN(7) {
		case 0:
			n++
		case 1:
			n--
		case 2:
			n = -n
		case 3:
			n *= 2
		case 4:
			n = 0
		case 5:
			n /= 2
		default:
			n = rng.Int64N(20)
		}
		return json.Number(strconv.FormatInt(n, 10))
	}
	switch k := keys[rng.IntN(len(keys))]; v := d[k].(type) {
	case json.Number:
		d[k] = number(v)
	case bool:
		d[k] = !v
	case []any:
		if len(v) == 0 {
			break
		}
		v = slices.Clone(v)
		p := rng.IntN(len(v))
		switch rng.IntN(6) {
		case 0:
			v = slices.Delete(v, p, p+1)
		case 1:
			v = slices.Insert(v, p, v[rng.IntN(len(v))])
		default:
			v[p] = number(v[p].(json.Number))
		}
		d[k] = v
	case string:
		if k == "is" {
			d[k] = []string{"leaf", "fix", "level", "bridge", "cover", "round", "pattern", "split", "dual", "witness"}[rng.IntN(10)]
		}
	}
	if d["is"] == "leaf" && rng.IntN(4) == 0 {
		d["ray"] = true
	}
	return ds
}

// Whatever is done to a certificate: what still verifies is true. The bound never
// exceeds the brute-force optimum, and a confirmed pattern is protected.
func TestTamperedCertificates(t *testing.T) {
	survived, refuted := 0, 0
	for i := range 240 {
		rng := rand.New(rand.NewPCG(uint64(i), 8))
		tab := randomTable(rng, shapes[i/3%len(shapes)], 4+rng.IntN(6), i)
		sol, file := certified(t, tab, Options{Workers: 1})
		if sol == nil {
			continue
		}
		_, cost := bruteForce(tab)
		s, r := tamper(t, rng, tab, sol, file, cost)
		survived, refuted = survived+s, refuted+r
	}
	if survived < 50 || refuted < 1000 {
		t.Errorf("%d changed certificates confirmed, %d refuted: the test says little", survived, refuted)
	}
}

// tamper changes a certificate of tab, whose least cost is known, in many ways. What is confirmed
// all the same must be true.
func tamper(t *testing.T, rng *rand.Rand, tab *table.Table, sol *Solution, file []byte, cost int64) (survived, refuted int) {
	t.Helper()
	ds := docs(t, file)
	for range 60 {
		bad := ds
		for range 1 + rng.IntN(3) {
			bad = shake(rng, bad)
		}
		if rng.IntN(3) == 0 { // ask for more
			head := doc{}
			for k, v := range bad[0] {
				head[k] = v
			}
			head["bound"] = sol.Bound + 1 + rng.Int64N(3)
			impossible := rng.IntN(3) == 0
			if impossible {
				delete(head, "bound")
				head["unprotectable"] = true
			}
			if impossible || rng.IntN(2) == 0 {
				delete(head, "cost")
				bad = slices.DeleteFunc(slices.Clone(bad), func(d doc) bool {
					return d["is"] == "witness" || d["is"] == "pattern"
				})
			}
			if len(bad) > 0 {
				bad[0] = head
			}
		}
		rep, err := second.Verify(t, fileOf(bad), tab)
		if err != nil {
			refuted++
			continue
		}
		survived++
		if rep.Unprotectable {
			t.Fatalf("table %s, which costs %d, is confirmed to be unprotectable\n%s", tab.Name, cost, fileOf(bad))
		}
		if rep.Bound > cost {
			t.Fatalf("table %s: bound %d confirmed, brute force finds cost %d\n%s", tab.Name, rep.Bound, cost, fileOf(bad))
		}
		if rep.Pattern != nil && !protected(tab, rep.Pattern) {
			t.Fatalf("table %s: an unprotected pattern is confirmed\n%s", tab.Name, fileOf(bad))
		}
	}
	return survived, refuted
}

// Each kind of tampering is refuted, for its own reason.
func TestTamperings(t *testing.T) {
	find := func(ds []doc, is string) int {
		return slices.IndexFunc(ds, func(d doc) bool { return d["is"] == is })
	}
	int64s := func(v any) []int64 {
		var out []int64
		for _, x := range v.([]any) {
			n, _ := x.(json.Number).Int64()
			out = append(out, n)
		}
		return out
	}
	cases := []struct {
		name string
		do   func(ds []doc) []doc
		want string
	}{
		{"raised bound", func(ds []doc) []doc { ds[0]["bound"] = 1 << 40; return ds }, "its multipliers prove a cost of at least"},
		{"dropped child", func(ds []doc) []doc {
			at := find(ds, "leaf")
			return slices.Delete(ds, at, at+1)
		}, "the tree is not complete"},
		{"no leaves", func(ds []doc) []doc {
			return slices.DeleteFunc(ds, func(d doc) bool { return d["is"] == "leaf" || d["is"] == "split" })
		}, "the tree is not complete"},
		{"negative multiplier", func(ds []doc) []doc {
			at := find(ds, "leaf")
			m := int64s(ds[at]["mult"])
			m[0] = -m[0]
			ds[at]["mult"] = m
			return ds
		}, "negative multiplier"},
		{"multipliers too large", func(ds []doc) []doc {
			for _, d := range ds {
				if d["is"] != "leaf" && d["is"] != "fix" || d["mult"] == nil {
					continue
				}
				m := int64s(d["mult"])
				for s := range m {
					m[s] = 1 << 62
				}
				d["scale"], d["mult"] = 0, m
			}
			return ds
		}, "its multipliers prove a cost of at least 0"},
		{"multipliers too small", func(ds []doc) []doc {
			at := find(ds, "leaf")
			m := int64s(ds[at]["mult"])
			for s := range m {
				m[s] /= 3
			}
			ds[at]["mult"] = m
			return ds
		}, "its multipliers prove a cost of at least"},
		{"altered dual", func(ds []doc) []doc {
			at := find(ds, "dual")
			ds[at]["relations"], ds[at]["num"] = []int{}, []int{}
			return ds
		}, "says nothing"},
		{"dual of another cell", func(ds []doc) []doc {
			at := find(ds, "dual")
			ds[at]["cell"] = 15
			return ds
		}, "its cell is not sensitive"},
		{"witness off a relation", func(ds []doc) []doc {
			at := find(ds, "witness")
			n := int64s(ds[at]["num"])
			n[0]--
			ds[at]["num"] = n
			return ds
		}, "violates the relation"},
		{"witness outside the bounds", func(ds []doc) []doc {
			at := find(ds, "witness")
			n := int64s(ds[at]["num"])
			for s := range n {
				n[s] *= -1000
			}
			ds[at]["num"] = n
			return ds
		}, "outside the intruder's bounds"},
		{"no witnesses", func(ds []doc) []doc {
			return slices.DeleteFunc(ds, func(d doc) bool { return d["is"] == "witness" })
		}, "no witness shows the upper level of cell a/a"},
		{"smaller pattern", func(ds []doc) []doc {
			at := find(ds, "pattern")
			c := int64s(ds[at]["cells"])
			ds[at]["cells"] = c[1:]
			return ds
		}, "pattern: it costs"},
		{"pattern without its cell", func(ds []doc) []doc {
			at := find(ds, "pattern")
			c := int64s(ds[at]["cells"])
			ds[at]["cells"], ds[0]["cost"] = c[1:], 2
			return ds
		}, "which is published"},
		{"lower cost", func(ds []doc) []doc { ds[0]["cost"] = 1; return ds }, "pattern: it costs"},
		{"a bound above the cost", func(ds []doc) []doc {
			at := find(ds, "leaf")
			ds[at]["ray"] = true
			ds[0]["bound"] = 4
			return ds
		}, "its multipliers prove a cost of at least"},
	}
	// 3×3 with one sensitive cell: three more must go.
	tab := randomTable(rand.New(rand.NewPCG(1, 1)), shape{"3x3", [][]table.Edge{flat(3), flat(3)}}, 0, 0)
	for i := range tab.Len() {
		tab.Status[i], tab.Cost[i], tab.Lower[i], tab.Upper[i] = table.Published, 1, 0, table.PosInf
		tab.LPL[i], tab.UPL[i], tab.Width[i] = 0, 0, 0
		if !tab.IsMargin(i, tab.Leaves()) {
			tab.Status[i] = table.Safe
		}
	}
	clear(tab.Value)
	for j := range tab.Rel.Len() {
		tab.Rel.RHS[j] = 0
	}
	for i := range tab.Len() {
		tab.Value[i] = map[bool]int64{true: 10, false: 30}[!tab.IsMargin(i, tab.Leaves())]
		if tab.CellName(i) == "T/T" {
			tab.Value[i] = 90
		}
	}
	tab.Strict, tab.CostDecimals = false, 0
	k := slices.IndexFunc(make([]bool, tab.Len()), func(bool) bool { return true })
	for i := range tab.Len() {
		if tab.CellName(i) == "a/a" {
			k = i
		}
	}
	tab.Status[k], tab.LPL[k], tab.UPL[k] = table.Sensitive, 5, 5
	sol, file := certified(t, tab, Options{Workers: 1})
	if sol.Cost != 3 {
		t.Fatalf("cost %d, want 3", sol.Cost)
	}
	for _, c := range cases {
		_, err := second.Verify(t, fileOf(c.do(docs(t, file))), tab)
		var r *certificate.Refuted
		if !errors.As(err, &r) || !strings.Contains(r.What.String(), c.want) {
			t.Errorf("%s: %v, want a refutation: %s", c.name, err, c.want)
		}
	}
	for _, change := range []func(o *table.Table){
		func(o *table.Table) { o.UPL[k]++ },
		func(o *table.Table) { o.Cost[0]++ },
		func(o *table.Table) { o.Upper[0] = 1000 },
		func(o *table.Table) { o.Strict = true },
		func(o *table.Table) { o.Rel.RHS[0]++ },
		func(o *table.Table) { o.Decimals = 1 },
		func(o *table.Table) {
			o.Status[slices.Index(o.Status, table.Published)] = table.Safe
		},
	} {
		other := tab.Clone()
		change(other)
		_, err := second.Verify(t, file, other)
		var r *certificate.Refuted
		if !errors.As(err, &r) || !strings.Contains(r.What.String(), "another table") {
			t.Errorf("%v, want a refutation: another table", err)
		}
	}
	// What is cut short anywhere is malformed, never confirmed.
	for cut := range len(file) {
		if _, err := second.Verify(t, file[:cut], tab); err == nil {
			t.Fatalf("confirmed after %d of %d bytes", cut, len(file))
		}
	}
}
