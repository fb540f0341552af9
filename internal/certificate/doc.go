// Package certificate records the proofs that package certificate outside publishes while a search runs, writes
// them and checks them. Letters are those of its comment.
package certificate
