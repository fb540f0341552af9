package nats

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hitoku/hitoku/internal/document"
)

// A Status counts what a fleet has done and still has to do.
type Status struct {
	document.Head `kind:"fleet-status/1"`
	Queued        uint64       `json:"queued"`      // waiting for a worker
	Running       int          `json:"running"`     // at a worker
	Redelivered   int          `json:"redelivered"` // of those running, the ones that have been tried before
	Results       int          `json:"results"`     // stored
	Dead          []DeadLetter `json:"dead"`
}

// A DeadLetter is a table that was given up.
type DeadLetter struct {
	Key string `json:"key"`
	Why string `json:"why"`
}

// Status asks the server. Dead letters are found by reading all results that are as small as they are, so the
// cost is linear in the number of results.
func (f *Fleet) Status(ctx context.Context) (*Status, error) {
	info, err := f.stream.Info(ctx)
	if err != nil {
		return nil, err
	}
	s := &Status{Queued: info.State.Msgs, Dead: []DeadLetter{}}
	queues := f.stream.ListConsumers(ctx)
	for q := range queues.Info() {
		s.Running += q.NumAckPending
		s.Redelivered += q.NumRedelivered
	}
	if err := queues.Err(); err != nil {
		return nil, err
	}
	s.Queued -= min(s.Queued, uint64(s.Running))
	list, err := f.results.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	const largest = 200 // size of the largest dead letter in bytes
	for _, r := range list {
		s.Results++
		if r.Size > largest {
			continue
		}
		b, err := f.results.GetBytes(ctx, r.Name)
		if err != nil {
			return nil, err
		}
		head, _, _ := bytes.Cut(b, []byte("\n"))
		var o outcome
		if json.Unmarshal(head, &o) == nil && o.Dead {
			s.Dead = append(s.Dead, DeadLetter{r.Name, o.Why})
		}
	}
	return s, nil
}
