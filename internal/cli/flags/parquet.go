package flags

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// duckEnv is the environment variable with the path of the program that reads Parquet.
const duckEnv = "HITOKU_DUCK"

// IsParquet reports whether hitoku-duck has to read an input.
func IsParquet(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// ReadParquet runs hitoku-duck with args on path and passes its output to read: CSV with commas and a header. If both
// fail, the error of the program comes first, because read saw text that broke off.
func ReadParquet(ctx context.Context, path string, read func(io.Reader) error, args ...string) error {
	if _, err := os.Stat(path); err != nil {
		var p *os.PathError
		errors.As(err, &p)
		return &formats.Error{File: path, Want: i18n.T("%s", p.Err), Err: err}
	}
	duck, err := FindDuck()
	if err != nil {
		return &formats.Error{File: path, Want: i18n.T("Parquet needs another program: %s", err), Err: err}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	run := exec.CommandContext(ctx, duck, append(args, "--", path)...)
	var words bytes.Buffer
	run.Stderr = &words
	out, err := run.StdoutPipe()
	if err != nil {
		return err
	}
	if err := run.Start(); err != nil {
		return i18n.Errorf("%s: %w", duck, err)
	}
	fault := read(out)
	if fault != nil {
		if n, _ := out.Read(make([]byte, 1)); n > 0 {
			stop() // otherwise it would keep writing; its error is collected at its end
		}
	}
	err = run.Wait()
	text := strings.TrimPrefix(strings.TrimSpace(words.String()), "hitoku-duck: ")
	switch {
	case text != "":
		return errors.New(text)
	case fault != nil:
		return fault
	case err != nil:
		return i18n.Errorf("%s: %s: %w", path, filepath.Base(duck), err)
	}
	return nil
}

// FindDuck returns the path of hitoku-duck: beside this program, or in PATH.
func FindDuck() (string, error) {
	if path := os.Getenv(duckEnv); path != "" {
		return path, nil
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "hitoku-duck")
		if path, err := exec.LookPath(beside); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("hitoku-duck")
	if err != nil {
		return "", i18n.New("hitoku-duck is neither beside hitoku nor in PATH; in the sources of hitoku, make duck builds it")
	}
	return path, nil
}
