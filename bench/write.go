package bench

import (
	"io"
	"path/filepath"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
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
	return i18n.Errorf("bench: no format %q", f)
}

// writeCSV leaves the columns of the batch empty for other instances.
func writeCSV(w io.Writer, results []*Result) error {
	return writeLines(w, fields(&Result{}), len(results), func(k int) []field {
		line := fields(results[k])
		for i := range line {
			if results[k].Batch == nil && isBatch(line[i].name) {
				line[i].at = new(string)
			}
		}
		return line
	})
}
