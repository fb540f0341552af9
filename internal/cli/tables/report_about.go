package tables

import (
	"bytes"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
)

// aboutFlags are the flags of the heading of a page that is filed.
type aboutFlags struct {
	file  string
	given report.About
}

func (a *aboutFlags) group() flags.Group {
	return flags.In(flags.PageGroup, []flags.Flag{
		{Name: "about", To: &a.file, Files: []string{"toml"}, Text: "TOML `file` with title, survey, period, author, date and approval, for the head of the page; the flags of these names come before it"},
		{Name: "title", To: &a.given.Title, Text: "`text`: title of the publication", Else: "the name of the table"},
		{Name: "survey", To: &a.given.Survey, Text: "`text`: the survey or register that the figures come from"},
		{Name: "period", To: &a.given.Period, Text: "`text`: its reference period"},
		{Name: "author", To: &a.given.Author, Text: "`text`: who made the page"},
		{Name: "date", To: &a.given.Date, Text: "`text`: its date, as it is to be read; none is added, so that the same input gives the same bytes"},
		{Name: "approval", To: &a.given.Approval, Text: "`text`: who signs, with a line for it"},
	})
}

// read fills in to from file and flags.
func (a *aboutFlags) read(to *report.About) error {
	if a.file != "" {
		text, err := budget.ReadFile(a.file, budget.Settings)
		if err != nil {
			return formats.OSError(a.file, err)
		}
		meta, err := budget.DecodeTOML(bytes.NewReader(text), to)
		if err != nil {
			return i18n.Errorf("%s: %w", a.file, err)
		}
		if more := meta.Undecoded(); len(more) > 0 {
			return i18n.Errorf("%s: %s: not a key; want title, survey, period, author, date or approval", a.file, more[0])
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
