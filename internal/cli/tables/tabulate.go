package tables

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// tabulation is one run of hitoku tabulate.
type tabulation struct {
	meta      string
	specs     []string
	encoding  string
	separator string
	total     []string
	hierarchy []string
	lead      string
	levels    []string
	missing   []string
	request   []string
	waiver    []string
	waivers   string
	recode    []string
	rules     flags.Rules // only its primary rules are used
	workers   int
	output    string
	decimal   string
	thousands string
	quiet     bool
	json      bool
	same      string // the file of cells with the same records
	responses []int  // the number of responses of each spec
}

func NewTabulate() *cobra.Command {
	t := &tabulation{}
	cmd := &cobra.Command{
		Use:   "tabulate FILE... --table SPEC",
		Short: "Make tables from microdata and mark their sensitive cells",
		Long: `Read records, of fixed width or separated, and make tables of them: totals, numbers
of contributors, their largest contributions, and by the primary rules which cells
are sensitive, why, and how far they are to be protected. Contributors are records, or
holdings where a table names them. All tables are made in one
pass over the files, which together are one set of records. Amounts are exact.

What stands where is said by an .rda file of τ-ARGUS (--meta, or the one called like
the first file) or by the header of a CSV or Parquet file; the latter needs hitoku-duck
(docs/tabulate.md). A table is described by

  dims A,B; response X; shadow Y; cost Z; weight W; holding H; request R;
  waiver V; who; rules P(10,1)|FREQ(3,30); top 3; name T

of which only dims is needed; without response the records are counted, and
response X,Y,... puts several over the same cells into one file. Rules given
by flags hold for the tables without rules of their own. The output is a tidy CSV file
that hitoku suppress reads, with an .hrc file for each hierarchy beside it. It is the
office's: it tells the largest contributions.`,
		Example: `  hitoku tabulate firms.asc --meta firms.rda --table "dims Size,Region; response Turnover" --p-percent 10 -o table.csv
  hitoku tabulate firms.csv --table "dims size,region; response turnover" --table "dims size" --min-freq 3,10 -o tables/`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return t.run(cmd, args) },
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, t.records()),
		t.rules.Flags(flags.Primary),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &t.output, Files: []string{"csv"}, Writes: true, Stdout: true, Text: "write the table to this `file`, or several to NAME.csv in this directory", Else: "standard output", More: "Hierarchies are written beside it as .hrc"},
			{Name: "same", Rare: true, To: &t.same, Files: []string{"txt"}, Writes: true, Needs: []string{"output"}, Text: "write the cells of different tables that have the same records to this `file`, for --relations", More: "See [ledger.md](ledger.md#the-same-records)"},
			{Name: "json", To: &t.json, Needs: []string{"output"}, Why: "the tables would go to standard output too", Text: "print one JSON document a table: cells and sensitive cells by reason"},
			{Name: "quiet", Short: "q", To: &t.quiet, Text: "say nothing about what was read"},
		}),
	)
	flags.Common(cmd, `--table "dims region,size; response turnover"`, "--meta firms.rda", "--p-percent 10", "--min-freq 3,10", "-o table.csv")
	return cmd
}

// records returns the flags about the columns of microdata, and about the tables made from it.
func (t *tabulation) records() []flags.Flag {
	return []flags.Flag{
		{Name: "table", To: &t.specs, Wanted: true, Text: "`SPEC` of a table, see above"},
		{Name: "meta", To: &t.meta, Files: []string{"rda"}, Text: "`file` that says what stands where (.rda)", Else: "the one called like the first file, unless that is .csv; else the header"},
		flags.Encoding(&t.encoding, "the records"),
		{Name: "separator", Rare: true, To: &t.separator, Text: "`character` between the fields of a file with a header, or tab", Else: "of comma, semicolon and tab the most frequent"},
		{Name: "decimal", To: &t.decimal, Text: "`MARK` before the decimals of amounts: . or ,", Else: "found out"},
		{Name: "thousands", To: &t.thousands, Text: "`MARK` between the thousands of amounts: one of , . ' or a blank", Else: "none; amounts like 1,234 that may be either are refused"},
		{Name: "total", To: &t.total, Text: "total `CODE` of every dimension, or DIM=CODE for one", Else: "that of a code,parent hierarchy, else Total"},
		{Name: "hierarchy", To: &t.hierarchy, Text: "`DIM=FILE`: the tree of a dimension, .hrc or CSV code,parent"},
		{Name: "lead", Rare: true, To: &t.lead, Text: "`text` that indents .hrc files of --hierarchy", Else: "@"},
		{Name: "levels", To: &t.levels, Text: "`DIM=2,1,1`: the digits that each level of a hierarchy adds to the codes"},
		{Name: "missing", To: &t.missing, Text: "`VAR=CODE,...`: codes that stand for a missing one; amounts that are missing count as 0", Else: "the metadata's"},
		{Name: "request", To: &t.request, Text: "`VAR=CODE` or VAR=CODE,CODE: the codes by which contributors ask for protection", Else: "the metadata's"},
		{Name: "waiver", Rare: true, To: &t.waiver, Text: "`VAR=CODE,...`: the codes of records whose contributors consented to being told, for tables with waiver VAR", More: "See [unions.md](unions.md#waivers)"},
		{Name: "waivers", To: &t.waivers, Files: []string{"txt", "csv"}, Text: "`file` with a line for each holding that consented to being told: rules that only such contributors fail hit no cell"},
		{Name: "recode", To: &t.recode, Text: "`VAR=FILE.grc`: coarser codes of a dimension, in all tables that have it; VAR=N keeps N levels of its hierarchy"},
		{Name: "workers", Rare: true, To: &t.workers, Text: "parse in `N` goroutines; the result does not depend on it", Else: "one a processor"},
	}
}

func (t *tabulation) run(cmd *cobra.Command, args []string) error {
	if err := t.check(args); err != nil {
		return err
	}
	start := time.Now()
	results, records, err := t.results(cmd, args, nil)
	if err != nil {
		return err
	}
	if err := t.write(cmd, results); err != nil {
		return err
	}
	if !t.quiet {
		cli.Note(cmd.ErrOrStderr(), "%d records in %.1f s", records, time.Since(start).Seconds())
	}
	return nil
}

// results makes the tables of the records, and returns the number of records. adapt, if not nil, completes the
// specification of a table.
func (t *tabulation) results(cmd *cobra.Command, args []string, adapt func(*tabulate.Source, *tabulate.Spec) error) ([]*tabulate.Result, int64, error) {
	source, err := t.source(args[0])
	if err != nil {
		return nil, 0, err
	}
	var specs []tabulate.Spec
	for _, s := range t.specs {
		p, err := source.ParseSpec(s)
		if err != nil {
			return nil, 0, i18n.Errorf("--table: %w", err)
		}
		t.contributors(&p, &source, cmd.ErrOrStderr())
		if adapt != nil {
			if err := adapt(&source, &p); err != nil {
				return nil, 0, err
			}
		}
		of, err := p.Split()
		if err != nil {
			return nil, 0, i18n.Errorf("--table: %w", err)
		}
		specs, t.responses = append(specs, of...), append(t.responses, len(of))
	}
	if err := t.coarsen(specs); err != nil {
		return nil, 0, err
	}
	if t.same != "" {
		specs = append(specs, tabulate.Classes(specs))
	}
	tab, err := tabulate.New(source, specs, t.workers)
	if err != nil {
		return nil, 0, err
	}
	for _, path := range args {
		switch {
		case path == "-":
			err = tab.Read(cmd.Context(), cmd.InOrStdin(), "stdin")
		case flags.IsParquet(path):
			err = flags.ReadParquet(cmd.Context(), path, func(r io.Reader) error { return tab.Read(cmd.Context(), r, path) }, "rows")
		default:
			err = tab.ReadFile(cmd.Context(), path)
		}
		switch {
		case err != nil && cmd.Context().Err() != nil:
			cli.Note(cmd.ErrOrStderr(), "interrupted, nothing is written")
			return nil, 0, cli.Limit
		case err != nil:
			return nil, 0, err
		}
	}
	records, missing, guessed := tab.Seen()
	if records == 0 {
		return nil, 0, i18n.Errorf("%s: no records", strings.Join(args, ", "))
	}
	results, err := tab.Tables()
	if err != nil {
		return nil, 0, err
	}
	if last := len(results) - 1; t.same != "" {
		if err := t.saveSame(cmd, results[last], results[:last]); err != nil {
			return nil, 0, err
		}
		results = results[:last]
	}
	guess := cli.Guessed(cmd.ErrOrStderr())
	for _, name := range slices.Sorted(maps.Keys(guessed)) {
		guess(name, guessed[name])
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		cli.Note(cmd.ErrOrStderr(), "%s: missing in %d records, counted as 0", name, missing[name])
	}
	return results, records, nil
}

func (t *tabulation) check(args []string) error {
	p := t.rules.Policy
	p.Absolute = p.Absolute && flags.Marks(&p) // tables may have absolute rules of their own
	if err := p.Check(); err != nil {
		return flags.Flagged(err)
	}
	switch {
	case flags.CheckSeparator(t.separator) != nil:
		return flags.CheckSeparator(t.separator)
	case flags.Once(args) != nil:
		return flags.Once(args)
	case t.same != "" && len(t.specs) < 2:
		return i18n.Errorf("--same %s: want two tables or more", t.same)
	case len(t.specs) > 1 && t.output == "":
		return i18n.New("several tables need -o DIRECTORY")
	case len(t.specs) == 1 && slices.Contains([]string{".tab", ".rda", ".jj", ".px", ".xlsx", ".ods"}, strings.ToLower(filepath.Ext(t.output))):
		return i18n.Errorf("-o %s: tables of records are tidy CSV; want a name like %s.csv, which hitoku convert reads", t.output, strings.TrimSuffix(t.output, filepath.Ext(t.output)))
	}
	return nil
}

// contributors gives a table its rules. If the table names a holding, rules count holdings. Rules in the notation of
// τ-ARGUS, whose places say what they count, do so if none has a place for holdings.
func (t *tabulation) contributors(p *tabulate.Spec, source *tabulate.Source, words io.Writer) {
	tell := func(format string, args ...any) {
		name := cmp.Or(p.Name, strings.Join(p.Dims, "_"))
		cli.Note(words, "table %s: %s", name, i18n.T(format, args...))
	}
	own := p.Rules
	if own == nil && flags.Marks(&t.rules.Policy) {
		own, p.Rules = t.rules.Policy.Rules, t.rules.Policy.Primary()
		if p.Holding != "" {
			p.Rules = byHolding(&t.rules.Policy)
		}
	} else if own != nil && p.Holding != "" && !own.Holdings() {
		p.Rules = own.ByHolding()
	}
	if p.Rules.Empty() {
		return
	}
	switch {
	case p.Holding != "" && !own.Empty() && !own.Holdings():
		tell("the rules %s count holdings, as the table names %s; beside a rule in a place of holdings they count records", own, p.Holding)
	case p.Holding == "" && !p.Rules.Holdings():
		for _, v := range source.Variables {
			if v.Holding {
				tell("the rules count records; say \"holding\" in the table and they count those of %s", v.Name)
				return
			}
		}
	}
}

// source returns how the records are stored in the files, of which path is the first.
func (t *tabulation) source(path string) (tabulate.Source, error) {
	meta := t.meta
	if meta == "" && !strings.EqualFold(filepath.Ext(path), ".csv") && path != "-" && !flags.IsParquet(path) {
		beside := strings.TrimSuffix(path, filepath.Ext(path)) + ".rda"
		if _, err := os.Stat(beside); err == nil {
			meta = beside
		}
	}
	s := tabulate.Source{Header: true, Encoding: t.encoding}
	if t.separator != "" {
		s.Separator = flags.SeparatorOf(t.separator)
	}
	if flags.IsParquet(path) {
		if meta != "" || t.separator != "" {
			return s, i18n.New("--meta, --separator: Parquet files say themselves what stands where")
		}
		s.Separator, s.Encoding = ',', "utf-8"
	}
	if meta != "" {
		if t.separator != "" {
			return s, i18n.Errorf("--separator: %s says what separates fields", meta)
		}
		m, err := argus.ReadMetadata(meta, argus.Microdata, t.encoding)
		if err != nil {
			return s, err
		}
		if s, err = tabulate.FromMetadata(m, t.encoding); err != nil {
			return s, err
		}
	}
	var err error
	if t.waivers != "" {
		if s.Waivers, err = readWaivers(t.waivers); err != nil {
			return s, err
		}
	}
	if s.Numbers, err = table.ParseNotation(t.decimal, t.thousands); err != nil {
		return s, i18n.Errorf("--decimal, --thousands: %w", err)
	}
	return s, t.describe(&s, meta)
}

// describe adds what flags say about single variables.
func (t *tabulation) describe(s *tabulate.Source, meta string) error {
	find := func(flag, text, want string) (*tabulate.Variable, string, error) {
		name, v, ok := strings.Cut(text, "=")
		if !ok || name == "" || v == "" {
			return nil, "", i18n.Errorf("%s %q: want %s", flag, text, want)
		}
		k := slices.IndexFunc(s.Variables, func(v tabulate.Variable) bool { return strings.EqualFold(v.Name, name) })
		if k < 0 {
			if !s.Header {
				return nil, "", i18n.Errorf("%s %q: %s has no such variable", flag, text, meta)
			}
			s.Variables = append(s.Variables, tabulate.Variable{Name: name})
			k = len(s.Variables) - 1
		}
		return &s.Variables[k], v, nil
	}
	for _, x := range t.missing {
		v, codes, err := find("--missing", x, "VAR=CODE,...")
		if err != nil {
			return err
		}
		v.Missing = append(v.Missing, strings.Split(codes, ",")...)
	}
	for _, x := range t.request {
		v, codes, err := find("--request", x, "VAR=CODE or VAR=CODE,CODE")
		if err != nil {
			return err
		}
		all := strings.Split(codes, ",")
		if len(all) > 2 {
			return i18n.Errorf("--request %q: want one or two codes", x)
		}
		v.Request = [2]string{}
		copy(v.Request[:], all)
	}
	for _, x := range t.waiver {
		v, codes, err := find("--waiver", x, "VAR=CODE,...")
		if err != nil {
			return err
		}
		v.Waiver = append(v.Waiver, strings.Split(codes, ",")...)
	}
	every := ""
	for _, x := range t.total {
		if !strings.Contains(x, "=") {
			every = x
			continue
		}
		v, code, err := find("--total", x, "a code, or DIM=CODE")
		if err != nil {
			return err
		}
		v.Total = code
	}
	for _, x := range t.hierarchy {
		v, file, err := find("--hierarchy", x, "DIM=FILE")
		if err != nil {
			return err
		}
		total := cmp.Or(v.Total, every)
		tree, err := formats.ReadHierarchy(file, v.Name, total, t.lead, "")
		if err != nil {
			return err
		}
		v.Tree, v.Levels = &tree, nil
	}
	for _, x := range t.levels {
		v, digits, err := find("--levels", x, "DIM=2,1,1")
		if err != nil {
			return err
		}
		if v.Tree != nil {
			return i18n.Errorf("--levels %q: the hierarchy of %s is given", x, v.Name)
		}
		v.Levels = nil
		for _, d := range strings.Split(digits, ",") {
			n, err := strconv.Atoi(d)
			if err != nil || n < 0 || n > 100 {
				return i18n.Errorf("--levels %q: want numbers of digits, like 2,1,1", x)
			}
			v.Levels = append(v.Levels, n)
		}
	}
	s.Total = every
	return nil
}

// readWaivers reads the holdings that consented to disclosure, one per line.
func readWaivers(file string) (map[string]bool, error) {
	text, err := budget.ReadFile(file, budget.Whole)
	if err != nil {
		return nil, formats.OSError(file, err)
	}
	all := map[string]bool{}
	for n, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		name := strings.TrimSpace(line)
		if !utf8.ValidString(name) {
			return nil, &formats.Error{File: file, Line: n + 1, Value: fmt.Sprintf("%q", name), Want: i18n.T("want UTF-8")}
		}
		if name != "" {
			all[name] = true
		}
	}
	return all, nil
}

// coarsen adds the recodings to the tables that have their dimensions.
func (t *tabulation) coarsen(specs []tabulate.Spec) error {
	for _, x := range t.recode {
		name, by, ok := strings.Cut(x, "=")
		if !ok || name == "" || by == "" {
			return i18n.Errorf("--recode %q: want VAR=FILE.grc or VAR=LEVELS", x)
		}
		r, err := tabulate.ReadRecoding(by, t.encoding)
		if err != nil {
			return i18n.Errorf("--recode %w", err)
		}
		used := false
		for n := range specs {
			p := &specs[n]
			if !slices.ContainsFunc(p.Dims, func(d string) bool { return strings.EqualFold(d, name) }) {
				continue
			}
			if p.Recode == nil {
				p.Recode = map[string]tabulate.Recoding{}
			}
			key := strings.ToLower(name)
			if _, twice := p.Recode[key]; twice {
				return i18n.Errorf("--recode %q: %s is recoded already", x, name)
			}
			p.Recode[key], used = r, true
		}
		if !used {
			return i18n.Errorf("--recode %q: no table has the dimension %s", x, name)
		}
	}
	return nil
}

// write writes the tables, those of one spec into one file.
func (t *tabulation) write(cmd *cobra.Command, results []*tabulate.Result) error {
	if t.output == "" {
		_, err := tabulate.WriteCSV(render.FileOn(cmd.OutOrStdout()), results...)
		return err
	}
	info, err := os.Stat(t.output)
	dir := err == nil && info.IsDir() || len(t.specs) > 1 || os.IsPathSeparator(t.output[len(t.output)-1])
	switch {
	case !dir:
	case err == nil && !info.IsDir():
		return i18n.Errorf("-o %s: a file, but several tables need a directory", t.output)
	default:
		if err := os.MkdirAll(t.output, 0o700); err != nil {
			return i18n.Errorf("-o: %w", err)
		}
	}
	refuse := refuser(cmd, t.output)
	for _, n := range t.responses {
		of := results[:n]
		results = results[n:]
		path, name := t.output, of[0].Spec.Name
		if n > 1 {
			name = strings.TrimSuffix(name, "."+of[0].Spec.Response)
		}
		if dir {
			if strings.ContainsAny(name, `/\`) {
				return i18n.Errorf("table %s: its name cannot be that of a file", name)
			}
			path = filepath.Join(t.output, name+".csv")
		}
		if err := refuse(path); err != nil {
			return err
		}
		var sums []tabulate.Summary
		err := formats.Save(path, func(w io.Writer) (err error) {
			sums, err = tabulate.WriteCSV(w, of...)
			return err
		})
		if err != nil {
			return err
		}
		trees, err := writeTrees(path, of[0].Dims, refuse)
		if err != nil {
			return err
		}
		for k, sum := range sums {
			report := &tabulateReport{Tabulation: document.Tabulation{Table: of[k].Spec.Name, File: path, Cells: sum.Cells}}
			for _, reason := range []table.Reason{table.ByDominance, table.ByPercent, table.ByMeasure, table.ByRequest, table.ByFrequency, table.ByZero, table.ByManual} {
				report.add(reason, sum.By[reason])
			}
			if n > 1 {
				report.response = of[k].Spec.Response
			}
			if k == n-1 || t.json {
				report.Hierarchies = trees
			}
			if t.json {
				err = document.Write(cmd.OutOrStdout(), report)
			} else {
				err = report.print(cmd.OutOrStdout())
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// refuser returns a function that returns an error for a file of tables of microdata that would overwrite an input or
// something else that this run writes; output is the file or the folder.
func refuser(cmd *cobra.Command, output string) func(path string) error {
	inputs, outputs := flags.Inputs(cmd, flags.BesideRecords), flags.Outputs(cmd)
	return func(path string) error {
		if in, is := inputs.Find(path); is {
			return i18n.Errorf("-o %s: %s would overwrite the input %s", output, path, in)
		}
		if _, is := outputs.Add(path); is && path != output {
			return i18n.Errorf("-o %s: %s would overwrite another file of this run", output, path)
		}
		return nil
	}
}

// writeTrees writes the hierarchies of a table beside it as .hrc files and returns them by dimension. A reader of the
// table needs them, because codes by digits and missing codes are in no other file.
func writeTrees(path string, dims []table.Dimension, refuse func(path string) error) (map[string]string, error) {
	files := map[string]string{}
	for k := range dims {
		d := &dims[k]
		if d.Flat() {
			continue
		}
		file := formats.TreeFile(path, d.Name)
		if err := refuse(file); err != nil {
			return nil, err
		}
		if err := formats.SaveTree(path, d, formats.Dialect{}); err != nil {
			return nil, err
		}
		files[d.Name] = file
	}
	return files, nil
}

// tabulateReport describes one table that was made.
type tabulateReport struct {
	document.Tabulation
	words    []any
	response string // the response, if there are several
}

func (r *tabulateReport) add(reason table.Reason, n int) {
	if r.By == nil {
		r.By = map[string]int{}
	}
	if n > 0 {
		r.By[reason.String()] = n
		r.Sensitive += n
		r.words = append(r.words, i18n.T("%d by %s", n, i18n.Term(reason.String())))
	}
}

func (r *tabulateReport) print(w io.Writer) error {
	line := i18n.T("%s: %d cells with contributors, %d sensitive", r.File, r.Cells, r.Sensitive)
	if len(r.words) > 0 {
		line = line.Plus(" (%s)", i18n.List{Items: r.words})
	}
	if r.response != "" {
		line = line.Plus(" by %s", r.response)
	}
	if err := render.Tell(w, "%s\n", line); err != nil {
		return err
	}
	for _, dim := range slices.Sorted(maps.Keys(r.Hierarchies)) {
		if err := render.Tell(w, "  read it with --hierarchy %s=%s\n", dim, r.Hierarchies[dim]); err != nil {
			return err
		}
	}
	return nil
}

// byHolding returns the primary rules of a policy for a table that names holdings: rules of single fields count
// holdings, and so do those of Rules unless its places say which count what.
func byHolding(p *protect.Policy) *table.Rules {
	r := p.Primary().ByHolding()
	if w := p.Rules; w != nil && w.Holdings() {
		copy(r.Dominance, w.Dominance)
		copy(r.PQ, w.PQ)
		copy(r.Request, w.Request)
		copy(r.MinFreq, w.MinFreq)
	}
	return r
}
