package batch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A folderTrees lists the hierarchies in a folder that hitoku suppress uses without being told for the tables
// there: NAME.DIM.hrc and NAME.hrc for a table called NAME, and DIM.hrc for any table.
type folderTrees struct {
	own    map[string][]string // hierarchy files that belong to a table, by its name
	shared []string
}

// readTrees lists the hierarchies in the folder dir; none if it cannot be read.
func readTrees(dir string) *folderTrees {
	f := &folderTrees{own: map[string][]string{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f
	}
	tables := map[string]bool{}
	var trees []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".hrc") {
			trees = append(trees, e.Name())
		} else if !e.IsDir() {
			tables[stem(e.Name())] = true
		}
	}
	for _, name := range trees {
		table := strings.TrimSuffix(name, ".hrc")
		for !tables[table] { // find the longest table name that the file name begins with
			dot := strings.LastIndexByte(table, '.')
			if dot < 0 {
				table = ""
				break
			}
			table = table[:dot]
		}
		path := filepath.Join(dir, name)
		if table == "" || table == stem(name) { // NAME.hrc may also be that of a dimension NAME of any table
			f.shared = append(f.shared, path)
		} else {
			f.own[table] = append(f.own[table], path)
		}
	}
	return f
}

// of returns the hierarchies that may be those of the table in the file path.
func (f *folderTrees) of(path string) []string {
	return slices.Concat(f.own[stem(filepath.Base(path))], f.shared)
}

// stem returns the name of a file without .gz and its extension.
func stem(name string) string {
	if strings.EqualFold(filepath.Ext(name), ".gz") {
		name = name[:len(name)-len(".gz")]
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
