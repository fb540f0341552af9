package tables

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/report"
)

// checkRisk returns an error for flags that conflict with --risk.
func (r *reporting) checkRisk(_ *pflag.FlagSet, args []string) error {
	switch {
	case len(args) > 0:
		return i18n.Errorf("report: %s: --risk takes no input besides its documents", args[0])
	case slices.Contains(r.risk, "-"):
		return i18n.New("report: standard input has no checksum that others could compare; give a file")
	}
	return nil
}

// writeRisk writes the page of documents about risk. The exit code is 1 if a limit, a target or a test is not kept, and
// 3 if a document had no records.
func (r *reporting) writeRisk(*cobra.Command, []string) (cli.Code, error) {
	page := &report.Risk{Lang: r.lang, Mask: r.mask, Version: cli.Version()}
	code := cli.Done
	for _, path := range r.risk {
		text, err := budget.ReadFile(path, budget.Whole)
		if err != nil {
			return 0, formats.OSError(path, err)
		}
		docs, err := report.ReadRisk(path, text)
		if err != nil {
			return 0, err
		}
		page.Documents = append(page.Documents, docs...)
	}
	for _, doc := range page.Documents {
		switch doc.Verdict() {
		case report.RiskBroken:
			code = cli.Worst(code, cli.Verdict)
		case report.RiskOpen:
			code = cli.Worst(code, cli.Limit)
		}
		for _, s := range doc.Files() {
			if s.File == "-" || slices.ContainsFunc(page.Sources, func(x report.Source) bool { return x.Kind == s.Kind && x.File == s.File }) {
				continue
			}
			if formats.SameFile(r.output, s.File) {
				return 0, i18n.Errorf("-o %s: would overwrite a file that was measured", r.output)
			}
			// Documents may be read where the data must not be, as the page then says.
			if info, err := os.Stat(s.File); err == nil && info.Mode().IsRegular() {
				s.SHA256, _ = formats.Digest(s.File)
			}
			page.Sources = append(page.Sources, s)
		}
	}
	for _, path := range r.risk {
		sum, err := formats.Digest(path)
		if err != nil {
			return 0, err
		}
		page.Sources = append(page.Sources, report.Source{Kind: "document", File: path, SHA256: sum})
	}
	kind := private.ReportPage
	if r.mask {
		kind = private.Page
	}
	return code, formats.SaveAs(kind, r.output, func(w io.Writer) error { return report.Risks(w, page) })
}
