package document

import (
	"encoding/json"
	"slices"
)

// A BatchResult is a line of results.jsonl: what hitoku batch says about one input.
type BatchResult struct {
	Head   `kind:"batch-result/1" doc:"what became of one input of a batch"`
	Mark   string       `json:"mark" doc:"whom the line is for"`
	Input  string       `json:"input"`
	Output string       `json:"output,omitempty" doc:"absent where none was written"`
	Sum    string       `json:"sha256,omitempty" doc:"of the output"`
	Beside []BatchFile  `json:"beside,omitempty" doc:"files written with it"`
	Exit   int          `json:"exit" doc:"exit code of hitoku suppress, hitoku round or hitoku adjust"`
	Why    string       `json:"why,omitempty"`
	Report *BatchReport `json:"report,omitempty" doc:"what hitoku suppress --json prints, without seconds, rounds, nodes and cuts"`
	// Altered takes the place of Report if the options have base or norm.
	Altered *BatchAltered `json:"altered,omitempty" doc:"what hitoku round and hitoku adjust print that they have in common, without seconds, nodes and cuts"`
}

// A BatchFile stands beside an output, such as the metadata of a τ-ARGUS table.
type BatchFile struct {
	Path string `json:"path"`
	Sum  string `json:"sha256"`
}

// A BatchReport is a Suppression without what differs from run to run: the time, and the course of the search,
// which depends on what a worker did before. Its keys are sorted.
type BatchReport struct{ Suppression }

// course are the keys that a BatchReport and a BatchAltered leave out.
var course = []string{"seconds", "rounds", "nodes", "cuts"}

// A BatchAltered is what hitoku round and hitoku adjust print in common, without what differs from run to run.
type BatchAltered struct {
	Verb string `json:"verb" enum:"round,adjust"`
	Altered
}

// MarshalJSON fills in the key schema.
func (r *BatchReport) MarshalJSON() ([]byte, error) {
	s := r.Suppression
	h, kind := head(&s)
	h.Schema = prefix + kind
	return withoutCourse(&s)
}

// MarshalJSON leaves out the keys of course.
func (a *BatchAltered) MarshalJSON() ([]byte, error) {
	type plain BatchAltered
	return withoutCourse((*plain)(a))
}

// withoutCourse returns a document as JSON without the keys of course, with the others sorted.
func withoutCourse(doc any) ([]byte, error) {
	text, err := json.Marshal(doc)
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

// drop removes the keys of course from the schema.
func (BatchReport) drop(n *node) { n.dropCourse() }

func (BatchAltered) drop(n *node) { n.dropCourse() }

func (n *node) dropCourse() {
	gone := func(key string) bool { return slices.Contains(course, key) }
	n.Properties.names = slices.DeleteFunc(n.Properties.names, gone)
	n.Required = slices.DeleteFunc(n.Required, gone)
	for _, k := range course {
		delete(n.Properties.of, k)
	}
}
