// Package desk is hitoku open: the engine behind the page in the browser, which answers its calls with what the verbs
// for tables do, and the server on this machine.
package desk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/protect"
)

// NewOpen returns hitoku open. verb runs another verb of the command, as a shell would.
func NewOpen(verb Verb) *cobra.Command {
	var address string
	var stay, show bool
	var kept keeping
	cmd := &cobra.Command{
		Use:   "open [FILE...|SESSION]",
		Short: "See a table, decide, protect and publish it on a page of the browser",
		Long: `Start a server for this machine and user alone, and open the browser on its page: tables in
colours, rules that mark cells at once, runs with bound and cost as a curve, why a cell is
withheld, what an intruder learns, and all that is written. Files are chosen there, or named here.

Nothing leaves the machine and nothing is loaded from elsewhere. The server ends with the page,
or on Ctrl-C. What was decided can be saved as a policy, with the command that repeats it.

What is open, decided and found is kept in a session, a file that only the user can read and
that is opened again like a table.`,
		Example: `  hitoku open
  hitoku open testdata/establishments.xlsx`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return open(cmd, args, address, stay, show, kept, verb)
		},
	}
	flags.Declare(cmd, flags.In(flags.OutputGroup, []flags.Flag{
		{Name: "port", To: &address, Text: "`NUMBER` of the port of the server", Else: "one that is free"},
		{Name: "stay", To: &stay, Text: "serve on when the page has gone"},
		{Name: "session", To: &kept.path, Files: []string{"json"}, Writes: true, Text: "`file` in which the session is kept; none: nowhere", Else: "one in the user's state folder, named after the table"},
		{Name: "policies", To: &kept.policies, Text: "`folder` of policies (.toml) that the page offers beside the usual rules"},
		{Name: "approval", To: &kept.strict, Text: "hand out nothing for publication before a second person has approved it"},
		{Name: "no-browser", To: &show, Text: "print the address of the page instead of opening it; who knows it can use the server"},
	}))
	return cmd
}

// A Verb runs one command line within the program, writes what it prints to the writers and returns its exit code.
type Verb func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// A desk holds the files, tables and runs that the page has open.
type desk struct {
	dir  string   // a folder that only the user can read, for uploads and files that verbs read
	held *os.File // a file in dir, locked as long as dir is in use
	verb Verb

	mu       sync.Mutex
	files    []*deskFile
	tables   []*deskTable
	runs     []*deskRun
	releases []*deskRelease // nil where a later release has replaced one
	session  session
	presets  []document.Preset
	jobs     map[string]context.CancelFunc // keyed by the name that the page gives
	stopped  map[string]bool               // jobs that were stopped before they began
}

// A deskFile is a file of the user's. A file of a session has no path until it is found unchanged.
type deskFile struct {
	name, path string
	sum        string // SHA-256; "" until a table or a session asks for it
}

// New returns the engine of a page, and a function that ends it.
func New(verb Verb) (page.Engine, func(), error) {
	d, err := newDesk(verb)
	if err != nil {
		return nil, nil, err
	}
	return d, d.close, nil
}

func newDesk(verb Verb) (*desk, error) {
	dir, held, err := openFolder()
	if err != nil {
		return nil, err
	}
	return &desk{dir: dir, held: held, verb: verb, jobs: map[string]context.CancelFunc{}, stopped: map[string]bool{}}, nil
}

func (d *desk) close() {
	d.held.Close()
	os.RemoveAll(d.dir)
}

// place adds a file that exists to the desk.
func (d *desk) place(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", i18n.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() {
		return "", i18n.Errorf("%s: want a file", path)
	}
	return d.add(&deskFile{name: filepath.Base(path), path: path}), nil
}

func (d *desk) add(f *deskFile) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files = append(d.files, f)
	return "f" + strconv.Itoa(len(d.files)-1)
}

// Upload keeps a file where only the user can read it. Files of different names are put into one folder, so that a tree
// is found beside its table.
func (d *desk) Upload(name string, content io.Reader) (string, error) {
	name = filepath.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" || name == ".." {
		return "", i18n.New("want the name of a file")
	}
	var f *os.File
	for n := 0; ; n++ {
		dir := filepath.Join(d.dir, "files"+strconv.Itoa(n))
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		var err error
		f, err = os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", i18n.Errorf("%s: %w", name, errors.Unwrap(err))
		}
	}
	_, err := io.Copy(f, content)
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return d.came(&deskFile{name: name, path: f.Name()})
}

// fileFlags are flags of reading whose values name files.
var fileFlags = []string{"hierarchy", "layout", "meta"}

// resolve replaces the names of desk files in the values of flags by their paths; of equal names the last counts.
func (d *desk) resolve(given map[string][]string) map[string][]string {
	paths := map[string]string{}
	d.mu.Lock()
	for _, f := range d.files {
		paths[f.name] = f.path
	}
	d.mu.Unlock()
	all := maps.Clone(given)
	for _, name := range fileFlags {
		values := slices.Clone(given[name])
		for k, v := range values {
			lead, file := "", v
			if dim, f, ok := strings.Cut(v, "="); ok && name == "hierarchy" {
				lead, file = dim+"=", f
			}
			if path, ok := paths[file]; ok {
				values[k] = lead + path
			}
		}
		if len(values) > 0 {
			all[name] = values
		}
	}
	return all
}

// at returns the element of a list that the page calls by a letter and its place.
func at[T any](d *desk, list *[]*T, letter, id string) (*T, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := strconv.Atoi(strings.TrimPrefix(id, letter))
	if err != nil || !strings.HasPrefix(id, letter) || n < 0 || n >= len(*list) || (*list)[n] == nil {
		return nil, i18n.Errorf("%q is not open any more; load the page again", id)
	}
	return (*list)[n], nil
}

func (d *desk) table(id string) (*deskTable, error) { return at(d, &d.tables, "t", id) }

func (d *desk) file(id string) (*deskFile, error) {
	f, err := at(d, &d.files, "f", id)
	if err == nil && f.path == "" {
		return nil, i18n.Errorf("%s: not there as it was; drop the file of then on the page", f.name)
	}
	return f, err
}

// run returns a run; one of a session is restored when it is first asked for.
func (d *desk) run(id string) (*deskRun, error) {
	run, err := at(d, &d.runs, "r", id)
	if err != nil {
		return nil, err
	}
	return run, run.ready()
}

// job makes a context that the page can end by the call stop, even if that call comes first.
func (d *desk) job(ctx context.Context, name string) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if name != "" {
		d.jobs[name] = end
		if d.stopped[name] {
			delete(d.stopped, name)
			end()
		}
	}
	return ctx, func() {
		end()
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.jobs, name)
	}
}

// stop ends a job. A job that is not known either has not begun yet, because calls made at once may be answered in any
// order, or has ended, which does no harm: a page never reuses a name.
func (d *desk) stop(a struct{ Job string }) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if end := d.jobs[a.Job]; end != nil {
		end()
	} else {
		d.stopped[a.Job] = true
	}
	return struct{}{}, nil
}

// Call answers the page.
func (d *desk) Call(ctx context.Context, name string, body []byte, emit func(any)) (any, error) {
	do := map[string]func([]byte) (any, error){
		"start":     func([]byte) (any, error) { return d.start() },
		"session":   func([]byte) (any, error) { return d.state(), nil },
		"resume":    func([]byte) (any, error) { return d.resume() },
		"keep":      asked(d.keep),
		"dropped":   asked(d.dropped),
		"stop":      asked(d.stop),
		"fields":    asked(d.fields),
		"correct":   asked(d.correct),
		"sample":    asked(d.sample),
		"remedies":  asked(d.remedies),
		"repeat":    asked(d.repeat),
		"columns":   asked(d.columns),
		"approve":   during(ctx, d.approve),
		"sheet":     during(ctx, d.sheet),
		"mark":      during(ctx, d.mark),
		"cell":      during(ctx, d.cell),
		"why":       during(ctx, d.why),
		"out":       during(ctx, d.out),
		"propose":   during(ctx, d.propose),
		"risk":      during(ctx, d.risk),
		"open":      telling(ctx, emit, d.open),
		"run":       telling(ctx, emit, d.protect),
		"published": telling(ctx, emit, d.published),
		"audit":     telling(ctx, emit, d.ofRun(d.audit)),
		"attack":    telling(ctx, emit, d.ofRun(d.attack)),
		"insiders":  telling(ctx, emit, d.ofRun(d.insiders)),
		"release":   telling(ctx, emit, d.makeRelease),
	}[name]
	if do == nil {
		return nil, page.ErrNoCall
	}
	return do(body)
}

// asked handles a call by do; during also passes a context, and telling also a function that reports progress.
func asked[A any](do func(A) (any, error)) func(body []byte) (any, error) {
	return func(body []byte) (any, error) {
		var a A
		var field *protect.FieldError
		switch err := json.Unmarshal(body, &a); {
		case errors.As(err, &field):
			return nil, flags.Flagged(field)
		case err != nil:
			return nil, i18n.Errorf("a call of the page is not understood: %w", err)
		}
		return do(a)
	}
}

func during[A any](ctx context.Context, do func(context.Context, A) (any, error)) func(body []byte) (any, error) {
	return asked(func(a A) (any, error) { return do(ctx, a) })
}

func telling[A any](ctx context.Context, emit func(any), do func(context.Context, A, func(any)) (any, error)) func(body []byte) (any, error) {
	return asked(func(a A) (any, error) { return do(ctx, a, emit) })
}

// A deskStart is what the page needs at its start.
type deskStart struct {
	Version string         `json:"version"`
	Files   []startingFile `json:"files"`
	// Policy lists the fields of a policy.
	Policy  []document.PolicyField `json:"policy"`
	Session *document.SessionState `json:"session"`
	Presets []document.Preset      `json:"presets"` // policies of the office
}

type startingFile struct {
	File string `json:"file"`
	Name string `json:"name"`
}

func (d *desk) start() (*deskStart, error) {
	form, err := formOf(new(protect.Policy).Fields())
	if err != nil {
		return nil, err
	}
	s := &deskStart{Version: cli.Version(), Files: []startingFile{}, Policy: form, Session: d.state(), Presets: d.presets}
	d.mu.Lock()
	defer d.mu.Unlock()
	for n, f := range d.files {
		s.Files = append(s.Files, startingFile{"f" + strconv.Itoa(n), f.name})
	}
	return s, nil
}
