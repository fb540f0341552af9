package desk

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/cli/risk"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/internal/sets"
	micro "github.com/hitoku/hitoku/risk"
)

// proposeCall asks what the columns of a file of records seem to be.
type proposeCall struct{ File string }

// makeCall asks for a release of a file of records.
type makeCall struct {
	File   string
	Policy document.ReleasePolicy
	Job    string // the name by which stop ends it
}

// A deskRelease is a release that was made, in a folder of its own.
type deskRelease struct {
	name   string // the name of its files without their endings
	dir    string
	policy string // TOML
	kept   bool
}

// releaseFiles are the files of a release, by the names that calls use: the endings of their names, and whether they
// exist only if every limit is kept.
var releaseFiles = map[string]struct {
	end, media string
	published  bool
}{
	"release":   {".release.csv", "text/csv", true},
	"statement": {".release.json", "application/json", true},
	"policy":    {".policy.toml", "application/toml", false},
	"board":     {".board.html", "text/html", false},
	"seed":      {"", "text/plain", true},
}

func (r *deskRelease) path(what, lang string) string {
	return filepath.Join(r.dir, lang, r.name+releaseFiles[what].end)
}

// propose returns a policy to start from, and the fields that it may have.
func (d *desk) propose(ctx context.Context, a proposeCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	records, list, err := release.Propose(ctx, f.path, micro.Layout{})
	if err != nil {
		return nil, d.plain(err)
	}
	p := release.Proposed(page.Language(ctx), list)
	o := &document.Proposal{Records: records, Policy: *policyOf(p), Roles: sets.Each(release.Roles, func(r release.Role) string { return string(r) })}
	if o.Fields, err = formOf(p.Fields()); err != nil {
		return nil, err
	}
	o.Steps, err = formOf(new(release.Column).Fields())
	return o, err
}

// policyOf returns a policy in the form of the page.
func policyOf(p *release.Policy) *document.ReleasePolicy {
	a := &document.ReleasePolicy{Confirmed: p.Confirmed, Says: said(p.Fields())}
	for k := range p.Columns {
		c := &p.Columns[k]
		a.Columns = append(a.Columns, document.ReleaseColumn{Name: c.Name, Role: string(c.Role), Reason: c.Reason, Says: said(c.Fields())})
	}
	return a
}

// releasesKept returns the releases that can be saved.
func (d *desk) releasesKept() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := []string{}
	for k, r := range d.releases {
		if r != nil {
			all = append(all, "m"+strconv.Itoa(k))
		}
	}
	return all
}

// releasePolicy returns the policy on the page, and its TOML, in which a hierarchy is named as its owner names it.
func (d *desk) releasePolicy(a *document.ReleasePolicy) (*release.Policy, string, error) {
	p := &release.Policy{Confirmed: a.Confirmed}
	set := func(fields []option.Option, says map[string]string, at string) error {
		for _, name := range slices.Sorted(maps.Keys(says)) {
			if err := release.Set(fields, name, strings.TrimSpace(says[name])); err != nil {
				return &faultAt{at + name, err}
			}
		}
		return nil
	}
	if err := set(p.Fields(), a.Says, ""); err != nil {
		return nil, "", err
	}
	for k, c := range a.Columns {
		x := release.Column{Name: c.Name, Role: release.Role(c.Role), Reason: c.Reason}
		if err := set(x.Fields(), c.Says, strconv.Itoa(k)+"."); err != nil {
			return nil, "", err
		}
		p.Columns = append(p.Columns, x)
	}
	if err := p.Check(); err != nil {
		return nil, "", err
	}
	var b strings.Builder
	if err := p.Write(&b, nil, false); err != nil {
		return nil, "", err
	}
	for k := range p.Columns {
		if c := &p.Columns[k]; c.Recode != "" {
			paths := d.resolve(map[string][]string{"hierarchy": {c.Recode}})
			if c.Recode = paths["hierarchy"][0]; !filepath.IsAbs(c.Recode) {
				return nil, "", &faultAt{strconv.Itoa(k) + ".recode", i18n.Errorf("%s: no file of this name is open", c.Recode)}
			}
		}
	}
	return p, b.String(), nil
}

// A faultAt is an error about a field of a form.
type faultAt struct {
	field string
	err   error
}

func (e *faultAt) Error() string { return e.err.Error() }

func (e *faultAt) Message() i18n.Text { return i18n.T("%s", e.err) }

// AtField returns the name of the field.
func (e *faultAt) AtField() string { return e.field }

func (e *faultAt) Unwrap() error { return e.err }

// said returns the texts of the fields that are set.
func said(fields []option.Option) map[string]string {
	all := map[string]string{}
	for _, o := range fields {
		if texts := o.Texts(); texts != nil {
			all[o.Name] = texts[0]
		}
	}
	return all
}

// makeRelease searches for a release, attacks it and keeps its files; those of the file's previous release are removed.
func (d *desk) makeRelease(ctx context.Context, a makeCall, emit func(any)) (any, error) {
	ctx, end := d.job(ctx, a.Job)
	defer end()
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	p, text, err := d.releasePolicy(&a.Policy)
	if err != nil {
		return nil, d.plain(err)
	}
	dir, err := os.MkdirTemp(d.dir, "release")
	if err != nil {
		return nil, err
	}
	r := &deskRelease{name: strings.TrimSuffix(f.name, filepath.Ext(f.name)), dir: dir, policy: text}
	for _, lang := range report.Languages() {
		if err := os.Mkdir(filepath.Join(dir, lang), 0o700); err != nil {
			return nil, err
		}
	}
	if _, _, err := seed.File(d.seedFile()); err != nil { // made in advance: the page offers the file, and its folder must not be disclosed
		return nil, err
	}
	var words bytes.Buffer
	due := every(render.Pause / 4)
	m := &risk.Making{Path: f.path, Name: f.name, Policy: p, Output: r.path("release", ""), Statement: r.path("statement", ""), Seed: d.seedFile(), Words: speaking{&words, page.Language(ctx)},
		Board: func(lang string) string { return r.path("board", lang) },
		Progress: func(done, total int) {
			if due() {
				emit(document.ReleaseEvent{Done: done, Total: total})
			}
		}}
	made, err := m.Make(ctx)
	switch {
	case ctx.Err() != nil:
		os.RemoveAll(dir)
		return nil, i18n.New("stopped before there was a release")
	case err != nil:
		os.RemoveAll(dir)
		return nil, d.plain(err)
	}
	for line := range strings.Lines(words.String()) {
		made.Says = append(made.Says, d.named(strings.TrimPrefix(strings.TrimSpace(line), "hitoku: ")))
	}
	if made.Why != "" {
		os.RemoveAll(dir)
		return made, nil
	}
	if err := os.WriteFile(r.path("policy", ""), []byte(text), 0o600); err != nil {
		return nil, err
	}
	r.kept = made.Kept
	d.mu.Lock()
	defer d.mu.Unlock()
	for k, old := range d.releases {
		if old != nil && old.name == r.name {
			os.RemoveAll(old.dir)
			d.releases[k] = nil
		}
	}
	d.releases = append(d.releases, r)
	made.Release = "m" + strconv.Itoa(len(d.releases)-1)
	return made, nil
}

// releaseFile returns a file of a release made with the rules now on the page.
func (d *desk) releaseFile(a *outCall) (*page.File, error) {
	r, err := at(d, &d.releases, "m", a.Release)
	if err != nil {
		return nil, err
	}
	what, known := releaseFiles[a.What]
	if !known {
		return nil, i18n.Errorf("nothing is called %q", a.What)
	}
	if a.Rules == nil {
		a.Rules = &document.ReleasePolicy{}
	}
	if _, text, err := d.releasePolicy(a.Rules); err != nil || text != r.policy {
		return nil, i18n.New("roles or limits were changed since this search, so nothing of it is saved; search again")
	}
	if what.published && !r.kept {
		return nil, i18n.New("not every limit is kept, so nothing is written")
	}
	lang := ""
	if a.What == "board" {
		if lang = a.Lang; !slices.Contains(report.Languages(), lang) {
			lang = "en"
		}
	}
	path := r.path(a.What, lang)
	if a.What == "seed" {
		path = d.seedFile()
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, i18n.Errorf("%s: %w", filepath.Base(path), errors.Unwrap(err))
	}
	return &page.File{Name: filepath.Base(path), Type: what.media, Content: content}, nil
}
