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

// An opening is the data of the head of a page.
type opening struct{ Lang, Title string }

// pages returns all templates; each page is a file that uses the blocks of page.html. They are parsed when the
// first page is written, since parsing takes longer than most runs that write none.
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

// styled returns a file with every var(--NAME) replaced by the colour or size of the page's token, for light
// mode, because many programs that show drawings and reports do not support variables.
func styled(name string) (string, error) {
	text, err := fs.ReadFile(files, name)
	css, e := page.Asset("tokens.css")
	var pairs []string
	for _, m := range tokens().FindAllSubmatch(css, -1) {
		pairs = append(pairs, "var(--"+string(m[1])+")", string(m[2])+string(m[3]))
	}
	return strings.NewReplacer(pairs...).Replace(string(text)), errors.Join(err, e)
}

// execute writes the page called name. An error of w is returned as it is.
func execute(w io.Writer, name string, data any) error {
	return pages().ExecuteTemplate(w, name, data)
}

// unknown stands for a missing number.
const unknown = "–"

// given returns a number as text, or unknown if it is nil.
func given[T any](x *T, show func(T) string) string {
	if x == nil {
		return unknown
	}
	return show(*x)
}

// fixed returns x·by with that many decimals and a unit.
func fixed(x *float64, by float64, places int, unit string) string {
	return given(x, func(x float64) string { return strconv.FormatFloat(by*x, 'f', places, 64) + unit })
}

func percent(x *float64) string { return fixed(x, 100, 2, " %") }
func seconds(x *float64) string { return fixed(x, 1, 3, "") }
