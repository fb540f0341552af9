package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// A Book is the ledger that an office keeps: what it has published, and how the tables stand to each other. Files are named from the folder of the ledger.
type Book struct {
	// Periods in their order, from which bounds on change know which comes after which; nil: in the order of their names.
	Periods []string `toml:"periods,omitempty" json:"periods,omitempty"`
	// Relations are files of sums (ReadSums), Change bounds as ParseChange reads them.
	Relations []string `toml:"relations,omitempty" json:"relations,omitempty"`
	Change    []string `toml:"change,omitempty" json:"change,omitempty"`
	Releases  []Entry  `toml:"release,omitempty" json:"release,omitempty"`
}

// An Entry is one table that was published.
type Entry struct {
	File   string `toml:"file" json:"file"`
	SHA256 string `toml:"sha256,omitempty" json:"sha256,omitempty"` // of the file; "": it is not checked
	Date   string `toml:"date,omitempty" json:"date,omitempty"`     // of the publication, for people
	Note   string `toml:"note,omitempty" json:"note,omitempty"`
	Period string `toml:"period,omitempty" json:"period,omitempty"` // At["period"]
	// At, Dims and Codes say where the table stands and which of its dimensions and codes are which (Release.At, Renamed); Revision is that of Release.
	At       map[string]string            `toml:"at,omitempty" json:"at,omitempty"`
	Dims     map[string]string            `toml:"dims,omitempty" json:"dims,omitempty"`
	Codes    map[string]map[string]string `toml:"codes,omitempty" json:"codes,omitempty"`
	Revision bool                         `toml:"revision,omitempty" json:"revision,omitempty"`
	// Read are flags of reading, by name, and their values: a text or a list of texts.
	Read map[string]any `toml:"read,omitempty" json:"read,omitempty"`
}

// Place is where the table of e stands.
func (e *Entry) Place() map[string]string {
	at := map[string]string{}
	for d, c := range e.At {
		at[d] = c
	}
	if e.Period != "" {
		at[Period] = e.Period
	}
	return at
}

// Flags are those of Read with their values.
func (e *Entry) Flags() (map[string][]string, error) {
	out := map[string][]string{}
	for name, v := range e.Read {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				out[name] = append(out[name], fmt.Sprint(one))
			}
		case map[string]any:
			return nil, i18n.Errorf("release %s: read: %s: want a text or a list of texts", e.File, name)
		default:
			out[name] = []string{fmt.Sprint(v)}
		}
	}
	return out, nil
}

// ReadBook reads a ledger, in JSON where the name of its file ends in .json, else in TOML. Errors begin with the name.
func ReadBook(r io.Reader, file string) (*Book, error) {
	b := &Book{}
	if strings.EqualFold(filepath.Ext(file), ".json") {
		d := json.NewDecoder(r)
		d.DisallowUnknownFields()
		if err := d.Decode(b); err != nil {
			return nil, i18n.Errorf("%s: %w", file, err)
		}
		return b, b.check(file)
	}
	meta, err := toml.NewDecoder(r).Decode(b)
	if err != nil {
		var at toml.ParseError
		if errors.As(err, &at) {
			return nil, i18n.Errorf("%s:%d: %s", file, at.Position.Line, at.Message)
		}
		return nil, i18n.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Undecoded() {
		if !strings.HasPrefix(key.String(), "release.read") {
			return nil, i18n.Errorf("%s: %s: no key of a ledger; those of a release are file, sha256, date, note, period, at, dims, codes, revision and read, beside releases stand periods, relations and change", file, key)
		}
	}
	return b, b.check(file)
}

// check reports entries that say nothing, or contradict themselves.
func (b *Book) check(file string) error {
	for n := range b.Releases {
		e := &b.Releases[n]
		switch {
		case e.File == "":
			return i18n.Errorf("%s: release %d: want a file", file, n+1)
		case e.Period != "" && e.At[Period] != "" && e.At[Period] != e.Period:
			return i18n.Errorf("%s: release %s: its period is %s and %s", file, e.File, e.Period, e.At[Period])
		}
		if _, err := e.Flags(); err != nil {
			return i18n.Errorf("%s: %w", file, err)
		}
	}
	for _, c := range b.Change {
		if _, err := ParseChange(c); err != nil {
			return i18n.Errorf("%s: change: %w", file, err)
		}
	}
	return nil
}

// Write writes b for a file of that name.
func (b *Book) Write(w io.Writer, file string) error {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(b)
	}
	e := toml.NewEncoder(w)
	e.Indent = ""
	return e.Encode(b)
}

// A Set is everything that is known beside the present table.
type Set struct {
	At       map[string]string // of the present
	Releases []*Release
	Sums     []Sum
	Changes  []Change
	Periods  []string
}

// Empty reports whether nothing is known.
func (s *Set) Empty() bool {
	return s == nil || len(s.Releases) == 0 && len(s.Sums) == 0 && len(s.Changes) == 0
}

// Join joins the present table, from a file, with what is known.
func (s *Set) Join(present *Release, opt Options) (*Joint, error) {
	opt.Sums, opt.Changes, opt.Periods = s.Sums, s.Changes, s.Periods
	present.At = s.At
	return join(present, s.Releases, &opt)
}

// Published is s as readers have it: of releases the office's files may have values of withheld cells.
func (s *Set) Published() *Set {
	all := *s
	all.Releases = make([]*Release, len(s.Releases))
	for k, r := range s.Releases {
		withheld := make([]bool, r.Table.Len())
		for i := range withheld {
			withheld[i] = r.withheld(i)
		}
		one := *r
		one.Table = table.Publish(r.Table, withheld, table.Intruder{Beside: true}).Table()
		all.Releases[k] = &one
	}
	return &all
}

// Together joins the releases of a set by themselves, as their readers do: as if a table without cells were the present one.
func (s *Set) Together(file string, opt Options) (*Joint, error) {
	s = s.Published()
	first := s.Releases[0]
	none := &table.Table{Name: file, Dims: first.Table.Dims, Rel: table.NewRelations(0)}
	all := *s
	all.At, opt.Withheld = first.At, []bool{}
	return all.Join(&Release{Table: none, File: file}, opt)
}

// Contradiction looks for the first release that cannot be true beside those before it, by trying what they make together. told is false where why is
// about something else.
func (s *Set) Contradiction(present *Release, opt Options, why error, try func(*Joint) error) (err error, told bool) {
	if !errors.Is(why, interval.ErrInconsistent) {
		return why, false
	}
	for k := range s.Releases {
		some := *s
		some.Releases, some.Changes = s.Releases[:k+1], nil
		j, err := some.Join(present, opt)
		if err == nil {
			err = try(j)
		}
		if errors.Is(err, interval.ErrInconsistent) {
			return &contradictionError{File: s.Releases[k].File, Err: err}, true
		}
	}
	return &contradictionError{Err: why}, true
}
