package catalogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/test/must"
)

// said are the functions of package i18n that make messages, and which of their arguments is the format.
var said = map[string]int{"T": 0, "Term": 0, "Word": 0, "Errorf": 0, "New": 0, "Plus": 0, "Label": 0}

// quiet are folders whose messages are for programmers, or in files for publication.
var quiet = regexp.MustCompile(`^(lp/[a-z]+|internal/test|internal/i18n|contrib|tools|duck|dist|browser|clients)(/|$)`)

// formats are those of all messages of the module, with a place of each, and all texts that stand in its code, parts of sums and of tags, too.
func formats(t *testing.T) (all map[string]string, texts map[string]bool) {
	root := must.Get(filepath.Abs("../../.."))(t)
	set := token.NewFileSet()
	all, texts = map[string]string{}, map[string]bool{}
	files := map[string][]*ast.File{}
	hands := map[string][]int{} // by package and name of the function: which parameters
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || quiet.MatchString(name) || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files[filepath.Dir(path)] = append(files[filepath.Dir(path)], f)
		return nil
	}))
	for more := true; more; {
		more = false
		// A function hands on that one of its parameters that it gives to such a function as format.
		hand := func(of, name string, ft *ast.FuncType, body *ast.BlockStmt) {
			if body == nil || of == "arb" || of == "i18n" { // the log of a batch file is in English, as that of τ-ARGUS
				return
			}
			k := 0
			for _, p := range ft.Params.List {
				for _, id := range p.Names {
					ast.Inspect(body, func(n ast.Node) bool {
						call, ok := n.(*ast.CallExpr)
						if !ok || slices.Contains(hands[of+"."+name], k) {
							return true
						}
						for _, arg := range taken(call, of, hands) {
							if arg, ok := arg.(*ast.Ident); ok && arg.Name == id.Name {
								hands[of+"."+name], more = append(hands[of+"."+name], k), true
								break
							}
						}
						return true
					})
					k++
				}
			}
		}
		for _, list := range files {
			for _, f := range list {
				ast.Inspect(f, func(n ast.Node) bool {
					switch x := n.(type) {
					case *ast.FuncDecl:
						name := x.Name.Name
						if x.Recv != nil {
							name = method + name
						}
						hand(f.Name.Name, name, x.Type, x.Body)
					case *ast.AssignStmt:
						for k, r := range x.Rhs {
							if l, ok := r.(*ast.FuncLit); ok && k < len(x.Lhs) {
								if id, ok := x.Lhs[k].(*ast.Ident); ok {
									hand(f.Name.Name, id.Name, l.Type, l.Body)
								}
							}
						}
					}
					return true
				})
			}
		}
	}
	for _, list := range files {
		for _, f := range list {
			ast.Inspect(f, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.Field:
					if x.Tag != nil {
						tag, _ := strconv.Unquote(x.Tag.Value)
						for _, key := range []string{"text", "textif", "doc"} {
							texts[reflect.StructTag(tag).Get(key)] = true
						}
						for word := range strings.SplitSeq(reflect.StructTag(tag).Get("enum"), ",") {
							texts[word] = true
						}
					}
				case ast.Expr:
					if s, ok := text(x, nil); ok {
						texts[s] = true
					}
				}
				return true
			})
		}
	}
	for _, list := range files {
		constants := map[string]string{}
		for _, f := range list {
			ast.Inspect(f, func(n ast.Node) bool {
				if v, ok := n.(*ast.ValueSpec); ok {
					for k, id := range v.Names {
						if k < len(v.Values) {
							if s, ok := text(v.Values[k], nil); ok {
								constants[id.Name] = s
							}
						}
					}
				}
				return true
			})
		}
		for _, f := range list {
			ast.Inspect(f, func(n ast.Node) bool {
				if list, ok := n.(*ast.CompositeLit); ok && list.Type == nil && len(list.Elts) == 3 && f.Name.Name == "protect" { // Field, With and Why of a Conflict
					if s, ok := text(list.Elts[2], constants); ok {
						where, _ := filepath.Rel(root, set.Position(list.Pos()).String())
						all[s] = where
					}
				}
				if pair, ok := n.(*ast.KeyValueExpr); ok { // which options say
					if key, ok := pair.Key.(*ast.Ident); ok && (key.Name == "Why" || key.Name == "Want") {
						if s, ok := text(pair.Value, constants); ok {
							where, _ := filepath.Rel(root, set.Position(pair.Pos()).String())
							all[strings.ReplaceAll(s, "%", "%%")] = where
						}
					}
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				for _, arg := range taken(call, f.Name.Name, hands) {
					if s, ok := text(arg, constants); ok {
						if _, name := called(call); name == "Term" || name == "Word" || name == "New" || name == "Label" {
							s = strings.ReplaceAll(s, "%", "%%")
						}
						where, _ := filepath.Rel(root, set.Position(call.Pos()).String())
						all[s] = where
					}
				}
				return true
			})
		}
	}
	return all, texts
}

// method stands before the name of a method.
const method = "()"

// called is the function that is called, and what stands before its name.
func called(call *ast.CallExpr) (of, name string) {
	switch x := call.Fun.(type) {
	case *ast.Ident:
		name = x.Name
	case *ast.SelectorExpr:
		name = x.Sel.Name
		if id, ok := x.X.(*ast.Ident); ok {
			of = id.Name
		}
	}
	return of, name
}

// taken are the arguments of a call in package pkg that are formats of messages.
func taken(call *ast.CallExpr, pkg string, hands map[string][]int) (formats []ast.Expr) {
	of, name := called(call)
	list := hands[of+"."+name]
	if _, selected := call.Fun.(*ast.SelectorExpr); selected && list == nil {
		list = hands[pkg+"."+method+name]
	} else if !selected {
		list = hands[pkg+"."+name]
	}
	if k, ok := said[name]; ok && (of == "i18n" || name == "Plus" || name == "Label") {
		list = []int{k}
	} else if of == "fmt" || of == "errors" || of == "t" {
		list = nil
	}
	for _, k := range list {
		if k < len(call.Args) {
			formats = append(formats, call.Args[k])
		}
	}
	return formats
}

// text is a text that stands in the code.
func text(e ast.Expr, constants map[string]string) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil && x.Kind == token.STRING
	case *ast.Ident:
		s, ok := constants[x.Name]
		return s, ok
	case *ast.BinaryExpr:
		a, ok := text(x.X, constants)
		b, ok2 := text(x.Y, constants)
		return a + b, ok && ok2 && x.Op == token.ADD
	}
	return "", false
}

// asis is what all languages write alike: holes, flags, names of fields and keywords.
var asis = regexp.MustCompile(`%(\[\d\])?s|--?[a-z][a-z-]*|\{[a-z_-]+\}|\b[A-Z]{2,}\b`)

// wordless is what a message is without words of its own.
func wordless(format string) bool {
	id := i18n.Identifier(format)
	return strings.IndexFunc(asis.ReplaceAllString(id, ""), unicode.IsLetter) < 0
}

// TestMessages asks for each message in each language, and for each pair of a catalogue whether the message is there.
func TestMessages(t *testing.T) {
	all, texts := formats(t)
	if len(all) < 1000 {
		t.Fatalf("%d messages", len(all))
	}
	ids := map[string]bool{}
	for _, tag := range Languages()[1:] {
		l := must.Get(For(tag))(t)
		b := l.Catalogue.(*book)
		for format, where := range all {
			id := i18n.Identifier(format)
			ids[id] = true
			if _, label := b.labels[strings.ReplaceAll(id, "%%", "%")]; b.says[id] == "" && !label && !wordless(format) {
				t.Errorf("%s: not in %s: %q", where, tag, format)
			}
		}
		for text := range texts {
			id := i18n.Identifier(text)
			ids[id] = true
			id = i18n.Identifier(strings.ReplaceAll(text, "%", "%%"))
			ids[id] = true
		}
		system := map[string]string{} // no text of ours
		must.Get(toml.DecodeFS(embedded, tag+"/system.toml", &system))(t)
		for part := range parts {
			p := must.Get(Of(tag, part))(t)
			for _, english := range p.english {
				ids[i18n.Identifier(english)] = true
				ids[i18n.Identifier(strings.ReplaceAll(english, "%", "%%"))] = true
			}
		}
		for id := range system {
			ids[id] = true
		}
		for id := range b.says {
			if !ids[id] {
				t.Errorf("%s: nothing says %q", tag, id)
			}
		}
	}
}
