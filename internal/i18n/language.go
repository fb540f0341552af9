package i18n

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Language says messages.
type Language struct {
	Tag       string // "en", "ja"
	Catalogue Catalogue
	Comma     string            // between the parts of a list
	Last      map[string]string // before the last part: by the English word
	mark      string            // stands around a Word
	data      func(string) string
	fields    func(field string) string
}

// Data is l with data of the user, wherever they stand in a message, said as shown has them.
func (l *Language) Data(shown func(data string) string) *Language {
	other := *l
	other.data = shown
	return &other
}

// A Catalogue has what a language says in place of English.
type Catalogue interface {
	// Message is what is said for an identifier, with {2} in the place of the second argument.
	Message(id string) (says string, known bool)
	// Label is a heading or the name of a figure, which are no part of messages.
	Label(english string) (says string, known bool)
}

// English says messages as they arise.
var English = &Language{Tag: "en", Comma: ", ", Last: map[string]string{"and": " and ", "or": " or "}}

// A Speaker is a writer whose reader has a language.
type Speaker interface{ Speaks() *Language }

// A Listener is a writer that takes messages as they arise, before they are said in a language.
type Listener interface{ Hear(t Text) }

// Of is the language of who reads what is written to w: English where w does not say, as with what is kept for documents.
func Of(w io.Writer) *Language {
	if s, ok := w.(Speaker); ok {
		return s.Speaks()
	}
	return English
}

// Label is a heading, the name of a figure or a word that stands for a value; what is none is read as a message without arguments.
func (l *Language) Label(english string) string {
	if l.Catalogue != nil {
		if says, ok := l.Catalogue.Label(english); ok {
			return says
		}
	}
	return l.Say(Term(english))
}

// Say renders a message, an error, a list or data.
func (l *Language) Say(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if l.data != nil {
			return l.data(v)
		}
		return v
	case Text:
		return l.text(v)
	case Messager:
		return l.text(v.Message())
	case List:
		return l.list(v)
	case error:
		return l.foreign(v)
	}
	return fmt.Sprint(v)
}

// text renders every argument by its verb, and puts them where the language has them.
func (l *Language) text(t Text) string {
	if t.fields != nil {
		named := *l
		named.fields = t.fields
		l = &named
	}
	m := identify(t.id)
	args := make([]string, len(t.args)) // an argument without a verb is not said
	var plain strings.Builder
	for _, p := range parse(t.id) {
		plain.WriteString(l.named(p.before))
		if p.verb == 0 {
			break
		}
		if p.arg >= len(t.args) {
			plain.WriteString("%!" + string(p.verb) + "(MISSING)")
			continue
		}
		args[p.arg] = l.argument(p, t.args[p.arg])
		plain.WriteString(args[p.arg])
	}
	says := plain.String()
	if t.own != "" {
		says = l.fill(t.own, args, m.fields)
	} else if l.Catalogue != nil {
		if own, ok := l.Catalogue.Message(m.id); ok {
			lead, trail := between(m, own)
			says = lead + l.fill(own, args, m.fields) + trail
		}
	}
	if t.less != nil {
		if rest, ok := strings.CutPrefix(says, l.Say(t.less)); ok {
			for _, colon := range []string{": ", "：", ":"} {
				if says, ok = strings.CutPrefix(rest, colon); ok {
					break
				}
			}
		}
	}
	if t.word {
		return l.mark + says + l.mark
	}
	return says
}

// fill puts arguments and names of fields in the places that a text has for them.
func (l *Language) fill(text string, args, fields []string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(text, "{")
		b.WriteString(before)
		if !open {
			return b.String()
		}
		hole, after, _ := strings.Cut(rest, "}")
		if n, err := strconv.Atoi(hole); err == nil && n > 0 && n <= len(args) {
			b.WriteString(args[n-1])
		} else if braced := "{" + hole + "}"; slices.Contains(fields, braced) {
			b.WriteString(l.field(braced))
		} else {
			b.WriteString("{")
			after = rest
		}
		text = after
	}
}

// named is a text with the names of its fields.
func (l *Language) named(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return field.ReplaceAllStringFunc(text, l.field)
}

// between are the blanks around m, which own, what is said for it, has in itself where wide punctuation of its own is at an end.
func between(m identity, own string) (lead, trail string) {
	lead, trail = m.lead, m.trail
	if r, _ := utf8.DecodeRuneInString(own); strings.ContainsRune("、。（：；", r) {
		lead = strings.TrimRight(lead, " ")
	}
	if r, _ := utf8.DecodeLastRuneInString(own); strings.ContainsRune("、。（：；", r) {
		trail = strings.TrimLeft(trail, " ")
	}
	return lead, trail
}

// field is the name of a field that stands in braces.
func (l *Language) field(braced string) string {
	if l.fields == nil {
		return braced[1 : len(braced)-1]
	}
	return l.fields(braced[1 : len(braced)-1])
}

// Cut says t in three: what stands before its Word, the Word, and what follows.
func (l *Language) Cut(t Text) (before, word, after string) {
	whole := l.Say(t)
	marking := *l
	marking.mark = "\x00"
	for strings.Contains(whole, marking.mark) {
		marking.mark += "\x00"
	}
	parts := strings.SplitN(marking.Say(t), marking.mark, 3)
	if len(parts) < 3 {
		return whole, "", ""
	}
	return parts[0], parts[1], strings.ReplaceAll(parts[2], marking.mark, "")
}

func (l *Language) argument(p part, v any) string {
	said := l.Say(v)
	if _, data := v.(string); !data && (p.verb == 'q' || len(p.format) > 2) { // as %-12s
		return fmt.Sprintf(p.format, said)
	}
	return said
}

func (l *Language) list(v List) string {
	var b strings.Builder
	for n, item := range v.Items {
		switch {
		case n == 0:
		case n == len(v.Items)-1 && v.And != "":
			b.WriteString(l.Last[v.And])
		default:
			b.WriteString(l.Comma)
		}
		b.WriteString(l.Say(item))
	}
	return b.String()
}

// foreign renders an error that has no Text. Of errors joined each is said in a line of its own.
func (l *Language) foreign(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		lines := make([]string, 0, 2)
		for _, e := range joined.Unwrap() {
			lines = append(lines, l.Say(e))
		}
		if english := strings.Join(lines, "\n"); len(lines) > 0 && (l != English || english == err.Error()) {
			return english
		}
	}
	inner := errors.Unwrap(err)
	switch {
	case inner == nil:
		return l.Label(err.Error())
	case err.Error() == inner.Error():
		return l.Say(inner)
	case l != English: // of the system, as open F: no such file or directory
		if before, ok := strings.CutSuffix(err.Error(), inner.Error()); ok {
			return before + l.Say(inner)
		}
	}
	return err.Error()
}
