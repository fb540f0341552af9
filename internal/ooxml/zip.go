package ooxml

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/unpack"
)

// A Package is an open file. The names of its parts have no slash in front, as in xl/workbook.xml.
type Package struct {
	files []*zip.File
	index map[string]int    // into files, by folded name
	text  map[string][]byte // unpacked parts, by folded name
	set   map[string][]byte // parts with new text
	gone  map[string]bool
	added []string
	size  int64
	left  int64 // bytes that may still be unpacked
	nodes int   // elements that may still be parsed
	types *types
}

// errNames says that two parts of a package have the same name, or that a name leads out of it.
var errNames = i18n.New("two parts of one name, or a name that leads elsewhere")

// fold returns a single form for all spellings of a name that programs take for the same part.
func fold(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

// Open opens the package raw, which must not change while it is in use.
func Open(raw []byte) (*Package, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	size := int64(len(raw))
	p := &Package{files: z.File, index: map[string]int{}, text: map[string][]byte{}, set: map[string][]byte{}, gone: map[string]bool{},
		size: size, left: unpack.Text(size), nodes: unpack.Cells(size, 1)}
	for n, f := range z.File {
		name := fold(f.Name)
		if _, twice := p.index[name]; twice || slices.Contains(strings.Split(name, "/"), "..") {
			return nil, i18n.Errorf("part %s: %w", f.Name, errNames)
		}
		if f.Flags&1 != 0 {
			return nil, i18n.Errorf("part %s has a password", f.Name)
		}
		p.index[name] = n
	}
	return p, nil
}

// Names returns the names of the parts that will be written, in order.
func (p *Package) Names() []string {
	var all []string
	for _, f := range p.files {
		if !p.gone[fold(f.Name)] && !strings.HasSuffix(f.Name, "/") {
			all = append(all, strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))
		}
	}
	return append(all, p.added...)
}

// Has reports whether there is such a part.
func (p *Package) Has(name string) bool {
	name = fold(name)
	if p.gone[name] {
		return false
	}
	_, old := p.index[name]
	_, set := p.set[name]
	return old || set
}

// Read returns the text of a part as it will be written; the caller must not change it.
func (p *Package) Read(name string) ([]byte, error) {
	key := fold(name)
	if !p.Has(name) {
		return nil, i18n.Errorf("it has no part %s", name)
	}
	if b, ok := p.set[key]; ok {
		return b, nil
	}
	if b, ok := p.text[key]; ok {
		return b, nil
	}
	r, err := p.files[p.index[key]].Open()
	if err != nil {
		return nil, i18n.Errorf("part %s: %w", name, err)
	}
	defer r.Close()
	said := p.files[p.index[key]].UncompressedSize64
	var text bytes.Buffer
	text.Grow(int(min(said, 1<<20)) + bytes.MinRead)
	if _, err := text.ReadFrom(io.LimitReader(r, p.left+1)); err != nil {
		return nil, i18n.Errorf("part %s: %w", name, err)
	}
	b := text.Bytes()
	if p.left -= int64(len(b)); p.left < 0 {
		return nil, i18n.Errorf("part %s: %w", name, &unpack.TooLargeError{Size: p.size})
	}
	p.text[key] = b
	return b, nil
}

// Set gives a part a new text, or adds the part at the end.
func (p *Package) Set(name string, b []byte) {
	key := fold(name)
	if _, old := p.index[key]; (!old || p.gone[key]) && p.set[key] == nil {
		p.added = append(p.added, name)
	}
	p.set[key] = b
}

// Drop leaves a part out.
func (p *Package) Drop(name string) {
	key := fold(name)
	p.gone[key] = true
	delete(p.set, key)
	p.added = slices.DeleteFunc(p.added, func(s string) bool { return fold(s) == key })
}

// Edit applies edits to a part; without edits the part is untouched.
func (p *Package) Edit(name string, edits []Edit) error {
	if len(edits) == 0 {
		return nil
	}
	b, err := p.Read(name)
	if err != nil {
		return err
	}
	p.Set(name, Apply(b, edits))
	return nil
}

// Write writes the package. Parts that were not set are copied byte for byte as they were compressed, in the same
// order and with the same times. Comments and extra fields of the archive, which might contain anything, are left
// out.
func (p *Package) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, f := range p.files {
		key := fold(f.Name)
		if p.gone[key] {
			continue
		}
		if b, ok := p.set[key]; ok {
			to, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: f.Modified})
			if err != nil {
				return err
			}
			if _, err := to.Write(b); err != nil {
				return err
			}
			continue
		}
		h := f.FileHeader
		h.Extra, h.Comment = nil, ""
		to, err := z.CreateRaw(&h)
		if err != nil {
			return err
		}
		from, err := f.OpenRaw()
		if err != nil {
			return err
		}
		if _, err := io.Copy(to, from); err != nil {
			return err
		}
	}
	for _, name := range p.added {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: p.files[0].Modified})
		if err != nil {
			return err
		}
		if _, err := to.Write(p.set[fold(name)]); err != nil {
			return err
		}
	}
	return z.Close()
}

// A Relation names a part that another uses, or something outside the package.
type Relation struct {
	ID, Type string // Type is only what stands behind its last slash
	Target   string // the name of a part; as written if External
	External bool
	Node     *Node
}

// RelationsOf returns the name of the part that holds the relations of a part, or those of the package for "".
func RelationsOf(part string) string {
	if part == "" {
		return "_rels/.rels"
	}
	return path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
}

// OwnerOf is the inverse of RelationsOf; ok is false for other parts.
func OwnerOf(rels string) (part string, ok bool) {
	dir, base := path.Split(rels)
	base, ok = strings.CutSuffix(base, ".rels")
	if !ok || path.Base(dir) != "_rels" {
		return "", false
	}
	if dir = path.Dir(path.Clean(dir)); base == "" {
		return "", dir == "."
	}
	return path.Join(dir, base), true
}

// Relations returns the relations of a part; none if it has none.
func (p *Package) Relations(part string) ([]Relation, error) {
	name := RelationsOf(part)
	if !p.Has(name) {
		return nil, nil
	}
	root, err := p.Parse(name)
	if err != nil {
		return nil, err
	}
	return p.RelationsIn(part, root), nil
}

// RelationsIn returns the relations of a part, given their parsed text.
func (p *Package) RelationsIn(part string, root *Node) (all []Relation) {
	for _, n := range root.Kids {
		if n.Local() != "Relationship" {
			continue
		}
		r := Relation{ID: n.Get("Id"), Type: path.Base(n.Get("Type")), Target: n.Get("Target"), External: n.Get("TargetMode") == "External", Node: n}
		if !r.External {
			r.Target = resolve(part, r.Target)
		}
		all = append(all, r)
	}
	return all
}

// resolve returns the name of the part to which target refers in a part.
func resolve(part, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if k := strings.IndexByte(target, '#'); k >= 0 {
		target = target[:k]
	}
	if strings.HasPrefix(target, "/") {
		return path.Clean(target)[1:]
	}
	return path.Join(path.Dir(part), target)
}

// types are the content types of the parts.
type types struct{ override, extension map[string]string }

// TypesPart is the name of the part with the content types.
const TypesPart = "[Content_Types].xml"

// Type returns the content type of a part, "" if none is given.
func (p *Package) Type(part string) (string, error) {
	if p.types == nil {
		t := &types{map[string]string{}, map[string]string{}}
		root, err := p.Parse(TypesPart)
		if err != nil {
			return "", err
		}
		for _, n := range root.Kids {
			switch n.Local() {
			case "Override":
				t.override[fold(n.Get("PartName"))] = n.Get("ContentType")
			case "Default":
				t.extension[strings.ToLower(n.Get("Extension"))] = n.Get("ContentType")
			}
		}
		p.types = t
	}
	if t, ok := p.types.override[fold(part)]; ok {
		return t, nil
	}
	return p.types.extension[strings.ToLower(strings.TrimPrefix(path.Ext(part), "."))], nil
}

// Parse parses a part.
func (p *Package) Parse(name string) (*Node, error) { return p.ParseWith(name, nil) }

// ParseWith parses a part; into has functions that read elements of certain local names themselves: each is
// called with the start of the element and takes all tokens up to its end.
func (p *Package) ParseWith(name string, into map[string]func(*Lexer, Token) error) (*Node, error) {
	b, err := p.Read(name)
	if err != nil {
		return nil, err
	}
	if plain, ok := fromUTF16(b); ok { // an edited part is written in UTF-8
		b = plain
		if p.set[fold(name)] == nil {
			p.text[fold(name)] = b
		}
	}
	root, err := parse(b, &p.nodes, into)
	if err != nil {
		return nil, i18n.Errorf("part %s: %w", name, err)
	}
	return root, nil
}
