package batch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/table/argus"
	"github.com/hitoku/hitoku/table/tableio"
)

// ownFlags are flags of hitoku suppress that a job may not set: the job itself does.
var ownFlags = []string{"output", "json", "quiet", "linked", "certificate", "policy", "save-policy", "help"}

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
	doc := new(document.BatchReport)
	if document.Read(stdout, &doc.Suppression) == nil {
		r.Report = doc
	}
	return r
}

// companions are the files that hitoku suppress reads beside those that the task names:
// the metadata of a τ-ARGUS table, and the code lists and trees that they name.
func (t *Task) companions() []string {
	meta := argus.MetadataOf(t.Input)
	given := t.Options["meta"]
	if len(given) > 0 {
		meta = given[len(given)-1]
	} else if format(t.Input, t.Options) != argus.Format {
		return nil
	}
	return withLists(meta, t.Options)
}

// beside are the files that hitoku suppress writes beside the output of the task: those of a τ-ARGUS table.
func (t *Task) beside() []string {
	if format(t.Input, t.Options) != argus.Format {
		return nil
	}
	return withLists(argus.MetadataOf(t.Output), t.Options)
}

// withLists are τ-ARGUS metadata and the files that they name.
func withLists(meta string, options map[string][]string) []string {
	encoding := ""
	if e := options["encoding"]; len(e) > 0 {
		encoding = e[len(e)-1]
	}
	files := []string{meta}
	m, err := argus.ReadMetadata(meta, argus.Tabular, encoding)
	if err != nil {
		return files // as hitoku suppress will say
	}
	return append(files, m.Lists()...)
}

// format is that of an input in so far as its name or an option tells it.
func format(input string, options map[string][]string) tableio.Format {
	if from := options["from"]; len(from) > 0 {
		return tableio.Format(from[len(from)-1])
	}
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(input), ".gz"))) {
	case ".tab":
		return argus.Format
	case ".jj":
		return tableio.JJ
	}
	return ""
}

// keepsValues tells whether the protected table of an input keeps the values of withheld cells, so
// that it is not to be published.
func keepsValues(input string, options map[string][]string) bool {
	f := format(input, options)
	return f == argus.Format || f == tableio.JJ || slices.ContainsFunc(options["flag"], func(s string) bool {
		yes, err := strconv.ParseBool(s)
		return err != nil || yes
	})
}
