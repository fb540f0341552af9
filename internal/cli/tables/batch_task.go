package tables

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
)

// newTask returns hitoku batch task, by which a cluster does one table of a job in a process of its own: the task is
// data on standard input, and its result goes to standard output.
func newTask() *cobra.Command {
	return &cobra.Command{
		Use:    "task",
		Short:  "Do one table of a job, which comes as JSON on standard input",
		Hidden: true,
		Args:   cli.NoArgs,
		RunE:   doTask,
	}
}

func doTask(cmd *cobra.Command, _ []string) error {
	var m batch.Message
	d := json.NewDecoder(cmd.InOrStdin())
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return i18n.Errorf("the task: %w", err)
	}
	t := &batch.Task{Input: m.Input, Output: m.Output, Options: m.Options}
	w := newWorks()
	err := w.read(t)
	if m.Check {
		return err
	}
	r := batch.Result{Exit: int(cli.Usage)}
	if err != nil {
		r.Why = err.Error()
	} else {
		r = w.do(cmd.Context(), 0, t)
	}
	switch {
	case r.Fault != nil:
		return r.Fault
	case cmd.Context().Err() != nil:
		return i18n.New("interrupted")
	}
	doc := &document.BatchResult{Mark: private.Only, Input: t.Input, Exit: r.Exit, Why: r.Why, Report: r.Report, Altered: r.Altered}
	if r.Wrote {
		doc.Output = t.Output
	}
	return document.Write(cmd.OutOrStdout(), doc)
}
