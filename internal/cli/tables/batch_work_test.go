package tables

import (
	"testing"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli/flags"
)

// What flags say of themselves is what a fleet, which has no flags, refuses in messages.
func TestFlagsOfRun(t *testing.T) {
	t.Parallel()
	of := 0
	NewSuppress().Flags().VisitAll(func(f *pflag.Flag) {
		task := &batch.Task{Options: map[string][]string{f.Name: {"x"}}}
		if flags.OfRun(f) {
			of++
		}
		if refused := task.CheckFlags() != nil; refused != flags.OfRun(f) {
			t.Errorf("--%s: of a run %v, refused %v", f.Name, flags.OfRun(f), refused)
		}
		if _, err := readWork(task); flags.OfRun(f) && err == nil {
			t.Errorf("--%s: set in a job", f.Name)
		}
	})
	if of < 9 {
		t.Errorf("%d flags of a run", of)
	}
}
