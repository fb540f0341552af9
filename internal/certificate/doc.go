// Package certificate records, while a search runs, the proofs that the public package certificate publishes, and
// writes and checks them. The notation is that of its package comment.
package certificate
