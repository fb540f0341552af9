package report

import (
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

// A Migration is the data of the page for those who decide whether batches of τ-ARGUS run with hitoku from now
// on: the question, the answer in three sentences, a line for each batch, what differs, and what was not
// compared.
type Migration struct {
	Lang     string // one of Languages
	Document *document.Migration
	// Said has the errors of batches that failed and of outputs that were not compared, by their English text.
	Said map[string]error
}

// migrationPage is the data of migration.html.
type migrationPage struct {
	*Migration
	words
	riskSays
	Title                  string
	Answer                 []string
	Batches, Differs, Left *sheet
	Notes                  []string
}

// Migrated holds sums over the tables of batches, with each table counted once.
type Migrated struct {
	Tables, Cells int
	Here, There   document.MigratedPattern
	Seconds       float64
}

// Sum adds up batches.
func Sum(batches ...document.MigratedBatch) *Migrated {
	s := &Migrated{}
	costs := [2]*big.Rat{new(big.Rat), new(big.Rat)}
	for _, b := range batches {
		s.Seconds += b.Seconds
		for _, o := range b.Outputs {
			if o.Here == nil || o.Again {
				continue
			}
			s.Tables++
			s.Cells += o.Cells
			for k, p := range []*document.MigratedPattern{o.Here, o.There} {
				of := []*document.MigratedPattern{&s.Here, &s.There}[k]
				of.Primary += p.Primary
				of.Secondary += p.Secondary
				of.Unprotected += p.Unprotected
				costs[k].Add(costs[k], p.Cost.Rat())
			}
		}
	}
	s.Here.Cost, s.There.Cost = exact(costs[0]), exact(costs[1])
	return s
}

// exact returns a sum of decimal numbers, which have at most 18 decimals.
func exact(r *big.Rat) document.Exact {
	if r.IsInt() {
		return document.Exact(r.RatString())
	}
	return document.Exact(strings.TrimRight(r.FloatString(18), "0"))
}

// Migrations writes the page. It depends only on m.
func Migrations(w io.Writer, m *Migration) error {
	said, err := wordsOf(m.Lang, "migration")
	if err != nil {
		return err
	}
	lang, err := catalogue.For(m.Lang)
	if err != nil {
		return err
	}
	d := m.Document
	p := &migrationPage{Migration: m, words: said, Title: said.say("title", d.Folder)}
	p.riskSays = map[string]riskSays{
		"same":      {"good", "✓", p.T("same")},
		"different": {"wrong", "✗", p.T("different")},
		"open":      {"wrong", "?", p.T("open")},
	}[d.Verdict]
	all := Sum(d.Batches...)
	p.Answer = []string{
		p.say("answer", d.Same+d.Different+d.Open, len(d.Batches), all.Cells, d.Same, d.Different, d.Open),
		p.say("price", all.There.Secondary, string(all.There.Cost), all.Here.Secondary, string(all.Here.Cost)),
		p.say("safe", all.There.Unprotected, all.Here.Unprotected, all.Here.Primary, strconv.FormatFloat(all.Seconds, 'f', 1, 64)),
	}
	p.batches(all)
	p.differs(lang)
	return execute(w, "migration.html", p)
}

// batches fills the table with a line for each batch, and the total.
func (p *migrationPage) batches(all *Migrated) {
	p.Batches = &sheet{Numbers: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, Head: []string{p.T("batch"), p.T("tables"), p.T("cells"), p.T("sensitive"),
		p.T("secondary") + " " + theirs, p.T("secondary") + " " + ours, p.T("cost") + " " + theirs, p.T("cost") + " " + ours, p.T("unprotected") + " " + theirs, p.T("unprotected") + " " + ours, p.T("seconds")}}
	add := func(name string, s *Migrated) {
		texts := []string{name}
		for _, n := range []int{s.Tables, s.Cells, s.Here.Primary, s.There.Secondary, s.Here.Secondary} {
			texts = append(texts, strconv.Itoa(n))
		}
		texts = append(texts, string(s.There.Cost), string(s.Here.Cost), strconv.Itoa(s.There.Unprotected), strconv.Itoa(s.Here.Unprotected), strconv.FormatFloat(s.Seconds, 'f', 1, 64))
		p.Batches.Rows = append(p.Batches.Rows, sheetRow{Texts: texts})
	}
	for _, b := range p.Document.Batches {
		add(filepath.Base(b.Batch), Sum(b))
	}
	add(p.T("total"), all)
}

// theirs and ours are the names of the two programs.
const theirs, ours = "τ-ARGUS", "hitoku"

// differs lists what differs, by output and kind, and what was not compared.
func (p *migrationPage) differs(lang *i18n.Language) {
	why := func(text string) string {
		if err := p.Said[text]; err != nil {
			return lang.Say(i18n.T("%v", err))
		}
		return text
	}
	p.Differs = &sheet{Numbers: []int{2}, Head: []string{p.T("output"), p.T("what"), p.T("number")}}
	p.Left = &sheet{Head: []string{p.T("output"), p.T("why")}}
	for _, b := range p.Document.Batches {
		name := filepath.Base(b.Batch)
		if b.Failed != "" {
			p.Left.Rows = append(p.Left.Rows, sheetRow{Texts: []string{name, why(b.Failed)}})
		}
		for _, o := range b.Outputs {
			output := fmt.Sprintf("%s:%d %s", name, o.Line, filepath.Base(strings.ReplaceAll(o.File, `\`, "/")))
			if o.Why != "" {
				p.Left.Rows = append(p.Left.Rows, sheetRow{Texts: []string{output, why(o.Why)}})
			}
			for _, x := range o.Different {
				p.Differs.Rows = append(p.Differs.Rows, sheetRow{Texts: []string{output, p.T("kind." + x.Kind), strconv.Itoa(x.Count)}})
			}
		}
	}
	p.Notes = []string{p.T("note.same"), p.T("note.secondary"), p.T("note.cost"), p.T("note.audit")}
}
