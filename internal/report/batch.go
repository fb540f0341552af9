// Package report writes pages for people: HTML that is complete in itself, with plots as inline SVG, without
// scripts and with nothing loaded from elsewhere, so that it can be mailed, archived and printed.
//
// The package computes nothing on which a verdict rests: it shows what packages interval, attack, risk, batch
// and bench have found, in English or Japanese. Most of its pages contain costs, intervals or withheld values
// and are marked as the office's own; docs/publish.md says which are not.
package report

import (
	"cmp"
	"io"

	"github.com/hitoku/hitoku/table"
)

// A Batch is the data of the page about an output of a batch file, modelled on the report of τ-ARGUS: the
// table, its rules, how it was protected, and its cells by status.
type Batch struct {
	Title, Version string
	Only           string // for whom the page is
	Facts          []Fact
	Rules, Method  []string
	Summary        []StatusRow // the last row is the total
}

// A Fact is a name with a text in a list.
type Fact struct{ Name, Text string }

// A StatusRow is a line of the summary; a number that is empty is not known.
type StatusRow struct {
	Status                   int // 0: all cells
	Name                     string
	Cells                    int
	Respondents, Value, Cost string
}

// WriteBatch writes the page. It depends only on r.
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

// RulesInWords returns sentences in a language that say which rules make a cell of t sensitive, and what
// protection must achieve.
func RulesInWords(lang string, t *table.Table, rules *table.Rules) []string {
	said, err := wordsOf(lang, "protection")
	if err != nil {
		panic(err) // a programming error
	}
	p := &protectionPage{Protection: &Protection{Lang: lang, Table: t, Told: true, Rules: rules}, words: said}
	return p.Rules()
}
