package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// about is the description of the program in packages and manifests.
const about = "Protect statistical tables by cell suppression, and audit them"

// packages writes the packages for Debian and Red Hat for one processor.
func (r *release) packages(work string, t target, program []byte, shared []file) error {
	for _, kind := range []string{"deb", "rpm"} {
		tree := filepath.Join(work, kind+"-"+t.arch)
		contents, err := r.installed(tree, kind, append([]file{{"hitoku", 0o755, program}}, shared...))
		if err != nil {
			return err
		}
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: "hitoku", Platform: "linux", Arch: t.arch, Version: r.number(), Section: "science", Priority: "optional",
			Maintainer: "The hitoku authors <maintainers@hitoku.invalid>", Vendor: "The hitoku authors", Homepage: "https://github.com/hitoku/hitoku", License: "Apache-2.0",
			Description: about + "\nFinds a cheapest set of cells to withhold so that nobody who knows every published number and total can compute a sensitive one\nmore closely than its protection levels allow, with proof; audits and attacks published tables; measures the risk of re-identification in microdata.",
			MTime:       r.date,
			Overridables: nfpm.Overridables{
				Contents: contents,
				RPM:      nfpm.RPM{BuildHost: "localhost", Group: "Applications/Engineering", Summary: about},
			},
		})
		if kind == "rpm" {
			info.Release = "1"
		}
		p, err := nfpm.Get(kind)
		if err != nil {
			return err
		}
		if err := nfpm.PrepareForPackager(info, kind); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := p.Package(info, &b); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		if err := r.write(p.ConventionalFileName(info), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// installed puts the files below tree where packages of that kind have them, and lists them.
func (r *release) installed(tree, kind string, all []file) (files.Contents, error) {
	zsh := "usr/share/zsh/vendor-completions/_hitoku"
	if kind == "rpm" {
		zsh = "usr/share/zsh/site-functions/_hitoku"
	}
	place := map[string]string{
		"hitoku": "usr/bin/hitoku", completions["bash"]: "usr/share/bash-completion/completions/hitoku", completions["zsh"]: zsh,
		completions["fish"]: "usr/share/fish/vendor_completions.d/hitoku.fish", completions["powershell"]: "",
		"LICENSE": "usr/share/doc/hitoku/copyright", "README.md": "", "CITATION.cff": "",
	}
	// Otherwise the folder stays when the package is removed.
	contents := files.Contents{{Destination: "/usr/share/doc/hitoku", Type: files.TypeDir, FileInfo: &files.ContentFileInfo{Mode: 0o755, MTime: r.date, Owner: "root", Group: "root"}}}
	for _, f := range all {
		to, known := place[f.name]
		switch {
		case strings.HasPrefix(f.name, "man/"):
			to = "usr/share/" + f.name + ".gz"
		case !known:
			to = "usr/share/doc/hitoku/" + f.name
		case to == "":
			continue
		}
		content := f.content
		var err error
		if strings.HasSuffix(to, ".gz") {
			if content, err = zipped(content); err != nil {
				return nil, err
			}
		}
		path := filepath.Join(tree, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			return nil, err
		}
		contents = append(contents, &files.Content{Source: path, Destination: "/" + to, FileInfo: &files.ContentFileInfo{Mode: f.mode, MTime: r.date, Owner: "root", Group: "root"}})
	}
	return contents, nil
}
