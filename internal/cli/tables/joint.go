package tables

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// releasesOf describes the releases of a joint problem.
func releasesOf(releases []*ledger.Release, shared []int) []document.EarlierRelease {
	all := []document.EarlierRelease{}
	for k, r := range releases {
		all = append(all, document.EarlierRelease{File: r.File, At: r.At, Cells: r.Table.Len(), Shared: shared[k], Revision: r.Revision})
	}
	return all
}

// newEarlier describes what was published before a table that is protected.
func newEarlier(j *ledger.Joint, e *protect.Earlier) *document.Earlier {
	d := &document.Earlier{Releases: releasesOf(e.Releases, e.Shared), Cells: j.Len(), Fixed: e.Fixed, Lost: e.Lost, Again: e.Again, Withheld: e.Before[0], Published: e.Before[1]}
	for n := range e.Exposed {
		x := &e.Exposed[n]
		c := document.ExposedCell{File: fileOf(j, x.Cell), Cell: j.Origin(x.Cell).Name, Codes: codesIn(j, x.Cell), Follows: []document.Combination{}}
		for k := range x.Follows {
			c.Follows = append(c.Follows, jointCombination(j, &x.Follows[k]))
		}
		d.Exposed = append(d.Exposed, c)
	}
	return d
}

// earlierLine reports how the releases affected the pattern.
func earlierLine(name string, e *document.Earlier) i18n.Text {
	line := i18n.T("\n%s: protected together with %d tables published before: %d of its cells are told by them", name, len(e.Releases), e.Fixed)
	if e.Again > 0 {
		line = line.Plus(", %d withheld as the same cells", e.Again)
	}
	if e.Withheld > 0 {
		line = line.Plus(", %d withheld the period before", e.Withheld)
	}
	if e.Published > 0 {
		line = line.Plus(", %d published the period before", e.Published)
	}
	if e.Lost > 0 {
		line = line.Plus(", %d sensitive but told already", e.Lost)
	}
	if n := len(e.Exposed); n > 0 {
		line = line.Plus("; of the cells that they withhold %d are told by themselves", n)
	}
	return line
}

// codesIn returns the codes of cell i in its own table, or in all dimensions.
func codesIn(j *ledger.Joint, i int) []string {
	if o := j.Origin(i); o.Release != nil {
		return CodesOf(o.Release.Table, o.Cell)
	}
	return CodesOf(j.Table, i)
}

// fileOf returns the file of cell i, "" if it is in none.
func fileOf(j *ledger.Joint, i int) string {
	if o := j.Origin(i); o.Release != nil {
		return o.Release.File
	}
	return ""
}

// peopled returns the table with numbers of contributors, −1 if unknown: those of the tables, else the values of
// counts.
func peopled(j *ledger.Joint) *table.Table {
	if j.Freq != nil {
		return j.Table
	}
	t := *j.Table
	t.Freq = make([]int64, t.Len())
	for i := range t.Freq {
		unit := table.Pow10(t.Decimals)
		switch {
		case j.Origin(i).Room != nil:
		case t.Counts && t.Known(i) && t.Value[i]%unit == 0:
			t.Freq[i] = t.Value[i] / unit
		default:
			t.Freq[i] = -1
		}
	}
	return &t
}

// jointCombination describes a combination of cells of several tables.
func jointCombination(j *ledger.Joint, c *interval.Combination) document.Combination {
	d := CombinationOf(j.Table, c, nil)
	d.Text = c.Text(j.Table, j.Where)
	name := func(terms []document.Term, of []interval.Term) {
		for n := range terms {
			i := of[n].Cell
			o := j.Origin(i)
			if terms[n].Cell, terms[n].Codes = o.Name, codesIn(j, i); o.Number > 0 {
				terms[n].File = o.Release.File
			}
		}
	}
	name(d.Terms, c.Terms)
	name(d.Bounds, c.Bounds)
	for n, m := range c.Relations {
		d.Relations[n].Relation = j.RelationName(m.Relation).String()
	}
	return d
}

// joint audits the table with what is published beside it.
func (a *inspection) joint(cmd *cobra.Command, path string, in *formats.Input, withheld []bool, blind []int, begun time.Time, told bool) (cli.Code, error) {
	ctx, t, start := cmd.Context(), in.Table, time.Now()
	set, err := a.inputs.Released(cmd, &a.rules, &a.rules.Policy, nil)
	if err != nil {
		return 0, err
	}
	for _, s := range set.Releases {
		if err := s.Table.SetBounds(a.rules.Policy.Lower, a.rules.Policy.Upper); err != nil {
			return 0, i18n.Errorf("%s: %w", s.File, err)
		}
	}
	readers := lacksValues(t, withheld)
	if readers {
		set = set.Published()
	}
	opt := ledger.Options{Withheld: withheld, Below: a.rules.Policy.Below}
	if x := a.rules.Policy.Width; x != nil && !x.Percent {
		opt.Width = &x.Decimal
	}
	if !told || a.unsaid {
		for i := range t.Len() {
			if !t.Known(i) && t.Status[i] == table.Withheld {
				t.Status[i] = table.Sensitive
			}
		}
	}
	j, err := set.Join(&ledger.Release{Table: t, File: path}, opt)
	if err != nil {
		return 0, err
	}
	for _, s := range j.Skipped {
		render.Say(cmd.ErrOrStderr(), t, "%s", s)
	}
	options := a.options(cmd, begun, true)
	options.Told, options.Cells = true, j.Asked()
	rep, err := a.learned(ctx, j.Table, j.Withheld, options, readers)
	switch {
	case err != nil && ctx.Err() != nil:
		render.Say(cmd.ErrOrStderr(), t, "%s, nothing to report", a.why(cmd))
		return cli.Limit, nil
	case err != nil:
		return 0, a.contradiction(ctx, path, t, set, opt, err)
	}
	rep.Judge(j.Judged(), true)
	a.sayInexact(cmd.ErrOrStderr(), t, rep, begun)
	if err := t.Rescale(j.Decimals); err != nil {
		return 0, err
	}
	r := newJointReport(t, j, rep, time.Since(start))
	r.Releases = releasesOf(set.Releases, j.Shared)
	if err := r.explain(ctx, rep, a.engine.Workers); err != nil {
		return 0, err
	}
	r.address = formats.Addresses(in)
	names := naming{j.Table, j.Where, func(i int) []string { return codesIn(j, i) }}
	x := &audited{naming: names, rep: rep, hidden: j.Withheld, people: peopled(j), t: t, withheld: withheld}
	if err := a.beyond(ctx, cmd, r.auditReport, x, blind); err != nil {
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	if err := a.save(path, rep, names, r.auditReport); err != nil {
		return 0, err
	}
	if a.json {
		err = document.Write(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout(), t, told)
	}
	return a.code(rep, r.auditReport), err
}

// contradiction says which table cannot be true together with the others, if that is what err is about.
func (a *inspection) contradiction(ctx context.Context, path string, t *table.Table, set *ledger.Set, opt ledger.Options, err error) error {
	found, tried := set.Contradiction(&ledger.Release{Table: t, File: path}, opt, err, func(j *ledger.Joint) error {
		_, err := interval.Audit(ctx, j.Table, j.Withheld, &interval.Options{LP: a.engine.LP, Workers: a.engine.Workers, Cells: []int{}})
		return err
	})
	if tried {
		return found
	}
	return i18n.Errorf("%s: %w", path, err)
}

// A jointReport is the audit of a table and of those published beside it.
type jointReport struct {
	*auditReport
	j     *ledger.Joint
	rep   *interval.Report
	notes []auditNote // one note for each cell of Earlier
}

// newJointReport describes an audit of the joint problem, whose first cells are those of t.
func newJointReport(t *table.Table, j *ledger.Joint, rep *interval.Report, took time.Duration) *jointReport {
	own, rest := *rep, *rep
	n := 0
	for n < len(rep.Cells) && rep.Cells[n].Index < j.Present {
		n++
	}
	own.Cells, rest.Cells = rep.Cells[:n], rep.Cells[n:]
	own.Protected = !slices.ContainsFunc(own.Cells, func(c interval.Cell) bool { return !c.Protected })
	r := &jointReport{auditReport: NewAuditReport(t, &own, took), j: j, rep: rep}
	all := NewAuditReport(j.Table, &rest, took)
	r.Verdict, r.notes = verdictOf(rep), all.notes
	r.Intruder = newIntruder(j.Table, j.Asked(), rep.Intruder)
	for k := range all.Cells {
		c := document.EarlierCell{AuditCell: all.Cells[k]}
		i := rest.Cells[k].Index
		c.Cell, c.Codes, c.File = j.Origin(i).Name, codesIn(j, i), fileOf(j, i)
		r.Earlier = append(r.Earlier, c)
	}
	r.Unrelated = 0
	return r
}

// explain adds to the document how cells follow from all tables together.
func (r *jointReport) explain(ctx context.Context, rep *interval.Report, workers int) error {
	of, found, err := explained(ctx, rep, workers)
	if err != nil {
		return err
	}
	n := len(r.Cells)
	for m, k := range of {
		cell, note := &document.AuditCell{}, &auditNote{}
		if k < n {
			cell, note = &r.Cells[k], &r.auditReport.notes[k]
		} else {
			cell, note = &r.Earlier[k-n].AuditCell, &r.notes[k-n]
		}
		for c := range found[m] {
			cell.Follows = append(cell.Follows, jointCombination(r.j, &found[m][c]))
		}
		note.follows = found[m]
	}
	return nil
}

// print writes what the set of tables reveals about the withheld cells of each.
func (r *jointReport) print(w io.Writer, t *table.Table, told bool) error {
	fmt.Fprintf(w, "%s\n\n", r.Table)
	render.Tell(w, "together with %d tables published beside it\n\n", len(r.Releases))
	r.printCells(w)
	bad, disclosed := r.count()
	line := r.tally(t, told)
	if r.Verdict != document.Nothing {
		line = line.Plus("\n%s: all tables together: %s; of %d cells that are suppressed in the others or occur in sums only %d unprotected, %d disclosed", r.Table, i18n.Term(string(r.Verdict)), len(r.Earlier), bad, disclosed)
	}
	if err := render.Verdict(w, line.Plus("%s", intruderLine(r.Table, r.Intruder))); err != nil {
		return err
	}
	return r.printBeyond(w)
}

// printCells writes the withheld cells of all tables.
func (r *jointReport) printCells(w io.Writer) {
	cells, notes := slices.Clone(r.Cells), slices.Concat(r.auditReport.notes, r.notes)
	for k := range r.Earlier {
		c := r.Earlier[k].AuditCell
		c.Cell = r.j.Where(r.notes[k].index)
		cells = append(cells, c)
	}
	both := &auditReport{Audit: document.Audit{Cells: cells}, audit: r.rep, notes: notes}
	listed := both.rows(w, r.j.Table)
	first := true
	for _, k := range listed {
		if first && len(notes[k].follows) > 0 {
			render.Tell(w, "\nhow this follows from what is published:\n")
			first = false
		}
		printNamed(w, r.j.Table, notes[k].follows, r.j.Where, func(i int) string {
			if room := r.j.Origin(i).Room; room != nil {
				return i18n.Of(w).Say(room)
			}
			return r.j.Where(i)
		})
	}
	if len(cells) > 0 {
		fmt.Fprintln(w)
	}
}

// count returns how many of the cells of other tables are unprotected, and disclosed.
func (r *jointReport) count() (bad, disclosed int) {
	for _, c := range r.rep.Cells[len(r.Cells):] {
		if !c.Protected && !c.Unsettled {
			bad++
		}
		if c.Disclosed {
			disclosed++
		}
	}
	return bad, disclosed
}
