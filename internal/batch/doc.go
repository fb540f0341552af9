// Package batch runs one piece of work on each of many files. A job file says on which, with what options and
// where results go; a pool of workers does the tasks; a journal remembers what is done, so that a job that was
// killed continues where it was.
//
// The package itself protects nothing: what is done to a file is a function of the caller, guided by the
// protect.Policy that the task carries, and its result is a document. The package guarantees:
//
//   - A task is known by a key: a hash of its options, of the version of the program and of the content of
//     every file it reads. A task whose key stands in the journal is not repeated if its output is still what
//     was written.
//   - Outputs are written whole or not at all, and before the journal, which has one line a task. A job that is
//     killed at any moment loses the tasks under way and nothing else.
//   - Results do not depend on the number of workers, on their order, on interruptions or on shards, as far as
//     those of the caller's function do not.
package batch
