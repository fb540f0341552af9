package bench

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// ReadFile reads the results in a file: CSV if its name ends in .csv, else JSON.
func ReadFile(path string) ([]*Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	results, err := read(f, filepath.Ext(path) == ".csv")
	if err != nil {
		return nil, i18n.Errorf("%s:%w", path, err)
	}
	return results, nil
}

// read reads results. A CSV file needs a column table and may have others in any order; unknown columns are ignored, as
// are unknown keys of JSON documents. JSON is one array, or documents one after another, whatever the name says. Errors
// start with their line, or the number of their document. Two results with the same name are an error.
func read(r io.Reader, csv bool) ([]*Result, error) {
	read := readJSON
	if csv {
		read = readCSV
	}
	results, err := read(r)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, r := range results {
		if seen[r.Table] {
			return nil, i18n.Errorf(" two results for %s", r.Table)
		}
		seen[r.Table] = true
	}
	return results, nil
}

// readJSON reads one array, or documents one after another. Documents from before versions were introduced have no key
// schema.
func readJSON(r io.Reader) ([]*Result, error) {
	b := bufio.NewReader(r)
	d := json.NewDecoder(b)
	head, err := b.Peek(1)
	if err == nil && head[0] == '[' {
		var all []json.RawMessage
		if err := d.Decode(&all); err != nil {
			return nil, i18n.Errorf(" %w", err)
		}
		var results []*Result
		for _, text := range all {
			if results, err = addDocument(results, text); err != nil {
				return nil, err
			}
		}
		return results, nil
	}
	var results []*Result
	for {
		var text json.RawMessage
		switch err := d.Decode(&text); {
		case errors.Is(err, io.EOF):
			return results, nil
		case err != nil:
			return nil, i18n.Errorf(" document %d: %w", len(results)+1, err)
		}
		if results, err = addDocument(results, text); err != nil {
			return nil, err
		}
	}
}

func addDocument(results []*Result, text []byte) ([]*Result, error) {
	one := &Result{}
	switch err := document.Read(text, one); {
	case err != nil:
		return nil, i18n.Errorf(" document %d: %w", len(results)+1, err)
	case one.Table == "":
		return nil, i18n.Errorf(" document %d: no key \"table\"", len(results)+1)
	}
	return append(results, one), nil
}

func readCSV(r io.Reader) ([]*Result, error) {
	c := csv.NewReader(r)
	header, err := c.Read()
	if err != nil {
		return nil, i18n.Errorf(" %w", err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	column := sets.Places[int](header)
	if _, ok := column["table"]; !ok {
		return nil, i18n.Errorf("1: no column \"table\"")
	}
	var results []*Result
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			return results, nil
		}
		if err != nil {
			return nil, i18n.Errorf(" %w", err)
		}
		one := &Result{Cuts: map[string]int{}, Batch: &document.BenchBatch{}}
		for _, f := range fields(one) {
			k, ok := column[f.name]
			if !ok {
				continue
			}
			if err := f.parse(row[k]); err != nil {
				line, _ := c.FieldPos(k)
				return nil, i18n.Errorf("%d: column %q: %w", line, f.name, err)
			}
		}
		if one.Batch.Tables == 0 {
			one.Batch = nil
		}
		results = append(results, one)
	}
}

// isBatch reports whether a column belongs to a batch.
func isBatch(column string) bool { return strings.HasPrefix(column, batchColumn) }
