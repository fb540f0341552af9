package report

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/sets"
)

// earlier fills the section about what was published before.
func (p *protectionPage) earlier() {
	e := p.Earlier
	if e == nil {
		return
	}
	text := "earliertext"
	if p.Whole != nil {
		text = "earlierall"
	}
	s := section{Heading: p.T("earlier"), Text: []string{p.say(text, len(e.Releases))}}
	if e.Lost > 0 {
		p.warn(&s, "earlierlost", e.Lost)
	} else {
		s.Text = append(s.Text, p.T("earlierlostnone"))
	}
	if len(e.Exposed) > 0 {
		p.warn(&s, "earlierexposed", len(e.Exposed))
		if !p.Mask { // the arithmetic contains the values
			s.Notes = append(s.Notes, p.T("earlierwhat")+p.T("colon"))
			for k := range e.Exposed {
				s.Notes = append(s.Notes, exposedText(&e.Exposed[k]))
			}
		}
	}
	for _, f := range []struct {
		key string
		n   int
	}{{"earlierfixed", e.Fixed}, {"earlieragain", e.Again}, {"earlierwithheld", e.Withheld}, {"earlierpublished", e.Published}} {
		s.Facts = append(s.Facts, Fact{p.T(f.key), count(f.n).String()})
	}
	if len(e.Releases) > 0 {
		s.Sheet = p.releases(e)
	}
	p.Sections = append(p.Sections, s)
}

// releases lists the tables.
func (p *protectionPage) releases(e *document.Earlier) *sheet {
	t := &sheet{Head: []string{p.T("earlierfile"), p.T("earlierat"), p.T("earliercells"), p.T("earliershared")}, Numbers: []int{2, 3}}
	for k := range e.Releases {
		r := &e.Releases[k]
		file := filepath.Base(r.File)
		if r.Revision {
			file += " (" + p.T("earlierrevision") + ")"
		}
		t.Rows = append(t.Rows, sheetRow{Texts: []string{file, placeText(r.At), count(r.Cells).String(), count(r.Shared).String()}})
	}
	return t
}

// placeText returns where a release belongs in dimensions that it lacks.
func placeText(at map[string]string) string {
	all := sets.Each(slices.Sorted(maps.Keys(at)), func(dim string) string { return dim + "=" + at[dim] })
	return strings.Join(all, ", ")
}

// exposedText returns the name of a cell, with the sums that tell it.
func exposedText(x *document.ExposedCell) string {
	text := filepath.Base(x.File) + ", " + x.Cell
	for k := range x.Follows {
		text += "; " + x.Follows[k].Text
	}
	return text
}
