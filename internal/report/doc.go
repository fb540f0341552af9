// Package report writes pages for people: HTML that is complete in itself, with
// plots as inline SVG, no scripts and nothing loaded from elsewhere, so that it
// can be mailed, archived and printed.
//
// The package computes nothing that a verdict rests on: it shows what interval, attack, risk,
// batch and bench have found, in English or Japanese. Most of its pages tell costs, intervals or withheld
// values and are marked as the office's own; docs/publish.md says which are not.
package report
