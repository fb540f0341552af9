package cli

import (
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// ArgsFrom is the flag of all verbs that names a file of arguments. Other users can see a command line, so programs
// that call hitoku put cells and values into such a file.
const ArgsFrom = "args-from"

// WithFiles replaces --args-from by the lines of the files that it names, one argument each. These lines cannot name
// further files.
func WithFiles(args []string) (all, files []string, err error) {
	for k := 0; k < len(args); k++ {
		path, is := strings.CutPrefix(args[k], "--"+ArgsFrom+"=")
		switch {
		case args[k] == "--":
			return append(all, args[k:]...), files, nil
		case args[k] == "--"+ArgsFrom:
			if k++; k == len(args) {
				return args, files, i18n.Errorf("--%s: no file", ArgsFrom)
			}
			path = args[k]
		case !is:
			all = append(all, args[k])
			continue
		}
		files = append(files, path)
		text, err := budget.ReadFile(path, budget.Settings)
		if err != nil {
			return args, files, formats.OSError(path, err)
		}
		lines := strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
		if lines == "" {
			continue
		}
		for n, line := range strings.Split(lines, "\n") {
			if name, _, _ := strings.Cut(line, "="); name == "--"+ArgsFrom {
				return args, files, &formats.Error{File: path, Line: n + 1, Want: i18n.T("a file of arguments names no other")}
			}
			all = append(all, line)
		}
	}
	return all, files, nil
}
