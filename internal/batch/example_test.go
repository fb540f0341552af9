package batch_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/hitoku/hitoku/internal/batch"
	"github.com/hitoku/hitoku/internal/document"
)

// A job counts the bytes of every file in a folder, two at a time. Had the run been
// killed, the next one would go on behind what the journal has; here it finds
// nothing left to do.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "job")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"a.txt": "one", "b.txt": "three"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	job := &batch.Job{Inputs: []string{filepath.Join(dir, "*.txt")}, Output: filepath.Join(dir, "out")}

	once := func() (done int) {
		tasks, err := job.Plan(batch.Shard{})
		if err != nil {
			log.Fatal(err)
		}
		journal, err := batch.OpenJournal(job.OfficeDir(), batch.Shard{})
		if err != nil {
			log.Fatal(err)
		}
		defer journal.Close()
		count := make([]int, 2) // by worker: calls for one worker do not overlap
		err = batch.Run(context.Background(), tasks, journal, batch.Options{
			Workers: len(count),
			Do: func(_ context.Context, worker int, t *batch.Task) batch.Result {
				count[worker]++
				b, err := os.ReadFile(t.Input)
				if err != nil {
					return batch.Result{Exit: 2, Why: err.Error()}
				}
				return batch.Result{Report: &document.BatchReport{Suppression: document.Suppression{Cells: len(b)}}}
			},
		})
		if err != nil {
			log.Fatal(err)
		}
		entries, _, err := batch.Merge(tasks, job.OfficeDir(), "")
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range entries {
			fmt.Println(filepath.Base(e.Input), "exit", e.Exit, e.Report.Cells)
		}
		return count[0] + count[1]
	}
	fmt.Println(once(), "done")
	fmt.Println(once(), "done")
	// Output:
	// a.txt exit 0 3
	// b.txt exit 0 5
	// 2 done
	// a.txt exit 0 3
	// b.txt exit 0 5
	// 0 done
}
