package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
)

// checkNoise returns an error for flags that conflict with --cellkey.
func (r *reporting) checkNoise(_ *pflag.FlagSet, args []string) error {
	if len(args) > 0 {
		return i18n.Errorf("report: %s: --cellkey takes no input besides its documents", args[0])
	}
	return nil
}

// writeNoise writes the page of documents that hitoku cellkey printed. The exit code is 1 if a cell is disclosed.
func (r *reporting) writeNoise(*cobra.Command, []string) (cli.Code, error) {
	code := cli.Done
	var docs []*document.Perturbation
	for _, path := range r.noise {
		text, err := budget.ReadFile(path, budget.Whole)
		if err != nil {
			return 0, formats.OSError(path, err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		for n := 1; ; n++ {
			var raw json.RawMessage
			if err := d.Decode(&raw); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return 0, i18n.Errorf("%s: document %d: no JSON: %w", path, n, err)
			}
			doc := &document.Perturbation{}
			if err := document.Read(raw, doc); err != nil {
				return 0, i18n.Errorf("%s: document %d: %w", path, n, err)
			}
			if doc.Schema == "" {
				return 0, i18n.Errorf("%s: document %d: not what hitoku cellkey --json prints", path, n)
			}
			docs = append(docs, doc)
			if doc.Attack != nil && doc.Attack.Verdict == document.Unprotected {
				code = cli.Worst(code, cli.Verdict)
			}
		}
	}
	if docs == nil {
		return 0, i18n.Errorf("%s: no document", r.noise[0])
	}
	return code, formats.Save(r.output, func(w io.Writer) error { return report.Noise(w, r.lang, cli.Version(), docs) })
}
