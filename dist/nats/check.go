package nats

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/batch"
)

// noFiles are the flags of hitoku suppress whose texts name no file and may look as if they did:
// a mark may be a slash. Every other flag, also one that a later hitoku has, is held
// to name files.
var noFiles = []string{"apriori-separator", "column", "dims", "lead", "nil", "response", "select", "symbol", "total", "withheld"}

// newTask is the message about a table, without its files.
func newTask(t *batch.Task) *task {
	return &task{Key: t.Key, Input: t.Input, Output: t.Output, Options: t.Options, Files: map[string]string{}}
}

// args checks that the task stays in its folder, and returns the arguments of hitoku that
// do it. A worker trusts no message: whoever has the token may have written it. Neither files nor options may lead out of the folder, and options that belong
// to the job, like --output and --certificate, are refused.
func (t *task) args() ([]string, error) {
	if !isHash(t.Key) {
		return nil, fmt.Errorf("key %.80q is no hash", t.Key)
	}
	for _, path := range []string{t.Input, t.Output} {
		if !filepath.IsLocal(path) {
			return nil, fmt.Errorf("%q leads out of the job's folder", path)
		}
	}
	for path, sum := range t.Files {
		if !filepath.IsLocal(path) {
			return nil, fmt.Errorf("%q leads out of the job's folder", path)
		}
		if !isHash(sum) {
			return nil, fmt.Errorf("%q: %.80q is no hash", path, sum)
		}
	}
	job := &batch.Task{Input: t.Input, Output: t.Output, Options: t.Options}
	if err := job.CheckFlags(); err != nil {
		return nil, err
	}
	for name, values := range t.Options {
		if !isFlag(name) {
			return nil, fmt.Errorf("%q is no name of an option", name)
		}
		if slices.Contains(noFiles, name) {
			continue
		}
		for _, v := range values {
			for rest, ok := v, true; ok; _, rest, ok = strings.Cut(rest, "=") {
				if rest != "" && !filepath.IsLocal(filepath.FromSlash(rest)) {
					return nil, fmt.Errorf("--%s=%s leads out of the job's folder", name, v)
				}
			}
		}
	}
	return job.SuppressArgs(), nil
}

// isHash tells whether s is a SHA-256 as the package writes it.
func isHash(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == 64
}

// isFlag tells whether s can only be the name of a long flag: one with "=" would be another
// flag than the one that was checked.
func isFlag(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && s[0] != '-'
}

// away finds a code list of τ-ARGUS metadata that is not below their folder: absolute, with
// a drive, or with "..".
var away = regexp.MustCompile(`(?i)CODELIST[^\r\n]*(\.\.|[\s">][/\\]|:)`)

// checkMetadata refuses τ-ARGUS metadata among the files in dir that name files elsewhere.
func (t *task) checkMetadata(dir string) error {
	for path := range t.Files {
		if !strings.EqualFold(filepath.Ext(path), ".rda") && !slices.Contains(t.Options["meta"], path) {
			continue
		}
		b, err := fs.ReadFile(os.DirFS(dir), filepath.ToSlash(path))
		if err != nil {
			return err
		}
		if bytes.HasPrefix(b, []byte{0x1f, 0x8b}) || away.Match(b) {
			return fmt.Errorf("%s: metadata that lead out of the job's folder", path)
		}
	}
	return nil
}
