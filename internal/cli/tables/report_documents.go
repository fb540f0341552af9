package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// A printed document is one that hitoku printed as JSON: verb is the verb that printed it, key a key that only its
// documents have.
type printed struct{ verb, key string }

var (
	printedRun    = printed{"suppress", "pattern"}
	printedAttack = printed{"attack", "dimension"}
)

// read finds the document about a table with one of the names, in a file of one document or of JSON lines, and decodes
// it into doc.
func (p printed) read(path string, names []string, doc any) error {
	text, err := budget.ReadFile(path, budget.Whole)
	if err != nil {
		return formats.OSError(path, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	var others []string
	for n := 1; ; n++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return i18n.Errorf("%s: document %d: no JSON: %w", path, n, err)
		}
		var keys map[string]json.RawMessage
		var name string
		if json.Unmarshal(raw, &keys) != nil || keys[p.key] == nil || json.Unmarshal(keys["table"], &name) != nil {
			return i18n.Errorf("%s: document %d: not what hitoku %s --json prints, which has the keys table and %s", path, n, p.verb, p.key)
		}
		if !slices.Contains(names, name) {
			others = append(others, name)
			continue
		}
		if err := document.Read(raw, doc); err != nil {
			return i18n.Errorf("%s: document %d: %w", path, n, err)
		}
		return nil
	}
	if others == nil {
		return i18n.Errorf("%s: no document", path)
	}
	return i18n.Errorf("%s: no document of table %s, only of %s", path, strings.Join(names, " or "), strings.Join(others, ", "))
}

// withholdRun reads the document of --run and withholds its cells, unless a published file shows what is withheld.
// Rules may later make some of them sensitive.
func (r *reporting) withholdRun(t *table.Table, names []string) error {
	if r.run == "" {
		return nil
	}
	doc := &document.Suppression{}
	if err := printedRun.read(r.run, names, doc); err != nil {
		return err
	}
	switch {
	case doc.Cells != t.Len() || doc.Relations != t.Rel.Len():
		return i18n.Errorf("%s: table %s: %d cells and %d relations, but the input has %d and %d", r.run, doc.Table, doc.Cells, doc.Relations, t.Len(), t.Rel.Len())
	case doc.Status == string(solver.None) || doc.Status == string(solver.Unprotectable):
		return i18n.Errorf("%s: table %s: status %s: there is no pattern to write about", r.run, doc.Table, doc.Status)
	}
	at := cellsByName(t)
	if r.files.Joins && doc.Earlier == nil {
		return i18n.Errorf("%s: table %s: the policy names what is published already, but this run knew nothing of it", r.run, doc.Table)
	}
	r.record, r.chosen = doc, make([]bool, t.Len())
	for k, name := range doc.Pattern {
		var codes []string
		if len(doc.Codes) == len(doc.Pattern) {
			codes = doc.Codes[k]
		}
		i, ok := at[nameOf(name, codes)]
		if !ok {
			return i18n.Errorf("%s: table %s: the input has no cell %s", r.run, doc.Table, name)
		}
		r.chosen[i] = true
		if r.published == "" && t.Status[i] != table.Sensitive {
			t.Status[i] = table.Withheld
		}
	}
	return nil
}

// cellsByName returns the cells by name, and by codes, which are unambiguous where names are not.
func cellsByName(t *table.Table) map[string]int {
	at := make(map[string]int, 2*t.Len())
	for i := range t.Len() {
		at[t.CellName(i)] = i
		if codes := CodesOf(t, i); codes != nil {
			at[nameOf("", codes)] = i
		}
	}
	return at
}

// nameOf returns the key by which a cell is found: its codes if a document has them.
func nameOf(name string, codes []string) string {
	if codes == nil {
		return name
	}
	return fmt.Sprintf("%q", codes)
}

// documents adds the findings of --run and --attack to the page. They must be about the cells that are withheld.
func (r *reporting) documents(page *report.Protection, names []string) error {
	t := page.Table
	if r.record != nil {
		for i, out := range page.Withheld {
			switch {
			case out && !r.chosen[i]:
				return i18n.Errorf("%s: cell %s: not withheld, but it is by the input and the flags", r.run, t.CellName(i))
			case !out && r.chosen[i]:
				return i18n.Errorf("%s: cell %s: withheld, but it is not by the published file", r.run, t.CellName(i))
			}
		}
		page.Run, page.Earlier = newRun(r.record), r.record.Earlier
	}
	if r.attack == "" {
		return nil
	}
	doc := &document.Attack{}
	if err := printedAttack.read(r.attack, names, doc); err != nil {
		return err
	}
	a := &report.Attack{Dimension: doc.Dimension, Candidates: string(doc.Candidates), Matching: string(doc.Matching), Complete: doc.Complete, Seconds: doc.Seconds}
	at := cellsByName(t)
	for k := range doc.Cells {
		c := &doc.Cells[k]
		i, ok := at[nameOf(c.Cell, c.Codes)]
		if !ok || !page.Withheld[i] {
			return i18n.Errorf("%s: cell %s: not a withheld cell of the input", r.attack, c.Cell)
		}
		cell := report.AttackedCell{Index: i, Lo: c.Feasible[0].Rat(), Hi: c.Feasible[1].Rat()}
		if c.Effective != nil {
			cell.From, cell.To = c.Effective[0].Rat(), c.Effective[1].Rat()
		}
		if found, ok := c.Found.Get(); ok {
			cell.Found = [2]*big.Rat{found[0].Rat(), found[1].Rat()}
		}
		cell.Safe, cell.Unsafe = c.Safe != nil && *c.Safe, c.Safe != nil && !*c.Safe
		a.Cells = append(a.Cells, cell)
	}
	page.Attack = a
	return nil
}

// newRun returns what the page says about a run.
func newRun(doc *document.Suppression) *report.Run {
	run := &report.Run{
		Status: doc.Status, Modular: doc.Engine == modular.Engine, Cost: string(doc.Cost), Bound: string(doc.Bound), Gap: doc.Gap,
		Rounds: doc.Rounds, Nodes: doc.Nodes, Seconds: doc.Seconds, LP: doc.LP, Version: doc.Version,
	}
	for _, n := range doc.Cuts {
		run.Cuts += n
	}
	if d := doc.Defence; d != nil {
		run.Defence = d.Kind
	}
	if g := doc.Singletons; g != nil {
		run.Singletons, run.Sums = g.Rule, g.Sums
	}
	if g := doc.Insiders; g != nil {
		run.Coalition, run.Sums, run.Narrow = g.Coalition, g.Combinations, g.Narrow
	}
	return run
}
