// Package ods reads OpenDocument spreadsheets (.ods) by converting them to an Excel workbook with the same
// content, so that both kinds have one reader and one search for what tells a withheld value. In the other
// direction it removes from the file what a copy of that workbook no longer contains.
//
// Sources: OpenDocument 1.3 (OASIS, 2021), parts 2 to 4, and the extensions of LibreOffice.
package ods

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
	"github.com/hitoku/hitoku/internal/unpack"
)

const mime = "application/vnd.oasis.opendocument."

// Is reports whether raw is a file of OpenDocument, a spreadsheet or another one.
func Is(raw []byte) bool {
	if !bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		return false
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	return err == nil && slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == manifest }) &&
		!slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == ooxml.TypesPart })
}

const (
	manifest = "META-INF/manifest.xml"
	content  = "content.xml"
)

// A File is an open spreadsheet.
type File struct {
	Book []byte // the workbook with the same content; valid until the file is written

	p         *ooxml.Package
	size      int64
	nodes     int // number of elements that may still be parsed
	cells     int // number of cells that may still be read, counting repetitions
	elements  int // number of elements of cells, including empty ones, that may still be read
	text      int64
	styles    *styles
	automatic *ooxml.Node // the automatic styles of content.xml
	raw       []byte      // the bytes of content.xml
	sheets    []*sheet
	entries   []entry
	leaving   []leaving
	remarks   []place // XML comments
	links     []link
	media     map[string]string // media types of parts, from the manifest
	parts     []*part           // of the book
	names     bytes.Buffer      // defined names of the book
	rels      bytes.Buffer      // relations of the book to parts that it has in common with the file
	tops      bytes.Buffer      // relations of the package to the parts that are always removed
}

// A place is the range [from, to) of bytes of a part.
type place struct {
	part     string
	from, to int
}

// An entry is a text of the file, which the book contains in the element whose id is the number of the entry.
type entry struct {
	place
	text    string
	cut     place  // what to cut if that element is gone, or if its text changes and cannot be replaced
	instead string // what replaces it
	shown   *field // if set, the cell whose paragraphs contain the text; they are removed if it changes
}

// A leaving is an element that is removed if a copy of the book lacks the part that stands for it.
type leaving struct {
	name string
	place
}

// A link is an element that names a part of the file and is removed with it.
type link struct {
	to string
	place
	frame place // the frame around it, if any
}

// A part is a part of the book.
type part struct {
	name, kind string
	b          bytes.Buffer
}

// Errors whose messages say what to do.
var (
	errPassword = i18n.New("it has a password; open it and save it without one")
	errNested   = i18n.New("a table within a cell; take it out")
	errDamaged  = i18n.New("cells outside of rows, or rows outside of sheets")
)

// Open reads a spreadsheet. Its cost is proportional to the unpacked bytes, which are bounded by a multiple of
// the size of the file.
func Open(raw []byte) (*File, error) {
	p, err := ooxml.Open(raw)
	if err != nil {
		return nil, err
	}
	size := int64(len(raw))
	f := &File{p: p, size: size, nodes: unpack.Cells(size, 1), cells: unpack.Cells(size, 1), elements: unpack.Cells(size, 2), text: unpack.Text(size), media: map[string]string{}}
	list, err := p.Parse(manifest)
	if err != nil {
		return nil, err
	}
	for _, n := range list.Find("file-entry") {
		if n.Kid("encryption-data") != nil || n.Get("full-path") == "encrypted-package" {
			return nil, errPassword
		}
		f.media[n.Get("full-path")] = n.Get("media-type")
	}
	if kind := f.media["/"]; kind != "" && !strings.HasPrefix(kind, mime+"spreadsheet") {
		return nil, i18n.Errorf("it is %s, want a spreadsheet (.ods)", kind)
	}
	return f, f.read()
}

// read makes the book.
func (f *File) read() error {
	skip := map[string]func(*ooxml.Lexer, ooxml.Token) error{"table": ooxml.Over}
	root, err := f.p.ParseWith(content, skip)
	if err != nil {
		return err
	}
	if f.raw, err = f.p.Read(content); err != nil {
		return err
	}
	var common *ooxml.Node
	if f.p.Has("styles.xml") {
		if common, err = f.p.Parse("styles.xml"); err != nil {
			return err
		}
	}
	f.styles = newStyles(common, root)
	f.automatic = root.Kid("automatic-styles")
	sheets := root.Kid("body").Kid("spreadsheet")
	if sheets == nil {
		return i18n.New("it is no spreadsheet")
	}
	v := f.voice(content, drawing, "wsDr")
	for _, n := range sheets.Kids {
		if n.Local() == "table" && !isCache(n.Get("table:name")) {
			f.sheets = append(f.sheets, &sheet{f: f, v: v, name: n.Get("table:name"), number: len(f.sheets), hidden: f.styles.hidden(n.Get("table:style-name")), Node: n})
		}
	}
	for _, s := range f.sheets {
		if err := s.read(); err != nil {
			return i18n.Errorf("sheet %s: %w", s.name, err)
		}
	}
	f.walk(v, root)
	f.close(v, "wsDr")
	if common != nil {
		v := f.voice("styles.xml", drawing, "wsDr")
		f.walk(v, common)
		f.close(v, "wsDr")
	}
	if err := f.others(); err != nil {
		return err
	}
	return f.write()
}

// isCache reports whether a table holds a copy of cells of another file.
func isCache(name string) bool { return strings.HasPrefix(name, "'") && strings.Contains(name, "'#") }

// take counts cells and bytes of text against what may still be read.
func (f *File) take(cells, text int) error {
	f.cells -= cells
	f.text -= int64(text)
	switch {
	case f.cells < 0:
		return f.large(i18n.T("a sheet of more than %d cells, counted with those left out, in a file of %d bytes", unpack.Cells(f.size, 1), f.size))
	case f.text < 0:
		return f.large(i18n.T("a sheet of more than %d bytes of text in a file of %d bytes", unpack.Text(f.size), f.size))
	}
	return nil
}

func (f *File) large(what i18n.Text) error {
	return i18n.Errorf("%s; save the sheet as CSV, if it is meant to hold as much%s", what, budget.Remedy())
}

// The content types of parts of the book.
const (
	office     = "application/vnd.openxmlformats-officedocument."
	workbook   = office + "spreadsheetml."
	drawing    = office + "drawing+xml"
	relation   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	properties = "application/vnd.openxmlformats-package.core-properties+xml"
)

func (f *File) part(name, kind string) *part {
	p := &part{name: name, kind: kind}
	f.parts = append(f.parts, p)
	return p
}

// others copies to the book what the file has beside its sheets, under the names of the file: as texts if it
// can be searched, else as it is.
func (f *File) others() error {
	objects := map[string]bool{} // folders of objects other than charts
	for _, name := range f.p.Names() {
		dir, base := path.Split(name)
		top, _, _ := strings.Cut(name, "/")
		object := f.media[dir]
		switch {
		case name == "mimetype", name == manifest, name == content, name == "styles.xml":
		case strings.HasPrefix(strings.ToLower(name), "xl/"), strings.HasPrefix(name, "_rels/"), name == ooxml.TypesPart:
			return i18n.Errorf("part %s: %w", name, errDamaged)
		case top == "Thumbnails", top == "ObjectReplacements":
			f.part(name, "image/png")
			f.tops.WriteString(`<Relationship Id="t" Type="` + relation + `thumbnail" Target="/` + ooxml.Escape(name) + `"/>`)
		case top == "Versions", base == "VersionList.xml":
			f.part(name, "revision")
		case top == "META-INF":
			f.part(name, "digital-signature")
		case strings.HasPrefix(object, mime) && base == content && strings.HasPrefix(object, mime+"chart"):
			if err := f.chart(name); err != nil {
				return err
			}
		case strings.HasPrefix(object, mime) && !strings.HasPrefix(object, mime+"chart") || objects[dir]:
			if dir = strings.TrimSuffix(dir, "/"); !objects[dir] {
				objects[dir] = true
				f.opaque(dir, "application/oleObject")
			}
		case base == "meta.xml":
			if err := f.meta(name); err != nil {
				return err
			}
		case base == "settings.xml", base == "styles.xml":
			root, err := f.p.Parse(name)
			if err != nil {
				return err
			}
			v := f.voice(name, drawing, "wsDr")
			f.walk(v, root)
			f.close(v, "wsDr")
		case strings.HasSuffix(base, ".xml") || strings.HasSuffix(base, ".rdf"):
			if b, err := f.p.Read(name); err != nil {
				return err
			} else if len(b) > 0 {
				f.part(name, "application/xml").b.Write(b)
			}
		case f.media[name] == "application/vnd.sun.star.oleobject":
			f.opaque(name, "application/oleObject")
		case top == "Pictures" || strings.HasPrefix(f.media[name], "image/"):
			f.opaque(name, "image/png")
		default:
			f.opaque(name, f.media[name])
		}
	}
	return nil
}

// opaque adds a part to the book that cannot be searched.
func (f *File) opaque(name, kind string) {
	f.part(name, kind)
	f.rels.WriteString(`<Relationship Id="o" Type="` + relation + `image" Target="/` + ooxml.Escape(name) + `"/>`)
}

// write writes the book without compression, since it is read at once.
func (f *File) write() error {
	var book, rels, types strings.Builder
	for k, s := range f.sheets {
		name := "xl/worksheets/sheet" + itoa(k+1) + ".xml"
		state := ""
		if s.hidden {
			state = ` state="hidden"`
		}
		book.WriteString(`<sheet name="` + ooxml.Escape(s.name) + `" sheetId="` + itoa(k+1) + `" r:id="s` + itoa(k+1) + `"` + state + `/>`)
		rels.WriteString(`<Relationship Id="s` + itoa(k+1) + `" Type="` + relation + `worksheet" Target="/` + name + `"/>`)
		p := f.part(name, workbook+"worksheet+xml")
		s.write(&p.b)
		if s.comments.Len() > 0 {
			c := f.part("xl/comments"+itoa(k+1)+".xml", workbook+"comments+xml")
			c.b.WriteString(`<comments><commentList>` + s.comments.String() + `</commentList></comments>`)
			f.part("xl/worksheets/_rels/sheet"+itoa(k+1)+".xml.rels", "").b.WriteString(`<Relationships><Relationship Id="c" Type="` + relation + `comments" Target="/` + c.name + `"/></Relationships>`)
		}
	}
	f.part("xl/workbook.xml", workbook+"sheet.main+xml").b.WriteString(`<workbook><sheets>` + book.String() + `</sheets><definedNames>` + f.names.String() + `</definedNames></workbook>`)
	f.part("xl/styles.xml", workbook+"styles+xml").b.WriteString(f.styles.sheet())
	f.part("xl/_rels/workbook.xml.rels", "").b.WriteString(`<Relationships>` + rels.String() + `<Relationship Id="y" Type="` + relation + `styles" Target="/xl/styles.xml"/>` + f.rels.String() + `</Relationships>`)
	f.part("_rels/.rels", "").b.WriteString(`<Relationships><Relationship Id="w" Type="` + relation + `officeDocument" Target="/xl/workbook.xml"/>` + f.tops.String() + `</Relationships>`)
	for _, p := range f.parts {
		if p.kind != "" {
			types.WriteString(`<Override PartName="/` + ooxml.Escape(p.name) + `" ContentType="` + ooxml.Escape(p.kind) + `"/>`)
		}
	}
	f.part(ooxml.TypesPart, "").b.WriteString(`<Types><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` + types.String() + `</Types>`)
	size := 0
	for _, p := range f.parts {
		size += p.b.Len() + 256
	}
	var out bytes.Buffer
	out.Grow(size)
	z := zip.NewWriter(&out)
	for _, p := range f.parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(w, &p.b)
		}
		if err != nil {
			return err
		}
	}
	f.parts = nil
	err := z.Close()
	f.Book = out.Bytes()
	return err
}
