package arb

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// Options tune Run.
type Options struct {
	// Log is the file to which log lines are appended until <LOGBOOK> names another. Empty: none.
	Log string
	// Data is a folder in which inputs are looked for besides that of the batch file, and in which outputs
	// named without a folder are written.
	Data string
	// Words gets the log lines too.
	Words io.Writer
	// Version is written to the log, and by <VERSIONINFO> in the form of VersionLine.
	Version string
	LP      string
	Workers int
	// Encoding of the inputs: utf-8, cp932 or cp1252. Empty: the one that a comment of the batch states, else
	// CP1252 for files that are not UTF-8.
	Encoding string
}

// Logged reports whether err has been written to the log, so that whoever reads that knows of it.
func (o *Options) Logged(err error) bool {
	var e *Error
	return o.Log != "" && errors.As(err, &e)
}

// An Error is about a command of a batch file.
type Error struct {
	File    string
	Line    int
	Command string
	Read    bool // an input could not be read
	Err     error
}

func (e *Error) Error() string { return e.Message().String() }

func (e *Error) Message() i18n.Text {
	return i18n.T("%s:%d: <%s>: %v", e.File, e.Line, e.Command, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// A job is one table of a batch.
type job struct {
	dims                   []string
	response, shadow, cost string
	freq                   bool // the response is <freq>
	λ                      *table.Decimal
	rules                  *table.Rules
	data, meta             string // file and metadata file of a table input
	t                      *table.Table
	write                  argus.WriteOptions
	pattern                []bool

	steps  [][]int64  // steps of cost -3, by dimension
	from   *microdata // nil: a table input
	recode map[string]tabulate.Recoding
	edited bool // an <APRIORI> changed the table

	computed int      // number of margins that did not add up and were accepted
	changes  []string // what a-priori files changed

	cells   []keyedCell // cells with their record keys
	noise   *argus.CellKeyed
	changed []int64  // the values that RND or CTA publishes; nil: those of t
	method  []string // what the log says about the method

	whole   *whole  // the tables with which it was protected; nil: alone, or not yet
	seconds float64 // time of the search
}

// microdata are records from which tables are made.
type microdata struct {
	files []string
	meta  string
}

// A batch is one run.
type batch struct {
	opt   *Options
	file  string
	log   string
	micro []string
	data  []string // data files of table inputs
	meta  []string
	jobs  []*job
	more  bool // the next command has the same name
	heard *[]string
	cover bool // <COVER>: margins need not add up
	keyed bool // some command asks for the cell key method

	inputs   []string // files that were opened, which must not be overwritten
	unlogged error    // why lines are missing from the log

	forms     map[string]form // forms of the inputs, by path
	toldMixed bool            // it has been said that their encodings differ

	against *comparison // nil: outputs are written
}

// Run carries out the commands of the batch file path in order, up to the first that fails. The error is an
// *Error, or that of the file itself. Every pattern that is written protects, or the run fails. Cost: that of
// the commands.
func Run(ctx context.Context, path string, opt *Options) error { return run(ctx, path, opt, nil) }

// run is Run; with a comparison c it writes nothing and compares with the outputs of c.
func run(ctx context.Context, path string, opt *Options, c *comparison) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text := bufio.NewReaderSize(f, records.BlockSize)
	if opt.Encoding == "" {
		by := *opt
		head, _ := text.Peek(text.Size())
		if by.Encoding, err = told(head, path); err != nil {
			return err
		}
		opt = &by
	}
	if info, err := os.Stat(opt.Data); opt.Data != "" && (err != nil || !info.IsDir()) {
		return i18n.Errorf("%s: want a folder for data", opt.Data)
	}
	b := &batch{opt: opt, file: path, log: opt.Log, inputs: []string{path}, forms: map[string]form{}, against: c}
	if b.log != "" && b.isInput(b.log) {
		return i18n.Errorf("%s: cannot be the log of itself", b.log)
	}
	if err := b.canLog(); err != nil {
		return err
	}
	b.begin(b.say)
	defer b.say("End of TauArgus run")
	commands, err := parse(text, path, cmp.Or(opt.Encoding, records.Western))
	if err != nil {
		b.say("Error in batch file: %s", bare(err.Error()))
		return err
	}
	for _, c := range commands {
		_, ok := asksCellKey(c.args)
		b.keyed = b.keyed || c.name == "SUPPRESS" && ok
	}
	b.against.expect(commands)
	for n, c := range commands {
		if ctx.Err() != nil && !finishing[c.name] {
			b.say("Error in batch file: stopped before line %d", c.line)
			return i18n.Errorf("%s:%d: stopped before <%s>: %w", path, c.line, c.name, context.Cause(ctx))
		}
		b.note("<%s> %s", c.name, c.args)
		b.more = n+1 < len(commands) && commands[n+1].name == c.name
		read, err := b.do(ctx, c)
		if reading[c.name] {
			b.mixed()
		}
		if err != nil {
			e := &Error{File: path, Line: c.line, Command: c.name, Read: read, Err: err}
			b.say("Error in batch file: %s", bare(e.Error()))
			return e
		}
	}
	return b.unlogged
}

// finishing are the commands that are carried out even after the run has been stopped: the best pattern that
// the search had by then can be written.
var finishing = map[string]bool{"WRITETABLE": true, "VERSIONINFO": true, "LOGBOOK": true, "COMMENT": true, "SOLVER": true, "SILENT": true, "GOINTERACTIVE": true}

// reading are the commands that read inputs.
var reading = map[string]bool{"READMICRODATA": true, "READTABLE": true, "APRIORI": true, "APRIORY": true, "RECODE": true}

// do carries out one command. read reports whether an error is about an input.
func (b *batch) do(ctx context.Context, c command) (read bool, err error) {
	known := len(b.inputs)
	defer func() {
		if b.log != "" && len(b.inputs) > known && b.isInput(b.log) {
			b.log, err = "", i18n.Errorf("%s is the log of this batch", b.inputs[len(b.inputs)-1])
		}
	}()
	if b.against != nil {
		switch c.name {
		case "LOGBOOK", "VERSIONINFO":
			return false, nil
		case "WRITETABLE":
			return false, b.compare(ctx, c)
		}
	}
	switch c.name {
	case "LOGBOOK":
		before := b.log
		if b.log, err = b.place(c.args); err == nil {
			err = b.canLog()
		}
		if err != nil {
			b.log = before // the error goes to the log that was in use before
			return false, err
		}
		b.begin(b.note)
	case "OPENMICRODATA":
		b.micro = append(b.micro, b.find(c.args))
	case "OPENTABLEDATA":
		b.data = append(b.data, b.find(c.args))
	case "OPENMETADATA":
		b.meta = append(b.meta, b.find(c.args))
	case "SPECIFYTABLE":
		return false, b.specify(c.args)
	case "SAFETYRULE":
		return false, b.rule(c.args)
	case "READMICRODATA":
		return true, b.readMicrodata(ctx)
	case "READTABLE":
		return true, b.readTables(c.args)
	case "APRIORI", "APRIORY":
		return b.apriori(c.args)
	case "SUPPRESS":
		return false, b.suppress(ctx, c.args)
	case "WRITETABLE":
		return false, b.writeTable(context.WithoutCancel(ctx), c.args)
	case "VERSIONINFO":
		path, err := b.place(c.args)
		if err != nil {
			return false, err
		}
		return false, formats.SaveAs(private.Batch, path, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, VersionLine(b.opt.Version))
			return err
		})
	case "SOLVER":
		b.say("Solver %s asked for; hitoku solves with its own search", c.args)
	case "CLEAR":
		*b = batch{opt: b.opt, file: b.file, log: b.log, inputs: b.inputs, unlogged: b.unlogged, keyed: b.keyed, forms: b.forms, toldMixed: b.toldMixed, against: b.against}
	case "COMMENT":
		b.say("%s", c.args)
	case "SILENT":
	case "ANCO": // lifts a limit that does not exist here
	case "COVER":
		b.cover = true
	case "JJ":
		b.say("<JJ> says nothing to τ-ARGUS, and here neither; hitoku suppress protects JJ files")
	case "GOINTERACTIVE":
		b.say("Nothing is interactive here; the batch goes on")
	case "RECODE":
		return false, b.recode(ctx, c.args)
	default:
		return false, i18n.New("this command is not known here")
	}
	return false, nil
}

// specify reads "v1""v2"|"response"|"shadow"|cost,λ; fields may be missing.
func (b *batch) specify(args string) error {
	parts := strings.SplitN(args, "|", 2)
	j := &job{dims: names(parts[0])}
	if len(j.dims) == 0 || len(parts) < 2 {
		return i18n.New(`want "variable""variable"...|"response"|"shadow"|cost`)
	}
	rest := fields(parts[1], '|')
	rest = append(rest, "", "", "", "")
	j.response, j.shadow = rest[0], rest[1]
	cost, λ, given := strings.Cut(rest[2], ",")
	if rest[3] != "" {
		λ, given = rest[3], true
	}
	j.cost = strings.TrimSpace(cost)
	if j.freq = strings.EqualFold(j.response, "<freq>"); j.freq {
		j.response = ""
	}
	if λ = strings.TrimSpace(λ); given && λ != "" {
		d, err := table.ParseDecimal(λ)
		if err != nil {
			return i18n.Errorf("λ %q: %w", λ, err)
		}
		j.λ = &d
	}
	if n := len(b.data); n > 0 {
		if len(b.meta) < n {
			return i18n.New("the table opened last has no <OPENMETADATA>")
		}
		j.data, j.meta = b.data[n-1], b.meta[n-1]
	}
	b.jobs = append(b.jobs, j)
	return nil
}

func (b *batch) rule(args string) error {
	if len(b.jobs) == 0 {
		return i18n.New("no <SPECIFYTABLE> before it")
	}
	if strings.Trim(args, "| ") == "" {
		return nil
	}
	if b.jobs[len(b.jobs)-1].t != nil {
		return i18n.New("the table has been read; its rules stand before that")
	}
	r, err := table.ParseRules(args)
	b.jobs[len(b.jobs)-1].rules = r
	return err
}

// price sets the costs; given says that the input, which m describes, had costs.
func (j *job) price(m *argus.Metadata, given bool) error {
	kind := table.CostKind{Kind: "value"}
	switch {
	case j.cost == "-3":
		var err error
		if j.steps, err = distances(m, j.t); err != nil {
			return err
		}
		return j.t.SetDistanceCost(j.steps)
	case j.cost == "-1":
		kind.Kind = "freq"
	case j.cost == "-2":
		kind.Kind = "count"
	case given:
		return nil
	case j.λ != nil && j.λ.String() != "1":
		var err error
		if kind, err = table.ParseCost("power:" + j.λ.String()); err != nil {
			return err
		}
	}
	return j.t.SetCost(kind)
}

// margin returns the protection distance, in % of the value, of unsafe cells for which nothing else gives one:
// that of the rules, else 20 as in τ-ARGUS.
func (j *job) margin() table.Decimal {
	if j.rules != nil && j.rules.Manual != nil {
		return *j.rules.Manual
	}
	return table.Decimal{Unscaled: 20}
}

// count logs how many cells the rules have made unsafe.
func (b *batch) count() {
	for n, j := range b.jobs {
		b.say("Table %d: %d cells, %d unsafe", n+1, j.t.Len(), j.unsafe())
	}
}

// unsafe returns how many cells of a job's table are unsafe.
func (j *job) unsafe() int { return sets.Times(j.t.Status, table.Sensitive) }

// job returns the job whose number, from 1, is a command's first argument.
func (b *batch) job(arg string) (*job, error) {
	if len(b.jobs) == 0 {
		return nil, i18n.New("no <SPECIFYTABLE> before it")
	}
	n, err := strconv.Atoi(strings.TrimSpace(arg))
	if err != nil || n < 1 || n > len(b.jobs) {
		return nil, i18n.Errorf("table %q: want a number from 1 to %d", arg, len(b.jobs))
	}
	return b.jobs[n-1], nil
}

// table returns a job whose table has been made or read.
func (b *batch) table(arg string) (*job, error) {
	j, err := b.job(arg)
	if err == nil && j.t == nil {
		err = i18n.Errorf("table %s has not been read", strings.TrimSpace(arg))
	}
	return j, err
}

// apriori runs "file",table,"sep"[,ignore[,expand]]. As in τ-ARGUS lines that cannot be applied are skipped
// unless the fourth argument is 0, and any fifth argument but 1 leaves trivial levels as they are.
func (b *batch) apriori(args string) (read bool, err error) {
	f := append(fields(args, ','), "", "", "", "")
	j, err := b.table(f[1])
	if err != nil {
		return true, err
	}
	if j.pattern != nil || j.changed != nil { // the result would not protect cells that become unsafe now
		return false, i18n.Errorf("table %s has been protected already; want <APRIORI> before <SUPPRESS>", strings.TrimSpace(f[1]))
	}
	if v := f[3]; v != "" && v != "0" && v != "1" {
		return false, i18n.Errorf("ignoring errors: %q, want 0 or 1", v)
	}
	h, err := argus.ReadAprioriLines(b.find(f[0]), f[2], len(j.t.Dims), b.encoding())
	if err != nil {
		return true, err
	}
	o := argus.AprioriOptions{Ignore: f[3] != "0", Expand: f[4] == "1", Trees: j.write.Trees, Manual: &table.Level{Decimal: j.margin(), Percent: true}}
	changed, skipped, err := h.Apply(j.t, o)
	several(b.say, len(skipped), func(i int) string { return fmt.Sprintf("A-priori: %v", skipped[i]) })
	if err == nil {
		j.edited = true
		b.say("A-priori file %s: %d cells changed", h.File, changed)
		j.changes = append(j.changes, fmt.Sprintf("%s: %d cells changed, %d lines skipped", filepath.Base(h.File), changed, len(skipped)))
	}
	return true, err
}

// A writing is what one <WRITETABLE> asks for.
type writing struct {
	n    string // number of the table
	j    *job
	out  argus.Output
	o    argus.WriteOptions
	file string
}

// writing reads (table,type,options,"file").
func (b *batch) writing(args string) (*writing, error) {
	f := fields(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(args), "("), ")"), ',')
	if len(f) != 4 {
		return nil, i18n.New(`want (table,type,options,"file")`)
	}
	j, err := b.table(f[0])
	if err != nil {
		return nil, err
	}
	if n := j.unsafe(); n > 0 && j.pattern == nil && j.changed == nil && j.noise == nil {
		b.say("Table %s is written without SUPPRESS: readers can compute its %d unsafe cells from the others", strings.TrimSpace(f[0]), n)
	}
	kind, err := strconv.Atoi(f[1])
	if err != nil {
		return nil, i18n.Errorf("type %q: want a number", f[1])
	}
	w := &writing{n: f[0], j: j, o: j.write, file: f[3]}
	if w.out, err = argus.ParseOutput(kind, f[2]); err != nil {
		return nil, err
	}
	w.o.Lossy = true
	as := b.written(j, f[0])
	w.o.Encoding, w.o.CRLF = as.encoding, as.crlf
	if w.o.Rules = j.rules; w.o.Rules == nil {
		w.o.Rules = &table.Rules{}
	}
	return w, nil
}

// writeTable runs (table,type,options,"file").
func (b *batch) writeTable(ctx context.Context, args string) error {
	w, err := b.writing(args)
	if err != nil {
		return err
	}
	j, out, o := w.j, w.out, w.o
	if out.Audit && out.Type == argus.Intermediate {
		if o.Realized, err = b.audit(ctx, j); err != nil {
			return err
		}
	}
	path, err := b.place(w.file)
	if err == nil && (out.Type == argus.Intermediate || out.Type == argus.CellKey) {
		err = b.placeBeside(path)
	}
	if err != nil {
		return err
	}
	done, err := j.writeNoise(path, out, o)
	if !done && err == nil {
		done, err = j.writeChanged(path, out, o)
	}
	if !done && err == nil {
		err = argus.WriteOutput(path, j.t, j.pattern, out, o)
	}
	if err != nil {
		return err
	}
	b.say("Table %s written to %s", w.n, path)
	return b.report(j, path, out)
}
