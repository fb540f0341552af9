package risk

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Mechanisms read a file once for what the release depends on, and again to write it. Random numbers are drawn in the
// order of the records, so rng and the file determine everything. rng should be cryptographic, like [rand.ChaCha8],
// with a key of at least 128 random bits: whoever knows or guesses the key can undo the release. Never use a key for
// two releases: noise drawn twice from the same numbers cancels.

// errChanged is returned if the second pass over a file does not find what the first did.
var errChanged = i18n.New("the file has changed since it was read first")

// Count returns the number of records of a file.
func Count(ctx context.Context, path string, l Layout) (int64, error) {
	n := int64(0)
	err := eachRecord(ctx, path, l, nil, nil, func(*record) error { n++; return nil })
	return n, err
}

// A draw selects m of n records, each subset equally likely, in one pass: record i with probability (still
// wanted)/(still to come). Source: Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S. Memory O(1), one
// random number for each record.
type draw struct {
	wanted, left int64
	rng          *rand.Rand
}

func (d *draw) take() (bool, error) {
	if d.left == 0 {
		return false, errChanged
	}
	hit := int64(d.rng.Uint64N(uint64(d.left))) < d.wanted
	d.left--
	if hit {
		d.wanted--
	}
	return hit, nil
}

// end returns an error if the file is shorter than before.
func (d *draw) end() error {
	if d.left != 0 {
		return errChanged
	}
	return nil
}

func newDraw(n, m int64, rng *rand.Rand) (*draw, error) {
	return &draw{m, n, rng}, checkSample(n, m)
}

// A Release says how much of a file is published and in which order.
type Release struct {
	N int64 // number of records of the file
	M int64 // number of records published, drawn without replacement
	// KeepOrder publishes the records in the order of the file instead of a random one, all orders equally likely. The
	// guarantees assume that the order tells nothing: to someone who knows it, it reveals whose each record is. Without
	// KeepOrder the release is kept in memory.
	KeepOrder bool
	Drop      []string // columns left out; they must not be changed by the mechanism
	// Missing says what happens to missing numbers in columns with noise. Empty: they are ordinary values, and so not
	// numbers. Own: they stay. Drop: their records are left out and do not count in N.
	Missing Missing
}

func (r *Release) sink(w io.Writer, rng *rand.Rand) *sink {
	return &sink{w: w, rng: rng, keep: !r.KeepOrder, columns: r.Drop}
}

// A sink receives the text before the first record, and then the records.
type sink struct {
	w       io.Writer
	rng     *rand.Rand
	keep    bool // keep the records, to shuffle them
	records [][]byte
	columns []string // the columns to drop
	drop    *dropper
}

func (s *sink) head(prefix []byte, f *file) (err error) {
	if f.returns {
		s.w = carriage{s.w}
	}
	if s.drop, err = newDropper(f, s.columns); err == nil {
		_, err = s.w.Write(s.drop.head(prefix))
	}
	return err
}

// A carriage writes carriage returns for the line feeds that stand for them.
type carriage struct{ w io.Writer }

func (c carriage) Write(text []byte) (int, error) {
	return c.w.Write(bytes.ReplaceAll(text, []byte{'\n'}, []byte{'\r'}))
}

func (s *sink) put(record []byte) error {
	record = s.drop.record(record)
	if s.keep {
		s.records = append(s.records, bytes.Clone(record))
		return nil
	}
	_, err := s.w.Write(record)
	return err
}

// end writes the records kept, all orders equally likely.
func (s *sink) end() error {
	if !s.keep {
		return nil
	}
	s.rng.Shuffle(len(s.records), func(i, j int) { s.records[i], s.records[j] = s.records[j], s.records[i] })
	for _, r := range s.records {
		if _, err := s.w.Write(r); err != nil {
			return err
		}
	}
	return nil
}

// Sample writes m of the n records of a file to w, byte by byte. Blank lines are left out.
func Sample(ctx context.Context, w io.Writer, path string, l Layout, release Release, rng *rand.Rand) error {
	d, err := newDraw(release.N, release.M, rng)
	if err != nil {
		return err
	}
	out := release.sink(w, rng)
	err = eachRecord(ctx, path, l, nil, out.head, func(r *record) error {
		hit, err := d.take()
		if hit {
			err = out.put(r.text)
		}
		return err
	})
	if err == nil {
		err = d.end()
	}
	if err == nil {
		err = out.end()
	}
	return err
}
