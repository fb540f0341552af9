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
		"mb":      megabytes,
		"plus":    func(a, b float64) float64 { return a + b },
		"ratio":   ratioText,
		"share":   func(x float64) string { return percent(&x) },
		"errors":  standardErrors,
		"whole":   whole,
		"micro":   micro,
		"short":   short,
		"kb":      kilobytes,
		"list":    func(names []string) i18n.List { return i18n.Names("", names) },
		"titled":  func(lang, title string) opening { return opening{lang, title} },
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

func percent(x *float64) string {
	if x == nil {
		return unknown
	}
	return strconv.FormatFloat(100**x, 'f', 2, 64) + " %"
}

func seconds(x *float64) string {
	if x == nil {
		return unknown
	}
	return strconv.FormatFloat(*x, 'f', 3, 64)
}

func megabytes(x int64) string { return fmt.Sprintf("%.1f", float64(x)/(1<<20)) }

func ratioText(x *float64) string {
	if x == nil {
		return unknown
	}
	return strconv.FormatFloat(*x, 'f', 3, 64)
}

// standardErrors writes a difference in standard errors.
func standardErrors(x *float64) string {
	if x == nil {
		return unknown
	}
	return fmt.Sprintf("%+.1f s.e.", *x)
}

func whole(x *float64) string {
	if x == nil {
		return unknown
	}
	return strconv.FormatFloat(*x, 'f', 0, 64)
}
