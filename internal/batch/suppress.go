package batch

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
)

// ownFlags are flags of hitoku suppress that a job may not set, because the job itself does. The command
// decides this by its own description of each flag, and a test compares that with this list, which is the
// fleet's.
var ownFlags = []string{"output", "json", "quiet", "linked", "certificate", "status-file", "policy", "save-policy", "save-layout", "page", "help"}

// CheckFlags fails where a task sets a flag that belongs to the job.
func (t *Task) CheckFlags() error {
	for _, name := range ownFlags {
		if _, ok := t.Options[name]; ok {
			return i18n.Errorf("%s: not to be set in a job", name)
		}
	}
	return nil
}

// A Message is a task as JSON, for another process that runs hitoku batch task. It contains no secret.
type Message struct {
	Input   string              `json:"input"`
	Output  string              `json:"output"`
	Options map[string][]string `json:"options,omitempty"`
	Check   bool                `json:"check,omitempty"` // check the options only, which needs no files
}

// companions returns the files that hitoku suppress reads beside those that the task names: the metadata of a
// τ-ARGUS table, and the code lists and trees that these name.
func (t *Task) companions() []string {
	if given := t.Options["meta"]; len(given) > 0 {
		return withLists(given[len(given)-1], t.Options)
	}
	if format(t.Input, t.Options) != argus.Format {
		return nil
	}
	return withLists(argus.MetadataOf(t.Input), t.Options)
}

// beside returns the files that hitoku suppress writes beside the output of the task: those of a τ-ARGUS table.
func (t *Task) beside() []string {
	if format(t.Input, t.Options) != argus.Format {
		return nil
	}
	return withLists(argus.MetadataOf(t.Output), t.Options)
}

// withLists returns a file of τ-ARGUS metadata and the files that it names.
func withLists(meta string, options map[string][]string) []string {
	encoding := ""
	if e := options["encoding"]; len(e) > 0 {
		encoding = e[len(e)-1]
	}
	files := []string{meta}
	m, err := argus.ReadMetadata(meta, argus.Tabular, encoding)
	if err != nil {
		return files // hitoku suppress will report the error
	}
	return append(files, m.Lists()...)
}

// format returns the format of an input as far as its name or an option tells it.
func format(input string, options map[string][]string) formats.Format {
	if from := options["from"]; len(from) > 0 {
		return formats.Format(from[len(from)-1])
	}
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(input), ".gz"))) {
	case ".tab":
		return argus.Format
	case ".jj":
		return formats.JJ
	}
	return ""
}

// Verbs that can do a task.
const (
	Suppress = "suppress"
	Round    = "round"
	Adjust   = "adjust"
)

// VerbOf returns the verb that does a task with these options: as in a policy, Round if they have base, Adjust
// if they have norm.
func VerbOf(options map[string][]string) string {
	switch {
	case len(options["base"]) > 0:
		return Round
	case len(options["norm"]) > 0:
		return Adjust
	}
	return Suppress
}

// keepsValues reports whether the protected table of an input still contains the values of withheld cells, so
// that it must not be published.
func keepsValues(input string, options map[string][]string) bool {
	if VerbOf(options) != Suppress {
		return false // all its values may be published
	}
	f := format(input, options)
	return f == argus.Format || f == formats.JJ || slices.ContainsFunc(options["flag"], func(s string) bool {
		yes, err := strconv.ParseBool(s)
		return err != nil || yes
	})
}
