package desk

import (
	"embed"
	"io/fs"

	"github.com/hitoku/hitoku/internal/i18n"
)

//go:embed sample
var beginnings embed.FS

// sample opens a file to begin with.
func (d *desk) sample(a struct{ Name string }) (any, error) {
	f, err := beginnings.Open("sample/" + a.Name + ".csv")
	if err != nil {
		return nil, i18n.Errorf("nothing is called %q", a.Name)
	}
	defer f.Close()
	info, err := fs.Stat(beginnings, "sample/"+a.Name+".csv")
	if err != nil {
		return nil, err
	}
	id, err := d.Upload(info.Name(), f)
	return startingFile{id, info.Name()}, err
}
