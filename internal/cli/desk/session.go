package desk

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// keeping says where a session is kept.
type keeping struct {
	path   string // a file, "" for one in the state folder, none
	strict bool   // nothing is published without approval

	policies string // a folder of policies, ""
}

// A session is what is kept of a desk: files by name and hash, what the page says it has open and decided, runs, approval, and what was done.
type session struct {
	mu       sync.Mutex
	path     string // "": nowhere
	folder   string // in which it gets a file once a table is open; ""
	strict   bool
	revision int
	page     json.RawMessage
	approval *document.Approval
	log      []document.SessionLine
	earlier  string // the file of a session of the same table
}

// begin takes the files of a command line: tables and what goes with them, or a session.
func (d *desk) begin(args []string, kept keeping) error {
	d.session.strict = kept.strict
	var err error
	if d.presets, err = presetsIn(kept.policies); err != nil {
		return err
	}
	if len(args) == 1 && isSession(args[0]) {
		if kept.path != "" {
			return i18n.Errorf("--session: %s is one", args[0])
		}
		return d.load(args[0])
	}
	for _, path := range args {
		if _, err := d.place(path); err != nil {
			return err
		}
	}
	switch kept.path {
	case "none":
	case "":
		d.session.folder = stateFolder()
	default:
		if _, err := os.Stat(kept.path); err == nil {
			return i18n.Errorf("--session %s: there is such a file; hitoku open %s goes on with it", kept.path, kept.path)
		}
		d.session.path = kept.path
	}
	return nil
}

// stateFolder is where programs of the user keep what they know between runs, "" if there is no such place.
func stateFolder() string {
	base := os.Getenv("XDG_STATE_HOME")
	if base == "" {
		switch runtime.GOOS {
		case "windows", "darwin":
			base, _ = os.UserConfigDir()
		case "js":
		default:
			if home, err := os.UserHomeDir(); err == nil {
				base = filepath.Join(home, ".local", "state")
			}
		}
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "hitoku", "sessions")
}

// isSession reports whether a file is a session.
func isSession(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head)
	return bytes.HasPrefix(bytes.TrimSpace(head[:n]), []byte(`{"schema":"hitoku/session/`))
}

// load goes on with a session. What the desk had open before is closed.
func (d *desk) load(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return formats.OSError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(budget.Reader(f, budget.Whole))
	if err != nil {
		return i18n.Errorf("%s: %w", path, err)
	}
	var s document.Session
	if err := document.Read(text, &s); err != nil {
		return i18n.Errorf("%s: %w", path, err)
	}
	var files []*deskFile
	for _, x := range s.Files {
		one, err := d.found(x, filepath.Dir(path))
		if err != nil {
			return err
		}
		files = append(files, one)
	}
	var runs []*deskRun
	for k := range s.Runs {
		run, err := d.recalled(&s.Runs[k])
		if err != nil {
			return i18n.Errorf("%s: %w", path, err)
		}
		runs = append(runs, run)
	}
	d.mu.Lock()
	d.files, d.tables, d.runs = files, nil, runs
	d.mu.Unlock()
	o := &d.session
	o.mu.Lock()
	defer o.mu.Unlock()
	o.path, o.folder, o.earlier = path, "", ""
	o.page, o.approval, o.log = s.Page, s.Approval, s.Log
	o.revision++
	return nil
}

// found is a file of a session: as it lay, or of that name beside the session; without a path where neither is what it was.
func (d *desk) found(x document.SessionFile, beside string) (*deskFile, error) {
	f := &deskFile{name: x.Name, sum: x.SHA256}
	if filepath.Base(x.Name) != x.Name {
		return nil, i18n.Errorf("%q: want the name of a file", x.Name)
	}
	if x.Text != "" {
		dir, err := os.MkdirTemp(d.dir, "layout")
		if err != nil {
			return nil, err
		}
		f.path = filepath.Join(dir, x.Name)
		return f, os.WriteFile(f.path, []byte(x.Text), 0o600)
	}
	for _, path := range []string{x.Path, filepath.Join(beside, x.Name)} {
		if path == "" {
			continue
		}
		if sum, err := formats.Digest(path); err == nil && sum == x.SHA256 {
			f.path = path
			break
		}
	}
	return f, nil
}

// recalled is a run of a session, which is audited anew when something is asked of it.
func (d *desk) recalled(x *document.SessionRun) (*deskRun, error) {
	run := &deskRun{told: &x.RunResult, table: &deskTable{files: x.Tables, given: x.Flags}}
	if err := json.Unmarshal(x.Policy, &run.policy); err != nil {
		return nil, err
	}
	run.ready = sync.OnceValue(func() error { return d.again(run, x) })
	return run, nil
}

// came takes an upload: a file that a session lacks, or another.
func (d *desk) came(f *deskFile) (string, error) {
	sum, err := formats.Digest(f.path)
	if err != nil {
		return "", err
	}
	f.sum = sum
	d.mu.Lock()
	k := slices.IndexFunc(d.files, func(x *deskFile) bool { return x.path == "" && x.sum == sum })
	if k >= 0 {
		d.files[k] = f
	}
	d.mu.Unlock()
	if k >= 0 {
		return "f" + strconv.Itoa(k), nil
	}
	return d.add(f), nil
}

// state is the session as a page goes on from it.
func (d *desk) state() *document.SessionState {
	o := &d.session
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.brief()
	s.Page, s.Runs = o.page, d.runsKept()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.files {
		if f.path == "" {
			s.Missing = append(s.Missing, document.SessionFile{Name: f.name, SHA256: f.sum})
		}
	}
	return s
}

// runsKept are all runs as a session has them.
func (d *desk) runsKept() []document.SessionRun {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := []document.SessionRun{}
	for _, run := range d.runs {
		policy, err := json.Marshal(run.policy)
		if err != nil {
			policy = []byte("{}") // of fields that are all written
		}
		all = append(all, document.SessionRun{RunResult: *run.told, Policy: policy, Tables: run.table.files, Flags: run.table.given})
	}
	return all
}

// keepCall is what a page says it has open and decided. Known is the revision that it goes on from.
type keepCall struct {
	Page  json.RawMessage
	Known int
	Lines []document.SessionLine // decisions
}

// keep takes what a page says; one that has missed what another page said is told that instead.
func (d *desk) keep(a keepCall) (any, error) {
	o := &d.session
	o.mu.Lock()
	if a.Known != o.revision {
		o.mu.Unlock()
		return d.state(), nil
	}
	o.page = a.Page
	o.revision++
	for _, x := range a.Lines {
		x.At = now()
		o.log = append(o.log, x)
	}
	err := d.write()
	s := o.brief()
	o.mu.Unlock()
	return s, err
}

// brief is the session without what the page said itself. It must be locked.
func (o *session) brief() *document.SessionState {
	s := &document.SessionState{Revision: o.revision, Path: o.path, Approval: o.approval, Strict: o.strict, Log: slices.Clone(o.log)}
	if o.earlier != "" {
		if info, err := os.Stat(o.earlier); err == nil {
			s.Earlier = info.ModTime().Format(time.RFC3339)
		}
	}
	return s
}

// now is the time as sessions have it.
func now() string { return time.Now().Format(time.RFC3339) }

// note adds to what was done.
func (d *desk) note(x document.SessionLine) {
	o := &d.session
	o.mu.Lock()
	defer o.mu.Unlock()
	x.At = now()
	o.log = append(o.log, x)
	d.write() // the page keeps the session next, and is told then
}

// write writes the file of the session. The session must be locked.
func (d *desk) write() error {
	o := &d.session
	if o.path == "" && o.folder != "" {
		if err := d.settle(); err != nil {
			return err
		}
	}
	if o.path == "" {
		return nil
	}
	text, err := d.text()
	if err != nil {
		return err
	}
	return formats.Save(o.path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// text is the session as its file has it. The session must be locked.
func (d *desk) text() ([]byte, error) {
	o := &d.session
	s := &document.Session{Version: cli.Version(), Saved: now(), Files: []document.SessionFile{}, Page: o.page, Runs: d.runsKept(), Approval: o.approval, Log: o.log}
	d.mu.Lock()
	files := slices.Clone(d.files)
	d.mu.Unlock()
	for _, f := range files {
		x := document.SessionFile{Name: f.name}
		sum, err := d.sumOf(f)
		if err != nil {
			return nil, err
		}
		x.SHA256 = sum
		switch rel, err := filepath.Rel(d.dir, f.path); {
		case f.path == "":
		case err != nil || strings.HasPrefix(rel, ".."):
			if x.Path, err = filepath.Abs(f.path); err != nil {
				return nil, err
			}
		case strings.HasSuffix(f.name, ".layout.toml"):
			made, err := os.ReadFile(f.path)
			if err != nil {
				return nil, err
			}
			x.Text = string(made)
		}
		s.Files = append(s.Files, x)
	}
	var b bytes.Buffer
	err := document.Write(&b, s)
	return b.Bytes(), err
}

// sumOf is the hash of a file.
func (d *desk) sumOf(f *deskFile) (string, error) {
	d.mu.Lock()
	sum := f.sum
	d.mu.Unlock()
	if sum != "" {
		return sum, nil
	}
	sum, err := formats.Digest(f.path)
	d.mu.Lock()
	f.sum = sum
	d.mu.Unlock()
	return sum, err
}

// settle finds the file of a session in the state folder, named after the table and its hash, and another where there is one of the same table.
func (d *desk) settle() error {
	o := &d.session
	var p struct{ Tables []string }
	if json.Unmarshal(o.page, &p) != nil || len(p.Tables) == 0 {
		return nil
	}
	f, err := d.file(p.Tables[0])
	if err != nil {
		return nil
	}
	sum, err := d.sumOf(f)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.folder, 0o700); err != nil {
		return i18n.Errorf("the session is not kept: %w", err)
	}
	stem := filepath.Join(o.folder, strings.TrimSuffix(f.name, filepath.Ext(f.name))+"-"+sum[:8])
	o.path = stem + ".session.json"
	for n := 2; ; n++ {
		if _, err := os.Stat(o.path); err != nil {
			return nil
		}
		o.earlier = o.path
		o.path = stem + "-" + strconv.Itoa(n) + ".session.json"
	}
}

// resume goes on with the session of the same table that was left before.
func (d *desk) resume() (any, error) {
	d.session.mu.Lock()
	path, mine := d.session.earlier, d.session.path
	d.session.mu.Unlock()
	if path == "" {
		return nil, i18n.New("there is no earlier session of this table")
	}
	if err := d.load(path); err != nil {
		return nil, err
	}
	if mine != "" {
		os.Remove(mine) // begun for nothing
	}
	return d.state(), nil
}

// droppedCall asks what a file is that was given to the page.
type droppedCall struct{ File string }

// dropped tells policies, layouts and sessions from tables, and goes on with a session.
func (d *desk) dropped(a droppedCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	if isSession(f.path) {
		if err := d.load(f.path); err != nil {
			return nil, d.plain(err)
		}
		return &document.Dropped{Kind: "session"}, nil
	}
	if !strings.EqualFold(filepath.Ext(f.name), ".toml") {
		return &document.Dropped{Kind: "table"}, nil
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, formats.OSError(f.path, err)
	}
	if _, err := layout.ReadSaved(bytes.NewReader(text)); err == nil {
		return &document.Dropped{Kind: "layout"}, nil
	}
	p, _, err := protect.Read(bytes.NewReader(text), f.name)
	if err != nil {
		return nil, d.plain(err)
	}
	policy, err := json.Marshal(p)
	return &document.Dropped{Kind: "policy", Policy: policy}, err
}

// approveCall approves what a run would publish.
type approveCall struct {
	outCall
	Prepared, By string
}

// approve records who has approved the protected files, by their hashes.
func (d *desk) approve(a approveCall) (any, error) {
	run, err := d.run(a.Run)
	if err == nil {
		err = run.same(&a.outCall)
	}
	if err != nil {
		return nil, err
	}
	prepared, by := strings.TrimSpace(a.Prepared), strings.TrimSpace(a.By)
	switch {
	case prepared == "" || by == "":
		return nil, i18n.New("want the names of who prepared and of who approves")
	case strings.EqualFold(prepared, by):
		return nil, i18n.New("somebody else approves than who prepared")
	}
	p := &document.Approval{Run: a.Run, Prepared: prepared, By: by, At: now(), Files: []document.ApprovedFile{}}
	for k := range run.table.paths {
		a.File = k
		f, err := run.protected(a.outCall)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, document.ApprovedFile{Name: f.Name, SHA256: sumText(f.Content)})
	}
	d.session.mu.Lock()
	d.session.approval = p
	d.session.mu.Unlock()
	for _, f := range p.Files {
		d.note(document.SessionLine{What: "approved", Of: f.Name, Says: f.SHA256, By: by})
	}
	return d.state(), nil
}

func sumText(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// approved is the approval of a file with that content, nil if there is none.
func (d *desk) approved(content []byte) *document.Approval {
	d.session.mu.Lock()
	defer d.session.mu.Unlock()
	sum, p := sumText(content), d.session.approval
	if p == nil || !slices.ContainsFunc(p.Files, func(f document.ApprovedFile) bool { return f.SHA256 == sum }) {
		return nil
	}
	return p
}

// approvalOf is the approval of a run, nil if there is none.
func (d *desk) approvalOf(run string) *document.Approval {
	d.session.mu.Lock()
	defer d.session.mu.Unlock()
	if p := d.session.approval; p != nil && p.Run == run {
		return p
	}
	return nil
}

// again makes a run of a session what it was: its pattern is audited under its rules, and what the session says of cost and bound holds
// where the cost is that of the pattern.
func (d *desk) again(run *deskRun, x *document.SessionRun) error {
	if x.Result == nil || x.Withheld == "" || !slices.Contains([]string{"optimal", "feasible"}, x.Result.Status) {
		return i18n.New("of this run the session keeps what it found alone; do it again")
	}
	t, err := d.tableOf(x.Tables, x.Flags)
	if err != nil {
		return err
	}
	read, err := t.read(run.policy)
	if err != nil {
		return d.plain(err)
	}
	n := max(1, len(read.set.Responses))
	pattern := make([]bool, 0, n*len(x.Withheld))
	for range n {
		for _, w := range []byte(x.Withheld) {
			pattern = append(pattern, w == '1')
		}
	}
	set, opt := read.copied(), d.options(t, new([]string))
	opt.Found = &solver.Solution{Status: solver.Feasible, Pattern: pattern}
	res, err := protect.Run(context.Background(), set.Inputs(), run.policy, opt)
	if err != nil {
		return d.plain(flags.Flagged(err))
	}
	bounded(res, x.Result)
	d.mu.Lock()
	defer d.mu.Unlock()
	run.fill(t, run.policy, set, res)
	return nil
}

// bounded gives the solution of a run what its document says of the search, if that is about the same cost.
func bounded(res *protect.Result, x *document.Suppression) {
	s, t := res.Solution, shown(&res.Prepared)
	for i := range t.Len() {
		if s.Pattern[i] && res.Table.Status[i] == table.Safe {
			s.Cost += t.Cost[i]
		}
	}
	bound, err := table.ParseDecimal(string(x.Bound))
	if err != nil || render.Decimal(s.Cost, t.CostDecimals) != x.Cost {
		return
	}
	var fits bool
	if s.Bound, fits = bound.At(t.CostDecimals); fits && s.Bound <= s.Cost {
		s.Status, s.Seconds, s.Rounds, s.Nodes, s.Cuts, s.LP, s.Engine = solver.Status(x.Status), x.Seconds, x.Rounds, x.Nodes, x.Cuts, x.LP, x.Engine
	}
}
