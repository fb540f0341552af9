package render

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// paging shows what is longer than a window in the user's pager. The consoles of a command for results and for words
// share it, so that neither overwrites the other.
type paging struct {
	pager []string
	held  []byte // results held back while they still fit into the window
	sent  []byte // sent to the pager, and printed if it turns out that there is none
	run   *exec.Cmd
	in    io.WriteCloser
	again bool // repeat the last words when the pager has ended
}

// Page makes the user's pager show what is written from here on to out, a console, if that is a screen and the text
// does not fit. words is the console of standard error. With again the last words, including the verdict, are repeated
// when the pager has ended, because it clears the screen or was closed before its reader saw them.
func Page(out, words io.Writer, again bool) {
	c, ok := out.(*console)
	if !ok || c.screen == nil || c.paging != nil || c.w != os.Stdout {
		return
	}
	pager := pagerOf(os.LookupEnv)
	if pager == nil {
		return
	}
	c.paging = &paging{pager: pager, again: again}
	if e, ok := words.(*console); ok && e.screen != nil {
		e.paging = c.paging
	}
}

// pagerOf returns the command line of the pager: that of PAGER, else less; nil if there is none or none is wanted.
func pagerOf(env func(string) (string, bool)) []string {
	if kind, _ := env("TERM"); kind == "dumb" {
		return nil
	}
	name, set := env("PAGER")
	switch name = strings.TrimSpace(name); {
	case name == "cat" || set && name == "":
		return nil
	case !set:
		less, err := exec.LookPath("less")
		if err != nil {
			return nil
		}
		return []string{less}
	case runtime.GOOS == "windows":
		return strings.Fields(name)
	}
	return []string{"sh", "-c", name}
}

// lessEnv returns the environment of the pager: less passes colours, ends at the end of a short text and leaves it on
// the screen.
func lessEnv(env []string) []string {
	less, set := os.LookupEnv("LESS")
	if !set {
		return append(env, "LESS=FRX")
	}
	return append(env, "LESS="+strings.TrimSpace(less+" -R"))
}

// write handles text of a console.
func (p *paging) write(c *console, text []byte) error {
	switch results := c.w == os.Stdout; {
	case p.in != nil:
		p.send(text)
		return nil
	case !results: // words are written at once, after the results before them
		p.flush()
		_, err := c.w.Write(text)
		return err
	}
	p.held = append(p.held, text...)
	if bytes.Count(p.held, []byte("\n")) < c.screen.Height {
		return nil
	}
	if !p.start() {
		return p.flush()
	}
	p.send(p.held)
	p.held = nil
	return nil
}

// send writes to the pager. An error means that the reader has closed it.
func (p *paging) send(text []byte) {
	p.sent = append(p.sent, text...)
	p.in.Write(text)
}

// start starts the pager, if there is one.
func (p *paging) start() bool {
	p.run = exec.Command(p.pager[0], p.pager[1:]...)
	p.run.Stdout, p.run.Stderr, p.run.Env = os.Stdout, os.Stderr, lessEnv(os.Environ())
	in, err := p.run.StdinPipe()
	if err == nil {
		err = p.run.Start()
	}
	if err != nil {
		return false
	}
	p.in = in
	return true
}

// flush writes what is held back.
func (p *paging) flush() error {
	held := p.held
	p.held = nil
	_, err := os.Stdout.Write(held)
	return err
}

// close waits until the user has closed the pager.
func (p *paging) close(c *console) {
	switch {
	case p.in != nil:
		p.in.Close()
		p.run.Wait()
		if code := p.run.ProcessState.ExitCode(); code == 126 || code == 127 { // the shell's codes for a program that does not exist or cannot run
			os.Stdout.Write(p.sent)
		} else if p.again {
			os.Stdout.Write(lastWords(p.sent))
		}
		p.in, p.run, p.sent = nil, nil, nil
		c.paging = nil
	case c.w == os.Stdout:
		if err := p.flush(); c.err == nil {
			c.err = err
		}
	}
}

// lastWords returns the lines after the last empty one; of many only the first and the last, where verdicts stand.
func lastWords(text []byte) []byte {
	const first, last = 2, 6
	text = bytes.TrimRight(text, "\n")
	if k := bytes.LastIndex(text, []byte("\n\n")); k >= 0 {
		text = text[k+2:]
	}
	lines := bytes.Split(text, []byte("\n"))
	if len(lines) > first+last {
		lines = slices.Concat(lines[:first], [][]byte{[]byte("…")}, lines[len(lines)-last:])
	}
	return append(bytes.Join(lines, []byte("\n")), '\n')
}
