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
	Comma     string            // between the items of a list
	Last      map[string]string // before the last item, by the English word
	mark      string            // surrounds a Word
	data      func(string) string
	fields    func(field string) string
}

// Data returns l with shown applied to the user's data wherever they occur in a message.
func (l *Language) Data(shown func(data string) string) *Language {
	other := *l
	other.data = shown
	return &other
}

// A Catalogue has the texts of a language in place of English.
type Catalogue interface {
	// Message returns the text for an identifier, in which {2} stands for the second argument.
	Message(id string) (says string, known bool)
	// Label returns a heading or the name of a figure, which are not parts of messages.
	Label(english string) (says string, known bool)
}

// English says messages as they are in the code.
var English = &Language{Tag: "en", Comma: ", ", Last: map[string]string{"and": " and ", "or": " or "}}

// A Speaker is a writer whose reader has a language.
type Speaker interface{ Speaks() *Language }

// A Listener is a writer that receives messages before they are rendered in a language.
type Listener interface{ Hear(t Text) }

// Of returns the language of those who read what is written to w. It is English if w does not tell, as for
// texts that documents keep.
func Of(w io.Writer) *Language {
	if s, ok := w.(Speaker); ok {
		return s.Speaks()
	}
	return English
}

// Label returns a heading, the name of a figure or a word that stands for a value; any other text is rendered
// as a message without arguments.
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

// text renders each argument by its verb, and puts it where the language has its place.
func (l *Language) text(t Text) string {
	if t.fields != nil {
		named := *l
		named.fields = t.fields
		l = &named
	}
	m := identify(t.id)
	args := make([]string, len(t.args)) // arguments without a verb are not rendered
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

// fill puts arguments and names of fields into their places in a text.
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

// named returns a text with the names of its fields replaced by those that readers know.
func (l *Language) named(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return field().ReplaceAllStringFunc(text, l.field)
}

// between returns the blanks to put around the text own of m, without those at an end where own has wide
// punctuation, which contains a blank itself.
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

// field returns the name that readers know for a field in braces.
func (l *Language) field(braced string) string {
	if l.fields == nil {
		return braced[1 : len(braced)-1]
	}
	return l.fields(braced[1 : len(braced)-1])
}

// Cut renders t in three pieces: what precedes its Word, the Word, and what follows it.
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
	// This is a verb with quotes or flags, such as %-12s.
	if _, data := v.(string); !data && (p.verb == 'q' || len(p.format) > 2) {
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

// foreign renders an error that has no Text. Joined errors are rendered on separate lines.
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
	case l != English: // an error of the system such as "open F: no such file or directory"
		if before, ok := strings.CutSuffix(err.Error(), inner.Error()); ok {
			return before + l.Say(inner)
		}
	}
	return err.Error()
}
