package batch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
)

// An Entry is one line of a journal: a task that is done.
type Entry struct {
	Mark string `json:"mark"` // says that it is for the office only, see package office
	Key  string `json:"key"`
	// Seq is larger than that of every line before it, in this journal and in those of other shards in the folder
	Seq     int64                  `json:"seq"`
	N       int                    `json:"n"`
	Input   string                 `json:"input"`
	Output  string                 `json:"output,omitempty"` // empty where none was written
	Sum     string                 `json:"sha256,omitempty"` // digest of the output
	Beside  []File                 `json:"beside,omitempty"` // files that were written with it
	Exit    int                    `json:"exit"`
	Why     string                 `json:"why,omitempty"`
	Said    map[string]string      `json:"said,omitempty"` // Why in another language, by its tag
	Report  *document.BatchReport  `json:"report,omitempty"`
	Altered *document.BatchAltered `json:"altered,omitempty"`
	Ended   time.Time              `json:"ended"`
	Seconds float64                `json:"seconds"`
	Worker  int                    `json:"worker"`
}

// A File stands beside an output, such as the metadata of a τ-ARGUS table.
type File = document.BatchFile

// journalPattern matches the journals of all shards in the office's folder.
const journalPattern = "journal*.jsonl"

// journalName is the name of a shard's journal in the office's folder.
func journalName(s Shard) string {
	if s.N == 0 {
		return "journal.jsonl"
	}
	return fmt.Sprintf("journal-%d-of-%d.jsonl", s.I, s.N)
}

// ErrBusy says that another process runs the same shard of the same job.
var ErrBusy = i18n.New("another process works on this job; give each a --shard of its own")

// A Journal is the file that remembers what is done.
type Journal struct {
	f    *os.File
	done map[string]*Entry // last entry of each key
	end  int64             // where the last whole line ends
	seq  int64             // number of the last line of any journal
	bad  []BadLine

	synced time.Time // when it was last flushed to disk
}

// A BadLine is a line of a journal that was cut short or altered, by a kill, a full disk or otherwise. It is
// ignored; the other lines count.
type BadLine struct {
	File string
	Line int
}

// Message describes the bad line.
func (b BadLine) Message() i18n.Text {
	return i18n.T("%s:%d: a line that is torn or was changed; it does not count", b.File, b.Line)
}

// OpenJournal opens and reads the journal of a shard in the folder dir, which is the job's OfficeDir. It makes
// both, accessible to their owner alone, where they do not exist. A last line that was cut short is removed; it
// and other lines that are not as they were written are in Bad. The journal stays locked until Close.
func OpenJournal(dir string, s Shard) (*Journal, error) {
	if err := private.Make(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, journalName(s)), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := formats.Lock(f); err != nil {
		if errors.Is(err, formats.ErrLocked) {
			err = ErrBusy
		}
		return nil, errors.Join(i18n.Errorf("%s: %w", f.Name(), err), f.Close())
	}
	j := &Journal{f: f, done: map[string]*Entry{}}
	j.end, j.bad, err = readEntries(f, f.Name(), func(e *Entry) { latest(j.done, e) })
	if err == nil {
		err = f.Truncate(j.end)
	}
	if err != nil {
		return nil, errors.Join(i18n.Errorf("%s: %w", f.Name(), err), f.Close())
	}
	all, _, err := readJournals(dir)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	for _, e := range all {
		j.seq = max(j.seq, e.Seq)
	}
	return j, nil
}

// Bad returns the lines that were ignored when the journal was opened.
func (j *Journal) Bad() []BadLine { return j.bad }

// Close flushes the journal to disk and unlocks it.
func (j *Journal) Close() error { return errors.Join(j.f.Sync(), j.f.Close()) }

// syncEvery bounds how much of a journal a loss of power may cost. That does no harm: the tables are done
// again, and an output that differs from what the journal says does not count.
const syncEvery = time.Second

// add appends an entry in one write. If a full disk takes only part of it, that part is cut off, so that no
// later line is appended to it.
func (j *Journal) add(e *Entry) error {
	e.Mark, e.Seq = private.Only, j.seq+1
	line, err := e.line()
	if err != nil {
		return err
	}
	_, err = j.f.WriteAt(line, j.end)
	if now := time.Now(); err == nil && now.Sub(j.synced) >= syncEvery {
		j.synced = now
		err = j.f.Sync()
	}
	if err != nil {
		return errors.Join(err, j.f.Truncate(j.end))
	}
	j.end += int64(len(line))
	j.seq = e.Seq
	j.done[e.Key] = e
	return nil
}

// checked begins the end of a line: the hash of all before it, which is the JSON without its closing brace.
const checked = `,"check":"`

// line returns the text of e: its JSON with one more key at the end, the first 16 digits of the SHA-256 of that
// JSON.
func (e *Entry) line() ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return fmt.Appendf(text[:len(text)-1], "%s%x\"}\n", checked, sum[:8]), nil
}

// parseLine is the reverse of line; it returns nil if the text is not as it was written.
func parseLine(text []byte) *Entry {
	at := bytes.LastIndex(text, []byte(checked))
	if at < 0 {
		return nil
	}
	body := append(slices.Clone(text[:at]), '}')
	sum := sha256.Sum256(body)
	e := new(Entry)
	if string(text[at:]) != fmt.Sprintf("%s%x\"}\n", checked, sum[:8]) || json.Unmarshal(body, e) != nil || e.Key == "" {
		return nil
	}
	return e
}

// readEntries reads the lines of the journal called file. It returns where the last whole line ends, and the
// lines that are no entries.
func readEntries(r io.Reader, file string, do func(*Entry)) (whole int64, bad []BadLine, err error) {
	b := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		line, err := b.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return whole, bad, err
		}
		e := parseLine(line)
		if e == nil && len(line) > 0 {
			bad = append(bad, BadLine{file, n})
		}
		if err == io.EOF {
			return whole, bad, nil
		}
		whole += int64(len(line))
		if e != nil {
			do(e)
		}
	}
}

// latest puts e into all unless that has a later entry of the same key. Entries are compared by Seq, not by the
// clock.
func latest(all map[string]*Entry, e *Entry) {
	if old := all[e.Key]; old == nil || old.Seq <= e.Seq {
		all[e.Key] = e
	}
}

// intact reports whether all files that e says were written are still as they were.
func (e *Entry) intact() bool {
	if e.Output == "" {
		return true
	}
	for _, f := range append([]File{{Path: e.Output, Sum: e.Sum}}, e.Beside...) {
		if sum, err := hashFile(f.Path); err != nil || sum != f.Sum {
			return false
		}
	}
	return true
}

// follows reports whether e, an entry of t, was made after that of the task before t.
func (t *Task) follows(e *Entry, all map[string]*Entry) bool {
	if t.After == nil {
		return true
	}
	before := all[t.After.Key]
	return before != nil && before.Seq < e.Seq
}

// wrote records the files that t has written: its output and those beside it.
func (e *Entry) wrote(t *Task, beside []string) (err error) {
	e.Output = t.Output
	if e.Sum, err = hashFile(t.Output); err != nil {
		return err
	}
	for _, path := range slices.Concat(t.beside(), beside) {
		sum, err := hashFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		e.Beside = append(e.Beside, File{Path: path, Sum: sum})
	}
	return nil
}

// readJournals reads the journals of all shards in a folder.
func readJournals(dir string) (all map[string]*Entry, bad []BadLine, err error) {
	files, err := filepath.Glob(filepath.Join(dir, journalPattern))
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(files)
	all = map[string]*Entry{}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return nil, nil, err
		}
		_, more, err := readEntries(f, path, func(e *Entry) { latest(all, e) })
		f.Close()
		if err != nil {
			return nil, nil, i18n.Errorf("%s: %w", path, err)
		}
		bad = append(bad, more...)
	}
	return all, bad, nil
}

// Program identifies the build of hitoku in the file path for the keys of tasks: by the version that it reports
// and, if that version is not of a commit, also by the content of the file, so that neither a journal nor a
// fleet mistakes one build for another. Cost: that of hashing the program, tens of milliseconds.
func Program(version, path string) (string, error) {
	if version != "devel" && !strings.HasSuffix(version, "+dirty") {
		return version, nil
	}
	sum, err := hashFile(path)
	return version + " " + sum, err
}
