package arb

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/arb"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/report"
)

// comparing holds the flags of hitoku arb --compare.
type comparing struct {
	dir, page, lang string
	json            bool
}

func (c *comparing) on() bool { return c != nil && c.dir != "" }

// inputs, pages and outputs are its flags; the program of τ-ARGUS has none of them.
func (c *comparing) inputs() []flags.Flag {
	if c == nil {
		return nil
	}
	return []flags.Flag{{Name: "compare", To: &c.dir, Text: "write nothing; lay what the batch files give beside the outputs of τ-ARGUS in this `folder`"}}
}

func (c *comparing) pages() []flags.Group {
	if c == nil {
		return nil
	}
	return []flags.Group{flags.In(flags.PageGroup, []flags.Flag{
		{Name: "page", To: &c.page, Files: []string{"html"}, Writes: true, Needs: []string{"compare"}, Text: "write a page of HTML on the comparison to this `file`, for those who decide"},
		{Name: "page-lang", To: &c.lang, From: report.Languages(), Default: "en", Needs: []string{"page"}, Text: "language of the page"},
	})}
}

func (c *comparing) outputs() []flags.Flag {
	if c == nil {
		return nil
	}
	return []flags.Flag{{Name: "json", To: &c.json, Run: true, Needs: []string{"compare"}, Text: "print the comparison as a JSON document"}}
}

// run compares the batch files paths.
func (c *comparing) run(ctx context.Context, cmd *cobra.Command, paths []string, opt *arb.Options) error {
	doc := &document.Migration{Mark: private.Only, Folder: c.dir, Version: cli.Version()}
	with, words := &arb.Comparison{Dir: c.dir}, cmd.ErrOrStderr()
	said := map[string]error{}
	for n, path := range paths {
		outputs, seconds, err := with.Run(ctx, path, opt)
		b := document.MigratedBatch{Batch: path, Seconds: seconds}
		if err != nil {
			cli.Say(words, err)
			b.Failed = err.Error()
			said[b.Failed] = err
		}
		for _, o := range outputs {
			if o.Err != nil {
				cli.Say(words, o.Err)
				o.Why = o.Err.Error()
				said[o.Why] = o.Err
			}
			for _, f := range o.Faults {
				cli.Say(words, f)
			}
			b.Outputs = append(b.Outputs, o.MigratedOutput)
		}
		doc.Batches = append(doc.Batches, b)
		if ctx.Err() != nil && n+1 < len(paths) {
			cli.Note(words, "interrupted with %d inputs to go", len(paths)-n-1)
			break
		}
	}
	code := judge(doc)
	if ctx.Err() != nil {
		code = cli.Limit
	}
	if c.page != "" {
		if err := formats.Save(c.page, func(w io.Writer) error {
			return report.Migrations(w, &report.Migration{Lang: c.lang, Document: doc, Said: said})
		}); err != nil {
			return err
		}
	}
	if c.json {
		if err := document.Write(cmd.OutOrStdout(), doc); err != nil {
			return err
		}
		return code.Result()
	}
	if err := c.print(cmd.OutOrStdout(), doc); err != nil {
		return err
	}
	return code.Result()
}

// judge returns the exit code by the verdicts of a comparison.
func judge(doc *document.Migration) cli.Code {
	failed := false
	for _, b := range doc.Batches {
		failed = failed || b.Failed != ""
		for _, o := range b.Outputs {
			*map[string]*int{"same": &doc.Same, "different": &doc.Different, "open": &doc.Open}[o.Verdict]++
		}
	}
	switch {
	case doc.Different > 0:
		doc.Verdict = "different"
	case failed || doc.Open > 0 || doc.Same == 0:
		doc.Verdict = "open"
	default:
		doc.Verdict = "same"
	}
	switch {
	case failed || doc.Open > 0:
		return cli.Usage
	case doc.Different > 0:
		return cli.Verdict
	}
	return cli.Done
}

// print prints one line per output, a total and the differences.
func (c *comparing) print(w io.Writer, doc *document.Migration) error {
	t := render.NewColumns(1, "output", "cells", "sensitive cells", "secondary", "τ-ARGUS", "cost", "τ-ARGUS", "unprotected", "τ-ARGUS", "seconds", "verdict")
	for _, b := range doc.Batches {
		for _, o := range b.Outputs {
			name := fmt.Sprintf("%s:%d %s", filepath.Base(b.Batch), o.Line, filepath.Base(strings.ReplaceAll(o.File, `\`, "/")))
			verdict := map[string]string{"same": "same", "different": "DIFFERENT", "open": "not compared"}[o.Verdict]
			if o.Here == nil {
				t.Add(name, "", "", "", "", "", "", "", "", "", verdict)
				continue
			}
			t.Add(line(name, o.Cells, o.Here, o.There, o.Seconds, verdict)...)
		}
	}
	all := report.Sum(doc.Batches...)
	t.Add(line("total", all.Cells, &all.Here, &all.There, all.Seconds, "")...)
	t.Say(0, i18n.T("total"))
	t.Print(w)
	for _, b := range doc.Batches {
		for _, o := range b.Outputs {
			if err := details(w, b.Batch, o); err != nil {
				return err
			}
		}
	}
	return render.Tell(w, "\noutputs the same: %d, different: %d, not compared: %d; secondary cells are each program's choice\n", doc.Same, doc.Different, doc.Open)
}

func line(name string, cells int, here, there *document.MigratedPattern, seconds float64, verdict string) []string {
	return []string{name, strconv.Itoa(cells), strconv.Itoa(here.Primary), strconv.Itoa(here.Secondary), strconv.Itoa(there.Secondary), string(here.Cost), string(there.Cost),
		strconv.Itoa(here.Unprotected), strconv.Itoa(there.Unprotected), strconv.FormatFloat(seconds, 'f', 1, 64), verdict}
}

// details prints the differences of an output, and the cells that τ-ARGUS left unprotected.
func details(w io.Writer, batch string, o *document.MigratedOutput) error {
	for _, d := range o.Different {
		title := map[string]i18n.Text{
			"value":        i18n.T("\n%s:%d: %d cells have another value:\n", batch, o.Line, d.Count),
			"contributors": i18n.T("\n%s:%d: %d cells have another number of contributors:\n", batch, o.Line, d.Count),
			"primary":      i18n.T("\n%s:%d: %d cells are sensitive in one output only, or by another rule:\n", batch, o.Line, d.Count),
			"status":       i18n.T("\n%s:%d: %d cells that are published have another status:\n", batch, o.Line, d.Count),
			"missing":      i18n.T("\n%s:%d: %d cells have no line in the output of τ-ARGUS:\n", batch, o.Line, d.Count),
			"unread":       i18n.T("\n%s:%d: %d lines of τ-ARGUS tell of no cell of the table\n", batch, o.Line, d.Count),
		}[d.Kind]
		io.WriteString(w, i18n.Of(w).Say(title))
		if d.Kind == "unread" { // already reported on standard error
			continue
		}
		for _, x := range d.First {
			cell := strings.Join(x.Codes, "/")
			if x.Line == 0 {
				render.Tell(w, "  %s: %s\n", cell, x.Here)
				continue
			}
			render.Tell(w, "  %s:%d: %s: here %s, τ-ARGUS %s\n", o.File, x.Line, cell, x.Here, x.There)
		}
		if more := d.Count - len(d.First); more > 0 {
			render.Tell(w, "  … and %d more\n", more)
		}
	}
	if o.There == nil || o.There.Unprotected == 0 {
		return nil
	}
	render.Tell(w, "\n%s:%d: τ-ARGUS leaves %d sensitive cells unprotected, by exact audit:\n", batch, o.Line, o.There.Unprotected)
	for _, codes := range o.There.Cells {
		render.Tell(w, "  %s\n", strings.Join(codes, "/"))
	}
	if more := o.There.Unprotected - len(o.There.Cells); more > 0 {
		render.Tell(w, "  … and %d more\n", more)
	}
	return nil
}
