package tables

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// reporting is one run of hitoku report.
type reporting struct {
	inspection
	files     flags.PolicyFile
	lang      string
	output    string
	published string
	run       string
	attack    string
	linked    bool
	mask      bool
	risk      []string
	noise     []string
	about     aboutFlags

	record *document.Suppression // the record that --run names
	chosen []bool                // the cells that it withholds
	aside  bool                  // the user says that somebody has looked at the numbers outside the tables
}

func NewReport() *cobra.Command {
	r := &reporting{inspection: inspection{members: 1}, files: flags.PolicyFile{Elsewhere: true}}
	cmd := &cobra.Command{
		Use:   "report INPUT... -o OUTPUT.html|OUTPUT.svg",
		Short: "Write a page about a protected table, to read, print and keep",
		Long: `Audit a protected table and write one page of HTML that is complete in itself:
the table with its withheld cells by reason, the interval in which an intruder can
compute each of them, cells, respondents, values and costs by status, the rules and
options in words, version and checksums of the files. Of a large table it shows the lines in
which cells are withheld. An output called .svg is a drawing of the table alone.

The input is the office's own table with statuses, or a published one. With
--published the cells withheld are those of another file, as hitoku suppress wrote
it, and the input gives their true values. With --run they are those of the document
that hitoku suppress --json printed, and the page tells how they were chosen.

With --linked several inputs are one page: tables that were protected together.

With --risk the page is about microdata instead: documents that hitoku risk --json
printed, each with what it measures, against whom, the verdict, figures, and what they
do not say. There is no input then.`,
		Example: `  hitoku report --below 3 --width 5 --published published.csv table.csv -o report.html
  hitoku report --lang ja --width 5 published.csv -o report.html
  hitoku report --linked --below 3 --run run.json --insider size.csv region.csv -o report.html
  hitoku report --risk k.json --risk l.json -o report.html`,
		ValidArgsFunction: flags.TableFiles,
		PreRunE:           func(cmd *cobra.Command, _ []string) error { return r.files.Load(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			check, write := r.checkReport, r.write
			if cmd.Flags().Changed("risk") {
				check, write = r.checkRisk, r.writeRisk
			}
			if cmd.Flags().Changed("cellkey") {
				check, write = r.checkNoise, r.writeNoise
			}
			if err := check(cmd.Flags(), args); err != nil {
				return err
			}
			return cli.End(write(cmd, args))
		},
	}
	flags.Declare(cmd,
		r.inputs.Group(),
		r.inputs.LayoutGroup(),
		r.inputs.ResponseGroup(),
		r.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Apriori),
		r.files.Group(&r.rules),
		r.rules.Flags(flags.Margins, flags.Cost),
		flags.In(flags.IntruderGroup, []flags.Flag{
			{Name: "insider", To: &r.insider, Text: "also what every only contributor of a withheld cell learns"},
			{Name: "coalition", To: &r.members, Default: 1, Range: "[1, ∞)", Text: "with --insider, which it implies: coalitions of up to `m` of them"},
		}),
		lookedAt(&r.rules),
		r.engine.Group(),
		flags.In(flags.PageGroup, []flags.Flag{
			{Name: "published", To: &r.published, Files: flags.FormatExtensions(), Text: "published `file` of the same table, or directory with those of all inputs, which tells what is withheld", Else: "the input's statuses and blanks", More: "It is read with the same flags and tells which withheld cells are sensitive; the input has the true values, and they must agree"},
			{Name: "run", To: &r.run, Files: []string{"json", "jsonl"}, Text: "`file` with the document that suppress --json printed of this table: what is withheld, and how it was chosen", More: "Method, cost, bound, gap, seconds and work are on the page; JSON lines with the document will do"},
			{Name: "attack", To: &r.attack, Files: []string{"json", "jsonl"}, Text: "`file` with the document that attack --json printed of this table", More: "The page has intervals before and after, as a histogram and a list"},
			{Name: "linked", To: &r.linked, Inputs: 2, Text: "the inputs are tables protected together by suppress --linked", More: "One audit of all, sums for the set and for each table, cells of several tables dotted"},
			{Name: "risk", To: &r.risk, Files: []string{"json", "jsonl"}, Beside: []string{"output", "lang", "mask", "quiet"}, Text: "instead of a table: `file` with documents that risk --json printed, in the order of the page"},
			{Name: "cellkey", Rare: true, To: &r.noise, Files: []string{"json", "jsonl"}, Beside: []string{"output", "lang", "quiet"}, Text: "instead of a table: `file` with documents that cellkey --json printed"},
			{Name: "lang", To: &r.lang, From: report.Languages(), Default: "en", Text: "language of the page"},
			{Name: "mask", To: &r.mask, Text: "leave the true values of withheld cells, with --risk the values of records, out of the page", Else: "shown, and the page says that it is for the office", More: "So are sums, costs and levels that follow from them, and checksums of files that tell them"},
		}),
		r.about.group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &r.output, Files: []string{"html", "svg"}, Writes: true, Wanted: true, Text: "write the page to this `file`"},
			flags.Quiet(&r.quiet),
		}),
	)
	flags.Common(cmd, "-o report.html", "--published published.csv", "--below 5", "--width 8", "--lang ja")
	return cmd
}

// checkReport returns an error for flags that conflict for any input.
func (r *reporting) checkReport(fs *pflag.FlagSet, args []string) error {
	switch {
	case len(args) == 0:
		return i18n.New("report: want an input")
	case len(args) > 1 && !r.linked:
		return i18n.Errorf("report: want one input, not %d; --linked makes one page of tables protected together", len(args))
	case r.files.Joins && r.run == "":
		return i18n.New("report: the policy names what is published already; --run FILE, with the document that suppress --json printed, says what came of it")
	case r.attack != "" && len(r.inputs.Responses) > 1:
		return i18n.Errorf("--attack takes one response, not %d", len(r.inputs.Responses))
	case slices.Contains(args, "-"):
		return i18n.New("report: standard input has no checksum that others could compare; give a file")
	}
	return r.check(fs)
}

// write writes the page of the tables in the files, with a part for each response.
func (r *reporting) write(cmd *cobra.Command, paths []string) (cli.Code, error) {
	var pages []*report.Protection
	code := cli.Done
	err := r.inputs.EachResponse(cmd, paths[0], func(response string) error {
		page, c, err := r.page(cmd, paths)
		if page != nil {
			page.Response = response
			pages = append(pages, page)
		}
		code = cli.Worst(code, c)
		return err
	})
	if err != nil || len(pages) < max(1, len(r.inputs.Responses)) { // interrupted
		return code, err
	}
	form := report.Protect
	if strings.EqualFold(filepath.Ext(r.output), ".svg") {
		form = report.Draw
	}
	save := formats.Save
	if r.mask { // the page is to be published
		save = func(path string, write func(io.Writer) error) error {
			return formats.SaveReleased(path, report.Released(pages, r.aside), write)
		}
	}
	if err := save(r.output, func(w io.Writer) error { return form(w, pages...) }); err != nil {
		return 0, err
	}
	return code, nil
}

// page returns the page of the tables in the files, for the response that is being read; nil if it was interrupted.
func (r *reporting) page(cmd *cobra.Command, paths []string) (*report.Protection, cli.Code, error) {
	p := &r.rules.Policy
	page := &report.Protection{
		Lang: r.lang, Mask: r.mask, Version: cli.Version(),
		Below: p.Below, Zeros: p.ZerosSensitive, LPL: p.LPL, UPL: p.UPL, Width: p.Width,
		Strict: p.Strict, Lower: p.Lower, Upper: p.Upper,
		Cost: cmp.Or(r.rules.Flags(flags.Cost)[0].To.(fmt.Stringer).String(), "given"),
	}
	if p.Margins.Kind == "weight" {
		page.MarginWeight = &p.Margins.Weight
	}
	if rules := p.Primary(); !rules.Empty() {
		page.Rules = rules
	}
	if err := r.about.read(&page.About); err != nil {
		return nil, 0, err
	}
	read := r.single
	if r.linked {
		read = r.link
	}
	names, err := read(cmd, paths, page)
	if err != nil {
		return nil, 0, err
	}
	path := paths[0]
	if r.linked {
		path = page.Table.Name
	}
	if err := r.sources(page); err != nil {
		return nil, 0, err
	}
	if err := r.documents(page, names); err != nil {
		return nil, 0, err
	}
	ctx, words := cmd.Context(), cmd.ErrOrStderr()
	opt := &interval.Options{LP: r.engine.LP, Workers: r.engine.Workers, Told: page.Told && !r.unsaid}
	if !r.quiet && render.ShowsProgress(words) {
		opt.Progress = render.NewAuditProgress(words).Show
	}
	all, err := r.audit(cmd, path, page, opt)
	switch {
	case err != nil && ctx.Err() != nil:
		render.Say(words, page.Table, "interrupted, nothing to report")
		return nil, cli.Limit, nil
	case err != nil:
		return nil, 0, i18n.Errorf("%s: %w", path, err)
	}
	of, found, err := explained(ctx, all, r.engine.Workers)
	if err != nil {
		return nil, 0, i18n.Errorf("%s: %w", path, err)
	}
	page.Combinations = map[int][]interval.Combination{}
	for n, k := range of {
		page.Combinations[all.Cells[k].Index] = found[n]
	}
	code := cli.Done
	switch {
	case !page.Audit.Protected || page.Attack.Unsafe():
		code = cli.Verdict
	case page.Attack.Open(), page.Intervals.Told() > 0:
		code = cli.Limit
	}
	if r.insider {
		if page.Insiders, err = r.insiders(ctx, cmd, page.Table, page.Withheld); err != nil {
			return nil, 0, i18n.Errorf("%s: %w", path, err)
		}
		code = cli.Worst(code, codeOf(NewInsiders(page.Table, page.Insiders).Verdict))
	}
	if p := &r.rules.Policy; p.Unions > 0 || p.Groups != nil {
		if page.Unions, err = auditUnions(ctx, words, &r.rules, &r.engine, page.Table, page.Withheld, page.Table, page.Withheld, time.Time{}); err != nil {
			return nil, 0, i18n.Errorf("%s: %w", path, err)
		}
		code = cli.Worst(code, codeOf(unionsFound(page.Table, page.Unions).Verdict))
	}
	return page, code, nil
}

// audit computes the intervals of the page; for a single table whose policy names tables published before, those that
// these leave, too. The report returned may also cover cells of these tables, after those of the page.
func (r *reporting) audit(cmd *cobra.Command, path string, page *report.Protection, opt *interval.Options) (all *interval.Report, err error) {
	ctx, p := cmd.Context(), &r.files.Read
	if !r.files.Joins || r.linked || page.Response != "" {
		page.Audit, err = interval.Audit(ctx, page.Table, page.Withheld, opt)
		return page.Audit, err
	}
	set, err := r.inputs.Released(cmd, &r.rules, p, nil)
	if err != nil {
		return nil, err
	}
	for _, s := range set.Releases {
		if err := s.Table.SetBounds(r.rules.Policy.Lower, r.rules.Policy.Upper); err != nil {
			return nil, err
		}
	}
	j, err := set.Join(&ledger.Release{Table: page.Table, File: path}, ledger.Options{Withheld: page.Withheld, Below: p.Below})
	if err != nil {
		return nil, err
	}
	opt.Cells = slices.DeleteFunc(j.Asked(), func(i int) bool { return i >= j.Present })
	if all, err = interval.Audit(ctx, j.Table, j.Withheld, opt); err != nil {
		return nil, err
	}
	page.Audit, page.Whole, page.Where = all, j.Table, j.Where
	return all, page.Table.Rescale(j.Decimals)
}

// single reads the only table of the page. names are the names that documents about it may use.
func (r *reporting) single(cmd *cobra.Command, paths []string, page *report.Protection) (names []string, err error) {
	path := paths[0]
	in, err := r.inputs.Read(cmd, path, &r.rules)
	if err != nil {
		return nil, err
	}
	r.aside = r.aside || in.LeftAside
	t := in.Table
	r.open(t)
	page.Table, page.File, names = t, filepath.Base(path), []string{t.Name}
	if page.SHA256, err = formats.Digest(path); err != nil {
		return nil, err
	}
	var told []int // the cells that the published file calls sensitive
	published, err := r.publishedOf(paths)
	if err != nil {
		return nil, err
	}
	var pub *publication
	if published != nil {
		if pub, err = r.take(cmd, in, published[0]); err != nil {
			return nil, err
		}
		page.Published, page.PublishedSHA256 = filepath.Base(published[0]), pub.sum
		told, names = pub.told, append(names, pub.name)
	}
	if err := r.withholdRun(page.Table, names); err != nil {
		return nil, err
	}
	if page.Told, err = r.prepare(in, cmd.ErrOrStderr()); err != nil {
		return nil, err
	}
	if err := r.add(t, told, cmd.ErrOrStderr()); err != nil {
		return nil, i18n.Errorf("%s: %w", path, err)
	}
	page.Withheld = WithheldCells(t)
	page.MarginsKept = r.rules.Policy.PublishesMargins(flags.InputOf(in).CrossTab) && !withholdsMargin(t, page.Withheld)
	return names, r.intervals(page, pub)
}

// open treats counts that are published beside several responses as known.
func (r *reporting) open(t *table.Table) {
	if r.inputs.Response != "" {
		protect.OpenCounts(t, r.inputs.Responses)
	}
}

// withholdsMargin reports whether a margin is withheld, as in tables of other offices.
func withholdsMargin(t *table.Table, withheld []bool) bool {
	leaves := t.Leaves()
	for i, out := range withheld {
		if out && t.IsMargin(i, leaves) {
			return true
		}
	}
	return false
}

// publishedOf returns the published file of each input, nil without --published.
func (r *reporting) publishedOf(paths []string) ([]string, error) {
	if r.published == "" {
		return nil, nil
	}
	info, err := os.Stat(r.published)
	switch {
	case err != nil:
		return nil, formats.OSError(r.published, err)
	case !info.IsDir() && len(paths) > 1:
		return nil, i18n.Errorf("--published %s: a file, but %d inputs need the directory with the files that suppress wrote", r.published, len(paths))
	case !info.IsDir():
		return []string{r.published}, nil
	}
	return sets.Each(paths, func(path string) string { return filepath.Join(r.published, filepath.Base(path)) }), nil
}

// sources adds the checksums of the other files that the flags name.
func (r *reporting) sources(page *report.Protection) error {
	o, err := r.inputs.Options(&r.rules)
	if err != nil {
		return err
	}
	add := func(kind, path string) error {
		if path == "" {
			return nil
		}
		sum, err := formats.Digest(path)
		page.Others = append(page.Others, report.Source{Kind: kind, File: filepath.Base(path), SHA256: sum})
		return err
	}
	for _, dim := range slices.Sorted(maps.Keys(o.Hierarchies)) {
		if err := add("hierarchy", o.Hierarchies[dim]); err != nil {
			return err
		}
	}
	for _, s := range []struct{ kind, path string }{{"metadata", r.inputs.Meta}, {"apriori", r.rules.Policy.Apriori}, {"run", r.run}, {"attack", r.attack}} {
		if err := add(s.kind, s.path); err != nil {
			return err
		}
	}
	return nil
}

// add makes cells sensitive that the published file calls sensitive but that no rule marked.
func (r *reporting) add(t *table.Table, told []int, words io.Writer) error {
	more := false
	for _, i := range told {
		more = more || t.Status[i] == table.Withheld
		t.Status[i] = table.Sensitive
	}
	if !more {
		return nil
	}
	p := r.rules.Policy
	levels := protect.Policy{LPL: p.LPL, UPL: p.UPL, Width: p.Width}
	return flags.Flagged(levels.Mark(t, flags.RuleOptions(words)))
}

// publication is what a published file says about a table.
type publication struct {
	name, sum string
	told      []int            // the cells that it calls sensitive
	withheld  []bool           // by cell of the table
	shown     map[int][2]int64 // intervals published in place of marks
}

// take withholds the cells that the published file of the table withholds, read with the same flags. The values that
// the file publishes must be those of the table.
func (r *reporting) take(cmd *cobra.Command, in *formats.Input, published string) (*publication, error) {
	pub, err := r.inputs.Read(cmd, published, &flags.Rules{})
	if err != nil {
		return nil, err
	}
	t, p := in.Table, pub.Table
	q := &publication{name: p.Name, withheld: make([]bool, t.Len()), shown: map[int][2]int64{}}
	if q.sum, err = formats.Digest(published); err != nil {
		return nil, err
	}
	at := cellsByName(t)
	if p.Len() != t.Len() {
		return nil, i18n.Errorf("%s: %d cells, but %s has %d", published, p.Len(), in.File, t.Len())
	}
	out := WithheldCells(p)
	for j := range p.Len() {
		i, ok := at[p.CellName(j)]
		switch {
		case !ok:
			return nil, i18n.Errorf("%s: cell %s: not a cell of %s", published, p.CellName(j), in.File)
		case out[j]:
			q.withheld[i] = true
			if e, ok := r.showsOf(t, p, i, j); ok {
				q.shown[i] = e
			}
			if p.Status[j] == table.Sensitive {
				q.told = append(q.told, i)
			}
			if t.Status[i] != table.Sensitive { // the rules may change that
				t.Status[i] = table.Withheld
			}
		case !out[j] && (t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld):
			return nil, i18n.Errorf("%s: cell %s: published, but its status in %s is %s", published, p.CellName(j), in.File, t.Status[i])
		}
		if a, b := render.Value(t, i), render.Value(p, j); p.Known(j) && t.Known(i) && a != b {
			return nil, i18n.Errorf("%s: cell %s: %s, but %s in %s", published, p.CellName(j), string(b), string(a), in.File)
		}
	}
	return q, nil
}
