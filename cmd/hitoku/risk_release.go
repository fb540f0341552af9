package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/risk"
)

// The measures of releases are small documents of which both the JSON and the table are
// made.

// A releaseDoc is a list of named results in the order they are shown.
type releaseDoc struct {
	keys   []string // of JSON
	labels []string // of the table, empty: not in it
	values []any
	limits []riskLimit
}

// newReleaseDoc starts the document of a measure.
func newReleaseDoc(metric string) *releaseDoc {
	d := &releaseDoc{}
	d.add("metric", "", metric)
	d.add("status", "", "ok")
	return d
}

// add appends a result. A *big.Rat is a string like "1/4" in JSON with a second key for
// its float, both null for a nil one; nil is null, and not in the table. A label "" keeps a result out of the table.
func (d *releaseDoc) add(key, label string, value any) {
	d.keys = append(d.keys, key)
	d.labels = append(d.labels, label)
	d.values = append(d.values, value)
	if r, ok := value.(*big.Rat); ok && r == nil {
		d.values[len(d.values)-1] = nil
		d.add(key+"_float", "", nil)
	}
}

func (d *releaseDoc) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	put := func(key string, v any) error {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", key)
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the encoder's newline
		return nil
	}
	for i, key := range d.keys {
		v, float := d.values[i], any(nil)
		switch r := v.(type) {
		case *big.Rat:
			v, float = r.RatString(), floats([]*big.Rat{r})[0]
		case []*big.Rat:
			texts := []string{}
			for _, x := range r {
				texts = append(texts, x.RatString())
			}
			v, float = texts, floats(r)
		}
		if err := put(key, v); err != nil {
			return nil, err
		}
		if float != nil {
			if err := put(key+"_float", float); err != nil {
				return nil, err
			}
		}
	}
	if len(d.limits) > 0 {
		if err := put("limits", d.limits); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// table writes the results with labels in two columns.
func (d *releaseDoc) table(w io.Writer) {
	var facts []fact
	for i, label := range d.labels {
		if label != "" && d.values[i] != nil {
			facts = append(facts, fact{label, readable(d.values[i])})
		}
	}
	printFacts(w, facts)
}

// readable shows a result to people.
func readable(v any) string {
	var texts []string
	switch v := v.(type) {
	case *big.Rat:
		return both(v)
	case float64:
		return fmt.Sprintf("%.10g", v)
	case []*big.Rat:
		for _, x := range v {
			texts = append(texts, both(x))
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

// print writes d and makes limits that are not kept the exit code.
func (d *releaseDoc) print(cmd *cobra.Command, o *riskOutput) error {
	return o.print(cmd, d, d.table, d.limits)
}

// infeasible adds nulls for what has no value, and reports that no choice reaches a
// target.
func (d *releaseDoc) infeasible(cmd *cobra.Command, o *riskOutput, why string, nulls ...string) error {
	d.values[1] = "infeasible"
	for _, key := range nulls {
		d.add(key, "", nil)
	}
	if o.json {
		if err := writeJSON(cmd.OutOrStdout(), d); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: %s\n", why)
	return exitCode(exitVerdict)
}

// both shows a rational number: by its decimals where they end, else as a fraction
// followed by them. A text too long to read is left out.
func both(x *big.Rat) string {
	f, _ := x.Float64()
	switch s := string(ratio(x, 0)); {
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
	x, err := risk.ParseNumber(s)
	if err == nil {
		*v.to = x
	}
	return err
}

// ratsValue is a list of exact numbers with commas between them.
type ratsValue struct{ to *[]*big.Rat }

func (v ratsValue) Type() string { return "numbers" }

func (v ratsValue) String() string {
	if v.to == nil {
		return ""
	}
	var texts []string
	for _, x := range *v.to {
		texts = append(texts, x.RatString())
	}
	return strings.Join(texts, ",")
}

func (v ratsValue) Set(s string) error {
	var list []*big.Rat
	for _, text := range strings.Split(s, ",") {
		x, err := risk.ParseNumber(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		list = append(list, x)
	}
	*v.to = list
	return nil
}

// floats are the numbers nearest to exact ones.
func floats(list []*big.Rat) []float64 {
	fs := []float64{}
	for _, x := range list {
		f, _ := x.Float64()
		fs = append(fs, f)
	}
	return fs
}

// wholes are the numbers of values of attributes.
func wholes(flag string, list []*big.Rat) ([]int64, error) {
	var ns []int64
	for _, x := range list {
		if !x.IsInt() || x.Sign() <= 0 || !x.Num().IsInt64() {
			return nil, fmt.Errorf("--%s %s: want whole numbers from 1", flag, x.RatString())
		}
		ns = append(ns, x.Num().Int64())
	}
	return ns, nil
}

// targetK checks a k to be reached.
func targetK(k *big.Rat) error {
	if k.Cmp(big.NewRat(1, 1)) < 0 {
		return fmt.Errorf("--k %s: want at least 1", k.RatString())
	}
	return nil
}

// minK is the limit --min-k of a release.
type minK struct{ want *big.Rat }

func (l *minK) add(cmd *cobra.Command) {
	cmd.Flags().Var(ratValue{&l.want}, "min-k", "exit with code 1 unless k is at least this `number`")
}

// exactly compares a k that is known exactly.
func (l *minK) exactly(k *big.Rat) []riskLimit {
	if l.want == nil {
		return nil
	}
	return []riskLimit{{Limit: "min-k", Want: ratio(l.want, 0), Got: ratio(k, 0), Met: k.Cmp(l.want) >= 0}}
}

// roughly compares a k known as a float.
func (l *minK) roughly(k float64) []riskLimit {
	if l.want == nil {
		return nil
	}
	return []riskLimit{{Limit: "min-k", Want: ratio(l.want, 0), Got: exact(fmt.Sprintf("%.15g", k)), Met: new(big.Rat).SetFloat64(k).Cmp(l.want) >= 0}}
}

// releaseFlags are the numbers of records that measures of releases share.
type releaseFlags struct {
	n, m int64
}

func (r *releaseFlags) add(cmd *cobra.Command) {
	cmd.Flags().Int64Var(&r.n, "n", 0, "`number` of records")
	cmd.Flags().Int64Var(&r.m, "m", 0, "`number` of records published after randomisation (default: all)")
	cmd.MarkFlagRequired("n")
}

func (r *releaseFlags) check() error {
	if r.m == 0 {
		r.m = r.n
	}
	return risk.CheckSample(r.n, r.m)
}
