package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // thousands of short runs in one process, half of whose time would go to collecting
	testscript.Main(m, map[string]func(){"hitoku": watched, "TauArgus.exe": watched, "tauargus": watched})
}

// TestScripts runs testdata/script/*.txtar: commands, inputs and expected output
// in one file each. $DATA is the repository's testdata. The command
// "steady FILE" rewrites what differs from run to run in a JSON document,
// "skeleton FILE" leaves of it nothing but the keys, "attempt command args..."
// takes every exit code,
// "cp932 FILE..." and "cp1252 FILE..." encode files; "interrupt" and "orphan" are in interrupt_test.go, and served_test.go has
// one process run many commands.
func TestScripts(t *testing.T) {
	data := must.Get(filepath.Abs("../../testdata"))(t)
	scripts, pool := "testdata/script", &servants{}
	if !*update && (!heavy.On() || inProcess()) {
		scripts = served(t, scripts)
		t.Cleanup(pool.end)
	}
	testscript.Run(t, testscript.Params{
		Dir:           scripts,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DATA", data)
			env.Values[environment{}] = env
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"steady": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: steady FILE")
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), steady([]byte(ts.ReadFile(args[0]))), 0o666))
			},
			"skeleton": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: skeleton FILE")
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), skeleton([]byte(ts.ReadFile(args[0]))), 0o666))
			},
			"attempt": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: attempt command args...")
				}
				if err := ts.Exec(args[0], args[1:]...); err != nil {
					ts.Logf("%v", err)
				}
			},
			"exitcode":  exitcode,
			"serve":     pool.command,
			"interrupt": interrupt,
			"orphan":    orphan,
			"private": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: private FILE")
				}
				info, err := os.Stat(ts.MkAbs(args[0]))
				ts.Check(err)
				if info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
					ts.Fatalf("%s has mode %04o, want 0600", args[0], info.Mode().Perm())
				}
			},
			"cp932":  encode(japanese.ShiftJIS),
			"cp1252": encode(charmap.Windows1252),
			// carriage ends the lines of a file in carriage returns.
			"carriage": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: carriage FILE")
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r")), 0o666))
			},
		},
		// [clp], [lpsolve]: this build has that back end.
		Condition: func(name string) (bool, error) { return slices.Contains(lp.Backends(), name), nil },
	})
}

// unsteady are the keys whose values depend on the machine, the build or the
// course of the search.
var unsteady = regexp.MustCompile(`"(seconds|version|rounds|nodes|cuts|rate)":("[^"]*"|[0-9.e+-]+|\{[^}]*\})`)

// steady blanks the values of unsteady keys in JSON documents.
func steady(b []byte) []byte { return unsteady.ReplaceAll(b, []byte(`"$1":"…"`)) }

// scalar is a value in a JSON document that is no object, nor a list of such.
var scalar = regexp.MustCompile(`:("([^"\\\\]|\\\\.)*"|[-0-9][^,}\]]*|true|false|null)|\[[-0-9.,e+]+\]|\["[^\]]*\]`)

// skeleton blanks these, but for the kind.
func skeleton(b []byte) []byte {
	return scalar.ReplaceAllFunc(b, func(v []byte) []byte {
		if v[0] == '[' {
			return []byte("[…]")
		}
		if bytes.HasPrefix(v, []byte(`:"hitoku/`)) {
			return v // the kind of the document
		}
		return []byte(":…")
	})
}

// exitcode is "exitcode N command args...": it runs hitoku and wants exit code N.
func exitcode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		m := regexp.MustCompile(`^exit status (\d+)$`).FindStringSubmatch(err.Error())
		if m == nil {
			ts.Fatalf("%v", err)
		}
		got = m[1]
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// encode is a command of scripts that takes files from UTF-8 to an encoding.
func encode(to encoding.Encoding) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) == 0 {
			ts.Fatalf("usage: cp932 FILE...")
		}
		for _, file := range args {
			b, err := to.NewEncoder().Bytes([]byte(ts.ReadFile(file)))
			ts.Check(err)
			ts.Check(os.WriteFile(ts.MkAbs(file), b, 0o666))
		}
	}
}
