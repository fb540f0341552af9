package desk

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// presetsIn returns the policies in a folder, by the names of their files; none if there is no folder.
func presetsIn(dir string) ([]document.Preset, error) {
	all := []document.Preset{}
	if dir == "" {
		return all, nil
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, formats.OSError(dir, err)
	} else if !info.IsDir() {
		return nil, i18n.Errorf("%s: want a folder", dir)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.toml"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, formats.OSError(path, err)
		}
		p, _, err := protect.Read(f, path)
		f.Close()
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		all = append(all, document.Preset{Name: strings.TrimSuffix(filepath.Base(path), ".toml"), Policy: text})
	}
	return all, nil
}
