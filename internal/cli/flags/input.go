package flags

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// Input says how to read tables.
type Input struct {
	Asks      bool                          // ask which code is a total, as the page does, rather than find it by what adds up
	Watch     func(done, total int64) error // formats.Options.Watch
	from      string
	encoding  string
	total     []string
	hierarchy []string
	lead      string
	flat      []string
	listed    bool // the flags come from an entry of a ledger, or are for a file that has none
	decimal   string
	thousands string
	column    []string
	dims      []string
	magnitude bool
	withheld  []string
	Rounded   bool // each value is rounded by itself, so sums need not hold
	Spare     bool // there are several tables, and not each has every dimension named
	Null      []string
	pick      []string
	Meta      string
	readTable string
	Tau       *argus.Table // the last table read, if it was a τ-ARGUS one
	sheet     string
	layout    layoutChoice
	Responses []string // columns that one mask protects
	Response  string   // the response to read
	InPlay    bool     // keep only the cells in play of tidy files
}

// Group returns its flags.
func (f *Input) Group() Group {
	return In(InputGroup, []Flag{
		{Name: "from", To: &f.from, From: FormatNames(true), Text: "format of the input", Else: "by its name and header", More: "By the name: .jj, .tab, .px, .xlsx, .json (SDMX-JSON); SDMX-CSV by its header; tidy CSV where a column is called value or freq, or --column or --dims is given; else cross-tab CSV"},
		Encoding(&f.encoding, "CSV files"),
		{Name: "total", To: &f.total, Text: "total `CODE` of every dimension, or DIM=CODE for one", Else: "that of a code,parent hierarchy, else Total"},
		{Name: "hierarchy", To: &f.hierarchy, Text: "`DIM=FILE`: the tree of a dimension, .hrc or CSV code,parent", Else: "NAME.DIM.hrc beside the table, which is said; else flat"},
		{Name: "flat", Rare: true, To: &f.flat, Text: "`DIM`: its codes form no tree, although some are sums of others, which is refused otherwise"},
		{Name: "lead", Rare: true, To: &f.lead, Text: "`text` that indents .hrc files", Else: "@"},
		{Name: "column", To: &f.column, Text: "`FIELD=COLUMN`: the column of a tidy file that holds value, freq, cost, status, reason, lpl, upl, spl, lower, upper, max1, ...", Else: "the one called like the field"},
		{Name: "dims", To: &f.dims, Split: true, Text: "`COLUMNS` of a tidy file that are its dimensions, in order", Else: "those before the first field"},
		decimalFlag(&f.decimal),
		{Name: "thousands", To: &f.thousands, Text: "`MARK` between the thousands of numbers in text: one of , . ' or a blank", Else: "none; numbers like 1,234 that may be either are refused"},
		{Name: "magnitude", To: &f.magnitude, Text: "cross-tabs and PX files hold amounts, not counts"},
		{Name: "withheld", To: &f.withheld, Split: true, Text: "`MARKS` that stand for a withheld value, besides an empty one", Else: "NA,x,X,χ,×,:c,..,ｘ,Ｘ"},
		{Name: "nil", Rare: true, To: &f.Null, Split: true, Text: "`MARKS` that stand for a structural zero, which stays published", Else: "-,－,–"},
		{Name: "sheet", To: &f.sheet, Text: "`NAME` of the sheet of values in an XLSX file", Else: "values, or the only one beside status"},
		{Name: "select", To: &f.pick, Text: "`VARIABLE=CODE`: of a PX or SDMX file only the cells with this code"},
		{Name: "meta", To: &f.Meta, Text: "`FILE`.rda: metadata of a τ-ARGUS table", Else: "the one called like the table"},
		{Name: "readtable", Rare: true, To: &f.readTable, Offer: []string{"0", "1", "1T", "2"}, Text: "margins of a τ-ARGUS table: `MODE` 0 they must add up, 1 recompute them, 1T recompute them but keep their statuses, 2 accept them", Else: "0"},
	})
}

// decimalFlag returns the flag for the decimal mark.
func decimalFlag(to *string) Flag {
	return Flag{Name: "decimal", To: to, Text: "`MARK` before the decimals of numbers in text: . or ,", Else: "found out"}
}

// Options converts the flags to options of a reader. cost and bounds come from the rules; a cost that is no word of
// table.ParseCost names a column.
func (f *Input) Options(r *Rules) (formats.Options, error) {
	p := &r.Policy
	var err error
	o := formats.Options{
		From: f.from, Encoding: f.encoding, Lead: f.lead, Dims: f.dims, Magnitude: f.magnitude,
		Lower: p.Lower, Upper: p.Upper, CostColumn: p.Cost.Column, IgnoreMissingDims: f.Spare, Rounded: f.Rounded,
	}
	if f.withheld != nil {
		o.Withheld = append([]string{""}, f.withheld...)
	}
	if o.Numbers, err = table.ParseNotation(f.decimal, f.thousands); err != nil {
		return o, i18n.Errorf("--decimal, --thousands: %w", err)
	}
	o.Watch = f.Watch
	o.Nil, o.Sheet, o.Flat, o.Listed = f.Null, f.sheet, f.flat, f.listed
	o.Responses, o.Response = f.Responses, f.Response
	for _, s := range f.total {
		dim, code, one := strings.Cut(s, "=")
		switch {
		case one && dim != "" && code != "":
			if err := put(&o.Totals, "--total", dim, code); err != nil {
				return o, err
			}
		case s == "" || one:
			return o, i18n.Errorf("--total %q: want a code, or DIM=CODE", s)
		case o.Total != "":
			return o, i18n.Errorf("--total given twice for every dimension: %s and %s", o.Total, s)
		default:
			o.Total = s
		}
	}
	for _, p := range []struct {
		flag, want string
		from       []string
		to         *map[string]string
	}{
		{"--hierarchy", "DIM=FILE", f.hierarchy, &o.Hierarchies},
		{"--column", "FIELD=COLUMN", f.column, &o.Columns},
		{"--select", "VARIABLE=CODE", f.pick, &o.Select},
	} {
		for _, s := range p.from {
			key, v, ok := strings.Cut(s, "=")
			if !ok || key == "" || v == "" {
				return o, i18n.Errorf("%s %q: want %s", p.flag, s, p.want)
			}
			if err := put(p.to, p.flag, key, v); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// put sets m[key], which must not be set yet.
func put(m *map[string]string, flag, key, v string) error {
	if *m == nil {
		*m = map[string]string{}
	}
	if first, dup := (*m)[key]; dup {
		return i18n.Errorf("%s given twice for %s: %s and %s", flag, key, first, v)
	}
	(*m)[key] = v
	return nil
}

// A Call is one use of a verb: the flags given, and its streams. A *cobra.Command is one.
type Call interface {
	Context() context.Context
	Flags() *pflag.FlagSet
	InOrStdin() io.Reader
	SetIn(io.Reader)
	ErrOrStderr() io.Writer
}

// Read reads the table in the file called path, "-" for standard input. Flags that the format does not use are errors.
func (f *Input) Read(cmd Call, path string, r *Rules) (*formats.Input, error) {
	o, err := f.Options(r)
	if err != nil {
		return nil, err
	}
	f.given(cmd)
	f.layout.below = r.Policy.Below
	o.Beside = path != "-"
	o.Say = func(words fmt.Stringer) { cli.Note(cmd.ErrOrStderr(), "%v", words) }
	trees := map[string]string{}
	o.Took = func(dim, file string) { trees[dim] = file }
	in, err := readInput(cmd, path, f, o)
	if err != nil {
		return nil, err
	}
	in.Trees = trees
	if c := o.CostColumn; c != "" && in.Format == formats.JJ {
		return nil, i18n.Errorf("%s: --cost %s: a JJ file has no columns; want count, value, freq or power:λ", path, c)
	}
	f.sayChanged(cmd.ErrOrStderr(), in)
	return in, f.fits(cmd, in.Format, path)
}

// Older returns a function that reads a file with an older, published table of the cells of others: with the same
// flags, but without costs and bounds.
func (f *Input) Older(cmd Call, r *Rules) func(file string) (*table.Table, error) {
	return func(file string) (*table.Table, error) {
		plain := *r
		plain.Policy.Cost, plain.Policy.Lower, plain.Policy.Upper = protect.Cost{}, nil, nil
		in, err := f.Read(cmd, file, &plain)
		if err != nil {
			return nil, err
		}
		return in.Table, nil
	}
}

// fits returns an error for the first given flag that the format does not use.
func (f *Input) fits(cmd Call, name formats.Format, path string) error {
	format := FormatNamed(name)
	for _, flag := range formatFlags() {
		if cmd.Flags().Changed(flag) && !slices.Contains(format.flags, flag) {
			return i18n.Errorf("%s: --%s is of no use for a %s file", path, flag, name)
		}
	}
	return nil
}
