package flags

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect"
)

// GuardOutputs makes a verb and those below it start only if the folders of their output files exist, so that nobody
// waits for what cannot be written, and if no output would overwrite an input or another output, whatever its name, or
// share standard output with anything.
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

// checkOutputs checks this for the flags of one call. Words go to standard error if a file goes to standard output.
func checkOutputs(cmd *cobra.Command, args []string) error {
	var outputs formats.Files
	var inputs *formats.Files
	var written []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && Of(f).Writes {
			written = append(written, f)
		}
	})
	stdout := ""
	var nowhere error
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
			if inputs == nil {
				inputs = Inputs(cmd, BesideTable)
			}
			if in, is := inputs.Find(path); is {
				return i18n.Errorf("%s: would overwrite the input %s", say, in)
			}
			files := filesOf(f, path, args)
			if _, err := os.Stat(filepath.Dir(path)); err != nil && nowhere == nil && len(Of(f).Files) > 0 && len(files) == 1 && files[0] == path {
				nowhere = formats.OSError(path, err)
			}
			for _, path := range files {
				if _, is := outputs.Find(path); is {
					return i18n.Errorf("%s: would overwrite another file of this run", say)
				}
			}
			for _, path := range files {
				outputs.Add(path)
			}
		}
	}
	if nowhere != nil {
		return nowhere
	}
	if f := cmd.Flags().Lookup("output"); stdout != "" && f != nil && Of(f).Stdout {
		return f.Value.Set("")
	}
	if stdout != "" {
		cmd.SetOut(cmd.ErrOrStderr())
	}
	return nil
}

// filesOf returns the files that a flag writes: the path or, in a folder, one for each argument.
func filesOf(f *pflag.Flag, path string, args []string) []string {
	info, err := os.Stat(path)
	if f.Name != "output" || !(err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1]) || err != nil && len(args) > 1) {
		return []string{path}
	}
	return sets.Each(args, func(in string) string { return filepath.Join(path, filepath.Base(in)) })
}

// Outputs returns the files to be written that flags of this call name.
func Outputs(cmd Call) *formats.Files {
	all := &formats.Files{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if Of(f).Writes {
			for _, path := range filesOf(f, f.Value.String(), cmd.Flags().Args()) {
				all.Add(path)
			}
		}
	})
	return all
}

// A Beside returns files that are read along with another without being named.
type Beside func(file, encoding string) []string

// BesideRecords returns the files that may be read with records: trees beside them only if metadata name them.
func BesideRecords(file, encoding string) []string {
	meta := argus.MetadataOf(file)
	return slices.Concat([]string{meta}, listsOf(file, encoding), listsOf(meta, encoding))
}

// BesideTable returns the files that may be read with a table.
func BesideTable(file, encoding string) []string {
	trees, _ := filepath.Glob(globEscape.Replace(filepath.Dir(file)) + string(filepath.Separator) + "*.hrc")
	return append(trees, BesideRecords(file, encoding)...)
}

// Inputs returns the files that this call reads: arguments and values of flags that are files, files of arguments,
// files that policies and ledgers name, tables in folders of what is published, and, unless with is nil, the files read
// along with them.
func Inputs(cmd Call, with Beside) *formats.Files {
	encoding := ""
	if f := cmd.Flags().Lookup("encoding"); f != nil {
		encoding = f.Value.String()
	}
	names := slices.Clone(cmd.Flags().Args())
	if f := cmd.Flags().Lookup(cli.ArgsFrom); f != nil {
		names = append(names, f.Annotations[cli.ArgsFrom]...)
	}
	var told protect.Policy
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := valuesOf(f)
		switch {
		case Of(f).Writes:
			return
		case f.Name == "policy":
			names = append(names, ofPolicy(values[0])...)
		case f.Name == "published":
			told.Published = values
		case f.Name == "ledger":
			told.Ledger = values[0]
		}
		names = append(names, values...)
	})
	var book *Book
	if told.Ledger != "" {
		book, _ = OpenBook(told.Ledger) // an error is reported where it is read
	}
	all := &formats.Files{}
	for _, path := range ReleasedFiles(&told, book) {
		addRegular(all, path)
	}
	for _, n := range names {
		_, file, _ := strings.Cut(n, "=") // DIM=FILE
		for _, part := range append(strings.Split(file, ","), strings.Split(n, ",")...) {
			addRegular(all, part)
		}
		if addRegular(all, n) && with != nil {
			for _, b := range with(n, encoding) {
				addRegular(all, b)
			}
		}
	}
	return all
}

// addRegular adds a file if it is a regular file, and reports whether it is.
func addRegular(all *formats.Files, path string) bool {
	info, err := os.Stat(path)
	if path == "" || err != nil || !info.Mode().IsRegular() {
		return false
	}
	all.Add(path)
	return true
}

// ofPolicy returns the values in a policy; nothing if it cannot be read, which is reported elsewhere.
func ofPolicy(path string) (values []string) {
	in, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer in.Close()
	p, c, err := protect.Read(in, path)
	if err != nil {
		return nil
	}
	for _, field := range append(p.Fields(), c.Fields()...) {
		values = append(values, field.Texts()...)
	}
	return values
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
	return nil // an error is reported where it is read
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
