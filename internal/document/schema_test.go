package document

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

var update = flag.Bool("update", false, "rewrite the schemas in testdata, where that adds keys only")

// TestSchemas compares the schema of each kind with the one in testdata. Within a version nothing
// is removed and no type changes; that needs a new version, with a file of its own.
func TestSchemas(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for i, name := range Kinds() {
		id := kindOf(reflect.TypeOf(documents[i]))
		if seen[name] {
			t.Errorf("%s: two documents of this kind", name)
		}
		seen[name] = true
		once(t, reflect.TypeOf(documents[i]), map[string]bool{})
		got := Schema(name)
		path := filepath.Join("testdata", strings.ReplaceAll(id, "/", "-")+".json")
		want, err := os.ReadFile(path)
		if err != nil && !(*update && os.IsNotExist(err)) {
			t.Error(err)
			continue
		}
		if err == nil {
			if broken := breaks(parse(t, want), parse(t, got), ""); len(broken) > 0 {
				t.Errorf("%s: readers of version %s would break; give it a new version:\n%s", name, id, strings.Join(broken, "\n"))
				continue
			}
		}
		if bytes.Equal(got, want) {
			continue
		}
		if !*update {
			t.Errorf("%s: the schema has additions; run go test ./internal/document -update", name)
			continue
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Error(err)
		}
	}
	if got := Schema("moat"); got != nil {
		t.Errorf("a schema of no kind: %s", got)
	}
}

// once wants every key of a document in one place of its struct: encoding/json leaves out one that is in two.
func once(t *testing.T, of reflect.Type, seen map[string]bool) {
	t.Helper()
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Pointer:
			once(t, f.Type.Elem(), seen)
		case f.Anonymous:
			once(t, f.Type, seen)
		case seen[name]:
			t.Errorf("%s: key %s comes twice", of, name)
		default:
			seen[name] = true
		}
	}
}

func parse(t *testing.T, text []byte) *node {
	t.Helper()
	n := &node{}
	must.Do(t, json.Unmarshal(text, n))
	return n
}

// breaks lists what a reader of documents by the schema old may not expect of those by the new.
func breaks(old, now *node, at string) (list []string) {
	say := func(format string, args ...any) { list = append(list, at+": "+fmt.Sprintf(format, args...)) }
	for _, k := range now.Type {
		if !slices.Contains(old.Type, k) && !(k == "integer" && slices.Contains(old.Type, "number")) {
			say("may be %s now, was %s", k, strings.Join(old.Type, " or "))
		}
	}
	if old.Const != now.Const {
		say("is %q now, was %q", now.Const, old.Const)
	}
	if old.Pattern != now.Pattern {
		say("pattern %s now, was %s", now.Pattern, old.Pattern)
	}
	if old.MinItems != now.MinItems || old.MaxItems != now.MaxItems {
		say("another number of items")
	}
	for _, r := range old.Required {
		if !slices.Contains(now.Required, r) {
			say("%s: may be absent now", r)
		}
	}
	if old.Properties != nil {
		for name, p := range old.Properties.of {
			if now.Properties == nil || now.Properties.of[name] == nil {
				say("%s: is gone", name)
			} else {
				list = append(list, breaks(p, now.Properties.of[name], at+"."+name)...)
			}
		}
	}
	for _, x := range []struct {
		name     string
		old, now *node
	}{{"[]", old.Items, now.Items}, {"{}", old.Values, now.Values}} {
		switch {
		case x.old != nil && x.now != nil:
			list = append(list, breaks(x.old, x.now, at+x.name)...)
		case x.old != nil || x.now != nil:
			say("%s: another kind", x.name)
		}
	}
	slices.Sort(list)
	return list
}

// TestBreaks changes a document in ways that break readers and in ways that do not.
func TestBreaks(t *testing.T) {
	t.Parallel()
	type inner struct {
		B []string `json:"b"`
	}
	type before struct {
		A int            `json:"a"`
		L []inner        `json:"l"`
		M map[string]int `json:"m"`
		E Exact          `json:"e"`
		X Opt[string]    `json:"x,omitzero"`
		S Span           `json:"s"`
	}
	old := describe(reflect.TypeFor[before]())
	for _, tc := range []struct {
		now  any
		want string
	}{
		{before{}, ""},
		{struct {
			before
			New bool `json:"new"`
		}{}, ""},
		{struct {
			L []inner        `json:"l"`
			M map[string]int `json:"m"`
			E Exact          `json:"e"`
			X Opt[string]    `json:"x,omitzero"`
			S Span           `json:"s"`
		}{}, ": a: is gone"},
		{struct {
			before
			A string `json:"a"`
		}{}, ".a: may be string now"},
		{struct {
			before
			A *int `json:"a"`
		}{}, ".a: may be null now"},
		{struct {
			before
			A int `json:"a,omitempty"`
		}{}, ": a: may be absent now"},
		{struct {
			before
			L []struct{} `json:"l"`
		}{}, ".l[]: b: is gone"},
		{struct {
			before
			M map[string]string `json:"m"`
		}{}, ".m{}: may be string now"},
		{struct {
			before
			S [3]Exact `json:"s"`
		}{}, ".s: another number of items"},
		{struct {
			before
			E float64 `json:"e"`
		}{}, ".e: pattern"},
		{struct {
			before
			X string `json:"x"`
		}{}, ""},
	} {
		got := strings.Join(breaks(old, describe(reflect.TypeOf(tc.now)), ""), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%T: %q, want %q", tc.now, got, tc.want)
		}
	}
}

// TestRead reads what is written, what is older, and refuses what is newer or another kind.
func TestRead(t *testing.T) {
	t.Parallel()
	gap := 0.25
	a := &Suppression{Table: "t", Cost: "2.50", Bound: "2/3", Gap: &gap, Pattern: []string{"a<b"}, Codes: [][]string{{"a<b"}}, Audit: Protected, Cuts: map[string]int{}}
	var b bytes.Buffer
	must.Do(t, Write(&b, a))
	if !strings.HasPrefix(b.String(), `{"schema":"hitoku/suppress/1","table":"t","status":"","cost":2.50,"bound":"2/3",`) || !strings.Contains(b.String(), `"a<b"`) {
		t.Error(b.String())
	}
	var back Suppression
	if err := Read(b.Bytes(), &back); err != nil || !reflect.DeepEqual(&back, a) {
		t.Errorf("%+v, want %+v: %v", back, a, err)
	}
	for _, tc := range []struct{ text, want string }{
		{`{"table":"t"}`, ""},
		{`{"schema":"hitoku/suppress/2"}`, `key schema: "hitoku/suppress/2": this is hitoku for version 1`},
		{`{"schema":"hitoku/audit/1"}`, `want hitoku/suppress/1`},
		{`{"schema":"hitoku/suppress/x"}`, `for version 1`},
		{`{"cost":"x"}`, `want a number`},
		{`{"cost":[]}`, `want a number`},
		{`{"cost":1e999999999}`, `want a number`},
		{`{"cost":null}`, ""},
	} {
		err := Read([]byte(tc.text), &Suppression{})
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// TestOpt writes and reads the three states of an Opt.
func TestOpt(t *testing.T) {
	t.Parallel()
	type doc struct {
		A Opt[int]      `json:"a,omitzero"`
		B Opt[Rational] `json:"b"`
	}
	for _, tc := range []struct {
		doc  doc
		want string
	}{
		{doc{}, `{"b":null}`},
		{doc{A: Null[int](), B: Some(Rational("1/4"))}, `{"a":null,"b":"1/4"}`},
		{doc{A: SomeIf(true, 0), B: SomeIf(false, Rational("1"))}, `{"a":0,"b":null}`},
	} {
		got, err := json.Marshal(tc.doc)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s, want %s: %v", got, tc.want, err)
		}
		var back doc
		if err := json.Unmarshal(got, &back); err != nil {
			t.Error(err)
		}
		if again, _ := json.Marshal(back); string(again) != tc.want {
			t.Errorf("%s becomes %s", tc.want, again)
		}
	}
}

// The report of a batch has the keys of a suppression in order, but those of its course, and is read again.
func TestBatchReport(t *testing.T) {
	t.Parallel()
	r := &BatchReport{Suppression{Table: "a<b", Status: "optimal", Cost: "7", Bound: "20/3", Gap: new(0.25), Pattern: []string{"1"}, Rounds: 3, Nodes: 4, Cuts: map[string]int{"width": 1}, Seconds: 5}}
	text := must.Get(json.Marshal(&BatchResult{Report: r}))(t)
	const want = `"report":{"audit":"","bound":"20/3","cells":0,"cost":7,"engine":"","gap":0.25,"lp":"","pattern":["1"],"relations":0,"schema":"hitoku/suppress/1","secondary":0,"sensitive":0,"status":"optimal","suppressed":0,"table":"a\u003cb","version":""}}`
	if !strings.HasSuffix(string(text), want) {
		t.Errorf("%s\nwant %s", text, want)
	}
	var back BatchResult
	must.Do(t, json.Unmarshal(text, &back))
	if again, err := json.Marshal(&back); err != nil || !bytes.Equal(again, text) {
		t.Errorf("%s, %v\nwant %s", again, err, text)
	}
}
