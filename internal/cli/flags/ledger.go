package flags

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// Joins reports whether a policy refers to anything beside the tables themselves.
func Joins(p *protect.Policy) bool {
	return len(p.Published) > 0 || p.Ledger != "" || len(p.Relations) > 0
}

// Released reads the tables that a policy names as published before, with book, if not nil, in place of its ledger; nil
// if there are none. That codes of the input form no tree does not apply to those tables.
func (f *Input) Released(call Call, r *Rules, p *protect.Policy, book *Book) (*ledger.Set, error) {
	if !Joins(p) {
		return nil, nil
	}
	others := *f
	others.flat, others.listed = nil, true
	set := &ledger.Set{}
	if p.Ledger != "" {
		b, err := book, error(nil)
		if b == nil {
			b, err = OpenBook(p.Ledger)
		}
		if err != nil {
			return nil, err
		}
		if set, err = others.ReadBook(call, r, p.Ledger, b); err != nil {
			return nil, err
		}
	}
	set.At = Place(p)
	for _, text := range p.Published {
		more, err := others.releases(call, r, text)
		if err != nil {
			return nil, err
		}
		set.Releases = append(set.Releases, more...)
	}
	set.Changes = append(set.Changes, p.Change...)
	return set, State(set, p.Relations, nil)
}

// Place returns where the table of a policy belongs in dimensions that it lacks.
func Place(p *protect.Policy) map[string]string {
	at := map[string]string{}
	if p.Period != "" {
		at[ledger.Period] = p.Period
	}
	for _, a := range p.At {
		d, c, _ := strings.Cut(a, "=")
		at[d] = c
	}
	return at
}

// ReleasedFiles returns the existing files that a policy, with book in place of its ledger, names as published before,
// without the ledger itself.
func ReleasedFiles(p *protect.Policy, book *Book) []string {
	var files []string
	for _, text := range p.Published {
		path := text
		if _, err := os.Stat(path); err != nil {
			_, path, _ = strings.Cut(text, "=")
		}
		if more, err := tablesIn(path); err == nil {
			files = append(files, more...)
		}
	}
	if book == nil {
		return files
	}
	for _, name := range book.Relations {
		files = append(files, beside(p.Ledger, name))
	}
	for n := range book.Releases {
		e := &book.Releases[n]
		files = append(files, BookFile(p.Ledger, e))
		read, err := e.flags()
		if err != nil {
			continue // whoever reads it will report that
		}
		for _, name := range []string{"hierarchy", "meta", "layout"} {
			for _, v := range read[name] {
				if dim, path, ok := strings.Cut(v, "="); ok && dim != "" {
					v = path
				}
				files = append(files, beside(p.Ledger, v))
			}
		}
	}
	return files
}

// ReadBook reads the tables that a ledger lists.
func (f *Input) ReadBook(call Call, r *Rules, file string, b *Book) (*ledger.Set, error) {
	set := &ledger.Set{Periods: b.Periods}
	relations := sets.Each(b.Relations, func(name string) string { return beside(file, name) })
	for n := range b.Releases {
		one, err := f.ReadEntry(call, r, file, &b.Releases[n])
		if err != nil {
			return nil, err
		}
		set.Releases = append(set.Releases, one)
	}
	return set, State(set, relations, b.Change)
}

// State adds the sums in files and bounds on change to a set.
func State(set *ledger.Set, relations, change []string) error {
	for _, file := range relations {
		in, err := os.Open(file)
		if err != nil {
			return formats.OSError(file, err)
		}
		s, err := ledger.ReadSums(in, file)
		in.Close()
		if err != nil {
			return err
		}
		set.Sums = append(set.Sums, s...)
	}
	for _, text := range change {
		c, err := ledger.ParseChange(text)
		if err != nil {
			return i18n.Errorf("--change %w", err)
		}
		set.Changes = append(set.Changes, c)
	}
	return nil
}

// OpenBook reads a ledger.
func OpenBook(file string) (*Book, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, formats.OSError(file, err)
	}
	defer in.Close()
	return readBook(in, file)
}

// beside returns the path of a file named in a ledger.
func beside(book, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(book), name)
}

// BookFile returns the path of an entry's file.
func BookFile(book string, e *Entry) string { return beside(book, e.File) }

// ReadEntry reads the table of an entry. It is an error if its checksum is not that in the ledger.
func (f *Input) ReadEntry(call Call, r *Rules, book string, e *Entry) (*ledger.Release, error) {
	path := beside(book, e.File)
	if e.SHA256 != "" {
		sum, err := formats.Digest(path)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(sum, e.SHA256) {
			return nil, i18n.Errorf("%s: it is not the file that %s lists: its checksum is %s, not %s; what was published stays published, so restore it, or add the new one as a release of its own", path, book, sum, e.SHA256)
		}
	}
	read, err := e.flags()
	if err != nil {
		return nil, err
	}
	with := f
	if len(read) > 0 {
		if with, err = reading(book, e.File, read); err != nil {
			return nil, err
		}
		with.listed = true
	}
	t, err := with.published(call, r, path)
	if err != nil {
		return nil, err
	}
	if len(e.Dims)+len(e.Codes) > 0 {
		if t, err = ledger.Renamed(t, e.Dims, e.Codes); err != nil {
			return nil, i18n.Errorf("%s: %w", book, err)
		}
	}
	return &ledger.Release{Table: t, File: path, At: e.Place(), Revision: e.Revision}, nil
}

// reading returns the flags of reading from a ledger. Files that they name are relative to it.
func reading(book, file string, read map[string][]string) (*Input, error) {
	f := &Input{}
	cmd := &cobra.Command{}
	var names []string
	for _, g := range []Group{f.Group(), f.LayoutGroup(), f.ResponseGroup()} {
		for k := range g {
			register(cmd.Flags(), &g[k])
		}
		names = append(names, g.Names()...)
	}
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil {
			if err := CheckList(f, read[name]); err != nil {
				return nil, i18n.Errorf("%s: release %s: read: %w", book, file, err)
			}
		}
		for _, v := range read[name] {
			switch dim, path, ok := strings.Cut(v, "="); {
			case name == "hierarchy" && ok:
				v = dim + "=" + beside(book, path)
			case name == "meta" || name == "layout":
				v = beside(book, v)
			}
			if err := cmd.Flags().Set(name, v); err != nil {
				return nil, i18n.Errorf("%s: release %s: read: %s: %w", book, file, name, err)
			}
		}
		delete(read, name)
	}
	for name := range read {
		return nil, i18n.Errorf("%s: release %s: read: no flag of reading is called %q; there are %s", book, file, name, strings.Join(names, ", "))
	}
	f.given(cmd)
	if len(f.Responses) > 0 {
		return nil, i18n.Errorf("%s: release %s: read: response: want column = \"value=%s\", as a release is of one", book, file, f.Responses[0])
	}
	return f, nil
}

// Given returns the flags of reading in a call, by name, and their values.
func (f *Input) Given(call Call) map[string][]string {
	given := map[string][]string{}
	for _, name := range f.Group().Names() {
		if flag := call.Flags().Lookup(name); flag.Changed {
			given[name] = valuesOf(flag)
		}
	}
	return given
}

// NewEntry returns the ledger entry of a file read with the flags of a call.
func (f *Input) NewEntry(call Call, book, path string) (*Entry, error) {
	sum, err := formats.Digest(path)
	if err != nil {
		return nil, err
	}
	e := &Entry{File: fromFolder(book, path), SHA256: sum}
	for name, list := range f.Given(call) {
		for n, v := range list {
			switch dim, path, ok := strings.Cut(v, "="); {
			case name == "hierarchy" && ok:
				list[n] = dim + "=" + fromFolder(book, path)
			case name == "meta":
				list[n] = fromFolder(book, v)
			}
		}
		if e.Read == nil {
			e.Read = map[string]any{}
		}
		if e.Read[name] = list[0]; len(list) > 1 {
			e.Read[name] = list
		}
	}
	return e, nil
}

// fromFolder returns how a ledger names a file: relative to the ledger's folder, if the file is below it.
func fromFolder(book, path string) string {
	a, errA := filepath.Abs(filepath.Dir(book))
	p, errP := filepath.Abs(path)
	if errA != nil || errP != nil {
		return path
	}
	if rel, err := filepath.Rel(a, p); err == nil {
		return filepath.ToSlash(rel)
	}
	return p
}

// Published reads a published table, whatever the rules.
func (f *Input) Published(call Call, path string) (*table.Table, error) {
	return f.published(call, &Rules{}, path)
}

// published reads a published table, without costs of its own.
func (f *Input) published(call Call, r *Rules, path string) (*table.Table, error) {
	plain := *r
	plain.Policy.Cost = protect.Cost{}
	own := *f
	own.Spare, own.InPlay, own.layout.source = true, false, nil
	o, err := own.Options(&plain)
	if err != nil {
		return nil, err
	}
	o.Beside = true
	o.Say = func(words fmt.Stringer) { cli.Note(call.ErrOrStderr(), "%v", words) }
	in, err := readInput(call, path, &own, o)
	if err != nil {
		return nil, err
	}
	own.sayChanged(call.ErrOrStderr(), in)
	return in.Table, nil
}

// releases reads the tables that one --published names.
func (f *Input) releases(call Call, r *Rules, text string) ([]*ledger.Release, error) {
	path, at := text, map[string]string(nil)
	info, err := os.Stat(path)
	if err != nil {
		if period, rest, ok := strings.Cut(text, "="); ok && period != "" && rest != "" {
			path, at = rest, map[string]string{ledger.Period: period}
			info, err = os.Stat(path)
		}
	}
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = tablesIn(path); err != nil {
			return nil, err
		}
	}
	var all []*ledger.Release
	for _, file := range files {
		t, err := f.published(call, r, file)
		if err != nil {
			return nil, err
		}
		all = append(all, &ledger.Release{Table: t, File: file, At: at})
	}
	return all, nil
}

// tablesIn returns the files in a folder that may be tables, by name.
func tablesIn(folder string) ([]string, error) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, formats.OSError(folder, err)
	}
	var files []string
	for _, e := range list {
		name := strings.TrimSuffix(strings.ToLower(e.Name()), ".gz")
		ext := strings.TrimPrefix(filepath.Ext(name), ".")
		if !e.IsDir() && !strings.HasPrefix(name, ".") && ext != "jj" && (ext == "json" || slices.Contains(FormatExtensions(), ext)) {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if files == nil {
		return nil, i18n.Errorf("--published %s: %w", folder, errNoTables)
	}
	return files, nil
}

var errNoTables = i18n.New("no file in this folder is a table by its name")
