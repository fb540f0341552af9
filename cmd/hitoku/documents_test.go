package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hitoku/hitoku/internal/document"
)

// TestDocumentsKeepSchemas compares the documents of every verb, as testdata/script/documents.txtar
// has them, with the schemas that hitoku schema prints. A key that no schema has fails, too.
func TestDocumentsKeepSchemas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/script/documents.txtar")
	if err != nil {
		t.Fatal(err)
	}
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
	if !slices.Contains(wanted, any(got)) {
		list = append(list, fmt.Sprintf("%s: %s, want %v", at, got, wanted))
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, v) && v != nil {
		list = append(list, fmt.Sprintf("%s: %v, want one of %v", at, v, enum))
	}
	if c, ok := schema["const"]; ok && c != v {
		list = append(list, fmt.Sprintf("%s: %v, want %v", at, v, c))
	}
	return list
}
