package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

// absent are packages that the clients import and Debian does not have, of which
// nothing is used here: empty stand-ins with the names that are imported.
var absent = map[string]string{"highs": "highs_solve", "SSBtools": "GaussSuppression", "shinyTree": "shinyTree", "tictoc": "tic toc"}

// withLibrary installs the packages of R into a library of its own, once for a version of R: it
// stays in the folder of the sources, in .library-VERSION, until that is removed.
func withLibrary(t *testing.T, p place) place {
	t.Helper()
	version, err := p.try(t, p.sources, time.Minute, "Rscript", "-e", "cat(R.version$major, R.version$minor, sep=\".\")")
	if err != nil {
		t.Fatal(version)
	}
	p.library = filepath.Join(p.sources, ".library-"+version)
	done := filepath.Join(p.library, "done")
	if _, err := os.Stat(done); err == nil {
		return p
	}
	must.Do(t, os.MkdirAll(p.library, 0o777))
	dir := t.TempDir()
	for name, exported := range absent {
		standIn(t, filepath.Join(dir, name), name, strings.Fields(exported))
		p.install(t, filepath.Join(dir, name))
	}
	for _, name := range []string{"sdcHierarchies", "sdcTable", "rtauargus"} {
		copied := filepath.Join(dir, name)
		must.Do(t, os.CopyFS(copied, os.DirFS(filepath.Join(p.sources, name))))
		p.oldImports(t, filepath.Join(copied, "NAMESPACE"))
		p.install(t, copied)
	}
	must.Do(t, os.WriteFile(done, nil, 0o666))
	return p
}

func (p place) install(t *testing.T, dir string) {
	t.Helper()
	out, err := p.try(t, filepath.Dir(dir), 10*time.Minute, "R", "CMD", "INSTALL", "--no-docs", "-l", p.library, dir)
	if err != nil {
		t.Fatalf("R CMD INSTALL %s: %v\n%s", filepath.Base(dir), err, tail(out, 30))
	}
}

// oldImports lets a package be installed beside a dplyr that does not yet give on
// where of tidyselect.
func (p place) oldImports(t *testing.T, namespace string) {
	t.Helper()
	out, err := p.try(t, filepath.Dir(namespace), time.Minute, "Rscript", "-e", `cat("where" %in% getNamespaceExports("dplyr"))`)
	if err != nil || strings.Contains(out, "TRUE") {
		return
	}
	text, err := os.ReadFile(namespace)
	if err == nil {
		err = os.WriteFile(namespace, []byte(strings.ReplaceAll(string(text), "importFrom(dplyr,where)", "importFrom(tidyselect,where)")), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func standIn(t *testing.T, dir, name string, exported []string) {
	t.Helper()
	var code, names strings.Builder
	for _, f := range exported {
		fmt.Fprintf(&code, "%s <- function(...) invisible(NULL)\n", f)
		fmt.Fprintf(&names, "export(%s)\n", f)
	}
	must.Do(t, os.MkdirAll(filepath.Join(dir, "R"), 0o777))
	for file, text := range map[string]string{
		"DESCRIPTION": "Package: " + name + "\nVersion: 99.0\nTitle: Stand-In\nDescription: Stand-in for tests.\nLicense: none\nAuthor: none\nMaintainer: none <none@example.org>\n",
		"NAMESPACE":   names.String(),
		"R/all.R":     code.String(),
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
	}
}
