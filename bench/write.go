package bench

import (
	"io"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// Write writes results in a format that [ReadFile] reads: json, one array; jsonl, one document a line; or csv, a header
// and one line for each result.
func Write(w io.Writer, format string, results []*Result) error {
	switch format {
	case "csv":
		return writeCSV(w, results)
	case "jsonl":
		for _, r := range results {
			if err := document.Write(w, r); err != nil {
				return err
			}
		}
		return nil
	case "json":
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
	return i18n.Errorf("bench: no format %q", format)
}

// writeCSV writes CSV; the columns of the batch are empty for instances that are not batches.
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
