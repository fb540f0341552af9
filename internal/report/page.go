package report

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/page"
)

//go:embed *.html table.svg frontier.svg
var files embed.FS

// An opening is what the head of a page needs.
type opening struct{ Lang, Title string }

// pages holds every template; each page is a file that uses the blocks of
// page.html. They are parsed at the first page: that takes longer than most runs that make none.
var pages = sync.OnceValue(func() *template.Template {
	all := template.New("").Funcs(template.FuncMap{
		"px":      func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) },
		"percent": percent,
		"seconds": seconds,
		"mb":      func(x int64) string { return fmt.Sprintf("%.1f", float64(x)/(1<<20)) },
		"plus":    func(a, b float64) float64 { return a + b },
		"ratio":   func(x *float64) string { return fixed(x, 1, 3, "") },
		"share":   func(x float64) string { return percent(&x) },
		"errors": func(x *float64) string {
			return given(x, func(x float64) string { return fmt.Sprintf("%+.1f s.e.", x) })
		},
		"whole":  func(x *float64) string { return fixed(x, 1, 0, "") },
		"micro":  micro,
		"short":  func(x *float64) string { return given(x, Short) },
		"kb":     func(x *int64) string { return given(x, func(x int64) string { return Short(float64(x) / 1e3) }) },
		"list":   func(names []string) i18n.List { return i18n.Names("", names) },
		"titled": func(lang, title string) opening { return opening{lang, title} },
	})
	names, err := fs.Glob(files, "*")
	for _, name := range names {
		text, e := styled(name)
		_, f := all.New(name).Parse(text)
		err = errors.Join(err, e, f)
	}
	return template.Must(all, err)
})

var tokens = lazy.Regexp(`--([a-z0-9-]+): (?:light-dark\((.*?), .*?\)|(.*?));`)

// styled is a file with the colours and sizes of the page's tokens, in light, in place of var(--NAME): many programs
// that show drawings and reports know no variables.
func styled(name string) (string, error) {
	text, err := fs.ReadFile(files, name)
	css, e := page.Asset("tokens.css")
	var pairs []string
	for _, m := range tokens().FindAllSubmatch(css, -1) {
		pairs = append(pairs, "var(--"+string(m[1])+")", string(m[2])+string(m[3]))
	}
	return strings.NewReplacer(pairs...).Replace(string(text)), errors.Join(err, e)
}

// execute fills in the page called name. The error of a writer is returned as
// it is.
func execute(w io.Writer, name string, data any) error {
	return pages().ExecuteTemplate(w, name, data)
}

// unknown stands for a number that there is not.
const unknown = "–"

// given writes a number that there may not be.
func given[T any](x *T, show func(T) string) string {
	if x == nil {
		return unknown
	}
	return show(*x)
}

// fixed writes x·by with so many decimals and a unit.
func fixed(x *float64, by float64, places int, unit string) string {
	return given(x, func(x float64) string { return strconv.FormatFloat(by*x, 'f', places, 64) + unit })
}

func percent(x *float64) string { return fixed(x, 100, 2, " %") }
func seconds(x *float64) string { return fixed(x, 1, 3, "") }
