package flags

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/sets"
)

// GuardOutputs lets a verb and those below it begin only if no output of theirs would overwrite an
// input or another output, whatever its name, or share standard output with anything.
func GuardOutputs(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		GuardOutputs(c)
	}
	run := cmd.RunE
	if run == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkOutputs(cmd, args); err != nil {
			return err
		}
		return run(cmd, args)
	}
}

// checkOutputs does it for the flags of one call. Words go to standard error where a file goes to
// standard output.
func checkOutputs(cmd *cobra.Command, args []string) error {
	type output struct {
		flag *pflag.Flag
		path string
	}
	var outputs []output
	var written []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && Of(f).Writes {
			written = append(written, f)
		}
	})
	stdout := ""
	for _, f := range written {
		for _, path := range valuesOf(f) {
			if path == "" {
				continue
			}
			say := flagOf(f.Name) + " " + path
			if path == formats.Stdout {
				switch json := cmd.Flags().Lookup("json"); {
				case stdout != "":
					return i18n.Errorf("%s and %s: only one of them can be standard output", stdout, say)
				case json != nil && json.Changed && json.Value.String() == "true":
					return i18n.Errorf("%s and --json both want standard output; give one of them a file", say)
				case len(args) > 1 && f.Name == "output" && cmd.Name() == "suppress":
					return i18n.Errorf("%s: standard output has room for one table, not %d", say, len(args))
				}
				stdout = say
				continue
			}
			if in := Overwritten(cmd, path); in != "" {
				return i18n.Errorf("%s: would overwrite the input %s", say, in)
			}
			before := outputs
			for _, path := range filesOf(f, path, args) {
				for _, o := range before {
					if formats.SameFile(o.path, path) {
						return i18n.Errorf("%s: would overwrite another file of this run", say)
					}
				}
				outputs = append(outputs, output{f, path})
			}
		}
	}
	if f := cmd.Flags().Lookup("output"); stdout != "" && f != nil && Of(f).Stdout {
		return f.Value.Set("")
	}
	if stdout != "" {
		cmd.SetOut(cmd.ErrOrStderr())
	}
	return nil
}

// filesOf are the files that a flag writes: the path, or in a folder one for each argument.
func filesOf(f *pflag.Flag, path string, args []string) []string {
	info, err := os.Stat(path)
	if f.Name != "output" || !(err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1]) || err != nil && len(args) > 1) {
		return []string{path}
	}
	all := sets.Each(args, func(in string) string { return filepath.Join(path, filepath.Base(in)) })
	return all
}

// Overwritten returns the name of an input of this call that is the file called path, by the identity of
// the file, or nothing. Inputs are all arguments and values of flags that are files, and
// the files that are read with them unnamed.
func Overwritten(cmd Call, path string) string { return overwritten(cmd, path, besideTable) }

// OverwrittenNamed is Overwritten for the files that the call names.
func OverwrittenNamed(cmd Call, path string) string {
	return overwritten(cmd, path, func(string, string) []string { return nil })
}

// OverwrittenRecords is Overwritten where the inputs are records: trees beside them are read only if metadata name them.
func OverwrittenRecords(cmd Call, path string) string { return overwritten(cmd, path, besideRecords) }

// besideRecords are the files that may be read with records, unnamed.
func besideRecords(file, encoding string) []string {
	meta := argus.MetadataOf(file)
	return slices.Concat([]string{meta}, listsOf(file, encoding), listsOf(meta, encoding))
}

// besideTable are the files that may be read with a table, unnamed.
func besideTable(file, encoding string) []string {
	trees, _ := filepath.Glob(globEscape.Replace(filepath.Dir(file)) + string(filepath.Separator) + "*.hrc")
	return append(trees, besideRecords(file, encoding)...)
}

func overwritten(cmd Call, path string, beside func(file, encoding string) []string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	same := func(in string) bool {
		other, err := os.Stat(in)
		return err == nil && os.SameFile(info, other)
	}
	encoding := ""
	if f := cmd.Flags().Lookup("encoding"); f != nil {
		encoding = f.Value.String()
	}
	names := slices.Clone(cmd.Flags().Args())
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !Of(f).Writes {
			names = append(names, valuesOf(f)...)
		}
	})
	for _, n := range names {
		if same(n) {
			return n
		}
		_, file, _ := strings.Cut(n, "=") // DIM=FILE
		for _, part := range append(strings.Split(file, ","), strings.Split(n, ",")...) {
			if part != "" && same(part) {
				return part
			}
		}
		if in, err := os.Stat(n); err != nil || !in.Mode().IsRegular() {
			continue
		}
		for _, b := range beside(n, encoding) {
			if same(b) {
				return b
			}
		}
	}
	return ""
}

// listsOf returns the files that the τ-ARGUS metadata called path name, nothing if it is something else.
func listsOf(path, encoding string) []string {
	if !strings.EqualFold(filepath.Ext(path), ".rda") {
		return nil
	}
	for _, kind := range []argus.Kind{argus.Tabular, argus.Microdata} {
		if m, err := argus.ReadMetadata(path, kind, encoding); err == nil {
			return m.Lists()
		}
	}
	return nil // what is wrong with it is said where it is read
}

var globEscape = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`)

// valuesOf returns what was given for a flag.
func valuesOf(f *pflag.Flag) []string {
	switch list := Of(f).To.(type) {
	case *[]string:
		return slices.Clone(*list)
	case option.List:
		return list.Texts()
	}
	return []string{f.Value.String()}
}
