package risk

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/risk"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A measure is the document of a measure of risk, with its presentation to people.
type measure struct {
	doc    document.Measured
	words  map[string]string // what people see for a key instead of its value; "": nothing
	limits []document.Limit
	said   map[string]i18n.Text // messages with arguments, by their English
}

// newMeasure starts the document of a measure.
func newMeasure(doc document.Measured, metric string) *measure {
	b := doc.Base()
	b.Metric, b.Status = metric, "ok"
	return &measure{doc: doc, words: map[string]string{}}
}

// table writes the named values of the document, in two columns.
func (m *measure) table(w io.Writer) {
	printFacts(w, m.facts(i18n.Of(w), nil, reflect.ValueOf(m.doc).Elem()))
}

// facts adds the facts of a struct, including those of structs that it embeds.
func (m *measure) facts(l *i18n.Language, all []fact, v reflect.Value) []fact {
	for f, x := range v.Fields() {
		if f.Anonymous {
			if x.Kind() != reflect.Pointer {
				all = m.facts(l, all, x)
			} else if !x.IsNil() {
				all = m.facts(l, all, x.Elem())
			}
			continue
		}
		label := f.Tag.Get("text")
		if label == "" && !x.IsZero() {
			label = f.Tag.Get("textif")
		}
		if label == "" {
			continue
		}
		key, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := x.Interface()
		if o, ok := value.(interface{ Any() (any, bool) }); ok {
			if value, ok = o.Any(); !ok {
				continue
			}
		} else if option != "" && x.IsZero() {
			continue
		}
		said, worded := m.words[key]
		if worded {
			value = said
		}
		if value == "" {
			continue
		}
		text := readable(value)
		if worded || f.Tag.Get("enum") != "" || isBool(value) || slices.Contains(sentences, key) {
			if t, ok := m.said[text]; ok {
				text = l.Say(t)
			} else {
				text = l.Label(text)
			}
		}
		all = append(all, fact{l.Label(label), text})
	}
	return all
}

// isBool reports whether a value is a boolean, whatever words are printed for it.
func isBool(value any) bool {
	t := reflect.TypeOf(value)
	return t != nil && t.Kind() == reflect.Bool
}

// sentences are keys whose values are the program's own words, not data.
var sentences = []string{"formula", "why", "reason", "truth", "largest_attack", "chosen"}

// readable formats a value for people.
func readable(v any) string {
	var texts []string
	switch v := v.(type) {
	case document.Rational:
		return both(document.Exact(v).Rat())
	case float64:
		return fmt.Sprintf("%.10g", v)
	case []document.Rational:
		for _, x := range v {
			texts = append(texts, readable(x))
		}
	case []float64:
		for _, x := range v {
			texts = append(texts, readable(x))
		}
	case []int64:
		for _, x := range v {
			texts = append(texts, fmt.Sprint(x))
		}
	case []string:
		texts = v
	default:
		return fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

// print writes the document; limits that are not kept set the exit code.
func (m *measure) print(cmd *cobra.Command, o *riskOutput) error {
	m.doc.Judge(m.limits)
	return o.print(cmd, m.doc, m.table, m.limits)
}

// infeasible reports that no choice reaches a target; fields that are not set have no value.
func (m *measure) infeasible(cmd *cobra.Command, o *riskOutput, why i18n.Text) error {
	m.doc.Base().Status = "infeasible"
	if o.json {
		if err := document.Write(cmd.OutOrStdout(), m.doc); err != nil {
			return err
		}
	}
	cli.Note(cmd.ErrOrStderr(), "%s", why)
	return cli.Verdict
}

// target returns the target of a k, if k is not nil.
func target(k *big.Rat) (t document.Target) {
	if k != nil {
		t.K, t.KFloat = document.Ratio(k)
	}
	return t
}

// both formats a rational number: as a decimal if it terminates, else as a fraction followed by an approximate decimal.
// A text too long to read is left out.
func both(x *big.Rat) string {
	f, _ := x.Float64()
	switch s := string(render.Ratio(x, 0)); {
	case len(s) > 24:
		return fmt.Sprintf("%.10g", f)
	case strings.Contains(s, "/"):
		return fmt.Sprintf("%s = %.10g", s, f)
	default:
		return s
	}
}

// ratValue is an exact number like 0.29 or 1/3.
type ratValue struct{ to **big.Rat }

func (v ratValue) Type() string { return "number" }

func (v ratValue) String() string {
	if v.to == nil || *v.to == nil {
		return ""
	}
	return (*v.to).RatString()
}

func (v ratValue) Set(s string) error {
	x, err := num.ParseNumber(s)
	if err == nil {
		*v.to = x
	}
	return err
}

// ratsValue is a list of exact numbers separated by commas.
type ratsValue struct{ to *[]*big.Rat }

func (v ratsValue) Type() string { return "numbers" }

func (v ratsValue) String() string {
	if v.to == nil {
		return ""
	}
	return strings.Join(sets.Each(*v.to, (*big.Rat).RatString), ",")
}

func (v ratsValue) Set(s string) error {
	var list []*big.Rat
	for _, text := range strings.Split(s, ",") {
		x, err := num.ParseNumber(strings.TrimSpace(text))
		if err != nil {
			return i18n.Errorf("%q: %w", text, err)
		}
		list = append(list, x)
	}
	*v.to = list
	return nil
}

// floats returns the floating-point numbers nearest to exact ones.
func floats(list []*big.Rat) []float64 {
	fs := []float64{}
	for _, x := range list {
		f, _ := x.Float64()
		fs = append(fs, f)
	}
	return fs
}

// wholes returns the numbers of values of attributes.
func wholes(flag string, list []*big.Rat) ([]int64, error) {
	var ns []int64
	for _, x := range list {
		if !x.IsInt() || x.Sign() <= 0 || !x.Num().IsInt64() {
			return nil, i18n.Errorf("--%s %s: want whole numbers from 1", flag, x.RatString())
		}
		ns = append(ns, x.Num().Int64())
	}
	return ns, nil
}

// minK is the limit --min-k of a release.
type minK struct{ want *big.Rat }

// flag returns --min-k.
func (l *minK) flag() flags.Flag {
	return flags.Flag{Name: "min-k", To: ratValue{&l.want}, Text: "exit with code 1 unless k is at least this `number`"}
}

// released returns the groups of flags of a measure of a release, with its limit and its document.
func released(own []flags.Flag, l *minK, o *riskOutput) []flags.Group {
	return []flags.Group{
		flags.In(flags.ReleaseGroup, own),
		flags.In(flags.LimitsGroup, []flags.Flag{l.flag()}),
		flags.In(flags.OutputGroup, []flags.Flag{o.flag()}),
	}
}

// exactly compares a k that is known exactly.
func (l *minK) exactly(k *big.Rat) []document.Limit {
	if l.want == nil {
		return nil
	}
	return []document.Limit{{Limit: "min-k", Want: render.Ratio(l.want, 0), Got: render.Ratio(k, 0), Met: k.Cmp(l.want) >= 0}}
}

// roughly compares a k known as a float.
func (l *minK) roughly(k float64) []document.Limit {
	if l.want == nil {
		return nil
	}
	return []document.Limit{{Limit: "min-k", Want: render.Ratio(l.want, 0), Got: render.Exact(fmt.Sprintf("%.15g", k)), Met: new(big.Rat).SetFloat64(k).Cmp(l.want) >= 0}}
}

// releaseFlags are the numbers of records that measures of releases share.
type releaseFlags struct {
	n, m int64
}

// flags returns --n and --m.
func (r *releaseFlags) flags() []flags.Flag {
	return []flags.Flag{
		{Name: "n", To: &r.n, Wanted: true, Text: "`number` of records"},
		{Name: "m", To: &r.m, Text: "`number` of records published after randomisation", Else: "all"},
	}
}

func (r *releaseFlags) check() error {
	r.m = cmp.Or(r.m, r.n)
	return risk.Sampling{N: r.n, M: r.m, N0: r.n}.Check()
}
