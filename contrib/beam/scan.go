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

// A File is one input, known by its place in the list of files. Those of the population
// follow those of the data set.
type File struct {
	Place int
	Path  string
}

// scan counts the files, and merges what it has of each part.
func (j *Job) scan(s sdk.Scope, paths []string, population bool) (counts, faults sdk.PCollection) {
	var files []File
	for k, p := range paths {
		if population {
			k += len(j.Files)
		}
		files = append(files, File{k, p})
	}
	// Without a reshuffle a runner may fuse the list with its scan, on one worker.
	each := sdk.Reshuffle(s, sdk.CreateList(s, files))
	counts, faults = sdk.ParDo2(s, &scanFn{*j, population}, each)
	return sdk.CombinePerKey(s, &mergeCounts{}, counts), faults
}

type scanFn struct {
	Job        Job
	Population bool
}

// ProcessElement counts a file. Faults of its content are results; what may go well at
// another time is an error.
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
		x, err := scan(ctx, j, columns, amounts, in, path, func() *risk.Classes { return risk.NewClasses(columns, qi) })
		if err != nil {
			return nil, err
		}
		parts, err := x.Split(j.Parts)
		return counted(parts, func(c *risk.Classes) Counts { return Counts{classes: c} }), err
	}
	columns, err := risk.NewColumns(j.columns()...)
	if err != nil {
		return nil, err
	}
	switch {
	case j.population():
		x, err := scan(ctx, j, columns, nil, in, path, func() *risk.Classes { return risk.NewClasses(columns, qi) })
		if err != nil {
			return nil, err
		}
		parts, err := x.Split(j.Parts)
		return counted(parts, func(c *risk.Classes) Counts { return Counts{classes: c} }), err
	case j.Entity != "":
		x, err := scan(ctx, j, columns, nil, in, path, func() *risk.Entities { return risk.NewEntities(columns) })
		if err != nil {
			return nil, err
		}
		parts, err := x.Split(j.Parts)
		return counted(parts, func(e *risk.Entities) Counts { return Counts{entities: e} }), err
	}
	x, err := scan(ctx, j, columns, nil, in, path, func() *risk.Sensitive { return risk.NewSensitive(columns, qi) })
	if err != nil {
		return nil, err
	}
	parts, err := x.Split(j.Parts)
	return counted(parts, func(s *risk.Sensitive) Counts { return Counts{sensitive: s} }), err
}

// scan reads a file into one accumulator.
func scan[A risk.Accumulator[A]](ctx context.Context, j Job, columns *risk.Columns, amounts []string, in io.Reader, path string, fresh func() A) (A, error) {
	l := risk.Layout{Separator: j.Separator, Encoding: j.Encoding}
	l.Workers = 1 // the runner decides how many files a machine reads at a time
	s, err := risk.NewScanner(l, columns, amounts, fresh)
	if err != nil {
		return *new(A), err
	}
	if err := s.Read(ctx, in, path); err != nil {
		return *new(A), err
	}
	return s.Result()
}

// counted are the parts that have classes.
func counted[T any](parts []*T, of func(*T) Counts) []Counts {
	list := make([]Counts, len(parts))
	for k, p := range parts {
		if p != nil {
			list[k] = of(p)
		}
	}
	return list
}
