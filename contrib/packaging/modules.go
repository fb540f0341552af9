package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
)

// A module is a module that is linked into the program for some target.
type module struct {
	Path, Version, Dir string
	licences           []string // SPDX identifiers
	texts              []notice
}

// A notice is a file with a licence or something that belongs to it.
type notice struct{ name, text string }

// legal are the prefixes of names of such files, in capitals.
var legal = []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS", "AUTHORS", "COPYRIGHT"}

// modules returns the modules of all targets, and Go itself, with their licences, sorted by path.
func (r *release) modules() ([]*module, error) {
	found := map[string]*module{}
	for _, t := range r.targets {
		env := []string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch, "GOFLAGS=-mod=readonly"}
		out, err := command(r.repo, env, "go", "list", "-deps", "-json=Module", "./cmd/hitoku")
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(strings.NewReader(out)); ; {
			var p struct {
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := d.Decode(&p); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			if m := p.Module; m != nil && !m.Main {
				found[m.Path] = &module{Path: m.Path, Version: m.Version, Dir: m.Dir}
			}
		}
	}
	root, err := command(r.repo, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	found["std"] = &module{Path: "std", Version: runtime.Version(), Dir: strings.TrimSpace(root)}
	var all []*module
	for _, m := range found {
		if err := m.read(); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// read reads the licences of a module. A module without a known licence must not be released.
func (m *module) read() error {
	files, err := os.ReadDir(m.Dir)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Path, err)
	}
	for _, f := range files {
		name := strings.ToUpper(f.Name())
		if f.IsDir() || !slices.ContainsFunc(legal, func(l string) bool { return strings.HasPrefix(name, l) }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.Dir, f.Name()))
		if err != nil {
			return err
		}
		m.texts = append(m.texts, notice{f.Name(), strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))})
		for _, l := range licensecheck.Scan(text).Match {
			if !slices.Contains(m.licences, l.ID) && !strings.HasPrefix(name, "AUTHORS") && !strings.HasPrefix(name, "PATENTS") {
				m.licences = append(m.licences, l.ID)
			}
		}
	}
	if m.licences == nil {
		return fmt.Errorf("%s %s: no licence that is known in %s", m.Path, m.Version, m.Dir)
	}
	slices.Sort(m.licences)
	return nil
}

// name returns the name of a module in notices.
func (m *module) name() string {
	if m.Path == "std" {
		return "Go " + strings.TrimPrefix(m.Version, "go") + ", its standard library and runtime"
	}
	return m.Path + " " + m.Version
}

// notices returns the licences of all that is linked into the program; a text that several modules have appears
// once.
func (r *release) notices(modules []*module) ([]byte, error) {
	own, err := os.ReadFile(filepath.Join(r.repo, "LICENSE"))
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	rule := "\n" + strings.Repeat("=", 80) + "\n\n"
	fmt.Fprintf(&b, "hitoku %s is under the Apache License 2.0 (LICENSE). Linked into it are:\n\n", r.version)
	of := map[string][]string{}
	var texts []string
	for _, m := range modules {
		fmt.Fprintf(&b, "  %s (%s)\n", m.name(), strings.Join(m.licences, ", "))
		for _, n := range m.texts {
			if of[n.text] == nil {
				texts = append(texts, n.text)
			}
			of[n.text] = append(of[n.text], m.name()+", "+n.name)
		}
	}
	for _, text := range texts {
		b.WriteString(rule + strings.Join(of[text], "\n") + "\n\n")
		if text == strings.TrimSpace(string(own)) {
			b.WriteString("The text of LICENSE.\n")
			continue
		}
		b.WriteString(text + "\n")
	}
	return []byte(b.String()), nil
}

// components returns the modules as a CycloneDX list of components.
func (r *release) components(modules []*module) ([]byte, error) {
	self := cyclonedx.Component{
		BOMRef: "pkg:golang/github.com/hitoku/hitoku@" + r.version, Type: cyclonedx.ComponentTypeApplication, Name: "hitoku", Version: r.version,
		PackageURL: "pkg:golang/github.com/hitoku/hitoku@" + r.version, Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
		Properties: &[]cyclonedx.Property{{Name: "commit", Value: r.commit}},
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.date.Format("2006-01-02T15:04:05Z"), Component: &self}
	var all []cyclonedx.Component
	var refs []string
	for _, m := range modules {
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		c := cyclonedx.Component{BOMRef: purl, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: purl}
		var licences cyclonedx.Licenses
		for _, id := range m.licences {
			licences = append(licences, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
		}
		c.Licenses = &licences
		all, refs = append(all, c), append(refs, purl)
	}
	bom.Components = &all
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	var b bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	return b.Bytes(), err
}
