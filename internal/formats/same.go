package formats

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// SameFile reports whether two paths name the same file. Existing files are compared by identity, so that links
// count, others by the place where Save would put them, so that different spellings of a path count as one.
func SameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return os.SameFile(x, y)
	case errA == nil || errB == nil:
		return false
	}
	return place(a, folds) == place(b, folds)
}

// place returns where Save would put a file that does not exist yet. It follows links, including dangling ones
// and those in the folders above.
func place(path string, folds func(dir string) bool) string {
	if to, err := target(path); err == nil {
		path = to
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	dir, below := path, ""
	for ; ; dir = filepath.Dir(dir) { // find the first folder that exists
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
		below = filepath.Join(filepath.Base(dir), below)
	}
	if folds(dir) {
		return filepath.Join(dir, strings.ToLower(strings.ToUpper(below)))
	}
	return filepath.Join(dir, below)
}

// folds reports whether names in a folder are case-insensitive. It looks up an entry of the folder, or else the
// folder itself, by its name in the other case.
func folds(dir string) bool {
	swap := func(name string) string {
		if up := strings.ToUpper(name); up != name {
			return up
		}
		return strings.ToLower(name)
	}
	asked := func(dir, name string) (same, is bool) {
		if swap(name) == name {
			return false, false
		}
		a, errA := os.Lstat(filepath.Join(dir, name))
		b, errB := os.Lstat(filepath.Join(dir, swap(name)))
		return errA == nil && errB == nil && os.SameFile(a, b), true
	}
	if f, err := os.Open(dir); err == nil {
		names, _ := f.Readdirnames(64)
		f.Close()
		for _, n := range names {
			if same, is := asked(dir, n); is {
				return same
			}
		}
	}
	if same, is := asked(filepath.Dir(dir), filepath.Base(dir)); is {
		return same
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
}

// Files is a set of files by identity, as SameFile defines it. To add or find one takes one look at the file,
// however many the set has.
type Files struct {
	there map[stamp][]known
	new   map[string]string // files that do not exist, by where Save would put them
	folds map[string]bool   // results of folds
}

// A stamp is the same for all names of a file, and different for most files.
type stamp struct{ size, time int64 }

type known struct {
	info fs.FileInfo
	name string
}

// Add adds the file called path. If it is in the set already, Add returns the name under which it was added.
func (f *Files) Add(path string) (name string, is bool) {
	if name, is = f.Find(path); is {
		return name, true
	}
	if f.there == nil {
		f.there, f.new, f.folds = map[stamp][]known{}, map[string]string{}, map[string]bool{}
	}
	if info, err := os.Stat(path); err == nil {
		at := stampOf(info)
		f.there[at] = append(f.there[at], known{info, path})
	} else {
		f.new[f.place(path)] = path
	}
	return path, false
}

// Find returns the name under which the file called path was added.
func (f *Files) Find(path string) (name string, is bool) {
	info, err := os.Stat(path)
	if err != nil {
		if len(f.new) > 0 {
			name, is = f.new[f.place(path)]
		}
		return name, is
	}
	for _, k := range f.there[stampOf(info)] {
		if os.SameFile(k.info, info) {
			return k.name, true
		}
	}
	return "", false
}

// place is the function place, but remembers what folds says of each folder.
func (f *Files) place(path string) string {
	return place(path, func(dir string) bool {
		is, known := f.folds[dir]
		if !known {
			is = folds(dir)
			f.folds[dir] = is
		}
		return is
	})
}

func stampOf(info fs.FileInfo) stamp {
	if info.IsDir() { // its time changes with its content
		return stamp{size: -1}
	}
	return stamp{info.Size(), info.ModTime().UnixNano()}
}
