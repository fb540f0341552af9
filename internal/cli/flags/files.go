package flags

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
)

// InputArgs requires at least one input.
func InputArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return i18n.Errorf("%s: no input; see %s --help", Verb(cmd), cmd.CommandPath())
	}
	return nil
}

// Once returns an error if a file of records is named twice, because each of its persons would count as two.
func Once(paths []string) error {
	var files formats.Files
	for _, path := range paths {
		if first, twice := files.Add(path); twice {
			return i18n.Errorf("%s: the same file as %s, whose records would count twice", path, first)
		}
	}
	return nil
}

// OutputPaths returns where the protected table of each input is written: nowhere, to the file output, or to a file
// with the input's name in the directory output. Several inputs need a directory, which is created; an output must not
// be an input.
func OutputPaths(output string, inputs []string) ([]string, error) {
	paths := make([]string, len(inputs))
	if output == "" || output == formats.Stdout && len(inputs) == 1 {
		for n := range paths {
			paths[n] = output
		}
		return paths, nil
	}
	info, err := os.Stat(output)
	dir := err == nil && info.IsDir()
	switch {
	case dir:
	case len(inputs) == 1 && !os.IsPathSeparator(output[len(output)-1]):
		paths[0] = output
	case err == nil:
		return nil, i18n.Errorf("-o %s: a file, but %d inputs need a directory", output, len(inputs))
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(output, 0o777); err != nil {
			return nil, i18n.Errorf("-o: %w", err)
		}
		dir = true
	default:
		return nil, i18n.Errorf("-o: %w", err)
	}
	from, outputs := map[string]string{}, formats.Files{}
	for n, in := range inputs {
		if dir {
			if in == "-" {
				return nil, i18n.Errorf("-o %s: standard input has no name to write under; give a file", output)
			}
			paths[n] = filepath.Join(output, filepath.Base(in))
		}
		if same, dup := outputs.Add(paths[n]); dup {
			return nil, i18n.Errorf("-o %s: %s and %s would both be written to %s", output, from[same], in, paths[n])
		}
		from[paths[n]] = in
		if formats.SameFile(paths[n], in) {
			return nil, i18n.Errorf("-o %s: would overwrite the input %s", output, in)
		}
	}
	return paths, nil
}

// CheckFormat returns an error if the name of an output suggests a format other than the input's, in which it will be
// written.
func CheckFormat(output string, format formats.Format) error {
	if output == formats.Stdout && format == argus.Format {
		return i18n.Errorf("-o %s: a τ-ARGUS table is several files; give one a name", output)
	}
	if of := FormatsOf(output); len(of) == 0 || slices.Contains(of, FormatNamed(format)) || format == layout.Format {
		return nil // a copy of an office's file keeps its format, whatever its name
	}
	return i18n.Errorf("-o %s: the protected table is written in the format of the input, %s", output, format)
}

// IsJJ reports whether a file is a JJ file by its name.
func IsJJ(name string) bool { return filepath.Ext(strings.TrimSuffix(name, ".gz")) == ".jj" }
