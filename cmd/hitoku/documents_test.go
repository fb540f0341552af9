package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/protect"
)

// TestDocumentsKeepSchemas compares the documents of every verb, as testdata/script/documents.txtar
// has them, with the schemas that hitoku schema prints. A key that no schema has fails, too.
func TestDocumentsKeepSchemas(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile("testdata/script/documents.txtar"))(t)
	seen := map[string]bool{}
	for _, f := range txtar.Parse(text).Files {
		if !strings.Contains(f.Name, ".json") {
			continue
		}
		for line := range bytes.Lines(f.Data) {
			line = blanked.ReplaceAll(line, []byte(`$1"…"`)) // of a skeleton
			var doc map[string]any
			if json.Unmarshal(line, &doc) != nil || doc["schema"] == nil {
				continue // no document of a kind
			}
			kind := strings.Split(fmt.Sprint(doc["schema"]), "/")[1]
			var schema map[string]any
			if err := json.Unmarshal(document.Schema(kind), &schema); err != nil {
				t.Fatalf("%s: %s: %v", f.Name, kind, err)
			}
			seen[kind] = true
			for _, fault := range faults(schema, doc, kind) {
				t.Errorf("%s: %s", f.Name, fault)
			}
		}
	}
	for _, kind := range document.Kinds() {
		if !seen[kind] {
			t.Errorf("no document of kind %s", kind)
		}
	}
}

// Every policy of the scripts, and what each field may be, is one by the schema of policies; what is none is not.
func TestPoliciesKeepSchema(t *testing.T) {
	t.Parallel()
	var schema map[string]any
	must.Do(t, json.Unmarshal(hitoku(t, "schema", "policy"), &schema))
	read, refused := 0, 0
	keeps := func(name string, text []byte, keys map[string]any) {
		doc := must.Get(json.Marshal(keys))(t)
		var v any
		must.Do(t, json.Unmarshal(doc, &v))
		list := faults(schema, v, name)
		p, c, err := protect.Read(bytes.NewReader(text), name)
		for _, f := range append(p.Fields(), c.Fields()...) {
			if fault := (&option.Option{Range: f.Range, From: f.From}).Check(f.Texts(), nil); err == nil && !fault.IsZero() {
				err = errors.New(fault.String())
			}
		}
		if err != nil {
			if len(list) > 0 {
				refused++
			}
			return
		}
		read++
		for _, fault := range list {
			t.Error(fault)
		}
	}
	scripts := must.Get(filepath.Glob("testdata/script/*.txtar"))(t)
	for _, script := range scripts {
		text := must.Get(os.ReadFile(script))(t)
		for _, f := range txtar.Parse(text).Files {
			keys := map[string]any{}
			if strings.HasSuffix(f.Name, ".toml") && toml.Unmarshal(f.Data, &keys) == nil || strings.HasSuffix(f.Name, ".json") && json.Unmarshal(f.Data, &keys) == nil {
				keeps(script+": "+f.Name, f.Data, keys)
			}
		}
	}
	for _, f := range append(new(protect.Policy).Fields(), new(protect.Change).Fields()...) {
		for _, v := range []any{0, 1, 2, 0.5, true, false, "", "1", "10,2", "2,50", "30%", "A=30%", "1m", "P(10,1)", "0.1,0,-1", f.Default, []any{}, []any{"1,80", "2,90"}, []any{10, "20"}, map[string]any{}} {
			keys := map[string]any{f.Name: v}
			text := must.Get(json.Marshal(keys))(t)
			keeps(f.Name+".json", text, keys)
		}
	}
	if read < 300 || refused < 100 {
		t.Errorf("%d policies and %d others were looked at", read, refused)
	}
}

// blanked is a value that is left out of a skeleton.
var blanked = regexp.MustCompile(`([:\[])…`)

// faults lists where v is not what the schema says.
func faults(schema map[string]any, v any, at string) (list []string) {
	var wanted []any
	switch types := schema["type"].(type) {
	case string:
		wanted = []any{types}
	case []any:
		wanted = types
	}
	got := "null"
	switch x := v.(type) {
	case bool:
		got = "boolean"
	case string:
		if got = "string"; x == "…" {
			return nil // what differs from run to run
		}
	case float64:
		if got = "number"; x == float64(int64(x)) && slices.Contains(wanted, any("integer")) {
			got = "integer"
		}
	case []any:
		got = "array"
		items, _ := schema["items"].(map[string]any)
		for i, y := range x {
			list = append(list, faults(items, y, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case map[string]any:
		got = "object"
		properties, _ := schema["properties"].(map[string]any)
		every, _ := schema["additionalProperties"].(map[string]any)
		for key, y := range x {
			of, ok := properties[key].(map[string]any)
			switch {
			case ok:
				list = append(list, faults(of, y, at+"."+key)...)
			case every != nil:
				list = append(list, faults(every, y, at+"."+key)...)
			case properties != nil:
				list = append(list, fmt.Sprintf("%s: key %s is not in the schema", at, key))
			}
		}
		required, _ := schema["required"].([]any)
		for _, key := range required {
			if _, ok := x[key.(string)]; !ok {
				list = append(list, fmt.Sprintf("%s: no key %s", at, key))
			}
		}
	}
	if wanted != nil && !slices.Contains(wanted, any(got)) {
		list = append(list, fmt.Sprintf("%s: %s, want %v", at, got, wanted))
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, v) && v != nil {
		list = append(list, fmt.Sprintf("%s: %v, want one of %v", at, v, enum))
	}
	x, number := v.(float64)
	for key, out := range map[string]func(end float64) bool{
		"minimum": func(end float64) bool { return x < end }, "maximum": func(end float64) bool { return x > end },
		"exclusiveMinimum": func(end float64) bool { return x <= end }, "exclusiveMaximum": func(end float64) bool { return x >= end },
	} {
		if end, ok := schema[key].(float64); ok && number && out(end) {
			list = append(list, fmt.Sprintf("%s: %v, want %s %v", at, v, key, end))
		}
	}
	if some, ok := schema["anyOf"].([]any); ok && !slices.ContainsFunc(some, func(s any) bool { return len(faults(s.(map[string]any), v, at)) == 0 }) {
		list = append(list, fmt.Sprintf("%s: %v, want one of %v", at, v, some))
	}
	if c, ok := schema["const"]; ok && c != v {
		list = append(list, fmt.Sprintf("%s: %v, want %v", at, v, c))
	}
	return list
}
