package risk

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// microFlags are the flags that measures of microdata share.
type microFlags struct {
	qi        []string
	encoding  string
	separator string
	workers   int
	guessed   func(file, encoding string)
	missing   string
	markers   []string
	worst     int
	beside    besideFlags
	out       riskOutput
	begins    func(path string) // called for each file before it is read; nil: not needed
}

// records returns the flags about what is read. modes are the treatments of missing values that the measure has, and
// more flags follow that of the quasi-identifiers.
func (m *microFlags) records(modes []string, more ...flags.Flag) flags.Group {
	list := append([]flags.Flag{
		{Name: "qi", To: &m.qi, Split: true, Wanted: true, Text: "`columns` that are quasi-identifiers, like region,age,sex"},
	}, more...)
	if len(modes) > 0 {
		text := "what a missing quasi-identifier is: a value of its own, or the record is dropped"
		for _, mode := range modes {
			text += map[string]string{
				"suppressed": ", or (suppressed) dropped only where the record has no other value, as ARX does", "wildcard": ", or compatible with every value", "ignore": ", or equal to none",
			}[mode]
		}
		list = append(list, []flags.Flag{
			{Name: "missing", To: &m.missing, Default: modes[0], From: modes, Text: text},
			{Name: "missing-marker", Rare: true, To: &m.markers, Default: []string{""}, Text: "`value` that stands for a missing one", Else: "the empty field"},
		}...)
	}
	return flags.In(flags.RecordsGroup, append(list, []flags.Flag{
		m.beside.dropped(),
		flags.Encoding(&m.encoding, "the files"),
		flags.Separator(&m.separator),
		{Name: "workers", Rare: true, To: &m.workers, Text: "parse in `N` goroutines; the result does not depend on it", Else: "one a processor, up to 8"},
	}...))
}

// output returns the flags about what is printed, and more.
func (m *microFlags) output(more ...flags.Flag) flags.Group {
	return flags.In(flags.OutputGroup, append([]flags.Flag{
		{Name: "worst", To: &m.worst, Range: "[0, ∞)", Text: "show the `N` worst classes with their values"},
		m.out.flag(),
	}, more...))
}

// check requires files, and flags that apply to them.
func (m *microFlags) check(cmd *cobra.Command, args []string) error {
	if m.guessed == nil {
		m.guessed = cli.Guessed(cmd.ErrOrStderr())
	}
	switch {
	case len(args) == 0:
		return i18n.New("no input")
	case flags.CheckSeparator(m.separator) != nil:
		return flags.CheckSeparator(m.separator)
	case (m.separator != "" || m.encoding != "") && slices.ContainsFunc(args, flags.IsParquet):
		return i18n.New("--separator, --encoding: Parquet files have neither")
	}
	return nil
}

func (m *microFlags) layout() risk.Layout {
	l := risk.Layout{Encoding: m.encoding, Guessed: m.guessed, Workers: m.workers}
	l.Separator = flags.SeparatorOf(m.separator)
	return l
}

func (m *microFlags) mode() risk.Missing {
	return risk.Missing{Mode: risk.MissingMode(m.missing), Markers: m.markers}
}

// scan reads columns and amounts of the files into one accumulator and looks for identifiers in the other columns.
func scan[A risk.Accumulator[A]](cmd *cobra.Command, m *microFlags, files, columns, amounts []string, fresh func(*risk.Columns) A) (a A, err error) {
	if err := cmp.Or(m.check(cmd, files), flags.Once(files)); err != nil {
		return a, err
	}
	s, err := scanner(m, columns, amounts, fresh)
	if err != nil {
		return a, err
	}
	if a, err = scanEach(cmd, s, files, m.begins); err != nil {
		return a, err
	}
	return a, m.beside.look(cmd, files, m.layout(), s.Wanted())
}

// readClasses reads the classes of the quasi-identifiers.
func (m *microFlags) readClasses(cmd *cobra.Command, files []string) (*risk.Classes, error) {
	return scan(cmd, m, files, m.qi, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(m.qi)) })
}

// scanFiles reads files into one accumulator, with progress on a terminal.
func scanFiles[A risk.Accumulator[A]](cmd *cobra.Command, s *risk.Scanner[A], files []string) (A, error) {
	return scanEach(cmd, s, files, nil)
}

// scanEach is scanFiles, and calls begins for each file before it is read.
func scanEach[A risk.Accumulator[A]](cmd *cobra.Command, s *risk.Scanner[A], files []string, begins func(path string)) (A, error) {
	if render.ShowsProgress(cmd.ErrOrStderr()) {
		total := int64(0)
		for _, path := range files {
			if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
				total = 0
				break
			} else {
				total += info.Size()
			}
		}
		ctx, stop := context.WithCancel(cmd.Context())
		defer stop()
		go parallel.Every(ctx, render.Pause, func() {
			read := i18n.T("%.1f million records", float64(s.Records())/1e6)
			if total > 0 {
				read = read.Plus(", %d %%", 100*min(s.Bytes(), total)/total)
			}
			render.Tell(cmd.ErrOrStderr(), "%s\n", read)
		})
	}
	for _, path := range files {
		if begins != nil {
			begins(path)
		}
		var err error
		switch {
		case path == "-":
			err = s.Read(cmd.Context(), cmd.InOrStdin(), "stdin")
		case flags.IsParquet(path):
			rows := []string{"rows"}
			for _, c := range s.Wanted() {
				rows = append(rows, "--column="+c)
			}
			err = flags.ReadParquet(cmd.Context(), path, func(r io.Reader) error { return s.Read(cmd.Context(), r, path) }, rows...)
		default:
			err = s.ReadFile(cmd.Context(), path)
		}
		switch {
		case err != nil && cmd.Context().Err() != nil:
			cli.Note(cmd.ErrOrStderr(), "interrupted, nothing is measured")
			return *new(A), cli.Limit
		case err != nil:
			return *new(A), err
		}
	}
	return s.Result()
}

// scanner returns a scanner of columns and amounts.
func scanner[A risk.Accumulator[A]](m *microFlags, columns, amounts []string, fresh func(*risk.Columns) A) (*risk.Scanner[A], error) {
	c, err := risk.NewColumns(columns...)
	if err != nil {
		return nil, err
	}
	return risk.NewScanner(m.layout(), c, amounts, func() A { return fresh(c) })
}

// A microMeasure is a measure of microdata, with lists that are shown as tables to people.
type microMeasure struct {
	*measure
	lists   []*render.Columns
	records uint64
	beside  *besideFlags

	why i18n.Text // why a limit is open
}

// start starts the document of a measure; data is the part that all have.
func (m *microFlags) start(doc document.Measured, data *document.Microdata, metric string, files []string, records uint64) *microMeasure {
	data.Files, data.QI, data.Beside = files, m.qi, m.beside.note()
	d := &microMeasure{measure: newMeasure(doc, metric), beside: &m.beside, records: records}
	d.words["missing"] = map[string]string{"own": "a value of its own", "drop": "left out", "wildcard": "compatible with every value", "suppressed": "a value of its own, but records without another are left out", "ignore": "equal to no value"}[m.missing]
	return d
}

// list adds a table below the facts.
func (d *microMeasure) list(c *render.Columns) { d.lists = append(d.lists, c) }

// print writes the document. Without records there is no verdict, and the exit code is 3. No limit is kept if an
// identifier is left in.
func (d *microMeasure) print(cmd *cobra.Command, o *riskOutput) error {
	if d.records == 0 {
		d.doc.Base().Status = "empty"
		d.limits = nil
	}
	d.doc.Judge(d.limits)
	err := o.print(cmd, d.doc, func(w io.Writer) {
		d.table(w)
		for _, c := range d.lists {
			if len(c.Lines) > 1 {
				fmt.Fprintln(w)
				c.Print(w)
			}
		}
	}, d.limits)
	if d.records > 0 {
		d.beside.warn(cmd)
		if err == nil && len(d.limits) > 0 && len(d.beside.found) > 0 {
			return cli.Verdict
		}
	}
	if err == nil && d.records == 0 {
		sayNone(cmd)
		return cli.Limit
	}
	return err
}

// limit adds a limit to the verdict.
func (d *microMeasure) limit(flag string, want, got render.Exact, met bool) {
	d.limits = append(d.limits, document.Limit{Limit: flag, Want: want, Got: got, Met: met})
}

// atLeast compares a whole number with a lower limit, 0 for none.
func (d *microMeasure) atLeast(flag string, want, got uint64) {
	if want > 0 {
		d.limit(flag, render.Exact(strconv.FormatUint(want, 10)), render.Exact(strconv.FormatUint(got, 10)), got >= want)
	}
}

// atMost compares a number with an upper limit, nil for none; a nil number is undefined and keeps no limit.
func (d *microMeasure) atMost(flag string, want, got *big.Rat) {
	if want != nil {
		d.limit(flag, render.Ratio(want, 0), render.Ratio(got, 0), got != nil && got.Cmp(want) <= 0)
	}
}

// floatAtMost is atMost for a floating-point number.
func (d *microMeasure) floatAtMost(flag string, want *big.Rat, got float64) {
	if want != nil {
		w, _ := want.Float64()
		d.limit(flag, render.Ratio(want, 0), floatText(got), got <= w)
	}
}

// under says that the limits of these flags are about figures of a model. A limit kept by such a figure is open unless
// the model is accepted.
func (d *microMeasure) under(accepted bool, names ...string) {
	for k := range d.limits {
		l := &d.limits[k]
		if slices.Contains(names, l.Limit) {
			l.Under = negativeBinomial
			l.Open, l.Met = l.Met && !accepted, l.Met && accepted
		}
	}
}

// negativeBinomial is the distribution of F given f that E[1/F|f] assumes.
const negativeBinomial = "negative_binomial"

// acceptModel returns the flag that accepts this assumption.
func acceptModel(to *bool, needs ...string) flags.Flag {
	return flags.Flag{Name: "accept-model", To: to, Needs: needs, Text: "take for granted what the model supposes of the population", Else: "a limit that is kept under the model only is open, with exit code 3"}
}

func floatText(x float64) render.Exact { return render.Exact(strconv.FormatFloat(x, 'g', -1, 64)) }

// filled adds a line to a table for each of a list, and returns the table.
func filled[T any](t *render.Columns, list []T, line func(T) []any) *render.Columns {
	for _, x := range list {
		t.Add(cells(line(x)...)...)
	}
	return t
}

// A four is a number that tables show with four decimals, a six one that they show with six digits.
type four float64
type six float64

// sixOf is six for a number that may be null.
func sixOf(x document.Opt[float64]) any {
	if v, ok := x.Get(); ok {
		return six(v)
	}
	return "-"
}

// cells formats the values of a line of a table; null and nil are "-".
func cells(line ...any) []string {
	return sets.Each(line, func(v any) string {
		switch x := v.(type) {
		case four:
			return fmt.Sprintf("%.4f", x)
		case six:
			return fmt.Sprintf("%.6g", x)
		case *big.Rat:
			if x != nil {
				return both(x)
			}
		case *float64:
			if x != nil {
				return readable(*x)
			}
		case interface{ Any() (any, bool) }:
			if is, ok := x.Any(); ok {
				return readable(is)
			}
		default:
			return readable(v)
		}
		return "-"
	})
}

// buckets shows a histogram of sizes.
func (d *microMeasure) buckets(size, classes, records string, h risk.Histogram) {
	c := render.NewColumns(1, size, classes, records)
	for _, b := range h.Buckets() {
		name := strconv.FormatUint(b.Lower, 10)
		if b.Upper > b.Lower {
			name += "–" + strconv.FormatUint(b.Upper, 10)
		}
		c.Add(name, fmt.Sprint(b.Classes), fmt.Sprint(b.Records))
	}
	d.list(c)
}

// shares shows a histogram of probabilities.
func (d *microMeasure) shares(what string, s []risk.Share) {
	c := render.NewColumns(1, what, "classes", "records")
	for _, b := range s {
		name := fmt.Sprintf("%g ≤ … < %g", b.Lower, b.Upper)
		if b.Lower == b.Upper {
			name = "1"
		}
		c.Add(name, fmt.Sprint(b.Classes), fmt.Sprint(b.Records))
	}
	d.list(c)
}

// shown formats the values of a class.
func shown(tuple []string) string {
	t := make([]string, len(tuple))
	for k, v := range tuple {
		if t[k] = v; v == "" || strings.TrimSpace(v) != v || strings.ContainsAny(v, ",\"\n\r\t") {
			t[k] = strconv.Quote(v)
		}
	}
	return strings.Join(t, ", ")
}
