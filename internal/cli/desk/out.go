package desk

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/tables"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
)

// outCall asks for a file.
type outCall struct {
	Run     string
	Policy  *protect.Policy // the rules and decisions now on the page; a run made with others is not saved
	What    string          // table, report, drawing, certificate, statuses, result, policy, layout or seed
	Masked  bool            // leave out the values of withheld cells from a report or drawing, so that it may be published
	File    int             // index of a linked table
	Symbol  string          // the mark for withheld values
	Uniform bool
	Lang    string
	About   map[string]string // title, survey, period and author of the report

	Release string                  // a release of records instead of a run
	Rules   *document.ReleasePolicy // the roles and limits now on the page; a release made with others is not saved
}

// repeatCall asks for a command that repeats a run without the page.
type repeatCall struct {
	Table  string
	Policy protect.Policy
	Linked bool
}

// repeat returns the command that does what the page does, and the policy as a file.
func (d *desk) repeat(a repeatCall) (any, error) {
	t, err := d.table(a.Table)
	if err != nil {
		return nil, err
	}
	p := d.public(a.Policy)
	var toml bytes.Buffer
	if err := protect.Write(&toml, "policy.toml", p, protect.Change{}); err != nil {
		return nil, err
	}
	args := []string{"hitoku", "suppress"}
	if len(t.paths) > 1 {
		args = append(args, "--linked")
	}
	args = append(args, flagTexts(t.given)...)
	args = append(args, fieldTexts(p, nil)...)
	if p.Draws() {
		args = append(args, "--seed-file=seed")
	}
	for _, path := range t.paths {
		args = append(args, d.called(path))
	}
	return &document.Repeat{Command: commandOf(args), Policy: toml.String()}, nil
}

// public returns a policy that names files as their owner does.
func (d *desk) public(p protect.Policy) protect.Policy {
	if f, err := d.file(p.Prefer); err == nil {
		p.Prefer = d.called(f.path)
	}
	return p
}

// called returns the name of a file in a command: only the user knows the path of a file that she uploaded.
func (d *desk) called(path string) string {
	if rel, err := filepath.Rel(d.dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.Base(path)
	}
	return path
}

// flagTexts returns flags as arguments.
func flagTexts(given map[string][]string) []string {
	var args []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		for _, v := range given[name] {
			args = append(args, "--"+name+"="+v)
		}
	}
	return args
}

// fieldTexts returns fields of a policy as arguments: those with these names, nil for all.
func fieldTexts(p protect.Policy, names []string) []string {
	var args []string
	for _, field := range p.Fields() {
		if names != nil && !slices.Contains(names, field.Name) {
			continue
		}
		for _, v := range field.Texts() {
			args = append(args, "--"+field.Name+"="+v)
		}
	}
	return args
}

// shellWord matches an argument that needs no quotes in a shell.
var shellWord = lazy.Regexp(`^[-\w=./:,%+@\x{80}-\x{10ffff}]+$`)

// commandOf quotes arguments for a shell.
func commandOf(args []string) string {
	for k, x := range args {
		if !shellWord().MatchString(x) {
			args[k] = "'" + strings.ReplaceAll(x, "'", `'\''`) + "'"
		}
	}
	return strings.Join(args, " ")
}

// out writes a file of a run, or the session.
func (d *desk) out(ctx context.Context, a outCall) (any, error) {
	if a.What == "session" {
		d.session.mu.Lock()
		defer d.session.mu.Unlock()
		text, err := d.text()
		return &page.File{Name: "hitoku.session.json", Type: "application/json", Content: text}, err
	}
	if a.Release != "" {
		f, err := d.releaseFile(&a)
		if err == nil {
			err = d.released(f, a)
		}
		if err != nil {
			return nil, d.plain(err)
		}
		return f, nil
	}
	run, err := d.run(a.Run)
	if err != nil {
		return nil, err
	}
	if a.What != "layout" && a.What != "seed" {
		if err := run.same(&a); err != nil {
			return nil, err
		}
	}
	f, err := d.written(ctx, run, a)
	if err != nil {
		return nil, err
	}
	if err := d.released(f, a); err != nil {
		return nil, err
	}
	return f, nil
}

// same returns an error if rules or decisions were changed since the run.
func (run *deskRun) same(a *outCall) error {
	if a.Policy != nil && !slices.Equal(fieldTexts(*a.Policy, nil), fieldTexts(run.policy, nil)) {
		return i18n.New("rules or decisions were changed since this run, so nothing of it is saved; protect again")
	}
	return nil
}

// released records what is handed out, and fails if it is for publication but lacks a required approval.
func (d *desk) released(f *page.File, a outCall) error {
	line, p := document.SessionLine{What: "saved", Of: f.Name, Says: sumText(f.Content)}, d.approvalOf(a.Run)
	publishes := a.What == "table" || a.What == "release" || a.What == "statement"
	if publishes {
		if p = d.approved(f.Content); p != nil {
			line.By = p.By
		}
	}
	if d.session.strict && p == nil && (publishes || a.Masked) {
		return i18n.New("the file is not approved as it is; a second person approves it first")
	}
	d.note(line)
	return nil
}

// written returns the content of a file of a run.
func (d *desk) written(ctx context.Context, run *deskRun, a outCall) (*page.File, error) {
	sol := run.res.Solution
	if !slices.Contains([]string{"policy", "layout", "seed"}, a.What) && (sol == nil || sol.Pattern == nil && a.What != "certificate") {
		return nil, i18n.New("the run has no pattern")
	}
	name := strings.TrimSuffix(shown(&run.res.Prepared).Name, ".gz")
	var b bytes.Buffer
	var err error
	switch a.What {
	case "table":
		return run.protected(a)
	case "statuses":
		err = tables.WriteStatuses(&b, run.set, run.res)
		return &page.File{Name: name + ".statuses.csv", Type: "text/csv", Content: b.Bytes()}, err
	case "certificate":
		if sol.Certificate == nil {
			return nil, i18n.New("the run has no certificate; ask for one before it begins")
		}
		err = sol.Certificate.Write(&b)
		return &page.File{Name: name + ".certificate.jsonl", Type: "application/jsonl", Content: b.Bytes()}, err
	case "result":
		err = document.Write(&b, &tables.NewSuppressReport(run.res).Suppression)
		return &page.File{Name: name + ".json", Type: "application/json", Content: b.Bytes()}, err
	case "policy":
		err = protect.Write(&b, "policy.toml", d.public(run.policy), protect.Change{})
		return &page.File{Name: name + ".policy.toml", Type: "application/toml", Content: b.Bytes()}, err
	case "layout":
		paths := run.table.flags["layout"]
		if len(paths) == 0 {
			return nil, i18n.New("the table was read without a layout")
		}
		text, err := os.ReadFile(paths[len(paths)-1])
		return &page.File{Name: run.table.given["layout"][len(paths)-1], Type: "application/toml", Content: text}, err
	case "seed":
		text, err := os.ReadFile(d.seedFile())
		return &page.File{Name: "seed", Type: "text/plain", Content: text}, err
	case "report", "drawing":
		if err := run.publishable(); a.Masked && err != nil {
			return nil, err
		}
		name += map[bool]string{true: ".published", false: ".office"}[a.Masked]
		if a.What == "drawing" {
			return d.report(ctx, run, a, name+".svg", "image/svg+xml")
		}
		return d.report(ctx, run, a, name+".html", "text/html")
	}
	return nil, i18n.Errorf("nothing is called %q", a.What)
}

// publishable returns an error if the run protects nothing.
func (run *deskRun) publishable() error {
	if run.res.Verdict != interval.Protected {
		return i18n.New("the pattern does not protect the table, so nothing is written")
	}
	if run.res.Nothing() {
		return i18n.New("no cell is sensitive by a rule or a status, so the table is not protected, and nothing is written")
	}
	return nil
}

// protected returns the protected table in the format of its file.
func (run *deskRun) protected(a outCall) (*page.File, error) {
	if err := run.publishable(); err != nil {
		return nil, err
	}
	files := run.set.Protected(run.res)
	if a.File < 0 || a.File >= len(files) {
		return nil, i18n.New("there is no such file")
	}
	in := files[a.File]
	in.Style.Symbol, in.Intervals = a.Symbol, run.policy.Partial
	in.Uniform = a.Uniform || run.policy.Quantised()
	var b bytes.Buffer
	if err := formats.Write(&b, in, run.res.Patterns[a.File]); err != nil {
		return nil, err
	}
	name := filepath.Base(run.table.paths[a.File])
	ext := filepath.Ext(name)
	if strings.EqualFold(ext, ".gz") {
		name = strings.TrimSuffix(name, ext)
		ext = filepath.Ext(name)
	}
	return &page.File{Name: strings.TrimSuffix(name, ext) + ".protected" + ext, Type: "application/octet-stream", Content: b.Bytes()}, nil
}

// reportFlags are the fields of a policy that hitoku report takes.
var reportFlags = []string{"below", "zeros-sensitive", "rules", "dominance", "p-percent", "pq", "measure", "absolute", "min-freq", "min-respondents", "zero", "manual",
	"apriori", "apriori-separator", "apriori-ignore", "apriori-expand", "lpl", "upl", "width", "strict", "lower", "upper", "cost", "margins"}

// report returns the page about a run, written by hitoku report.
func (d *desk) report(ctx context.Context, run *deskRun, a outCall, name, media string) (*page.File, error) {
	dir, err := os.MkdirTemp(d.dir, "report")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, err := json.Marshal(&tables.NewSuppressReport(run.res).Suppression)
	if err != nil {
		return nil, err
	}
	result, output := filepath.Join(dir, "run.json"), filepath.Join(dir, name)
	if err := os.WriteFile(result, text, 0o600); err != nil {
		return nil, err
	}
	args := []string{"report", "--quiet", "--run=" + result, "--output=" + output}
	if a.Masked {
		args = append(args, "--mask")
	}
	if a.Lang != "" {
		args = append(args, "--lang="+a.Lang)
	}
	for _, field := range slices.Sorted(maps.Keys(a.About)) {
		if v := a.About[field]; v != "" && slices.Contains([]string{"title", "survey", "period", "author", "date"}, field) {
			args = append(args, "--"+field+"="+v)
		}
	}
	if p := d.approvalOf(a.Run); p != nil {
		for _, f := range p.Files {
			args = append(args, "--approval="+i18n.T("%s, prepared by %s, %s, %s, SHA-256 %s", p.By, p.Prepared, p.At, f.Name, f.SHA256).String())
		}
	}
	args = append(args, flagTexts(run.table.flags)...)
	args = append(args, fieldTexts(run.policy, reportFlags)...)
	if len(run.table.paths) > 1 {
		args = append(args, "--linked")
	}
	_, words, err := d.does(ctx, append(args, run.table.paths...))
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(output)
	if err != nil {
		return nil, i18n.New("no report was written: " + words)
	}
	return &page.File{Name: name, Type: media, Content: content}, nil
}

// columnsCall asks for the columns of a file of records.
type columnsCall struct{ File string }

// riskCall asks for a risk measure of a file of records.
type riskCall struct {
	File    string
	Measure string
	Flags   map[string][]string
}

// riskMeasures are the measures that the page may ask for, and the flags that it may give: none that writes a file.
var riskMeasures = map[string][]string{
	"k-anonymity": {"qi", "entity", "missing", "worst", "min-k", "max-risk"},
	"l-diversity": {"qi", "sensitive", "missing", "worst", "min-l", "recursive", "c"},
	"t-closeness": {"qi", "sensitive", "missing", "max-t", "numeric"},
	"uniques":     {"qi", "population", "missing"},
}

// risk runs hitoku risk and returns its document.
func (d *desk) risk(ctx context.Context, a riskCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	allowed, ok := riskMeasures[a.Measure]
	if !ok {
		return nil, i18n.Errorf("nothing measures %q", a.Measure)
	}
	args := []string{"risk", a.Measure, "--json"}
	for _, name := range slices.Sorted(maps.Keys(a.Flags)) {
		if !slices.Contains(allowed, name) {
			return nil, i18n.Errorf("--%s is no flag of %s", name, a.Measure)
		}
	}
	args = append(args, flagTexts(a.Flags)...)
	out, _, err := d.does(ctx, append(args, f.path))
	return json.RawMessage(out), err
}

// does runs a verb, and returns an error if it was used wrongly.
func (d *desk) does(ctx context.Context, args []string) (out []byte, words string, err error) {
	var stdout, stderr bytes.Buffer
	code := d.verb(ctx, args, &stdout, &stderr)
	if words = strings.TrimSpace(stderr.String()); code == int(cli.Usage) {
		return nil, words, d.plain(errors.New(strings.TrimPrefix(words, "hitoku: ")))
	}
	return stdout.Bytes(), words, nil
}

// columns returns the names of the columns of a file of records, and its first lines.
func (d *desk) columns(a columnsCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	c, err := columnsOf(f)
	if err != nil {
		return nil, d.plain(err)
	}
	return c, nil
}

// columnsOf reads the beginning of a text file.
func columnsOf(f *deskFile) (*recordColumns, error) {
	in, err := os.Open(f.path)
	if err != nil {
		return nil, formats.OSError(f.path, err)
	}
	defer in.Close()
	text, err := formats.OpenText(in, f.name)
	if err != nil {
		return nil, err
	}
	head, _ := text.Peek(1 << 16)
	enc, _, err := records.Sniff(head, false, "")
	if err != nil {
		return nil, formats.InFile(f.name, err)
	}
	lines, ok := records.Decode(head[:bytes.LastIndexByte(head, '\n')+1], enc)
	if !ok || lines == "" {
		return nil, i18n.Errorf("%s: want a text file with a header and lines of records", f.name)
	}
	lines = strings.TrimPrefix(lines, "\ufeff")
	first, _, _ := strings.Cut(lines, "\n")
	r := csv.NewReader(strings.NewReader(lines))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = rune(records.Separator(first)), -1, true
	c := &recordColumns{Name: f.name, Rows: [][]string{}}
	if c.Columns, err = r.Read(); err != nil {
		return nil, i18n.Errorf("%s: %w", f.name, err)
	}
	for len(c.Rows) < 20 {
		row, err := r.Read()
		if err != nil {
			break
		}
		c.Rows = append(c.Rows, row)
	}
	return c, nil
}

// recordColumns holds the header and the first lines of a file of records.
type recordColumns struct {
	Name    string     `json:"name"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}
