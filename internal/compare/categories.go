package compare

import (
	"bytes"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/records"
)

// maxCategories is the largest file of a hierarchy, in bytes.
const maxCategories = 1 << 28

// ReadCategories reads which values each category of a hierarchy stands for. The file is a .hrc file, CSV with columns
// code and parent, or, as in ARX and risk generalise, lines of a value and what it becomes at each step, without a
// header.
func ReadCategories(path string) (map[string][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer f.Close()
	in, err := formats.OpenText(f, path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(in, maxCategories))
	if err != nil {
		return nil, formats.InFile(path, err)
	}
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = rune(records.Separator(first)), -1, true
	rows, err := r.ReadAll()
	names := map[string][]string{}
	header := len(rows) > 0 && slices.ContainsFunc(rows[0], func(x string) bool { return strings.EqualFold(x, "code") }) && slices.ContainsFunc(rows[0], func(x string) bool { return strings.EqualFold(x, "parent") })
	if err == nil && !header && !strings.EqualFold(filepath.Ext(path), ".hrc") {
		for _, row := range rows {
			for n, name := range row[1:] {
				if name != row[0] && !slices.Contains(row[1:n+1], name) {
					names[name] = append(names[name], row[0])
				}
			}
		}
		return names, nil
	}
	edges, err := formats.ReadEdges(bytes.NewReader(text), path, "", "", nil)
	if err != nil {
		return nil, err
	}
	parent := map[string]string{}
	for _, e := range edges {
		parent[e.Code] = e.Parent
	}
	for _, e := range edges {
		for p, n := e.Parent, 0; p != "" && n < len(edges); p, n = parent[p], n+1 {
			names[p] = append(names[p], e.Code)
		}
	}
	return names, nil
}
