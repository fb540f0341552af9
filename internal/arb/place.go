package arb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/table/argus"
)

// place is beside for an output, which may not be an input of the batch, by whatever path or link.
func (b *batch) place(name string) (string, error) {
	path := b.beside(name)
	if b.isInput(path) {
		return "", fmt.Errorf("%s is an input of this batch and would be overwritten; choose another name", path)
	}
	return path, nil
}

// placeBeside is place for the metadata and trees that are written with the table in the file path.
func (b *batch) placeBeside(path string) error {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	files, err := filepath.Glob(escape(base) + "_*.hrc")
	if err != nil {
		return err
	}
	for _, f := range append(files, base+".rda") {
		if b.isInput(f) {
			return fmt.Errorf("%s is an input of this batch and would be overwritten by what is written with %s; choose another name", f, filepath.Base(path))
		}
	}
	return nil
}

// escape makes a path a pattern that matches it alone.
func escape(path string) string {
	if filepath.Separator == '\\' { // which cannot escape
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// isInput tells whether a file is one that the batch has opened.
func (b *batch) isInput(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, in := range b.inputs {
		if other, err := os.Stat(in); err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// keep counts the files that metadata name to the inputs.
func (b *batch) keep(m *argus.Metadata) {
	b.inputs = append(b.inputs, m.Lists()...)
}
