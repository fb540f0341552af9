package nats

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/parallel"
)

// A Worker does tables until its context ends.
type Worker struct {
	Hitoku  string // path of the program
	Version string // the version that the program reports; the worker takes only tables for it
	Slots   int    // number of tables at the same time
	Log     func(format string, args ...any)
}

// ProgramVersion asks the program for its version and makes it specific to the build, as batch.Program does.
func ProgramVersion(ctx context.Context, hitoku string) (string, error) {
	out, err := exec.CommandContext(ctx, hitoku, "version", "--json").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", hitoku, err)
	}
	var v struct{ Version string }
	if err := json.Unmarshal(out, &v); err != nil || v.Version == "" {
		return "", fmt.Errorf("%s: does not tell its version; is it hitoku?", hitoku)
	}
	return batch.Program(v.Version, hitoku)
}

// Work takes tables from the queue until ctx ends; then it returns those under way to the queue, and returns
// nil. Errors are those of the connection.
func (f *Fleet) Work(ctx context.Context, w *Worker) error {
	queue, err := f.queue(ctx, w.Version)
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	faults := make([]error, w.Slots)
	for k := range w.Slots {
		group.Add(1)
		go func() {
			defer group.Done()
			faults[k] = f.slot(ctx, w, queue)
		}()
	}
	group.Wait()
	return errors.Join(faults...)
}

func (f *Fleet) slot(ctx context.Context, w *Worker, queue jetstream.Consumer) error {
	faults := 0 // number of successive faults
	for ctx.Err() == nil {
		batch, err := queue.Fetch(1, jetstream.FetchMaxWait(time.Second))
		if err == nil {
			for m := range batch.Messages() {
				if err := f.do(ctx, w, m); err == nil {
					faults = 0
				} else if ctx.Err() == nil {
					w.Log("%v", err)
					if !errors.Is(err, errRefused) {
						faults++
					}
				}
			}
			// The cause may be this machine, such as a full disk, so other workers should take the tables.
			if faults > 1 {
				select {
				case <-ctx.Done():
				case <-time.After(time.Second << min(faults, 6)):
				}
			}
			err = batch.Error()
		}
		switch {
		case err == nil || errors.Is(err, jetstream.ErrNoMessages) || ctx.Err() != nil:
		case f.conn.IsClosed():
			return err
		default: // the server may come back
			w.Log("%v", err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
	return nil
}

// errRefused marks a message that no worker would accept: its sender is at fault, and trying again is useless.
var errRefused = errors.New("refused")

// do does the table of one message. It stores the result before it acknowledges the message, so that a worker
// that dies in between costs nothing but time.
func (f *Fleet) do(ctx context.Context, w *Worker, m jetstream.Msg) error {
	var t task
	if err := json.Unmarshal(m.Data(), &t); err != nil {
		return errors.Join(fmt.Errorf("%s: %w: not a task: %w", m.Subject(), errRefused, err), m.Term())
	}
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w: %w", m.Subject(), errRefused, err), m.Term())
	}
	if done, err := has(ctx, f.results, t.Key); err != nil || done {
		return errors.Join(err, m.Ack())
	}
	if meta.NumDelivered > Deliver {
		w.Log("%s: given up", t.Input)
		why := fmt.Sprintf("given up: %d workers ended while they did it", Deliver)
		if err := f.store(ctx, &t, &outcome{Exit: 3, Why: why, Dead: true}, nil); err != nil {
			return err
		}
		return m.Ack()
	}
	alive, stop := context.WithCancel(ctx)
	defer stop()
	go parallel.Every(alive, f.wait/3, func() {
		if err := m.InProgress(); err != nil {
			w.Log("%s: %v", t.Input, err)
		}
	})
	out, output, err := f.run(ctx, w, &t)
	switch {
	case ctx.Err() != nil:
		return m.Nak() // another worker gets it at once
	case err != nil:
		return errors.Join(fmt.Errorf("%s: %w", t.Input, err), m.NakWithDelay(min(time.Second, f.wait)))
	}
	if err := f.store(ctx, &t, out, output); err != nil {
		return errors.Join(err, m.Nak())
	}
	return m.Ack()
}

// store stores a result.
func (f *Fleet) store(ctx context.Context, t *task, o *outcome, output []byte) error {
	head, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = f.results.PutBytes(ctx, t.Key, append(append(head, '\n'), output...))
	return err
}

// run runs the program on the files of the task, in a folder of its own.
func (f *Fleet) run(ctx context.Context, w *Worker, t *task) (*outcome, []byte, error) {
	dir, err := os.MkdirTemp("", "hitoku-fleet-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir) // names and links cannot lead outside
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	for _, path := range slices.Sorted(maps.Keys(t.Files)) {
		err := f.fetch(ctx, root, path, t.Files[path])
		if errors.Is(err, errSpoilt) || errors.Is(err, errAbsent) {
			return &outcome{Exit: 2, Why: err.Error(), Fault: true}, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if err := t.checkMetadata(root, dir); err != nil {
		return &outcome{Exit: 2, Why: err.Error()}, nil, nil
	}
	if err := root.MkdirAll(filepath.Dir(t.Output), 0o700); err != nil {
		return nil, nil, err
	}
	var stdout, stderr bytes.Buffer
	message, err := json.Marshal(t.message())
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, w.Hitoku, "batch", "task")
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, bytes.NewReader(message), &stdout, &stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, TokenEnv+"=") })
	// The program was killed, or it or the machine has a fault: another worker may succeed.
	if err := run(cmd); err != nil {
		return nil, nil, fmt.Errorf("hitoku: %v: %s", err, lastLine(stderr.Bytes()))
	}
	var r document.BatchResult
	if err := document.Read(stdout.Bytes(), &r); err != nil {
		return nil, nil, fmt.Errorf("hitoku batch task: %w", err)
	}
	o := &outcome{Exit: r.Exit, Why: r.Why, Report: r.Report, Altered: r.Altered}
	content, err := root.ReadFile(t.Output)
	switch {
	case err == nil:
		trees, other, err := t.beside(root)
		if err != nil {
			return nil, nil, err
		}
		if other != "" { // such as the metadata and code lists of a τ-ARGUS table
			return &outcome{Exit: 2, Why: other + ": a fleet sends back a table and its hierarchies; use hitoku batch"}, nil, nil
		}
		o.Trees = trees
		o.Wrote = true
	case !errors.Is(err, os.ErrNotExist):
		return nil, nil, err
	}
	return o, content, nil
}

// beside returns the hierarchies that were written beside the output in root, and the name of any other file
// there, empty if there is none.
func (t *task) beside(root *os.Root) (trees []tree, other string, err error) {
	dir := filepath.Dir(t.Output)
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(dir))
	if err != nil {
		return nil, "", err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if _, given := t.Files[path]; given || e.IsDir() || path == t.Output {
			continue
		}
		if !isTree(t.Output, e.Name()) {
			return nil, path, nil
		}
		content, err := root.ReadFile(path)
		if err != nil {
			return nil, "", err
		}
		trees = append(trees, tree{e.Name(), content})
	}
	return trees, "", nil
}

func lastLine(b []byte) []byte {
	b = bytes.TrimSpace(b)
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// errAbsent is returned for a file that is not in the store.
var errAbsent = errors.New("the store of the fleet does not have this file; run submit again, which stores it")

// errSpoilt is returned for a stored file whose content does not have the hash that is its name.
var errSpoilt = errors.New("the store of the fleet has another file under its hash; run submit again, which stores it anew")

// fetch writes a stored file to its path below root. It fails with errSpoilt if the content does not have that
// hash.
func (f *Fleet) fetch(ctx context.Context, root *os.Root, path, sum string) error {
	if err := local(path); err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	object, err := f.files.Get(ctx, sum)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return fmt.Errorf("%s: %w", path, errAbsent)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", sum, err)
	}
	defer object.Close()
	to, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(to, h), object)
	if err := errors.Join(err, to.Close()); err != nil {
		if errors.Is(err, jetstream.ErrDigestMismatch) {
			return fmt.Errorf("%s: %w", path, errSpoilt)
		}
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return fmt.Errorf("%s: %w", path, errSpoilt)
	}
	return nil
}
