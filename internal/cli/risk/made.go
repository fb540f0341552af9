package risk

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/report"
)

// A Making is a request of the page of hitoku open: what hitoku risk release does, without its command line.
type Making struct {
	Path, Name        string // path of the file of records, and its name for people
	Policy            *release.Policy
	Output, Statement string
	Board             func(lang string) string // returns the file of the page for those who decide
	Seed              string                   // the file with the secret that determines the order of the records
	Words             io.Writer
	Progress          func(done, total int)
}

// Make searches for a release. It writes the pages for those who decide if one was found, and the release and its
// statement if every limit is kept.
func (m *Making) Make(ctx context.Context) (*document.MadeRelease, error) {
	cmd := &cobra.Command{Use: "release"}
	cmd.SetContext(ctx)
	cmd.SetErr(m.Words)
	cmd.SetOut(io.Discard)
	r := &releasing{policy: m.Policy, path: m.Output, statement: m.Statement, tries: mostTries, tell: m.Progress}
	r.order.seed.File = m.Seed
	r.keepEncoding(cmd)
	a, err := r.make(cmd, m.Path)
	if err != nil {
		return nil, err
	}
	made := &document.MadeRelease{Boards: map[string]*document.Board{}}
	if a.found == nil {
		why := i18n.T(noRelease)
		if a.records == 0 {
			why = i18n.T("no records, so nothing can be said")
		}
		made.Why = i18n.Of(m.Words).Say(why)
		return made, nil
	}
	a.verdict()
	a.doc.Files = []string{m.Name}
	made.Kept = a.met
	for _, lang := range report.Languages() {
		if made.Boards[lang], err = a.about(lang).Board(); err != nil {
			return nil, err
		}
		if err := a.board(m.Board(lang), lang); err != nil {
			return nil, err
		}
	}
	if a.met {
		err = a.write(nil)
	}
	return made, err
}
