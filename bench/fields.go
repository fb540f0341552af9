package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A field is one column of a CSV file of results and the location of its values. Nil and empty values are written as
// empty text.
type field struct {
	name string
	at   any // pointer into a document
}

// fields returns the columns of the document to which x points, named after its keys, without the head that all
// documents have. Columns of its batch are prefixed with "batch_".
func fields(x any) (all []field) {
	v := reflect.ValueOf(x).Elem()
	for k := range v.NumField() {
		name := v.Type().Field(k).Tag.Get("json")
		switch at := v.Field(k).Addr().Interface().(type) {
		case *document.Head:
		case **document.BenchBatch:
			b := *at
			if b == nil {
				b = &document.BenchBatch{}
			}
			for _, f := range fields(b) {
				all = append(all, field{batchColumn + f.name, f.at})
			}
		default:
			all = append(all, field{name, at})
		}
	}
	return all
}

// batchColumn is the prefix of the columns of a batch.
const batchColumn = "batch_"

// writeLines writes a header and one line for each result.
func writeLines(w io.Writer, header []field, results int, line func(k int) []field) error {
	c := csv.NewWriter(w)
	write := func(fields []field, text func(field) string) {
		cells := sets.Each(fields, text)
		c.Write(cells) // the error is kept and reported below
	}
	write(header, func(f field) string { return f.name })
	for k := range results {
		write(line(k), field.text)
	}
	c.Flush()
	return c.Error()
}

// text writes the value of a field.
func (f field) text() string {
	switch v := f.at.(type) {
	case *string:
		return *v
	case *document.Exact:
		return string(*v)
	case *int:
		return strconv.Itoa(*v)
	case *int64:
		return strconv.FormatInt(*v, 10)
	case **int64:
		if *v == nil {
			return ""
		}
		return strconv.FormatInt(**v, 10)
	case *float64:
		return formatFloat(*v)
	case **float64:
		if *v == nil {
			return ""
		}
		return formatFloat(**v)
	case *bool:
		return strconv.FormatBool(*v)
	case *[]float64:
		return strings.Join(sets.Each(*v, formatFloat), " ")
	case *map[string]int:
		return strings.Join(sets.Each(slices.Sorted(maps.Keys(*v)), func(k string) string { return k + "=" + strconv.Itoa((*v)[k]) }), " ")
	}
	panic(fmt.Sprintf("bench: field %s of type %T", f.name, f.at))
}

func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// parse parses what text returns.
func (f field) parse(s string) error {
	switch v := f.at.(type) {
	case *string:
		*v = s
		return nil
	case *document.Exact:
		return parseNumber(v, s)
	case *[]float64:
		for _, part := range strings.Fields(s) {
			x, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return i18n.Errorf("%q: want a number", part)
			}
			*v = append(*v, x)
		}
		return nil
	case *map[string]int:
		for _, part := range strings.Fields(s) {
			key, n, _ := strings.Cut(part, "=")
			k, err := strconv.Atoi(n)
			if err != nil {
				return i18n.Errorf("%q: want family=number", part)
			}
			(*v)[key] = k
		}
		return nil
	}
	if s != "" && json.Unmarshal([]byte(s), f.at) != nil {
		return i18n.Errorf("%q: want a number", s)
	}
	return nil
}
