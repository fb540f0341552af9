package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"

	"github.com/hitoku/hitoku/document"
)

// A Format is a layout of a file of results.
type Format string

const (
	JSON  Format = "json"  // one array
	JSONL Format = "jsonl" // one document a line
	CSV   Format = "csv"   // a header, one line a result
)

// FormatOf tells the format of a file by its extension.
func FormatOf(path string) (Format, bool) {
	switch ext := filepath.Ext(path); ext {
	case ".json", ".jsonl", ".csv":
		return Format(ext[1:]), true
	}
	return "", false
}

// Write writes results in a format that Read reads.
func Write(w io.Writer, f Format, results []*Result) error {
	switch f {
	case CSV:
		return writeCSV(w, results)
	case JSONL:
		for _, r := range results {
			if err := document.Write(w, r); err != nil {
				return err
			}
		}
		return nil
	case JSON:
		if len(results) == 0 {
			_, err := io.WriteString(w, "[]\n")
			return err
		}
		open := "[\n"
		for _, r := range results {
			if _, err := io.WriteString(w, open); err != nil {
				return err
			}
			open = ","
			if err := document.Write(w, r); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, "]\n")
		return err
	}
	return fmt.Errorf("bench: no format %q", f)
}

// writeCSV leaves the columns of the batch empty for other instances.
func writeCSV(w io.Writer, results []*Result) error {
	c := csv.NewWriter(w)
	var header []string
	for _, f := range fields(&Result{}) {
		header = append(header, f.name)
	}
	if err := c.Write(header); err != nil {
		return err
	}
	for _, r := range results {
		var line []string
		for _, f := range fields(r) {
			s := f.text()
			if r.Batch == nil && isBatch(f.name) {
				s = ""
			}
			line = append(line, s)
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
