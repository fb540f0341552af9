// Package report writes pages for people: HTML that is complete in itself, with
// plots as inline SVG, no scripts and nothing loaded from elsewhere, so that it
// can be mailed, archived and printed.
//
// The package computes nothing that a verdict rests on: it shows what interval, attack, risk,
// batch and bench have found, in English or Japanese. Most of its pages tell costs, intervals or withheld
// values and are marked as the office's own; docs/publish.md says which are not.
package report

import (
	"cmp"
	"io"

	"github.com/hitoku/hitoku/table"
)

// A Batch is what the page about an output of a batch file says, after the report of
// τ-ARGUS: what the table is, its rules, how it was protected, and its cells by status.
type Batch struct {
	Title, Version string
	Only           string // whom the page is for
	Facts          []Fact
	Rules, Method  []string
	Summary        []StatusRow // the last one is the total
}

// A Fact is a line of a list of names and texts.
type Fact struct{ Name, Text string }

// A StatusRow is a line of the summary; an empty number is not known.
type StatusRow struct {
	Status                   int // 0: all cells
	Name                     string
	Cells                    int
	Respondents, Value, Cost string
}

// WriteBatch writes the page. It depends on nothing but r.
func WriteBatch(w io.Writer, r *Batch) error {
	page := *r
	page.Summary = nil
	for _, s := range r.Summary {
		for _, text := range []*string{&s.Respondents, &s.Value, &s.Cost} {
			*text = cmp.Or(*text, unknown)
		}
		page.Summary = append(page.Summary, s)
	}
	return execute(w, "batch.html", &page)
}

// RulesInWords says in sentences of a language what rules make a cell of t sensitive, and what
// protection asks for.
func RulesInWords(lang string, t *table.Table, rules *table.Rules) []string {
	said, err := wordsOf(lang, "protection")
	if err != nil {
		panic(err) // a mistake of this program
	}
	p := &protectionPage{Protection: &Protection{Lang: lang, Table: t, Told: true, Rules: rules}, words: said}
	return p.Rules()
}
