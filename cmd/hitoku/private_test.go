package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/arb"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/private"
)

// watched is main for scripts.
func watched() {
	if os.Getenv(servantEnv) != "" {
		serve()
		return
	}
	if unwatched() {
		main()
	}
	os.Exit(int(watch()))
}

// unwatched says that a command may write what it wants.
func unwatched() bool {
	return os.Getenv("WORK") == "" || runtime.GOOS == "windows" || strings.Contains(os.Getenv("PAGER"), ">") // a pager writes, too
}

// watch executes a command of a script: what it has written anew below the folder of the script must be in the list of outputs, with the mode that this
// says, and what it has said may name flags that there are.
func watch() cli.Code {
	if unwatched() {
		return perform()
	}
	dir := os.Getenv("WORK")
	before := below(dir)
	var code cli.Code
	said := heard(func() { code = perform() })
	root := newRoot(nil)
	if c, _, err := root.Find(os.Args[1:]); err == nil && c != root && !strings.HasPrefix(c.CommandPath(), "hitoku batch") { // which tells what the verbs in its file say
		for _, fault := range unaccepted(root, c, said, os.Args[1:]) {
			fmt.Fprintf(os.Stderr, "%s names a flag that it does not have: %s\n", c.CommandPath(), fault)
			code = 111
		}
	}
	if fault := unlisted(dir, before); fault != "" {
		fmt.Fprintln(os.Stderr, fault)
		code = 111
	}
	return code
}

// below are the files and folders in a folder.
func below(dir string) map[string]fs.FileInfo {
	all := map[string]fs.FileInfo{}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil {
			if info, err := d.Info(); err == nil && !strings.HasPrefix(d.Name(), ".") {
				all[path] = info
			}
		}
		return nil
	})
	return all
}

// unlisted says which of the files that are new are not as the list has them.
func unlisted(dir string, before map[string]fs.FileInfo) string {
	verb, told := called(os.Args[1:])
	given := func(name string) bool {
		return slices.ContainsFunc(told, func(f *pflag.Flag) bool { return f.Name == name && f.Value.String() != "false" })
	}
	usual, closed := fs.FileMode(0), map[string]bool{} // folders with private files alone
	after := below(dir)
	for path, info := range after {
		if before[path] != nil || !info.Mode().IsRegular() {
			continue
		}
		o := listed(verb, naming(told, path), filepath.Base(path), filepath.Base(filepath.Dir(path)), given)
		if o == nil {
			return fmt.Sprintf("%s: a file of hitoku %s that is in no list of outputs", path, verb)
		}
		want := fs.FileMode(0o600)
		if o.Public {
			if usual == 0 {
				f, err := os.OpenFile(filepath.Join(dir, ".mode"), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o666)
				if err != nil {
					continue
				}
				made, _ := f.Stat()
				f.Close()
				os.Remove(f.Name())
				usual = made.Mode().Perm()
			}
			want = usual
		}
		exact := verb != "arb" || !o.Public // whose outputs are some of each
		if got := info.Mode().Perm(); exact && got != want {
			return fmt.Sprintf("%s: mode %04o of %q of hitoku %s, want %04o", path, got, o.What, verb, want)
		}
		for at := filepath.Dir(path); before[at] == nil && strings.HasPrefix(at, dir); at = filepath.Dir(at) {
			if was, known := closed[at]; !known || was {
				closed[at] = !o.Public
			}
		}
	}
	for at, is := range closed {
		if is && after[at] != nil && after[at].Mode().Perm() != 0o700 {
			return fmt.Sprintf("%s: mode %04o of a folder for the office, want 0700", at, after[at].Mode().Perm())
		}
	}
	return ""
}

// called returns the verb and the flags of a command line.
func called(args []string) (verb string, given []*pflag.Flag) {
	if arb.Called(os.Args[0]) || arb.IsBatch(args) {
		return "arb", nil
	}
	args, _, _ = cli.WithFiles(args)
	root := newRoot(args)
	cmd, rest, err := root.Find(args)
	if err != nil {
		return "", nil
	}
	cmd.ParseFlags(rest) // what is wrong with them has been said
	cmd.Flags().Visit(func(f *pflag.Flag) { given = append(given, f) })
	return strings.TrimPrefix(cmd.CommandPath(), "hitoku "), given
}

// naming is the flag that names a file, a folder around it or one beside which it stands.
func naming(given []*pflag.Flag, path string) string {
	stem := func(path string) string {
		return strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), filepath.Ext(strings.TrimSuffix(path, ".gz")))
	}
	for _, how := range []func(to string) bool{
		func(to string) bool { return to == path },
		func(to string) bool { return strings.HasPrefix(path, to+string(filepath.Separator)) },
		func(to string) bool { return strings.HasPrefix(path, stem(to)) },
	} {
		for _, f := range given {
			values := []string{f.Value.String()}
			if list, is := flags.Of(f).To.(*[]string); is {
				values = *list
			}
			for _, v := range values {
				to, err := filepath.Abs(v)
				if real, rerr := filepath.EvalSymlinks(to); rerr == nil {
					to = real
				}
				if err == nil && f.Value.Type() != "bool" && how(to) {
					return f.Name
				}
			}
		}
	}
	return ""
}

// listed returns the kind of a file that a verb wrote, nil if there is none. flag is the flag that names the file
// or its folder, "" if none does; dir is that folder; given reports which flags were given.
func listed(verb, flag, name, dir string, given func(flag string) bool) *private.Output {
	for _, o := range private.Outputs {
		if no := strings.TrimPrefix(o.If, "!"); o.If != "" && given(no) == (no != o.If) {
			continue
		}
		byName := o.Names != "" && slices.ContainsFunc(strings.Fields(o.Names), func(p string) bool {
			file, _ := path.Match(p, name)
			folder, _ := path.Match(p, dir)
			return file || folder && strings.HasSuffix(p, ".office")
		})
		if o.Names != "" && !byName {
			continue
		}
		for by := range strings.SplitSeq(o.By, ", ") {
			v, f, named := strings.Cut(by, " --")
			wild, _ := path.Match(v, verb)
			if (v == "*" || wild) && (named && f == flag || !named) {
				return o
			}
		}
	}
	return nil
}
