// Package said puts the messages of the command into another language.
//
// Messages arise in every package as English text; that text is the key. A catalogue, the files of the folder named for
// its language, has pairs of a format as it stands in the code and what is said instead, where {2} is what stands for the second verb
// {2:} the same, itself a message, and {2,} a list. So packages below know nothing of languages, and what has no translation stays English.
package said

import (
	"embed"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed ja
var embedded embed.FS

// A Catalogue translates messages into one language.
type Catalogue struct {
	labels  *Catalogue        // of headings and names of figures, which are no part of messages
	exact   map[string]string // messages without verbs
	formats []*format         // by falling length of their own words
}

// A format is a message with verbs.
type format struct {
	key, says string
	longest   string // its longest run of own words: a text without it does not match
	own       int    // bytes of own words
	once      sync.Once
	re        *regexp.Regexp
}

// verb is one of package fmt, or a percent sign.
var verb = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?[\d*]*(?:\.[\d*]+)?(?:\[\d+\])?[a-zA-Z%]`)

// hole is what stands in place of a verb.
var hole = regexp.MustCompile(`\{(\d+)([:,]?)\}`)

// lists turns what stands between the parts of an English list into what stands there in Chinese characters.
var lists = strings.NewReplacer(", or ", "、", ", and ", "、", " or ", "、", " and ", "、", ", ", "、")

var catalogues sync.Map // language → func() (*Catalogue, error)

// For returns the catalogue of a language, nil if there is none.
func For(language string) (*Catalogue, error) {
	if language == "" || language == "en" || !fs.ValidPath(language) {
		return nil, nil
	}
	once, _ := catalogues.LoadOrStore(language, sync.OnceValues(func() (*Catalogue, error) { return read(embedded, language) }))
	return once.(func() (*Catalogue, error))()
}

// read takes the pairs of all files of a folder.
func read(files fs.FS, folder string) (*Catalogue, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, nil // a language without a catalogue
	}
	c := &Catalogue{exact: map[string]string{}, labels: &Catalogue{exact: map[string]string{}}}
	for _, e := range entries {
		to := c
		if e.Name() == "labels.toml" {
			to = c.labels
		}
		text, err := fs.ReadFile(files, folder+"/"+e.Name())
		if err != nil {
			return nil, err
		}
		var pairs map[string]string
		if _, err := toml.Decode(string(text), &pairs); err != nil {
			return nil, err
		}
		for key, says := range pairs {
			to.add(key, says)
		}
	}
	c.sort()
	c.labels.sort()
	return c, nil
}

func (c *Catalogue) sort() {
	slices.SortFunc(c.formats, func(a, b *format) int {
		if a.own != b.own {
			return b.own - a.own
		}
		return strings.Compare(a.key, b.key)
	})
}

func (c *Catalogue) add(key, says string) {
	parts := verb.Split(key, -1)
	if len(parts) == 1 {
		c.exact[key] = says
		return
	}
	f := &format{key: key, says: says}
	for _, p := range parts {
		f.own += len(p)
		if len(p) > len(f.longest) {
			f.longest = p
		}
	}
	c.formats = append(c.formats, f)
}

// expression matches what the format can become. It takes the least for what a verb leaves open.
func (f *format) expression() *regexp.Regexp {
	f.once.Do(func() {
		var b strings.Builder
		b.WriteString(`(?s)^`)
		at := 0
		for _, m := range verb.FindAllStringIndex(f.key, -1) {
			b.WriteString(regexp.QuoteMeta(f.key[at:m[0]]))
			switch v := f.key[m[1]-1]; v {
			case '%':
				b.WriteString(`%`)
			case 'd':
				b.WriteString(`(-?[\d,]+)`)
			case 'q':
				b.WriteString("(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'(?:[^'\\\\]|\\\\.)*')")
			case 'e', 'f', 'g':
				b.WriteString(`([-+]?(?:[\d.eE+-]+|Inf|NaN))`)
			default:
				b.WriteString(`(.*?)`)
			}
			at = m[1]
		}
		b.WriteString(regexp.QuoteMeta(f.key[at:]))
		b.WriteString(`$`)
		f.re = regexp.MustCompile(b.String())
	})
	return f.re
}

// Label is a heading, the name of a figure or a word that stands for a value in the language of c; what is none is read as a message.
func (c *Catalogue) Label(text string) string {
	if c == nil {
		return text
	}
	if says := c.labels.Message(text); says != text {
		return says
	}
	return c.Message(text)
}

// Message is a message in the language of c, as far as its catalogue goes: the whole, or what stands between colons and
// semicolons; blanks before it stay. Of several ways to read it the one that knows most of its bytes counts, and of these the first.
func (c *Catalogue) Message(text string) string {
	if c == nil {
		return text
	}
	words := strings.TrimLeft(text, " ")
	return text[:len(text)-len(words)] + reading{c, map[string]known{}}.best(words).says
}

// A reading keeps what became of the parts of one message.
type reading struct {
	c    *Catalogue
	done map[string]known
}

// known is what is said for a text, and how many of its bytes are words of the catalogue.
type known struct {
	says  string
	bytes int
}

func (r reading) best(text string) known {
	if k, ok := r.done[text]; ok {
		return k
	}
	k := known{says: text}
	if says, ok := r.c.exact[text]; ok {
		k = known{says, len(text)}
	}
	if k.bytes < len(text) {
		k = r.parts(text, r.formats(text, k))
	}
	r.done[text] = k
	return k
}

// formats looks for a format that the whole text is of.
func (r reading) formats(text string, k known) known {
	for _, f := range r.c.formats {
		if f.own >= len(text) || !strings.Contains(text, f.longest) {
			continue
		}
		m := f.expression().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		bytes := f.own
		says := hole.ReplaceAllStringFunc(f.says, func(h string) string {
			n, err := strconv.Atoi(strings.Trim(h, "{:,}"))
			if err != nil || n >= len(m) {
				return h
			}
			if strings.HasSuffix(h, ",}") {
				return lists.Replace(m[n])
			}
			if !strings.HasSuffix(h, ":}") {
				return m[n]
			}
			inner := r.best(m[n])
			bytes += inner.bytes
			return inner.says
		})
		if bytes > k.bytes {
			k = known{says, bytes}
		}
	}
	return k
}

// parts takes the text apart between colons and semicolons.
func (r reading) parts(text string, k known) known {
	for _, between := range []string{": ", "; "} {
		for from := 0; ; {
			at := strings.Index(text[from:], between)
			if at < 0 {
				break
			}
			at += from
			from = at + len(between)
			head, tail := r.best(text[:at]), r.best(text[from:])
			if bytes := head.bytes + tail.bytes; bytes > k.bytes {
				k = known{head.says + between + tail.says, bytes}
			}
		}
	}
	return k
}
