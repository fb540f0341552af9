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
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/private"
)

// A Submitter puts tables into the queue and waits for their results. Its method Do serves as batch.Options.Do:
// the fleet is then a worker of a batch, which keeps its journal and its folder of results.
type Submitter struct {
	f       *Fleet
	version string
	again   bool

	mu       sync.Mutex
	waiting  map[string]chan struct{} // by key of the table
	uploaded map[string]bool          // by hash of the file
	every    time.Duration
	stop     func()
}

// Submitter starts to wait for results. Tables are for workers with this version of hitoku. If again is set,
// tables with a stored result that did not end with exit code 0 are done again.
func (f *Fleet) Submitter(ctx context.Context, version string, again bool) (*Submitter, error) {
	ctx, cancel := context.WithCancel(ctx)
	watch, err := f.results.Watch(ctx, jetstream.UpdatesOnly())
	if err != nil {
		cancel()
		return nil, err
	}
	s := &Submitter{f: f, version: version, again: again, waiting: map[string]chan struct{}{}, uploaded: map[string]bool{}, every: lookEvery}
	s.stop = func() {
		cancel()
		watch.Stop()
	}
	go func() {
		for info := range watch.Updates() {
			if info == nil || info.Deleted {
				continue
			}
			s.mu.Lock()
			if c := s.waiting[info.Name]; c != nil {
				close(c)
				delete(s.waiting, info.Name)
			}
			s.mu.Unlock()
		}
	}()
	return s, nil
}

// Close stops waiting for results.
func (s *Submitter) Close() { s.stop() }

// Do has the fleet do the table and writes its output.
func (s *Submitter) Do(ctx context.Context, _ int, t *batch.Task) batch.Result {
	o, output, err := s.ask(ctx, t)
	var own errTask
	switch {
	case errors.As(err, &own):
		return batch.Result{Exit: 2, Why: err.Error()}
	case err != nil:
		return batch.Result{Exit: 2, Why: err.Error(), Fault: fmt.Errorf("%s: %w", t.Input, err)}
	case o.Fault:
		err := patient(ctx, func() error { return s.f.results.Delete(ctx, t.Key) })
		return batch.Result{Exit: 2, Why: o.Why, Fault: errors.Join(fmt.Errorf("%s: %s", t.Input, o.Why), err)}
	}
	r := batch.Result{Exit: o.Exit, Why: o.Why, Report: o.Report, Altered: o.Altered}
	failed := func(err error) batch.Result {
		r := batch.Result{Exit: 2, Why: err.Error()}
		if batch.OfMachine(err) {
			r.Fault = err
		}
		return r
	}
	if err := os.Remove(t.Output); err != nil && !errors.Is(err, os.ErrNotExist) { // the output of an earlier run
		return failed(err)
	}
	if !o.Wrote {
		return r
	}
	if err := os.MkdirAll(filepath.Dir(t.Output), 0o777); err != nil {
		return failed(err)
	}
	if err := saveBytes(t.Output, output); err != nil {
		return failed(err)
	}
	for _, tree := range o.Trees {
		if !isTree(t.Output, tree.Name) {
			return failed(fmt.Errorf("%q: not the name of a hierarchy of %s", tree.Name, t.Output))
		}
		path := filepath.Join(filepath.Dir(t.Output), tree.Name)
		if err := saveBytes(path, tree.Content); err != nil {
			return failed(err)
		}
		r.Beside = append(r.Beside, path)
	}
	r.Wrote = true
	return r
}

// saveBytes saves a file that the job publishes. A file that it does not publish goes to its folder for the
// office, which is closed to others.
func saveBytes(path string, b []byte) error {
	return formats.SaveBytesAs(private.Job, path, b)
}

// ask returns the result of a table, either from the store or after a worker has done it.
func (s *Submitter) ask(ctx context.Context, t *batch.Task) (o *outcome, output []byte, err error) {
	c := make(chan struct{})
	s.mu.Lock()
	s.waiting[t.Key] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.waiting, t.Key)
		s.mu.Unlock()
	}()
	result := func() (err error) {
		o, output, err = s.result(ctx, t.Key)
		return err
	}
	err = patient(ctx, result)
	if err == nil && s.again && o.Exit != 0 {
		err = patient(ctx, func() error { return s.f.results.Delete(ctx, t.Key) })
		err = errors.Join(err, jetstream.ErrObjectNotFound)
	}
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		return o, output, err
	}
	var message *natsgo.Msg
	err = patient(ctx, func() (err error) {
		message, err = s.message(ctx, t)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	look := time.NewTicker(s.every)
	defer look.Stop()
	for {
		if err := patient(ctx, func() error { return s.queue(ctx, message) }); err != nil {
			return nil, nil, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-c:
			c = nil // so that it is closed only once
		case <-look.C:
		}
		if err := patient(ctx, result); !errors.Is(err, jetstream.ErrObjectNotFound) {
			return o, output, err
		}
	}
}

// patient calls f again until the server answers.
func patient(ctx context.Context, f func() error) error {
	for {
		err := f()
		if err == nil || ctx.Err() != nil || !lost(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// lookEvery is how often a submitter looks for a result, and queues the table again if it is neither stored nor
// queued: a server that was restarted may have lost either.
const lookEvery = 30 * time.Second

// lost reports whether err means that the server does not answer, which may pass.
func lost(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, natsgo.ErrTimeout) || errors.Is(err, natsgo.ErrNoResponders) ||
		errors.Is(err, natsgo.ErrDisconnected) || errors.Is(err, natsgo.ErrReconnectBufExceeded) || errors.Is(err, jetstream.ErrNoStreamResponse)
}

// result reads a stored result.
func (s *Submitter) result(ctx context.Context, key string) (*outcome, []byte, error) {
	b, err := s.f.results.GetBytes(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	head, output, _ := bytes.Cut(b, []byte("\n"))
	o := new(outcome)
	if err := json.Unmarshal(head, o); err != nil {
		return nil, nil, fmt.Errorf("result %s: %w", key, err)
	}
	if o.Exit < 0 || o.Exit > 3 {
		return nil, nil, fmt.Errorf("result %s: exit code %d, which hitoku does not have", key, o.Exit)
	}
	return o, output, nil
}

// errQueued is the server's message if a subject has a message already.
const errQueued = "maximum messages per subject exceeded"

// errTask marks an error of a table that is not fit for a fleet, or has a file that cannot be read; other
// errors are those of the fleet.
type errTask struct{ error }

// message stores the files of a table and returns the message that queues it.
func (s *Submitter) message(ctx context.Context, t *batch.Task) (*natsgo.Msg, error) {
	m := newTask(t)
	if !filepath.IsLocal(t.Output) {
		return nil, errTask{fmt.Errorf("%s: a fleet needs results below the job's folder", t.Output)}
	}
	for _, path := range t.Files() {
		if !filepath.IsLocal(path) {
			return nil, errTask{fmt.Errorf("%s: a fleet needs inputs below the job's folder", path)}
		}
		sum, err := s.upload(ctx, path)
		if err != nil {
			return nil, err
		}
		if known := t.Sum(path); known != "" && known != sum {
			return nil, errTask{fmt.Errorf("%s: has changed since the run began; run the same command again", path)}
		}
		m.Files[filepath.Clean(path)] = sum
	}
	if err := m.check(); err != nil {
		return nil, errTask{err} // workers would refuse it
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return &natsgo.Msg{Subject: taskPrefix + versionName(s.version) + "." + t.Key, Data: b}, nil
}

// queue queues a table unless it is queued already.
func (s *Submitter) queue(ctx context.Context, m *natsgo.Msg) error {
	_, err := s.f.js.PublishMsg(ctx, m)
	if err != nil && strings.Contains(err.Error(), errQueued) {
		return nil
	}
	return err
}

// upload stores a file under its hash.
func (s *Submitter) upload(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", errTask{err}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", errTask{err}
	}
	sum := hex.EncodeToString(h.Sum(nil))
	s.mu.Lock()
	known := s.uploaded[sum]
	s.mu.Unlock()
	if known {
		return sum, nil
	}
	if known, err = s.f.stored(ctx, sum); err != nil {
		return "", err
	}
	if !known {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
		if _, err := s.f.files.Put(ctx, jetstream.ObjectMeta{Name: sum}, f); err != nil {
			return "", err
		}
		if whole, err := s.f.stored(ctx, sum); err != nil {
			return "", err
		} else if !whole {
			return "", errTask{fmt.Errorf("%s: changes while it is read", path)}
		}
	}
	s.mu.Lock()
	s.uploaded[sum] = true
	s.mu.Unlock()
	return sum, nil
}
