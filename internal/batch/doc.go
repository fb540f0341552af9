// Package batch runs one piece of work on each of many files: a job file says
// which, with what options and where results go; a pool of workers does them; a
// journal remembers what is done, so that a job that was killed goes on where it was.
//
// The package solves nothing: what is done to a file is a function of the caller, by a protect.Policy that the
// task carries, and what came of it a document. It fixes the rest:
//
//   - A task is known by a key: a hash of its options, of the version of the program and of
//     the content of every file it reads. A task whose key stands in the journal
//     with an output that is still what was written is not repeated.
//   - Outputs are whole files or none; the journal is written after the output, one line a task.
//     Killed at any moment, a job loses the tasks under way and nothing else.
//   - Results do not depend on the number of workers, on their order, on
//     interruptions or on shards, as far as the function's do not.
package batch
