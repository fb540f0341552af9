package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// environment is the key under which a script keeps its environment.
type environment struct{}

// interrupt is "interrupt CODE PATTERN... -- command args...": it runs hitoku with
// progress shown, waits until lines of its output have matched the patterns one
// after the other, interrupts it and wants the exit code. Nothing depends on how
// long the machine takes.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	signal := os.Interrupt
	if all := endings(); len(args) > 0 && args[0] == "-hangup" { // that a terminal has gone, where there is such a signal
		args, signal = args[1:], all[len(all)-1]
	}
	split := slices.Index(args, "--")
	if neg || split < 2 || split+1 >= len(args) {
		ts.Fatalf("usage: interrupt [-hangup] CODE PATTERN... -- command args...")
	}
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := signalAt(ts, signal, args[1:split], args[split+1:]).ExitCode(); got != code {
		ts.Fatalf("exit code %d, want %d", got, code)
	}
}

// orphan is "orphan PATTERN... -- command args...": it kills the command, and waits until what this has started ends.
func orphan(ts *testscript.TestScript, neg bool, args []string) {
	split := slices.Index(args, "--")
	if neg || split < 1 || split+1 >= len(args) {
		ts.Fatalf("usage: orphan PATTERN... -- command args...")
	}
	signalAt(ts, os.Kill, args[:split], args[split+1:])
}

// signalAt runs a command, sends it a signal where lines of its output have matched the patterns one after the other, and
// waits until nobody can write to its output any more.
func signalAt(ts *testscript.TestScript, sig os.Signal, lines, args []string) *os.ProcessState {
	var patterns []*regexp.Regexp
	for _, p := range lines {
		re, err := regexp.Compile(p)
		ts.Check(err)
		patterns = append(patterns, re)
	}
	env := ts.Value(environment{}).(*testscript.Env)
	cmd := exec.Command(lookPath(env.Getenv("PATH"), args[0]), args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(env.Vars, "HITOKU_PROGRESS=always")
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	words, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	var mu sync.Mutex
	var texts [2]strings.Builder
	var wg sync.WaitGroup
	for k, r := range []io.Reader{out, words} {
		wg.Go(func() {
			lines := bufio.NewScanner(r)
			lines.Buffer(nil, 64<<20)
			for lines.Scan() {
				mu.Lock()
				fmt.Fprintln(&texts[k], lines.Text())
				if len(patterns) > 0 && patterns[0].MatchString(lines.Text()) {
					if patterns = patterns[1:]; len(patterns) == 0 {
						cmd.Process.Signal(sig)
					}
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	cmd.Wait()
	fmt.Fprint(ts.Stdout(), texts[0].String())
	fmt.Fprint(ts.Stderr(), texts[1].String())
	if len(patterns) > 0 {
		ts.Fatalf("no line matched %v; it ended by itself", patterns[0])
	}
	return cmd.ProcessState
}

// lookPath finds a program in the folders of path.
func lookPath(path, name string) string {
	for _, dir := range strings.Split(path, string(os.PathListSeparator)) {
		if p, err := exec.LookPath(dir + string(os.PathSeparator) + name); err == nil {
			return p
		}
	}
	return name
}
