package desk

import (
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/option"
)

// formOf returns the description of a form: the records of its fields.
func formOf(fields []option.Option) ([]document.PolicyField, error) {
	ja, err := catalogue.Of("ja", "fields")
	if err != nil {
		return nil, err
	}
	var all []document.PolicyField
	for _, o := range fields {
		f := document.PolicyField{Name: o.Name, Of: o.Title, Kind: kindOf(&o), Range: o.Range, Words: append(o.From, o.Offer...), Help: map[string]string{}}
		if o.Default != nil {
			f.Default = fmt.Sprint(o.Default)
		}
		if v, ok := o.To.(option.Value); ok {
			_, arg, _ := strings.Cut(o.Text, "`")
			if f.Hint, _, _ = strings.Cut(arg, "`"); samples[v.Type()] != "" {
				f.Hint = samples[v.Type()]
			}
		}
		for tag, text := range map[string]string{"en": o.Text, "ja": ja.Say(o.Text)} {
			f.Help[tag] = strings.ReplaceAll(text, "`", "")
		}
		all = append(all, f)
	}
	return all, nil
}

// samples are example values for types whose names say little.
var samples = map[string]string{"level": "8 / 15%", "number": "0", "duration": "1m"}

// kindOf returns the kind of control for a field.
func kindOf(o *option.Option) string {
	switch to := o.To.(type) {
	case *bool:
		return "box"
	case *int, *int64:
		return "whole"
	case *float64:
		return "number"
	case *[]string, option.List:
		return "list"
	case option.Value:
		if to.Type() == "whole" {
			return "whole"
		}
	}
	if o.From != nil || o.Offer != nil {
		return "words"
	}
	return "text"
}
