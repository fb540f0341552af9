package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/formats/ods"
	"github.com/hitoku/hitoku/internal/ooxml"
)

const (
	odfSpace = "urn:oasis:names:tc:opendocument:xmlns:"
	odfMime  = "application/vnd.oasis.opendocument.spreadsheet"
)

// odfStyles are the styles of writePlain in OpenDocument (1.3, part 3, 16.2).
var odfStyles = sync.OnceValue(func() string {
	var b strings.Builder
	for n, properties := range []string{
		headStyle:      `<style:text-properties fo:font-weight="bold"/>`,
		textStyle:      ``,
		primaryStyle:   `<style:table-cell-properties fo:background-color="#` + primaryFill + `"/>`,
		secondaryStyle: `<style:table-cell-properties fo:background-color="#` + secondaryFill + `"/>`,
	} {
		if n != noStyle {
			fmt.Fprintf(&b, `<style:style style:name="ce%d" style:family="table-cell" style:parent-style-name="Default">%s</style:style>`, n, properties)
		}
	}
	return b.String()
})

// writeODS writes an OpenDocument spreadsheet with the sheets. The same sheets give the same bytes.
func writeODS(w io.Writer, sheets []*plainSheet) error {
	z := zip.NewWriter(w)
	part := func(name string, method uint16, write func(io.Writer) error) error {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			return err
		}
		return write(to)
	}
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	if err := part("mimetype", zip.Store, text(odfMime)); err != nil {
		return err
	}
	if err := part("META-INF/manifest.xml", zip.Deflate, text(head+`<manifest:manifest xmlns:manifest="`+odfSpace+`manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="`+odfMime+
		`"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`)); err != nil {
		return err
	}
	err := part("content.xml", zip.Deflate, func(w io.Writer) error {
		b := bytes.NewBufferString(head + `<office:document-content office:version="1.3"`)
		for _, space := range []string{"office", "table", "text", "style"} {
			b.WriteString(` xmlns:` + space + `="` + odfSpace + space + `:1.0"`)
		}
		b.WriteString(` xmlns:fo="` + odfSpace + `xsl-fo-compatible:1.0"><office:automatic-styles>` + odfStyles() + `</office:automatic-styles><office:body><office:spreadsheet>`)
		for _, s := range sheets {
			b.WriteString(`<table:table table:name="` + ooxml.Escape(s.name) + `">`)
			for _, row := range s.rows {
				s.odfRow(b, row)
				if _, err := b.WriteTo(w); err != nil {
					return err
				}
			}
			b.WriteString(`</table:table>`)
		}
		b.WriteString(`</office:spreadsheet></office:body></office:document-content>`)
		_, err := b.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

// odfRow writes a row.
func (s *plainSheet) odfRow(b *bytes.Buffer, row []plainCell) {
	b.WriteString(`<table:table-row>`)
	for _, x := range row {
		b.WriteString(`<table:table-cell`)
		if x.style != noStyle {
			fmt.Fprintf(b, ` table:style-name="ce%d"`, x.style)
		}
		switch {
		case x.text == "":
			b.WriteString(`/>`)
			continue
		case x.number:
			b.WriteString(` office:value-type="float" office:value="` + x.text + `">`)
		default:
			b.WriteString(` office:value-type="string">`)
		}
		ods.Paragraphs(b, "text:", x.text)
		b.WriteString(`</table:table-cell>`)
	}
	if len(row) == 0 {
		b.WriteString(`<table:table-cell/>`)
	}
	b.WriteString(`</table:table-row>`)
}
