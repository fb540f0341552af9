package desk

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/protect"
)

// droppedCall asks what kind of file was dropped on the page.
type droppedCall struct{ File string }

// dropped tells policies, layouts and sessions from tables, and resumes a session.
func (d *desk) dropped(a droppedCall) (any, error) {
	f, err := d.file(a.File)
	if err != nil {
		return nil, err
	}
	if isSession(f.path) {
		if err := d.load(f.path, false); err != nil {
			return nil, d.plain(err)
		}
		return &document.Dropped{Kind: "session"}, nil
	}
	if !strings.EqualFold(filepath.Ext(f.name), ".toml") {
		return &document.Dropped{Kind: "table"}, nil
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, formats.OSError(f.path, err)
	}
	if _, err := layout.ReadSaved(bytes.NewReader(text)); err == nil {
		return &document.Dropped{Kind: "layout"}, nil
	}
	if bytes.Contains(text, []byte("[[column]]")) { // policies for tables have none
		p, err := release.ReadPolicy(f.path)
		if err != nil {
			return nil, d.plain(err)
		}
		for k := range p.Columns {
			if c := &p.Columns[k]; c.Recode != "" {
				c.Recode = filepath.Base(c.Recode) // a file open on the page
			}
		}
		return &document.Dropped{Kind: "release", Release: policyOf(p)}, nil
	}
	p, _, err := protect.Read(bytes.NewReader(text), f.name)
	if err != nil {
		return nil, d.plain(err)
	}
	policy, err := json.Marshal(p)
	return &document.Dropped{Kind: "policy", Policy: policy}, err
}
