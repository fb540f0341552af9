// Package report writes pages for people: HTML that is complete in itself, with
// plots as inline SVG, no scripts and nothing loaded from elsewhere, so that it
// can be mailed, archived and printed.
package report
