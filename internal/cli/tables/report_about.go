package tables

import (
	"fmt"
	"os"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/report"
	"github.com/hitoku/hitoku/table/tableio"
)

// aboutFlags head a page that goes to file.
type aboutFlags struct {
	file  string
	given report.About
}

func (a *aboutFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&a.file, "about", "", "TOML `file` with title, survey, period, author, date and approval, for the head of the page; the flags of these names come before it")
	f.StringVar(&a.given.Title, "title", "", "`text`: title of the publication, instead of the name of the table")
	f.StringVar(&a.given.Survey, "survey", "", "`text`: the survey or register that the figures come from")
	f.StringVar(&a.given.Period, "period", "", "`text`: its reference period")
	f.StringVar(&a.given.Author, "author", "", "`text`: who made the page")
	f.StringVar(&a.given.Date, "date", "", "`text`: its date, as it is to be read; none is added, so that the same input gives the same bytes")
	f.StringArrayVar(&a.given.Approval, "approval", nil, "`text`: who signs, with a line for it; repeatable")
	flags.CompleteFiles(cmd, "about", "toml")
}

// read puts what file and flags say into to.
func (a *aboutFlags) read(to *report.About) error {
	if a.file != "" {
		text, err := os.ReadFile(a.file)
		if err != nil {
			return tableio.OSError(a.file, err)
		}
		meta, err := toml.Decode(string(text), to)
		if err != nil {
			return fmt.Errorf("%s: %w", a.file, err)
		}
		if more := meta.Undecoded(); len(more) > 0 {
			return fmt.Errorf("%s: %s: not a key; want title, survey, period, author, date or approval", a.file, more[0])
		}
	}
	for _, x := range []struct{ to, from *string }{
		{&to.Title, &a.given.Title}, {&to.Survey, &a.given.Survey}, {&to.Period, &a.given.Period}, {&to.Author, &a.given.Author}, {&to.Date, &a.given.Date},
	} {
		if *x.from != "" {
			*x.to = *x.from
		}
	}
	if len(a.given.Approval) > 0 {
		to.Approval = a.given.Approval
	}
	return nil
}
