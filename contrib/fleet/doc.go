// Package nats lets many machines work on one job of hitoku batch, by NATS JetStream: a
// work queue of tables, and a store of inputs and results.
//
//   - Queue: one message a table, known by the key of package batch. A table that is queued is
//     not queued again, and one whose result is stored is not done again.
//   - A worker acknowledges a table after its result is stored, and says that it is alive while it
//     works. What is not acknowledged goes to another worker. A table that Deliver
//     workers did not survive is a dead letter: it gets a result that says so.
//   - Inputs are stored by hash of content, results by key. A result that two workers
//     made is the same.
//
// A worker has the program hitoku do each table, which it gets as data on standard input (batch.Message), in a
// process and a folder of its own that holds the files of the table and nothing else.
package nats
