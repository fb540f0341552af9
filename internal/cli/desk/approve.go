package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/page"
)

// approveCall approves what a run would publish.
type approveCall struct {
	outCall
	Prepared, By string
}

// approve records who has approved the files for publication, by their hashes.
func (d *desk) approve(ctx context.Context, a approveCall) (any, error) {
	files, err := d.forPublication(a.outCall)
	if err != nil {
		return nil, err
	}
	prepared, by := strings.TrimSpace(a.Prepared), strings.TrimSpace(a.By)
	switch {
	case prepared == "" || by == "":
		return nil, i18n.New("want the names of who prepared and of who approves")
	case strings.EqualFold(prepared, by):
		return nil, i18n.New("somebody else approves than who prepared")
	}
	p := &document.Approval{Run: a.Run + a.Release, Prepared: prepared, By: by, At: now(), Files: []document.ApprovedFile{}}
	words := []string{"hitoku", "ledger", "add", "releases.toml"}
	for _, f := range files {
		p.Files = append(p.Files, document.ApprovedFile{Name: f.Name, SHA256: sumText(f.Content)})
		words = append(words, f.Name)
	}
	if a.Release == "" { // ledgers are for tables only
		p.Ledger = commandOf(append(words, "--note", page.Language(ctx).Say(i18n.T("Approved by %s, prepared by %s, %s", by, prepared, p.At))))
	}
	d.session.mu.Lock()
	d.session.approval = p
	d.session.mu.Unlock()
	for _, f := range p.Files {
		d.note(document.SessionLine{What: "approved", Of: f.Name, Says: f.SHA256, By: by})
	}
	return d.state(), nil
}

// forPublication returns the files of a run or a release that are to be published.
func (d *desk) forPublication(a outCall) (files []*page.File, err error) {
	if a.Release != "" {
		for _, a.What = range []string{"release", "statement"} {
			f, err := d.releaseFile(&a)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
		return files, nil
	}
	run, err := d.run(a.Run)
	if err == nil {
		err = run.same(&a)
	}
	if err != nil {
		return nil, err
	}
	for a.File = range run.table.paths {
		f, err := run.protected(a)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func sumText(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// approved returns the approval of a file with that content, nil if there is none.
func (d *desk) approved(content []byte) *document.Approval {
	d.session.mu.Lock()
	defer d.session.mu.Unlock()
	sum, p := sumText(content), d.session.approval
	if p == nil || !slices.ContainsFunc(p.Files, func(f document.ApprovedFile) bool { return f.SHA256 == sum }) {
		return nil
	}
	return p
}

// approvalOf returns the approval of a run, nil if there is none.
func (d *desk) approvalOf(run string) *document.Approval {
	d.session.mu.Lock()
	defer d.session.mu.Unlock()
	if p := d.session.approval; p != nil && p.Run == run {
		return p
	}
	return nil
}
