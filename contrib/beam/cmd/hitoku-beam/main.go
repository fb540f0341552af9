// Command hitoku-beam measures the risk of microdata on many machines with Apache Beam.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/hitoku/hitoku/contrib/beam"
	"github.com/hitoku/hitoku/risk"
)

const usage = `hitoku-beam measures the risk of re-identification in microdata of any size, on machines of
Google Dataflow, Apache Flink or Apache Spark. It prints the document of hitoku risk METRIC --json.

  hitoku-beam k-anonymity    --input 'gs://bucket/persons-*.csv' --qi region,age,sex [--entity ID] BEAM...
  hitoku-beam l-diversity    --input FILES --qi COLUMNS --sensitive COLUMNS BEAM...
  hitoku-beam t-closeness    --input FILES --qi COLUMNS --sensitive COLUMNS [--distance COLUMN=ordered] BEAM...
  hitoku-beam k-map          --input FILES --qi COLUMNS --population FILES [--count COLUMN] BEAM...
  hitoku-beam delta-presence --input FILES --qi COLUMNS --population FILES [--count COLUMN] BEAM...

BEAM are flags like --runner, --endpoint, --project; hitoku-beam --help lists them. Without --runner the job runs in this
process, which is for trying out: hitoku risk does the same with less of everything.

Flags, Beam's among them:
`

// Exit codes, the same as those of hitoku.
const (
	exitInput = 2
	exitEmpty = 3
)

type flags struct {
	job       beam.Job
	input     []string
	people    []string
	distances []string
	missing   string
	separator string
	result    string
	log       string

	missingSensitive string
}

func main() {
	f := newFlags(flag.CommandLine)
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	args := os.Args[1:]
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		f.job.Metric, args = beam.Metric(args[0]), args[1:]
	}
	flag.CommandLine.Parse(args)
	if f.log != "" {
		log.LogLevel = f.log
	} else if local(*runners.Runner) {
		log.LogLevel = "warn"
	}
	sdk.Init() // in a worker this call does not return
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := f.run(ctx, flag.Args(), *runners.Runner, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hitoku-beam:", err)
	}
	os.Exit(code)
}

// local reports whether a runner works in this process.
func local(runner string) bool { return slices.Contains([]string{"", "prism", "direct"}, runner) }

func newFlags(set *flag.FlagSet) *flags {
	f := &flags{job: beam.Job{L: []uint64{1, 2, 3, 4, 5}, Missing: risk.Missing{Markers: []string{""}}}}
	j := &f.job
	each := func(name, words string, to *[]string) {
		set.Func(name, words+"; repeatable", func(s string) error { *to = append(*to, s); return nil })
	}
	columns := func(name, words string, to *[]string) {
		set.Func(name, words, func(s string) error {
			list, err := csv.NewReader(strings.NewReader(s)).Read()
			*to = append(*to, list...)
			return err
		})
	}
	each("input", "`files` of records: a path or a pattern like gs://bucket/persons-*.csv", &f.input)
	columns("qi", "`columns` that are quasi-identifiers, like region,age,sex", &j.QI)
	columns("sensitive", "`columns` that are sensitive", &j.Sensitive)
	set.StringVar(&j.Entity, "entity", "", "k-anonymity: `column` with the id of a person who may have several records")
	each("distance", "t-closeness: `equal|ordered`, or ATTRIBUTE=ordered for one", &f.distances)
	each("population", "k-map, delta-presence: `files` of the population", &f.people)
	set.StringVar(&j.Count, "count", "", "`column` of the population that tells how many people a row stands for (default one)")
	set.StringVar(&f.missing, "missing", "own", "what a missing quasi-identifier is: a value of its `own`, or its record is left out: drop")
	markers := false
	set.Func("missing-marker", "`value` that stands for a missing one; repeatable (default: the empty field)", func(s string) error {
		if !markers {
			markers, j.Missing.Markers = true, nil
		}
		j.Missing.Markers = append(j.Missing.Markers, s)
		return nil
	})
	set.StringVar(&f.missingSensitive, "missing-sensitive", "ignore", "what a missing sensitive value is: `ignore`d, or a value of its own: own")
	set.IntVar(&j.Worst, "worst", 0, "show the `N` worst classes with their values")
	set.StringVar(&j.Encoding, "encoding", "", "`encoding` of the files: utf-8, cp932 or cp1252 (default: found out)")
	set.StringVar(&f.separator, "separator", "", "`character` between fields, or tab (default: found out)")
	set.IntVar(&j.Parts, "parts", 1000, "into how many parts classes are divided; a worker must have memory for a part")
	set.StringVar(&f.log, "log", "", "how much Beam says: debug, info, `warn` or error (default info, in this process warn)")
	set.StringVar(&f.result, "result", "", "`file` in which workers leave the result (default on this machine: a temporary one)")
	return f
}

// prepare completes the job from the flags and arguments.
func (f *flags) prepare(ctx context.Context, args []string) (err error) {
	j := &f.job
	switch {
	case j.Metric == "":
		return errors.New("which measure? see hitoku-beam --help")
	case len(args) > 0:
		return fmt.Errorf("%q: files are named by --input", args[0])
	case f.missing != "own" && f.missing != "drop":
		return fmt.Errorf("--missing %q: want own or drop", f.missing)
	case f.missingSensitive != "ignore" && f.missingSensitive != "own":
		return fmt.Errorf("--missing-sensitive %q: want ignore or own", f.missingSensitive)
	case len(f.distances) > 0 && j.Metric != beam.TCloseness:
		return fmt.Errorf("--distance: %s has none", j.Metric)
	case len(f.separator) > 1 && f.separator != "tab":
		return fmt.Errorf("--separator %q: want one character, or tab", f.separator)
	}
	j.Missing.Mode = risk.MissingMode(f.missing)
	j.OwnSensitive = f.missingSensitive == "own"
	if f.separator == "tab" {
		j.Separator = '\t'
	} else if f.separator != "" {
		j.Separator = f.separator[0]
	}
	if err := f.distance(); err != nil {
		return err
	}
	if j.Files, err = beam.Find(ctx, f.input); err != nil {
		return err
	}
	if j.Population, err = beam.Find(ctx, f.people); err != nil {
		return err
	}
	return j.Check()
}

// distance sets the distance used for each sensitive attribute.
func (f *flags) distance() error {
	j := &f.job
	j.Distances = slices.Repeat([]risk.Distance{risk.Equal}, len(j.Sensitive))
	for _, x := range f.distances {
		at := strings.LastIndexByte(x, '=')
		d := risk.Distance(x[at+1:])
		k := slices.Index(j.Sensitive, x[:max(at, 0)])
		switch {
		case d != risk.Equal && d != risk.Ordered:
			return fmt.Errorf("--distance %q: want equal, ordered or ATTRIBUTE=ordered", x)
		case at < 0:
			j.Distances = slices.Repeat([]risk.Distance{d}, len(j.Sensitive))
		case k < 0:
			return fmt.Errorf("--distance %q: %q is not among --sensitive", x, x[:at])
		default:
			j.Distances[k] = d
		}
	}
	return nil
}

func (f *flags) run(ctx context.Context, args []string, runner string, out io.Writer) (code int, err error) {
	if err := f.prepare(ctx, args); err != nil {
		return exitInput, err
	}
	switch {
	case f.result == "" && !local(runner):
		return exitInput, errors.New("no --result: name a file that workers can write and this machine can read, like gs://bucket/risk.json")
	case f.result == "":
		folder, err := os.MkdirTemp("", "hitoku-beam")
		if err != nil {
			return exitInput, err
		}
		defer os.RemoveAll(folder)
		f.result = filepath.Join(folder, "result.json")
	}
	r, err := f.job.Run(ctx, f.result, beamx.Run)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitEmpty, errors.New("interrupted, nothing is measured")
	case err != nil:
		return exitInput, err
	case r.Fault != nil:
		return exitInput, errors.New(r.Fault.Text)
	}
	b, err := f.job.Document(r)
	if err != nil {
		return exitInput, err
	}
	if _, err := out.Write(b); err != nil {
		return exitInput, err
	}
	if r.Empty() {
		return exitEmpty, errors.New("no records, so nothing can be said")
	}
	return 0, nil
}
