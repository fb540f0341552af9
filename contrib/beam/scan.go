package beam

import (
	"context"
	"errors"
	"fmt"
	"io"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/risk"
)

func init() {
	register.DoFn4x1[context.Context, File, func(int, Counts), func(Result), error](&scanFn{})
	register.Emitter2[int, Counts]()
	register.Emitter1[Result]()
}

// A File is an input, identified by its index in the list of files. Those of the population come after those of
// the data set.
type File struct {
	Place int
	Path  string
}

// scan counts the records of the files, and merges the counts by part.
func (j *Job) scan(s sdk.Scope, paths []string, population bool) (counts, faults sdk.PCollection) {
	var files []File
	for k, p := range paths {
		if population {
			k += len(j.Files)
		}
		files = append(files, File{k, p})
	}
	// Without a reshuffle a runner may fuse the list with the scan, and run both on one worker.
	each := sdk.Reshuffle(s, sdk.CreateList(s, files))
	counts, faults = sdk.ParDo2(s, &scanFn{*j, population}, each)
	return sdk.CombinePerKey(s, &mergeCounts{}, counts), faults
}

type scanFn struct {
	Job        Job
	Population bool
}

// ProcessElement counts the records of a file. Faults of its content become results; what may succeed when
// tried again is an error.
func (f *scanFn) ProcessElement(ctx context.Context, file File, emit func(int, Counts), fault func(Result)) error {
	parts, err := f.read(ctx, file.Path)
	var at *formats.Error
	if errors.As(err, &at) {
		fault(Result{Fault: &Fault{file.Place, at.Line, at.Error()}})
		return nil
	}
	if err != nil {
		return err
	}
	for k, c := range parts {
		if c != (Counts{}) {
			emit(k, c)
		}
	}
	return nil
}

func (f *scanFn) read(ctx context.Context, path string) ([]Counts, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	in, err := fs.OpenRead(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer in.Close()
	j := f.Job
	qi := len(j.QI)
	if f.Population {
		columns, err := risk.NewColumns(j.QI...)
		if err != nil {
			return nil, err
		}
		var amounts []string
		if j.Count != "" {
			amounts = []string{j.Count}
		}
		return scan(ctx, j, columns, amounts, in, path, func() *risk.Classes { return risk.NewClasses(columns, qi) }, ofClasses)
	}
	columns, err := risk.NewColumns(j.columns()...)
	if err != nil {
		return nil, err
	}
	switch {
	case j.population():
		return scan(ctx, j, columns, nil, in, path, func() *risk.Classes { return risk.NewClasses(columns, qi) }, ofClasses)
	case j.Entity != "":
		return scan(ctx, j, columns, nil, in, path, func() *risk.Entities { return risk.NewEntities(columns) }, func(e *risk.Entities) Counts { return Counts{entities: e} })
	}
	return scan(ctx, j, columns, nil, in, path, func() *risk.Sensitive { return risk.NewSensitive(columns, qi) }, func(s *risk.Sensitive) Counts { return Counts{sensitive: s} })
}

func ofClasses(c *risk.Classes) Counts { return Counts{classes: c} }

// A splitter is an accumulator that can be divided into parts.
type splitter[A any] interface {
	risk.Accumulator[A]
	comparable
	Split(parts int) ([]A, error)
}

// scan reads a file into one accumulator and returns its parts.
func scan[A splitter[A]](ctx context.Context, j Job, columns *risk.Columns, amounts []string, in io.Reader, path string, fresh func() A, of func(A) Counts) ([]Counts, error) {
	l := risk.Layout{Separator: j.Separator, Encoding: j.Encoding}
	l.Workers = 1 // the runner decides how many files a machine reads at the same time
	s, err := risk.NewScanner(l, columns, amounts, fresh)
	if err != nil {
		return nil, err
	}
	if err := s.Read(ctx, in, path); err != nil {
		return nil, err
	}
	x, err := s.Result()
	if err != nil {
		return nil, err
	}
	parts, err := x.Split(j.Parts)
	list := make([]Counts, len(parts))
	for k, p := range parts {
		if p != *new(A) {
			list[k] = of(p)
		}
	}
	return list, err
}
