package document

import "encoding/json"

// A BatchResult is a line of results.jsonl, what hitoku batch tells of one input.
type BatchResult struct {
	Head   `kind:"batch-result/1" doc:"what became of one input of a batch"`
	Mark   string          `json:"mark" doc:"whom the line is for"`
	Input  string          `json:"input"`
	Output string          `json:"output,omitempty" doc:"absent where none was written"`
	Sum    string          `json:"sha256,omitempty" doc:"of the output"`
	Beside []BatchFile     `json:"beside,omitempty" doc:"files written with it"`
	Exit   int             `json:"exit" doc:"exit code of hitoku suppress"`
	Why    string          `json:"why,omitempty"`
	Report json.RawMessage `json:"report,omitempty" doc:"what hitoku suppress --json prints, without seconds, rounds, nodes and cuts"`
}

// A BatchFile is one that stands beside an output, like the metadata of a τ-ARGUS table.
type BatchFile struct {
	Path string `json:"path"`
	Sum  string `json:"sha256"`
}
