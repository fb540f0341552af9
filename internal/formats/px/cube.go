package px

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Cube is a PX file as it is, including periods and measures, whatever adds up in it: its variables, and its
// cells as texts with their places.
type Cube struct {
	Encoding  string // the encoding of the file, such as utf-8
	Title     string
	Unit      string
	Variables []CubeVariable
	Cells     []CubeCell
	Notes     []CubeNote
	Symbols   map[string]string // for a mark of n dots, the meaning that DATASYMBOLn gives
	Told      []i18n.Text       // says what was read in another way than the file declares
	// Conf has the codes of CL_CONF_STATUS by cell, if a note says that the marks beside cells are such codes.
	Conf map[int]string

	p *parser
}

// A CubeVariable is a variable of STUB or HEADING.
type CubeVariable struct {
	Name         string
	Codes, Texts []string
	Units        []string // for a content variable, the unit of each value, empty if none is given
	Time         bool     // the variable has TIMEVAL
	Content      bool     // CONTVARIABLE: its values are measures
}

// A CubeCell is one datum.
type CubeCell struct {
	At     []int  // the index of the value of each variable
	Text   string // the datum without quotes
	Quoted bool
	Line   int // from 1; the next field is the number of the datum on that line
	Token  int
}

// A CubeNote is a text of the file for readers.
type CubeNote struct {
	Key, Text string
	Line      int
}

// ReadCube reads a PX file from r; name stands for it in messages. Of the options it uses Encoding. The error
// is a *formats.Error or one of r.
func ReadCube(r io.Reader, name string, o formats.Options) (*Cube, error) {
	p, err := open(r, name, &o)
	if err != nil {
		return nil, err
	}
	if err := p.readHead(); err != nil {
		return nil, err
	}
	if err := p.variables(); err != nil {
		return nil, err
	}
	if err := p.bounded(); err != nil {
		return nil, err
	}
	c := &Cube{Encoding: "utf-8", Symbols: map[string]string{}, Told: p.told, p: p}
	if p.enc != nil {
		if c.Encoding, err = htmlindex.Name(p.enc); err != nil {
			c.Encoding = ""
		}
		switch c.Encoding {
		case "windows-1252":
			c.Encoding = records.CP1252
		case "shift_jis":
			c.Encoding = records.CP932
		}
	}
	units := map[string]string{}
	for _, s := range p.head {
		if s.lang != "" {
			continue
		}
		switch s.key {
		case "TITLE", "DESCRIPTION":
			if len(s.args) == 0 && (c.Title == "" || s.key == "TITLE") {
				c.Title = s.text()
			}
		case "UNITS":
			if len(s.args) == 0 {
				c.Unit = s.text()
			} else {
				units[s.args[len(s.args)-1]] = s.text()
			}
		case "NOTE", "NOTEX", "SOURCE":
			if len(s.args) == 0 {
				c.Notes = append(c.Notes, CubeNote{s.key, strings.ReplaceAll(s.text(), "#", "\n"), s.line})
			}
		}
		for n := 1; n <= len(dots); n++ {
			if s.key == fmt.Sprintf("DATASYMBOL%d", n) {
				c.Symbols[dots[n-1]] = s.text()
			}
		}
	}
	content := map[string]bool{}
	for _, s := range p.find("CONTVARIABLE") {
		content[s.text()] = true
	}
	for n, v := range p.vars {
		v.dim = n // notes refer to a cell by a value of each variable
		x := CubeVariable{Name: v.name, Codes: v.codes, Texts: v.texts, Content: content[v.name], Time: v.several == "periods"}
		if x.Content {
			x.Units = make([]string, len(v.texts))
			for i, text := range v.texts {
				if x.Units[i] = units[text]; x.Units[i] == "" {
					x.Units[i] = units[v.codes[i]]
				}
			}
		}
		c.Variables = append(c.Variables, x)
	}
	err = p.each(func(at []int, d datum) error {
		c.Cells = append(c.Cells, CubeCell{At: slices.Clone(at), Text: d.text, Quoted: d.quoted, Line: d.line, Token: d.token})
		p.span = append(p.span, [2]int{d.at, d.end})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(c.Cells) == 0 {
		return nil, p.fault(p.data.line, "", i18n.T("no data"))
	}
	return c, p.confidential(c)
}

// confidential reads the marks beside cells that are codes of CL_CONF_STATUS.
func (p *parser) confidential(c *Cube) error {
	if len(p.notes) == 0 {
		return nil
	}
	at := map[string]int{}
	key := func(codes []int) string { return fmt.Sprint(codes) }
	for i := range c.Cells {
		at[key(c.Cells[i].At)] = i
	}
	c.Conf = map[int]string{}
	return p.eachStatus(func(s *statement, codes []int, _ table.Status) {
		if i, ok := at[key(codes)]; ok {
			c.Conf[i] = s.text()
		}
	})
}

// Repeats describes the notes that Write blanks because they contain the number of one of the cells in texts,
// or contain any number and are about one of these cells.
func (c *Cube) Repeats(texts map[int]string) []string {
	return sets.Each(c.telling(texts), func(s *statement) string { return fmt.Sprintf("line %d: %s", s.line, formats.Show(s.name())) })
}

func (c *Cube) telling(texts map[int]string) []*statement {
	values, cells := map[string]bool{}, map[string]bool{}
	for i := range texts {
		x := &c.Cells[i]
		if !x.Quoted {
			values[plain(strings.TrimLeft(x.Text, "-"))] = true
		}
		codes := sets.List(len(x.At), func(n int) string { return c.Variables[n].Codes[x.At[n]] })
		cells[strings.Join(codes, "\x00")] = true
	}
	if len(texts) == 0 {
		return nil
	}
	return c.p.telling(values, cells)
}

// Write writes the file with marks in quotes in place of some cells, given by texts, and without the notes that
// tell these cells; all other bytes are unchanged. It fails if the encoding does not have the characters of a
// mark.
func (c *Cube) Write(w io.Writer, texts map[int]string) error {
	p := c.p
	var b strings.Builder
	pos := 0
	for _, s := range c.telling(texts) {
		b.WriteString(p.text[pos:s.from] + `"";`)
		pos = s.end
	}
	for i, s := range p.span {
		text, ok := texts[i]
		if !ok {
			continue
		}
		if strings.ContainsAny(text, "\"\r\n") {
			return i18n.Errorf("%s: mark %s: PX cannot write a quote or a line end in a text", p.file, formats.Show(text))
		}
		b.WriteString(p.text[pos:s[0]] + `"` + text + `"`)
		pos = s[1]
	}
	b.WriteString(p.text[pos:])
	text := b.String()
	if p.enc != nil {
		var err error
		if text, err = p.enc.NewEncoder().String(text); err != nil {
			return i18n.Errorf("%s: the encoding of the file has no such character: %w", p.file, err)
		}
	}
	if p.bom {
		text = string(records.Mark) + text
	}
	_, err := io.WriteString(w, text)
	return err
}
