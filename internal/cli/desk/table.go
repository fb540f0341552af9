package desk

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// openCall asks for the table in some files, read with flags of suppress.
type openCall struct {
	Files  []string
	Flags  map[string][]string
	Policy protect.Policy // reading depends on its cost column and its bounds
	Job    string         // the name by which stop ends it
}

// A deskTable is a table, or several linked ones, that the page has open. What was read is never changed: whoever
// applies a policy does so to a copy.
type deskTable struct {
	files, paths []string
	given, flags map[string][]string // the options of reading as the page gives them, and with files replaced by their paths

	watch  func(done, total int64) error // reports progress while the table is opened
	speaks *i18n.Language                // the language of remarks made while reading; nil: English

	mu    sync.Mutex
	reads map[string]*deskRead // keyed by the part of a policy on which reading depends
}

// A deskRead holds the files of a table as they were read.
type deskRead struct {
	set  *flags.FileSet
	says []string
}

// A reader reads the files of a table with flags from the page.
type reader struct {
	cmd    *cobra.Command
	inputs flags.Input
	words  bytes.Buffer
}

// speaking is a writer that knows the language of its reader.
type speaking struct {
	io.Writer
	in *i18n.Language
}

// Speaks returns that language.
func (w speaking) Speaks() *i18n.Language { return w.in }

func newReader(given map[string][]string) (*reader, error) {
	r := &reader{cmd: &cobra.Command{Use: "open"}}
	r.cmd.SetErr(&r.words)
	r.inputs.Asks = true
	flags.Declare(r.cmd, r.inputs.Group(), r.inputs.LayoutGroup(), r.inputs.ResponseGroup())
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if name == "save-layout" || r.cmd.Flags().Lookup(name) == nil {
			return nil, i18n.Errorf("--%s is no flag of reading", name)
		}
		for _, text := range given[name] {
			if err := r.cmd.Flags().Set(name, text); err != nil {
				return nil, cmp.Or(flags.ValueError(err, "--"), err)
			}
		}
	}
	return r, nil
}

// says returns the remarks made while reading, as lines.
func (r *reader) says() []string {
	var all []string
	for line := range strings.Lines(r.words.String()) {
		all = append(all, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "hitoku: "))
	}
	return all
}

// read returns the files read as a policy requires.
func (t *deskTable) read(p protect.Policy) (*deskRead, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := strings.Join(append(fieldTexts(p, []string{"lower", "upper"}), p.Cost.Column), "\x00")
	if s := t.reads[key]; s != nil {
		return s, nil
	}
	r, err := newReader(t.flags)
	if err != nil {
		return nil, err
	}
	if t.speaks != nil {
		r.cmd.SetErr(speaking{&r.words, t.speaks})
	}
	r.inputs.Watch = t.watch
	set, err := r.inputs.ReadSet(r.cmd, t.paths, &flags.Rules{Policy: p}, nil)
	if err != nil {
		return nil, err
	}
	s := &deskRead{set, r.says()}
	t.reads[key] = s
	return s, nil
}

// copied returns the files with tables that a policy may change.
func (s *deskRead) copied() *flags.FileSet {
	c := &flags.FileSet{Responses: s.set.Responses}
	for _, inputs := range s.set.Read {
		var all []*formats.Input
		for _, in := range inputs {
			one := *in
			one.Table = in.Table.Clone()
			all = append(all, &one)
		}
		c.Read = append(c.Read, all)
	}
	return c
}

// open reads a table and reports progress. It returns at once if it is stopped; work that cannot be interrupted ends
// later, and its result is dropped.
func (d *desk) open(ctx context.Context, a openCall, emit func(any)) (any, error) {
	ctx, end := d.job(ctx, a.Job)
	defer end()
	type answer struct {
		table any
		err   error
	}
	events, got := make(chan any), make(chan answer, 1)
	next := time.Now().Add(between)
	watch := func(done, total int64) error {
		if now := time.Now(); now.After(next) {
			next = now.Add(between)
			select {
			case events <- document.RunEvent{Reading: &document.Counted{Done: int(done), Total: int(total)}}:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}
	go func() {
		t, err := d.opened(ctx, a, watch)
		got <- answer{t, err}
	}()
	for {
		select {
		case e := <-events:
			emit(e)
		case x := <-got:
			return x.table, x.err
		case <-ctx.Done():
			return nil, errStopped
		}
	}
}

var errStopped = i18n.New("stopped before the file was read")

func (d *desk) opened(ctx context.Context, a openCall, watch func(done, total int64) error) (any, error) {
	t, err := d.tableOf(a.Files, a.Flags)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	fresh := !slices.Contains(d.tables, t)
	d.mu.Unlock()
	if fresh { // no other call has the table yet
		t.watch, t.speaks = watch, page.Language(ctx)
	}
	read, err := t.read(a.Policy)
	if err != nil {
		return nil, d.plain(err)
	}
	if fresh {
		t.watch = nil
	}
	set := read.copied()
	joined, err := protect.Prepare(set.Inputs(), protect.Policy{LevelsAsGiven: true}, nil)
	if err != nil {
		return nil, flags.Flagged(err)
	}
	if ctx.Err() != nil {
		return nil, errStopped
	}
	o := openTable(d.listed(t), set, joined, d.allNamed(slices.Clone(read.says)))
	for _, in := range set.Read[0] {
		for _, x := range layout.AsideOf(in) {
			o.Aside = append(o.Aside, page.Language(ctx).Say(x))
		}
	}
	return o, nil
}

// tableOf returns the table in some files, read with flags: the one already open, if there is one.
func (d *desk) tableOf(files []string, given map[string][]string) (*deskTable, error) {
	t := &deskTable{files: files, given: given, flags: d.resolve(given), reads: map[string]*deskRead{}}
	for _, id := range files {
		f, err := d.file(id)
		if err != nil {
			return nil, err
		}
		t.paths = append(t.paths, f.path)
	}
	if len(t.paths) == 0 {
		return nil, i18n.Errorf("want a file")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, old := range d.tables {
		if slices.Equal(old.paths, t.paths) && maps.EqualFunc(old.flags, t.flags, slices.Equal) {
			return old, nil
		}
	}
	return t, nil
}

// listed returns the name by which the page calls a table that has been read.
func (d *desk) listed(t *deskTable) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := slices.Index(d.tables, t)
	if n < 0 {
		n, d.tables = len(d.tables), append(d.tables, t)
	}
	return "t" + strconv.Itoa(n)
}

// plain makes an error name files of the desk without the folder that they were uploaded to.
func (d *desk) plain(err error) *plainError { return &plainError{d, err} }

type plainError struct {
	d   *desk
	err error
}

func (e *plainError) Error() string { return e.d.named(e.err.Error()) }

func (e *plainError) Unwrap() error { return e.err }

// Told returns the error in a language.
func (e *plainError) Told(l *i18n.Language) string { return e.d.named(l.Say(e.err)) }

// named returns a text with files named without their folder.
func (d *desk) named(text string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.files {
		text = strings.ReplaceAll(text, f.path, f.name)
	}
	return text
}

// allNamed returns texts with files named without their folder.
func (d *desk) allNamed(texts []string) []string {
	for k := range texts {
		texts[k] = d.named(texts[k])
	}
	return texts
}

// shown returns the table whose cells the page numbers: the first layer if there are several responses.
func shown(p *protect.Prepared) *table.Table {
	if p.Responses != nil {
		return p.Tables[0]
	}
	return p.Table
}

func openTable(id string, set *flags.FileSet, p *protect.Prepared, says []string) *document.OpenTable {
	t, first := shown(p), set.Read[0][0]
	o := &document.OpenTable{Dimensions: []document.OpenTree{}, Coord: [][]int32{}, Table: id, Name: t.Name, Cells: t.Len(), Relations: t.Rel.Len(), Responses: p.Responses, Counts: t.Counts, Says: says,
		Has: document.OpenContents{Max: len(t.Max), Costs: first.HasCosts, Levels: first.HasLevels, Statuses: first.HasStatus}}
	for _, in := range set.Read[0] {
		o.Files = append(o.Files, document.OpenFile{Name: in.Table.Name, Format: string(in.Format)})
	}
	for k := range t.Dims {
		x := &t.Dims[k]
		tree := document.OpenTree{Name: x.Name, Codes: x.Codes, Parent: x.Parent, NoTotal: x.NoTotal}
		if x.Labels != nil {
			for _, c := range x.Codes {
				tree.Labels = append(tree.Labels, x.Labels[c])
			}
		}
		o.Dimensions = append(o.Dimensions, tree)
		at := sets.List(t.Len(), func(i int) int32 { return t.Coord[i*len(t.Dims)+k] })
		o.Coord = append(o.Coord, at)
	}
	layers := []*table.Table{t}
	if p.Responses != nil {
		layers = p.Tables
	}
	for _, l := range layers {
		v := make([]document.Exact, l.Len())
		for i := range v {
			v[i] = render.Value(l, i)
			o.Has.Missing = o.Has.Missing || !l.Known(i)
		}
		o.Values = append(o.Values, v)
	}
	if o.Has.Freq = t.Freq != nil && slices.ContainsFunc(t.Freq, func(f int64) bool { return f >= 0 }); o.Has.Freq {
		o.Freq = t.Freq
	}
	if address := formats.Addresses(first); address != nil && len(set.Read[0]) == 1 {
		for i := range t.Len() {
			o.Addresses = append(o.Addresses, address(i))
		}
	}
	return o
}

// markCall asks for the statuses of a table under a policy.
type markCall struct {
	Table  string
	Policy protect.Policy
}

// under returns a table as read under a policy, which must be valid.
func (d *desk) under(table string, p protect.Policy) (*deskTable, *deskRead, error) {
	t, err := d.table(table)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Check(); err != nil {
		return nil, nil, flags.Flagged(err)
	}
	read, err := t.read(p)
	if err != nil {
		return nil, nil, d.plain(err)
	}
	return t, read, nil
}

func (d *desk) mark(ctx context.Context, a markCall) (any, error) {
	t, read, err := d.under(a.Table, a.Policy)
	if err != nil {
		return nil, err
	}
	m := &document.Marking{}
	p, err := protect.Prepare(read.copied().Inputs(), a.Policy, d.options(ctx, t, &m.Says))
	if err != nil {
		return nil, d.plain(flags.Flagged(err))
	}
	m.Says = d.allNamed(m.Says)
	m.Status, m.Reasons = statuses(p)
	m.Sensitive = strings.Count(m.Status, table.Sensitive.String())
	return m, nil
}

// options returns the options of a run of protect, whose remarks are added to says.
func (d *desk) options(ctx context.Context, t *deskTable, says *[]string) *protect.Options {
	var words bytes.Buffer
	o := flags.RuleOptions(&words)
	o.Say = func(r protect.Remark) {
		*says = append(*says, page.Language(ctx).Say(r.Text.Named(func(field string) string { return "--" + field })))
	}
	o.Weights = func(file string) (*table.Table, error) {
		f, err := d.file(file)
		if err != nil {
			return nil, err
		}
		r, err := newReader(t.flags)
		if err != nil {
			return nil, err
		}
		return r.inputs.Older(r.cmd, &flags.Rules{})(f.path)
	}
	return o
}

// statuses returns the letters of all visible cells, and the reasons of the sensitive ones.
func statuses(p *protect.Prepared) (string, map[int]string) {
	t := shown(p)
	letters := make([]byte, t.Len())
	reasons := map[int]string{}
	for i := range letters {
		st := p.Table.Status[i]
		if p.Responses != nil && p.By[i] != "" {
			st = table.Sensitive
			reasons[i] = p.By[i]
		} else if st == table.Sensitive {
			reasons[i] = p.Table.ReasonOf(i).String()
		}
		letters[i] = st.String()[0]
	}
	return string(letters), reasons
}
