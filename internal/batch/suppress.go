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

// ownFlags are flags of hitoku suppress that a job may not set: the job itself does. The command holds tasks to what its flags say of themselves,
// which its tests compare with this list, that of a fleet.
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

// A Message is a task for another process, hitoku batch task, as JSON. It has no secret.
type Message struct {
	Input   string              `json:"input"`
	Output  string              `json:"output"`
	Options map[string][]string `json:"options,omitempty"`
	Check   bool                `json:"check,omitempty"` // only the options, which need no files
}

// companions are the files that hitoku suppress reads beside those that the task names:
// the metadata of a τ-ARGUS table, and the code lists and trees that they name.
func (t *Task) companions() []string {
	if given := t.Options["meta"]; len(given) > 0 {
		return withLists(given[len(given)-1], t.Options)
	}
	if format(t.Input, t.Options) != argus.Format {
		return nil
	}
	return withLists(argus.MetadataOf(t.Input), t.Options) // which lists the folder
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

// Verbs that do a task.
const (
	Suppress = "suppress"
	Round    = "round"
	Adjust   = "adjust"
)

// VerbOf is the verb that does a task of these options: Round where they have base, Adjust where they have norm, as in a policy.
func VerbOf(options map[string][]string) string {
	switch {
	case len(options["base"]) > 0:
		return Round
	case len(options["norm"]) > 0:
		return Adjust
	}
	return Suppress
}

// keepsValues tells whether the protected table of an input keeps the values of withheld cells, so
// that it is not to be published.
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
