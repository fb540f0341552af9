package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/lp"
)

// Two thousand commands of scripts take longer to start than to run. So a process runs one after the other, each with a folder, an
// environment, arguments and streams of its own, and a fresh process where a command changes the process it is in. With HITOKU_HEAVY each
// command is a process.

// inProcess reports whether that holds for heavy tests, too: in a build with libraries, where the same commands run once more, for the sake of
// its back ends, unless everything is to be drawn.
func inProcess() bool {
	return (slices.Contains(lp.Backends(), "clp") || slices.Contains(lp.Backends(), "lpsolve")) && heavy.Large(0, 4) < 4
}

// servantEnv is set in the environment of a process that runs many commands.
const servantEnv = "HITOKU_TEST_SERVANT"

type (
	// A task is one command line.
	task struct {
		Dir       string
		Env, Args []string
	}
	// A done task has printed this.
	done struct {
		Code           int
		Stdout, Stderr []byte
	}
)

// serve runs tasks until there is none.
func serve() {
	tasks, answers := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	own := os.Stderr
	for {
		var next task
		if err := tasks.Decode(&next); err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintln(own, err)
				os.Exit(1)
			}
			return
		}
		answer, err := next.run()
		if err == nil {
			err = answers.Encode(answer)
		}
		if err != nil {
			fmt.Fprintln(own, err)
			os.Exit(1)
		}
	}
}

func (t task) run() (*done, error) {
	os.Clearenv()
	for _, e := range t.Env {
		name, value, _ := strings.Cut(e, "=")
		os.Setenv(name, value)
	}
	if err := os.Chdir(t.Dir); err != nil {
		return nil, err
	}
	stdin, none, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	none.Close()
	defer stdin.Close()
	var answer done
	var wg sync.WaitGroup
	collect := func(to *[]byte) *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		wg.Go(func() {
			*to, _ = io.ReadAll(r)
			r.Close()
		})
		return w
	}
	os.Args, os.Stdin, os.Stdout, os.Stderr = t.Args, stdin, collect(&answer.Stdout), collect(&answer.Stderr)
	answer.Code = int(watch())
	os.Stdout.Close()
	os.Stderr.Close()
	wg.Wait()
	return &answer, nil
}

// servants are processes that wait for tasks.
type servants struct {
	mu   sync.Mutex
	idle []*worker
}

type worker struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	tasks   *gob.Encoder
	answers *gob.Decoder
	faults  strings.Builder
}

func (s *servants) take(path string) (*worker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		w := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return w, nil
	}
	w := &worker{cmd: exec.Command(path)}
	w.cmd.Env = append(os.Environ(), servantEnv+"=1")
	w.cmd.Stderr = &w.faults
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.in, w.tasks, w.answers = in, gob.NewEncoder(in), gob.NewDecoder(out)
	return w, w.cmd.Start()
}

func (w *worker) end() error {
	w.in.Close()
	return w.cmd.Wait()
}

// do has a task done by the program at path. The process that does it is of no further use where the task changes it.
func (s *servants) do(path string, t task) (*done, error) {
	w, err := s.take(path)
	if err != nil {
		return nil, err
	}
	var answer done
	if err := w.tasks.Encode(t); err != nil {
		return nil, fmt.Errorf("%w, %w: %s", err, w.end(), w.faults.String())
	}
	if err := w.answers.Decode(&answer); err != nil {
		return nil, fmt.Errorf("%w, %w: %s", err, w.end(), w.faults.String())
	}
	if slices.ContainsFunc(t.Args, func(a string) bool { return strings.HasPrefix(a, "--read-limit") || a == "open" }) {
		return &answer, w.end()
	}
	s.mu.Lock()
	s.idle = append(s.idle, w)
	s.mu.Unlock()
	return &answer, nil
}

func (s *servants) end() {
	for _, w := range s.idle {
		w.end()
	}
}

// served writes the scripts of a folder anew, with "serve" before each command that needs no process of its own: what is interrupted, goes on in
// the background, reads what it is given or has a terminal does.
func served(t *testing.T, dir string) string {
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	to := t.TempDir()
	for _, path := range scripts {
		text := must.Get(os.ReadFile(path))(t)
		script, files := string(text), ""
		if at := strings.Index(script, "\n-- "); at >= 0 {
			script, files = script[:at], script[at:]
		}
		lines := strings.Split(script, "\n")
		given, set := false, ""
		for k, line := range lines {
			switch words := strings.Fields(line); {
			case len(words) == 0:
			case words[0] == "env":
				name, _, _ := strings.Cut(words[1], "=")
				set += name + " "
			case words[0] == "stdin" || words[0] == "ttyin":
				given = true
			case given && slices.ContainsFunc(words, func(w string) bool { return w == "exec" || w == "exitcode" || w == "attempt" }):
				given = false
			default:
				if m := inScript.FindStringSubmatch(line); m != nil {
					lines[k] = m[1] + m[2] + "serve " + set + m[3] + " hitoku " + m[4]
				}
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(to, filepath.Base(path)), []byte(strings.Join(lines, "\n")+files), 0o666))
	}
	return to
}

// command is "serve NAME... exec hitoku args...", and exitcode and attempt in place of exec; the script has set the names in its environment.
func (s *servants) command(ts *testscript.TestScript, neg bool, args []string) {
	env := slices.Clone(ts.Value(environment{}).(*testscript.Env).Vars)
	for !slices.Contains([]string{"exec", "exitcode", "attempt"}, args[0]) {
		env = append(env, args[0]+"="+ts.Getenv(args[0]))
		args = args[1:]
	}
	how, want := args[0], "0"
	args = args[1:]
	if how == "exitcode" {
		want, args = args[0], args[1:]
	}
	dir := ts.MkAbs(".")
	answer, err := s.do(lookPath(ts.Getenv("PATH"), args[0]), task{Dir: dir, Env: append(env, "PWD="+dir), Args: args})
	ts.Check(err)
	ts.Stdout().Write(answer.Stdout)
	ts.Stderr().Write(answer.Stderr)
	switch {
	case how == "attempt":
	case neg && answer.Code == 0:
		ts.Fatalf("unexpected command success")
	case !neg && fmt.Sprint(answer.Code) != want:
		ts.Fatalf("exit code %d, want %s", answer.Code, want)
	}
}
