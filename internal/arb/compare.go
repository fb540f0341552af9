package arb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Comparison compares what batch files produce here with the outputs that τ-ARGUS wrote for them into the
// folder Dir.
type Comparison struct {
	Dir   string
	taken map[string]string // outputs compared so far: by path, the command that names each
}

// A Compared is an output of a batch beside that of τ-ARGUS.
type Compared struct {
	*document.MigratedOutput
	Err    error   // why it was not compared
	Faults []error // the first lines of τ-ARGUS's output that describe no cell of the table
}

// comparison is a Comparison for one batch.
type comparison struct {
	*Comparison
	batch   string
	outputs []*Compared
	next    int
	seconds float64
	pairs   []pair // one for each output that was compared
	judged  []judged
}

// A pair holds what each of the two outputs of a table withholds.
type pair struct {
	o           *Compared
	j           *job
	with        *whole // what the table was protected with; nil: it has not been protected
	here, there []bool
	lost        []bool // cells for which τ-ARGUS's output has no line
}

// A whole is one or more tables that were protected together, as one table.
type whole struct {
	jobs  []*job
	t     *table.Table
	cells [][]int32 // for each job, the cell of t that stands for each cell of its table
}

// Run carries out the batch file path as the function Run does, but writes nothing, and compares its outputs.
// The error is that of Run; an output that the failed run did not reach is not compared, and says so.
func (c *Comparison) Run(ctx context.Context, path string, opt *Options) (outputs []*Compared, seconds float64, err error) {
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return nil, 0, i18n.Errorf("%s: want a folder with outputs of τ-ARGUS", c.Dir)
	}
	if c.taken == nil {
		c.taken = map[string]string{}
	}
	of := &comparison{Comparison: c, batch: path}
	err = run(ctx, path, opt, of)
	for _, p := range of.pairs {
		if p.o.Err = of.audit(ctx, p, opt); p.o.Err != nil {
			p.o.Verdict, p.o.Here, p.o.There, p.o.Different = "open", nil, nil, nil
		}
	}
	return of.outputs, of.seconds, err
}

// expect lists the outputs that a batch will write.
func (c *comparison) expect(commands []command) {
	if c == nil {
		return
	}
	for _, x := range commands {
		if x.name != "WRITETABLE" {
			continue
		}
		f := fields(strings.Trim(x.args, "() "), ',')
		c.outputs = append(c.outputs, &Compared{
			MigratedOutput: &document.MigratedOutput{Line: x.line, File: f[len(f)-1], Verdict: "open"},
			Err:            c.about(x, i18n.New("not compared: the batch ended before")),
		})
	}
}

// about makes an error about a command.
func (c *comparison) about(x command, err error) error {
	return &Error{File: c.batch, Line: x.line, Command: x.name, Err: err}
}

// compare compares the output that a <WRITETABLE> names.
func (b *batch) compare(ctx context.Context, x command) error {
	w, err := b.writing(x.args)
	if err != nil {
		return err
	}
	c := b.against
	o := c.outputs[c.next]
	c.next++
	o.Type, o.Seconds = w.out.Type, w.j.seconds
	if o.Err = b.lay(w, o); o.Err != nil {
		o.Err = c.about(x, o.Err)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case o.Err != nil:
		b.say("Not compared: %v", o.Err)
	default:
		b.say("Table %s compared with %s: %s", w.n, o.File, o.Verdict)
	}
	return nil
}

// theirs finds τ-ARGUS's output of that name: in the subfolder named like the batch file, by the name that the
// batch gives, or by the last part of that name.
func (c *comparison) theirs(name string) (string, error) {
	name = slashed(unquote(name))
	base := filepath.Base(name)
	stem := strings.TrimSuffix(filepath.Base(c.batch), filepath.Ext(c.batch))
	for _, path := range []string{filepath.Join(stem, base), name, base} {
		if !filepath.IsLocal(path) {
			continue
		}
		path = argus.Resolve(filepath.Join(c.Dir, "x"), path)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", i18n.Errorf("not compared: %s is not in %s", base, c.Dir)
}

// lay compares an output made here with that of τ-ARGUS.
func (b *batch) lay(w *writing, o *Compared) error {
	c, j := b.against, w.j
	path, err := c.theirs(w.file)
	if err != nil {
		return err
	}
	o.File = filepath.ToSlash(path)
	switch {
	case b.isInput(path):
		return i18n.Errorf("not compared: %s is an input of the batch", path)
	case c.taken[path] != "":
		return i18n.Errorf("not compared: %s has been compared with %s already; outputs of several batches of one name stand in folders called like the batches", path, c.taken[path])
	case j.changed != nil || j.noise != nil:
		return i18n.New("not compared: RND, CTA and CKM change values, and other values may be as good")
	case w.out.Type == argus.CellKey || w.out.Trivial:
		return i18n.New("not compared: outputs of type 7, or with TR+, have no counterpart for each cell")
	}
	c.taken[path] = fmt.Sprintf("%s:%d", c.batch, o.Line)
	w.out.Audit = false // the intervals are computed below for both programs
	here, err := argus.Show(j.t, j.pattern, w.out, w.o)
	if err != nil {
		return err
	}
	there, err := argus.ReadShown(path, j.t, w.out, w.o, b.encoding())
	if err != nil {
		return err
	}
	p := o.cells(j, here, there)
	for _, f := range there.Faults {
		o.differ("unread", document.DifferingCell{Why: f.Error()})
	}
	if more := there.Faulty - len(there.Faults); more > 0 {
		o.Different[len(o.Different)-1].Count += more
	}
	o.Faults = there.Faults
	for _, e := range c.pairs {
		o.Again = o.Again || e.j == j && e.with == j.whole
	}
	if !o.Again && j.whole != nil && !slices.ContainsFunc(c.pairs, func(e pair) bool { return e.with == j.whole }) {
		c.seconds += j.seconds
	}
	c.pairs = append(c.pairs, p)
	o.Here, o.There = p.priced(p.here, nil), p.priced(p.there, p.lost)
	if o.Verdict = "same"; len(o.Different) > 0 {
		o.Verdict = "different"
	}
	return nil
}
