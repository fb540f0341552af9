package said

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// lead is what a line that the command says to people begins with.
const lead = "hitoku: "

// A writer translates what begins with the name of the command, line by line; progress and other text pass as they are.
type writer struct {
	mu   sync.Mutex // words come from workers, too
	w    io.Writer
	c    *Catalogue
	line []byte // the beginning of a line that may be a message
}

// Writer translates messages written to w. Close writes a last line without an end; it does not close w.
func (c *Catalogue) Writer(w io.Writer) io.WriteCloser { return &writer{w: w, c: c} }

func (w *writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(b)
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n')
		if len(w.line) == 0 && !message(b) {
			if end < 0 {
				end = len(b) - 1
			}
			if _, err := w.w.Write(b[:end+1]); err != nil {
				return 0, err
			}
			b = b[end+1:]
			continue
		}
		if end < 0 {
			w.line = append(w.line, b...)
			return n, nil
		}
		w.line = append(w.line, b[:end+1]...)
		if err := w.say(); err != nil {
			return 0, err
		}
		b = b[end+1:]
	}
	return n, nil
}

// message reports whether b may begin a message.
func message(b []byte) bool {
	return bytes.HasPrefix(b, []byte(lead)) || bytes.HasPrefix([]byte(lead), b)
}

func (w *writer) say() error {
	line := string(w.line)
	w.line = w.line[:0]
	text, end := strings.CutSuffix(line, "\n")
	if rest, ok := strings.CutPrefix(text, lead); ok {
		text = lead + w.c.Message(rest)
	}
	if end {
		text += "\n"
	}
	_, err := io.WriteString(w.w, text)
	return err
}

func (w *writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.line) == 0 {
		return nil
	}
	return w.say()
}
