package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
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
	split := 0
	for split < len(args) && args[split] != "--" {
		split++
	}
	if neg || split < 2 || split+1 >= len(args) {
		ts.Fatalf("usage: interrupt CODE PATTERN... -- command args...")
	}
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	var patterns []*regexp.Regexp
	for _, p := range args[1:split] {
		re, err := regexp.Compile(p)
		ts.Check(err)
		patterns = append(patterns, re)
	}
	env := ts.Value(environment{}).(*testscript.Env)
	cmd := exec.Command(lookPath(env.Getenv("PATH"), args[split+1]), args[split+2:]...)
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
						cmd.Process.Signal(os.Interrupt)
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
	if got := cmd.ProcessState.ExitCode(); got != code {
		ts.Fatalf("exit code %d, want %d", got, code)
	}
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
