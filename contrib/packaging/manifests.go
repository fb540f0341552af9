package main

import (
	"bytes"
	"embed"
	"fmt"
	"text/template"
)

//go:embed templates
var templates embed.FS

// manifests writes the container file and the manifests of Homebrew and Scoop. They refer to archives with
// their checksums.
func (r *release) manifests() error {
	sums := map[string]string{}
	for _, t := range r.targets {
		sum, err := r.hash(r.archived(t))
		if err != nil {
			return err
		}
		sums[t.os+"_"+t.arch] = sum
	}
	known := func(name string) (string, error) {
		if sums[name] == "" {
			return "", fmt.Errorf("no archive of %s is made", name)
		}
		return sums[name], nil
	}
	for _, m := range []struct {
		name string
		of   []string // the targets that it needs
	}{
		{"Dockerfile", []string{"linux_amd64", "linux_arm64"}},
		{"hitoku.rb", []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64"}},
		{"hitoku.json", []string{"windows_amd64", "windows_arm64"}},
	} {
		missing := false
		for _, name := range m.of {
			missing = missing || sums[name] == ""
		}
		if missing {
			continue
		}
		t, err := template.New(m.name+".tmpl").Funcs(template.FuncMap{"sum": known}).ParseFS(templates, "templates/"+m.name+".tmpl")
		if err != nil {
			return err
		}
		var b bytes.Buffer
		data := map[string]string{"Version": r.number(), "URL": r.url, "About": about, "Top": r.top()}
		if err := t.Execute(&b, data); err != nil {
			return err
		}
		if err := r.write(m.name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
