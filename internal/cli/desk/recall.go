package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

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

// load resumes a session, in its own file or in a new one. What the desk had open before is closed.
func (d *desk) load(path string, own bool) error {
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
	clear(d.releases) // but the list keeps its length, so that no number is reused
	d.mu.Unlock()
	if s.Approval != nil && strings.HasPrefix(s.Approval.Run, "m") {
		s.Approval = nil // the release has to be made again; the log records the approval
	}
	o := &d.session
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.earlier = ""; own {
		o.path, o.folder = path, ""
	} else {
		o.path = ""
	}
	o.page, o.approval, o.log = s.Page, s.Approval, s.Log
	o.revision++
	return nil
}

// found returns a file of a session: at its old path, or with that name beside the session; without a path if neither
// has the same content.
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

// recalled returns a run of a session, which is audited anew when something is asked about it.
func (d *desk) recalled(x *document.SessionRun) (*deskRun, error) {
	run := &deskRun{told: &x.RunResult, table: &deskTable{files: x.Tables, given: x.Flags}}
	if err := json.Unmarshal(x.Policy, &run.policy); err != nil {
		return nil, err
	}
	run.ready = sync.OnceValue(func() error { return d.again(run, x) })
	return run, nil
}

// resume continues with an earlier session of the same table.
func (d *desk) resume() (any, error) {
	d.session.mu.Lock()
	path, mine := d.session.earlier, d.session.path
	d.session.mu.Unlock()
	if path == "" {
		return nil, i18n.New("there is no earlier session of this table")
	}
	if err := d.load(path, true); err != nil {
		return nil, err
	}
	if mine != "" {
		os.Remove(mine) // the session just begun is empty
	}
	return d.state(), nil
}

// again restores a run of a session: its pattern is audited under its rules, and the cost and bound in the session hold
// if that cost is the pattern's.
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
	set, opt := read.copied(), d.options(context.Background(), t, new([]string))
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

// bounded gives the solution of a run the results of the search in its document, if that is about the same cost.
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
	if n, fits := bound.At(t.CostDecimals); fits && n <= s.Cost {
		s.Bound = n
		s.Status, s.Seconds, s.Rounds, s.Nodes, s.Cuts, s.LP, s.Engine = solver.Status(x.Status), x.Seconds, x.Rounds, x.Nodes, x.Cuts, x.LP, x.Engine
	}
}
