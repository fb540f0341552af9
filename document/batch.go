package document

import (
	"encoding/json"
	"slices"
)

// A BatchResult is a line of results.jsonl, what hitoku batch tells of one input.
type BatchResult struct {
	Head   `kind:"batch-result/1" doc:"what became of one input of a batch"`
	Mark   string       `json:"mark" doc:"whom the line is for"`
	Input  string       `json:"input"`
	Output string       `json:"output,omitempty" doc:"absent where none was written"`
	Sum    string       `json:"sha256,omitempty" doc:"of the output"`
	Beside []BatchFile  `json:"beside,omitempty" doc:"files written with it"`
	Exit   int          `json:"exit" doc:"exit code of hitoku suppress"`
	Why    string       `json:"why,omitempty"`
	Report *BatchReport `json:"report,omitempty" doc:"what hitoku suppress --json prints, without seconds, rounds, nodes and cuts"`
}

// A BatchFile is one that stands beside an output, like the metadata of a τ-ARGUS table.
type BatchFile struct {
	Path string `json:"path"`
	Sum  string `json:"sha256"`
}

// A BatchReport is a Suppression without what differs from run to run: the time, and the course of the search,
// which depends on what a worker did before. Its keys are sorted.
type BatchReport struct{ Suppression }

// course are the keys that a BatchReport lacks.
var course = []string{"seconds", "rounds", "nodes", "cuts"}

// MarshalJSON fills in the key schema.
func (r *BatchReport) MarshalJSON() ([]byte, error) {
	s := r.Suppression
	h, kind := head(&s)
	h.Schema = prefix + kind
	text, err := json.Marshal(&s)
	if err != nil {
		return nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	for _, k := range course {
		delete(keys, k)
	}
	return json.Marshal(keys)
}

// drop leaves the keys of the course out of the schema.
func (BatchReport) drop(n *node) {
	gone := func(key string) bool { return slices.Contains(course, key) }
	n.Properties.names = slices.DeleteFunc(n.Properties.names, gone)
	n.Required = slices.DeleteFunc(n.Required, gone)
	for _, k := range course {
		delete(n.Properties.of, k)
	}
}
