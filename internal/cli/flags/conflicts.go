package flags

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/i18n"
)

// Plain returns how a flag, or FLAG=VALUE, is written on the command line.
func Plain(condition string) string {
	name, value, ok := strings.Cut(condition, "=")
	if ok {
		value = " " + value
	}
	return flagOf(name) + value
}

// flagOf returns how messages name a flag.
func flagOf(name string) string {
	switch name {
	case "output", "quiet":
		return "-" + name[:1]
	}
	return "--" + name
}

// holds returns a function that reports whether a flag, or FLAG=VALUE, is given in fs.
func holds(fs *pflag.FlagSet) func(condition string) bool {
	return func(condition string) bool {
		name, value, one := strings.Cut(condition, "=")
		f := fs.Lookup(name)
		return f != nil && given(f) && (!one || f.Value.String() == value)
	}
}

// given reports whether a flag was given a value other than false, nothing and its default.
func given(f *pflag.Flag) bool {
	value, of := f.Value.String(), Of(f)
	return f.Changed && !slices.Contains([]string{"", "false", "[]"}, value) && (of.Default == nil || value != fmt.Sprint(of.Default))
}

// Check returns an error for the first flag of cmd, in the order of declaration, that conflicts with the other flags
// given or with the inputs.
func Check(cmd *cobra.Command, args []string) (err error) {
	fs := cmd.Flags()
	fs.VisitAll(func(f *pflag.Flag) {
		if err == nil && given(f) {
			err = checkOne(fs, f, args)
		}
	})
	fs.VisitAll(func(f *pflag.Flag) {
		if err != nil || !Of(f).Wanted || given(f) || slices.ContainsFunc(Of(f).Unless, holds(fs)) {
			return
		}
		list := i18n.List{And: "or"}
		for _, or := range append([]string{f.Name}, Of(f).Unless...) {
			list.Items = append(list.Items, Plain(or))
		}
		if len(list.Items) == 1 {
			arg, _ := pflag.UnquoteUsage(f)
			list.Items[0] = strings.TrimSpace(Plain(f.Name) + " " + strings.ToUpper(arg))
		}
		err = i18n.Errorf("%s: want %s", Verb(cmd), list)
	})
	if err == nil {
		fs.VisitAll(func(f *pflag.Flag) { promised(cmd, f, args) })
	}
	return err
}

// promised warns about the name of an output whose extension suggests a format that is not written: neither one that
// the verb writes nor one that an input has. For other formats of tables the verbs return an error themselves.
func promised(cmd *cobra.Command, f *pflag.Flag, args []string) {
	of := Of(f)
	if !given(f) || !of.Writes || of.Only || len(of.Files) == 0 {
		return
	}
	for _, path := range valuesOf(f) {
		ext := extension(path)
		known := ext == "" || !unicode.IsLetter(rune(ext[0])) || slices.Contains(of.Files, ext) || len(FormatsOf(path)) > 0 ||
			slices.ContainsFunc(args, func(in string) bool { return extension(in) == ext })
		if !known {
			cli.Note(cmd.ErrOrStderr(), "%s %s: the file is written as it would be under any other name; none of its formats has this extension", Plain(f.Name), path)
		}
	}
}

// extension returns the extension of a file name, without .gz; "" for the name of a folder.
func extension(path string) string {
	return strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")), ".")
}

// checkOne checks a flag that is given.
func checkOne(fs *pflag.FlagSet, f *pflag.Flag, args []string) error {
	of, name := Of(f), Plain(f.Name)
	switch {
	case of.Inputs == 1 && len(args) > 1:
		return i18n.Errorf("%s takes one input, not %d", name, len(args))
	case of.Inputs == 2 && len(args) < 2:
		return i18n.Errorf("%s takes two inputs or more", name)
	}
	if fault := of.Check(valuesOf(f), holds(fs)); !fault.IsZero() {
		return i18n.Errorf("%s", fault.Named(flagOf))
	}
	if of.Beside == nil {
		return nil
	}
	var err error
	fs.Visit(func(other *pflag.Flag) {
		if err == nil && other != f && !slices.Contains(of.Beside, other.Name) {
			err = i18n.Errorf("%s does not go with %s", Plain(other.Name), name)
		}
	})
	return err
}
