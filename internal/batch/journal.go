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
	Mark    string                 `json:"mark"` // for the office only, see package office
	Key     string                 `json:"key"`
	Seq     int64                  `json:"seq"` // later lines have larger ones, also in the journals of other shards that are there
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

// A File is one that stands beside an output, like the metadata of a τ-ARGUS table.
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

	synced time.Time // when it was last put to disk
}

// A BadLine is one of a journal that a kill, a full disk or something else has torn or changed. It does not
// count; the others do.
type BadLine struct {
	File string
	Line int
}

// Message says so.
func (b BadLine) Message() i18n.Text {
	return i18n.T("%s:%d: a line that is torn or was changed; it does not count", b.File, b.Line)
}

// OpenJournal opens the journal of a shard in the folder dir, the job's OfficeDir, both of which are made,
// for their owner alone, where they do not exist, and reads it. A last line that is torn is cut off; it and other lines that are not
// as they were written are in Bad. The journal is locked until Close.
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

// Bad are the lines that did not count when the journal was opened.
func (j *Journal) Bad() []BadLine { return j.bad }

// Close puts the journal to disk and unlocks it.
func (j *Journal) Close() error { return errors.Join(j.f.Sync(), j.f.Close()) }

// syncEvery is how much of a journal a loss of power may cost. Nothing is wrong then: tables
// are done again, and an output that is not what the journal says is no output.
const syncEvery = time.Second

// add writes an entry by one write. What a full disk took of it is cut off, so that a later line
// does not stand behind it.
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

// checked is how a line ends: with a hash of what stands before, which is JSON with a closing brace.
const checked = `,"check":"`

// line is the text of e: its JSON, and as the last key the first 16 digits of the SHA-256 of that.
func (e *Entry) line() ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return fmt.Appendf(text[:len(text)-1], "%s%x\"}\n", checked, sum[:8]), nil
}

// parseLine is the reverse of line; nil if the text is not as it was written.
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

// readEntries reads the lines of the journal called file and returns the end of the last whole line, and
// the lines that are no entries.
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

// latest keeps e unless all has a later entry of its key. What the clock said does not matter.
func latest(all map[string]*Entry, e *Entry) {
	if old := all[e.Key]; old == nil || old.Seq <= e.Seq {
		all[e.Key] = e
	}
}

// intact tells whether what e says was written is still there.
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

// follows tells whether e, an entry of t, was made after that of the task before t.
func (t *Task) follows(e *Entry, all map[string]*Entry) bool {
	if t.After == nil {
		return true
	}
	before := all[t.After.Key]
	return before != nil && before.Seq < e.Seq
}

// wrote notes the files that t has written, with its output those beside.
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

// Program names the build of hitoku in the file path for the keys of tasks: by the version it says it
// has, and where that is none of a commit by the content of the file as well, so that neither a journal
// nor a fleet takes two builds for one. Cost: that of hashing the program, tens of milliseconds.
func Program(version, path string) (string, error) {
	if version != "devel" && !strings.HasSuffix(version, "+dirty") {
		return version, nil
	}
	sum, err := hashFile(path)
	return version + " " + sum, err
}
