package beam

import (
	"context"
	"errors"
	"fmt"
	"io"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn2x1[context.Context, Result, error](&writeFn{})
}

// Run measures and returns the result, which a worker leaves in a file; that must be on a file system to which
// the workers and this process have access. run submits the pipeline and waits for its end. A result with a
// fault says which record cannot be read, and has no measures.
func (j *Job) Run(ctx context.Context, file string, run func(context.Context, *sdk.Pipeline) error) (r Result, err error) {
	p, s := sdk.NewPipelineWithRoot()
	all, err := j.Measure(s)
	if err != nil {
		return r, err
	}
	sdk.ParDo0(s, &writeFn{file}, all)
	if err := run(ctx, p); err != nil {
		return r, err
	}
	fs, err := filesystem.New(ctx, file)
	if err != nil {
		return r, err
	}
	defer fs.Close()
	in, err := fs.OpenRead(ctx, file)
	if err != nil {
		return r, fmt.Errorf("the job has ended, but its result cannot be read: %w", err)
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	return decodeResult(b)
}

// writeFn writes the result to a file.
type writeFn struct{ File string }

func (f *writeFn) ProcessElement(ctx context.Context, r Result) error {
	b, err := encodeResult(r)
	if err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, f.File)
	if err != nil {
		return err
	}
	defer fs.Close()
	out, err := fs.OpenWrite(ctx, f.File)
	if err != nil {
		return err
	}
	_, err = out.Write(b)
	return errors.Join(err, out.Close())
}
