package batch

import (
	"io"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/private"
)

// A Summary counts the tasks of a job.
type Summary struct {
	Tasks   int         `json:"tasks"`
	Done    int         `json:"done"`    // exit code 0
	Missing int         `json:"missing"` // in no journal
	Exits   map[int]int `json:"exits"`   // tasks by exit code
	Bad     []BadLine   `json:"-"`       // lines of journals that were ignored
}

// Merge looks up the tasks of all shards in the journals in dir, the job's OfficeDir. It returns entries in the
// order of the tasks, nil for a task that no journal has or whose output is not what was written.
func Merge(tasks []*Task, dir, version string) ([]*Entry, *Summary, error) {
	all, bad, err := readJournals(dir)
	if err != nil {
		return nil, nil, err
	}
	s := &Summary{Tasks: len(tasks), Exits: map[int]int{}, Bad: bad}
	entries := make([]*Entry, len(tasks))
	known := hashes{}
	for k, t := range tasks {
		if t.Key, err = known.key(t, version); err != nil {
			t.Key = unreadKey(t)
		}
		e := all[t.Key]
		if e == nil || !e.intact() || !t.follows(e, all) {
			s.Missing++
			continue
		}
		entries[k] = e
		s.Exits[e.Exit]++
		if e.Exit == 0 {
			s.Done++
		}
	}
	return entries, s, nil
}

// WriteResults writes one JSON document a line for each entry. It leaves out what depends on time, workers or
// shards, so a job gives the same bytes however it was run. Each document says that it is for the office only,
// because reports tell costs and bounds.
func WriteResults(w io.Writer, entries []*Entry) error {
	for _, e := range entries {
		if e == nil {
			continue
		}
		err := document.Write(w, &document.BatchResult{Mark: private.Only, Input: e.Input, Output: e.Output, Sum: e.Sum, Beside: e.Beside, Exit: e.Exit, Why: e.Why, Report: e.Report, Altered: e.Altered})
		if err != nil {
			return err
		}
	}
	return nil
}
