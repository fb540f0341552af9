package arb

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
)

// find returns the path of an input, ignoring the case of its name. A bare name is looked for beside the batch
// file, then in the data folder and the working folder; a path with folders from the working folder first, as
// τ-ARGUS does. A path on a share or a drive that this system lacks stands for the file of that name beside the
// batch file.
func (b *batch) find(name string) string {
	name = unquote(name)
	dirs := []string{filepath.Dir(b.file), b.opt.Data, ""}
	if strings.ContainsAny(name, `/\`) && !argus.Elsewhere(name) {
		dirs = []string{"", filepath.Dir(b.file), b.opt.Data}
	}
	for _, dir := range dirs {
		p := argus.Resolve(filepath.Join(dir, "x"), name)
		if _, err := os.Stat(p); err == nil {
			if argus.Elsewhere(name) && filepath.Dir(p) == filepath.Clean(dir) {
				b.say("%s is not there; %s is read", name, p)
			}
			b.inputs = append(b.inputs, p)
			return p
		}
	}
	return filepath.Join(filepath.Dir(b.file), slashed(name))
}

// beside returns where an output is written, as τ-ARGUS places it: a bare name in the data folder, if one was
// given, else beside the batch file; a path with folders from the working folder or, where that has no such
// folder, from the batch file's; a path of another system beside the batch file.
func (b *batch) beside(name string) string {
	path := slashed(unquote(name))
	home := filepath.Join(filepath.Dir(b.file), path)
	switch {
	case argus.Elsewhere(path) && !isFolder(filepath.Dir(path)):
		home = filepath.Join(filepath.Dir(b.file), filepath.Base(path))
		b.say("%s: no such folder here; %s is written", unquote(name), home)
		return home
	case filepath.IsAbs(path):
		return path
	case filepath.Base(path) == path && b.opt.Data != "":
		return filepath.Join(b.opt.Data, path)
	case filepath.Base(path) == path, !isFolder(filepath.Dir(path)):
		return home
	}
	return path
}

// slashed returns a path with this system's separators.
func slashed(name string) string {
	return filepath.FromSlash(strings.ReplaceAll(name, `\`, "/"))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// place is beside for an output, which must not be an input of the batch under any path or link.
func (b *batch) place(name string) (string, error) {
	path := b.beside(name)
	if b.isInput(path) {
		return "", i18n.Errorf("%s is an input of this batch and would be overwritten; choose another name", path)
	}
	return path, nil
}

// placeBeside checks, as place does, the metadata and trees that are written beside the table in the file path.
func (b *batch) placeBeside(path string) error {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	files, err := filepath.Glob(escape(base) + "_*.hrc")
	if err != nil {
		return err
	}
	for _, f := range append(files, base+".rda") {
		if b.isInput(f) {
			return i18n.Errorf("%s is an input of this batch and would be overwritten by what is written with %s; choose another name", f, filepath.Base(path))
		}
	}
	return nil
}

// escape turns a path into a glob pattern that matches it alone.
func escape(path string) string {
	if filepath.Separator == '\\' { // glob patterns have no escapes on Windows
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// isInput reports whether a file is one that the batch has opened.
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

// keep adds the files that metadata name to the inputs.
func (b *batch) keep(m *argus.Metadata) {
	for _, s := range m.Moved {
		b.say("%s", s)
	}
	b.inputs = append(b.inputs, m.Lists()...)
}
