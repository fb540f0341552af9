package flags

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect/ledger"
)

// A Book is the ledger of an office: what it has published, and how the tables are related. Files are named relative to
// the folder of the ledger.
type Book struct {
	// Periods lists the periods in order, so that bounds on change know which follows which; nil: in the order of their
	// names.
	Periods []string `toml:"periods,omitempty" json:"periods,omitempty"`
	// Relations are files of sums (ledger.ReadSums); Change are bounds in the form of ledger.ParseChange.
	Relations []string `toml:"relations,omitempty" json:"relations,omitempty"`
	Change    []string `toml:"change,omitempty" json:"change,omitempty"`
	Releases  []Entry  `toml:"release,omitempty" json:"release,omitempty"`
}

// An Entry is one table that was published.
type Entry struct {
	File   string `toml:"file" json:"file"`
	SHA256 string `toml:"sha256,omitempty" json:"sha256,omitempty"` // the checksum of the file; "" if it is not checked
	Date   string `toml:"date,omitempty" json:"date,omitempty"`     // the date of publication, for people
	Note   string `toml:"note,omitempty" json:"note,omitempty"`
	Period string `toml:"period,omitempty" json:"period,omitempty"` // At["period"]
	// At, Dims and Codes say where the table belongs and how its dimensions and codes correspond to others
	// (ledger.Release.At, ledger.Renamed); Revision is that of ledger.Release.
	At       map[string]string            `toml:"at,omitempty" json:"at,omitempty"`
	Dims     map[string]string            `toml:"dims,omitempty" json:"dims,omitempty"`
	Codes    map[string]map[string]string `toml:"codes,omitempty" json:"codes,omitempty"`
	Revision bool                         `toml:"revision,omitempty" json:"revision,omitempty"`
	// Read holds flags of reading by name, and their values: a text or a list of texts.
	Read map[string]any `toml:"read,omitempty" json:"read,omitempty"`
}

// Place returns where the table of e belongs.
func (e *Entry) Place() map[string]string {
	at := map[string]string{}
	maps.Copy(at, e.At)
	if e.Period != "" {
		at[ledger.Period] = e.Period
	}
	return at
}

// flags returns the flags of Read with their values.
func (e *Entry) flags() (map[string][]string, error) {
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

// readBook reads a ledger: JSON if the name of its file ends in .json, else TOML. Errors begin with the name.
func readBook(r io.Reader, file string) (*Book, error) {
	b := &Book{}
	if strings.EqualFold(filepath.Ext(file), ".json") {
		d := json.NewDecoder(budget.Reader(r, budget.Settings))
		d.DisallowUnknownFields()
		if err := d.Decode(b); err != nil {
			return nil, i18n.Errorf("%s: %w", file, err)
		}
		return b, b.check(file)
	}
	meta, err := budget.DecodeTOML(r, b)
	if err != nil {
		if at, ok := errors.AsType[*budget.TOMLError](err); ok {
			return nil, at.In(file)
		}
		return nil, i18n.Errorf("%s: %w", file, err)
	}
	for _, key := range meta.Undecoded() {
		if !strings.HasPrefix(key.String(), "release.read") {
			return nil, i18n.Errorf("%s: %s: no key of a ledger; those of a release are file, sha256, date, note, period, at, dims, codes, revision and read, beside releases stand periods, relations and change", file, key)
		}
	}
	return b, b.check(file)
}

// check returns an error for entries that are empty or contradictory.
func (b *Book) check(file string) error {
	for n := range b.Releases {
		e := &b.Releases[n]
		switch {
		case e.File == "":
			return i18n.Errorf("%s: release %d: want a file", file, n+1)
		case e.Period != "" && e.At[ledger.Period] != "" && e.At[ledger.Period] != e.Period:
			return i18n.Errorf("%s: release %s: its period is %s and %s", file, e.File, e.Period, e.At[ledger.Period])
		}
		if _, err := e.flags(); err != nil {
			return i18n.Errorf("%s: %w", file, err)
		}
	}
	for _, c := range b.Change {
		if _, err := ledger.ParseChange(c); err != nil {
			return i18n.Errorf("%s: change: %w", file, err)
		}
	}
	return nil
}

// Write writes b in the format for that name of a file.
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
