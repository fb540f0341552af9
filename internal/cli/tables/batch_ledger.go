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

// keeping is the ledger of a job: its tables are protected one after another, each with what the ledger lists and those before it publish, and
// what is published is added to the ledger.
type keeping struct {
	file  string
	book  *flags.Book     // as it is in the file
	base  *flags.Book     // without what the job itself has published
	tasks []*batch.Task   // in their order
	own   map[string]bool // outputs of the job, by absolute path
}

// open is the ledger as it is in the file, empty where there is none.
func (k *keeping) open() (*flags.Book, error) {
	book, err := flags.OpenBook(k.file)
	if errors.Is(err, fs.ErrNotExist) {
		return &flags.Book{}, nil
	}
	return book, err
}

// keep opens the ledger of a job, of which there may be none yet.
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

// path is the absolute path of an entry.
func (k *keeping) path(e *flags.Entry) string {
	path := flags.BookFile(k.file, e)
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// before is what is published when t is protected: what others have published and the tables of the job before t.
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

// entry is that of the output of t.
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

// known gives t the files of what is published, which are content of it.
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

// begin refuses to do a table again that the ledger lists.
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

// add puts what the job has published into the ledger, which others may have added to meanwhile: entries are those of the tasks, nil for
// those that are not done.
func (k *keeping) add(w *works, entries []*batch.Entry) error {
	return formats.Alone(context.Background(), k.file, func() (err error) {
		if k.book, err = k.open(); err != nil {
			return err
		}
		return k.addAlone(w, entries)
	})
}

// addAlone is add while nobody else does so.
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

// waits returns the task behind which others wait, and why it has no output; nil if there is none.
func (k *keeping) waits(entries []*batch.Entry) *batch.Entry {
	for n, e := range entries {
		if e != nil && e.Output == "" && n+1 < len(entries) {
			return e
		}
	}
	return nil
}
