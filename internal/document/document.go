// Package document holds the JSON documents that hitoku prints and reads: one struct for each
// kind. The first key of every document is "schema", like "hitoku/suppress/1": the kind and the
// version of its keys. Within a version keys are only added; docs/documents.md has the policy,
// and [Schema] the JSON Schema of a kind, made from its struct.
//
// A key that is there in some documents of a kind only is left out (omitzero or omitempty in its
// struct), one whose value is not known is null. Numbers of tables are [Exact].
package document

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Head is the first key of a document. The kind stands in the tag kind of the field by which a
// struct embeds it.
type Head struct {
	Schema string `json:"schema" doc:"kind of the document and version of its keys"`
}

// prefix stands before the kind and the version.
const prefix = "hitoku/"

// head finds the Head in a pointer to a document, and its kind like "suppress/1".
func head(doc any) (h *Head, kind string) {
	v := reflect.Indirect(reflect.ValueOf(doc))
	kind = kindOf(v.Type())
	if h, ok := v.FieldByName("Head").Addr().Interface().(*Head); ok {
		return h, kind
	}
	panic(fmt.Sprintf("%s has no Head", v.Type())) // of a struct of ours: a mistake of the programmer
}

// kindOf is the kind in the tag of the outermost field that has one.
func kindOf(t reflect.Type) string {
	if kind := kindIn(t); kind != "" {
		return kind
	}
	panic(fmt.Sprintf("%s is no document", t))
}

// kindIn is the kind that a field of t names, its own or of what it embeds, "" if none does.
func kindIn(t reflect.Type) string {
	for i := range t.NumField() {
		f := t.Field(i)
		kind, of := f.Tag.Get("kind"), f.Type
		if f.Anonymous && of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if kind == "" && f.Anonymous && of.Kind() == reflect.Struct {
			kind = kindIn(of)
		}
		if kind != "" {
			return kind
		}
	}
	return ""
}

// Write prints a document, a pointer to a struct that embeds one of this package or is one, on
// one line. It fills in the key schema.
func Write(w io.Writer, doc any) error {
	h, kind := head(doc)
	h.Schema = prefix + kind
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

// New returns a pointer to an empty document of a kind, which is named without version; nil if there is none.
func New(kind string) any {
	k := slices.Index(Kinds(), kind)
	if k < 0 {
		return nil
	}
	return reflect.New(reflect.TypeOf(documents[k])).Interface()
}

// Read fills a document from JSON. A document from before there were versions has no key schema;
// one of another kind, or of a version that came later, is an error.
func Read(text []byte, doc any) error {
	h, kind := head(doc)
	if err := json.Unmarshal(text, doc); err != nil {
		return err
	}
	if h.Schema == "" {
		return nil
	}
	name, version, _ := strings.Cut(kind, "/")
	got, ok := strings.CutPrefix(h.Schema, prefix+name+"/")
	if !ok {
		return i18n.Errorf("key schema: %q: want %s", h.Schema, prefix+kind)
	}
	want, _ := strconv.Atoi(version)
	if n, err := strconv.Atoi(got); err != nil || n < 1 || n > want {
		return i18n.Errorf("key schema: %q: this is hitoku for version %d of these documents", h.Schema, want)
	}
	return nil
}
