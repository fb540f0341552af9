package formats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Files are found under every name they have: spellings, links, letters of the other case where these name one file.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name string) {
		must.Do(t, os.WriteFile(at(name), nil, 0o666))
	}
	put("a")
	put("b")
	os.Link(at("a"), at("hard"))
	if err := os.Symlink("a", at("soft")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	os.Symlink("new", at("later"))
	var f Files
	for _, name := range []string{"a", "new"} {
		if _, is := f.Add(at(name)); is {
			t.Errorf("%s is there before it was added", name)
		}
	}
	for _, c := range []struct{ path, want string }{
		{at("a"), "a"}, {dir + "/./a", "a"}, {at("hard"), "a"}, {at("soft"), "a"}, {at("b"), ""}, {at("later"), "new"}, {dir + "//new", "new"}, {at("newer"), ""},
	} {
		name, is := f.Find(c.path)
		if is != (c.want != "") || is && name != at(c.want) {
			t.Errorf("%s: found %q, want %q", c.path, name, c.want)
		}
	}
	// A folder in which a file has a second name in the other case is one where letters of both cases name one file.
	if os.Mkdir(at("fold"), 0o777) != nil || os.WriteFile(at("fold/Q"), nil, 0o666) != nil {
		t.Fatal()
	}
	if _, err := os.Stat(at("fold/q")); err != nil && SameFile(at("fold/New"), at("fold/new")) {
		t.Error("two names that letters of both cases tell apart are one")
	}
	os.Link(at("fold/Q"), at("fold/q"))
	if !SameFile(at("fold/New"), at("fold/nEW")) || SameFile(at("fold/New"), at("fold/old")) {
		t.Error("letters of both cases tell files apart")
	}
}

// A name of any length that a file may have can be saved, and locked.
func TestSaveLongName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("n", 251) + ".csv", strings.Repeat("統", 83) + ".csv"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := Alone(t.Context(), path, func() error { return Save(path, text("x")) }); err != nil {
			t.Error(err)
		}
		only(t, dir, name)
	}
}
