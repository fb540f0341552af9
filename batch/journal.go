package batch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/office"
)

// An Entry is one line of a journal: a task that is done.
type Entry struct {
	Mark    string          `json:"mark"` // for the office only, see package office
	Key     string          `json:"key"`
	N       int             `json:"n"`
	Input   string          `json:"input"`
	Output  string          `json:"output,omitempty"` // empty where none was written
	Sum     string          `json:"sha256,omitempty"` // of the output
	Exit    int             `json:"exit"`
	Why     string          `json:"why,omitempty"`
	Report  json.RawMessage `json:"report,omitempty"`
	Ended   time.Time       `json:"ended"`
	Seconds float64         `json:"seconds"`
	Worker  int             `json:"worker"`
}

// journalPattern matches the journals of all shards in the office's folder.
const journalPattern = "journal*.jsonl"

// JournalName is the name of a shard's journal in the office's folder.
func JournalName(s Shard) string {
	if s.N == 0 {
		return "journal.jsonl"
	}
	return fmt.Sprintf("journal-%d-of-%d.jsonl", s.I, s.N)
}

// ErrBusy says that another process runs the same shard of the same job.
var ErrBusy = errors.New("another process works on this job; give each a --shard of its own")

// A Journal is the file that remembers what is done.
type Journal struct {
	f    *os.File
	done map[string]*Entry // by key, the last
	end  int64             // of the last line that is whole

	synced time.Time // when it was last put to disk
}

// OpenJournal opens the journal of a shard in the folder dir, the job's OfficeDir, both of which are made,
// for their owner alone, where they do not exist, and reads it. A last line that is torn is cut off. The
// journal is locked until Close.
func OpenJournal(dir string, s Shard) (*Journal, error) {
	if err := office.Make(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, JournalName(s)), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
	}
	j := &Journal{f: f, done: map[string]*Entry{}}
	whole, err := readEntries(f, func(e *Entry) { j.done[e.Key] = e })
	if err == nil {
		err = f.Truncate(whole)
	}
	j.end = whole
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
	}
	return j, nil
}

// Close puts the journal to disk and unlocks it.
func (j *Journal) Close() error { return errors.Join(j.f.Sync(), j.f.Close()) }

// syncEvery is how much of a journal a loss of power may cost. Nothing is wrong then: tables
// are done again, and an output that is not what the journal says is no output.
const syncEvery = time.Second

// add writes an entry by one write. What a full disk took of it is cut off, so that a later line
// does not stand behind it.
func (j *Journal) add(e *Entry) error {
	e.Mark = office.Only
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	_, err = j.f.WriteAt(line, j.end)
	if now := time.Now(); err == nil && now.Sub(j.synced) >= syncEvery {
		j.synced = now
		err = j.f.Sync()
	}
	if err != nil {
		return errors.Join(err, j.f.Truncate(j.end))
	}
	j.end += int64(len(line))
	j.done[e.Key] = e
	return nil
}

// readEntries reads lines until the end or one that is no entry, and returns
// where that begins. A bad line that is not the last is an error: it is no trace of a
// kill.
func readEntries(r io.Reader, do func(*Entry)) (whole int64, err error) {
	b := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return whole, err
		}
		e := new(Entry)
		if err == io.EOF || json.Unmarshal(line, e) != nil || e.Key == "" {
			if _, more := b.Peek(1); more == nil {
				return whole, fmt.Errorf("a line that is no entry: %.60q", bytes.TrimSpace(line))
			}
			return whole, nil
		}
		whole += int64(len(line))
		do(e)
	}
}

// intact tells whether what e says was written is still there.
func (e *Entry) intact() bool {
	if e.Output == "" {
		return true
	}
	sum, err := hashFile(e.Output)
	return err == nil && sum == e.Sum
}

// readJournals reads the journals of all shards in a folder.
func readJournals(dir string) (map[string]*Entry, error) {
	files, err := filepath.Glob(filepath.Join(dir, journalPattern))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	all := map[string]*Entry{}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		_, err = readEntries(f, func(e *Entry) {
			if old := all[e.Key]; old == nil || old.Ended.Before(e.Ended) {
				all[e.Key] = e
			}
		})
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}
