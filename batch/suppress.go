package batch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// ownFlags are flags of hitoku suppress that a job may not set: the job itself does.
var ownFlags = []string{"output", "json", "quiet", "linked", "certificate", "help"}

// CheckFlags fails where a task sets a flag that belongs to the job.
func (t *Task) CheckFlags() error {
	for _, name := range ownFlags {
		if _, ok := t.Options[name]; ok {
			return fmt.Errorf("%s: not to be set in a job", name)
		}
	}
	return nil
}

// SuppressArgs are the arguments of hitoku suppress for the task. Tables of a job share
// the processors, so that one has one worker unless the job says otherwise.
func (t *Task) SuppressArgs() []string {
	args := t.Args()
	if _, ok := t.Options["workers"]; !ok {
		args = append(args, "--workers=1")
	}
	return append(args, "--json", "--quiet", "--output="+t.Output, "--", t.Input)
}

// SuppressResult puts what hitoku suppress printed for the arguments SuppressArgs into
// words. The report is the JSON document without what differs from run to run: the time, and
// the course of the search, which depends on what a worker did before. Its keys are
// then sorted.
func SuppressResult(exit int, stdout, stderr []byte) Result {
	r := Result{Exit: exit}
	var why []string
	for line := range strings.Lines(string(stderr)) {
		why = append(why, strings.TrimPrefix(strings.TrimSpace(line), "hitoku: "))
	}
	r.Why = strings.Join(why, "; ")
	if r.Why == "" && exit == exitLimit {
		r.Why = "stopped at a limit with a protected pattern, not proved cheapest"
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(stdout, &keys) != nil {
		return r
	}
	for _, k := range []string{"seconds", "rounds", "nodes", "cuts"} {
		delete(keys, k)
	}
	if doc, err := json.Marshal(keys); err == nil {
		r.Report = slices.Clip(doc)
	}
	return r
}
