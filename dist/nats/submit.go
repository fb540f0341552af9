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

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hitoku/hitoku/batch"
	"github.com/hitoku/hitoku/table/tableio"
)

// A Submitter puts tables into the queue and waits for their results. Its method Do is
// one for batch.Options.Do: the fleet is then one worker of a batch, with its
// journal and its folder of results.
type Submitter struct {
	f       *Fleet
	version string
	again   bool

	mu       sync.Mutex
	waiting  map[string]chan struct{} // by key
	uploaded map[string]bool          // by hash
	stop     func()
}

// Submitter begins to wait for results. Tables are for workers with this version of
// hitoku. With again stored results that did not end with exit code 0 are done anew.
func (f *Fleet) Submitter(ctx context.Context, version string, again bool) (*Submitter, error) {
	ctx, cancel := context.WithCancel(ctx)
	watch, err := f.results.Watch(ctx, jetstream.UpdatesOnly())
	if err != nil {
		cancel()
		return nil, err
	}
	s := &Submitter{f: f, version: version, again: again, waiting: map[string]chan struct{}{}, uploaded: map[string]bool{}}
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

// Close stops waiting.
func (s *Submitter) Close() { s.stop() }

// Do has the fleet do the table and writes its output.
func (s *Submitter) Do(ctx context.Context, _ int, t *batch.Task) batch.Result {
	o, output, err := s.ask(ctx, t)
	if err != nil {
		return batch.Result{Exit: 2, Why: err.Error()}
	}
	r := batch.Result{Exit: o.Exit, Why: o.Why, Report: o.Report}
	if !o.Wrote {
		return r
	}
	if err := os.MkdirAll(filepath.Dir(t.Output), 0o777); err != nil {
		return batch.Result{Exit: 2, Why: err.Error()}
	}
	if err := tableio.SaveBytes(t.Output, output); err != nil {
		return batch.Result{Exit: 2, Why: err.Error()}
	}
	r.Wrote = true
	return r
}

// ask returns the result of a table, from the store or from a worker.
func (s *Submitter) ask(ctx context.Context, t *batch.Task) (*outcome, []byte, error) {
	c := make(chan struct{})
	s.mu.Lock()
	s.waiting[t.Key] = c
	s.mu.Unlock()
	o, output, err := s.result(ctx, t.Key)
	if err == nil && s.again && o.Exit != 0 {
		err = errors.Join(s.f.results.Delete(ctx, t.Key), jetstream.ErrObjectNotFound)
	}
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		s.mu.Lock()
		delete(s.waiting, t.Key)
		s.mu.Unlock()
		return o, output, err
	}
	if err := s.publish(ctx, t); err != nil {
		return nil, nil, err
	}
	select {
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-c:
	}
	return s.result(ctx, t.Key)
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
	return o, output, nil
}

// errQueued is the server's word for a second message of one subject.
const errQueued = "maximum messages per subject exceeded"

// publish stores the files of a table and queues it, unless it is queued.
func (s *Submitter) publish(ctx context.Context, t *batch.Task) error {
	m := task{Key: t.Key, Input: t.Input, Output: t.Output, Args: t.SuppressArgs(), Files: map[string]string{}}
	if !filepath.IsLocal(t.Output) {
		return fmt.Errorf("%s: a fleet needs results below the job's folder", t.Output)
	}
	for _, path := range t.Files() {
		if !filepath.IsLocal(path) {
			return fmt.Errorf("%s: a fleet needs inputs below the job's folder", path)
		}
		sum, err := s.upload(ctx, path)
		if err != nil {
			return err
		}
		m.Files[path] = sum
	}
	b, err := json.Marshal(&m)
	if err != nil {
		return err
	}
	_, err = s.f.js.PublishMsg(ctx, &natsgo.Msg{Subject: taskPrefix + versionName(s.version) + "." + t.Key, Data: b})
	if err != nil && strings.Contains(err.Error(), errQueued) {
		return nil
	}
	return err
}

// upload stores a file under its hash.
func (s *Submitter) upload(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	sum := hex.EncodeToString(h.Sum(nil))
	s.mu.Lock()
	known := s.uploaded[sum]
	s.mu.Unlock()
	if known {
		return sum, nil
	}
	if known, err = has(ctx, s.f.files, sum); err != nil {
		return "", err
	}
	if !known {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
		if _, err := s.f.files.Put(ctx, jetstream.ObjectMeta{Name: sum}, f); err != nil {
			return "", err
		}
	}
	s.mu.Lock()
	s.uploaded[sum] = true
	s.mu.Unlock()
	return sum, nil
}
