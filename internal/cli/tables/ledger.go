package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// NewLedger returns hitoku ledger, which keeps the list of what is published.
func NewLedger() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Keep the list of what is published, and audit it as a whole",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return i18n.Errorf("ledger: no command %q%s; see hitoku ledger --help", args[0], near.Hint(args[0], flags.VerbNames(cmd), ""))
			}
			return i18n.New("ledger: add, list or check? see hitoku ledger --help")
		},
	}
	cmd.AddCommand(newLedgerAdd(), newLedgerList(), newLedgerCheck())
	return cmd
}

// bookkeeping is one run of a verb of hitoku ledger.
type bookkeeping struct {
	inputs   flags.Input
	rules    flags.Rules
	engine   flags.Engine
	period   string
	at       []string
	date     string
	note     string
	revision bool
	json     bool
}

func newLedgerAdd() *cobra.Command {
	b := &bookkeeping{}
	cmd := &cobra.Command{
		Use:   "add LEDGER FILE...",
		Short: "Add published tables to a ledger",
		Long: `Add tables to a ledger, a file in TOML or JSON, which is made if there is none: their
files, checksums, where they stand (period, region, response), and the flags with which they
are read. A table that contradicts the others is refused.`,
		Example: `  hitoku ledger add releases.toml 2023.csv --period 2023 --date 2024-03-01`,
		Args:    twoOrMore,
		RunE: func(cmd *cobra.Command, args []string) error {
			return formats.Alone(cmd.Context(), args[0], func() error { return b.add(cmd, args[0], args[1:]) })
		},
	}
	flags.Declare(cmd,
		b.inputs.Group(),
		flags.In(flags.LedgerGroup, []flags.Flag{
			{Name: "period", To: &b.period, Text: "`PERIOD` of the tables"},
			{Name: "at", To: &b.at, Text: "`DIM=CODE` at which they stand in a dimension that they lack"},
			{Name: "revision", To: &b.revision, Text: "they are of an earlier state of the data: their cells are those of others only where they publish the same number"},
			{Name: "date", To: &b.date, Text: "`date` of the publication"},
			{Name: "note", To: &b.note, Text: "`text` for people"},
		}),
		b.rules.Bounds(),
	)
	flags.Common(cmd, "--period 2024", "--at region=N", "--total 合計", "--hierarchy activity=nace.hrc", "--revision")
	return cmd
}

func newLedgerList() *cobra.Command {
	b := &bookkeeping{}
	cmd := &cobra.Command{
		Use:     "list LEDGER",
		Short:   "List the tables of a ledger",
		Example: `  hitoku ledger list releases.toml`,
		Args:    oneLedger,
		RunE:    func(cmd *cobra.Command, args []string) error { return b.list(cmd, args[0]) },
	}
	flags.Declare(cmd, flags.In(flags.OutputGroup, []flags.Flag{flags.JSON(&b.json, "print one JSON document")}))
	return cmd
}

func newLedgerCheck() *cobra.Command {
	b := &bookkeeping{}
	cmd := &cobra.Command{
		Use:   "check LEDGER",
		Short: "Compare the files with their checksums and audit all releases as one problem",
		Long: `Read every table of a ledger, compare its file with its checksum, and compute what all of
them together tell of the cells that they withhold, and of cells that occur in sums only.`,
		Example: `  hitoku ledger check releases.toml --width 8`,
		Args:    oneLedger,
		RunE:    func(cmd *cobra.Command, args []string) error { return b.check(cmd, args[0]) },
	}
	flags.Declare(cmd,
		b.inputs.Group(),
		b.rules.Flags(flags.Below),
		b.rules.Flags(flags.Fields{"width"}).Saying("width", "interval width that each withheld cell needs which is or may be sensitive", "one unit"),
		b.rules.Bounds(),
		b.engine.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{flags.JSON(&b.json, "print one JSON document")}),
	)
	flags.Common(cmd, "--width 8", "--below 5", "--total 合計", "--hierarchy activity=nace.hrc", "--json")
	return cmd
}

// oneLedger requires a single ledger.
func oneLedger(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return i18n.Errorf("%s: want one ledger, not %d arguments; see %s --help", flags.Verb(cmd), len(args), cmd.CommandPath())
	}
	return nil
}

// twoOrMore requires a ledger and at least one table.
func twoOrMore(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return i18n.Errorf("%s: want a ledger and a published table; see %s --help", flags.Verb(cmd), cmd.CommandPath())
	}
	return nil
}

// add adds tables to the ledger in a file.
func (b *bookkeeping) add(cmd *cobra.Command, file string, tables []string) error {
	book, err := flags.OpenBook(file)
	if errors.Is(err, fs.ErrNotExist) {
		book, err = &flags.Book{}, nil
	}
	if err != nil {
		return err
	}
	at := map[string]string{}
	for _, x := range b.at {
		d, c, ok := strings.Cut(x, "=")
		if !ok || d == "" || c == "" {
			return i18n.Errorf("--at %q: want DIM=CODE", x)
		}
		at[d] = c
	}
	for _, path := range tables {
		e, err := b.inputs.NewEntry(cmd, file, path)
		if err != nil {
			return err
		}
		e.Date, e.Note, e.Period, e.Revision = b.date, b.note, b.period, b.revision
		if len(at) > 0 {
			e.At = maps.Clone(at)
		}
		for n := range book.Releases {
			if flags.BookFile(file, &book.Releases[n]) == flags.BookFile(file, e) {
				return i18n.Errorf("%s: %s lists it already", path, file)
			}
		}
		book.Releases = append(book.Releases, *e)
	}
	if _, _, err := b.join(cmd, file, book); err != nil {
		return err
	}
	if err := formats.Save(file, func(w io.Writer) error { return book.Write(w, file) }); err != nil {
		return err
	}
	err = render.Tell(cmd.OutOrStdout(), "%s: %d releases\n", file, len(book.Releases))
	return err
}

// list prints the entries.
func (b *bookkeeping) list(cmd *cobra.Command, file string) error {
	book, err := flags.OpenBook(file)
	if err != nil {
		return err
	}
	r := &document.Ledger{Ledger: file, Releases: entries(book)}
	if b.json {
		return document.Write(cmd.OutOrStdout(), r)
	}
	printEntries(cmd.OutOrStdout(), r.Releases, false)
	return nil
}

// entries describes the releases of a book.
func entries(book *flags.Book) []document.LedgerRelease {
	all := []document.LedgerRelease{}
	for n := range book.Releases {
		e := &book.Releases[n]
		r := document.LedgerRelease{File: e.File, Date: e.Date, Note: e.Note, SHA256: e.SHA256, Revision: e.Revision}
		if at := e.Place(); len(at) > 0 {
			r.At = at
		}
		all = append(all, r)
	}
	return all
}

// printEntries writes the entries as rows.
func printEntries(w io.Writer, all []document.LedgerRelease, counts bool) {
	header := []string{"file", "stands at", "published"}
	if counts {
		header = append(header, "cells", "withheld")
	}
	grid := render.NewColumns(3, header...)
	for _, r := range all {
		at := sets.Each(slices.Sorted(maps.Keys(r.At)), func(d string) string { return d + "=" + r.At[d] })
		row := []string{r.File, strings.Join(at, " "), r.Date}
		if r.Revision {
			row[0] += " (" + i18n.Of(w).Label("revision") + ")"
		}
		if counts {
			row = append(row, fmt.Sprint(r.Cells), fmt.Sprint(r.Withheld))
		}
		grid.Add(row...)
	}
	grid.Print(w)
}

// join reads the releases of a book and combines them into one problem.
func (b *bookkeeping) join(cmd *cobra.Command, file string, book *flags.Book) (*ledger.Set, *ledger.Joint, error) {
	set, err := b.inputs.ReadBook(cmd, &b.rules, file, book)
	if err != nil {
		return nil, nil, err
	}
	if len(set.Releases) == 0 {
		return set, nil, nil
	}
	opt := ledger.Options{Below: b.rules.Policy.Below}
	if w := b.rules.Policy.Width; w != nil {
		if w.Percent {
			return nil, nil, i18n.Errorf("--width %s%%: want a number, as the values of withheld cells are not known", w.Decimal)
		}
		opt.Width = &w.Decimal
	}
	j, err := set.Together(file, opt)
	return set, j, err
}

// check audits the releases of the ledger in a file as one problem.
func (b *bookkeeping) check(cmd *cobra.Command, file string) error {
	if err := b.engine.Check(); err != nil {
		return err
	}
	book, err := flags.OpenBook(file)
	if err != nil {
		return err
	}
	set, j, err := b.join(cmd, file, book)
	if err != nil {
		return err
	}
	r := &document.Ledger{Ledger: file, Releases: entries(book), Verdict: document.Protected, Cells: []document.EarlierCell{}}
	for n := range r.Releases {
		t := set.Releases[n].Table
		for _, hidden := range WithheldCells(t) {
			if r.Releases[n].Cells++; hidden {
				r.Releases[n].Withheld++
			}
		}
	}
	code := cli.Done
	var all *jointReport
	if j != nil {
		for _, s := range j.Skipped {
			render.Say(cmd.ErrOrStderr(), j.Table, "%s", s)
		}
		if all, err = b.audit(cmd.Context(), j); err != nil {
			return err
		}
		r.Intruder = all.Intruder
		r.Verdict, r.Cells = all.Verdict, append(r.Cells, all.Earlier...)
		code = codeOf(r.Verdict)
	}
	if b.json {
		err = document.Write(cmd.OutOrStdout(), r)
	} else {
		err = b.print(cmd.OutOrStdout(), r, all)
	}
	if err != nil {
		return err
	}
	return code.Result()
}

// audit computes what all releases reveal together.
func (b *bookkeeping) audit(ctx context.Context, j *ledger.Joint) (*jointReport, error) {
	opt := &interval.Options{LP: b.engine.LP, Workers: b.engine.Workers, Told: true, Cells: j.Asked()}
	rep, err := interval.Learned(ctx, table.Publish(j.Table, j.Withheld, table.Intruder{Beside: true, Unit: true}), opt)
	if err != nil {
		return nil, err
	}
	rep.Judge(j.Judged(), true)
	r := newJointReport(j.Table, j, rep, 0)
	return r, r.explain(ctx, rep, b.engine.Workers)
}

// print writes the entries and what they reveal together.
func (b *bookkeeping) print(w io.Writer, r *document.Ledger, all *jointReport) error {
	printEntries(w, r.Releases, true)
	fmt.Fprintln(w)
	if all == nil {
		return nil
	}
	all.printCells(w)
	bad, disclosed := all.count()
	line := i18n.T("%s: all tables together: %s; of %d cells that are suppressed or occur in sums only %d unprotected, %d disclosed", r.Ledger, i18n.Term(string(r.Verdict)), len(r.Cells), bad, disclosed)
	return render.Verdict(w, line.Plus("%s", intruderLine(r.Ledger, r.Intruder)))
}
