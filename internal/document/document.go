// Package document holds the JSON documents that hitoku prints and reads, as one struct for each kind. The
// first key of every document is "schema", such as "hitoku/suppress/1": the kind, and the version of its keys.
// Within a version keys are only added. docs/documents.md has the policy; [Schema] returns the JSON Schema of a
// kind, which is made from its struct.
//
// A key that only some documents of a kind have is left out of the others (omitzero or omitempty in the
// struct); a key whose value is not known is null. Numbers of tables are [Exact].
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

// A Head is the first key of a document. The struct that embeds it names the kind in the field's tag kind.
type Head struct {
	Schema string `json:"schema" doc:"kind of the document and version of its keys"`
}

// prefix precedes the kind and the version.
const prefix = "hitoku/"

// head returns the Head in a pointer to a document, and its kind with version, such as "suppress/1".
func head(doc any) (h *Head, kind string) {
	v := reflect.Indirect(reflect.ValueOf(doc))
	kind = kindOf(v.Type())
	if h, ok := v.FieldByName("Head").Addr().Interface().(*Head); ok {
		return h, kind
	}
	panic(fmt.Sprintf("%s has no Head", v.Type())) // a programming error
}

// kindOf returns the kind in the tag of the outermost field that has one.
func kindOf(t reflect.Type) string {
	if kind := kindIn(t); kind != "" {
		return kind
	}
	panic(fmt.Sprintf("%s is no document", t))
}

// kindIn returns the kind that a field of t names, either its own or that of a struct it embeds; "" if none
// does.
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

// Write prints a document on one line. doc is a pointer to a struct of this package, or to one that embeds such
// a struct. The key schema is filled in.
func Write(w io.Writer, doc any) error {
	h, kind := head(doc)
	h.Schema = prefix + kind
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(doc)
}

// New returns a pointer to an empty document of a kind, given without version; nil if there is no such kind.
func New(kind string) any {
	k := slices.Index(Kinds(), kind)
	if k < 0 {
		return nil
	}
	return reflect.New(reflect.TypeOf(documents[k])).Interface()
}

// Read fills a document from JSON. Documents from before there were versions have no key schema; a document of
// another kind or of a later version is an error.
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

// A Problem is what --json-errors prints to standard error in place of words.
type Problem struct {
	Head     `kind:"error/1" doc:"why a run failed or stopped, and what was said besides; printed by --json-errors"`
	ExitCode int    `json:"exit_code" doc:"0: done; 1: the verdict is bad; 2: wrong usage or input; 3: stopped by a limit or an interrupt"`
	Kind     string `json:"kind" enum:"remark,verdict,usage,input,system,limit" doc:"remark: done, and something was said; usage: flags, rules, or what they make of the input; input: a file says something else than what is wanted; system: a file cannot be opened, read or written"`
	Message  string `json:"message" doc:"as it is printed without --json-errors, in English"`
	Place
	Errors []Fault  `json:"errors,omitempty" doc:"of runs over several inputs: all of them, in the order in which they came"`
	Said   []string `json:"said,omitempty" doc:"lines that would have been printed besides; of very many the last"`
}

// A Fault is one error.
type Fault struct {
	Kind    string `json:"kind" enum:"usage,input,system,pattern" doc:"pattern: a table has none, or none was found"`
	Message string `json:"message"`
	Place
}

// A Place says where an input is wrong, as far as that is known, and what was wanted there.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty" doc:"from 1"`
	Column int    `json:"column,omitempty" doc:"byte in the line, from 1"`
	Field  string `json:"field,omitempty" doc:"header of the column"`
	Value  string `json:"value,omitempty" doc:"what stands there, quoted where it is no plain word, shortened where long"`
	Wanted string `json:"wanted,omitempty"`
}
