package desk

import (
	"bytes"
	"embed"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// keeping says where a session is kept, and under which rules.
type keeping struct {
	path   string // a file; "" for one in the state folder; none for no file
	strict bool   // nothing is published without approval

	policies string // a folder of policies, or ""
}

// A session is what is kept of a desk: files by name and hash, what the page has open and has decided, runs, the
// approval, and a log of what was done.
type session struct {
	mu       sync.Mutex
	path     string // "" if it is not kept
	folder   string // the folder in which it gets a file once a table is open, or ""
	strict   bool
	revision int
	page     json.RawMessage
	approval *document.Approval
	log      []document.SessionLine
	earlier  string // the file of a session of the same table
}

// begin opens the files of a command line: tables and the files that go with them, or a session.
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
		return d.load(args[0], true)
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

// stateFolder returns the folder in which programs of the user keep their state between runs, "" if there is none.
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

// came handles an upload: a file that a session lacks, or a new one.
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

// state returns the session in the form from which a page continues.
func (d *desk) state() *document.SessionState {
	o := &d.session
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.brief()
	s.Page, s.Runs, s.Releases = o.page, d.runsKept(), d.releasesKept()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range d.files {
		if f.path == "" {
			s.Missing = append(s.Missing, document.SessionFile{Name: f.name, SHA256: f.sum})
		}
	}
	return s
}

// runsKept returns all runs in the form of a session.
func (d *desk) runsKept() []document.SessionRun {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := []document.SessionRun{}
	for _, run := range d.runs {
		policy, err := json.Marshal(run.policy)
		if err != nil {
			policy = []byte("{}") // an empty object, into which all fields are written
		}
		all = append(all, document.SessionRun{RunResult: *run.told, Policy: policy, Tables: run.table.files, Flags: run.table.given})
	}
	return all
}

// keepCall is what a page has open and decided. Known is the revision that this is based on.
type keepCall struct {
	Page  json.RawMessage
	Known int
	Lines []document.SessionLine // decisions
}

// keep stores what a page has open and decided; a page that has missed a change by another page is told about that
// instead.
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

// brief returns the session without what the page said itself. The session must be locked.
func (o *session) brief() *document.SessionState {
	s := &document.SessionState{Revision: o.revision, Path: o.path, Approval: o.approval, Strict: o.strict, Log: slices.Clone(o.log)}
	if o.earlier != "" {
		if info, err := os.Stat(o.earlier); err == nil {
			s.Earlier = info.ModTime().Format(time.RFC3339)
		}
	}
	return s
}

// now returns the time in the form of sessions.
func now() string { return time.Now().Format(time.RFC3339) }

// note adds a line to the log.
func (d *desk) note(x document.SessionLine) {
	o := &d.session
	o.mu.Lock()
	defer o.mu.Unlock()
	x.At = now()
	o.log = append(o.log, x)
	d.write() // an error will be reported when the page next keeps the session
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

// text returns the session in the form of its file. The session must be locked.
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
		case strings.EqualFold(filepath.Ext(f.name), ".toml"): // a policy, or a layout made on the page
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

// sumOf returns the hash of a file.
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

// settle chooses the file of a session in the state folder, named after the table or the file of records and its hash,
// and finds an earlier session of the same one.
func (d *desk) settle() error {
	o := &d.session
	var p struct {
		Tables []string
		Micro  struct{ File string }
	}
	if json.Unmarshal(o.page, &p) != nil {
		return nil
	}
	f, err := d.file(append(p.Tables, p.Micro.File)[0])
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

//go:embed sample
var beginnings embed.FS

// sample opens an example file to start with.
func (d *desk) sample(a struct{ Name string }) (any, error) {
	f, err := beginnings.Open("sample/" + a.Name + ".csv")
	if err != nil {
		return nil, i18n.Errorf("nothing is called %q", a.Name)
	}
	defer f.Close()
	info, err := fs.Stat(beginnings, "sample/"+a.Name+".csv")
	if err != nil {
		return nil, err
	}
	id, err := d.Upload(info.Name(), f)
	return startingFile{id, info.Name()}, err
}
