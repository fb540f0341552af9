package certificate

import (
	"encoding/json"
)

// version is the version of the format this package writes and reads.
const version = 1

// A line is one line of a file, of the kind Is. docs/certificate.md says which fields each kind has.
type line struct {
	Is string `json:"is"`

	Version int    `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	Bound   *int64 `json:"bound,omitempty"`
	Cost    *int64 `json:"cost,omitempty"`

	Unprotectable bool `json:"unprotectable,omitempty"`

	Cell      *int32  `json:"cell,omitempty"`
	Den       int64   `json:"den,omitempty"`
	Relations []int32 `json:"relations,omitempty"`
	Cells     []int32 `json:"cells,omitempty"`
	Num       []int64 `json:"num,omitempty"`
	Long      *Long   `json:"long,omitempty"`

	Up    *int32  `json:"up,omitempty"`
	Down  *int32  `json:"down,omitempty"`
	Of    []int32 `json:"of,omitempty"`
	Mult  []int64 `json:"mult,omitempty"`
	Div   int64   `json:"div,omitempty"`
	Scale int     `json:"scale,omitempty"`
	Ray   bool    `json:"ray,omitempty"`

	Lines int `json:"lines,omitempty"`
}

func (l *line) bytes() ([]byte, error) {
	text, err := json.Marshal(l)
	return append(text, '\n'), err
}
