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

// A Comparison lays what batch files give here beside the outputs that τ-ARGUS wrote of them in the folder Dir.
type Comparison struct {
	Dir   string
	taken map[string]string // outputs that were compared, by path, and the commands that name them
}

// A Compared is an output of a batch.
type Compared struct {
	*document.MigratedOutput
	Err    error   // why it was not compared
	Faults []error // the first lines of the output of τ-ARGUS that say nothing of a cell of the table
}

// comparison is a Comparison under one batch.
type comparison struct {
	*Comparison
	batch   string
	outputs []*Compared
	next    int
	seconds float64
	pairs   []pair // of the outputs that were compared
	judged  []judged
}

// A pair is what an output has of a table: what is withheld here, and there.
type pair struct {
	o           *Compared
	j           *job
	with        *whole // nil: it has not been protected
	here, there []bool
	lost        []bool // cells of which the output there has no line
}

// A whole is what tables were protected as: all of them together.
type whole struct {
	jobs  []*job
	t     *table.Table
	cells [][]int32 // by table, the cell of t that each of its cells is
}

// Run carries out the batch file path, as Run does but without writing anything, and compares its outputs. The error is that of Run: outputs
// that it left are not compared, as they say.
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

// expect lists the outputs of a batch.
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

// about is an error about a command.
func (c *comparison) about(x command, err error) error {
	return &Error{File: c.batch, Line: x.line, Command: x.name, Err: err}
}

// compare compares the output of a <WRITETABLE>.
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

// theirs finds an output of τ-ARGUS: in the folder called like the batch file, as the batch names it, by its last name.
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

// lay lays an output here beside that of τ-ARGUS.
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
	w.out.Audit = false // which is computed below, of both
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
