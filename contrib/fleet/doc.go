// Package nats lets many machines work on one job of hitoku batch, by means of NATS JetStream: a work queue of
// tables, and stores of inputs and results.
//
//   - The queue has one message for each table, identified by the key of package batch. A table that is queued
//     is not queued again, and one whose result is stored is not done again.
//   - A worker acknowledges a table after storing its result, and signals that it is alive while it works. A
//     table that is not acknowledged goes to another worker. If Deliver workers did not survive a table, it
//     becomes a dead letter: its result says so.
//   - Inputs are stored under the hash of their content, results under their key. Two workers that do the same
//     table store the same result.
//
// A worker has the program hitoku do each table, which it receives as data on standard input (batch.Message),
// in a process of its own and in a folder that contains the files of the table and nothing else.
package nats
