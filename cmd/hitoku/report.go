package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/report"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// reporting is one run of hitoku report.
type reporting struct {
	inspection
	lang      string
	output    string
	published string
	mask      bool
}

// newReport is hitoku report.
func newReport() *cobra.Command {
	r := &reporting{inspection: inspection{members: 1}}
	cmd := &cobra.Command{
		Use:   "report INPUT -o OUTPUT.html",
		Short: "Write a page about a protected table, to read, print and keep",
		Long: `Audit a protected table and write one page of HTML that is complete in itself:
the table with its withheld cells by reason, the interval in which an intruder can
compute each of them, cells, respondents, values and costs by status, the rules and
options in words, version and checksum of the input.

The input is the office's own table with statuses, or a published one. With
--published the cells withheld are those of another file, as hitoku suppress wrote
it, and the input gives their true values.`,
		Example: `  hitoku report --below 3 --width 5 --published published.csv table.csv -o report.html
  hitoku report --lang ja --width 5 published.csv -o report.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("report: want one input, not %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: tableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.output == "" {
				return fmt.Errorf("report: no output; say -o FILE.html")
			}
			if sameFile(r.output, args[0]) || sameFile(r.output, r.published) {
				return fmt.Errorf("-o %s: would overwrite the input", r.output)
			}
			if args[0] == "-" {
				return fmt.Errorf("report: standard input has no checksum that others could compare; give a file")
			}
			if err := r.check(cmd.Flags(), args); err != nil {
				return err
			}
			code, err := r.one(cmd, args[0])
			if err != nil {
				return err
			}
			return code.result()
		},
	}
	f := cmd.Flags()
	r.inputs.add(cmd)
	r.rules.add(cmd)
	r.rules.addCost(cmd)
	r.rules.primary.add(cmd)
	r.rules.apriori.add(cmd)
	r.engine.add(cmd)
	f.Var(choiceValue{&r.lang, report.Languages()}, "lang", "language of the page (default en)")
	f.StringVarP(&r.output, "output", "o", "", "write the page to this `file`")
	f.StringVar(&r.published, "published", "", "published `file` of the same table, which tells what is withheld")
	f.BoolVar(&r.mask, "mask", false, "leave the true values of withheld cells out of the page")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress on a terminal")
	complete(cmd, "lang", report.Languages()...)
	completeFiles(cmd, "output", "html")
	completeFiles(cmd, "published", formatExtensions()...)
	return cmd
}

func (r *reporting) one(cmd *cobra.Command, path string) (exitCode, error) {
	in, err := r.inputs.read(cmd, path, &r.rules)
	if err != nil {
		return 0, err
	}
	page := &report.Protection{
		Lang: r.lang, Table: in.Table, Mask: r.mask, File: filepath.Base(path), Version: version(),
		Below: r.rules.below, Zeros: r.rules.zeros, LPL: r.rules.lpl, UPL: r.rules.upl, Width: r.rules.width,
		Strict: r.rules.strict, MarginsKept: r.rules.publishesMargins(in.Laid()), Lower: r.rules.lower, Upper: r.rules.upper,
	}
	if page.Lang == "" {
		page.Lang = "en"
	}
	if p := r.rules.primary.parsed; p != nil && !p.Empty() {
		page.Rules = p
	}
	var told []int // sensitive says the published file
	if page.SHA256, err = checksum(path); err != nil {
		return 0, err
	}
	if r.published != "" {
		page.Published = filepath.Base(r.published)
		if page.PublishedSHA256, err = checksum(r.published); err != nil {
			return 0, err
		}
		if told, err = r.take(cmd, in); err != nil {
			return 0, err
		}
	}
	if page.Told, err = r.prepare(in, cmd.ErrOrStderr()); err != nil {
		return 0, err
	}
	if err := r.add(in.Table, told, cmd.ErrOrStderr()); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	page.Withheld = withheldCells(in.Table)
	leaves := in.Table.Leaves()
	for i, out := range page.Withheld { // another office may have thought otherwise
		page.MarginsKept = page.MarginsKept && !(out && in.Table.IsMargin(i, leaves))
	}
	opt := &interval.Options{LP: r.engine.lp, Workers: r.engine.workers}
	if words := cmd.ErrOrStderr(); !r.quiet && isTerminal(words) {
		opt.Progress = newAuditProgress(words).show
	}
	page.Audit, err = interval.Audit(cmd.Context(), in.Table, page.Withheld, opt)
	switch {
	case err != nil && cmd.Context().Err() != nil:
		say(cmd.ErrOrStderr(), in.Table, "interrupted, nothing to report")
		return exitLimit, nil
	case err != nil:
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if err := tableio.Save(r.output, func(w io.Writer) error { return report.Protect(w, page) }); err != nil {
		return 0, err
	}
	if !page.Audit.Protected {
		return exitVerdict, nil
	}
	return exitDone, nil
}

// add makes cells sensitive that are said to be but that no rule hit.
func (r *reporting) add(t *table.Table, told []int, words io.Writer) error {
	more := false
	for _, i := range told {
		more = more || t.Status[i] == table.Withheld
		t.Status[i] = table.Sensitive
	}
	if !more {
		return nil
	}
	if err := t.SetLevels(table.Levels{LPL: r.rules.lpl, UPL: r.rules.upl, SPL: r.rules.width}); err != nil {
		return err
	}
	return widthAboveZero(t, words)
}

// take withholds the cells that the published file of the table withholds, read with
// the same flags, and returns those that it calls sensitive. What that file publishes
// must be what the table has.
func (r *reporting) take(cmd *cobra.Command, in *tableio.Input) (told []int, err error) {
	pub, err := r.inputs.read(cmd, r.published, &ruleFlags{})
	if err != nil {
		return nil, err
	}
	t, p := in.Table, pub.Table
	at := make(map[string]int, t.Len())
	for i := range t.Len() {
		at[t.CellName(i)] = i
	}
	if p.Len() != t.Len() {
		return nil, fmt.Errorf("%s: %d cells, but %s has %d", r.published, p.Len(), in.File, t.Len())
	}
	out := withheldCells(p)
	for j := range p.Len() {
		i, ok := at[p.CellName(j)]
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: cell %s: not a cell of %s", r.published, p.CellName(j), in.File)
		case out[j]:
			if p.Status[j] == table.Sensitive {
				told = append(told, i)
			}
			if t.Status[i] != table.Sensitive { // until the rules say more
				t.Status[i] = table.Withheld
			}
		case !out[j] && (t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld):
			return nil, fmt.Errorf("%s: cell %s: published, but its status in %s is %s", r.published, p.CellName(j), in.File, t.Status[i])
		}
		if a, b := value(t, i), value(p, j); p.Known(j) && t.Known(i) && a != b {
			return nil, fmt.Errorf("%s: cell %s: %s, but %s in %s", r.published, p.CellName(j), string(b), string(a), in.File)
		}
	}
	return told, nil
}

// checksum returns the SHA-256 of a file.
func checksum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", tableio.OSError(path, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", tableio.OSError(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
