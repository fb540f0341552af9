package tables

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect/ledger"
)

// keeping is the ledger of a job. Its tables are protected one after another, each against what the ledger lists and
// those before it publish, and what is published is added to the ledger.
type keeping struct {
	file  string
	book  *flags.Book     // the ledger as in the file
	base  *flags.Book     // the ledger without what the job itself has published
	tasks []*batch.Task   // in the order of the job
	own   map[string]bool // outputs of the job, by absolute path
}

// open returns the ledger in the file, empty if there is none.
func (k *keeping) open() (*flags.Book, error) {
	book, err := flags.OpenBook(k.file)
	if errors.Is(err, fs.ErrNotExist) {
		return &flags.Book{}, nil
	}
	return book, err
}

// keep opens the ledger of a job, whose file need not exist yet.
func keep(job *batch.Job, tasks []*batch.Task) (*keeping, error) {
	if job.Ledger == "" {
		return nil, nil
	}
	k := &keeping{file: job.Ledger, tasks: tasks, own: map[string]bool{}}
	var err error
	if k.book, err = k.open(); err != nil {
		return nil, err
	}
	for _, t := range tasks {
		if changerOf(t) != nil {
			return nil, &batch.JobError{File: job.File, Key: "ledger", Want: i18n.T("%s is rounded or adjusted, and a ledger lists true values; leave such tables to a job without one", t.Input)}
		}
		path, err := filepath.Abs(t.Output)
		if err != nil {
			return nil, err
		}
		k.own[path] = true
	}
	base := *k.book
	base.Releases = slices.DeleteFunc(slices.Clone(base.Releases), func(e flags.Entry) bool { return k.own[k.path(&e)] })
	k.base = &base
	stated, err := json.Marshal(k.base)
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		t.Stated = string(stated)
	}
	return k, nil
}

// path returns the absolute path of an entry.
func (k *keeping) path(e *flags.Entry) string {
	path := flags.BookFile(k.file, e)
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// before returns what is published when t is protected: by others, and by the tables of the job before t.
func (k *keeping) before(w *works, t *batch.Task) (*flags.Book, error) {
	book := *k.base
	book.Releases = slices.Clone(book.Releases)
	for _, earlier := range k.tasks {
		if earlier == t {
			break
		}
		e, err := w.entry(k.file, earlier)
		if err != nil {
			return nil, err
		}
		book.Releases = append(book.Releases, *e)
	}
	return &book, nil
}

// entry returns the ledger entry of the output of t.
func (w *works) entry(file string, t *batch.Task) (*flags.Entry, error) {
	one := w.work(t)
	e, err := one.inputs.NewEntry(&tableCall{ctx: context.Background(), flags: one.flags}, file, t.Output)
	if err != nil {
		return nil, err
	}
	e.At = flags.Place(&t.Policy)
	if e.Period = e.At[ledger.Period]; e.Period != "" {
		delete(e.At, ledger.Period)
	}
	return e, nil
}

// known adds to t the files of what is published, which count as its content.
func (w *works) known(t *batch.Task) error {
	if !flags.Joins(&t.Policy) {
		return nil
	}
	var book *flags.Book
	if w.kept != nil {
		book = w.kept.base
	} else if t.Policy.Ledger != "" {
		var err error
		if book, err = flags.OpenBook(t.Policy.Ledger); err != nil {
			return err
		}
	}
	t.Known = flags.ReleasedFiles(&t.Policy, book)
	return nil
}

// begin returns an error if a table that the ledger lists would be done again.
func (k *keeping) begin(t *batch.Task) error {
	for n := range k.book.Releases {
		e := &k.book.Releases[n]
		path, err := filepath.Abs(t.Output)
		if err == nil && k.path(e) == path {
			return i18n.Errorf("%s: %s lists it as published, but its table, its options, what was published before it or the program has changed, so that it would be protected again; what was published stays published: give what is new an input of its own, behind the others, or take it out of the ledger if it has never been published", e.File, k.file)
		}
	}
	return nil
}

// add adds what the job has published to the ledger, to which others may have added meanwhile. entries are those of the
// tasks, nil for tasks that are not done.
func (k *keeping) add(w *works, entries []*batch.Entry) error {
	return formats.Alone(context.Background(), k.file, func() (err error) {
		if k.book, err = k.open(); err != nil {
			return err
		}
		return k.addAlone(w, entries)
	})
}

// addAlone is add while nobody else changes the ledger.
func (k *keeping) addAlone(w *works, entries []*batch.Entry) error {
	listed := map[string]bool{}
	for n := range k.book.Releases {
		listed[k.path(&k.book.Releases[n])] = true
	}
	added := false
	for n, t := range k.tasks {
		if entries[n] == nil || entries[n].Output == "" {
			break
		}
		e, err := w.entry(k.file, t)
		if err != nil {
			return err
		}
		if !listed[k.path(e)] {
			k.book.Releases = append(k.book.Releases, *e)
			added = true
		}
	}
	if !added {
		return nil
	}
	return formats.Save(k.file, func(out io.Writer) error { return k.book.Write(out, k.file) })
}

// waits returns the task for which others wait, and why it has no output; nil if there is none.
func (k *keeping) waits(entries []*batch.Entry) *batch.Entry {
	for n, e := range entries {
		if e != nil && e.Output == "" && n+1 < len(entries) {
			return e
		}
	}
	return nil
}
