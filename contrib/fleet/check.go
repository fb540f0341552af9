package nats

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
)

// noFiles are the flags of hitoku suppress whose texts name no file but may look as if they did: a mark may be
// a slash. Every other flag, including any that a later hitoku has, is assumed to name files.
var noFiles = []string{"apriori-separator", "column", "dims", "lead", "nil", "response", "select", "symbol", "total", "withheld"}

// newTask makes the message about a table, still without its files.
func newTask(t *batch.Task) *task {
	return &task{Key: t.Key, Input: filepath.Clean(t.Input), Output: filepath.Clean(t.Output), Options: t.Options, Files: map[string]string{}}
}

// CheckOptions returns an error if a task has an option that a fleet cannot handle: one that belongs to the
// job, one that would put a secret into a message, or one that would make two workers disagree about a table.
func CheckOptions(t *batch.Task) error {
	if err := t.CheckFlags(); err != nil {
		return err
	}
	for name, values := range t.Options {
		switch {
		case strings.Contains(name, "seed") && name != "defence-seed": // defence-seed may be public
			return fmt.Errorf("%s: a secret seed, or its file, would stand in the messages and the store of the fleet, which whoever is let in can read; use hitoku batch", name)
		case name == "ledger":
			return fmt.Errorf("ledger: the files that it lists are no part of a task; use hitoku batch, or name them by published, relations, period and change")
		case name == "published" && slices.ContainsFunc(values, isFolder):
			return fmt.Errorf("published: a folder is no part of a task; name its files, or use hitoku batch")
		case name == "defence" && slices.Contains(values, "random"):
			return fmt.Errorf("defence random: it is drawn by a secret seed, for which a fleet has no place; use hitoku batch")
		}
	}
	return nil
}

// isFolder reports whether an option's value, or the part after its "=", names a folder.
func isFolder(value string) bool {
	_, path, _ := strings.Cut(value, "=")
	for _, p := range []string{value, path} {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// check checks that the task stays in its folder. A worker trusts no message, since anybody who has the token
// may have written it. Neither files nor options may lead out of the folder, and options that belong to the
// job, such as output and certificate, are refused.
func (t *task) check() error {
	if !isHash(t.Key) {
		return fmt.Errorf("key %.80q is no hash", t.Key)
	}
	for _, path := range []string{t.Input, t.Output} {
		if err := local(path); err != nil {
			return err
		}
	}
	if _, ok := t.Files[t.Input]; !ok {
		return fmt.Errorf("%q: the input is not among the files", t.Input)
	}
	for path, sum := range t.Files {
		if err := local(path); err != nil {
			return err
		}
		if path == t.Output {
			return fmt.Errorf("%q: output and input at once", path)
		}
		if !isHash(sum) {
			return fmt.Errorf("%q: %.80q is no hash", path, sum)
		}
	}
	if err := CheckOptions(&batch.Task{Options: t.Options}); err != nil {
		return err
	}
	for name, values := range t.Options {
		if !isFlag(name) {
			return fmt.Errorf("%q is no name of an option", name)
		}
		if slices.Contains(noFiles, name) {
			continue
		}
		for _, v := range values {
			for rest, ok := v, true; ok; _, rest, ok = strings.Cut(rest, "=") {
				if rest != "" && !filepath.IsLocal(filepath.FromSlash(rest)) {
					return fmt.Errorf("--%s=%s leads out of the job's folder", name, v)
				}
			}
		}
	}
	return nil
}

// message returns the task in the form that hitoku batch task reads.
func (t *task) message() *batch.Message {
	return &batch.Message{Input: t.Input, Output: t.Output, Options: t.Options}
}

// local refuses a path that is not below the working directory, or that is not in canonical form: a file then
// has a single name, which can be checked.
func local(path string) error {
	switch {
	case !filepath.IsLocal(path):
		return fmt.Errorf("%q leads out of the job's folder", path)
	case path != filepath.Clean(path) || path == ".":
		return fmt.Errorf("%q: want a path of folders and a name alone", path)
	}
	return nil
}

// isHash reports whether s is a SHA-256 as this package writes it.
func isHash(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == 64
}

// isFlag reports whether s can only be the name of a long flag. With a "=" in it, it would be another flag than
// the one that was checked.
func isFlag(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && s[0] != '-'
}

// away matches a code list in τ-ARGUS metadata that may be outside their folder: one with an absolute path, a
// drive, or "..". A slash within a relative path comes after a letter, a digit or the like.
var away = regexp.MustCompile(`(?i)CODELIST[^\n]*(\.\.|:|[^\pL\pN_.()+~-][/\\])`)

// checkMetadata refuses a task with a file in dir, which root has open, that may be τ-ARGUS metadata naming
// files elsewhere. hitoku may read a file as metadata under any of the names that the file has on some system,
// so all files are examined, except for a table that cannot be metadata.
func (t *task) checkMetadata(root *os.Root, dir string) error {
	encoding := ""
	if e := t.Options["encoding"]; len(e) > 0 {
		encoding = e[len(e)-1]
	}
	argusTable := len(t.Options["meta"]) > 0 || len(t.Options["from"]) > 0
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.ToLower(t.Input), ".gz"))) {
	case ".tab", ".rda":
		argusTable = true
	}
	for _, path := range slices.Sorted(maps.Keys(t.Files)) {
		if path == t.Input && !argusTable {
			continue
		}
		text := func(do func(io.Reader) error) error {
			f, err := root.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			r, err := formats.OpenText(f, path)
			if err != nil {
				return nil // hitoku cannot read it either, and will say so
			}
			return do(r)
		}
		leads := false
		err := text(func(r io.Reader) error {
			leads = away.MatchReader(bufio.NewReader(r))
			return nil
		})
		if err != nil {
			return err
		}
		if leads {
			return fmt.Errorf("%s: metadata that may lead out of the job's folder", path)
		}
		var m *argus.Metadata
		err = text(func(r io.Reader) (err error) {
			m, err = argus.ReadMetadataFrom(r, filepath.Join(dir, path), argus.Tabular, encoding)
			return err
		})
		if err != nil || m == nil {
			continue // hitoku would not follow it as metadata
		}
		for _, v := range m.Variables {
			for _, list := range []string{v.Codelist, v.HierCodelist} {
				if rel, err := filepath.Rel(dir, list); list != "" && (err != nil || !filepath.IsLocal(rel)) {
					return fmt.Errorf("%s: metadata that lead out of the job's folder", path)
				}
			}
		}
	}
	return nil
}
