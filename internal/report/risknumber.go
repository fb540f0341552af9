package report

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
)

// riskFraction matches a rational number as hitoku risk prints it: without an exponent, so that computing with
// it costs little.
var riskFraction = lazy.Regexp(`^-?[0-9]+(\.[0-9]+)?(/[0-9]+)?$`)

const maxFraction = 10_000

// parseFraction returns the number, nil if the text is none.
func parseFraction(s string) *big.Rat {
	if len(s) > maxFraction || !riskFraction().MatchString(s) {
		return nil
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	return r
}

// The largest number of decimals and of letters of an exact number on a page about risk.
const (
	riskDecimals = 9
	riskLetters  = 16
)

// fractionText returns a rational number as text: its decimal form if that is finite, else the fraction
// followed by its decimals, or only the decimals if the fraction is long.
func fractionText(r *big.Rat) string {
	if n, finite := r.FloatPrec(); finite && n <= riskDecimals {
		return grouped(r.FloatString(n))
	}
	f, _ := r.Float64()
	if s := r.RatString(); len(s) <= riskLetters {
		return strings.Replace(s, "-", "−", 1) + " ≈ " + floatText(f)
	}
	return "≈ " + floatText(f)
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "-", "⁻")

// floatText returns a number with six digits, or with all digits of its integer part if that has more.
func floatText(x float64) string {
	switch size := math.Abs(x); {
	case math.IsInf(x, 0) || math.IsNaN(x):
		return unknown
	case size == 0:
		return "0"
	case size < 1e-4 || size >= 1e15:
		s := strconv.FormatFloat(x, 'e', 4, 64)
		digits, exponent, _ := strings.Cut(s, "e")
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
		e, _ := strconv.Atoi(exponent)
		return strings.Replace(digits, "-", "−", 1) + " × 10" + superscripts.Replace(strconv.Itoa(e))
	default:
		places := max(0, 5-int(math.Floor(math.Log10(size))))
		s := strconv.FormatFloat(x, 'f', places, 64)
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return grouped(s)
	}
}

// riskValue returns a value of a document as text: a number, a fraction, a word, or a list of these; nil is
// null. words translates words into those of the page.
func (p *riskPage) riskValue(v any, words func(string) string) (string, error) {
	x := reflect.ValueOf(v)
	switch x.Kind() {
	case reflect.Invalid:
		return p.T("undefined"), nil
	case reflect.Bool:
		s := strconv.FormatBool(x.Bool())
		if text := words(s); text != s {
			return text, nil
		}
		return p.T("is" + s), nil
	case reflect.String:
		exact, _ := v.(document.Exact)
		switch s := x.String(); {
		case exact == "" && s == "" && x.Type() == reflect.TypeFor[document.Exact]():
			return p.T("undefined"), nil
		case exact != "" && !strings.Contains(s, "/"): // a number in the JSON
			return numberText(s)
		default:
			if r := parseFraction(s); r != nil {
				return fractionText(r), nil
			}
			return words(s), nil
		}
	case reflect.Slice:
		var texts []string
		for k := range x.Len() {
			text, err := p.riskValue(x.Index(k).Interface(), words)
			if err != nil {
				return "", err
			}
			texts = append(texts, text)
		}
		if texts == nil {
			return p.T("nothing"), nil
		}
		return strings.Join(texts, p.T("semicolon")), nil
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		text, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		return numberText(string(text))
	}
	return "", i18n.Errorf("%s where a number or a text was due", x.Type())
}

// numberText returns a JSON number as text.
func numberText(s string) (string, error) {
	if !strings.ContainsAny(s, ".eE") {
		return grouped(s), nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return "", err
	}
	return floatText(x), nil
}
